"""Figures on the last proofs: powers of a logarithm, and tolerances for deviations of NDCG."""

import numpy as np

from claimbook.style import OTHERS, drawing
from claimbook.text import minus
from ndcg_book.axes import (
    as_text,
    draw,
    draw_xy,
    final_values,
    items_axis,
    label_ends,
    set_axis_to_infinity,
    sheet,
    write_near,
)


def per_cent(share):
    """Return a proportion as a percentage.

    >>> per_cent(0.1234)
    '12%'
    >>> per_cent(0.996)
    '100%'
    """
    return f"{float(f'{100 * share:.2g}'):g}%" if share >= 1e-5 else "less than a thousandth of a per cent"


@drawing
def projections(depths, target, approximations, left):
    """Draw a difference of curves and its approximations by powers of log u.

    Parameters
    ----------
    depths : array of shape (m,)
        Positive.
    target : array of shape (m,)
    approximations : mapping from a highest power to an array of shape (m,)
    left : mapping from a highest power to the relative norm of the remainder
    """
    low, high = np.min(target), np.max(target)
    margin = 0.45 * (high - low)
    figure, axes = sheet(
        xscale="log",
        xlim=(depths[0], depths[-1]),
        ylim=(low - margin, high + margin),
        xlabel="depth u (log scale; the top is far left)",
        ylabel="difference of relevance",
    )
    axes.plot(depths, target, color="black", linewidth=2.6)
    draw(axes, depths, approximations, label_of="power {}".format, linewidth=1.5)
    return figure, (
        f"On a logarithmic depth axis from {depths[0]:g} to 1, a thick line between {minus(low, '.2f')} and "
        f"{minus(high, '.2f')} is approximated by coloured lines. Of its norm, power "
        + ", ".join(f"{degree} leaves {per_cent(proportion)}" for degree, proportion in left.items())
        + "."
    )


@drawing
def errors(lines, xlabel, scale="log"):
    """Draw the relative norm of the remainder by the number of powers used.

    Parameters
    ----------
    lines : mapping from a name to an array
        Relative norms of the remainder; entry i is for i + 1 powers.
    xlabel : str
    scale : {"log", "linear"}
        On a logarithmic axis, values below 1 in 10,000 are omitted, and names are at the ends of lines.
    """
    is_log = scale == "log"
    floor = 1e-4 if is_log else 0.0  # the lowest value in the axes
    last_index = max(map(len, lines.values())) - 1
    figure, axes = sheet(
        yscale=scale,
        xlim=(0, last_index),
        ylim=(floor, 1.5 if is_log else 1.05),
        xlabel=xlabel,
        ylabel="remainder (log scale)" if is_log else "remainder",
    )
    colours = dict(zip(lines, OTHERS))
    format_value = per_cent if is_log else "{:.3f}".format
    visible_indices = {name: np.flatnonzero(values >= floor) for name, values in lines.items()}
    draw_xy(
        axes, {name: (indices, lines[name][indices]) for name, indices in visible_indices.items()}, colours
    )
    leaving_names = [name for name, indices in visible_indices.items() if len(indices) < len(lines[name])]
    for row, name in enumerate(leaving_names):
        write_near(axes, name, (visible_indices[name][-1], floor), (5, 5 + 14 * row), colours[name])
    remaining_values = {
        name: value for name, value in final_values(lines).items() if name not in leaving_names
    }
    label_ends(axes, remaining_values, colours)
    return figure, (
        f"Curves never increase on an axis from 1 to {floor:g}. At the right-hand end, where the {xlabel} "
        f"is {last_index}, the remainders are "
        + ", ".join(f"{format_value(values[-1])} ({name})" for name, values in lines.items())
        + "."
    )


@drawing
def integral_shares(log_n, shares):
    """Draw integrals divided by their limits, with n at position 1 / log n.

    Parameters
    ----------
    log_n : array of shape (m,)
        Natural logarithms of the numbers of items, in increasing order.
    shares : mapping from a name to an array of shape (m,)
    """
    figure, axes = sheet(yscale="log", ylabel="ratio to its limit (log scale)", hlines=(1.0,))
    draw(axes, 1.0 / log_n, shares)
    for (name, values), colour in zip(shares.items(), OTHERS):
        write_near(
            axes,
            name,
            (1.0 / log_n[0], values[0]),
            (-5, 0),
            colour,
            ha="right",
            va="center",
            annotation_clip=False,
        )
    axes.plot(0.0, 1.0, "D", color="black", markersize=6, clip_on=False, zorder=5)
    set_axis_to_infinity(axes, (3, 4, 6, 10, 20), log_n[0], room=1.25)
    return figure, (
        f"Curves end at a diamond of height 1 at infinity. At {np.exp(log_n[0]):,.0f} items they "
        "are at " + as_text({name: values[0] for name, values in shares.items()}, ".3g") + "."
    )


@drawing
def tolerances(sizes, promised, needed, proved, dots):
    """Draw tolerances of a lemma and the tolerance needed, times n ** (3/8).

    On this scale, the critical rate is a horizontal line.

    Parameters
    ----------
    sizes : array of shape (m,)
        Numbers of items.
    promised : mapping from a name to an array of shape (m,)
        Tolerances.
    needed : array of shape (m,)
        Computed tolerance at which the stated probability is reached.
    proved : array of shape (m,)
        Tolerance at which the probability is proved to be reached.
    dots : pair of arrays
        Numbers of items, and the tolerances needed on simulated lists.
    """
    low, high = 2e-3, 2e3
    figure, axes = sheet(
        figsize=(5.6, 4.4),
        **items_axis(sizes),
        yscale="log",
        ylim=(low, high),
        ylabel="tolerance × n^(3/8) (log scale)",
    )
    scale = sizes ** (3 / 8)
    lines = {name: values * scale for name, values in promised.items()}
    reference = {"needed": needed * scale, "proved": proved * scale}
    colours = dict(zip(promised, OTHERS)) | dict.fromkeys(reference, "black")
    draw(axes, sizes, lines, colours)
    last_values = final_values(lines | reference)
    for name, values in lines.items():
        indices_in_axes = np.flatnonzero((values > low) & (values < high))
        last_index = indices_in_axes.max(initial=0)
        if last_index < len(sizes) - 1:  # the name is where the line leaves the axes
            name_point = sizes[last_index], values[last_index]
            offset = (5, 5 if values[last_index] < 1 else -8)
            write_near(axes, name, name_point, offset, colours[name])
            last_values.pop(name)
    axes.plot(sizes, reference["proved"], "--", color="black", linewidth=1.5)
    axes.plot(sizes, reference["needed"], color="black", linewidth=2.8)
    dot_sizes, dot_tolerances = dots
    axes.plot(dot_sizes, dot_tolerances * dot_sizes ** (3 / 8), "o", color="black", markersize=6)
    label_ends(axes, last_values, colours)
    slope_of = lambda factor: "rises" if factor > 1.01 else "falls" if factor < 0.99 else "is level"
    return figure, (
        f"Lines have logarithmic axes, from {sizes[0]:.0f} to ten to the {np.log10(sizes[-1]):.0f} items: "
        + ", ".join(f"{name} {slope_of(values[-1] / values[0])}" for name, values in lines.items())
        + f". The thick line changes from {reference['needed'][0]:.2f} to {reference['needed'][-1]:.2f}, and "
        f"the dashed line from {reference['proved'][0]:.3g} to {reference['proved'][-1]:.3g}."
    )
