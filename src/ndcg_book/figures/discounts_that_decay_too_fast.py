"""Figures of the chapter on summable discounts: NDCG without a limit, and its limit distributions.

Rankings and discounts are given as mappings from their names, and pairs of rankers as mappings from the names
in ``PAIRS``.
"""

import numpy as np
from matplotlib.ticker import FixedLocator

from claimbook.style import FIRST, GREY, OTHERS, drawing, mixed
from ndcg_book.axes import RANKINGS, items_axis, sheet, without_tex, write_in_corner, write_near

_RANKING_KEYS = {"worst": "reverse-ideal"}  # from the name of a ranking in figures to its key in RANKINGS
PAIRS = {"independent": OTHERS[1], "shared top": OTHERS[0]}
# Bands are drawn above the curves and nearly opaque. Jumps cross such a band, but no value lies in it.
_FORBIDDEN_BAND = {"color": mixed(GREY, 0.18), "alpha": 0.85, "linewidth": 0, "zorder": 3}
_NEVER_TEXT = {"ha": "center", "color": GREY, "zorder": 4}


@drawing
def wandering(sizes, paths, edges, shares, intervals, exact, forbidden=None, levels=None):
    """Draw paths of NDCG as a list grows, and the distributions over many lists.

    Parameters
    ----------
    sizes : array of shape (m,)
    paths : mapping from the name of a ranking, or of a discount, to an array of shape (m,)
        NDCG at each size. Rankings have their own colours, and a discount has the colour of the ranking by
        score.
    edges : array of shape (b + 1,)
        Edges of the bins, from 0 to 1.
    shares, exact : mapping from a name to an array of shape (b,)
        Proportion of simulated lists in each bin, and the limit probability of the bin.
    intervals : mapping from a name to a pair of arrays of shape (b,)
    forbidden : mapping from a name to a list of pairs of float, optional
        Intervals in which the limit distribution has no mass.
    levels : mapping from the name of a ranking to float, optional
        NDCG of rankings that have the same NDCG at all sizes.
    """
    forbidden, levels = forbidden or {}, levels or {}
    level_colours = {name: RANKINGS[_RANKING_KEYS.get(name, name)] for name in levels}
    bin_middles, bin_widths = (edges[1:] + edges[:-1]) / 2.0, np.diff(edges)
    highest_density = max(
        np.max([shares[name], exact[name], intervals[name][1]] / bin_widths) for name in paths
    )
    figure, panels = sheet(
        len(paths),
        2,
        sharex="col",
        sharey=True,
        width_ratios=(3, 1),
        figsize=(5.6, 0.5 + 1.2 * len(paths)),
        titles=("one list as it grows", "many lists"),
        ylim=(-0.22, 1.22) if levels else (-0.03, 1.03),
    )
    panels[-1, 0].set_xlabel("items in the list, n (log scale)")
    panels[-1, 1].set(xlabel="density", xlim=(0.0, 1.05 * highest_density))
    for (path_axes, law_axes), name in zip(panels, paths):
        colour = RANKINGS.get(name, FIRST)
        for level_name, height in levels.items():
            path_axes.axhline(height, color=level_colours[level_name], linewidth=1.2)
        for band in forbidden.get(name, ()):
            path_axes.axhspan(*band, **_FORBIDDEN_BAND)
            law_axes.axhspan(*band, **_FORBIDDEN_BAND)
            law_axes.text(
                0.5,
                np.mean(band),
                "never",
                transform=law_axes.get_yaxis_transform(),
                va="center",
                **_NEVER_TEXT,
            )
        path_axes.plot(sizes, paths[name], color=colour, linewidth=1.0, drawstyle="steps-post")
        law_axes.barh(
            bin_middles, shares[name] / bin_widths, bin_widths, color=colour, alpha=0.45, linewidth=0
        )
        law_axes.hlines(bin_middles, *(intervals[name] / bin_widths), color=colour, linewidth=1.2)
        law_axes.stairs(
            exact[name] / bin_widths,
            edges,
            orientation="horizontal",
            baseline=None,
            color="black",
            linewidth=1.2,
        )
        law_axes.grid(visible=False, axis="x")
        path_axes.set(xscale="log", xlim=(sizes[0], sizes[-1]))
        path_axes.set_ylabel(name if name in RANKINGS else f"NDCG, {name}")
    for level_name, height in levels.items():
        offset, colour = (-4, 6 if height > 0.5 else -6), level_colours[level_name]
        write_near(panels[0, 0], level_name, (sizes[-1], height), offset, colour, ha="right", va="center")
    panels[-1, 0].xaxis.set_major_locator(FixedLocator(10.0 ** np.arange(3, 22, 3)))
    # The absolute changes of each path over the first and over the second half of the axis.
    movements = {name: np.array_split(np.abs(np.diff(path)), 2) for name, path in paths.items()}
    level_lines = "".join(
        f" A level line at {height:g} is labelled {name}." for name, height in levels.items()
    )
    return figure, (
        "The paths are jagged: "
        + "; ".join(
            f"{name if name in RANKINGS else f'under {without_tex(name)} NDCG'} moves between "
            f"{paths[name].min():.2f} and {paths[name].max():.2f}, with a total movement of "
            f"{first_half.sum():.1f} over the first half of the axis and {second_half.sum():.1f} over the "
            "second"
            for name, (first_half, second_half) in movements.items()
        )
        + f".{level_lines} Next to the paths are bars for many lists and the exact limit distributions."
    )


