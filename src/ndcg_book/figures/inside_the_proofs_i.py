"""Figures on the first proofs: depths of the items, and errors of pseudo-expectations."""

import numpy as np
from scipy.stats import beta

from claimbook.style import GREY, OTHERS, drawing, mixed
from ndcg_book.axes import (
    as_text,
    draw,
    draw_diamonds,
    draw_xy,
    final_values,
    items_axis,
    label_ends,
    set_axis_to_infinity,
    sheet,
    write_near,
)

_PALE = mixed(OTHERS[0], 0.35)
_NEGLIGIBLE = 1e-30  # smaller distances are rounding and are not drawn on a logarithmic axis


@drawing
def stacked_densities(n):
    """Draw stacked densities of the depths of the first, second, ... of n items.

    Parameters
    ----------
    n : int
        Number of items. The depth of the item at rank r has the distribution Beta(r, n - r + 1).
    """
    figure, axes = sheet(
        xlim=(0, 1),
        ylim=(0, 1.12 * n),
        xlabel="depth u (0 is the top of the list)",
        ylabel="density, stacked",
        no_grid="both",
    )
    u = np.linspace(0.0, 1.0, 1201)
    ranks = np.arange(1, n + 1)
    upper_edges = np.cumsum(beta.pdf(u, ranks[:, None], n - ranks[:, None] + 1), axis=0)
    for rank, low, high in zip(ranks, [0.0, *upper_edges], upper_edges):  # each band is on top of the last
        axes.fill_between(u, low, high, color=_PALE if rank % 2 else "white", linewidth=0)
        axes.plot(u, high, color=OTHERS[0], linewidth=0.8)
    # The first and the last band are n high at one edge of the axes, where they have their names.
    axes.text(0.015, upper_edges[0, 0] / 3.0, "rank 1", va="center")
    axes.text(0.985, n - upper_edges[0, 0] / 3.0, f"rank {n}", ha="right", va="center")
    axes.plot(u, upper_edges[-1], color="black", linewidth=2.0)
    write_near(
        axes,
        f"all {n} together: {upper_edges[-1, len(u) // 2]:.0f} everywhere",
        (0.5, n),
        (0, 5),
        ha="center",
    )
    index = 120  # of the depth 0.1 among the 1201 depths
    return figure, (
        f"{n} bands, alternately blue and white, fill a rectangle of height {n} without a gap, from rank 1 "
        f"at the upper end of the list to rank {n} at the lower end. At depth {u[index]:.1f} the band of "
        f"rank 1 is {upper_edges[0, index]:.2f} high."
    )


@drawing
def distances(sizes, lines, rates, dots=None, ylabel="distance (log scale)"):
    """Draw distances that decrease with the number of items, and reference rates.

    Parameters
    ----------
    sizes : array of shape (m,)
        Numbers of items.
    lines : mapping from a name to an array of shape (m,)
        Distances; values that are 0 up to rounding are omitted.
    rates : mapping from a name to an array of shape (m,)
        Rates for comparison, drawn dashed and grey.
    dots : mapping from a name of `lines` to a pair of arrays, optional
        Numbers of items, and distances on simulated lists.
    """
    figure, axes = sheet(figsize=(5.6, 4.2), **items_axis(sizes), yscale="log", ylabel=ylabel)
    colours = dict(zip(lines, OTHERS)) | dict.fromkeys(rates, GREY)
    magnitudes = {name: np.abs(values) for name, values in lines.items() if abs(values[-1]) > _NEGLIGIBLE}
    visible = {name: np.where(values > _NEGLIGIBLE, values, np.nan) for name, values in magnitudes.items()}
    draw(axes, sizes, rates, colours, "--", linewidth=1.5)
    draw(axes, sizes, visible, colours)
    dots_of_magnitudes = {name: (lengths, np.abs(values)) for name, (lengths, values) in (dots or {}).items()}
    draw_xy(axes, dots_of_magnitudes, colours, "o", markersize=4.5)
    label_ends(axes, final_values(visible | rates), colours)
    return figure, (
        f"{len(visible)} curves decrease on logarithmic axes. At ten to the {np.log10(sizes[-1]):.0f} items "
        f"they are at {as_text(final_values(visible), '.1e')}"
        + "".join(f"; the distance of {name} is 0 and is not drawn" for name in lines if name not in visible)
        + "".join(f"; a dashed line for {name} is at {values[-1]:.1e}" for name, values in rates.items())
        + "."
    )


@drawing
def scaled_distances(log_n, scaled, limits):
    """Draw distances multiplied by ``F(np)``, and their limits, over ``1 / log n``.

    Parameters
    ----------
    log_n : array of shape (m,)
        Natural logarithms of the numbers of items.
    scaled : mapping from a name to an array of shape (m,)
    limits : mapping from a name to its constant
    """
    figure, axes = sheet(ylabel="(R − N) · F(np)", hlines=(0.0,))
    draw(axes, 1.0 / log_n, scaled)
    draw_diamonds(axes, limits, label_of=" {}".format)
    set_axis_to_infinity(axes, (2, 3, 4, 6, 12), log_n[0])
    rounded_limits = {name: round(value, 3) + 0.0 for name, value in limits.items()}  # -0.0 becomes 0.0
    return figure, (
        f"Smooth curves go from {np.exp(log_n[0]):.0f} items to diamonds at infinity, which are "
        "at " + as_text(rounded_limits, ".3f") + "."
    )
