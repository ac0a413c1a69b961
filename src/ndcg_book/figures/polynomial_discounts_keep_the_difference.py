"""Figures of the chapter on theorem 7, by which every ranking has its own limit under a power discount.

Rankings of the same items are given as mappings from the names in `RANKINGS` to their values.
"""

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from claimbook.text import minus
from ndcg_book.axes import (
    RANKINGS,
    as_text,
    colours_by_name,
    draw,
    draw_contours,
    draw_intervals,
    draw_levels,
    draw_with_dots,
    final_values,
    items_axis,
    label_ends,
    power_of_ten,
    powers_on_log,
    sheet,
    write_near,
)

_MARKERS = ("v", "s", "o")


@drawing
def settling(lengths, expected, limits, sizes, observed, margins):
    """Draw NDCG as the list grows: exact expectations, simulated lists and limits.

    Parameters
    ----------
    lengths : array of shape (m,)
        List lengths of the exact expectations.
    expected : mapping from a ranking's name to an array of shape (m,)
    limits : mapping from a ranking's name to its limit
    sizes : array of shape (q,)
        List lengths that were simulated.
    observed, margins : mapping from a ranking's name to an array of shape (q,)
        Simulated values and the half-widths of their intervals.
    """
    figure, axes = sheet(
        title="dots: simulated, lines: exact, dotted: limits",
        xscale="log",
        xlim=(lengths[0] / 1.3, lengths[-1] * 1.3),
        xlabel="items, n (log scale)",
        ylabel="NDCG",
        x_labels=powers_on_log,
    )
    draw(axes, lengths, expected, RANKINGS, linewidth=1.4)
    draw_intervals(axes, sizes, observed, margins, RANKINGS)
    draw_levels(axes, {name: limits[name] for name in expected}, RANKINGS, label_of=str, width=1.1)
    return figure, (
        f"{len(limits)} curves go from {lengths[0]:,} to {lengths[-1]:,} items and approach dotted lines at "
        f"{as_text(limits, '.3f')}."
    )


@drawing
def closing_in(lengths, expected, limits, predicted, bound):
    """Draw the distance of the expectation from its limit, and a bound.

    Parameters
    ----------
    lengths : array of shape (m,)
    expected, predicted : mapping from a ranking's name to an array of shape (m,)
        The expectation, and the leading term of its distance to the limit. Rankings without a leading term
        are omitted.
    limits : mapping from a ranking's name to its limit
    bound : array of shape (m,)
        Upper bound for all distances.
    """
    figure, axes = sheet(
        title="dots: exact, lines: predicted, dashed: bound",
        xscale="log",
        yscale="log",
        xlim=(lengths[0] / 1.3, lengths[-1] * 1.3),
        xlabel="items, n (log scale)",
        ylabel="|NDCG − limit| (log scale)",
        x_labels=powers_on_log,
    )
    distances = {name: np.abs(expected[name] - limits[name]) for name in predicted}
    axes.plot(lengths, bound, "--", color=GREY, linewidth=1.2)
    predicted_distances = {name: np.abs(values) for name, values in predicted.items()}
    draw_with_dots(
        axes, lengths, predicted_distances, lengths, distances, RANKINGS, label_of=str, linewidth=1.2
    )
    return figure, (
        f"Straight lines decrease from {lengths[0]:,} to {lengths[-1]:,} items. For the longest lists they "
        "are at " + ", ".join(f"{distance[-1]:.0e} ({name})" for name, distance in distances.items()) + "."
    )


@drawing
def five_limits(betas, limits, sizes, paths, right_values):
    """Draw the limits of five rankings by exponent, and one growing list.

    Parameters
    ----------
    betas : array of shape (m,)
        Exponents of the discount, on the first axes.
    limits : mapping from a ranking's name to an array of shape (m,)
    sizes : array of shape (q,)
    paths : mapping from a ranking's name to an array of shape (q,)
        NDCG of the growing list under the discount of the second axes.
    ends : mapping from a ranking's name to its limit under that discount
    """
    figure, (left, right) = sheet(
        1,
        2,
        figsize=(8.0, 3.3),
        sharey=True,
        titles=("limit, by exponent", r"one list that grows, discount $1/\sqrt{r}$"),
        panel_options=({"xlabel": "exponent β of the discount", "xlim": (0, 1)}, items_axis(sizes)),
        ylim=(0.0, 1.03),
    )
    powers_on_log(right.xaxis)
    left.set_ylabel("NDCG")
    draw(left, betas, limits, RANKINGS)
    draw(right, sizes, paths, RANKINGS, linewidth=1.4)
    draw_levels(right, right_values, RANKINGS)
    label_ends(right, right_values, RANKINGS, _label)
    right_limits = {_label(name): value for name, value in right_values.items()}
    last_values = {_label(name): value for name, value in final_values(paths).items()}
    left_limits = {_label(name): value for name, value in final_values(limits).items()}
    return figure, (
        f"On the left, {len(limits)} curves start together at {limits['by score'][0]:g} for β = {betas[0]:g} "
        f"and end at {as_text(left_limits, '.2f')} for β = {betas[-1]:g}. On the right, the curves of a list "
        f"that grows to {sizes[-1]:,} items flatten and end at {as_text(last_values, '.3f')}, next to dotted "
        f"lines at {as_text(right_limits, '.3f')}."
    )


