"""Figures on cut-offs and telling apart: what a share of the list cannot see, and what is too short."""

import numpy as np
from scipy.stats import norm

from ndcg_companion.chapter.axes import label_ends, powers_of_ten, sheet, simulated, spoken
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

FIRST, SECOND = PALETTE[0], PALETTE[1]  # the two rankers
_LENGTHS = (PALETTE[2], PALETTE[3], PALETTE[4])
_CUTOFFS = (PALETTE[1], PALETTE[3], PALETTE[2], PALETTE[0])


@drawing
def seen(depths, curves, agree, lines, dots, squares):
    """Above, relevance over the depth; below, the chance of the first ranker over the share that counts.

    Parameters
    ----------
    depths : array of shape (q,)
    curves : pair of arrays of shape (q,)
        Relevance of either ranker.
    agree : float
        Depth down to which the curves are the same; shaded.
    lines : mapping from a list length to (shares, chances), arrays of shape (m,)
        What theory says.
    dots, squares : (shares, chances, low, high), arrays of shape (l,)
        Simulated lists under two couplings, with intervals.
    """
    figure, (above, below) = sheet(2, sharex=True, height_ratios=(2, 3), figsize=(5.6, 5.0))
    for axes in (above, below):
        axes.axvspan(0.0, agree, color=GREY, alpha=0.14, linewidth=0)
    for name, curve, colour in (("first ranker", curves[0], FIRST), ("second ranker", curves[1], SECOND)):
        above.plot(depths, curve, color=colour, linewidth=2.6 if colour == FIRST else 1.4)
        place = np.argmax(np.abs(curves[0] - curves[1]))
        up = curve[place] == max(each[place] for each in curves)
        above.annotate(
            name,
            (depths[place], curve[place]),
            (0, 5 if up else -5),
            textcoords="offset points",
            color=colour,
            ha="center",
            va="bottom" if up else "top",
        )
    above.set(ylim=(-0.06, 1.06), ylabel="relevance", title="relevance by depth: the same in the grey part")
    colours = dict(zip(lines, _LENGTHS))
    for length, (shares, chances) in lines.items():
        below.plot(shares, chances, color=colours[length])
    for (shares, *seen_chances), shift, marker, face in (
        (dots, -0.004, "o", None),
        (squares, 0.008, "s", "white"),
    ):
        simulated(below, shares + shift, *seen_chances, "black", marker, face, width=1.0)
    below.set(
        xlim=(0.0, 1.02),
        ylim=(0.4, 1.03),
        ylabel="P(first ranker ahead)",
        xlabel="depth u; share c of the list that counts",
        title="chance of the first ranker by the cut",
    )
    below.text(agree / 2.0, 0.56, "a fair coin", color=GREY, ha="center", va="bottom")
    ends = {name: values[-1] for name, (_, values) in lines.items()}
    label_ends(below, ends, colours, lambda length: f"{length:,}\nitems", lines=2)
    told = ", ".join(
        f"from {np.interp(agree, shares, chances):.2f} to {chances[-1]:.2f} ({length:,} items)"
        for length, (shares, chances) in lines.items()
    )
    return figure, (
        f"Above, two curves that coincide down to depth {agree:g}. Below, the chance of the first ranker: "
        f"from the share {agree:g} to the full list it goes {told}. Simulated: {dots[1][0]:.2f} at the share "
        f"{dots[0][0]:g} and {dots[1][-1]:.2f} on the full list."
    )


