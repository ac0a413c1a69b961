"""Figures of the chapter on theorem 4: the slow convergence of the standard NDCG to 1.

Rankings of the same items are given as mappings from the names in `RANKINGS` to their values.
"""

import numpy as np

from claimbook.style import GREY, drawing
from ndcg_book.axes import (
    RANKINGS,
    as_text,
    draw,
    draw_diamonds,
    draw_levels,
    draw_simulated,
    draw_with_dots,
    final_values,
    label_ends,
    set_axis_to_infinity,
    set_squaring_axis,
    sheet,
    write_near,
)

_ATOMS_EXPONENT = 80  # the number of atoms in the visible universe is about this power of ten
_SMALLEST_VISIBLE = 1e-9  # smaller distances to 1 are rounding and are not drawn on a logarithmic axis


@drawing
def short_lists(sizes, curves):
    """Draw NDCG of one growing list, ranked in several ways, on a linear scale.

    Parameters
    ----------
    sizes : array of shape (m,)
    curves : mapping from a ranking's name to an array of shape (m,)
    """
    figure, axes = sheet(
        xlim=(0, sizes[-1]),
        ylim=_up_to_one(min(np.nanmin(values[sizes >= 100]) for values in curves.values())),
        xlabel="items in the list, n",
        ylabel="NDCG, log discount",
    )
    draw(axes, sizes, curves, RANKINGS, label_of=str, linewidth=1.5)
    return figure, (
        f"Five nearly flat curves go from n = {sizes[0]:,} to {sizes[-1]:,} and end at "
        f"{as_text(final_values(curves), '.2f')}."
    )


@drawing
def squeeze(log_n, theory, sizes, observed):
    """Draw NDCG of lists from simulated lengths to lengths that no computer reaches.

    Parameters
    ----------
    log_n : array of shape (q,)
        Natural logarithms of the list lengths in ``theory``.
    theory : mapping from a ranking's name to an array of shape (q,)
    sizes : array of shape (m,)
    observed : mapping from a ranking's name to an array of shape (m,)
    """
    figure, axes = sheet(
        ylabel="NDCG, log discount",
        ylim=_up_to_one(min(theory["reverse-ideal"].min(), observed["reverse-ideal"].min())),
    )
    exponents = log_n / np.log(10)
    axes.fill_between(exponents, theory["reverse-ideal"], 1.0, color=GREY, alpha=0.13, linewidth=0)
    axes.axhline(1.0, color=RANKINGS["ideal"])
    draw_with_dots(axes, exponents, theory, np.log10(sizes), observed, RANKINGS)
    if exponents[-1] > _ATOMS_EXPONENT:
        axes.axvline(_ATOMS_EXPONENT, color=GREY, linestyle=":", linewidth=1.2)
        write_near(
            axes,
            "as many items as atoms\nin the visible universe",
            (0.98 * _ATOMS_EXPONENT, axes.get_ylim()[0]),
            (0, 6),
            ha="right",
        )
    set_squaring_axis(axes, exponents[-1])
    label_ends(axes, {"ideal": 1.0} | final_values(theory), RANKINGS)
    return figure, (
        "Curves rise towards 1. At a googol of items they are at "
        f"{as_text(final_values(theory), '.4f')}. Dots of simulated lists lie on the curves."
    )


@drawing
def missing(log_n, theory, sizes, observed):
    """Draw the distance of NDCG to 1 on a log scale, given the arguments of `squeeze`."""
    figure, axes = sheet(yscale="log", ylabel="1 − NDCG (log scale)", y_labels="{x:g}")
    expected = {
        name: 1.0 - values for name, values in theory.items() if (1.0 - values > _SMALLEST_VISIBLE).all()
    }
    distances = {name: 1.0 - values for name, values in observed.items()}
    draw_with_dots(axes, log_n / np.log(10), expected, np.log10(sizes), distances, RANKINGS, label_of=str)
    set_squaring_axis(axes, log_n[-1] / np.log(10))
    return figure, (
        "The distances to 1 decrease along almost straight, parallel lines while the exponent of n doubles "
        f"again and again, down to {as_text(final_values(expected), '.4f')} at the right end."
    )


