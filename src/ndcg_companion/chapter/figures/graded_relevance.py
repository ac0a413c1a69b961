"""Figures of the chapter on graded labels (theorems 14 to 17).

Rankings of the same items come as mappings from the names in `COLOURS` to their values.
"""

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure

from ndcg_companion.chapter.axes import label_ends
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

COLOURS = {"by score": PALETTE[0], "random": PALETTE[2], "upside down": PALETTE[1]}
SETTINGS = dict(zip(("14", "15", "16", "17"), (PALETTE[0], PALETTE[1], PALETTE[2], PALETTE[3])))


def _shades(count):
    """Colours of layers, the lowest palest."""
    return colormaps["Blues"](np.linspace(0.25, 0.75, count))


@drawing
def stack(depths, layers, heights, widths):
    """The mean grade at each depth as a stack of binary layers, and the staircase of the ideal list.

    Parameters
    ----------
    depths : array of shape (m,)
    layers : array of shape (j, m)
        ``P(Y >= grade | depth)`` for each grade but the lowest, lowest first.
    heights : array of shape (j,)
        What each layer adds to the label.
    widths : array of shape (j,)
        ``P(Y >= grade)``: where the ideal list steps down.
    """
    figure = Figure()
    axes = figure.subplots()
    base = np.zeros(len(depths))
    for layer, height, colour in zip(layers, heights, _shades(len(heights)), strict=True):
        axes.fill_between(depths, base, base + height * layer, color=colour, linewidth=0)
        base = base + height * layer
    axes.plot(depths, base, color=PALETTE[0])
    edges = np.concatenate([[0.0], np.repeat(widths[::-1], 2), [1.0]])
    levels = np.repeat(np.append(np.cumsum(heights)[::-1], 0.0), 2)
    axes.plot(edges, levels, color="black", linewidth=1.4)
    axes.annotate("ideal list", (widths[-1], np.sum(heights)), (5, 0), textcoords="offset points", va="top")
    axes.set(xlim=(0, 1), xlabel="depth, u (0 is the top of the list)", ylabel="label")
    axes.set_ylim(0, 1.04 * np.sum(heights))
    axes.grid(visible=False)
    steps = ", ".join(f"{width:.2f}" for width in widths[::-1])
    return figure, (
        f"A stack of {len(heights)} bands over the depth, {base[0]:.2f} high at the top of the list and "
        f"{base[-1]:.2f} at the "
        f"bottom, and a staircase from {np.sum(heights):g} that steps down at depths {steps}."
    )


@drawing
def layers_by_exponent(betas, layers, totals, titles):
    """The limit over the exponent of the discount: each layer, and the graded measure that averages them.

    Parameters
    ----------
    betas : array of shape (m,)
    layers : array of shape (j, m)
        Limits of the binary layers, lowest first.
    totals : sequence of arrays of shape (m,)
        The graded limit, one for each gain.
    titles : sequence of str
    """
    figure = Figure(figsize=(5.6, 2.9 * len(totals)))
    panels = figure.subplots(len(totals), sharex=True, sharey=True, squeeze=False)[:, 0]
    shades = colormaps["Blues"](np.linspace(0.45, 0.85, len(layers)))
    for axes, total, title in zip(panels, totals, titles, strict=True):
        for layer, shade in zip(layers, shades, strict=True):
            axes.plot(betas, layer, color=shade, linewidth=1.2)
        axes.plot(betas, total, color=PALETTE[1], linewidth=2.6)
        axes.set(title=title, ylabel="limit of NDCG", xlim=(betas[0], betas[-1]))
        names = [f"layer ≥ {grade}" for grade in range(1, len(layers) + 1)]
        ends = dict(zip(names, layers[:, -1])) | {"graded": total[-1]}
        label_ends(axes, ends, dict(zip(names, shades)) | {"graded": PALETTE[1]})
    panels[-1].set_xlabel("exponent of the discount, β")
    place = len(betas) // 2 + 1
    middle = ", ".join(f"{value:.3f}" for value in layers[:, place])
    means = " and ".join(f"{total[place]:.3f} with {title}" for total, title in zip(totals, titles))
    return figure, (
        f"{len(totals)} panels of curves over β from 0 to {betas[-1]:.2f}. At β = {betas[place]:.2f} the "
        f"layers are at {middle}, "
        f"the graded limit at {means}."
    )


