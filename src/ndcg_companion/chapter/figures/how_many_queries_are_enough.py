"""Figures of a fixed cut-off and many queries: who is ahead on average, and what more documents change."""

import numpy as np

from ndcg_companion.chapter.axes import at_ends, label_ends, plain_numbers, sheet, simulated
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

_MOST_QUERIES = 10_000  # the most that the figure on documents shows


def _count(queries):
    """A number of queries as it is said.

    >>> _count(76.0), _count(np.inf)
    ('76', 'more than a billion')
    """
    return f"{queries:,.0f}" if np.isfinite(queries) else "more than a billion"


@drawing
def chance_by_queries(queries, chances, seen, certainty):
    """The chance that the better system is ahead on average, against the number of queries.

    Parameters
    ----------
    queries : array of shape (m,)
    chances : mapping from a cut-off k to an array of shape (m,)
    seen : mapping from a cut-off k to (queries, share, low, high), arrays of one shape
        Of simulated experiments.
    certainty : float
        Drawn as a line.
    """
    figure, axes = sheet()
    axes.axhline(certainty, color=GREY, linewidth=1, linestyle="--")
    axes.set(xscale="log", xlim=(queries[0], queries[-1]), ylim=(0.5, 1.0))
    colours = dict(zip(chances, PALETTE))
    for k, values in chances.items():
        axes.plot(queries, values, color=colours[k])
        if k in seen:
            simulated(axes, *seen[k], colours[k])
        # Each curve is named where it crosses the height at which no two are close.
        place = int(np.abs(values - 0.75).argmin())
        axes.annotate(
            f"@{k}",
            (queries[place], values[place]),
            (-3, 2),
            textcoords="offset points",
            color=colours[k],
            ha="right",
            va="bottom",
        )
    axes.annotate(
        f"{certainty:.0%} sure",
        (queries[0], certainty),
        (4, 3),
        textcoords="offset points",
        color=GREY,
        va="bottom",
    )
    plain_numbers(axes.xaxis)
    axes.set(xlabel="queries (log scale)", ylabel="chance that the better is ahead")
    needed = {k: queries[values >= certainty] for k, values in chances.items()}
    told = ", ".join(
        f"at {least[0]:,.0f} for @{k}" if least.size else f"not by {queries[-1]:,.0f} for @{k}"
        for k, least in needed.items()
    )
    return figure, f"Rising curves, one for each cut-off. They reach {certainty:.0%} {told}."


@drawing
def more_documents(sizes, needed, seen, whole_list):
    """Queries needed against the documents of each query's list, on two logarithmic scales.

    Parameters
    ----------
    sizes : array of shape (m,)
    needed : mapping from a kind of pair to an array of shape (m,)
        At the fixed cut-off.
    seen : mapping from a kind of pair to (sizes, queries)
        Of simulated queries.
    whole_list : (str, array of shape (m,))
        Name and numbers of a measure that sees the whole list.
    """
    figure, axes = sheet()
    name, values = whole_list
    lines = needed | {name: values}
    colours = dict(zip(needed, PALETTE)) | {name: GREY}
    for kind, numbers in needed.items():
        axes.plot(sizes, numbers, color=colours[kind])
        if kind in seen:
            axes.plot(*seen[kind], "o:", color=colours[kind], markersize=4, linewidth=1)
    axes.plot(sizes, values, color=GREY, linestyle="--")
    axes.set(xscale="log", yscale="log", xlim=(0.8 * sizes[0], sizes[-1]), ylim=(4, _MOST_QUERIES))
    axes.set(xlabel="documents for each query (log scale)", ylabel="queries needed (log scale)")
    plain_numbers(axes.yaxis)
    within = {kind: numbers[-1] for kind, numbers in lines.items() if numbers[-1] <= _MOST_QUERIES}
    label_ends(axes, within, colours)
    for kind in lines.keys() - within.keys():  # named where it leaves
        place = np.flatnonzero(lines[kind] > _MOST_QUERIES)[0]
        place = sizes[place], _MOST_QUERIES
        axes.annotate(kind, place, (6, -4), textcoords="offset points", color=colours[kind], va="top")
    first = {kind: numbers[np.isfinite(numbers)][0] for kind, numbers in lines.items()}
    first |= {kind: numbers[0] for kind, (_, numbers) in seen.items()}
    told = ", ".join(
        f"from {_count(first[kind])} to {_count(numbers[-1])} ({kind})" for kind, numbers in lines.items()
    )
    return figure, (
        f"Lines on two logarithmic scales. From {sizes[0]:,.0f} to {sizes[-1]:,.0f} documents the queries "
        f"needed go {told}."
    )


@drawing
def differences_seen(queries, differences):
    """The smallest difference of means that a paired test finds, against the number of queries.

    Parameters
    ----------
    queries : array of shape (m,)
    differences : mapping from a measure's name to an array of shape (m,)
    """
    figure, axes = sheet()
    colours = {name: PALETTE[place % len(PALETTE)] for place, name in enumerate(differences)}
    for name, values in differences.items():
        axes.plot(queries, values, color=colours[name])
    axes.set(xscale="log", yscale="log", xlim=(queries[0], queries[-1]))
    axes.set(xlabel="queries (log scale)", ylabel="difference that is found (log scale)")
    for axis in (axes.xaxis, axes.yaxis):
        plain_numbers(axis)
    label_ends(axes, at_ends(differences), colours)
    middle = int(np.abs(np.log(queries / 50)).argmin())
    told = ", ".join(f"{values[middle]:.2g} ({name})" for name, values in differences.items())
    return figure, (
        f"Falling lines on two logarithmic scales. On {queries[middle]:,.0f} queries the differences are "
        f"{told}."
    )
