"""The figure on the first page: who is ahead, on ten growing data sets, under four discounts."""

import numpy as np
from matplotlib import pyplot as plt

from ndcg_companion.chapter.style import PALETTE, drawing

# Who is ahead: colour, and height of the bar, so that they differ without colour too.
_BARS = {True: ("A is ahead", PALETTE[0], 0.86), False: ("B is ahead", PALETTE[1], 0.4)}


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
    edges = np.append(sizes, sizes[-1] ** 2 / sizes[-2])
    for axes, lead, name in zip(panels, leads, names, strict=True):
        for row, strip in enumerate(lead):
            for ahead, (label, colour, tall) in _BARS.items():
                spans = _spans(strip == ahead)
                bars = [(edges[start], edges[stop] - edges[start]) for start, stop in spans]
                axes.broken_barh(bars, (-row - tall / 2, tall), color=colour, linewidth=0, label=label)
        axes.set(yticks=[], title=name, xscale="log", xlim=(edges[0], edges[-1]))
        axes.grid(False)
    panels[-1].set_xlabel("items ranked so far (logarithmic scale)")
    figure.supylabel(f"{leads.shape[1]} data sets, one strip each", fontsize=11)
    figure.legend(*zip(*_key(panels[0]), strict=True), loc="outside upper left", ncols=2)
    plt.close(figure)  # else Jupyter shows it once more
    shares = ", ".join(f"{share:.0%}" for share in leads[:, :, -1].mean(axis=1))
    return figure, (
        f"{len(names)} panels of {leads.shape[1]} two-coloured strips; the share of blue at the right-hand "
        "end, from "
        f"the slowest discount to the fastest, is {shares}."
    )


def _spans(holds):
    """The stretches over which it holds, as starts and stops."""
    turns = np.flatnonzero(np.diff(np.concatenate([[0], holds, [0]])))
    return turns.reshape(-1, 2)


def _key(axes):
    """One bar of each kind, with what it is called."""
    return {label: (bar, label) for bar, label in zip(*axes.get_legend_handles_labels())}.values()
