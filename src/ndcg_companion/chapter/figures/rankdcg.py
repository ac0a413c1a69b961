"""Figures of the chapter on RankDCG."""

from collections import Counter
from itertools import pairwise

import numpy as np
from matplotlib.patches import Rectangle

from ndcg_companion.chapter.axes import bare, listed, sheet
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

_TINT = "#d6e4fa"  # of what comes out right: pale enough for black type


@drawing
def scales(ranges):
    """The range of each measure from the worst order to the best, for several references, and chance.

    Parameters
    ----------
    ranges : mapping of str to mapping of str to (float, float)
        By measure, then by reference: what the worst order and a random one are worth. The best has 1.
    """
    references = list(next(iter(ranges.values())))
    figure, panels = sheet(1, len(ranges), sharey=True, figsize=(5.6, 1.1 + 0.4 * len(references)))
    for axes, (measure, of_measure) in zip(panels, ranges.items(), strict=True):
        for depth, (worst, chance) in enumerate(of_measure.values()):
            axes.plot([worst, 1], [depth] * 2, color=PALETTE[0], linewidth=8, solid_capstyle="butt")
            axes.plot(chance, depth, "D", color=PALETTE[6], markeredgecolor="white", markersize=8)
        axes.set_title(measure)
        axes.set(xlim=(-0.02, 1.02), xticks=(0, 0.5, 1), ylim=(len(references) - 0.5, -0.6))
        axes.set_xticklabels(("0", "0.5", "1"))
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
    panels[0].set_yticks(range(len(references)), references)
    figure.supxlabel("bar: worst to best order; diamond: chance", fontsize=11)
    worst, chance = (
        {m: listed({name: pair[place] for name, pair in rows.items()}, ".2f") for m, rows in ranges.items()}
        for place in (0, 1)
    )
    return figure, " ".join(
        f"{measure}: bars that end at 1 and begin at {worst[measure]}; chance at {chance[measure]}."
        for measure in ranges
    )


@drawing
def switchboard(tables, printed, measures):
    """Which cells of a printed table come out under several conventions: a strip of squares for each.

    Parameters
    ----------
    tables : mapping of str to sequence of rows
        The table that a convention gives, as text, under the name that labels its strip.
    printed : sequence of rows
        The printed table: one row for each list, one column for each measure.
    measures : sequence of str
        Names of the columns.
    """
    printed = np.array(printed)
    rows, columns = printed.shape
    agree = {name: np.array(table) == printed for name, table in tables.items()}
    figure, axes = sheet(figsize=(5.6, 0.75 + 0.29 * len(tables)))
    width = rows + 1.2
    for depth, right in enumerate(agree.values()):
        for column, row in np.ndindex(columns, rows):
            good = right[row, column]
            place = (column * width + row, depth - 0.36)
            face, edge = (_TINT, PALETTE[0]) if good else (PALETTE[1], PALETTE[1])
            axes.add_patch(Rectangle(place, 0.86, 0.72, linewidth=0.6, facecolor=face, edgecolor=edge))
        axes.text(columns * width - 0.6, depth, f"{right.sum()}", va="center")
    for column, name in enumerate(measures):
        axes.text(column * width + rows / 2, -0.7, name, ha="center", va="bottom")
    axes.text(columns * width - 0.6, -0.7, f"of {printed.size}", va="bottom", ha="left")
    axes.set(xlim=(-0.3, columns * width + 1.9), ylim=(len(tables) - 0.4, -1.7), xticks=[])
    axes.set_yticks(range(len(tables)), list(tables))
    bare(axes)
    counts = "; ".join(f"{name} {right.sum()} of {printed.size}" for name, right in agree.items())
    return figure, f"Cells that come out as printed: {counts}."


def placements(listing, reference):
    """How many items of each value stand in each block of the sorted reference: K by K, the highest first.

    >>> placements([1, 2, 2], [2, 2, 1])
    array([[1, 1],
           [1, 0]])
    """
    values = sorted(set(reference), reverse=True)
    stands = Counter(zip(listing, sorted(reference, reverse=True), strict=True))
    return np.array([[stands[value, block] for block in values] for value in values])


@drawing
def two_readings(counts, values, results):
    """Tables of counts, value against block, side by side: one for each way to read a list.

    Parameters
    ----------
    counts : mapping of str to array_like of shape (K, K)
        Rows are reference values, columns blocks of places, the highest first; the names are the titles.
    values : sequence of length K
        The reference values.
    results : sequence of str
        What each reading comes to, written below its table.
    """
    K = len(values)
    figure, panels = sheet(1, len(counts), figsize=(5.6, 3.3))
    for axes, (name, table), result in zip(panels, counts.items(), results, strict=True):
        for row, column in np.ndindex(K, K):
            count = table[row, column]
            colour = "white" if not count else _TINT if row == column else PALETTE[1]
            axes.add_patch(
                Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor=GREY, linewidth=0.5)
            )
            ink = GREY if not count else "black" if row == column else "white"
            axes.text(column, row, f"{count}", ha="center", va="center", color=ink)
        axes.set_title(name, pad=7)
        axes.set(xlim=(-0.5, K - 0.5), ylim=(K - 0.5, -0.5), aspect="equal", xlabel=f"block\n{result}")
        axes.set_xticks(range(K), range(1, K + 1))
        axes.set_yticks(range(K), values)
        bare(axes)
    panels[0].set_ylabel("value")
    (one, two), blocks = counts, [1 + table[0].argmax() for table in counts.values()]
    turned = " One is the transpose of the other." if np.array_equal(counts[one], counts[two].T) else ""
    return figure, (
        f"Two tables of {K} by {K} counts. Read {one}, the item of value {values[0]} stands in block "
        f"{blocks[0]}; read {two}, in block {blocks[1]}.{turned}"
    )


