"""Figures of the chapter on graded labels (theorems 14 to 17)."""

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import (
    RANKINGS,
    as_text,
    draw,
    draw_intervals,
    draw_levels,
    final_values,
    label_ends,
    shades,
    sheet,
    write_in_corner,
    write_near,
)

_THEOREM_COLOURS = dict(zip(("14", "15", "16", "17"), OTHERS))


@drawing
def by_gain(places, limits, marked, observed, highest, ylabel):
    """Draw the limit of NDCG for each ranking, by the value of a step up the grades.

    Parameters
    ----------
    places : array of shape (m,)
        ``b / (1 + b)`` for a step that is worth ``b`` times the step below. The place is 0 if only the lowest
        step counts, and 1 if only the highest step counts.
    limits : mapping from a ranking's name to an array of shape (m,)
    marked : mapping from the name of a gain to its place
    observed : mapping from a ranking's name to the mean NDCG of simulated lists with the first of these gains
    highest : int
        The best grade.
    ylabel : str
        Label of the vertical axis.
    """
    figure, axes = sheet(
        figsize=(5.6, 3.7),
        xlim=(0, 1),
        ylim=(0, 1.03),
        xlabel="worth of a step up the grades, as a multiple of the step below",
        ylabel=ylabel,
        vlines=marked.values(),
        line_style=":",
    )
    # The label is b, which is w / (1 - w) at the place w = b / (1 + b).
    ticks = {0.0: "0", 1.0: "∞"} | {w: f"{w / (1 - w):.2g}" for w in marked.values()}
    axes.set_xticks([*ticks], [*ticks.values()])
    write_in_corner(axes, "only\n“1 or better”", (0.01, 0.02))
    write_in_corner(axes, f"only\n“{highest}”", (0.99, 0.02))
    # The first name is to the left of its line, and the second to the right.
    for (name, line_x), (offset, alignment) in zip(marked.items(), ((-4, "right"), (4, "left"))):
        write_near(axes, name, (line_x, 0.02), (offset, 0), GREY, ha=alignment, va="bottom")
    draw(axes, places, limits, RANKINGS)
    place_of_first_gain, *_ = marked.values()
    draw(axes, place_of_first_gain, observed, RANKINGS, "o", markersize=5)
    label_of = lambda name: "worst" if name == "reverse-ideal" else name
    label_ends(axes, final_values(limits), RANKINGS, label_of)
    first_values = {name: values[0] for name, values in limits.items()}
    return figure, (
        f"{len(limits)} curves go from {as_text(first_values, '.2f')}, where only the lowest layer counts, "
        f"to {as_text(final_values(limits), '.2f')}, where only the best grade counts. Dots of simulated "
        f"lists are at {as_text(observed, '.2f')}."
    )


@drawing
def stack(depths, layers, heights, widths):
    """Draw the mean grade by depth as a stack of binary layers, and the ideal list.

    Parameters
    ----------
    depths : array of shape (m,)
    layers : array of shape (j, m)
        ``P(Y >= grade | depth)`` for each grade except the lowest, in ascending order.
    heights : array of shape (j,)
        Contribution of each layer to the label.
    widths : array of shape (j,)
        ``P(Y >= grade)``, which are the depths at which the ideal list steps down.
    """
    figure, axes = sheet(
        xlim=(0, 1),
        ylim=(0, 1.04 * np.sum(heights)),
        xlabel="depth, u (0 is the top of the list)",
        ylabel="label",
        no_grid="both",
    )
    axes.stackplot(
        depths,
        heights[:, None] * layers,
        colors=shades(0.2, 0.7, len(heights)),
        linewidth=0,
    )
    mean_label = heights @ layers
    axes.plot(depths, mean_label, color=OTHERS[0])
    # Of the ideal list, the items with the best grade come first. They have all layers, the last have none.
    edges, step_heights = [0.0, *widths[::-1], 1.0], np.append(np.cumsum(heights)[::-1], 0.0)
    axes.stairs(step_heights, edges, baseline=None, color="black", linewidth=1.4, zorder=2)
    write_near(axes, "ideal list", (widths[-1], np.sum(heights)), (5, 0), va="top")
    return figure, (
        f"A stack of {len(heights)} bands over the depth is {mean_label[0]:.2f} high at the top of the list "
        f"and {mean_label[-1]:.2f} at the bottom. A staircase starts at {np.sum(heights):g} and steps down "
        f"at depths {', '.join(f'{width:.2f}' for width in widths[::-1])}."
    )


