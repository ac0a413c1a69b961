"""Figures of the chapter on summable discounts: NDCG that never settles, and the laws it wanders through.

Discounts come as mappings from the names in `COLOURS`, pairs of rankers from those in ``PAIRS``.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from ndcg_companion.chapter.style import GREY, PALETTE, drawing

COLOURS = {"$2^{-r}$": PALETTE[0], "$r^{-2}$": PALETTE[1]}
PAIRS = {"independent": PALETTE[3], "shared top": PALETTE[2]}
_BAND = "#e2e4e7"


@drawing
def wandering(sizes, paths, edges, shares, intervals, exact, forbidden):
    """Paths of NDCG while one list grows, each beside the law that it wanders through.

    Parameters
    ----------
    sizes : array of shape (m,)
    paths : mapping from a discount's name to an array of shape (m,)
        NDCG from one size to the next.
    edges : array of shape (b + 1,)
        Of the bins, from 0 to 1.
    shares, exact : mapping from a discount's name to an array of shape (b,)
        Share of simulated lists in each bin, and its probability under the limit law.
    intervals : mapping from a discount's name to a pair of arrays of shape (b,)
    forbidden : mapping from a discount's name to a list of pairs of float
        Intervals in which NDCG is not found.
    """
    figure = Figure(figsize=(5.6, 5.4))
    rows = figure.subplots(2, 2, sharex="col", sharey=True, width_ratios=(3, 1))
    middles, widths = (edges[1:] + edges[:-1]) / 2.0, np.diff(edges)
    densest = max(np.max([shares[name], exact[name], intervals[name][1]] / widths) for name in paths)
    for (path, law), name in zip(rows, paths):
        for band in forbidden[name]:
            _forbid(path.axhspan, band)
            _forbid(law.axhspan, band)
            law.annotate(
                "never",
                (0.5, np.mean(band)),
                xycoords=("axes fraction", "data"),
                ha="center",
                va="center",
                color=GREY,
                zorder=4,
            )
        path.plot(sizes, paths[name], color=COLOURS[name], linewidth=1.0, drawstyle="steps-post")
        path.set(
            xscale="log", ylabel=f"NDCG, discount {name}", ylim=(-0.03, 1.03), xlim=(sizes[0], sizes[-1])
        )
        law.barh(middles, shares[name] / widths, widths, color=COLOURS[name], alpha=0.45, linewidth=0)
        low, high = intervals[name]
        law.hlines(middles, low / widths, high / widths, color=COLOURS[name], linewidth=1.2)
        law.stairs(
            exact[name] / widths, edges, orientation="horizontal", baseline=None, color="black", linewidth=1.2
        )
        law.grid(visible=False, axis="x")
        law.set_xlim(0.0, 1.05 * densest)
    rows[0, 0].set_title("one list as it grows")
    rows[0, 1].set_title("the law")
    rows[1, 0].set_xlabel("items in the list, n (log scale)")
    rows[1, 0].xaxis.set_major_locator(FixedLocator(10.0 ** np.arange(3, 22, 3)))
    rows[1, 1].set_xlabel("density")
    seen = []
    for name, path in paths.items():
        early, late = (np.abs(half).sum() for half in np.array_split(np.diff(path), 2))
        seen.append(
            f"under {name} NDCG goes between {path.min():.2f} and {path.max():.2f}, and travels {early:.1f} "
            "up and "
            f"down over the first half of the axis, {late:.1f} over the second"
        )
    return figure, f"Two jagged paths: {'; '.join(seen)}. Beside them bars and the exact laws."


@drawing
def laws(x, staircases, densities, forbidden):
    """Distribution functions of limit laws without a density, and below densities of some that have one.

    Parameters
    ----------
    x : array of shape (m,)
        From 0 to 1.
    staircases : mapping from a text to an array of shape (m,)
        Three distribution functions: a diagonal, one that stays below it, one that crosses it in the middle.
    densities : mapping from a text to an array of shape (m - 1,)
        Two mean densities from each x to the next.
    forbidden : pair of float
        Where there is nothing of the laws below.
    """
    figure = Figure(figsize=(5.6, 6.0))
    upper, lower = figure.subplots(2, sharex=True)
    # Where the names stand is free of curves: above the diagonal's middle, below the low curve, above the
    # left steps.
    places = ((0.64, 0.74), (0.98, 0.06), (0.30, 0.60))
    for (name, values), colour, (at, height) in zip(
        staircases.items(), (PALETTE[0], PALETTE[3], PALETTE[2]), places
    ):
        upper.plot(x, values, color=colour, linewidth=1.4)
        upper.text(at, height, name, color=colour, ha="right")
    _forbid(lower.axvspan, forbidden)
    lower.annotate(
        "never",
        (np.mean(forbidden), 0.5),
        xycoords=("data", "axes fraction"),
        ha="center",
        color=GREY,
        zorder=4,
    )
    for (name, values), colour in zip(densities.items(), (PALETTE[1], PALETTE[5])):
        lower.stairs(values, x, baseline=None, color=colour, linewidth=1.4)
        peak = values.argmax()
        right = x[peak] > 0.8
        lower.annotate(
            name,
            (x[peak], values[peak]),
            (-8, -4) if right else (0, 6),
            textcoords="offset points",
            color=colour,
            ha="right",
            va="top" if right else "bottom",
        )
    upper.set(ylabel="probability of at most x", ylim=(-0.02, 1.02))
    lower.set(xlabel="x, a value of NDCG", ylabel="density", xlim=(0, 1))
    lower.set_ylim(bottom=0.0)
    *_, sagging, stairs = staircases.items()
    return figure, (
        "Above, three rising curves: a diagonal; a sagging curve with a kink at every scale, at "
        f"{np.interp(0.5, x, sagging[1]):.2f} "
        f"in the middle; and a staircase with its widest step, at height {np.interp(0.5, x, stairs[1]):.2f}, "
        "from one third to two "
        f"thirds. Below, two densities of several humps, 0 between {forbidden[0]:.2f} and "
        f"{forbidden[1]:.2f}; the one for "
        f"{name} climbs to {values.max():.0f} near {x[values.argmax()]:.2g}."
    )


@drawing
def two_orders(sizes, fates, forbidden):
    """NDCG of several growing lists, ranked by score above and in order of arrival below.

    Parameters
    ----------
    sizes : array of shape (m,)
    fates : mapping from an order's name to a sequence of arrays of shape (m,)
        One array for each list, the lists in the same order.
    forbidden : pair of float
        Where no long list is found.
    """
    figure = Figure(figsize=(5.6, 5.4))
    for axes, (name, lists) in zip(figure.subplots(2, sharex=True, sharey=True), fates.items()):
        _forbid(axes.axhspan, forbidden)
        for place, values in enumerate(lists):
            axes.plot(
                sizes, values, color=PALETTE[place % len(PALETTE)], linewidth=1.1, drawstyle="steps-post"
            )
        axes.set_title(f"ranked {name}")
        axes.set(
            xscale="log", ylabel="NDCG, discount $r^{-2}$", ylim=(-0.03, 1.03), xlim=(sizes[0], sizes[-1])
        )
    axes.set_xlabel("items in the list, n (log scale)")
    late = sizes >= sizes[-1] // 10
    above, below = (max(np.ptp(np.array(lists)[:, late], axis=1)) for lists in fates.values())
    return figure, (
        f"Above, {len(lists)} jagged lines; over the last power of ten one of them moves by {above:.2f}. "
        "Below, as many lines "
        "that become level: over the last power of ten none moves by more than "
        f"{np.ceil(1000 * below) / 1000:.3f}."
    )


@drawing
def behind(lengths, shares):
    """Share of lists on which the better ranker is not ahead at some length from n on.

    Parameters
    ----------
    lengths : array of shape (m,)
    shares : mapping from a pair's name to an array of shape (m,)
        Zeros, for which a logarithmic axis has no place, are left out.
    """
    figure = Figure()
    axes = figure.subplots()
    for name, values in shares.items():
        some = values > 0.0
        if not some.any():
            continue
        axes.plot(lengths[some], values[some], color=PAIRS[name], drawstyle="steps-post")
        last = np.flatnonzero(some)[-1]
        axes.annotate(
            f"{name}\ntops" if last == len(values) - 1 else name,
            (lengths[last], values[last]),
            (6, 0),
            textcoords="offset points",
            color=PAIRS[name],
            va="center",
            annotation_clip=False,
        )
    axes.set(yscale="log", xlabel="items in the list, n", ylabel="share of lists (log scale)")
    axes.set_xlim(lengths[0], lengths[-1])
    seen = [
        f"for {name} tops it is {values[0]:.2f} at n = {lengths[0]} and {values[-1]:.2f} at n = {lengths[-1]}"
        + (
            f"; no list fails beyond n = {lengths[values > 0.0][-1]}"
            if 0.0 < values.max() and not values[-1]
            else ""
        )
        for name, values in shares.items()
    ]
    return figure, f"The share of lists, on a logarithmic scale: {'; '.join(seen)}."


def _forbid(span, band):
    # Above the curves, and all but opaque: jumps cross the band, but nothing is ever found in it.
    span(*band, color=_BAND, alpha=0.85, linewidth=0, zorder=3)
