"""``companion power``: what tells two rankers apart, with how many items, or on how many queries."""

from contextlib import nullcontext
from dataclasses import dataclass
from math import inf

import numpy as np
from scipy.stats import norm

from ndcg_companion.commands.options import FOLDER, whole
from ndcg_companion.evaluation.planning import FEWEST_SURE, effects, paired_queries, smallest_effect
from ndcg_companion.measures import Linear, parse_discount
from ndcg_companion.measures.checks import real
from ndcg_companion.text import aligned, table
from ndcg_companion.theory import Pair, ahead_probability, items_needed, signal_and_noise
from ndcg_companion.theory.limits import decay_exponent
from ndcg_companion.writing import output_folder

_SIZES = "expected whole numbers >= 10 separated by commas, such as 100,1e4,1e6"
_DISCOUNTS = "log,power:0.25,power:0.5,power:0.75,zipf"
_CURVE = {"metavar": "CURVE"}
# A plan without curves is for tops whose labels are as noisy as they can be, and for these differences.
_NOISIEST = Pair("constant:0.5", "constant:0.5")
_DIFFERENCES = (0.01, 0.02, 0.05, 0.1, 0.2)


OPTIONS = {
    "--curve0": _CURVE | {"help": "relevance curve of the first ranker, such as poly:0.54:-0.08"},
    "--curve1": _CURVE | {"help": "of the second, with as many relevant items"},
    "--coupling": {
        "default": "additive",
        "help": "additive (the default), label-first, shared-top or correlated:RHO",
    },
    "--discount": {"help": f"separated by commas ({_DISCOUNTS}; with --queries log)"},
    "--k": {
        "default": "all",
        "help": "cut-offs: all, positions (10), fractions (0.2), separated by commas",
    },
    "--n": {"default": "100,1e3,1e4,1e6", "help": "numbers of items, separated by commas"},
    "--share": {"type": float, "help": "the share of the list on which a shared top agrees"},
    "--certainty": {"type": float, "default": 0.95, "help": "of the answer that is needed (0.95)"},
    "--queries": {
        "nargs": "?",
        "const": True,
        "type": whole(FEWEST_SURE),
        "metavar": "Q",
        "help": "answer in queries, at the fixed cut-offs of --k: so many let a paired test find the "
        "difference with power 80%%; with a number also the difference that so many show. Without curves the "
        "labels are taken to be as noisy as they can be",
    },
    "--output": FOLDER | {"help": "also write power.csv and power.svg there"},
}


def call(options):
    by_query = options.queries is not None
    sizes, cutoffs = read_sizes(options.n), read_cutoffs(options.k)
    usual = "log" if by_query else _DISCOUNTS
    discounts = read_discounts(usual if options.discount is None else options.discount)
    pair = read_pair(options)
    with output_folder(options.output, "power") if options.output else nullcontext() as scratch:
        answer = in_queries if by_query else in_items
        rows, text, draw = answer(pair, discounts, cutoffs, sizes, options)
        if scratch:
            (scratch / "power.csv").write_text(as_csv(rows), encoding="utf-8")
            draw().savefig(scratch / "power.svg")
    print(text)
    if options.output:
        print(f"written to {options.output}: power.csv, power.svg")
    return 0


@dataclass(frozen=True)
class Row:
    """One measure: its name, and by column what a terminal shows of it and what a file holds.

    What is not sure is marked ``~``: chances where the first few ranks decide, because the difference is not
    normal then; queries for lists that may have fewer relevant items than positions.
    """

    measure: str
    texts: dict
    numbers: dict


def in_items(pair, discounts, cutoffs, sizes, options):
    """The answer in items: rows for a file, text for a terminal, and a function that draws it."""
    rows = calculate(pair, discounts, cutoffs, sizes, options.certainty)

    def draw():
        from ndcg_companion.chapter.figures.how_many_items_are_enough import chance_map

        chances = [list(row.numbers.values())[: len(sizes)] for row in rows]
        return chance_map([row.measure for row in rows], sizes, chances)

    note = "~ rough: the first few ranks decide, and the difference is not normal"
    return rows, as_text("P(first ranker ahead)", rows, note), draw


def in_queries(pair, discounts, cutoffs, sizes, options):
    """The answer in queries, in the same three forms."""
    real("certainty", options.certainty, lambda share: 0.5 < share < 1.0, "a number in (1/2, 1)")
    critical = norm.ppf((1.0 + options.certainty) / 2.0)
    seen_on = () if options.queries is True else (options.queries,)
    rows = plan(pair, discounts, cutoffs, sizes, critical, seen_on)

    def draw():
        from ndcg_companion.chapter.figures.how_many_queries_are_enough import differences_seen

        queries = np.geomspace(max(10, critical**2), 10_000, 61)
        effects = smallest_effect(queries, critical)
        return differences_seen(queries, {row.measure: row.numbers["noise"] * effects for row in rows})

    note = "~ rough: some lists may have fewer relevant items than positions"
    sure = (
        f"for a paired test with {options.certainty:.0%} certainty to find the difference in 80 of 100 cases"
    )
    return rows, as_text("queries needed", rows, note, sure), draw