@drawing
def layers_by_exponent(betas, layers, totals, titles):
    """Draw the limits of the layers and of the graded measure, by exponent.

    Parameters
    ----------
    betas : array of shape (m,)
    layers : array of shape (j, m)
        Limits of the binary layers, lowest first.
    totals : sequence of arrays of shape (m,)
        Graded limits, one array for each gain.
    titles : sequence of str
    """
    figure, panels = sheet(
        len(totals),
        sharex=True,
        sharey=True,
        squeeze=False,
        figsize=(5.6, 2.9 * len(totals)),
        titles=titles,
        xlim=(betas[0], betas[-1]),
        xlabel="exponent of the discount, β",
        ylabel="limit of NDCG",
    )
    lines = {f"layer ≥ {grade}": layer for grade, layer in enumerate(layers, 1)}
    colours = [*shades(0.6, 1.0, len(layers)), OTHERS[1]]
    for axes, total in zip(panels.flat, totals, strict=True):
        draw(axes, betas, lines, colours, linewidth=1.2)
        axes.plot(betas, total, color=OTHERS[1], linewidth=2.6)
        label_ends(axes, final_values(lines | {"graded": total}), colours)
    middle_index = len(betas) // 2 + 1
    return figure, (
        f"{len(totals)} panels show curves over β from 0 to {betas[-1]:.2f}. At β = "
        f"{betas[middle_index]:.2f} the layers are at "
        f"{', '.join(f'{value:.3f}' for value in layers[:, middle_index])}, and the graded limit is "
        + " and ".join(f"{total[middle_index]:.3f} with {title}" for total, title in zip(totals, titles))
        + "."
    )


@drawing
def approach(sizes, expected, limits, dots, observed, intervals):
    """Draw NDCG in the settings of four theorems, with expectations and limits.

    Parameters
    ----------
    sizes : array of shape (m,)
    expected : mapping from a theorem's number to an array of shape (m,)
    limits : mapping from a theorem's number to its limit
    dots : array of shape (q,)
        Sizes of the simulated lists.
    observed : mapping from a theorem's number to an array of shape (q,)
    intervals : mapping from a theorem's number to an array of shape (q,)
        Half-width of the interval of each observed value.
    """
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        height_ratios=(3, 2),
        figsize=(5.6, 6.2),
        xscale="log",
        xlabel="items, n (log scale)",
        panel_options=({"ylabel": "NDCG"}, {"yscale": "log", "ylabel": "|NDCG − limit| (log scale)"}),
    )
    draw(upper, sizes, expected, _THEOREM_COLOURS, linewidth=1.4)
    draw_intervals(upper, dots, observed, intervals, _THEOREM_COLOURS)
    draw_levels(upper, limits, _THEOREM_COLOURS, "theorem {}".format)
    distances = {number: np.abs(expected[number] - limit) for number, limit in limits.items()}
    # Distances that are rounding cannot be drawn on a logarithmic axis.
    visible = {number: distance for number, distance in distances.items() if (distance > 1e-12).all()}
    draw(lower, sizes, visible, _THEOREM_COLOURS)
    return figure, (
        f"{len(limits)} curves over n approach the same number of dotted lines, at "
        + ", ".join(f"{limit:.3f} (theorem {number})" for number, limit in limits.items())
        + ". Below, their distances to the "
        f"limits at n = {sizes[-1]:.0e} are {', '.join(f'{gap[-1]:.1g}' for gap in distances.values())}."
    )


@drawing
def rare_top(sizes, values, before, after, share):
    """Draw NDCG@k with k about the square root of n, if the best grade is rare.

    Parameters
    ----------
    sizes, values : arrays of shape (m,)
    before, after : float
        The limit that NDCG would have without the best grade, and its true limit.
    share : float
        Proportion of items with the best grade.
    """
    figure, axes = sheet(
        xscale="log",
        xlabel="items, n (log scale)",
        ylabel="NDCG@k, k = √n",
        ylim=(min(after, values.min()) - 0.08, 1.03),
    )
    crossing = share**-2  # here k / n = 1 / √n is equal to the share
    axes.plot(sizes, values, color=OTHERS[0], linewidth=2.2)
    axes.axvline(crossing, color=GREY, linewidth=1, linestyle="--", zorder=1.9)
    draw_levels(axes, {"after": after, "before": before}, (GREY,))
    write_near(axes, "the limit, theorem 15", (sizes[0], after), (0, 4), GREY)
    write_near(axes, "without the best grade", (sizes[-1], before), (0, 4), GREY, ha="right")
    at_million, at_crossing = np.interp(np.log([1e6, crossing]), np.log(sizes), values)
    return figure, (
        f"A curve starts at {values[0]:.2f} and is at {at_million:.2f} at a million items, at "
        f"{at_crossing:.2f} at {crossing:.0e} items and at {values[-1]:.3f} at the end. The limit is "
        f"{after:.3f}."
    )
