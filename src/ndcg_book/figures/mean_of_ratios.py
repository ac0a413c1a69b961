"""Figures of the chapter on mean NDCG and mean DCG: two queries, and how often the winners differ."""

import numpy as np

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing, mixed
from ndcg_book.axes import draw_cell, sheet, write_near

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
    ndcg_leads = leads / ideals
    mean_dcg_lead, mean_ndcg_lead = np.mean(leads), np.mean(ndcg_leads)
    bar_lengths = [*leads, mean_dcg_lead, *ndcg_leads, mean_ndcg_lead]
    figure, (pages_axes, bar_axes) = sheet(
        1,
        2,
        figsize=(7.4, 3.7),
        width_ratios=(1, 1.35),
        titles=("results of A and B", "lead of A (right) or B (left)"),
        panel_options=(
            {"xlim": (-0.7, 5.0), "ylim": (3.7, -0.9), "xticks": (), "yticks": (0, 1, 2)},
            {
                "ylim": (6.6, -0.6),
                "xlim": (min(bar_lengths) - 0.22, max(bar_lengths) + 0.22),
                "xlabel": "difference, A minus B",
            },
        ),
    )
    pages_axes.set_yticklabels(("1", "2", "3"))
    pages_axes.set_ylabel("rank")
    for axes in (pages_axes, bar_axes):
        axes.grid(visible=False)
    for query, (name, pages_of_query) in enumerate(pages.items()):
        for system, (documents, colour) in enumerate(zip(pages_of_query, (FIRST, SECOND))):
            x = 2.6 * query + 1.1 * system
            write_near(pages_axes, "AB"[system], (x, -0.62), (0, 0), colour, ha="center", va="center")
            for rank, document in enumerate(documents):
                face_colour = mixed(colour, 0.35) if document in relevant else "white"
                draw_cell(pages_axes, (x, rank), face_colour, document, edgecolor=GREY, size=(0.9, 0.86))
        write_near(pages_axes, name, (2.6 * query + 0.55, 3.3), (0, 0), ha="center", va="center")
    heights = (0, 1, 2, 4, 5, 6)  # DCG and NDCG, with a gap between
    names = [*pages, "mean"]
    bar_axes.barh(
        heights,
        bar_lengths,
        color=[FIRST if length > 0 else SECOND for length in bar_lengths],
        height=0.72,
    )
    bar_axes.axvline(0, color="black", linewidth=1)
    bar_axes.set_yticks(heights, [*(f"DCG, {name}" for name in names), *(f"NDCG, {name}" for name in names)])
    for height, length in zip(heights, bar_lengths):
        offset, alignment = ((4, 0), "left") if length > 0 else ((-4, 0), "right")
        write_near(bar_axes, f"{abs(length):.2f}", (length, height), offset, va="center", ha=alignment)
    dcg_leader, ndcg_leader = ("A" if lead > 0 else "B" for lead in (mean_dcg_lead, mean_ndcg_lead))
    return figure, (
        "Two pages have three documents, and two pages have two. Bars next to them show that in DCG A leads "
        f"by {leads[0]:.2f} on the first query and B by {-leads[1]:.2f} on the second, and in NDCG by "
        f"{ndcg_leads[0]:.2f} and {-ndcg_leads[1]:.2f}. On average {dcg_leader} is ahead in DCG and "
        f"{ndcg_leader} in NDCG."
    )


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
