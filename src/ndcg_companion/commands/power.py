"""``companion power``: which discount and cut-off can tell two rankers apart, with how many items."""

import csv
import io
from contextlib import nullcontext
from dataclasses import dataclass
from math import inf

from ndcg_companion.commands.options import add_output, some
from ndcg_companion.measures import Linear, parse_discount
from ndcg_companion.text import cell
from ndcg_companion.theory import Pair, ahead_probability, items_needed
from ndcg_companion.theory.decay import decay_exponent
from ndcg_companion.writing import output_folder

_SIZES = "expected whole numbers >= 10 separated by commas, such as 100,1e4,1e6"


def add_parser(commands):
    add = commands.add_parser(
        "power", help="which discount and cut-off tell two rankers apart, with how many items"
    )
    for name, says in (
        ("--curve0", "relevance curve of the first ranker, such as poly:0.54:-0.08"),
        ("--curve1", "of the second, with as many relevant items"),
    ):
        add.add_argument(name, required=True, type=some("a curve"), metavar="CURVE", help=says)
    for name, default, says in (
        ("--coupling", "additive", "additive (the default), label-first, shared-top or correlated:RHO"),
        ("--discount", "log,power:0.25,power:0.5,power:0.75,zipf", "separated by commas"),
        ("--k", "all", "cut-offs: all, positions (10), fractions (0.2), separated by commas"),
        ("--n", "100,1e3,1e4,1e6", "numbers of items, separated by commas"),
    ):
        add.add_argument(name, default=default, help=says)
    add.add_argument("--share", type=float, help="the share of the list on which a shared top agrees")
    add.add_argument("--certainty", type=float, default=0.95, help="for the items needed (0.95)")
    add_output(add, "also write power.csv and power.svg there")
    add.set_defaults(command=call)
    return add


def call(options):
    sizes, cutoffs = read_sizes(options.n), read_cutoffs(options.k)
    discounts = read_discounts(options.discount)
    pair = Pair(options.curve0, options.curve1, options.coupling, options.share)
    with output_folder(options.output, "power") if options.output else nullcontext() as scratch:
        rows = calculate(pair, discounts, cutoffs, sizes, options.certainty)
        if scratch:
            from ndcg_companion.chapter.figures.how_many_items_are_enough import chance_map

            (scratch / "power.csv").write_text(as_csv(rows, sizes), encoding="utf-8")
            chances = [row.chances for row in rows]
            chance_map([row.measure for row in rows], sizes, chances).savefig(scratch / "power.svg")
    print(as_text(rows, sizes, options.certainty))
    if options.output:
        print(f"written to {options.output}: power.csv, power.svg")
    return 0


@dataclass(frozen=True)
class Row:
    """One measure: its name, the chance that the first ranker is ahead at each size, the items needed.

    Both are `rough` where the first few ranks decide, because the difference is not normal then.
    """

    measure: str
    chances: tuple
    needed: float
    rough: bool


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
        whole = number is not None and 1 <= number < inf and number == int(number)
        if not (whole or number is None or 0 < number <= 1 and "." in part):
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
    """A row for each discount and cut-off.

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
            chances = tuple(ahead_probability(pair, discount, n, k) for n in sizes)
            measure = name if k is None else f"{name} @{k}" + ("n" if isinstance(k, float) else "")
            few_decide = (
                isinstance(k, int) or not isinstance(discount, Linear) and decay_exponent(discount) > 0.5
            )
            rows.append(Row(measure, chances, needed, few_decide))
    return rows


def as_text(rows, sizes, certainty):
    """The rows as aligned text for a terminal."""
    cells = [("P(first ranker ahead)", *(f"n={n:,}" for n in sizes), f"items for {certainty:.0%}")]
    for row in rows:
        needed = "beyond 1e15" if row.needed == float("inf") else f"{row.needed:,.0f}"
        about = "~" if row.rough else ""
        cells.append((row.measure, *(f"{about}{chance:.1%}" for chance in row.chances), about + needed))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [[line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])] for line in cells]
    note = (
        ["~ rough: the first few ranks decide, and the difference is not normal"]
        if any(row.rough for row in rows)
        else []
    )
    return "\n".join(["  ".join(line) for line in lines] + note)


def as_csv(rows, sizes):
    """The rows in full precision, as comma-separated values with a heading."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["measure", *(f"ahead_at_{n}" for n in sizes), "items_needed", "rough"])
    writer.writerows([cell(row.measure), *row.chances, row.needed, row.rough] for row in rows)
    return text.getvalue()
