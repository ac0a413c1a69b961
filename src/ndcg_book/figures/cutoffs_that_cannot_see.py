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
def relevance_and_chances(depths, curves, agree, lines, dots, squares):
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
    first_curve, second_curve = curves
    widest_gap = np.argmax(np.abs(first_curve - second_curve))
    # The names are where the gap is widest, above the upper curve and below the lower curve.
    for name, curve, other_curve, colour, width in (
        ("first ranker", first_curve, second_curve, FIRST, 2.6),
        ("second ranker", second_curve, first_curve, SECOND, 1.4),
    ):
        upper.plot(depths, curve, color=colour, linewidth=width)
        offset, alignment = (5, "bottom") if curve[widest_gap] >= other_curve[widest_gap] else (-5, "top")
        name_point = depths[widest_gap], curve[widest_gap]
        write_near(upper, name, name_point, (0, offset), colour, ha="center", va=alignment)
    draw_xy(lower, lines, OTHERS, label_of="{:,}\nitems".format)
    # Dots and squares are shifted apart, so that they do not cover each other.
    dot_shares, *dot_values = dots
    square_shares, *square_values = squares
    draw_simulated(lower, dot_shares - 0.004, *dot_values, "black", width=1.0)
    draw_simulated(lower, square_shares + 0.008, *square_values, "black", "s", "white", width=1.0)
    lower.text(agree / 2.0, 0.56, "one half", color=GREY, ha="center", va="bottom")
    dot_chances, *_ = dot_values
    return figure, (
        f"Above, two curves coincide down to depth {agree:g}. Below, curves show the probability that the "
        f"first ranker is ahead. From the fraction {agree:g} to the full list it changes "
        + ", ".join(
            f"from {np.interp(agree, shares, chances):.2f} to {chances[-1]:.2f} ({length:,} items)"
            for length, (shares, chances) in lines.items()
        )
        + f". In simulations it is {dot_chances[0]:.2f} at the fraction "
        f"{dot_shares[0]:g} and {dot_chances[-1]:.2f} on the full list."
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
    all_exponents, all_log_failures = map(np.concatenate, zip(*lines.values()))
    lowest, longest = max(-30.0, all_log_failures.min()), all_exponents.max()
    figure, axes = sheet(
        xlim=(all_exponents.min(), longest),
        ylim=(lowest, 0.5),
        xlabel="items in the list, n (log scale)",
        ylabel="P(better ranker not ahead), log scale",
        x_labels=powers_of_ten,
        y_labels=powers_of_ten,
    )
    colours = dict(zip(lines, OTHERS))
    exponents_of = {name: exponents for name, (exponents, _) in lines.items()}
    leading_terms = {name: (exponents_of[name], log_terms) for name, log_terms in limits.items()}
    draw_xy(axes, leading_terms, colours, "--", linewidth=1)
    draw_xy(axes, lines, colours, "o-", markersize=3.5)
    last_heights = final_heights(lines)
    label_ends(axes, {name: height for name, height in last_heights.items() if height >= lowest}, colours)
    for name, (exponents, log_failures) in lines.items():
        if log_failures[-1] < lowest:  # the name is next to the point where the line leaves the axes
            name_height = 0.9 * lowest
            # The failures decrease; the points of np.interp must increase.
            name_exponent = np.interp(-name_height, np.negative(log_failures), exponents)
            write_near(axes, name, (name_exponent, name_height), (8, 0), colours[name], va="center")
    return figure, (
        f"Lines show failure probabilities on two logarithmic scales. At 10^{longest:g} items "
        "they are "
        + ", ".join(f"10^{height:.0f} (k = {without_tex(name)})" for name, height in last_heights.items())
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
    # If all scales are logarithmic, the score is nearly linear, so a coarse grid is enough. The chance is
    # about norm.cdf(score).
    log_levels, log_scores = np.log(norm.ppf(chances)), np.log(scores)
    shades = [mixed(FIRST, tint_strength) for tint_strength in (0.0, 0.16, 0.36, 0.63, 1.0)]
    band_edges = [
        min(log_scores.min(), log_levels[0]) - 1.0,
        *log_levels,
        max(log_scores.max(), log_levels[-1]) + 1.0,
    ]
    axes.contourf(sizes, cutoffs, log_scores, band_edges, colors=shades)
    *_, full_list_sizes = sizes
    *_, full_list_cutoffs = cutoffs
    axes.plot(full_list_sizes, full_list_cutoffs, color=GREY, linewidth=1.2)
    axes.plot(full_list_sizes, passing + exponent * full_list_sizes, color="black", linestyle="--")
    # All levels but the highest have a label, each in a column of its own, so that no two labels touch.
    for chance, log_level, column in zip(chances, log_levels, (-4, -3, -2)):
        axes.text(
            sizes[0, column],
            np.interp(log_level, log_scores[:, column], cutoffs[:, column]),
            f"{100 * chance:g}%",
            ha="center",
            va="center",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
        )
    write_in_corner(axes, "k > n", (0.03, 0.95), GREY)
    write_in_corner(axes, "too short: one half", (0.97, 0.05), va="baseline")
    middle_column = sizes.shape[1] // 2
    chances_by_cutoff = zip(norm.cdf(np.exp(log_scores[:, middle_column])), cutoffs[:, middle_column])
    return figure, (
        f"Shaded bands climb with slope {exponent:.2f} on two logarithmic scales. At "
        f"10^{sizes[0, middle_column]:g} items the probability that the better ranker is ahead is "
        + ", ".join(f"{chance:.2f} at k = 10^{cutoff:.1f}" for chance, cutoff in chances_by_cutoff)
        + "."
    )
