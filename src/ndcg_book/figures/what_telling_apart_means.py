"""Figures of the chapter on definitions 5 and 18: growing data sets, and the leader at every size."""

import numpy as np

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from ndcg_book.axes import items_axis, plain_numbers, sheet, without_tex, write_in_corner

LISTS = tuple(OTHERS[row % len(OTHERS)] for row in range(6))  # colours of the rows of `paths`
DISCOUNT_COLOURS = {"log discount": OTHERS[0], "discount $2^{-r}$": OTHERS[1]}
DISCOUNTS = tuple(DISCOUNT_COLOURS)


@drawing
def paths(sizes, gaps, last):
    """Draw the gap of NDCG as data sets grow, and the last failure of each data set.

    Parameters
    ----------
    sizes : array of shape (m,)
        Sizes in increasing order, drawn on a logarithmic axis.
    gaps : array of shape (q, m)
        Gaps, with one row for each data set; at least one data set has its last failure below the last size.
    last : array of shape (q,)
        The last size at which the ranker that should be ahead is not ahead. The value is 0 if there is no
        such size, and infinity if the last size of all is such a size.
    """
    # The gaps at the shortest lists, which are large, may leave the axes.
    largest = np.abs(gaps[:, sizes >= 3 * sizes[0]]).max() or 1.0
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        height_ratios=(3, 1),
        figsize=(5.6, 4.1),
        no_grid="y",
        **items_axis(sizes),
        panel_options=(
            {"ylim": (-1.1 * largest, 1.1 * largest), "ylabel": "NDCG of A − NDCG of B"},
            {"ylim": (-0.7, len(gaps) - 0.3), "yticks": []},
        ),
    )
    upper.locator_params(axis="y", nbins=5)
    upper.axhline(0.0, color="black", linewidth=1)
    write_in_corner(upper, "A ahead", (0.99, 0.98), FIRST)
    write_in_corner(upper, "B ahead", (0.99, 0.02), SECOND)
    # In the lower panel, data sets are from the bottom up in the order of their last failures.
    for height, row in enumerate(np.argsort(last, kind="stable")):
        colour = LISTS[height % len(LISTS)]
        upper.plot(sizes, gaps[row], color=colour, linewidth=1.1)
        end_of_failures = max(last[row], sizes[0])
        failing_sizes = [sizes[0], min(end_of_failures, sizes[-1])]
        lower.plot(failing_sizes, [height] * 2, color=GREY, linewidth=0.8, linestyle=":")
        if end_of_failures <= sizes[-1]:
            lower.plot([end_of_failures, sizes[-1]], [height] * 2, color=colour)
            lower.plot(end_of_failures, height, "o", color=colour, markersize=5, clip_on=False)
    lower.set_ylabel("ahead\nfor good", rotation=0, ha="right", va="center")
    return figure, (
        f"{len(gaps)} jagged curves around zero go from n = {sizes[0]} to {sizes[-1]:,} and end between "
        f"{gaps[:, -1].min():.3f} and {gaps[:, -1].max():.3f}. In order, the sizes of their last failures "
        f"are {in_order(last)}."
    )


def in_order(last):
    """Return the sizes of the last failures in words, in ascending order.

    >>> in_order([1200.0, 0.0, np.inf])
    'none, 1,200, beyond the last size'
    """
    words = {0.0: "none", np.inf: "beyond the last size"}
    return ", ".join(words.get(size, f"{size:,.0f}") for size in np.sort(last))


