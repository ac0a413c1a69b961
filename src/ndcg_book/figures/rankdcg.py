"""Figures of the chapter on RankDCG."""

from collections import Counter
from itertools import islice, pairwise

import numpy as np

from claimbook.style import GREY, OTHERS, drawing, mixed
from ndcg_book.axes import as_text, draw_cell, sheet, write_near

_TINT = mixed(OTHERS[0], 0.18)  # the colour of correct cells is pale enough for black type


@drawing
def scales(ranges):
    """Draw each measure's range, and its mean for a random order, for several references.

    Parameters
    ----------
    ranges : mapping of str to mapping of str to (float, float)
        For each measure and reference, the score of the worst order and the mean score of a random order. The
        best order scores 1.
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
    for axes, (measure, scores) in zip(panels, ranges.items(), strict=True):
        worst_scores, random_scores = np.transpose([scores[name] for name in references])
        rows = np.arange(len(references))
        axes.hlines(rows, worst_scores, 1, color=OTHERS[0], linewidth=8, capstyle="butt")
        axes.plot(random_scores, rows, "D", color="black", markeredgecolor="white", markersize=8)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        worst_text = as_text(dict(zip(references, worst_scores)), ".2f")
        random_text = as_text(dict(zip(references, random_scores)), ".2f")
        sentences.append(f"{measure}: bars from {worst_text} to 1; random orders at {random_text}.")
    figure.supxlabel("score (bar: worst to best order; diamond: mean of a random order)", fontsize=11)
    return figure, " ".join(sentences)


@drawing
def switchboard(tables, printed, measures):
    """Draw the cells of a printed table that several conventions reproduce.

    Parameters
    ----------
    tables : mapping of str to sequence of rows
        The table under each convention, as text, by the label of its strip.
    printed : sequence of rows
        The printed table, with one row for each list and one column for each measure.
    measures : sequence of str
        Names of the columns.
    """
    printed = np.array(printed)
    rows, columns = printed.shape
    matches_of = {name: np.array(table) == printed for name, table in tables.items()}
    column_width = rows + 1.2  # a strip of cells, one for each row of the table, and a gap
    count_x = columns * column_width - 0.6
    figure, axes = sheet(
        figsize=(5.6, 0.75 + 0.29 * len(tables)),
        frameless="both",
        xlim=(-0.3, columns * column_width + 1.9),
        xticks=[],
        ylim=(len(tables) - 0.4, -1.7),
        yticks=range(len(tables)),
        yticklabels=tables,
    )
    # Each convention has a line, on which the columns of its table are strips from left to right.
    for height, matches in enumerate(matches_of.values()):
        for row, column in np.ndindex(rows, columns):
            face_colour, edge_colour = (_TINT, OTHERS[0]) if matches[row, column] else (OTHERS[1], OTHERS[1])
            centre, size = (column * column_width + row + 0.43, height), (0.86, 0.72)
            draw_cell(axes, centre, face_colour, size=size, linewidth=0.6, edgecolor=edge_colour)
        axes.text(count_x, height, f"{matches.sum()}", va="center")
    for column, name in enumerate(measures):
        axes.text(column * column_width + rows / 2, -0.7, name, ha="center", va="bottom")
    axes.text(count_x, -0.7, f"of {printed.size}", va="bottom")
    return figure, (
        "The numbers of cells with the printed value are as follows: "
        + "; ".join(f"{name} {matches.sum()} of {printed.size}" for name, matches in matches_of.items())
        + "."
    )


def placements(listing, reference):
    """Return the number of items of each value in each block of the sorted reference.

    The matrix is K by K, with the highest value and the first block first.

    >>> placements([1, 2, 2], [2, 2, 1])
    array([[1, 1],
           [1, 0]])
    """
    values = sorted(set(reference), reverse=True)
    # A block of the sorted reference is named by the value that fills it.
    count_of = Counter(zip(listing, sorted(reference, reverse=True), strict=True))
    return np.array([[count_of[value, block] for block in values] for value in values])


@drawing
def two_readings(counts, values, results):
    """Draw counts by value and block, for each interpretation of a list.

    Parameters
    ----------
    counts : mapping of str to array_like of shape (K, K)
        Counts, with a row for each reference value and a column for each block of positions, both from the
        highest down. The names are the titles of the tables.
    values : sequence of length K
        The reference values.
    results : sequence of str
        Result of each interpretation, written below its table.
    """
    size = len(values)
    figure, panels = sheet(
        1,
        len(counts),
        figsize=(5.6, 3.3),
        titles=counts,
        frameless="both",
        aspect="equal",
        xlim=(-0.5, size - 0.5),
        xticks=range(size),
        xticklabels=range(1, size + 1),
        ylim=(size - 0.5, -0.5),
        yticks=range(size),
        yticklabels=values,
        panel_options=[{"xlabel": f"block\n{result}"} for result in results],
    )
    for axes, table in zip(panels, counts.values(), strict=True):
        for (row, column), count in np.ndenumerate(table):
            # On the diagonal, values are in their own block.
            colours_of_items = (_TINT, "black") if row == column else (OTHERS[1], "white")
            face_colour, text_colour = colours_of_items if count else ("white", GREY)
            draw_cell(
                axes, (column, row), face_colour, f"{count}", text_colour, edgecolor=GREY, linewidth=0.5
            )
    panels[0].set_ylabel("value")
    (first_title, first_counts), (second_title, second_counts) = counts.items()
    # The first row is that of the highest value, which only one item has.
    first_block, second_block = 1 + first_counts[0].argmax(), 1 + second_counts[0].argmax()
    is_transpose = np.array_equal(first_counts, second_counts.T)
    relation = " One is the transpose of the other." if is_transpose else ""
    return figure, (
        f"Two tables have {size} by {size} counts. Read {first_title}, the item of value {values[0]} is in "
        f"block {first_block}; read {second_title}, it is in block {second_block}.{relation}"
    )


@drawing
def report_card(passes, groups):
    """Draw a grid of ticks and crosses for the properties of measures, in groups.

    Parameters
    ----------
    passes : mapping of str to mapping of str to bool
        Whether each measure has each property. The measures are the same for all properties.
    groups : mapping of str to int
        Headings, with the number of properties below each heading.
    """
    measures = list(next(iter(passes.values())))
    figure, axes = sheet(figsize=(5.6, 0.5 + 0.3 * (len(passes) + 1.3 * len(groups))), frameless="both")
    # Headings and properties go downwards, and each group takes its number of properties from those left.
    remaining_properties, height, height_of = iter(passes), 0.0, {}
    for heading, count in groups.items():
        axes.text(-0.6, height, heading, va="center", ha="left", weight="bold")
        for name in islice(remaining_properties, count):
            height += 1
            height_of[name] = height
            for column, measure in enumerate(measures):
                cell_style = (_TINT, "✓", "black") if passes[name][measure] else (OTHERS[1], "✗", "white")
                draw_cell(axes, (column, height), *cell_style, size=(0.94, 0.92), linewidth=0)
        height += 1.3
    axes.set(xlim=(-0.6, len(measures) - 0.4), xticks=range(len(measures)), xticklabels=measures)
    axes.set(ylim=(height - 0.6, -0.6), yticks=list(height_of.values()), yticklabels=height_of)
    axes.xaxis.tick_top()
    passed_properties = {measure: [name for name in passes if passes[name][measure]] for measure in measures}
    return figure, f"A grid shows ticks and crosses. The ticks are {_in_words(passed_properties)}."


@drawing
def two_measures(rankdcg, ndcg, marked):
    """Draw the range of NDCG for each value of RankDCG, and some orders as dots.

    Parameters
    ----------
    rankdcg, ndcg : array of shape (m,)
        RankDCG and NDCG of every order.
    marked : mapping of str to (float, float)
        RankDCG and NDCG of labelled orders.
    """
    rankdcg = np.round(rankdcg, 9)
    values = np.unique(rankdcg)
    lowest_ndcg, highest_ndcg = (
        [float(extreme(ndcg[rankdcg == value])) for value in values] for extreme in (np.min, np.max)
    )
    figure, axes = sheet(xlim=(-0.03, 1.03), xlabel="RankDCG of an order", ylabel="NDCG of the same order")
    axes.vlines(values, lowest_ndcg, highest_ndcg, color=OTHERS[0], linewidth=1.4, alpha=0.55)
    for name, (x, y) in marked.items():
        axes.plot(x, y, "o", color=OTHERS[1], markersize=6)
        # The name is next to the dot, or below it at the right edge, and away from other dots with the same
        # RankDCG.
        ndcg_at_same_rankdcg = [other_y for other_x, other_y in marked.values() if abs(other_x - x) < 1e-9]
        # The number of dots below minus the number of dots above.
        upwards = np.sign(np.subtract(y, ndcg_at_same_rankdcg)).sum()
        if x <= 0.9:
            offset, alignment = (8, 5 * upwards), "left"
        elif x <= 0.99:
            offset, alignment = (-8, 0), "right"
        else:
            offset, alignment = (0, -12), "center"
        write_near(axes, name, (x, y), offset, OTHERS[1], va="center", ha=alignment, fontweight="bold")
    middle = np.abs(values - 0.5).argmin()  # index of the value of RankDCG nearest to 0.5
    return figure, (
        f"Vertical strokes are at {len(values)} values of RankDCG from 0 to 1, with NDCG from "
        f"{min(lowest_ndcg):.2f} to 1. "
        f"Near the middle the stroke extends from {lowest_ndcg[middle]:.2f} to {highest_ndcg[middle]:.2f}."
    )


@drawing
def bills(costs, reference):
    """Draw the loss of each measure for each exchange of two neighbours.

    Parameters
    ----------
    costs : mapping of str to array of shape (n - 1,)
        Loss if the items at ranks r and r + 1 are exchanged, by the name of the measure.
    reference : sequence of length n
        The values in their best order.
    """
    n = len(reference)
    figure, axes = sheet(
        figsize=(5.6, 0.9 + 0.55 * len(costs)),
        frameless="y",
        xticks=range(1, n + 1),
        xlim=(0.4, n + 0.6),
        xlabel="rank, and the value there",
        ylim=(len(costs) + 0.1, -0.6),
        yticks=range(len(costs)),
        yticklabels=costs,
    )
    middles = np.arange(1, n) + 0.5
    for row, cost in enumerate(costs.values()):
        dot_areas = np.where(cost > 0, 25 + 330 * cost / (cost.max() or 1.0), 9)
        axes.scatter(middles, np.full(n - 1, row), s=dot_areas, c=np.where(cost > 0, OTHERS[0], GREY))
    for rank, value in enumerate(reference, 1):
        axes.text(rank, len(costs) - 0.3, f"{value}", ha="center", va="center", weight="bold")
    exchanges = [f"{high}|{low}" for high, low in pairwise(reference)]
    costly_exchanges = {
        name: [exchanges[index] for index in np.flatnonzero(cost)] for name, cost in costs.items()
    }
    return figure, f"The exchanges with a positive cost are {_in_words(costly_exchanges)}."


def _in_words(names_by_measure):
    """Return the names listed for each measure, as part of a sentence."""
    return "; ".join(
        f"{measure}: {', '.join(names) or 'none'}" for measure, names in names_by_measure.items()
    )
