"""The figure on the first page: who is ahead, on ten growing data sets, under four discounts."""

import numpy as np

from ndcg_companion.chapter.axes import sheet, stretches
from ndcg_companion.chapter.style import FIRST, SECOND, drawing

# Who is ahead: colour, and height of the bar, so that they differ without colour too.
_BARS = {True: ("A is ahead", FIRST, 0.86), False: ("B is ahead", SECOND, 0.4)}


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
        figsize=(5.6, 1.35 * len(names)),
        titles=names,
        yticks=[],
        xlabel="items ranked so far (logarithmic scale)",
    )
    edges = np.append(sizes, sizes[-1] ** 2 / sizes[-2])
    for axes, lead in zip(panels, leads, strict=True):
        for row, strip in enumerate(lead):
            for ahead, (label, colour, tall) in _BARS.items():
                bars = stretches(strip == ahead, edges)
                axes.broken_barh(bars, (-row - tall / 2, tall), color=colour, linewidth=0, label=label)
        axes.set(xscale="log", xlim=(edges[0], edges[-1]))
        axes.grid(False)
    figure.supylabel(f"{leads.shape[1]} data sets, one strip each", fontsize=11)
    figure.legend(handles=axes.collections[:2], loc="outside upper left", ncols=2)
    shares = ", ".join(f"{share:.0%}" for share in leads[:, :, -1].mean(axis=1))
    return figure, (
        f"{len(names)} panels of {leads.shape[1]} two-coloured strips; the share of blue at the right-hand "
        f"end, from the slowest discount to the fastest, is {shares}."
    )
