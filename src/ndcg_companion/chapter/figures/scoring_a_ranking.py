"""Figures of the chapter on scoring one ranking."""

import matplotlib
import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from ndcg_companion.chapter.style import GREY, PALETTE, drawing


@drawing
def weight_by_depth(discounts, sizes):
    """How the discounts share out the weight of a list among its blocks of ranks: one panel for each list size.

    Parameters
    ----------
    discounts : mapping of str to callable
        The discounts under the names that label their bars.
    sizes : sequence of int
        Sizes of the lists, of at least two items.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        Without discounts or sizes, for a size below 2, and for weights that are not positive in sum.
    """
    if not discounts or not sizes or min(sizes) < 2:
        raise ValueError(f"sizes={sizes!r}: expected at least one discount and lists of at least two items")
    shares = [{name: block_shares(discount, n) for name, discount in discounts.items()} for n in sizes]
    deepest = max(len(block_ends(n)) for n in sizes)
    colours = matplotlib.colormaps["Blues_r"](np.linspace(0.08, 0.86, deepest))
    figure = Figure(figsize=(5.6, 0.7 + (0.4 * len(discounts) + 0.45) * len(sizes)))
    panels = figure.subplots(len(sizes), sharex=True, squeeze=False)[:, 0]
    for axes, n, of_discount in zip(panels, sizes, shares):
        _stacked_bars(axes, of_discount, _block_names(n), colours)
        axes.set_title(f"A list of {n:,} items")
    panels[-1].set_xlabel("share of the list's total weight (%)")
    return figure


def block_ends(n):
    """Last ranks of the blocks of a list of n items: 1, 3, 10, 100 and on by tens, and n.

    >>> block_ends(10_000)
    [1, 3, 10, 100, 1000, 10000]
    """
    ends = [1, 3] + [10**power for power in range(1, len(str(n)))]
    return [end for end in ends if end < n] + [n]


def block_shares(discount, n):
    """Share of the total weight ``sum of D(r) over r <= n`` that falls on each block of ``block_ends(n)``.

    >>> from ndcg_companion.measures import Linear
    >>> block_shares(Linear(), 4)
    array([0.5, 0.5, 0. ])
    """
    ranks = np.arange(1.0, n + 1)
    weights = np.asarray(
        discount(ranks, n) if getattr(discount, "needs_n", False) else discount(ranks), dtype=float
    )
    total = weights.sum()
    if not total > 0:
        raise ValueError(f"discount={discount!r}: expected weights with a positive sum, got {total}")
    return np.diff(weights.cumsum()[np.array(block_ends(n)) - 1], prepend=0.0) / total


def _block_names(n):
    ends = block_ends(n)
    starts = [1] + [end + 1 for end in ends[:-1]]
    return [
        f"rank {end:,}" if start == end else f"{start}–{end}" if end <= 100 else f"to {end:,}"
        for start, end in zip(starts, ends)
    ]


def _stacked_bars(axes, shares, names, colours):
    """One bar for each discount, each block named once: where it is widest, if it has room there."""
    table = 100 * np.array(list(shares.values()))
    left = table.cumsum(axis=1) - table
    for block, name in enumerate(names):
        look = {"height": 0.8, "color": colours[block], "edgecolor": "white", "linewidth": 0.6, "label": name}
        axes.barh(range(len(shares)), table[:, block], left=left[:, block], **look)
        row = int(table[:, block].argmax())
        if table[row, block] >= 2.05 * len(
            name
        ):  # what a character takes of the axis, in per cent, at this size
            middle = left[row, block] + table[row, block] / 2
            axes.text(middle, row, name, ha="center", va="center", color=_ink_on(colours[block]))
    axes.set(yticks=range(len(shares)), yticklabels=list(shares), xlim=(0, 100))
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(visible=False)


def _ink_on(colour):
    """Black or white, whichever has more contrast with the colour (relative luminance as in WCAG 2)."""
    luminance = np.dot([0.2126, 0.7152, 0.0722], ((np.array(to_rgb(colour)) + 0.055) / 1.055) ** 2.4)
    return "white" if luminance < 0.179 else "black"


@drawing
def all_orders(values, ranker):
    """Where one ranking stands among all orders of its items, under several discounts: one silhouette for each.

    Parameters
    ----------
    values : mapping of str to array_like of shape (m,)
        NDCG of every order, under the name that labels the row.
    ranker : mapping of str to float
        NDCG of the one ranking, under the same names.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If the names differ, or a value is not finite.
    """
    if not values or list(values) != list(ranker):
        raise ValueError(f"ranker={ranker!r}: expected the names of values, {list(values)}")
    values = {name: np.asarray(one, dtype=float) for name, one in values.items()}
    for name, one in values.items():
        if not (one.size and np.isfinite(one).all() and np.isfinite(ranker[name])):
            raise ValueError(
                f"values[{name!r}]: expected at least one value, and finite ones, also of the ranker"
            )
    everything = np.concatenate([*values.values(), list(ranker.values())])
    low, high = min(0.0, everything.min()), max(1.0, everything.max())
    edges = np.linspace(low, high, 51)
    figure = Figure(figsize=(5.6, 0.9 + 0.62 * len(values)))
    axes = figure.subplots()
    for row, (name, one) in enumerate(values.items()):
        base = -float(row)
        heights, _ = np.histogram(one, edges)
        axes.stairs(base + 0.72 * heights / heights.max(), edges, baseline=base, fill=True, color="#b9d3e6")
        axes.plot([one.min(), one.max()], [base, base], color=GREY, linewidth=1)
        axes.plot([one.mean()] * 2, [base, base + 0.72], color=PALETTE[0], linewidth=2)
        axes.plot(ranker[name], base + 0.14, "o", color=PALETTE[1], markersize=8, markeredgecolor="white")
    _name_the_marks(axes, values, ranker)
    axes.set(xlim=(low, high + 0.02 * (high - low)), ylim=(0.5 - len(values), 1.1), xlabel="NDCG")
    axes.set_yticks([0.3 - row for row in range(len(values))], list(values))
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(visible=False, axis="y")
    return figure


def _name_the_marks(axes, values, ranker):
    """The mean under the last row, the ranking above the first, the worst order beside it: they never meet."""
    first, last = next(iter(values)), list(values)[-1]
    low = float(values[first].min())
    side = "right" if low > 0.25 else "left"
    axes.text(
        low + (-0.015 if side == "right" else 0.0), 0.02, "worst order", ha=side, va="bottom", color=GREY
    )
    _place(axes, ranker[first], 0.78, "this ranking", "bottom", PALETTE[1])
    _place(axes, float(values[last].mean()), 0.95 - len(values), "mean of all orders", "top", PALETTE[0])


def _place(axes, x, y, text, va, colour):
    ha = "left" if x < 0.2 else "right" if x > 0.8 else "center"
    axes.text(x, y, text, ha=ha, va=va, color=colour)