@drawing
def laws(x, staircases, densities, forbidden):
    """Draw the distribution functions of some limit laws and the densities of others.

    Parameters
    ----------
    x : array of shape (m,)
        From 0 to 1.
    staircases : mapping from a text to an array of shape (m,)
        Three distribution functions: a diagonal, one below it, and one that crosses it in the middle.
    densities : mapping from a text to an array of shape (m - 1,)
        Two densities, averaged between neighbouring x.
    forbidden : pair of float
        Interval that is a gap of the laws in the lower panel.
    """
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        figsize=(5.6, 6.0),
        xlim=(0, 1),
        xlabel="x, a value of NDCG",
        panel_options=({"ylabel": "probability of at most x", "ylim": (-0.02, 1.02)}, {"ylabel": "density"}),
    )
    # No curve is above the middle of the diagonal, below the low curve, or above the left steps.
    label_places = ((0.64, 0.74, OTHERS[4]), (0.98, 0.06, OTHERS[1]), (0.30, 0.60, OTHERS[0]))
    for (name, values), (name_x, name_y, colour) in zip(staircases.items(), label_places):
        upper.plot(x, values, color=colour, linewidth=1.4)
        upper.text(name_x, name_y, name, color=colour, ha="right")
    lower.axvspan(*forbidden, **_FORBIDDEN_BAND)
    lower.text(np.mean(forbidden), 0.5, "never", transform=lower.get_xaxis_transform(), **_NEVER_TEXT)
    for (title, density), colour in zip(densities.items(), OTHERS[2:]):
        lower.stairs(density, x, baseline=None, color=colour, linewidth=1.4)
        peak = x[density.argmax()]
        label_offset, alignment = ((-8, -4), "top") if peak > 0.8 else ((0, 6), "bottom")
        write_near(lower, title, (peak, density.max()), label_offset, colour, ha="right", va=alignment)
    lower.set_ylim(bottom=0.0)
    *_, (last_title, last_density) = densities.items()
    last_peak = x[last_density.argmax()]
    _, low_curve_middle, staircase_middle = (np.interp(0.5, x, values) for values in staircases.values())
    return figure, (
        "Above, three curves rise. One is a diagonal. One lies below it, has a kink at every scale, and is "
        f"at {low_curve_middle:.2f} in the middle. One is a staircase whose widest step, at height "
        f"{staircase_middle:.2f}, goes from one third to two thirds. Below, two densities have several peaks "
        f"and are 0 between {forbidden[0]:.2f} and {forbidden[1]:.2f}. The density for {last_title} reaches "
        f"{last_density.max():.0f} near {last_peak:.2g}."
    )


@drawing
def two_orders(sizes, fates, forbidden):
    """Draw NDCG of several growing lists, ranked by score and in order of arrival.

    Parameters
    ----------
    sizes : array of shape (m,)
    fates : mapping from an order's name to a sequence of arrays of shape (m,)
        One array for each list. The sequence of the lists is the same for both orders.
    forbidden : pair of float
        Interval that contains no value of long lists.
    """
    figure, panels = sheet(
        2,
        sharex=True,
        sharey=True,
        figsize=(5.6, 4.2),
        titles=[f"ranked {name}" for name in fates],
        **items_axis(sizes, "items in the list, n"),
        ylim=(-0.03, 1.03),
        ylabel="NDCG, discount $r^{-2}$",
    )
    for axes, lists in zip(panels, fates.values()):
        first_list, other_lists = lists[0], lists[1:]
        axes.axhspan(*forbidden, **_FORBIDDEN_BAND)
        axes.plot(
            sizes, np.transpose(other_lists), color=GREY, alpha=0.5, linewidth=0.9, drawstyle="steps-post"
        )
        axes.plot(sizes, first_list, color=FIRST, linewidth=2.2, drawstyle="steps-post")
        write_in_corner(axes, "never", (0.02, np.mean(forbidden)), GREY, va="center", zorder=4)
    is_late = sizes >= sizes[-1] // 10
    # The largest range of one list over the late sizes, for either order.
    upper_move, lower_move = (max(np.ptp(np.array(lists)[:, is_late], axis=1)) for lists in fates.values())
    return figure, (
        f"Above, one of {len(panels[0].lines)} jagged lines moves by {upper_move:.2f} over the last power of "
        "ten. Below, the same number of lines become level, and over the last power of ten none moves by "
        f"more than {np.ceil(1000 * lower_move) / 1000:.3f}."
    )


@drawing
def behind(lengths, shares):
    """Draw how often the better ranker is not ahead at some length from n on.

    Parameters
    ----------
    lengths : array of shape (m,)
    shares : mapping from a pair's name to an array of shape (m,)
        Proportions of lists; zeros are not drawn on the logarithmic axis.
    """
    figure, axes = sheet(
        yscale="log",
        xlim=(lengths[0], lengths[-1]),
        xlabel="items in the list, n",
        ylabel="proportion of lists (log scale)",
    )
    sentences = []
    for name, values in shares.items():
        first_and_last = f"{values[0]:.2f} at n = {lengths[0]} and {values[-1]:.2f} at n = {lengths[-1]}"
        sentence = f"for {name} tops it is {first_and_last}"
        positive_lengths, positive_values = lengths[values > 0], values[values > 0]
        if positive_values.size:
            axes.plot(positive_lengths, positive_values, color=PAIRS[name], drawstyle="steps-post")
            label, line_end = f"{name}\ntops", (positive_lengths[-1], positive_values[-1])
            if values[-1] == 0:
                label = name
                sentence += f"; no list fails beyond n = {positive_lengths[-1]}"
            write_near(axes, label, line_end, (6, 0), PAIRS[name], va="center", annotation_clip=False)
        sentences.append(sentence)
    return figure, f"Lines show the proportion of lists on a logarithmic scale: {'; '.join(sentences)}."
