"""Figures of the chapter on cut-offs that are constant, o(n), or proportional to the list.

Data are given as mappings. The keys are the names of cut-offs in `COLOURS`, of discounts in
`DISCOUNT_COLOURS`, or of rankings of the same items in `RANKINGS`.
"""

import numpy as np
from matplotlib.ticker import FixedLocator

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import (
    RANKINGS,
    as_text,
    draw,
    draw_contours,
    draw_diamonds,
    draw_simulated,
    draw_with_dots,
    draw_xy,
    final_values,
    label_ends,
    powers_on_log,
    set_axis_to_infinity,
    sheet,
    write_in_corner,
    write_near,
)

COLOURS = dict(zip(("constant", "log n", "√n", "n^0.9"), OTHERS))
# The colours of the first figure, in which the reverse-ideal ranking is called the worst.
BY_CUTOFF = RANKINGS | {"worst": RANKINGS["reverse-ideal"]}
DISCOUNT_COLOURS = dict(zip(("1/log(1+r)", "r^−1/2", "1/r", "r^−2"), OTHERS))
_LABELS = {
    "constant": "constant k",
    "log n": "k = log n",
    "√n": "k = √n",
    "n^0.9": "k = $n^{0.9}$",
    "1/log(1+r)": "1/log(1+r)",
    "r^−1/2": "$r^{-1/2}$",
    "1/r": "1/r",
    "r^−2": "$r^{-2}$",
}
_WHITE_BOX = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}


@drawing
def bands(lists, expected, limit):
    """Draw the central 90% of NDCG@k for cut-offs that grow at different rates.

    Parameters
    ----------
    lists : mapping from a cut-off's name to an array of shape (4, m)
        List lengths, and the 5% quantile, the mean and the 95% quantile of NDCG@k.
    expected : mapping from a cut-off's name to an array of shape (2, q)
        List lengths and expectations.
    limit : float
        Limit of NDCG@k.
    """
    figure, panels = sheet(
        1,
        len(lists),
        sharey=True,
        figsize=(5.6, 3.0),
        titles=[_LABELS[name] for name in lists],
        xscale="log",
        hlines=(limit,),
        line_style=":",
        x_labels=powers_on_log,
    )
    panels[0].set_ylabel("NDCG@k")
    figure.supxlabel("items, n (log scale)", fontsize=11)
    for axes, (name, (sizes, low, mean, high)) in zip(panels, lists.items(), strict=True):
        draw_simulated(axes, sizes, mean, low, high, COLOURS[name], width=2.2)
        axes.plot(*expected[name], color=COLOURS[name], linewidth=1.2)
        axes.xaxis.set_major_locator(FixedLocator([1e3, 1e6, 1e9]))
    bar_lengths = {name: high - low for name, (_, low, _, high) in lists.items()}
    return figure, (
        "Four panels show bars. From the shortest to the longest lists, the lengths of the bars change from "
        + ", ".join(
            f"{values[0]:.3f} to {values[-1]:.3f} (k = {name})" for name, values in bar_lengths.items()
        )
        + "."
    )