@drawing
def failures(lines, limits):
    """The probability that the better ranker is not ahead, over the length of the list, for several cut-offs.

    Parameters
    ----------
    lines : mapping from a cut-off's name to (exponents, failures), arrays of shape (m,)
        The list lengths are ``10 ** exponents``; the failures are decimal logarithms of probabilities.
    limits : mapping from a cut-off's name to an array of shape (m,)
        What they are to the first order, as decimal logarithms; drawn dashed.
    """
    figure, axes = sheet()
    colours = dict(zip(lines, _CUTOFFS))
    for name, values in limits.items():
        axes.plot(lines[name][0], values, "--", color=colours[name], linewidth=1.0)
    for name, (exponents, values) in lines.items():
        axes.plot(exponents, values, "o-", color=colours[name], markersize=3.5)
    powers_of_ten(axes.xaxis, axes.yaxis)
    first, last = (end(end(exponents) for exponents, _ in lines.values()) for end in (min, max))
    lowest = max(-30.0, min(np.min(values) for _, values in lines.values()))
    axes.set(
        xlim=(first, last),
        ylim=(lowest, 0.5),
        xlabel="items in the list, n (log scale)",
        ylabel="P(better ranker not ahead), log scale",
    )
    inside = {name: values[-1] for name, (_, values) in lines.items() if values[-1] >= lowest}
    label_ends(axes, inside, colours)
    for name in lines.keys() - inside.keys():  # its name stands where the line leaves the picture
        exponents, values = lines[name]
        axes.annotate(
            name,
            (np.interp(-0.9 * lowest, np.negative(values), exponents), 0.9 * lowest),
            (8, 0),
            textcoords="offset points",
            va="center",
            color=colours[name],
        )
    told = ", ".join(f"10^{values[-1]:.0f} (k = {spoken(name)})" for name, (_, values) in lines.items())
    return figure, f"Failure probabilities on two logarithmic scales; at 10^{last:g} items they are {told}."


@drawing
def border(sizes, cutoffs, scores, exponent, passing):
    """The chance of the better ranker over list length and cut-off, with the line that the border follows.

    Parameters
    ----------
    sizes, cutoffs : arrays of shape (q, m)
        Decimal logarithms, on a grid that need not be rectangular; the last row has ``k = n``.
    scores : array of shape (q, m)
        Mean over standard deviation of the gap, positive.
    exponent : float
        Slope of the border.
    passing : float
        Height of the border at list length 1, as a decimal logarithm.
    """
    figure, axes = sheet(figsize=(5.6, 4.2))
    levels = np.array([0.55, 0.75, 0.95, 0.999])
    heights = np.log(norm.ppf(levels))
    # On logarithmic scales all around the score is nearly linear, and a coarse grid will do.
    scores = np.log(scores)
    shades = ["#ffffff", "#dbe7f9", "#adc8f1", "#6f9fe4", FIRST]
    edges = [min(scores.min(), heights[0]) - 1.0, *heights, max(scores.max(), heights[-1]) + 1.0]
    axes.contourf(sizes, cutoffs, scores, edges, colors=shades)
    first, last = sizes.min(), sizes.max()
    axes.plot(sizes[-1], cutoffs[-1], color=GREY, linewidth=1.2)
    axes.plot(
        [first, last], [passing + exponent * first, passing + exponent * last], color="black", linestyle="--"
    )
    for level, height, column in zip(levels, heights, (-4, -3, -2)):
        place = np.interp(height, scores[:, column], cutoffs[:, column])
        axes.text(
            sizes[0, column],
            place,
            f"{100 * level:g} %",
            ha="center",
            va="center",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
        )
    powers_of_ten(axes.xaxis, axes.yaxis)
    axes.set(
        xlim=(first, last),
        ylim=(0.0, cutoffs.max()),
        xlabel="items in the list, n (log scale)",
        ylabel="cut-off, k (log scale)",
    )
    axes.grid(False)
    axes.text(0.03, 0.95, "k > n", color=GREY, transform=axes.transAxes, va="top")
    axes.text(0.97, 0.05, "too short: a coin toss", transform=axes.transAxes, ha="right")
    middle = sizes.shape[1] // 2
    column = zip(norm.cdf(np.exp(scores[:, middle])), cutoffs[:, middle])
    told = ", ".join(f"{chance:.2f} at k = 10^{cutoff:.1f}" for chance, cutoff in column)
    return figure, (
        f"Shaded bands that climb with slope {exponent:.2f} on two logarithmic scales. At "
        f"10^{sizes[0, middle]:g} items the chance of the better ranker is {told}."
    )