@drawing
def rate(log_n, theory, kappas, sizes, observed):
    """Draw ``(1 - NDCG) log n`` and its limits, with n at position ``1 / log n``.

    Parameters
    ----------
    log_n : array of shape (q,)
    theory : mapping from a ranking's name to an array of shape (q,)
    kappas : mapping from a ranking's name to its constant
    sizes : array of shape (m,)
    observed : mapping from a ranking's name to an array of shape (m,)
    """
    figure, axes = sheet(ylabel="(1 − NDCG) log n")
    log_sizes = np.log(sizes)
    scaled = {name: (1.0 - values) * log_n for name, values in theory.items()}
    scaled_distances = {name: (1.0 - values) * log_sizes for name, values in observed.items()}
    draw_with_dots(axes, 1.0 / log_n, scaled, 1.0 / log_sizes, scaled_distances, RANKINGS)
    draw_diamonds(axes, kappas, RANKINGS)
    set_axis_to_infinity(axes, (2, 3, 4, 6, 12), log_sizes[0])
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    label_ends(axes, kappas, RANKINGS, lambda name: f"{name}\nκ = {kappas[name]:.2f}")
    return figure, (
        f"Curves end in diamonds on the right-hand edge, at {as_text(kappas, '.3f')}. Dots of simulated "
        "lists follow them."
    )


@drawing
def spreads(sizes, scaled, intervals, exact):
    """Draw the standard deviation of NDCG times ``sqrt(n) log n``, with intervals.

    Parameters
    ----------
    sizes : array of shape (m,)
    scaled : mapping from a ranking's name to an array of shape (m,)
    intervals : pair of float
        Factors that turn a standard deviation into the two ends of its interval.
    exact : array of shape (m,)
        Exact values for the random order.
    """
    figure, axes = sheet(xscale="log", xlabel="items, n (log scale)", ylabel="sd(NDCG) · √n · log n")
    axes.plot(sizes, exact, color=RANKINGS["random"], linewidth=1.2)
    low, high = ({name: factor * values for name, values in scaled.items()} for factor in intervals)
    for index, (name, values) in enumerate(scaled.items()):
        shifted_sizes = sizes * 1.09 ** (index - 1)  # so that bars do not overlap
        draw_simulated(axes, shifted_sizes, values, low[name], high[name], RANKINGS[name])
    axes.set_ylim(bottom=0.0)
    label_ends(axes, final_values(scaled), RANKINGS)
    covered_count = np.sum((low["random"] <= exact) & (exact <= high["random"]))
    return figure, (
        "Three rows of dots with error bars neither decrease to zero nor grow without bound. They go from "
        + ", ".join(f"{values[0]:.2f} to {values[-1]:.2f} ({name})" for name, values in scaled.items())
        + ". The "
        f"exact line for the random order passes through {covered_count} of its {len(sizes)} bars."
    )


@drawing
def signed_labels(log_n, theory, limits, sizes, observed, lopsided):
    """Draw DCG / ideal DCG for balanced labels 1 and -1, and with a dashed line for other labels.

    Parameters
    ----------
    log_n : array of shape (q,)
    theory : mapping from a ranking's name to an array of shape (q,)
    limits : mapping from a ranking's name to its limit
    sizes : array of shape (m,)
    observed : mapping from a ranking's name to an array of shape (m,)
    lopsided : array of shape (q,)
        DCG / ideal DCG of the ranking by score, for labels whose mean is not 0.
    """
    figure, axes = sheet(ylabel="DCG / ideal DCG")
    exponents = log_n / np.log(10)
    axes.axhline(1.0, color=RANKINGS["ideal"])
    draw_levels(axes, {name: limits[name] for name in theory}, RANKINGS)
    draw_with_dots(axes, exponents, theory, np.log10(sizes), observed, RANKINGS)
    axes.plot(exponents, lopsided, "--", color=RANKINGS["by score"])
    # The curve rises, so the name cannot touch it to the right of a point and below.
    index = np.searchsorted(exponents, 0.2 * exponents[-1])
    name_point = exponents[index], lopsided[index]
    write_near(axes, "labels 1 and −¾", name_point, (0, -4), RANKINGS["by score"], va="top")
    set_squaring_axis(axes, exponents[-1])
    label_ends(axes, final_values(theory) | {"ideal": 1.0}, RANKINGS)
    return figure, (
        f"Three curves level off at {as_text(limits, '.3f')}. A dashed curve rises to {lopsided[-1]:.3f} "
        "at a googol of items."
    )


def _up_to_one(lowest):
    """Return axis limits for values from `lowest` to 1, with room for a name above the line at 1."""
    span = max(1.0 - lowest, 1e-6)  # limits must differ
    return lowest - 0.08 * span, 1.0 + 0.05 * span
