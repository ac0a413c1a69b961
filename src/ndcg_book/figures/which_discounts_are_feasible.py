"""Figures on feasible discounts: a discount that is a staircase, and a map with cut-offs."""

import numpy as np

from claimbook.palette import LINE
from claimbook.style import FIRST, GREY, OTHERS, drawing, mixed
from ndcg_book.axes import (
    as_text,
    draw,
    draw_cell,
    draw_shares,
    draw_xy,
    final_values,
    label_ends,
    powers_of_ten,
    sheet,
    without_tex,
    write_near,
)

_FONT_SIZE = 15  # in points; at least 11 pixels on the screen of a phone


@drawing
def blindness(exponents, discounts, shares):
    """Draw the weights of ranks, and how often the first ranker is ahead under each discount.

    Parameters
    ----------
    exponents : array of shape (q,)
        Decimal logarithms of ranks.
    discounts : mapping from a name to an array of shape (q,)
    shares : mapping from such a name to (lengths, shares, low, high), arrays of shape (m,)
        List lengths, and the proportions of lists on which the first ranker is ahead, with intervals.
    """
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        height_ratios=(2, 3),
        figsize=(5.6, 5.0),
        titles=("weight of rank r", "how often the first ranker is ahead on n items"),
        xlim=(exponents[0], exponents[-1]),
        xlabel="rank r, and items in the list n (log scale)",
        x_labels=powers_of_ten,
        panel_options=({"ylabel": "discount D(r)"}, {"ylim": (0.0, 1.03), "ylabel": "P(first ranker ahead)"}),
    )
    colours = dict(zip(discounts, OTHERS))
    draw(upper, exponents, discounts, colours)
    upper.set_ylim(bottom=0.0)
    label_ends(upper, final_values(discounts), colours)
    lower.axhline(0.5, color=GREY, linewidth=1.0)
    shares_by_log_length = {name: (np.log10(lengths), *values) for name, (lengths, *values) in shares.items()}
    draw_xy(lower, shares_by_log_length, colours, label_of=str)
    draw_shares(lower, shares_by_log_length, colours)
    lower.text(exponents[0] + 0.08, 0.48, "one half", color=GREY, va="top")
    return figure, (
        f"Above, curves show discounts. At rank 10^{exponents[-1]:g} they are "
        f"{as_text(final_values(discounts), '.2g')}. Below, the proportion of lists on which the first "
        "ranker is ahead changes as follows: "
        + "; ".join(
            f"under {without_tex(name)} from {values[0]:.2f} at {lengths[0]:,} items to {values[-1]:.2f} at "
            f"{lengths[-1]:,}"
            for name, (lengths, values, *_) in shares.items()
        )
        + "."
    )


@drawing
def by_exponent(betas, shares):
    """Draw how often the better ranker is behind, by exponent of the discount.

    Parameters
    ----------
    betas : array of shape (m,)
    shares : mapping from the part of the list that counts to an array of shape (m,)
    """
    figure, axes = sheet(
        figsize=(5.6, 3.2),
        xlim=(betas[0], betas[-1]),
        ylim=(0, 0.5),
        xlabel="exponent β of the discount",
        ylabel="lists with the better ranker behind",
        y_labels="{x:.0%}",
        vlines=(1.0,),
        line_style="--",
    )
    write_near(axes, "$1/r$", (1.0, 0.5), (4, -2), GREY, va="top")
    draw(axes, betas, shares, label_of=lambda name: name.replace(" ", "\n"))
    return figure, (
        "The percentage of lists with the better ranker behind changes as follows from the exponent "
        f"{betas[0]:g} to {betas[-1]:g}: "
        + "; ".join(f"{name} {values[0]:.0%} to {values[-1]:.0%}" for name, values in shares.items())
        + ". A dashed line marks the exponent 1."
    )


@drawing
def feasibility(title, columns, discounts, chances, answers):
    """Draw a table of how often the better ranker is behind, by discount and cut-off.

    Parameters
    ----------
    title : str
    columns, discounts : list of str
    chances : array of shape (rows, columns)
        Probabilities that the better ranker is behind; NaN for empty cells.
    answers : lists of "yes", "no" or "", of the same shape
        Whether the pair is consistently distinguished as lists grow.
    """
    figure, axes = sheet(
        figsize=(5.6, 0.6 + 0.55 * len(discounts)),
        frameless="both",
        xlim=(0, len(columns)),
        ylim=(len(discounts), 0),
        xticks=np.arange(len(columns)) + 0.5,
        xticklabels=columns,
        yticks=np.arange(len(discounts)) + 0.5,
        yticklabels=discounts,
    )
    axes.xaxis.tick_top()
    axes.tick_params(labelsize=_FONT_SIZE)
    descriptions = []
    above, below = {"va": "bottom", "weight": "bold"}, {"va": "top"}  # the middle of the cell
    for row, name in enumerate(discounts):
        cell_descriptions = []
        for column in np.flatnonzero(np.isfinite(chances[row])):
            answer, behind_text = answers[row][column], f"{100.0 * chances[row, column]:.0f}%"
            face_colour = mixed(FIRST, 0.3) if answer == "yes" else "white"
            middle = (column + 0.5, row + 0.5)
            draw_cell(axes, middle, face_colour, edgecolor=LINE, linewidth=1)
            write_near(axes, answer, middle, (0, -1), ha="center", fontsize=_FONT_SIZE, **above)
            write_near(axes, behind_text, middle, (0, -1), ha="center", fontsize=_FONT_SIZE, **below)
            cell_descriptions.append(f"{answer}, {behind_text} ({' '.join(columns[column].split())})")
        descriptions.append(f"{name} {'; '.join(cell_descriptions)}")
    return figure, (
        "A table shows whether the pair is consistently distinguished, and how often the better ranker is "
        f"behind, {title}: {'. '.join(descriptions)}."
    )
