"""Figures on cut-offs that are too short to distinguish two rankers consistently."""

import numpy as np
from scipy.stats import norm

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing, mixed
from ndcg_book.axes import (
    corner,
    draw_pairs,
    ends_of,
    label_ends,
    note,
    powers_of_ten,
    sheet,
    simulated,
    spoken,
)


@drawing
def seen(depths, curves, agree, lines, dots, squares):
    """Draw relevance by depth, and, by cut-off, the probability that the first ranker is ahead.

    Parameters
    ----------
    depths : array of shape (q,)
    curves : pair of arrays of shape (q,)
        Relevance of the two rankers.
    agree : float
        Depth down to which the curves coincide; this part is shaded.
    lines : mapping from a list length to (shares, chances), arrays of shape (m,)
        Cut-offs as fractions of the list, and computed probabilities.
    dots, squares : (shares, chances, low, high), arrays of shape (l,)
        Simulated lists under two couplings, with intervals.
    """
    figure, (above, below) = sheet(
        2,
        sharex=True,
        height_ratios=(2, 3),
        figsize=(5.6, 4.1),
        titles=("relevance by depth: equal in the grey part", "probability that the first ranker is ahead"),
        xlim=(0.0, 1.02),
        xlabel="depth u; cut-off c as a fraction of the list",
        each=(
            {"ylim": (-0.06, 1.06), "ylabel": "relevance"},
            {"ylim": (0.4, 1.03), "ylabel": "P(first ranker ahead)"},
        ),
    )
    for axes in (above, below):
        axes.axvspan(0.0, agree, color=GREY, alpha=0.14, linewidth=0)
    furthest = np.argmax(np.abs(curves[0] - curves[1]))
    first, second = ("first ranker", curves[0], FIRST, 2.6), ("second ranker", curves[1], SECOND, 1.4)
    for (name, curve, colour, width), (_, rival, *_) in ((first, second), (second, first)):
        above.plot(depths, curve, color=colour, linewidth=width)
        offset, side = (5, "bottom") if curve[furthest] >= rival[furthest] else (-5, "top")
        note(above, name, (depths[furthest], curve[furthest]), (0, offset), colour, ha="center", va=side)
    draw_pairs(below, lines, OTHERS, names="{:,}\nitems".format)
    simulated(below, dots[0] - 0.004, *dots[1:], "black", width=1.0)
    simulated(below, squares[0] + 0.008, *squares[1:], "black", "s", "white", width=1.0)
    below.text(agree / 2.0, 0.56, "one half", color=GREY, ha="center", va="bottom")
    return figure, (
        f"Above, two curves coincide down to depth {agree:g}. Below, curves show the probability that the "
        f"first ranker is ahead. From the fraction {agree:g} to the full list it changes "
        + ", ".join(
            f"from {np.interp(agree, shares, chances):.2f} to {chances[-1]:.2f} ({length:,} items)"
            for length, (shares, chances) in lines.items()
        )
        + f". In simulations it is {dots[1][0]:.2f} at the fraction "
        f"{dots[0][0]:g} and {dots[1][-1]:.2f} on the full list."
    )


@drawing
def failures(lines, limits):
    """Draw how often the better ranker is not ahead, by list length and cut-off.

    Parameters
    ----------
    lines : mapping from a cut-off's name to (exponents, failures), arrays of shape (m,)
        The list lengths are ``10 ** exponents``, and the failures are decimal logarithms of probabilities.
    limits : mapping from a cut-off's name to an array of shape (m,)
        Leading terms of these probabilities, as decimal logarithms, drawn as dashed lines.
    """
    lengths = np.concatenate([exponents for exponents, _ in lines.values()])
    values = np.concatenate([failing for _, failing in lines.values()])
    lowest = max(-30.0, values.min())
    figure, axes = sheet(
        xlim=(lengths.min(), lengths.max()),
        ylim=(lowest, 0.5),
        xlabel="items in the list, n (log scale)",
        ylabel="P(better ranker not ahead), log scale",
        x=powers_of_ten,
        y=powers_of_ten,
    )
    colours = dict(zip(lines, OTHERS))
    draw_pairs(axes, {name: (lines[name][0], of) for name, of in limits.items()}, colours, "--", linewidth=1)
    draw_pairs(axes, lines, colours, "o-", markersize=3.5)
    label_ends(axes, {name: end for name, end in ends_of(lines).items() if end >= lowest}, colours)
    for name, (exponents, falling) in lines.items():
        if falling[-1] < lowest:  # the name is next to the point where the line leaves the axes
            note(
                axes,
                name,
                (np.interp(-0.9 * lowest, np.negative(falling), exponents), 0.9 * lowest),
                (8, 0),
                colours[name],
                va="center",
            )
    return figure, (
        f"Lines show failure probabilities on two logarithmic scales. At 10^{lengths.max():g} items they are "
        + ", ".join(f"10^{end:.0f} (k = {spoken(name)})" for name, end in ends_of(lines).items())
        + "."
    )


@drawing
def border(sizes, cutoffs, scores, exponent, passing):
    """Draw the probability that the better ranker is ahead, by length and cut-off.

    A line has the slope of the boundary between cut-offs that distinguish the rankers and those that do not.

    Parameters
    ----------
    sizes, cutoffs : arrays of shape (q, m)
        Decimal logarithms, on a grid that need not be rectangular; the last row has ``k = n``.
    scores : array of shape (q, m)
        Mean of the gap divided by the standard deviation of the gap. All values are positive.
    exponent : float
        Slope of the boundary.
    passing : float
        Height of the boundary at list length 1, as a decimal logarithm.
    """
    first, last = sizes.min(), sizes.max()
    figure, axes = sheet(
        figsize=(5.6, 4.2),
        xlim=(first, last),
        ylim=(0.0, cutoffs.max()),
        xlabel="items in the list, n (log scale)",
        ylabel="cut-off, k (log scale)",
        x=powers_of_ten,
        y=powers_of_ten,
        no_grid="both",
    )
    chances = [0.55, 0.75, 0.95, 0.999]
    heights = np.log(norm.ppf(chances))
    # If all scales are logarithmic, the score is nearly linear, so a coarse grid is enough.
    scores = np.log(scores)
    shades = [mixed(FIRST, strength) for strength in (0.0, 0.16, 0.36, 0.63, 1.0)]
    edges = [min(scores.min(), heights[0]) - 1.0, *heights, max(scores.max(), heights[-1]) + 1.0]
    axes.contourf(sizes, cutoffs, scores, edges, colors=shades)
    axes.plot(sizes[-1], cutoffs[-1], color=GREY, linewidth=1.2)
    axes.plot(sizes[-1], passing + exponent * sizes[-1], color="black", linestyle="--")
    for chance, height, column in zip(chances, heights, (-4, -3, -2)):
        axes.text(
            sizes[0, column],
            np.interp(height, scores[:, column], cutoffs[:, column]),
            f"{100 * chance:g}%",
            ha="center",
            va="center",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
        )
    corner(axes, "k > n", (0.03, 0.95), GREY)
    corner(axes, "too short: one half", (0.97, 0.05), va="baseline")
    middle = sizes.shape[1] // 2
    climb = zip(norm.cdf(np.exp(scores[:, middle])), cutoffs[:, middle])
    return figure, (
        f"Shaded bands climb with slope {exponent:.2f} on two logarithmic scales. At "
        f"10^{sizes[0, middle]:g} items the probability that the better ranker is ahead is "
        + ", ".join(f"{chance:.2f} at k = 10^{cutoff:.1f}" for chance, cutoff in climb)
        + "."
    )
