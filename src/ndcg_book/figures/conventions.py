"""The figure of the chapter on conventions: NDCG of one list under many conventions."""

from textwrap import fill

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import note, sheet

_GAP = 0.4  # space between two groups, in rows
_BESIDE = {"xycoords": ("axes fraction", "data"), "annotation_clip": False}


@drawing
def one_list_many_numbers(choices, usual, combined):
    """Draw NDCG of one list under conventions that differ in one choice or in all choices.

    Parameters
    ----------
    choices : mapping of str to mapping of str to float
        NDCG for each choice, by convention; the names are headings and labels of rows.
    usual : float
        NDCG under the usual conventions, marked by a line.
    combined : array_like of shape (m,)
        NDCG under all combinations, drawn as strokes in the last row.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If there are no choices or combinations, or if a value is not finite.
    """
    combined = np.asarray(combined, dtype=float)
    values = [value for named in choices.values() for value in named.values()]
    numbers = [*values, *combined, usual]
    if not (values and combined.size and np.isfinite(numbers).all()):
        raise ValueError(f"choices={choices!r}: expected choices and combinations with finite values")
    room = max(max(numbers) - min(numbers), 1e-3)
    low, high = min(numbers) - 0.14 * room, max(numbers) + 0.14 * room
    groups = choices | {f"all {combined.size} combinations": {"": None}}
    depths, depth = [], 0.0
    for named in groups.values():
        depths.append(depth + np.arange(len(named)))
        depth += len(named) + _GAP
    figure, axes = sheet(
        figsize=(5.6, 0.6 + 0.165 * depth),
        xlim=(low, high),
        xlabel="NDCG",
        ylim=(depth, -0.7),
        yticks=np.concatenate(depths),
        yticklabels=[name for named in groups.values() for name in named],
        bare="y",
        up=(usual,),
    )
    axes.tick_params(axis="y", labelsize=9.5)
    for rows, (heading, named) in zip(depths, groups.items(), strict=True):
        lines = fill(heading, 14) if len(named) > 1 else heading
        beside = {"xycoords": ("axes fraction", "data"), "annotation_clip": False}
        note(axes, lines, (0, rows.mean()), (-165, 0), va="center", weight="bold", fontsize=9.5, **beside)
        for row, value in zip(rows, named.values()):
            if value is not None:
                _draw_choice(axes, row, value, usual, 0.025 * room)
    axes.plot(combined, np.full(combined.size, depths[-1][0]), "|", color="black", markersize=9, alpha=0.35)
    axes.set_xticks([tick for tick in axes.get_xticks() if low <= tick <= high])
    sentences = (
        f"{heading}: " + ", ".join(f"{name} {value:.3f}" for name, value in named.items())
        for heading, named in choices.items()
    )
    return figure, f"Dots show NDCG under each convention, for {'; '.join(sentences)}."


def _draw_choice(axes, depth, value, usual, gap):
    """Draw a dot, with its number on the side away from the usual value."""
    unchanged = np.isclose(value, usual, rtol=0, atol=1e-12)
    colour, lower = GREY if unchanged else OTHERS[1], value < usual and not unchanged
    axes.plot([usual, value], [depth, depth], color=colour, linewidth=1.2)
    axes.plot(value, depth, "o", color=colour, markersize=6)
    beside, side = (value - gap, "right") if lower else (value + gap, "left")
    axes.text(beside, depth, f"{value:.3f}", ha=side, va="center", color=colour, fontsize=9.5)
