"""Figures of the chapter on RankDCG."""

from collections import Counter
from itertools import islice, pairwise

import numpy as np

from claimbook.style import GREY, OTHERS, drawing, mixed
from ndcg_book.axes import draw_cell, listed, note, sheet

_TINT = mixed(OTHERS[0], 0.18)  # of what comes out right: pale enough for black type


@drawing
def scales(ranges):
    """The range of each measure from the worst order to the best, for several references, and chance.

    Parameters
    ----------
    ranges : mapping of str to mapping of str to (float, float)
        By measure, then by reference: what the worst order and a random one are worth. The best has 1.
    """
    references = list(next(iter(ranges.values())))
    figure, panels = sheet(
        1,
        len(ranges),
        sharey=True,
        figsize=(5.6, 1.1 + 0.4 * len(references)),
        titles=ranges,
        xlim=(-0.02, 1.02),
        xticks=(0, 0.5, 1),
        xticklabels=("0", "0.5", "1"),
        ylim=(len(references) - 0.5, -0.6),
        yticks=range(len(references)),
        yticklabels=references,
    )
    sentences = []
    for axes, (measure, of) in zip(panels, ranges.items(), strict=True):
        lowest, chance = np.transpose([of[name] for name in references])
        places = np.arange(len(references))
        axes.hlines(places, lowest, 1, color=OTHERS[0], linewidth=8, capstyle="butt")
        axes.plot(chance, places, "D", color="black", markeredgecolor="white", markersize=8)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        begin, by_chance = (listed(dict(zip(references, values)), ".2f") for values in (lowest, chance))
        sentences.append(f"{measure}: bars that end at 1 and begin at {begin}; chance at {by_chance}.")
    figure.supxlabel("score (bar: worst to best order; diamond: mean of a random order)", fontsize=11)
    return figure, " ".join(sentences)


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
    width, end = rows + 1.2, columns * (rows + 1.2) - 0.6
    figure, axes = sheet(
        figsize=(5.6, 0.75 + 0.29 * len(tables)),
        bare="both",
        xlim=(-0.3, columns * width + 1.9),
        xticks=[],
        ylim=(len(tables) - 0.4, -1.7),
        yticks=range(len(tables)),
        yticklabels=tables,
    )
    for depth, right in enumerate(agree.values()):
        for row, column in np.ndindex(rows, columns):
            face, edge = (_TINT, OTHERS[0]) if right[row, column] else (OTHERS[1], OTHERS[1])
            lower_left, size = (column * width + row + 0.43, depth), (0.86, 0.72)
            draw_cell(axes, lower_left, face, size=size, linewidth=0.6, edgecolor=edge)
        axes.text(end, depth, f"{right.sum()}", va="center")
    for column, name in enumerate(measures):
        axes.text(column * width + rows / 2, -0.7, name, ha="center", va="bottom")
    axes.text(end, -0.7, f"of {printed.size}", va="bottom")
    return figure, (
        "Cells that come out as printed: "
        + "; ".join(f"{name} {right.sum()} of {printed.size}" for name, right in agree.items())
        + "."
    )


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
    figure, panels = sheet(
        1,
        len(counts),
        figsize=(5.6, 3.3),
        titles=counts,
        bare="both",
        aspect="equal",
        xlim=(-0.5, K - 0.5),
        xticks=range(K),
        xticklabels=range(1, K + 1),
        ylim=(K - 0.5, -0.5),
        yticks=range(K),
        yticklabels=values,
        each=[{"xlabel": f"block\n{result}"} for result in results],
    )
    for axes, table in zip(panels, counts.values(), strict=True):
        for (row, column), count in np.ndenumerate(table):
            right = (_TINT, "black") if row == column else (OTHERS[1], "white")
            face, ink = right if count else ("white", GREY)
            draw_cell(axes, (column, row), face, f"{count}", ink, edgecolor=GREY, linewidth=0.5)
    panels[0].set_ylabel("value")
    (first, second), blocks = counts, [1 + table[0].argmax() for table in counts.values()]
    turned = " One is the transpose of the other." if np.array_equal(counts[first], counts[second].T) else ""
    return figure, (
        f"Two tables of {K} by {K} counts. Read {first}, the item of value {values[0]} stands in block "
        f"{blocks[0]}; read {second}, in block {blocks[1]}.{turned}"
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
    figure, axes = sheet(figsize=(5.6, 0.5 + 0.3 * (len(passes) + 1.3 * len(groups))), bare="both")
    properties, depth, rows = iter(passes), 0.0, {}
    for heading, count in groups.items():
        axes.text(-0.6, depth, heading, va="center", ha="left", weight="bold")
        for name in islice(properties, count):
            depth += 1
            rows[name] = depth
            for column, measure in enumerate(measures):
                look = (_TINT, "✓", "black") if passes[name][measure] else (OTHERS[1], "✗", "white")
                draw_cell(axes, (column, depth), *look, size=(0.94, 0.92), linewidth=0)
        depth += 1.3
    axes.set(xlim=(-0.6, len(measures) - 0.4), xticks=range(len(measures)), xticklabels=measures)
    axes.set(ylim=(depth - 0.6, -0.6), yticks=list(rows.values()), yticklabels=rows)
    axes.xaxis.tick_top()
    ticked = {measure: [name for name in passes if passes[name][measure]] for measure in measures}
    return figure, f"A grid of ticks and crosses. Ticks: {_in_words(ticked)}."


@drawing
def two_measures(rankdcg, ndcg, marked):
    """The range of NDCG over all orders to which RankDCG gives the same value, and some orders as dots.

    Parameters
    ----------
    ndcg, rankdcg : array of shape (m,)
        Both measures of every order.
    marked : mapping of str to (float, float)
        RankDCG and NDCG of orders that are shown by name.
    """
    rankdcg = np.round(rankdcg, 9)
    values = np.unique(rankdcg)
    low, high = ([float(pick(ndcg[rankdcg == value])) for value in values] for pick in (np.min, np.max))
    figure, axes = sheet(xlim=(-0.03, 1.03), xlabel="RankDCG of an order", ylabel="NDCG of the same order")
    axes.vlines(values, low, high, color=OTHERS[0], linewidth=1.4, alpha=0.55)
    for name, (x, y) in marked.items():
        axes.plot(x, y, "o", color=OTHERS[1], markersize=6)
        # beside the dot; below it at the right edge; apart from other dots at the same RankDCG
        same_x = [height for position, height in marked.values() if abs(position - x) < 1e-9]
        upwards = np.sign(np.subtract(y, same_x)).sum()
        beside, right, below = ((8, 5 * upwards), "left"), ((-8, 0), "right"), ((0, -12), "center")
        offset, side = beside if x <= 0.9 else right if x <= 0.99 else below
        note(axes, name, (x, y), offset, OTHERS[1], va="center", ha=side, fontweight="bold")
    middle = np.abs(values - 0.5).argmin()
    return figure, (
        f"Vertical strokes at {len(values)} values of RankDCG from 0 to 1; together they rise from "
        f"{min(low):.2f} to 1. Near the middle the stroke reaches from {low[middle]:.2f} to "
        f"{high[middle]:.2f}."
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
    n = len(reference)
    figure, axes = sheet(
        figsize=(5.6, 0.9 + 0.55 * len(costs)),
        bare="y",
        xticks=range(1, n + 1),
        xlim=(0.4, n + 0.6),
        xlabel="rank, and the value there",
        ylim=(len(costs) + 0.1, -0.6),
        yticks=range(len(costs)),
        yticklabels=costs,
    )
    between = np.arange(1, n) + 0.5
    for depth, cost in enumerate(costs.values()):
        sizes = np.where(cost > 0, 25 + 330 * cost / (cost.max() or 1.0), 9)
        axes.scatter(between, np.full(n - 1, depth), s=sizes, c=np.where(cost > 0, OTHERS[0], GREY))
    for rank, value in enumerate(reference, 1):
        axes.text(rank, len(costs) - 0.3, f"{value}", ha="center", va="center", weight="bold")
    exchanges = [f"{high}|{low}" for high, low in pairwise(reference)]
    paying = {name: [exchanges[index] for index in np.flatnonzero(cost)] for name, cost in costs.items()}
    return figure, f"Which exchanges cost something: {_in_words(paying)}."


def _in_words(violations):
    """What was found of each measure, as one sentence lists it."""
    return "; ".join(f"{measure}: {', '.join(names) or 'none'}" for measure, names in violations.items())
