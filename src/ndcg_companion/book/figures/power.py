"""The map of who can be told apart: a measure by its discount and cut-off, a number of items, a chance."""

import numpy as np
import seaborn
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from ..style import PALETTE, drawing

_BETWEEN = LinearSegmentedColormap.from_list("ahead", [PALETTE[1], "#ffffff", PALETTE[0]])


@drawing
def chance_map(measures, sizes, chances):
    """The chance that the first of two rankers is ahead: blue where it is, orange where the second is, white for a toss.

    Parameters
    ----------
    measures : sequence of str
    sizes : sequence of int
    chances : array of shape (measures, sizes)
    """
    chances = np.asarray(chances, dtype=float)
    figure = Figure(figsize=(5.6, 1.0 + 0.42 * len(measures)))
    axes = figure.subplots()
    names = [f"$10^{{{np.log10(n):.0f}}}$" if np.log10(n) == round(np.log10(n)) else f"{n:,}" for n in sizes]
    texts = np.vectorize(lambda chance: f"{100 * chance:.0f}")(chances)
    seaborn.heatmap(chances, vmin=0, vmax=1, cmap=_BETWEEN, annot=texts, fmt="", cbar=False, ax=axes, linewidths=1,
                    xticklabels=names, yticklabels=list(measures), annot_kws={"fontsize": 10})  # fmt: skip
    axes.tick_params(length=0)
    axes.set_yticklabels(axes.get_yticklabels(), rotation=0)
    axes.set_xlabel("items, n; numbers: chance in per cent that the first ranker is ahead")
    axes.grid(False)
    return figure
