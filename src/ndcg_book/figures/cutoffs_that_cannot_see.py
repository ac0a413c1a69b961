"""Figures on cut-offs that are too short to distinguish two rankers consistently."""

import numpy as np
from scipy.stats import norm

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing, mixed
from ndcg_book.axes import (
    draw_simulated,
    draw_xy,
    final_heights,
    label_ends,
    powers_of_ten,
    sheet,
    without_tex,
    write_in_corner,
    write_near,
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
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        height_ratios=(2, 3),
        figsize=(5.6, 4.1),
        titles=("relevance by depth: equal in the grey part", "probability that the first ranker is ahead"),
        xlim=(0.0, 1.02),
        xlabel="depth u; cut-off c as a fraction of the list",
        panel_options=(
            {"ylim": (-0.06, 1.06), "ylabel": "relevance"},
            {"ylim": (0.4, 1.03), "ylabel": "P(first ranker ahead)"},
        ),
    )
    for axes in (upper, lower):
        axes.axvspan(0.0, agree, color=GREY, alpha=0.14, linewidth=0)
    widest_gap = np.argmax(np.abs(curves[0] - curves[1]))
    first_ranker = ("first ranker", curves[0], FIRST, 2.6)
    second_ranker = ("second ranker", curves[1], SECOND, 1.4)
    for (name, curve, colour, width), (_, other_curve, *_) in (
        (first_ranker, second_ranker),
        (second_ranker, first_ranker),
    ):
        upper.plot(depths, curve, color=colour, linewidth=width)
        offset, alignment = (5, "bottom") if curve[widest_gap] >= other_curve[widest_gap] else (-5, "top")
        write_near(
            upper,
            name,
            (depths[widest_gap], curve[widest_gap]),
            (0, offset),
            colour,
            ha="center",
            va=alignment,
        )
    draw_xy(lower, lines, OTHERS, names="{:,}\nitems".format)
    # Dots and squares are shifted apart, so that they do not cover each other.
    draw_simulated(lower, dots[0] - 0.004, *dots[1:], "black", width=1.0)
    draw_simulated(lower, squares[0] + 0.008, *squares[1:], "black", "s", "white", width=1.0)
    lower.text(agree / 2.0, 0.56, "one half", color=GREY, ha="center", va="bottom")
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
    all_exponents = np.concatenate([exponents for exponents, _ in lines.values()])
    all_log_failures = np.concatenate(
        [log_failures_of_cutoff for _, log_failures_of_cutoff in lines.values()]
    )
    lowest = max(-30.0, all_log_failures.min())
    figure, axes = sheet(
        xlim=(all_exponents.min(), all_exponents.max()),
        ylim=(lowest, 0.5),
        xlabel="items in the list, n (log scale)",
        ylabel="P(better ranker not ahead), log scale",
        x_labels=powers_of_ten,
        y_labels=powers_of_ten,
    )
    colours = dict(zip(lines, OTHERS))
    draw_xy(
        axes,
        {name: (lines[name][0], values_of_limit) for name, values_of_limit in limits.items()},
        colours,
        "--",
        linewidth=1,
    )
    draw_xy(axes, lines, colours, "o-", markersize=3.5)
    label_ends(
        axes,
        {name: end_height for name, end_height in final_heights(lines).items() if end_height >= lowest},
        colours,
    )
    for name, (exponents, log_failures) in lines.items():
        if log_failures[-1] < lowest:  # the name is next to the point where the line leaves the axes
            write_near(
                axes,
                name,
                (np.interp(-0.9 * lowest, np.negative(log_failures), exponents), 0.9 * lowest),
                (8, 0),
                colours[name],
                va="center",
            )
    return figure, (
        f"Lines show failure probabilities on two logarithmic scales. At 10^{all_exponents.max():g} items "
        "they are "
        + ", ".join(
            f"10^{end_height:.0f} (k = {without_tex(name)})"
            for name, end_height in final_heights(lines).items()
        )
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
    shortest, longest = sizes.min(), sizes.max()
    figure, axes = sheet(
        figsize=(5.6, 4.2),
        xlim=(shortest, longest),
        ylim=(0.0, cutoffs.max()),
        xlabel="items in the list, n (log scale)",
        ylabel="cut-off, k (log scale)",
        x_labels=powers_of_ten,
        y_labels=powers_of_ten,
        no_grid="both",
    )
    chances = [0.55, 0.75, 0.95, 0.999]
    score_levels = np.log(norm.ppf(chances))
    # If all scales are logarithmic, the score is nearly linear, so a coarse grid is enough.
    scores = np.log(scores)
    shades = [mixed(FIRST, tint_strength) for tint_strength in (0.0, 0.16, 0.36, 0.63, 1.0)]
    band_edges = [
        min(scores.min(), score_levels[0]) - 1.0,
        *score_levels,
        max(scores.max(), score_levels[-1]) + 1.0,
    ]
    axes.contourf(sizes, cutoffs, scores, band_edges, colors=shades)
    axes.plot(sizes[-1], cutoffs[-1], color=GREY, linewidth=1.2)
    axes.plot(sizes[-1], passing + exponent * sizes[-1], color="black", linestyle="--")
    for chance, score_level, column in zip(chances, score_levels, (-4, -3, -2)):
        axes.text(
            sizes[0, column],
            np.interp(score_level, scores[:, column], cutoffs[:, column]),
            f"{100 * chance:g}%",
            ha="center",
            va="center",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
        )
    write_in_corner(axes, "k > n", (0.03, 0.95), GREY)
    write_in_corner(axes, "too short: one half", (0.97, 0.05), va="baseline")
    middle_column = sizes.shape[1] // 2
    chances_by_cutoff = zip(norm.cdf(np.exp(scores[:, middle_column])), cutoffs[:, middle_column])
    return figure, (
        f"Shaded bands climb with slope {exponent:.2f} on two logarithmic scales. At "
        f"10^{sizes[0, middle_column]:g} items the probability that the better ranker is ahead is "
        + ", ".join(f"{chance:.2f} at k = 10^{cutoff:.1f}" for chance, cutoff in chances_by_cutoff)
        + "."
    )
