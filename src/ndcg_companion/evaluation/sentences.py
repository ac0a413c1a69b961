"""What a comparison says, in words, which stand in templates; and how numbers are written for people."""

from functools import cache

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined

from ndcg_companion import __version__
from ndcg_companion.evaluation.family import LEVEL
from ndcg_companion.evaluation.planning import FEWEST_SURE, gate_queries
from ndcg_companion.text import shown

_LOSSES = (0.005, 0.01, 0.02, 0.05)  # for which a plan says how many queries a gate needs


def sentences(comparison):
    """The answer: what a gate decides, who is best, what is told apart, what it would take."""
    board, apart = comparison.leaderboard.to_dict("records"), comparison.apart()
    place = [comparison.systems.index(row["system"]) for row in board]
    rows = comparison.values[0][place]
    open_places = [
        at
        for at in range(len(board) - 1)
        if not apart[place[at], place[at + 1]] and (rows[at] != rows[at + 1]).any()
    ]
    sure = len(comparison.queries) >= FEWEST_SURE
    # Of two systems, on all measures; of more, on the first.
    seen = comparison.values if len(board) == 2 else comparison.values[:1]
    return lines_of(
        "answer.txt",
        comparison=comparison,
        measure=comparison.measure_names[0],
        board=board,
        measures=comparison.measures.to_dict("records"),
        same=np.ptp(seen, axis=1).max() < 1e-12,
        pair=ahead_first(comparison.pairs.iloc[0].to_dict()) if len(board) > 1 else None,
        near=[row["system"] for at, row in zip(place[1:], board[1:]) if not apart[place[0], at]],
        neighbours=board[open_places[0] : open_places[0] + 2] if open_places and sure else None,
        turned=int((np.abs(comparison.flips.p_family - LEVEL) < comparison.flips.noise).sum()),
        plans=_plans(comparison),
    ) + list(comparison.notes)


def methods(comparison):
    """What a paper would say of how a comparison was computed."""
    flips, kinds = comparison.flips, comparison.kinds
    (line,) = lines_of(
        "methods.txt",
        comparison=comparison,
        settings=comparison.settings,
        kinds=kinds,
        foreign=[n for n, kind in zip(comparison.measure_names, kinds) if kind == "ir_measures"],
        number=len(flips.p),
        tail=any(how.startswith("t tail") for how in flips.how),
        version=__version__,
    )
    return line


def _plans(comparison):
    """By the loss that a gate tolerates, on how many queries it passes; said before there is a verdict."""
    several = len(comparison.systems) > 1 and len(comparison.queries) > 1
    if comparison.baseline is None or comparison.gates or not several:
        return {}
    _, _, spreads, critical = comparison.against_baseline(comparison.measure_names[0])
    return {loss: gate_queries(spreads, -loss, critical) for loss in _LOSSES}


def gate_told(verdict, baseline, queries):
    """The verdict of a gate, with the reason, and what a harmless release would need."""
    lowest, ends = min(verdict["systems"].items(), key=lambda item: item[1]["low"])
    facts = {"verdict": verdict, "baseline": baseline, "queries": queries, "lowest": lowest, "ends": ends}
    return lines_of("gate.txt", **facts)[0]


def lines_of(name, **facts):
    """The lines of a template."""
    return [line for line in templates(False).get_template(name).render(**facts).split("\n") if line]


@cache
def templates(escape=True):
    """The templates of this room, with what they write numbers by; HTML is escaped."""
    environment = Environment(
        loader=PackageLoader("ndcg_companion.evaluation", "templates"),
        autoescape=escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "shown": lambda text, most=200: shown(text, most),
        "short": lambda text: shown(text, 24),
        "counted": counted,
        "count": lambda value: "" if value != value else count(value),
        "signed": signed,
        "p": p_value,
    }
    return environment


def ahead_first(row):
    """A pair turned so that the difference is not negative."""
    if row["difference"] >= 0:
        return row
    turned = {"first": row["second"], "second": row["first"], "low": -row["high"], "high": -row["low"]}
    return row | turned | {"difference": -row["difference"], "effect": -row["effect"]}


def counted(number, one, several):
    """A number with its noun.

    >>> counted(1, "query", "queries"), counted(1200, "query", "queries")
    ('1 query', '1,200 queries')
    """
    return f"{number:,} {one if number == 1 else several}"


def count(number):
    """An estimated number of queries, to two digits from a hundred on.

    >>> count(57.0), count(115_443.0), count(float("inf"))
    ('57', '120,000', 'more than a billion')
    """
    if not number < 1e9:
        return "more than a billion"
    return f"{number:.0f}" if number < 100 else f"{float(f'{number:.1e}'):,.0f}"


def signed(value, form=".4f"):
    """A difference with its sign.

    >>> signed(-0.0123)
    '−0.0123'
    """
    return f"{value:+{form}}".replace("-", "−")


def p_value(value):
    """A p-value for people.

    >>> p_value(0.0312), p_value(1e-9)
    ('p = 0.031', 'p < 0.0001')
    """
    return f"p = {value:.2g}" if value >= 0.0001 else "p < 0.0001"
