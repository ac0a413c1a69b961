"""The figures of a plan: probabilities to be ahead, and differences that a test detects."""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from ndcg_companion.text import escaped
from ranking_report.colours import FIRST, SECOND

_STYLES = [(colour, line) for colour in (FIRST, SECOND) for line in ("-", "--", ":", "-.")]


def chance_map(measures, sizes, chances):
    """Return a table of colours: the probability that the first of two rankers is ahead.

    Blue where the first is likely to be ahead, orange where the second is, white for even odds.

    Parameters
    ----------
    measures : sequence of str
        The rows.
    sizes : sequence of int
        The columns: numbers of items.
    chances : array_like of shape (measures, sizes)
        From 0 to 1; the cells show them in per cent.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure = Figure(figsize=(5.6, 1.0 + 0.42 * len(measures)), layout="constrained")
    axes = figure.subplots()
    colours = LinearSegmentedColormap.from_list("ahead", [SECOND, "white", FIRST])
    axes.imshow(chances, vmin=0, vmax=1, aspect="auto", cmap=colours)
    axes.set_xticks(range(len(sizes)), [f"{size:,}" if size < 1e6 else f"{size:.0e}" for size in sizes])
    axes.set_yticks(range(len(measures)), [escaped(name) for name in measures])
    for (row, column), share in np.ndenumerate(chances):
        colour = "white" if abs(share - 0.5) > 0.35 else "black"
        axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", fontsize=10, color=colour)
    axes.set_xlabel("items (cells: probability in per cent that the first ranker is ahead)")
    return figure


def differences_seen(queries, differences):
    """Return lines: the smallest difference of means that a paired test detects, by number of queries.

    Parameters
    ----------
    queries : array_like of shape (m,)
    differences : mapping of str to array_like of shape (m,)
        By the name of a measure.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure = Figure(figsize=(5.6, 3.6), layout="constrained")
    axes = figure.subplots()
    for number, (name, values) in enumerate(differences.items()):
        colour, line = _STYLES[number % len(_STYLES)]
        axes.loglog(queries, values, line, color=colour, label=escaped(name))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set(xlabel="queries (log scale)", ylabel="difference that is detected (log scale)")
    axes.legend(frameon=False)
    return figure
