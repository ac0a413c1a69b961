"""The difference of two relevance curves, and what a discount makes of it: a figure of several chapters."""

import numpy as np

from claimbook.style import GREY, drawing
from ndcg_book.axes import corner, sheet, spoken

# A panel is as high as what lies below this depth, and at most so many times as high as the difference by
# itself: the peak of a discount leaves it.
_NEAR_TOP, _TIMES = 0.05, 4.0


def areas(depths, values):
    """The areas between a curve and the axis, above the axis and below it, over the depths given.

    >>> areas([0.0, 0.5, 1.0], [1.0, 0.0, -1.0])
    (0.25, 0.25)
    """
    sides = np.maximum(values, 0.0), np.maximum(np.negative(values), 0.0)
    return tuple(float(np.trapezoid(side, depths)) for side in sides)


@drawing
def rival_curves(depths, difference, weighted, weight=r"$u^{-\beta}$"):
    """The difference of two relevance curves over the depth, by itself and as a discount weighs it.

    Each has a panel of its own. The areas between a curve and the axis are shaded and written: limits tie
    where the two of the weighted curve are equal. Near the top that curve may leave the picture.

    Parameters
    ----------
    depths : array of shape (q,)
        In ascending order, dense near 0 for the areas of a weight that peaks there:
        ``np.linspace(0, 1, 1001)[1:] ** 8`` does for a power below 1.
    difference, weighted : arrays of shape (q,)
        Delta at these depths, and Delta times the weight.
    weight : str
        The weight as the picture shall name it.
    """
    names = r"$\Delta(u)$", rf"$\Delta(u)$ {weight}"
    titles = "by depth", f"as the discount weighs it, times {weight}"
    largest = _TIMES * np.abs(difference).max()
    figure, panels = sheet(
        2,
        sharex=True,
        figsize=(5.6, 4.6),
        titles=titles,
        xlim=(0.0, 1.0),
        xlabel="depth u, share of items above",
        ylabel="first minus second",
        across=(0.0,),
    )
    sentences = []
    colours = (GREY, "black")  # theory: blue and orange are the rankers themselves
    for axes, name, values, colour in zip(panels, names, (difference, weighted), colours):
        visible = np.clip(values[depths >= _NEAR_TOP], -largest, largest)
        low, high = visible.min() - 0.15 * np.ptp(visible), visible.max() + 0.35 * np.ptp(visible)
        axes.set_ylim(low, high)
        axes.locator_params(axis="y", nbins=4)
        own = "area above {}, below {}".format(
            *(f"{area:#.3g}".rstrip(".") for area in areas(depths, values))
        )
        axes.fill_between(depths, values, color=colour, alpha=0.15, linewidth=0)
        axes.plot(depths, values, color=colour)
        corner(axes, own, (0.98, 0.97), colour)
        top = f"from {values[0]:.2g}" if values[0] <= high else "from above the picture"
        sentences.append(f"{spoken(name)} {top} at the top to {values[-1]:.2g} at the bottom, {own}")
    return figure, f"Two curves over the depth, one below the other: {'; '.join(sentences)}."
