"""Figures of the chapter on what implementations disagree about."""

import numpy as np
from matplotlib.transforms import blended_transform_factory

from claimbook.style import GREY, PALETTE, drawing
from ndcg_book.axes import sheet

_HEADING = 1.1  # height of a heading with the gap above it, in rows
_GAP = 0.35


@drawing
def one_list_many_numbers(choices, usual, combined):
    """One list under conventions that differ from the usual one in one thing, and under all of them combined.

    Parameters
    ----------
    choices : mapping of str to mapping of str to float
        What can be chosen, and NDCG by choice; the names label headings and rows.
    usual : float
        NDCG with none of them, marked by a line.
    combined : array_like of shape (m,)
        NDCG of all combinations, drawn as strokes in the last row.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        Without choices or combinations, and for values that are not finite.
    """
    combined = np.asarray(combined, dtype=float)
    values = [value for named in choices.values() for value in named.values()]
    numbers = [*values, *combined, usual]
    if not (values and combined.size and np.isfinite(numbers).all()):
        raise ValueError(f"choices={choices!r}: expected choices and combinations with finite values")
    room = max(max(numbers) - min(numbers), 1e-3)
    low, high = min(numbers) - 0.14 * room, max(numbers) + 0.14 * room
    rows = len(values) + 1 + (_HEADING + _GAP) * (len(choices) + 1)
    figure, axes = sheet(
        figsize=(5.6, 0.75 + 0.225 * rows), xlim=(low, high), xlabel="NDCG", bare="y", up=(usual,)
    )
    depth, ticks = -_GAP, {}
    for heading, named in choices.items():
        depth = _heading(axes, depth, heading)
        for name, value in named.items():
            _draw_choice(axes, depth, value, usual, 0.025 * room)
            ticks[depth] = name
            depth += 1
    depth = _heading(axes, depth, f"all {combined.size} combinations")
    axes.plot(combined, np.full(combined.size, depth), "|", color=PALETTE[0], markersize=13, alpha=0.35)
    axes.set(ylim=(depth + 0.8, -0.7), yticks=list(ticks), yticklabels=ticks.values())
    axes.set_xticks([tick for tick in axes.get_xticks() if low <= tick <= high])
    sentences = (
        f"{heading}: " + ", ".join(f"{name} {value:.3f}" for name, value in named.items())
        for heading, named in choices.items()
    )
    return figure, f"Dots along the NDCG axis: {'; '.join(sentences)}."


def _draw_choice(axes, depth, value, usual, gap):
    """A dot, and its number on the side away from the usual one."""
    unchanged = np.isclose(value, usual, rtol=0, atol=1e-12)
    colour, lower = GREY if unchanged else PALETTE[1], value < usual and not unchanged
    axes.plot([usual, value], [depth, depth], color=colour, linewidth=1.2)
    axes.plot(value, depth, "o", color=colour, markersize=7)
    beside, side = (value - gap, "right") if lower else (value + gap, "left")
    axes.text(beside, depth, f"{value:.3f}", ha=side, va="center", color=colour)


def _heading(axes, depth, text):
    """A heading at the left edge of the figure; returns the depth of the row below it."""
    transform = blended_transform_factory(axes.figure.transFigure, axes.transData)
    axes.text(0.01, depth + _GAP, text, transform=transform, va="center", weight="bold", in_layout=False)
    return depth + _GAP + _HEADING
