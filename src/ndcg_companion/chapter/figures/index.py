"""The figure on the first page: who is ahead, on ten growing data sets, under four discounts."""

import numpy as np
import seaborn
from matplotlib import pyplot as plt
from matplotlib.colors import ListedColormap

from ndcg_companion.chapter.style import PALETTE, drawing

_AHEAD, _BEHIND = PALETTE[0], "#f3b58a"  # far apart in lightness, so that they differ without colour too


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
    figure, panels = plt.subplots(len(names), sharex=True, figsize=(5.6, 1.35 * len(names)))
    colours = ListedColormap([_BEHIND, _AHEAD])
    for axes, lead, name in zip(panels, leads, names, strict=True):
        seaborn.heatmap(lead, vmin=0, vmax=1, cmap=colours, cbar=False, ax=axes, rasterized=True)
        axes.hlines(np.arange(1, len(lead)), 0, len(sizes), color="white", linewidth=min(1, 10 / len(lead)))
        axes.set(yticks=[], title=name)
        axes.grid(False)
    decades = np.arange(np.ceil(np.log10(sizes[0])), np.floor(np.log10(sizes[-1])) + 1)
    places = np.interp(decades, np.log10(sizes), np.arange(len(sizes)) + 0.5)
    panels[-1].set_xticks(places, [rf"$10^{{{decade:.0f}}}$" for decade in decades], rotation=0)
    panels[-1].set_xlabel("items ranked so far (logarithmic scale)")
    figure.supylabel(f"{leads.shape[1]} data sets, one strip each", fontsize=11)
    plt.close(figure)  # else Jupyter shows it once more
    shares = ", ".join(f"{share:.0%}" for share in leads[:, :, -1].mean(axis=1))
    return figure, (
        f"{len(names)} panels of {leads.shape[1]} two-coloured strips; the share of blue at the right-hand "
        "end, from "
        f"the slowest discount to the fastest, is {shares}."
    )
