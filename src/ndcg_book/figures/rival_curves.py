"""The difference of two relevance curves, unweighted and weighted by a discount."""

import numpy as np

from claimbook.style import GREY, drawing
from ndcg_book.axes import sheet, without_tex, write_in_corner

# A panel is high enough for the values below this depth, but its height is at most this multiple of the
# unweighted difference. The peak of a weighted curve may lie outside.
_LEAST_DEPTH, _MOST_HEIGHT = 0.05, 4.0


def areas(depths, values):
    """Return the areas between a curve and the axis, above and below the axis.

    >>> areas([0.0, 0.5, 1.0], [1.0, 0.0, -1.0])
    (0.25, 0.25)
    """
    positive_parts = np.maximum(values, 0.0), np.maximum(np.negative(values), 0.0)
    return tuple(float(np.trapezoid(part, depths)) for part in positive_parts)


@drawing
def rival_curves(depths, difference, weighted, weight=r"$u^{-\beta}$"):
    """Draw the difference of two relevance curves by depth, unweighted and weighted.

    Each curve has its own panel. The areas above and below the axis are shaded, and their sizes are given as
    numbers. Limits tie if the two areas of the weighted curve are equal. Near the top, the weighted curve may
    lie outside the axes.

    Parameters
    ----------
    depths : array of shape (q,)
        Depths in ascending order, dense near 0 if the weight has a peak there; for a power below 1
        ``np.linspace(0, 1, 1001)[1:] ** 8`` suffices.
    difference, weighted : arrays of shape (q,)
        Delta at these depths, and Delta times the weight.
    weight : str
        The weight as it is written in the figure.
    """
    names = r"$\Delta(u)$", rf"$\Delta(u)$ {weight}"
    titles = "by depth", f"weighted by the discount, times {weight}"
    height_limit = _MOST_HEIGHT * np.abs(difference).max()
    figure, panels = sheet(
        2,
        sharex=True,
        figsize=(5.6, 4.6),
        titles=titles,
        xlim=(0.0, 1.0),
        xlabel="depth u, proportion of items above",
        ylabel="first minus second",
        hlines=(0.0,),
    )
    sentences = []
    colours = (GREY, "black")  # these are not the colours of the rankers
    for axes, name, values, colour in zip(panels, names, (difference, weighted), colours):
        visible = np.clip(values[depths >= _LEAST_DEPTH], -height_limit, height_limit)
        low, high = visible.min() - 0.15 * np.ptp(visible), visible.max() + 0.35 * np.ptp(visible)
        axes.set_ylim(low, high)
        axes.locator_params(axis="y", nbins=4)
        area_above, area_below = (f"{area:#.3g}".rstrip(".") for area in areas(depths, values))
        areas_text = f"area above {area_above}, below {area_below}"
        axes.fill_between(depths, values, color=colour, alpha=0.15, linewidth=0)
        axes.plot(depths, values, color=colour)
        write_in_corner(axes, areas_text, (0.98, 0.97), colour)
        start = f"from {values[0]:.2g}" if values[0] <= high else "from above the axes"
        sentences.append(
            f"{without_tex(name)} {start} at the top to {values[-1]:.2g} at the bottom, {areas_text}"
        )
    return figure, f"Two panels, one below the other, show curves over the depth: {'; '.join(sentences)}."
