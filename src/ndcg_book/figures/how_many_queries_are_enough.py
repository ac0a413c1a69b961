"""Figures of the chapter on numbers of queries at a fixed cut-off."""

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import (
    draw,
    draw_simulated,
    draw_xy,
    final_values,
    label_ends,
    plain_numbers,
    sheet,
    write_near,
)

_MOST_QUERIES = 10_000  # the largest number of queries in the figure on documents


def _count_text(queries):
    """Return a number of queries in words.

    >>> _count_text(76.0), _count_text(np.inf)
    ('76', 'more than a billion')
    """
    return f"{queries:,.0f}" if np.isfinite(queries) else "more than a billion"


@drawing
def chance_by_queries(queries, chances, simulated_shares, certainty):
    """Draw how likely the better system is ahead on average, by number of queries.

    Parameters
    ----------
    queries : array of shape (m,)
    chances : mapping from a cut-off k to an array of shape (m,)
    simulated_shares : mapping from a cut-off k to (queries, share, low, high), arrays of one shape
        Numbers of queries, and proportions of simulated experiments, with intervals.
    certainty : float
        A probability that is drawn as a line.
    """
    figure, axes = sheet(
        xscale="log",
        xlim=(queries[0], queries[-1]),
        ylim=(0.5, 1.0),
        xlabel="queries (log scale)",
        ylabel="P(better system ahead)",
        x_labels=plain_numbers,
        hlines=(certainty,),
        line_style="--",
    )
    sentences = []
    for (k, values), colour in zip(chances.items(), OTHERS):
        axes.plot(queries, values, color=colour)
        if k in simulated_shares:
            draw_simulated(axes, *simulated_shares[k], colour)
        # The name is where the line crosses the height at which no two lines are close.
        crossing_index = np.abs(values - 0.75).argmin()
        name_point = queries[crossing_index], values[crossing_index]
        write_near(axes, f"@{k}", name_point, (-3, 2), colour, ha="right", va="bottom")
        sufficient = queries[values >= certainty]
        sentences.append(
            f"at {sufficient[0]:,.0f} for @{k}" if sufficient.size else f"not by {queries[-1]:,.0f} for @{k}"
        )
    write_near(axes, f"{certainty:.0%} sure", (queries[0], certainty), (4, 3), GREY, va="bottom")
    return figure, f"A curve for each cut-off rises. The curves reach {certainty:.0%} {', '.join(sentences)}."


@drawing
def queries_needed(gaps, needed):
    """Draw the queries needed to detect a difference, by standard deviation.

    Parameters
    ----------
    gaps : array of shape (m,)
    needed : mapping from a standard deviation to an array of shape (m,)
    """
    figure, axes = sheet(
        xscale="log",
        yscale="log",
        xlim=(gaps[0], gaps[-1]),
        xlabel="difference of the means (log scale)",
        ylabel="queries (log scale)",
        xticks=gaps[::2],
        x_labels=plain_numbers,
    )
    draw(axes, gaps, needed, label_of="noise {}".format)
    return figure, (
        f"Lines decrease over differences from {gaps[0]:g} to {gaps[-1]:g}: "
        + "; ".join(
            f"{values[0]:,.0f} to {values[-1]:,.0f} queries (noise {noise})"
            for noise, values in needed.items()
        )
        + "."
    )


@drawing
def more_documents(sizes, needed, simulated_needs, whole_list):
    """Draw the number of queries needed, by number of documents of each query.

    Parameters
    ----------
    sizes : array of shape (m,)
    needed : mapping from a kind of pair to an array of shape (m,)
        Numbers of queries needed at the fixed cut-off.
    simulated_needs : mapping from a kind of pair to (sizes, queries)
        Numbers of documents, and numbers of queries needed according to simulated queries.
    whole_list : (str, array of shape (m,))
        Name of a measure of the full list, and the numbers of queries that it needs.
    """
    figure, axes = sheet(
        xscale="log",
        yscale="log",
        xlim=(0.8 * sizes[0], sizes[-1]),
        ylim=(4, _MOST_QUERIES),
        xlabel="documents for each query (log scale)",
        ylabel="queries needed (log scale)",
        y_labels=plain_numbers,
    )
    whole_list_name, whole_list_queries = whole_list
    lines = needed | {whole_list_name: whole_list_queries}
    colours = dict(zip(needed, OTHERS)) | {whole_list_name: GREY}
    draw(axes, sizes, needed, colours)
    draw_xy(axes, simulated_needs, colours, "o:", markersize=4, linewidth=1)
    axes.plot(sizes, whole_list_queries, color=GREY, linestyle="--")
    label_ends(
        axes,
        {kind: last_count for kind, last_count in final_values(lines).items() if last_count <= _MOST_QUERIES},
        colours,
    )
    for kind, numbers in lines.items():
        if numbers[-1] > _MOST_QUERIES:  # the name is where the line leaves the axes
            first_size_outside, *_ = sizes[numbers > _MOST_QUERIES]
            name_point = first_size_outside, _MOST_QUERIES
            write_near(axes, kind, name_point, (6, -4), colours[kind], va="top")
    # In the text, a line begins with its first finite number, or with its simulated one if there are any.
    first_counts = {kind: numbers[np.isfinite(numbers)][0] for kind, numbers in lines.items()}
    first_counts |= {kind: numbers[0] for kind, (_, numbers) in simulated_needs.items()}
    return figure, (
        f"Lines have two logarithmic scales. From {sizes[0]:,.0f} to {sizes[-1]:,.0f} documents, the number "
        "of queries needed changes "
        + ", ".join(
            f"from {_count_text(first_counts[kind])} to {_count_text(numbers[-1])} ({kind})"
            for kind, numbers in lines.items()
        )
        + "."
    )
