"""The figures on the first page: who is ahead by discount, by queries, by length, and against a promise."""

import numpy as np

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from ndcg_book.axes import (
    at_ends,
    draw,
    draw_strips,
    listed,
    note,
    over_items,
    powers_on_log,
    sheet,
    simulated,
)

# Who is ahead: colour, and height of the bar, so that they differ without colour too.
_BARS = {True: (FIRST, 0.86), False: (SECOND, 0.4)}


@drawing
def who_is_ahead(sizes, leads, names):
    """A strip for each data set, blue where the better ranker leads, one panel for each discount.

    Parameters
    ----------
    sizes : ndarray of shape (m,)
        Numbers of items, equally spaced on a logarithmic scale.
    leads : ndarray of bool of shape (discounts, data sets, m)
        Whether the better ranker is strictly ahead.
    names : list of str
        One for each discount.
    """
    figure, panels = sheet(
        len(names),
        sharex=True,
        figsize=(5.6, 0.2 + 0.98 * len(names)),
        titles=names,
        no_grid="both",
        xscale="log",
        yticks=[],
        xlabel="items ranked so far (logarithmic scale)",
    )
    edges = np.append(sizes, sizes[-1] ** 2 / sizes[-2])
    for axes, lead in zip(panels, leads, strict=True):
        draw_strips(axes, lead, edges, _BARS)
        axes.invert_yaxis()
    figure.supylabel(f"{leads.shape[1]} data sets, one strip each", fontsize=11)
    figure.legend(panels[-1].collections[:2], ("A is ahead", "B is ahead"), loc="outside upper left", ncols=2)
    return figure, (
        f"{len(names)} panels of {leads.shape[1]} two-coloured strips; the share of blue at the right-hand "
        "end, from the slowest discount to the fastest, is "
        + ", ".join(f"{share:.0%}" for share in leads[:, :, -1].mean(axis=1))
        + "."
    )


@drawing
def queries_or_items(queries, by_queries, items, by_items, at_hand):
    """How likely the better of two systems is ahead on average: by number of queries, and by length of lists.

    Parameters
    ----------
    queries, items : array
        Numbers of queries, and numbers of items in a list; drawn on logarithmic scales.
    by_queries, by_items : mapping of str to array
        The chances at these numbers. A name says how much better the system is; both have the same names.
    at_hand : int
        The number of queries in the right panel; a grey line marks it in the left one.
    """
    figure, (by_query, right) = sheet(
        1,
        2,
        sharey=True,
        figsize=(5.6, 3.0),
        ylim=(0.5, 1.0),
        titles=("more queries", f"longer lists, {at_hand} queries"),
        x=powers_on_log,
        each=(
            {"xlabel": "queries (log scale)", "xscale": "log", "xlim": (queries[0], queries[-1])},
            over_items(items, "items in each list"),
        ),
    )
    by_query.axvline(at_hand, color=GREY, linewidth=1)
    by_query.set_ylabel("chance that the better is ahead")
    draw(by_query, queries, by_queries)
    draw(right, items, by_items, names=str)
    return figure, (
        f"How likely the better system is ahead. With {queries[-1]:,.0f} queries: "
        f"{listed(at_ends(by_queries), '.2f')}. With lists of {items[-1]:,.0f} items and {at_hand} queries: "
        f"{listed(at_ends(by_items), '.2f')}, with lists of {items[0]:,.0f} "
        f"{listed({name: values[0] for name, values in by_items.items()}, '.2f')}."
    )


@drawing
def promised_and_found(sizes, share, low, high, promised, found):
    """How often the ranker with the better top is ahead on lists of several sizes, between two lines.

    Parameters
    ----------
    sizes, share, low, high : array of shape (m,)
        Of drawn lists, with intervals.
    promised, found : float
        What endless lists should come to by a claim, and what they come to by theory.
    """
    span = np.array([sizes[0] / 2, sizes[-1] * 2])
    figure, axes = sheet(
        figsize=(5.6, 2.8),
        ylim=(0.0, 1.05),
        ylabel="share of lists",
        x=powers_on_log,
        **over_items(span, "items in the list"),
    )
    axes.axhline(promised, color=OTHERS[1], linestyle="--")
    axes.axhline(found, color=OTHERS[0])
    note(axes, "promised for long lists", (span[0], promised), (6, -5), OTHERS[1], va="top")
    below = min(found, *low)  # all intervals, so that the name meets no dot
    note(axes, "computed for endless lists", (span[1], below), (-6, -4), OTHERS[0], ha="right", va="top")
    simulated(axes, sizes, share, low, high, "black")
    return figure, (
        "The share of lists on which the ranker with the better top is ahead is "
        + ", ".join(f"{value:.2f} at {size:,}" for size, value in zip(sizes, share, strict=True))
        + f" items; {promised:g} is promised for long lists, and {found:.2f} is computed for endless ones."
    )
