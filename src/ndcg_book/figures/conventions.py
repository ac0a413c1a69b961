"""The figure of the chapter on conventions: NDCG of one list under many conventions."""

from textwrap import fill

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import sheet, write_near

_GAP = 0.4  # space between two groups, in rows
_BESIDE_AXES = {"xycoords": ("axes fraction", "data"), "annotation_clip": False}


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
    values = [value for value_by_convention in choices.values() for value in value_by_convention.values()]
    numbers = [*values, *combined, usual]
    if not (values and combined.size and np.isfinite(numbers).all()):
        raise ValueError(f"choices={choices!r}: expected choices and combinations with finite values")
    value_range = max(max(numbers) - min(numbers), 1e-3)
    low, high = min(numbers) - 0.14 * value_range, max(numbers) + 0.14 * value_range
    # The last group is a row of strokes, without a label and without a value of its own.
    groups = choices | {f"all {combined.size} combinations": {"": None}}
    rows_of_group, next_row = [], 0.0
    for value_by_convention in groups.values():
        rows_of_group.append(next_row + np.arange(len(value_by_convention)))
        next_row += len(value_by_convention) + _GAP
    figure, axes = sheet(
        figsize=(5.6, 0.6 + 0.165 * next_row),
        xlim=(low, high),
        xlabel="NDCG",
        ylim=(next_row, -0.7),
        yticks=np.concatenate(rows_of_group),
        yticklabels=[name for value_by_convention in groups.values() for name in value_by_convention],
        frameless="y",
        vlines=(usual,),
    )
    axes.tick_params(axis="y", labelsize=9.5)
    # Headings are to the left of the labels of their rows; those of several rows may have several lines.
    for group_rows, (heading, value_by_convention) in zip(rows_of_group, groups.items(), strict=True):
        wrapped_heading = fill(heading, 14) if len(value_by_convention) > 1 else heading
        heading_options = {"va": "center", "weight": "bold", "fontsize": 9.5, **_BESIDE_AXES}
        write_near(axes, wrapped_heading, (0, group_rows.mean()), (-165, 0), **heading_options)
        for row, value in zip(group_rows, value_by_convention.values()):
            if value is not None:
                _draw_choice(axes, row, value, usual, 0.025 * value_range)
    *_, (last_row,) = rows_of_group
    axes.plot(combined, np.full(combined.size, last_row), "|", color="black", markersize=9, alpha=0.35)
    axes.set_xticks([tick for tick in axes.get_xticks() if low <= tick <= high])
    sentences = (
        f"{heading}: " + ", ".join(f"{name} {value:.3f}" for name, value in value_by_convention.items())
        for heading, value_by_convention in choices.items()
    )
    return figure, f"Dots show NDCG under each convention, for {'; '.join(sentences)}."


def _draw_choice(axes, row, value, usual, gap):
    """Draw a dot, with its number on the side away from the usual value."""
    is_usual = np.isclose(value, usual, rtol=0, atol=1e-12)
    colour = GREY if is_usual else OTHERS[1]
    axes.plot([usual, value], [row, row], color=colour, linewidth=1.2)
    axes.plot(value, row, "o", color=colour, markersize=6)
    is_below = value < usual and not is_usual
    text_x, alignment = (value - gap, "right") if is_below else (value + gap, "left")
    axes.text(text_x, row, f"{value:.3f}", ha=alignment, va="center", color=colour, fontsize=9.5)