def read_pair(options):
    """The two rankers, or None for a plan in queries that goes without."""
    curves = options.curve0, options.curve1
    if all(curves):
        return Pair(*curves, options.coupling, options.share)
    if any(curves) or options.queries is None:
        raise ValueError("--curve0, --curve1: expected both; only a plan in --queries goes without them")
    for idle in ("coupling", "n", "share"):
        if idle in options.given:
            raise ValueError(f"--{idle}: expected --curve0 and --curve1 with it")
    return None


def read_sizes(text):
    """Numbers of items from text.

    >>> read_sizes("100,1e4")
    (100, 10000)
    """
    try:
        sizes = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"n={text!r}: {_SIZES}") from None
    if not all(10 <= size < 1e300 and size == int(size) for size in sizes):
        raise ValueError(f"n={text!r}: {_SIZES}")
    return tuple(map(int, sizes))


def read_cutoffs(text):
    """Cut-offs from text: ``all``, numbers of positions and fractions of the list.

    >>> read_cutoffs("all,10,0.2")
    (None, 10, 0.2)
    """
    cutoffs = []
    for part in text.split(","):
        try:
            number = None if part == "all" else float(part)
        except ValueError:
            number = -1.0
        positions = number is not None and 1 <= number < inf and number == int(number)
        if not (positions or number is None or 0 < number <= 1 and "." in part):
            raise ValueError(f"k={part!r}: expected all, a number of positions or a fraction such as 0.2")
        cutoffs.append(int(number) if number is not None and "." not in part else number)
    return tuple(cutoffs)


def read_discounts(text):
    """Discounts from text, by their names.

    >>> read_discounts("log,power:0.5")
    {'log': Log(), 'power:0.5': Power(beta=0.5)}
    """
    return {part: parse_discount(part) for part in text.split(",")}


def calculate(pair, discounts, cutoffs, sizes, certainty):
    """A `Row` for each discount and cut-off.

    Parameters
    ----------
    pair : Pair
    discounts : mapping of str to discount
    cutoffs : sequence of None, int or float
    sizes : sequence of int
    certainty : float in (1/2, 1)
    """
    rows = []
    for name, discount in discounts.items():
        for k in cutoffs:
            needed = items_needed(pair, discount, certainty, k)
            chances = {n: ahead_probability(pair, discount, n, k) for n in sizes}
            measure = name if k is None else f"{name} @{k}" + ("n" if isinstance(k, float) else "")
            steep = not isinstance(discount, Linear) and decay_exponent(discount) > 0.5
            rough = isinstance(k, int) or steep
            texts = {f"n={n:,}": f"{chance:.1%}" for n, chance in chances.items()}
            texts[f"items for {certainty:.0%}"] = "beyond 1e15" if needed == inf else f"{needed:,.0f}"
            numbers = {f"ahead_at_{n}": chance for n, chance in chances.items()}
            numbers |= {"items_needed": needed, "rough": rough}
            rows.append(Row(measure, {key: "~" * rough + text for key, text in texts.items()}, numbers))
    return rows


def plan(pair, discounts, cutoffs, sizes, critical, seen_on):
    """A `Row` for each discount and cut-off: the noise from query to query, the queries needed by case.

    Parameters
    ----------
    pair : Pair or None
    discounts : mapping of str to discount
    cutoffs : sequence of int
    sizes : sequence of int
        Numbers of items, which are the cases of a pair; without one these are differences.
    critical : float
        What the statistic of the paired test must exceed.
    seen_on : sequence of int
        The queries at hand, if any: the difference that so many show stands in the row too.
    """
    rows = []
    for name, discount in discounts.items():
        for k in cutoffs:
            if not isinstance(k, int):
                found = "all" if k is None else k
                raise ValueError(f"k={found!r}: expected with --queries a number of positions, such as 10")
            _, noise = signal_and_noise(pair or _NOISIEST, discount, k)
            cases = {f"difference {size}": (size, noise) for size in _DIFFERENCES}
            if pair:
                cases = {f"n={n:,}": signal_and_noise(pair, discount, k, n) for n in sizes}
                cases["long lists"] = signal_and_noise(pair, discount, k)
            signals, noises = np.transpose(list(cases.values()))
            needed = dict(zip(cases, paired_queries(effects(signals, noises), critical).tolist()))
            rough = [f"n={n:,}" for n in sizes if pair and n * pair.p < 2 * k]
            texts = {
                case: "beyond 1e9" if count == inf else f"{'~' * (case in rough)}{count:,.0f}"
                for case, count in needed.items()
            }
            seen = {f"{count:,} show": noise * smallest_effect(count, critical) for count in seen_on}
            texts |= {show: "none" if least >= 1 else f"{least:.3f}" for show, least in seen.items()}
            rows.append(Row(f"{name} @{k}", texts, {"noise": noise, **needed, **seen}))
    return rows


def as_text(what, rows, rough, *notes):
    """Rows as aligned text for a terminal, with notes, and one on what is rough if anything is."""
    cells = [(what, *rows[0].texts), *((row.measure, *row.texts.values()) for row in rows)]
    text = "\n".join([*aligned(cells), *notes])
    return f"{text}\n{rough}" if "~" in text else text


def as_csv(rows):
    """Rows in full precision, as comma-separated values with a heading."""
    return table(["measure", *rows[0].numbers], [[row.measure, *row.numbers.values()] for row in rows])