def _label(name):
    """Return the name that a ranking has in figures with the best and the worst order."""
    return "worst" if name == "reverse-ideal" else name


@drawing
def fan(betas, lines, chosen, slope):
    """Draw the limit by exponent of the discount, one line for each relevance curve.

    Parameters
    ----------
    betas : array of shape (m,)
        Exponents from 0, the log discount, to 1, the Zipfian discount.
    lines : mapping from a curve's name to an array of shape (m,)
    chosen : str
        Name of the line that is highlighted.
    slope : float
        Slope of the highlighted line at 0.
    """
    figure, axes = sheet(
        figsize=(5.6, 4.2),
        xlim=(0, 1),
        ylim=(-0.1, 1.03),
        xlabel="exponent β of the discount",
        ylabel="limit of NDCG",
    )
    colours = colours_by_name([name for name in lines if name != chosen], OTHERS) | {chosen: "black"}
    draw(axes, betas, lines, colours, label_of=str, linewidth=1.5)
    axes.plot(betas, lines[chosen], color=colours[chosen], linewidth=2.8)
    small_betas = betas[betas <= 0.35]
    axes.plot(small_betas, 1.0 + slope * small_betas, "--", color=colours[chosen], linewidth=1.1)
    axes.set_title("β → 0: theorem 4", loc="left")
    axes.set_title("β → 1: theorem 9", loc="right")
    return figure, (
        f"{len(lines)} curves fan out from 1 at β = 0; at β = 1 they are at "
        f"{as_text(final_values(lines), '.2f')}."
    )


