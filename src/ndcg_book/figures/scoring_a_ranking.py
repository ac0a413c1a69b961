"""Figures of the chapter on scoring one ranking."""

from itertools import pairwise

import numpy as np
from matplotlib.colors import to_rgb

from claimbook.style import FIRST, GREY, drawing, mixed
from ndcg_book.axes import RANKINGS, shades, sheet
from ndcg_companion.theory.exact import discounts


@drawing
def weight_by_depth(shown, sizes):
    """Draw how discounts distribute the weight of a list over blocks of ranks.

    Parameters
    ----------
    shown : mapping of str to callable
        Discounts, by the labels of their bars.
    sizes : sequence of int
        Sizes of the lists, each of at least two items, with the longest last.
    """
    proportions = [{name: block_shares(discount, n) for name, discount in shown.items()} for n in sizes]
    figure, panels = sheet(
        len(sizes),
        sharex=True,
        figsize=(5.6, 0.7 + (0.4 * len(shown) + 0.45) * len(sizes)),
        titles=[f"A list of {n:,} items" for n in sizes],
        no_grid="both",
        frameless="y",
        xlabel="percentage of the list's total weight",
        xlim=(0, 100),
        yticks=range(len(shown)),
        yticklabels=shown,
    )
    colours = shades(1.0, 0.12, len(block_ends(sizes[-1])))
    for axes, n, shares_by_discount in zip(panels, sizes, proportions, strict=True):
        _draw_stacked_bars(axes, np.array(list(shares_by_discount.values())), _block_names(n), colours)
    return figure, (
        "Stacked bars show the weight by blocks of ranks for a short and a long list. The first ten ranks "
        "of the long list have the percentages "
        + ", ".join(f"{100 * shares[:3].sum():.3g}% ({name})" for name, shares in proportions[-1].items())
        + "."
    )


def block_ends(n):
    """Return the last ranks of the blocks of a list: 1, 3, powers of ten, and n.

    >>> block_ends(10_000)
    [1, 3, 10, 100, 1000, 10000]
    """
    last_ranks = [1, 3, *(10**power for power in range(1, len(str(n))))]  # all powers of ten up to n
    return [end for end in last_ranks if end < n] + [n]


def block_shares(discount, n):
    """Return each block's proportion of the total weight ``sum of D(r) over r <= n``.

    The blocks are those of ``block_ends(n)``.

    >>> from ndcg_companion.measures import Linear
    >>> block_shares(Linear(), 4)
    array([0.5, 0.5, 0. ])
    """
    weights = discounts(discount, n)
    weights_to_ends = weights.cumsum()[np.array(block_ends(n)) - 1]
    return np.diff(weights_to_ends, prepend=0.0) / weights.sum()


def _block_names(n):
    """Return the names of the blocks of `block_ends`, such as "2–3" or "to 1,000"."""
    names = ["rank 1"]
    for previous_end, end in pairwise(block_ends(n)):
        if end == previous_end + 1:
            names.append(f"rank {end:,}")
        else:
            names.append(f"{previous_end + 1}–{end}" if end <= 100 else f"to {end:,}")
    return names


def _draw_stacked_bars(axes, shares, names, colours):
    """Draw a bar for each discount, with a segment for each block.

    The array ``shares`` has a row for each discount and a column for each block. Each block has its name
    once, on its widest segment, if the name fits.
    """
    starts = 100 * (shares.cumsum(axis=1) - shares)
    for block, (name, widths) in enumerate(zip(names, 100 * shares.T)):
        axes.barh(
            range(len(shares)),
            widths,
            left=starts[:, block],
            height=0.8,
            color=colours[block],
            edgecolor="white",
            linewidth=0.6,
            label=name,
        )
        row = widths.argmax()
        if widths[row] >= 2.05 * len(name):  # the percentage of the axis that a character takes at this size
            middle = starts[row, block] + widths[row] / 2
            axes.text(middle, row, name, ha="center", va="center", color=_ink_on(colours[block]))
    axes.invert_yaxis()


def _ink_on(colour):
    """Return black or white, whichever has more contrast with the colour (luminance as in WCAG 2)."""
    linear_rgb = ((np.array(to_rgb(colour)) + 0.055) / 1.055) ** 2.4
    luminance = np.dot([0.2126, 0.7152, 0.0722], linear_rgb)
    # The contrasts (L + 0.05) / 0.05 with black and 1.05 / (L + 0.05) with white are equal at L = 0.179.
    return "white" if luminance < 0.179 else "black"


@drawing
def all_orders(values, ranker):
    """Draw one ranking among all orders of its items, under several discounts.

    Parameters
    ----------
    values : mapping of str to array of shape (m,)
        NDCG of every order, by the label of the row.
    ranker : mapping of str to float
        NDCG of the ranking, by the same labels.
    """
    edges, random_colour = np.linspace(0.0, 1.0, 51), RANKINGS["random"]  # of bins; of random orders
    figure, axes = sheet(
        figsize=(5.6, 0.9 + 0.62 * len(values)),
        frameless="y",
        xlim=(0.0, 1.02),
        xlabel="NDCG",
        ylim=(0.5 - len(values), 1.1),
        yticks=[0.3 - row for row in range(len(values))],
        yticklabels=values,
    )
    for row, (name, ndcgs) in enumerate(values.items()):
        heights, _ = np.histogram(ndcgs, edges)
        heights = 0.72 * heights / heights.max()
        axes.stairs(heights - row, edges, baseline=-row, fill=True, color=mixed(random_colour, 0.3))
        axes.plot([ndcgs.min(), ndcgs.max()], [-row, -row], color=GREY, linewidth=1)
        axes.plot([ndcgs.mean()] * 2, [-row, 0.72 - row], color=random_colour, linewidth=2)
        axes.plot(ranker[name], 0.14 - row, "o", color=FIRST, markersize=8, markeredgecolor="white")
    # The mean is labelled below the last row and the ranking above the first, so that labels do not overlap.
    top_name, *_, bottom_name = values
    worst_ndcg, ranking_ndcg = values[top_name].min(), ranker[top_name]
    mean_ndcg = values[bottom_name].mean()
    worst_offset, worst_alignment = (-0.015, "right") if worst_ndcg > 0.25 else (0.0, "left")
    axes.text(worst_ndcg + worst_offset, 0.02, "worst order", ha=worst_alignment, va="bottom", color=GREY)
    axes.text(ranking_ndcg, 0.78, "this ranking", ha=_alignment_at(ranking_ndcg), va="bottom", color=FIRST)
    axes.text(
        mean_ndcg,
        0.95 - len(values),
        "mean of all orders",
        ha=_alignment_at(mean_ndcg),
        va="top",
        color=random_colour,
    )
    return figure, (
        "Histograms show NDCG over all orders. The lowest value, the mean and this ranking are, for "
        + "; ".join(
            f"{name}, {ndcgs_of_row.min():.2f}, {ndcgs_of_row.mean():.2f}, {ranker[name]:.2f}"
            for name, ndcgs_of_row in values.items()
        )
        + "."
    )


def _alignment_at(x):
    """Return the alignment of words at x that keeps them within axes from 0 to 1."""
    return "left" if x < 0.2 else "right" if x > 0.8 else "center"
