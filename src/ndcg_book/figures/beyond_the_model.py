"""Figures of the chapter on data beyond the model: drifting items and planted items."""

import numpy as np

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from ndcg_book.axes import draw_strips, items_axis, sheet, write_near


@drawing
def drifting(sizes, leaders, turns):
    """Draw which ranker is ahead on lists whose new items favour the rankers in turn.

    Parameters
    ----------
    sizes : array of shape (m,)
    leaders : array of shape (lists, m)
        1 where the first ranker is ahead, -1 where the second ranker is ahead, 0 for ties.
    turns : array of shape (j,)
        Sizes at which the kind of new items changes.
    """
    # The last cell ends at the next size of the geometric progression.
    edges = np.append(sizes, sizes[-1] ** 2 / sizes[-2])
    figure, axes = sheet(
        figsize=(6.4, 3.2),
        yticks=(),
        ylim=(len(leaders), 0),
        ylabel=f"{len(leaders)} lists, one strip each",
        **items_axis(edges),
    )
    axes.grid(visible=False)
    draw_strips(axes, leaders, edges, {1: (FIRST, 0.9), -1: (SECOND, 0.9)})
    for turn in turns:
        axes.axvline(turn, color="black", linestyle="--", linewidth=1.5)
    write_near(axes, "first ahead", (0, 1), (0, 6), FIRST, xycoords="axes fraction", va="bottom")
    write_near(
        axes, "second ahead", (1, 1), (0, 6), SECOND, xycoords="axes fraction", va="bottom", ha="right"
    )
    ahead_at_end = (leaders[:, -1] > 0).mean()
    return figure, (
        f"{len(leaders)} strips from {sizes[0]:,} to {sizes[-1]:,} items are coloured by the ranker that is "
        "ahead. "
        f"Dashed lines are at {', '.join(f'{turn:,}' for turn in turns)} items, where the kind of new items "
        f"changes. At the end the first ranker is ahead on {ahead_at_end:.0%} of the lists."
    )


@drawing
def planted(shares, price, lead):
    """Draw the largest effect of planted items on a lead, in units of n / log^2 n.

    Parameters
    ----------
    shares, price, lead : arrays of shape (m,)
        Proportions of planted items, their largest effect, and the lead of the pair on the other items.
    """
    figure, axes = sheet(
        xlim=(0, shares[-1]),
        ylim=(0, 1.15 * max(price[-1], lead[0])),
        xlabel="percentage of planted items",
        x_labels="{x:.1%}",
        ylabel="largest change of the lead",
    )
    axes.plot(shares, price, color=OTHERS[1])
    axes.plot(shares, lead, color=OTHERS[0])
    write_near(axes, "lead of the pair", (shares[0], lead[0]), (4, 4), OTHERS[0], va="bottom")
    largest_harmless = shares[price < lead].max()
    axes.axvline(largest_harmless, color=GREY, linestyle="--", linewidth=1.2)
    return figure, (
        f"A curve rises from 0 to {price[-1]:.2f} with the proportion of planted items and reaches the "
        f"lead of {lead[0]:.2f} at a proportion of {largest_harmless:.4f}."
    )
