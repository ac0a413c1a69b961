"""Figures of the chapter on other measures: longer lists, and the information in one query."""

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import as_text, draw, final_values, items_axis, sheet, write_near


@drawing
def ahead_by_length(sizes, shares):
    """Draw how often the better ranker is ahead, by list length and measure.

    Parameters
    ----------
    sizes : array of shape (m,)
    shares : mapping from a measure to an array of shape (m,)
    """
    figure, axes = sheet(
        ylim=(0, 1.02),
        ylabel="lists with the better ranker ahead",
        y_labels="{x:.0%}",
        hlines=(0.5,),
        **items_axis(sizes),
    )
    draw(axes, sizes, shares, label_of=str)
    return figure, (
        f"Some curves rise to 1, and others remain level. At {sizes[-1]:,} items they are at "
        f"{as_text(final_values(shares), '.2f')}."
    )


@drawing
def worth(labels_of):
    """Draw the number of labels that one query is worth under each measure.

    Parameters
    ----------
    labels_of : mapping from a measure to its worth if half and if a fifth of the results are relevant
    """
    figure, axes = sheet(
        figsize=(5.6, 0.7 + 0.42 * len(labels_of)),
        xlim=(0, 11),
        xlabel="labels that one query of ten is worth",
        yticks=range(len(labels_of)),
        yticklabels=list(labels_of),
        ylim=(len(labels_of) - 0.4, -0.9),
        no_grid="y",
    )
    for row, (half, fifth) in enumerate(labels_of.values()):
        axes.barh(row - 0.18, half, 0.32, color=OTHERS[0])
        axes.barh(row + 0.18, fifth, 0.32, color=OTHERS[1])
        write_near(axes, f"{half:.1f}", (half, row - 0.18), (3, 0), OTHERS[0], va="center", fontsize=9)
        write_near(axes, f"{fifth:.1f}", (fifth, row + 0.18), (3, 0), OTHERS[1], va="center", fontsize=9)
    write_near(axes, "half of the results relevant", (0, -0.62), (2, 0), OTHERS[0], va="center", fontsize=10)
    write_near(axes, "a fifth", (6.6, -0.62), (2, 0), OTHERS[1], va="center", fontsize=10)
    axes.axvline(10, color=GREY, linestyle="--", linewidth=1)
    return (
        figure,
        "Each measure has two bars, for half and for a fifth of the results being relevant: "
        + "; ".join(
            f"{name} {np.round(half, 1)} and {np.round(fifth, 1)}"
            for name, (half, fifth) in labels_of.items()
        )
        + ".",
    )