@drawing
def guarantees(gaps, looks):
    """Draw the gap of DCG at every size, its evaluations, and guaranteed bounds.

    Parameters
    ----------
    gaps : array of shape (m,)
        ``h(1), ..., h(m)``.
    looks : sequence of (int, float, array)
        A size n at which h was evaluated, ``h(n)``, and the positive lower bounds of ``|h|`` at n, n - 1, ...
    """
    highest, lowest = max(gaps.max(), 0.0), min(gaps.min(), 0.0)
    margin = 0.14 * (highest - lowest or 1.0)  # limits must differ
    figure, axes = sheet(
        figsize=(5.6, 4.0),
        xlim=(0, len(gaps) + 1),
        ylim=(lowest - margin, highest + margin),
        xlabel="items, n",
        ylabel="h(n), DCG of $f_0$ minus DCG of $f_1$",
    )
    colours = {1: FIRST, -1: SECOND, 0: "black"}  # by the sign of the gap
    for n, gap, lower_bounds in looks:
        # The wedge goes from n down to the first size without a bound, where it is 0 high.
        sizes = n - np.arange(len(lower_bounds) + 1)
        bounds = np.append(lower_bounds, 0.0) * np.sign(gap)
        if len(lower_bounds):
            axes.fill_between(sizes, 0.0, bounds, color=colours[np.sign(gap)], alpha=0.28, linewidth=0)
    axes.axhline(0.0, color="black", linewidth=1)
    axes.plot(np.arange(1, len(gaps) + 1), gaps, color=GREY, linewidth=1.3)
    for n, gap, _ in looks:
        axes.plot(n, gap, "o", color=colours[np.sign(gap)], markersize=4)
    write_in_corner(axes, "$f_0$ ahead", (0.015, 0.98), FIRST)
    write_in_corner(axes, "$f_1$ ahead", (0.015, 0.02), SECOND)
    return figure, (
        f"A jagged line with {len(looks)} dots goes from n = 1 to {len(gaps)} and ends at {gaps[-1]:.2f}. "
        "Each dot is the tip of a shaded wedge that narrows to the left and lies between the line and zero. "
        f"The widest wedge spans {max(len(lower_bounds) for *_, lower_bounds in looks)} items."
    )


@drawing
def failures(sizes, shares_from_n, shares_at_n, bands, theory):
    """Draw the probability of a failure at some size from N on, and at N alone.

    Parameters
    ----------
    sizes : array of shape (m,)
    shares_from_n, shares_at_n : mapping from the name of a discount to an array of shape (m,)
        Proportions of the data sets, for the names in ``DISCOUNTS``.
    bands : mapping from the name of a discount to a pair of arrays of shape (m,)
        Confidence limits of the proportions in ``shares_from_n``.
    theory : array of shape (m,)
        Normal approximation of the probability of a failure at N alone, for the log discount.
    """
    lowest_share = min(shares[shares > 0].min(initial=1.0) for shares in shares_from_n.values())
    lowest = min(lowest_share, 0.05) / 2.0  # below all positive shares
    figure, axes = sheet(
        figsize=(5.6, 4.2),
        xscale="log",
        xlim=(sizes[0], sizes[-1]),
        xlabel="N (log scale)",
        yscale="log",
        ylim=(lowest, 1.6),
        ylabel="proportion of lists (log scale)",
        y_labels=plain_numbers,
    )
    for row, (name, shares) in enumerate(shares_from_n.items()):
        colour = DISCOUNT_COLOURS[name]
        axes.fill_between(sizes, *np.maximum(bands[name], lowest), color=colour, alpha=0.15, linewidth=0)
        axes.plot(sizes, _visible(shares), color=colour)
        axes.plot(sizes, _visible(shares_at_n[name]), "o", color=colour, markersize=3.5)
        write_in_corner(axes, name, (0.02, 0.03 + 0.075 * row), colour, va="baseline")
    axes.plot(sizes, _visible(theory, lowest), "--", color=DISCOUNT_COLOURS["log discount"], linewidth=1.1)
    figure.suptitle("line: behind or tied at some n ≥ N · dots: at N", x=0.02, ha="left", fontsize=10)
    return figure, (
        f"For N from {sizes[0]} to {sizes[-1]:,}, lines show the proportions of lists with a failure at some "
        "n ≥ N: "
        + "; ".join(
            f"{without_tex(name)} from {shares[0]:.2f} to {shares[-1]:.2f}"
            for name, shares in shares_from_n.items()
        )
        + ". Dots for failures at N alone lie on or below the lines."
    )


def _visible(shares, lowest=0.0):
    """Return the proportions that a logarithmic axis can show, with NaN for the others."""
    return np.where(shares > lowest, shares, np.nan)