@drawing
def approach(sizes, expected, limits, dots, observed, intervals):
    """NDCG in the settings of the four theorems as the list grows: lists, expectations and limits.

    Parameters
    ----------
    sizes : array of shape (m,)
    expected : mapping from a theorem's number to an array of shape (m,)
    limits : mapping from a theorem's number to its limit
    dots : array of shape (q,)
        Sizes of the simulated lists.
    observed : mapping from a theorem's number to an array of shape (q,)
    intervals : mapping from a theorem's number to an array of shape (q,)
        Half the width of the interval of each.
    """
    figure = Figure(figsize=(5.6, 6.2))
    upper, lower = figure.subplots(2, sharex=True, height_ratios=(3, 2))
    for number, colour in SETTINGS.items():
        upper.axhline(limits[number], color=colour, linestyle=":", linewidth=1.2)
        upper.plot(sizes, expected[number], color=colour, linewidth=1.4)
        upper.errorbar(
            dots, observed[number], intervals[number], fmt="o", color=colour, markersize=4, elinewidth=1.2
        )
        missing = np.abs(expected[number] - limits[number])
        if (missing > 1e-12).all():
            lower.plot(sizes, missing, color=colour)
    upper.set(xscale="log", ylabel="NDCG")
    lower.set(xscale="log", yscale="log", xlabel="items, n (log scale)", ylabel="|NDCG − limit| (log scale)")
    label_ends(
        upper,
        {f"theorem {number}": limits[number] for number in SETTINGS},
        {f"theorem {number}": colour for number, colour in SETTINGS.items()},
    )
    dotted = ", ".join(f"{limit:.3f} (theorem {number})" for number, limit in limits.items())
    ends = ", ".join(f"{abs(expected[number][-1] - limit):.1g}" for number, limit in limits.items())
    return figure, (
        f"{len(limits)} curves over n and as many dotted lines, at {dotted}; below, their distances to the "
        "limits at "
        f"n = {sizes[-1]:.0e} are {ends}."
    )


@drawing
def rare_top(sizes, values, before, after, share):
    """NDCG@k with k about the root of n while the best grade is rarer than k, and afterwards.

    Parameters
    ----------
    sizes, values : arrays of shape (m,)
    before, after : float
        What NDCG@k would tend to if the best grade did not exist, and its limit.
    share : float
        Of the best grade.
    """
    figure = Figure()
    axes = figure.subplots()
    axes.axvline(share**-2, color=GREY, linewidth=1, linestyle="--")
    axes.axhline(after, color=GREY, linewidth=1.2, linestyle=":")
    axes.axhline(before, color=GREY, linewidth=1.2, linestyle=":")
    axes.plot(sizes, values, color=PALETTE[0], linewidth=2.2)
    axes.annotate("the limit, theorem 15", (sizes[0], after), (0, 4), textcoords="offset points", color=GREY)
    axes.annotate(
        "without the best grade",
        (sizes[-1], before),
        (0, 4),
        textcoords="offset points",
        color=GREY,
        ha="right",
    )
    axes.set(
        xscale="log",
        xlabel="items, n (log scale)",
        ylabel="NDCG@k, k = √n",
        ylim=(min(after, values.min()) - 0.08, 1.03),
    )
    at = np.interp(np.log([1e6, share**-2]), np.log(sizes), values)
    return figure, (
        f"A curve that starts at {values[0]:.2f}, is {at[0]:.2f} at a million items, {at[1]:.2f} at "
        f"{share**-2:.0e} and "
        f"{values[-1]:.3f} at the end; the limit is {after:.3f}."
    )
