"""Figures of the chapter on shared results: two pages, and unshared weight by overlap."""

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import as_text, sheet, write_near

_COMMON_COLOUR, _LONE_COLOUR = OTHERS[:2]  # of documents on both pages, and on one page


@drawing
def two_pages(first, second, weights):
    """Draw two pages of results, and each document's part of the variance.

    Parameters
    ----------
    first, second : str
        A letter for each document, with the best document first. There are as many documents as weights.
    weights : array of shape (k,)
        Weight of each rank.
    """
    first_weights, second_weights = (dict(zip(page, weights)) for page in (first, second))
    documents = sorted({*first, *second})
    differences = [first_weights.get(name, 0.0) - second_weights.get(name, 0.0) for name in documents]
    squared_differences = np.array(differences) ** 2
    is_common = np.array([name in first and name in second for name in documents])
    colours = [_COMMON_COLOUR if common else _LONE_COLOUR for common in is_common]
    colour_of = dict(zip(documents, colours))
    k = len(first)
    figure, (pages, bars) = sheet(
        1,
        2,
        figsize=(7.4, 4.4),
        width_ratios=(1, 1.5),
        titles=("two pages of ten", "contribution of a document to the variance"),
        panel_options=(
            {
                "xlim": (-0.35, 1.35),
                "ylim": (k + 0.6, 0.4),
                "xticks": (0, 1),
                "xticklabels": ("first", "second"),
                "yticks": range(1, k + 1),
                "ylabel": "rank",
            },
            {
                "yticks": range(len(documents)),
                "yticklabels": documents,
                "ylim": (len(documents) - 0.4, -0.6),
                "xlabel": "square of the difference of its two weights",
            },
        ),
    )
    pages.grid(visible=False)
    for column, page in enumerate((first, second)):
        for rank, name in enumerate(page, start=1):
            # The names are outside the lines between the columns.
            write_near(
                pages, name, (column, rank), (-7 + 14 * column, 0), colour_of[name], va="center", ha="center"
            )
    for first_rank, name in enumerate(first, start=1):
        if name in second:
            second_rank = second.index(name) + 1
            line_colour = GREY if first_rank == second_rank else _COMMON_COLOUR
            pages.plot((0.06, 0.94), (first_rank, second_rank), color=line_colour)
    bars.barh(range(len(documents)), squared_differences, color=colours)
    bars.grid(visible=False, axis="y")
    return figure, (
        f"Two columns have {k} documents each, with lines between the {is_common.sum()} that are on both "
        "pages. Bars next to them show the contributions: documents of one page add "
        f"{squared_differences[~is_common].sum():.2f} in total, documents of both pages "
        f"{squared_differences[is_common].sum():.2f}."
    )


@drawing
def weight_beside_overlap(overlaps, least, most, mean, pages):
    """Draw the unshared weight of two pages by their number of common results.

    Parameters
    ----------
    overlaps, least, most, mean : arrays of shape (m,)
        Numbers of common results; the lowest and the highest unshared weight, and its mean over all ranks of
        the common results.
    pages : mapping from a name to the overlap and the unshared weight of two pages
    """
    figure, axes = sheet(
        xlim=(overlaps[0], overlaps[-1]),
        ylim=(0, 1.02),
        xlabel="common results of ten",
        ylabel="weight that is not shared",
    )
    axes.fill_between(overlaps, least, most, color=GREY, alpha=0.2, linewidth=0)
    axes.plot(overlaps, mean, color="black")
    axes.plot(overlaps, 1 - overlaps / overlaps[-1], ":", color=GREY)
    for name, (overlap, unshared) in pages.items():
        axes.plot([overlap], [unshared], "o", color=_COMMON_COLOUR, markersize=6)
        is_above_diagonal = unshared > 1 - overlap / overlaps[-1]
        alignment = {"ha": "left", "va": "bottom"} if is_above_diagonal else {"ha": "right", "va": "top"}
        offset = (8, 4) if is_above_diagonal else (-8, -2)
        write_near(axes, name, (overlap, unshared), offset, _COMMON_COLOUR, **alignment)
    middle = len(overlaps) // 2
    unshared_weights = {name: unshared for name, (_, unshared) in pages.items()}
    return figure, (
        f"A band narrows from left to right. With {overlaps[middle]} common results, the unshared weight is "
        f"between {least[middle]:.2f} and {most[middle]:.2f}, and {mean[middle]:.2f} on average over random "
        f"ranks. Dots are at {as_text(unshared_weights, '.2f')}."
    )
