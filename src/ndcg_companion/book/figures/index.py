"""The figure on the first page: who is ahead, on ten growing data sets, under four discounts."""

import numpy as np

from claimbook.style import FIRST, SECOND, drawing
from ndcg_companion.book.axes import draw_strips, sheet

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
        figsize=(5.6, 1.35 * len(names)),
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