@drawing
def by_cutoff(cutoffs, means, strays, marks):
    """Draw NDCG@k of several rankings of one long list, by cut-off.

    Parameters
    ----------
    cutoffs : array of shape (m,)
    means : mapping from the name of a ranking in ``BY_CUTOFF`` to an array of shape (m,)
    strays : mapping from such a name to an array of shape (m,)
        Standard deviations of one query, drawn as a band; rankings without noise are omitted.
    marks : mapping from a text to float
        Cut-offs that are labelled above the axes.
    """
    figure, axes = sheet(
        figsize=(5.6, 3.5),
        xscale="log",
        xlim=(cutoffs[0], cutoffs[-1]),
        ylim=(-0.03, 1.03),
        xlabel="cut-off, k (log scale)",
        ylabel="NDCG@k",
        vlines=marks.values(),
        line_style=":",
    )
    for name, deviation in strays.items():
        low, high = means[name] - deviation, means[name] + deviation
        axes.fill_between(cutoffs, low, high, color=BY_CUTOFF[name], alpha=0.2, linewidth=0)
    draw(axes, cutoffs, means, BY_CUTOFF, label_of=str)
    for cutoff_name, cutoff in marks.items():
        text_options = {"ha": "center", "va": "bottom", "annotation_clip": False}
        write_near(axes, f"k = {cutoff_name}", (cutoff, 1.03), (0, 2), GREY, **text_options)
    return figure, (
        f"{len(means)} curves cover the cut-offs from {cutoffs[0]:,} to {cutoffs[-1]:,}. "
        + " ".join(
            f"At k = {cutoffs[index]:,} they are at "
            + as_text({name: values[index] for name, values in means.items()}, ".2f")
            + "."
            for index in (0, len(cutoffs) // 2, -1)
        )
        + " The bands around the curves narrow to the right."
    )


@drawing
def valley(errors, paths, dots):
    """Draw the root mean square error of NDCG@k by cut-off and list length.

    Parameters
    ----------
    errors : mapping from the exponent of ten of a list length to an array of shape (2, q)
        Cut-offs and errors.
    paths, dots : mapping from a cut-off's name to an array of shape (2, m)
        Cut-offs and errors as the list grows, by the theory and on simulated lists.
    """
    figure, axes = sheet(
        figsize=(5.6, 4.2),
        xscale="log",
        yscale="log",
        xlabel="cut-off, k (log scale)",
        ylabel="error of NDCG@k (log scale)",
    )
    # Errors of 0, which occur for a certain top, cannot be drawn on a logarithmic axis.
    error_curves, positive_paths, positive_dots = (
        {name: np.array([cutoffs, error])[:, error > 0] for name, (cutoffs, error) in curves.items()}
        for curves in (errors, paths, dots)
    )
    # A line needs two points.
    error_curves = {exponent: curve for exponent, curve in error_curves.items() if curve.shape[1] > 1}
    for exponent, (cutoffs, error) in error_curves.items():
        axes.plot(cutoffs, error, color=GREY, linewidth=1.1)
        write_near(axes, f"$10^{{{exponent}}}$", (cutoffs[-1], error[-1]), (0, 4), GREY, ha="center")
    draw_xy(axes, positive_paths, COLOURS, linewidth=1.4)
    draw_xy(axes, positive_dots, COLOURS, "o", markersize=5)
    if not any(curve.size for curve in (*error_curves.values(), *positive_paths.values())):
        axes.set(xlim=(1, 10), ylim=(0.01, 1))  # without data, a logarithmic axis has no default limits
        write_in_corner(axes, "no error at all", (0.5, 0.5), GREY, ha="center")
    _name_paths(
        axes,
        {name: curve[:, -1] for name, curve in positive_paths.items() if curve.size},
    )
    return figure, (
        "Curves show errors by cut-off and list length. The smallest error is at "
        + ", ".join(
            f"k = {cutoffs[error.argmin()]:,.0f} (n = 10 to the {power})"
            for power, (cutoffs, error) in errors.items()
        )
        + ". Coloured paths end at "
        "errors of " + ", ".join(f"{path[1, -1]:.2g} (k = {name})" for name, path in paths.items()) + "."
    )


def _name_paths(axes, last_points):
    """Write each name at the right end of its path, or below the curves if the path ends early."""
    axes.autoscale_view()
    data_to_fraction = axes.transData + axes.transAxes.inverted()
    end_fractions = {name: data_to_fraction.transform(point) for name, point in last_points.items()}
    end_heights = {name: height for name, (_, height) in last_points.items()}
    early_names = [name for name, (x, _) in end_fractions.items() if x < 0.4]
    for row, name in enumerate(sorted(early_names, key=end_heights.get)):
        height = 0.06 + 0.09 * row
        write_in_corner(axes, _LABELS[name], (0.03, height), COLOURS[name], va="center")
        line_to_label = {"arrowstyle": "-", "color": COLOURS[name], "linewidth": 0.8}
        axes.annotate(
            "", last_points[name], (0.24, height), textcoords="axes fraction", arrowprops=line_to_label
        )
    late_heights = {name: height for name, height in end_heights.items() if name not in early_names}
    label_ends(axes, late_heights, COLOURS, _LABELS.get)


@drawing
def counted(cutoffs, counts):
    """Draw the effective number of labels in DCG@k by cut-off and discount.

    Parameters
    ----------
    cutoffs : array of shape (q,)
    counts : mapping from a discount's name to an array of shape (q,)
    """
    figure, axes = sheet(
        xscale="log",
        yscale="log",
        xlim=(cutoffs[0], cutoffs[-1]),
        xlabel="cut-off, k (log scale)",
        ylabel="effective number of labels (log scale)",
    )
    draw(axes, cutoffs, counts, DISCOUNT_COLOURS, label_of=_LABELS.get)
    return figure, (
        f"Four curves start from 1 at k = 1. At k = {cutoffs[-1]:,.0f} they are at "
        f"{as_text(final_values(counts), ',.1f')}."
    )


@drawing
def laws(simulated_values, exact):
    """Draw simulated and limit distributions of NDCG@k at a constant k.

    Parameters
    ----------
    simulated_values : mapping from a name to an array of shape (replicates,)
        NDCG@k of simulated lists.
    exact : mapping from a name to an array of shape (2, a)
        Possible values of NDCG@k in ascending order, and the probability of at most each value.
    """
    figure, axes = sheet(xlim=(-0.02, 1.02), xlabel="NDCG@k", ylabel="proportion of lists")
    distances = []
    for name, (values, chances) in exact.items():
        thin_style = {"color": "black", "linewidth": 0.8, "zorder": 3}
        axes.step([0.0, *values, 1.0], [0.0, *chances, 1.0], where="post", **thin_style)
        sorted_ndcg = np.sort(simulated_values[name])
        proportions_of_lists = np.arange(1, len(sorted_ndcg) + 1) / len(sorted_ndcg)
        thick_style = {"color": RANKINGS[name], "linewidth": 3.0}
        axes.step([0.0, *sorted_ndcg, 1.0], [0.0, *proportions_of_lists, 1.0], where="post", **thick_style)
        # The distance of the two staircases just after each step; a simulated value may differ by rounding.
        thresholds = values + 1e-9
        simulated_chances = np.searchsorted(sorted_ndcg, thresholds, side="right") / len(sorted_ndcg)
        exact_chances = chances[np.searchsorted(values, thresholds, side="right") - 1]
        distances.append(np.abs(simulated_chances - exact_chances).max())
        median = values[np.searchsorted(chances, 0.5)]
        write_near(axes, name, (median, 0.5), (-6, 0), RANKINGS[name], ha="right")
    return figure, (
        f"Two staircases rise from 0 to 1, each next to a thin one at a vertical distance of at most "
        f"{max(distances):.2f}. Half of the lists have NDCG@k of at most "
        + as_text({name: np.median(values) for name, values in simulated_values.items()}, ".2f")
        + "."
    )


@drawing
def by_share(shares, limits, dots, at_dots, p, c, title):
    """Draw the limit of NDCG under one discount, by cut-off as a fraction of the list.

    Parameters
    ----------
    shares : array of shape (m,)
        Cut-offs as fractions of the list.
    limits : mapping from a ranking's name to an array of shape (m,)
    dots : array of shape (q,)
        Fractions at which lists were simulated.
    at_dots : pair of mappings from a ranking's name to an array of shape (q,)
        The limits at these fractions, and the simulated means.
    p : float
        Proportion of relevant items, marked by a line.
    c : float
        The fraction for which the limits are listed in the text.
    title : str
    """
    figure, axes = sheet(
        title=title,
        xlabel="proportion of the list that counts, c",
        ylabel="NDCG@cn",
        xlim=(0, 1),
        ylim=(0, 1.02),
        vlines=(p,),
        line_style="--",
    )
    expected, observed = at_dots
    draw(axes, shares, limits, RANKINGS, label_of=str)
    draw(axes, dots, observed, RANKINGS, "o", markersize=4, clip_on=False)
    # The label is in the middle of the widest gap between the curves, so it covers none of them.
    heights = np.sort([0.0, 1.0, *(np.interp(p, shares, values) for values in limits.values())])
    widest_gap = np.diff(heights).argmax()
    label_height = heights[widest_gap : widest_gap + 2].mean()
    write_near(axes, "c = p", (p, label_height), (3, 0), GREY, va="center", bbox=_WHITE_BOX)
    error = max(np.abs(expected[name] - observed[name]).max() for name in limits)
    return figure, (
        f"{len(limits)} curves depend on the proportion c. At c = {c:g} the limits are "
        + as_text({name: values[dots == c][0] for name, values in expected.items()}, ".2f")
        + f"; at c = 1 they are {as_text(final_values(limits), '.2f')}. "
        f"Dots of simulated lists are at most {error:.3f} from the curves."
    )


@drawing
def four_edges(shares, betas, values, p):
    """Draw the limit by cut-off and exponent, with the theorem for each edge.

    Parameters
    ----------
    shares : array of shape (m,)
        Cut-offs as fractions of the list, increasing.
    betas : array of shape (q,)
        Exponents of the discount, increasing from 0, which stands for the log discount.
    values : array of shape (q, m)
        Limits. In the left column and the top row, each value is the limit of relevance at the top.
    p : float
        Proportion of relevant items, marked by a line.
    """
    figure, axes = sheet(
        figsize=(5.6, 4.8),
        xlim=(0, 1),
        ylim=(0, 1),
        xlabel="proportion of the list that counts, c\nbottom edge, the log discount: theorem 12",
        ylabel="exponent β of the discount\nleft edge, c → 0: theorem 11",
    )
    draw_contours(axes, shares, betas, values)
    axes.axvline(p, color="black", linewidth=1, linestyle="--")
    axes.set_title("top edge, β → 1: theorem 9", loc="center")
    axes.secondary_yaxis("right").set(yticks=[], ylabel="right edge, the full list: theorem 7")
    write_near(axes, "theorem 4: 1", (1, 0), (-3, 3), ha="right", va="bottom", bbox=_WHITE_BOX)
    write_near(axes, "c = p", (p, 0.985), (3, 0), va="top", bbox=_WHITE_BOX)
    other_values = values[:-1, 1:]  # without the left column and the top row
    return figure, (
        f"Contours show the limit over c from 0 to 1 and β from 0 to 1. It is {values[0, 0]:.2f} on the left "
        f"and top edges, {values[0, -1]:.2f} in the bottom right corner, and between "
        f"{other_values.min():.2f} and {other_values.max():.2f} overall. A dashed line marks c = p = {p:.2f}."
    )


@drawing
def distances(by_log, by_power, titles):
    """Draw the distance of the expectation from its limit under two discounts.

    Parameters
    ----------
    by_log : array of shape (m,), mapping to arrays of shape (m,), mapping to float
        Logarithms of n, and for each ranking ``(expectation - limit) log n`` under the log discount and its
        limit.
    by_power : array of shape (q,), two mappings to arrays of shape (q,)
        Numbers of items, and for each ranking ``abs(expectation - limit)`` under the polynomial discount and
        its leading term.
    titles : pair of str
    """
    (log_n, scaled, constants), (sizes, gaps, predicted) = by_log, by_power
    figure, (upper, lower) = sheet(
        2,
        figsize=(5.6, 6.2),
        titles=titles,
        panel_options=(
            {"ylabel": "(NDCG − limit) · log n"},
            {
                "xscale": "log",
                "yscale": "log",
                "xlabel": "items, n (log scale)",
                "ylabel": "|NDCG − limit| (log scale)",
            },
        ),
    )
    draw(upper, 1.0 / log_n, scaled, RANKINGS)
    draw_diamonds(upper, constants, RANKINGS, label_of=str)
    set_axis_to_infinity(upper, (3, 4, 6, 12, 40), log_n[0])
    draw_with_dots(lower, sizes, predicted, sizes, gaps, RANKINGS, label_of=str, linewidth=1.2)
    gaps_text = as_text(final_values(gaps), ".1g") or "all zero"
    return figure, (
        f"Above, three curves end in diamonds at {as_text(constants, '.2f')}. Below, at {sizes[-1]:,.0f} "
        f"items the distances are {gaps_text}."
    )


@drawing
def wandering(sizes, values, tracked, share, start):
    """Draw NDCG@k for a varying fraction k/n, with the limit at each fraction.

    Parameters
    ----------
    sizes : array of shape (m,)
    values, tracked, share : array of shape (m,)
        Expected NDCG@k, the limit at the current fraction, and the fraction k/n.
    start : float
        The fraction around which k/n varies.
    """
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        height_ratios=(2, 1),
        figsize=(5.6, 4.6),
        xscale="log",
        xlabel="items, n (log scale)",
        titles=("dashed: the limit for the present proportion",),
        panel_options=({"ylabel": "NDCG@k"}, {"ylabel": "k/n"}),
        x_labels=powers_on_log,
    )
    upper.plot(sizes, tracked, "--", color=GREY, linewidth=1.2, zorder=2.1)
    draw(upper, sizes, {"expected NDCG@k": values}, label_of=str)
    lower.plot(sizes, share, color=OTHERS[1])
    lower.axhline(start, color=GREY, linewidth=1, linestyle="--")
    is_late = sizes >= sizes[-1] / 100
    low, high = values[is_late].min(), values[is_late].max()
    return figure, (
        f"For the longest lists, expected NDCG@k varies between {low:.3f} and {high:.3f}. It is at most "
        f"{np.abs(values - tracked)[is_late].max():.1g} from the dashed line, the limit for the present k/n."
    )
