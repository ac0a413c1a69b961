"""Figures of the chapter on mean NDCG and mean DCG: two queries, and how often the winners differ."""

import numpy as np

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing, mixed
from ndcg_book.axes import draw_cell, note, sheet

LINE = {"two random rankers": OTHERS[0]}


@drawing
def two_queries(pages, relevant, leads, ideals):
    """Draw two systems' pages for two queries, and the differences in DCG and NDCG.

    Parameters
    ----------
    pages : mapping from a query's name to the two systems' documents, one letter each, best first
    relevant : str
        The letters of the relevant documents.
    leads, ideals : arrays of shape (2,)
        DCG of the first system minus that of the second, and the ideal DCG, of each query.
    """
    rows = [*_with_mean(leads), *_with_mean(leads / ideals)]
    figure, (shown, bars) = sheet(
        1,
        2,
        figsize=(7.4, 3.7),
        width_ratios=(1, 1.35),
        titles=("results of A and B", "lead of A (right) or B (left)"),
        each=(
            {"xlim": (-0.7, 5.0), "ylim": (3.7, -0.9), "xticks": (), "yticks": (0, 1, 2)},
            {
                "ylim": (6.6, -0.6),
                "xlim": (min(rows) - 0.22, max(rows) + 0.22),
                "xlabel": "difference, A minus B",
            },
        ),
    )
    shown.set_yticklabels(("1", "2", "3"))
    shown.set_ylabel("rank")
    for axes in (shown, bars):
        axes.grid(visible=False)
    for query, (name, columns) in enumerate(pages.items()):
        for system, (documents, colour) in enumerate(zip(columns, (FIRST, SECOND))):
            x = 2.6 * query + 1.1 * system
            note(shown, "AB"[system], (x, -0.62), (0, 0), colour, ha="center", va="center")
            for rank, document in enumerate(documents):
                face = mixed(colour, 0.35) if document in relevant else "white"
                draw_cell(shown, (x, rank), face, document, edgecolor=GREY, size=(0.9, 0.86))
        note(shown, name, (2.6 * query + 0.55, 3.3), (0, 0), ha="center", va="center")
    heights = (0, 1, 2, 4, 5, 6)
    names = [*pages, "mean"]
    bars.barh(heights, rows, color=[FIRST if value > 0 else SECOND for value in rows], height=0.72)
    bars.axvline(0, color="black", linewidth=1)
    bars.set_yticks(heights, [*(f"DCG, {name}" for name in names), *(f"NDCG, {name}" for name in names)])
    for height, value in zip(heights, rows):
        side = 1 if value > 0 else -1
        note(
            bars,
            f"{abs(value):.2f}",
            (value, height),
            (4 * side, 0),
            va="center",
            ha="left" if side > 0 else "right",
        )
    ahead = ["A" if value > 0 else "B" for value in (rows[2], rows[5])]
    return figure, (
        "Two pages have three documents, and two pages have two. Bars next to them show that in DCG A leads "
        f"by {rows[0]:.2f} on the first query and B by {-rows[1]:.2f} on the second, and in NDCG by "
        f"{rows[3]:.2f} and {-rows[4]:.2f}. On average {ahead[0]} is ahead in DCG and {ahead[1]} in NDCG."
    )


def _with_mean(values):
    return [*values, np.mean(values)]


@drawing
def how_often(numbers, expected, simulated, observed, margins):
    """Draw how often the winners of two means differ, by number of relevant documents.

    Parameters
    ----------
    numbers, expected : arrays of shape (m,)
        Numbers of relevant documents in half of the queries, and the limit of the proportion of comparisons
        with different winners.
    simulated : sequence of int
        Numbers of relevant documents in the simulations.
    observed, margins : arrays of the length of ``simulated``
        Simulated proportions, and the half-widths of their intervals.
    """
    colour = LINE["two random rankers"]
    figure, axes = sheet(
        figsize=(7.4, 3.6),
        xlim=(0.8, numbers[-1] + 0.4),
        ylim=(0, 26),
        xticks=numbers,
        xlabel="relevant documents in half of the queries (the other half has one)",
        ylabel="comparisons with different winners, %",
    )
    axes.plot(numbers, 100 * expected, color=colour)
    axes.errorbar(simulated, 100 * observed, 100 * margins, fmt="o", color=colour, markersize=5)
    return figure, (
        f"A line rises from {100 * expected[0]:.0f}% for one relevant document on every query to "
        f"{100 * expected[-1]:.0f}% if half of the queries have {numbers[-1]}. Simulated percentages are "
        + ", ".join(f"{100 * proportion:.1f}% at {number}" for number, proportion in zip(simulated, observed))
        + "."
    )