@drawing
def signal(betas, kept, values):
    """Draw contours of the limit by exponent and by quality of the ranker.

    Parameters
    ----------
    betas : array of shape (m,)
    kept : array of shape (q,)
        Fraction of the scores that are kept (the others are random); negative for reversed rankings.
    values : array of shape (q, m)
    """
    figure, axes = sheet(
        figsize=(5.6, 4.4),
        xlim=(0, 1),
        ylim=(-1, 1),
        xlabel="exponent β of the discount",
        yticks=(1.0, 0.5, 0.0, -0.5, -1.0),
        yticklabels=("by score", "half", "random", "half", "upside down"),
    )
    draw_contours(axes, betas, kept, values)
    axes.axhline(0.0, color="black", linestyle="--", linewidth=1)
    # The lowest label is lifted, so that it does not touch the number below.
    axes.get_yticklabels()[-1].set_verticalalignment("bottom")
    bottom, middle, top = values[[0, len(kept) // 2, -1], -1]
    return figure, (
        f"Contours show the limit, from {values.min():.2f} to {values.max():.2f}. It is {values[0, 0]:.2g} "
        f"everywhere on the left edge. On the right edge it is {bottom:.2f} at the bottom, "
        f"{middle:.2f} in the middle and {top:.2f} at the top."
    )


@drawing
def constants(betas, zetas, measured):
    """Draw the constant of the second-order term by exponent, and estimates.

    Parameters
    ----------
    betas, zetas : array of shape (m,)
        Exponents, and the predicted constant.
    measured : mapping from a list length to a pair of arrays
        Exponents and estimated constants, ordered by list length.
    """
    figure, axes = sheet(
        xlim=(0, 1),
        ylim=(-1.12, max(-0.3, *(estimates.max() + 0.05 for _, estimates in measured.values()))),
        ylabel="constant",
        xlabel="exponent β of the discount",
        hlines=(-1.0,),
        line_style="--",
    )
    axes.plot(betas, zetas, color="black")
    for (length, estimates), marker, colour in zip(measured.items(), _MARKERS, OTHERS):
        axes.plot(
            *estimates, marker, color=colour, markersize=5, label=f"{power_of_ten(np.log10(length))} items"
        )
    write_near(axes, "pseudo-expectation: −1", (0.02, -1.0), (0, -4), GREY, va="top")
    write_near(axes, "ζ(β)(1 − β)", (0.62, np.interp(0.62, betas, zetas)), (-6, -6), ha="right", va="top")
    axes.legend(loc="upper right")
    distances = [
        f"those for {length:,} items within "
        f"{np.abs(estimates - np.interp(exponents, betas, zetas)).max():.2f}"
        for length, (exponents, estimates) in measured.items()
    ]
    return figure, minus(
        f"A curve goes from {zetas[0]:.1f} at β = 0 to {zetas[-1]:.1f} at β = 1, and below it is a dashed "
        f"line at −1. Markers are near the curve: {', '.join(distances)} of it."
    )


@drawing
def two_noises(steep, places, density, normal, gentle, titles):
    """Draw deviations of NDCG from its limit under two discounts.

    The limit distribution is not normal under the steeper discount, but it is under the gentler one.

    Parameters
    ----------
    steep : array of shape (q,)
        Scaled deviation of each list under the steeper discount.
    places, density, normal : array of shape (m,)
        Density of the limit law, and the normal density with the same mean and standard deviation.
    gentle : array of shape (q,)
        Deviations under the gentler discount, in units of the standard deviation.
    titles : pair of str
    """
    gentle_places = np.linspace(-4.5, 4.5, 181)  # in standard deviations
    normal_density = np.exp(-gentle_places * gentle_places / 2.0) / np.sqrt(2.0 * np.pi)
    figure, (upper, lower) = sheet(
        2,
        figsize=(5.6, 6.0),
        titles=titles,
        ylabel="density",
        panel_options=(
            {"xlabel": "(NDCG − limit) · IDCG", "xlim": (places[0], places[-1])},
            {"xlabel": "(NDCG − limit) · √n / σ", "xlim": (gentle_places[0], gentle_places[-1])},
        ),
    )
    bins = int(np.clip(2.0 * len(steep) ** (1.0 / 3.0), 15, 60))  # as many as by Rice's rule, within limits
    for axes, values, x, density_curve, colour in (
        (upper, steep, places, density, OTHERS[0]),
        (lower, gentle, gentle_places, normal_density, OTHERS[1]),
    ):
        width = x[-1] - x[0]
        # Counts are normalised so that the density includes the values outside the axes.
        weights = np.full(len(values), bins / (len(values) * width))
        axes.hist(values, bins, range=(x[0], x[-1]), weights=weights, color=colour, alpha=0.35)
        axes.plot(x, density_curve, color=colour)
    upper.plot(places, normal, "--", color=GREY, linewidth=1.3)
    return figure, (
        f"There are two histograms. The upper one, of {len(steep):,} lists, is drawn over a curve that is "
        f"not normal. Its peak has the height {density.max():.2f}, and that of a normal density "
        f"{normal.max():.2f}. The lower one, next to a normal density of standard deviation 1, has the "
        f"standard deviation {gentle.std():.2f}."
    )


@drawing
def broken(sizes, kinds, levels, wanted, restless, titles):
    """Draw single growing lists for which a hypothesis is violated.

    In the upper panel, lists tend to two different values; in the lower panel, NDCG has no limit.

    Parameters
    ----------
    sizes : array of shape (m,)
    kinds : mapping from a kind of list to an array of shape (q, m)
        NDCG of the lists of that kind.
    levels : mapping from a kind of list to the value to which its lists tend
    wanted : float
        Limit that the theorem would give for the population of all lists.
    restless : array of shape (q, m)
        NDCG of lists under a discount that decays too fast.
    titles : pair of str
    """
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        figsize=(5.6, 6.0),
        titles=titles,
        **items_axis(sizes),
        ylabel="NDCG",
        panel_options=({}, {"ylim": (-0.03, 1.03)}),
        x_labels=powers_on_log,
    )
    colours = dict(zip(kinds, OTHERS)) | {"theorem 7": GREY}
    for kind, paths in kinds.items():
        upper.plot(sizes, np.transpose(paths), color=colours[kind], linewidth=0.9)
    upper.axhline(wanted, color=GREY, linestyle="--", linewidth=1.3)
    lower.plot(sizes, np.transpose(restless), linewidth=0.9)
    label_ends(upper, levels | {"theorem 7": wanted}, colours)
    means = {kind: np.mean([path[-1] for path in paths]) for kind, paths in kinds.items()}
    late_ndcg = np.array(restless)[:, sizes >= sizes[-1] / 10]
    return figure, (
        f"Above, two bundles of curves end at {as_text(means, '.3f')}, and a dashed line is at {wanted:.3f}. "
        f"Below, {len(restless)} curves vary between {late_ndcg.min():.2f} and {late_ndcg.max():.2f} over "
        "the last power of ten."
    )
