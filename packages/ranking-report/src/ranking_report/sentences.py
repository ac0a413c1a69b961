"""What a comparison says, in words, which stand in templates; and how numbers are written for people."""

from functools import cache
from math import isfinite, isnan, log10

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined

from ndcg_companion.significance.family import LEVEL
from ndcg_companion.significance.planning import FEWEST_SURE, MOST, gate_queries
from ndcg_companion.text import escaped
from ranking_report.bounds import FEWEST_CARRIERS, carriers
from ranking_report.version import __version__

EQUAL = 1e-12  # scores and means that differ by less are the same but for rounding
_LOSSES = (0.005, 0.01, 0.02, 0.05)  # for which a plan says how many queries a gate needs


def sentences(comparison):
    """The answer: what a gate decides, who is best, what is told apart, what it would take."""
    board, apart = comparison.leaderboard.to_dict("records"), comparison.apart()
    place = [comparison.systems.index(row["system"]) for row in board]
    rows = comparison.values[0][place]
    compared = [(at, at + 1) for at in range(len(board) - 1)]
    if comparison.baseline is not None:
        base = [row["system"] for row in board].index(comparison.baseline)
        compared = [(at, base) for at in range(len(board)) if at != base]
    undecided = [
        [board[one], board[other]]
        for one, other in compared
        if not apart[place[one], place[other]] and (rows[one] != rows[other]).any()
    ]
    sure = len(comparison.queries) >= FEWEST_SURE
    carried = _carried_by_few(comparison)
    return lines_of(
        "answer.txt",
        comparison=comparison,
        measure=comparison.measure_names[0],
        board=board,
        measures=comparison.measures.to_dict("records"),
        equal=EQUAL,
        same=(np.ptp(comparison.values, axis=1).max(axis=1) < EQUAL).tolist(),
        rows=differences(comparison) if len(board) == 2 else None,
        few=[name for _, _, name in carried],
        leads=[_lead(comparison, name, carried) for name in comparison.measure_names],
        opposed=_opposed(comparison.pairs),
        carried=carried,
        unvaried=_without_variance(comparison),
        unseen=100 * (1 - LEVEL ** (1 / len(comparison.queries))),
        family=comparison.family_sizes(),
        neighbours=undecided[0] if undecided and sure else None,
        against=_against_baseline(comparison),
        turned=int((np.abs(comparison.pairs["p_family"] - LEVEL) < comparison.flips.noise).sum()),
        plans=_plans(comparison),
        grouped=_grouped(comparison.groups),
        turns=[
            (*(pair if test.winner > 0 else pair[::-1]), test) for pair, test in comparison.in_turn.items()
        ],
    ) + list(comparison.notes)


def _grouped(groups):
    """The pairs told apart in each group, with the one ahead first; None without groups."""
    if groups is None:
        return None
    rows = [ahead_first(row) for row in groups.to_dict("records")]
    names = {row["group"]: row["queries"] for row in rows}
    return [
        (name, count, [row for row in rows if row["group"] == name and row["apart"]])
        for name, count in names.items()
    ]


def _against_baseline(comparison):
    """The systems told apart from the baseline: those ahead of it and those behind, by measure."""
    found_pairs = comparison.pairs[comparison.pairs["p_family"] <= LEVEL]
    by_measure = {name: found_pairs[found_pairs["measure"] == name] for name in comparison.measure_names}
    return {
        name: [rows.loc[rows["difference"] * sign > 0, "first"].tolist() for sign in (1, -1)]
        for name, rows in by_measure.items()
    }


def differences(comparison):
    """The pairs of a comparison as rows, each turned so that its first system is ahead."""
    return [ahead_first(row) for row in comparison.pairs.to_dict("records")]


def _lead(comparison, measure, carried):
    """The systems with the highest mean under a measure, and those not told apart from all of these.

    With the number of their pairs told apart in which few queries account for the variance.
    """
    means = comparison.means.set_index("system")[measure].reindex(comparison.systems).to_numpy()
    top = means > means.max() - EQUAL
    near = ~top & ~comparison.apart(measure)[top].all(axis=0)
    rows = comparison.pairs[comparison.pairs["measure"] == measure]
    board = comparison.means["system"]
    leaders = [name for name in board if top[comparison.systems.index(name)]]
    return {
        "measure": measure,
        "mean": means.max(),
        "leaders": leaders,
        "few": sum(name == measure and bool({*pair} & {*leaders}) for *pair, name in carried),
        "near": [name for name in board if near[comparison.systems.index(name)]],
        "all_tested": 2 * len(rows) == len(board) * (len(board) - 1),
    }