@drawing
def report_card(passes, groups):
    """Which measures have which properties: a grid of ticks and crosses, the properties in groups.

    Parameters
    ----------
    passes : mapping of str to mapping of str to bool
        By property, then by measure; all with the same measures.
    groups : mapping of str to int
        Headings with the number of properties that follow each.
    """
    measures = list(next(iter(passes.values())))
    starts = np.cumsum([0, *groups.values()])
    figure, axes = sheet(figsize=(5.6, 0.5 + 0.3 * (len(passes) + 1.3 * len(groups))))
    depth, ticks = 0.0, {}
    for heading, start, stop in zip(groups, starts[:-1], starts[1:], strict=True):
        axes.text(-0.6, depth, heading, va="center", ha="left", weight="bold")
        depth += 1
        for name in list(passes)[start:stop]:
            ticks[depth] = name
            for column, measure in enumerate(measures):
                good = passes[name][measure]
                place = (column - 0.47, depth - 0.46)
                axes.add_patch(
                    Rectangle(place, 0.94, 0.92, facecolor=_TINT if good else PALETTE[1], linewidth=0)
                )
                mark, ink = ("✓", "black") if good else ("✗", "white")
                axes.text(column, depth, mark, ha="center", va="center", color=ink, family="DejaVu Sans")
            depth += 1
        depth += 0.3
    axes.set(xlim=(-0.6, len(measures) - 0.4), ylim=(depth - 0.6, -0.6))
    axes.set_yticks(list(ticks), list(ticks.values()))
    axes.set_xticks(range(len(measures)), measures)
    axes.xaxis.tick_top()
    bare(axes)
    ticked = {measure: [name for name in passes if passes[name][measure]] for measure in measures}
    return figure, f"A grid of ticks and crosses. Ticks: {_listed(ticked)}."


@drawing
def two_measures(ndcg, rankdcg, marked):
    """The range of NDCG over all orders to which RankDCG gives the same value, and some orders as dots.

    Parameters
    ----------
    ndcg, rankdcg : array of shape (m,)
        Both measures of every order.
    marked : mapping of str to (float, float)
        RankDCG and NDCG of orders that are shown by name.
    """
    rankdcg = np.round(rankdcg, 9)
    levels = np.unique(rankdcg)
    low, high = ([float(pick(ndcg[rankdcg == level])) for level in levels] for pick in (np.min, np.max))
    figure, axes = sheet(figsize=(5.6, 3.6))
    axes.vlines(levels, low, high, color=PALETTE[0], linewidth=1.4, alpha=0.55)
    for name, (x, y) in marked.items():
        axes.plot(x, y, "o", color=PALETTE[1], markersize=6)
        # beside the dot; below it at the right edge; apart from another dot at the same place of the axis
        apart = np.sign([y - other for at, other in marked.values() if abs(at - x) < 1e-9]).sum()
        offset, side = (
            ((0, -12), "center") if x > 0.99 else ((-8, 0), "right") if x > 0.9 else ((8, 5 * apart), "left")
        )
        axes.annotate(
            name,
            (x, y),
            offset,
            textcoords="offset points",
            va="center",
            ha=side,
            color=PALETTE[1],
            fontweight="bold",
        )
    axes.set(xlabel="RankDCG of an order", ylabel="NDCG of the same order", xlim=(-0.03, 1.03))
    middle = np.abs(levels - 0.5).argmin()
    reach = f"from {low[middle]:.2f} to {high[middle]:.2f}"
    return figure, (
        f"Vertical strokes at {len(levels)} values of RankDCG from 0 to 1; together they rise from "
        f"{min(low):.2f} to 1. Near the middle the stroke reaches {reach}."
    )


@drawing
def bills(costs, reference):
    """What each measure charges for each exchange of two neighbours: a row of dots for each measure.

    Parameters
    ----------
    costs : mapping of str to array of shape (n - 1,)
        What is lost when the items at ranks r and r + 1 are exchanged, under the name of the measure.
    reference : sequence of length n
        The values in their best order.
    """
    figure, axes = sheet(figsize=(5.6, 0.9 + 0.55 * len(costs)))
    for depth, cost in enumerate(costs.values()):
        share = cost / cost.max() if cost.max() > 0 else cost
        ranks = np.arange(1, cost.size + 1) + 0.5
        charged = share > 0
        axes.scatter(ranks[~charged], np.full((~charged).sum(), depth), s=9, color=GREY)
        axes.scatter(
            ranks[charged], np.full(charged.sum(), depth), s=25 + 330 * share[charged], color=PALETTE[0]
        )
    for rank, value in enumerate(reference, 1):
        axes.text(rank, len(costs) - 0.3, f"{value}", ha="center", va="center", weight="bold")
    axes.set_yticks(range(len(costs)), list(costs))
    axes.set(
        xlim=(0.4, len(reference) + 0.6), ylim=(len(costs) + 0.1, -0.6), xlabel="rank, and the value there"
    )
    axes.set_xticks(range(1, len(reference) + 1))
    bare(axes, "y")
    exchanges = [f"{high}|{low}" for high, low in pairwise(reference)]
    paying = {name: [exchanges[place] for place in np.flatnonzero(cost)] for name, cost in costs.items()}
    return figure, f"Which exchanges cost something: {_listed(paying)}."


def _listed(found):
    """What was found of each measure, as one sentence lists it."""
    return "; ".join(f"{measure}: {', '.join(names) or 'none'}" for measure, names in found.items())
