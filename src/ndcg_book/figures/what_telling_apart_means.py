"""Figures of the chapter on definitions 5 and 18: one data set that grows, and who is ahead at every size."""

import numpy as np

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from ndcg_book.axes import corner, over_items, plain_numbers, sheet, spoken

LISTS = tuple(OTHERS[place % len(OTHERS)] for place in range(6))  # of `paths`, in the order of its rows
DISCOUNTS = {"log discount": OTHERS[0], "discount $2^{-r}$": OTHERS[1]}


@drawing
def paths(sizes, gaps, last):
    """Above, the gap of NDCG as data sets grow; below, where each was last not in favour of the first.

    Parameters
    ----------
    sizes : array of shape (m,)
        Increasing, on a logarithmic axis.
    gaps : array of shape (q, m)
        One row for each data set, of which at least one has its last failure below the last size.
    last : array of shape (q,)
        The last size at which the ranker that should be ahead is not; 0 if there is none, infinity if that
        is the end.
    """
    largest = np.abs(gaps[:, sizes >= 3 * sizes[0]]).max() or 1.0
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        height_ratios=(3, 1),
        figsize=(5.6, 4.1),
        no_grid="y",
        **over_items(sizes),
        each=(
            {"ylim": (-1.1 * largest, 1.1 * largest), "ylabel": "NDCG of A − NDCG of B"},
            {"ylim": (-0.7, len(gaps) - 0.3), "yticks": []},
        ),
    )
    upper.locator_params(axis="y", nbins=5)
    upper.axhline(0.0, color="black", linewidth=1)
    corner(upper, "A ahead", (0.99, 0.98), FIRST)
    corner(upper, "B ahead", (0.99, 0.02), SECOND)
    for height, row in enumerate(np.argsort(last, kind="stable")):
        colour = LISTS[height % len(LISTS)]
        upper.plot(sizes, gaps[row], color=colour, linewidth=1.1)
        settled = max(last[row], sizes[0])
        lower.plot(
            [sizes[0], min(settled, sizes[-1])], [height] * 2, color=GREY, linewidth=0.8, linestyle=":"
        )
        if settled <= sizes[-1]:
            lower.plot([settled, sizes[-1]], [height] * 2, color=colour)
            lower.plot(settled, height, "o", color=colour, markersize=5, clip_on=False)
    lower.set_ylabel("ahead\nfor good", rotation=0, ha="right", va="center")
    return figure, (
        f"{len(gaps)} jagged curves around zero from n = {sizes[0]} to {sizes[-1]:,}; at the end they are "
        f"between {gaps[:, -1].min():.3f} and {gaps[:, -1].max():.3f}. Their last failures, in order: "
        f"{in_order(last)}."
    )


def in_order(last):
    """The last failures in words, in order.

    >>> in_order([1200.0, 0.0, np.inf])
    'none, 1,200, not yet over'
    """
    words = {0.0: "none", np.inf: "not yet over"}
    return ", ".join(words.get(place, f"{place:,.0f}") for place in np.sort(last))


@drawing
def guarantees(gaps, looks):
    """The gap of DCG at every size, where it was evaluated, and what each evaluation guarantees below it.

    Parameters
    ----------
    gaps : array of shape (m,)
        ``h(1), ..., h(m)``.
    looks : sequence of (int, float, array)
        A size n at which h was evaluated, ``h(n)``, and lower bounds of ``|h|`` at n, n - 1, ..., while
        positive.
    """
    top, bottom = max(gaps.max(), 0.0), min(gaps.min(), 0.0)
    room = 0.14 * (top - bottom or 1.0)
    figure, axes = sheet(
        figsize=(5.6, 4.0),
        xlim=(0, len(gaps) + 1),
        ylim=(bottom - room, top + room),
        xlabel="items, n",
        ylabel="h(n), DCG of $f_0$ minus DCG of $f_1$",
    )
    colours = {1: FIRST, -1: SECOND, 0: "black"}
    for n, gap, floors in looks:
        reached = n - np.arange(len(floors) + 1)
        wedge = np.append(floors, 0.0) * np.sign(gap)
        if len(floors):
            axes.fill_between(reached, 0.0, wedge, color=colours[np.sign(gap)], alpha=0.28, linewidth=0)
    axes.axhline(0.0, color="black", linewidth=1)
    axes.plot(np.arange(1, len(gaps) + 1), gaps, color=GREY, linewidth=1.3)
    for n, gap, _ in looks:
        axes.plot(n, gap, "o", color=colours[np.sign(gap)], markersize=4)
    corner(axes, "$f_0$ ahead", (0.015, 0.98), FIRST)
    corner(axes, "$f_1$ ahead", (0.015, 0.02), SECOND)
    return figure, (
        f"A jagged line over n = 1 to {len(gaps)}, {gaps[-1]:.2f} at its end, with {len(looks)} dots on it, "
        "each the tip of a shaded wedge that narrows to the left and lies between the line and zero; the "
        f"widest spans {max(len(floors) for *_, floors in looks)} items."
    )


@drawing
def failures(sizes, ever, alone, bands, theory):
    """Probability of a failure at some size from N on, and at N alone, against N.

    Parameters
    ----------
    sizes : array of shape (m,)
    ever, alone : mapping from the name of a discount to an array of shape (m,)
        Shares of the data sets, for the names in ``DISCOUNTS``.
    bands : mapping from the name of a discount to a pair of arrays of shape (m,)
        Confidence limits of the shares in ``ever``.
    theory : array of shape (m,)
        The normal approximation of failure at N alone, for the log discount.
    """
    lowest = min(min(shares[shares > 0].min(initial=1.0) for shares in ever.values()), 0.05) / 2.0
    figure, axes = sheet(
        figsize=(5.6, 4.2),
        xscale="log",
        xlim=(sizes[0], sizes[-1]),
        xlabel="N (log scale)",
        yscale="log",
        ylim=(lowest, 1.6),
        ylabel="proportion of lists (log scale)",
        y=plain_numbers,
    )
    for place, (name, shares) in enumerate(ever.items()):
        colour = DISCOUNTS[name]
        axes.fill_between(sizes, *np.maximum(bands[name], lowest), color=colour, alpha=0.15, linewidth=0)
        axes.plot(sizes, _seen(shares), color=colour)
        axes.plot(sizes, _seen(alone[name]), "o", color=colour, markersize=3.5)
        corner(axes, name, (0.02, 0.03 + 0.075 * place), colour, va="baseline")
    axes.plot(sizes, _seen(theory, lowest), "--", color=DISCOUNTS["log discount"], linewidth=1.1)
    figure.suptitle("line: behind or tied at some n ≥ N · dots: at N", x=0.02, ha="left", fontsize=10)
    return figure, (
        f"Lines against N from {sizes[0]} to {sizes[-1]:,}, the lists with a failure at some n from N on: "
        + "; ".join(
            f"{spoken(name)} from {shares[0]:.2f} to {shares[-1]:.2f}" for name, shares in ever.items()
        )
        + ". Dots for a failure at N alone lie on or below their line."
    )


def _seen(shares, lowest=0.0):
    """Shares that a logarithmic axis can show, with gaps for the others."""
    return np.where(shares > lowest, shares, np.nan)