def _carried_by_few(comparison):
    """Pairs told apart where few queries account for the variance of the differences: systems and measure."""
    found, pairs = comparison.contrasts, comparison.pairs
    numbers = np.flatnonzero(pairs["p_family"] <= LEVEL)
    # Of normal differences a third of all queries do, on however few queries.
    fewest = min(FEWEST_CARRIERS, len(comparison.queries) / 6)
    few = [which for which in numbers if 0 < carriers(found.differences(which)) < fewest]
    return [(row.first, row.second, row.measure) for row in pairs.iloc[few].itertuples()]


def _without_variance(comparison):
    """Pairs told apart whose difference is the same on every query: systems and measure, the first ahead."""
    differences, pairs = comparison.contrasts.differences, comparison.pairs
    numbers = np.flatnonzero(pairs["p_family"] <= LEVEL)
    constant = [which for which in numbers if not carriers(differences(which))]
    rows = [ahead_first(row) for row in pairs.iloc[constant].to_dict("records")]
    return [(row["first"], row["second"], row["measure"]) for row in rows]


def _opposed(pairs):
    """Pairs told apart in opposite directions: who, whom, under which measures ahead, under which behind."""
    found = []
    found_pairs = pairs[(pairs["p_family"] <= LEVEL) & (pairs["difference"].abs() > EQUAL)]
    for (first, second), rows in found_pairs.groupby(["first", "second"], sort=False):
        over, under = (rows.loc[rows["difference"] * sign > 0, "measure"].tolist() for sign in (1, -1))
        if over and under:
            measured_first = rows["difference"].iloc[0] > 0
            found.append((first, second, over, under) if measured_first else (second, first, under, over))
    return found


def methods(comparison):
    """What a paper would say of how a comparison was computed."""
    kinds = comparison.kinds
    (line,) = lines_of(
        "methods.txt",
        comparison=comparison,
        settings=comparison.settings,
        kinds=kinds,
        by_ir_measures=[n for n, kind in zip(comparison.measure_names, kinds) if kind == "ir_measures"],
        number=len(comparison.pairs),
        tail=comparison.pairs["how"].str.startswith("t tail").any(),
        version=__version__,
    )
    return line


def _plans(comparison):
    """Queries on which a gate passes, by the loss that it tolerates; nothing once there is a verdict."""
    several = len(comparison.systems) > 1 and len(comparison.queries) > 1
    if comparison.baseline is None or comparison.gates or not several:
        return {}
    differences = comparison.against_baseline(comparison.measure_names[0]).values()
    deviations = [row.std(ddof=1) for row in differences]
    return {loss: gate_queries(deviations, -loss) for loss in _LOSSES}


def gate_sentence(verdict, baseline, queries, strict):
    """The verdict of a gate, with the reason, what it assumes, and what a harmless release would need."""
    unseen = 1 - LEVEL ** (1 / queries)
    facts = {"verdict": verdict, "baseline": baseline, "queries": queries, "strict": strict}
    return " ".join(lines_of("gate.txt", unseen=unseen, **facts))


def lines_of(name, **facts):
    """The lines of a template."""
    return [line for line in templates(False).get_template(name).render(**facts).split("\n") if line]


@cache
def templates(escape=True):
    """The templates of this package, with what they write numbers by; HTML is escaped."""
    environment = Environment(
        loader=PackageLoader("ranking_report", "templates"),
        autoescape=escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests |= {"finite": isfinite, "unknown": isnan}
    environment.filters |= {
        "escaped": lambda text, most=200: escaped(text, most),
        "short": lambda text: escaped(text, 24),
        "counted": counted,
        "count": lambda value: "" if value != value else count(value),
        "signed": signed,
        "log10": log10,
        "p": p_value,
    }
    return environment


def ahead_first(row):
    """A pair turned so that the difference is not negative."""
    if row["difference"] >= 0:
        return row
    return turned(row)


def turned(row):
    """The row of a pair with its second system first.

    >>> turned({"first": "a", "second": "b", "wins": 7, "losses": 2, "difference": 0.25, "ties": 1})["wins"]
    2
    """
    swapped = {"first": "second", "low": "high", "effect_low": "effect_high", "wins": "losses"}
    swapped |= {other: one for one, other in swapped.items()}
    other = {name: row[swapped.get(name, name)] for name in row}
    signs = ("difference", "low", "high", "effect", "effect_low", "effect_high")
    return other | {name: -other[name] for name in signs if name in other}


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
    if not number <= MOST:
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
