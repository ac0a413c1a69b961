"""Figures of the chapter on theorem 4: how the standard NDCG of every ranking creeps towards 1.

Rankings of the same items come as mappings from the names in `COLOURS` to their values.
"""

import numpy as np

from ndcg_companion.chapter.axes import at_ends, label_ends, listed, sheet, squaring, towards_infinity
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

COLOURS = {
    "ideal": PALETTE[6],
    "by score": PALETTE[0],
    "random": PALETTE[2],
    "upside down": PALETTE[1],
    "reverse-ideal": PALETTE[3],
}
_SQUARED = "items, n: every step to the right squares n"
_ATOMS = 80  # the visible universe has about this power of ten of them
_VISIBLE = 1e-9  # what is missing to 1 below this is rounding, and has no place on a logarithmic axis


@drawing
def short_lists(sizes, curves):
    """NDCG of one growing list, ranked in several ways, over a linear number of items.

    Parameters
    ----------
    sizes : array of shape (m,)
    curves : mapping from a ranking's name to an array of shape (m,)
    """
    figure, axes = sheet()
    for name, values in curves.items():
        axes.plot(sizes, values, color=COLOURS[name], linewidth=1.5)
    settled = min(np.nanmin(values[sizes >= 100]) for values in curves.values())
    span = {"xlim": (0, sizes[-1]), "ylim": _up_to_one(settled, 0.05)}
    axes.set(xlabel="items in the list, n", ylabel="NDCG, log discount", **span)
    ends = at_ends(curves)
    label_ends(axes, ends, COLOURS)
    return figure, (
        f"Five nearly flat curves from n = {sizes[0]:,} to {sizes[-1]:,}, ending at {listed(ends, '.2f')}."
    )


@drawing
def squeeze(log_n, theory, sizes, observed):
    """NDCG from simulated lists to lists beyond any computer.

    Parameters
    ----------
    log_n : array of shape (q,)
        Natural logarithms of the list lengths of the theory.
    theory : mapping from a ranking's name to an array of shape (q,)
    sizes : array of shape (m,)
    observed : mapping from a ranking's name to an array of shape (m,)
    """
    figure, axes = sheet()
    exponents = log_n / np.log(10)
    axes.fill_between(exponents, theory["reverse-ideal"], 1.0, color=GREY, alpha=0.13, linewidth=0)
    axes.axhline(1.0, color=COLOURS["ideal"])
    for name in theory:
        axes.plot(exponents, theory[name], color=COLOURS[name])
        axes.plot(np.log10(sizes), observed[name], "o", color=COLOURS[name], markersize=4)
    lowest = min(theory["reverse-ideal"].min(), observed["reverse-ideal"].min())
    axes.set(ylabel="NDCG, log discount", xlabel=_SQUARED, ylim=_up_to_one(lowest, 0.05))
    if exponents[-1] > _ATOMS:
        axes.axvline(_ATOMS, color=GREY, linestyle=":", linewidth=1.2)
        told = "as many items as atoms\nin the visible universe"
        axes.annotate(
            told, (0.98 * _ATOMS, axes.get_ylim()[0]), (0, 6), textcoords="offset points", ha="right"
        )
    squaring(axes, exponents[-1])
    ends = at_ends(theory)
    label_ends(axes, {"ideal": 1.0} | ends, COLOURS)
    return figure, (
        f"Curves that rise towards 1 as n grows to a googol, where they are at {listed(ends, '.4f')}; "
        "simulated dots lie on them."
    )


@drawing
def missing(log_n, theory, sizes, observed):
    """What NDCG lacks of 1, on a logarithmic scale; parameters as for `squeeze`."""
    figure, axes = sheet()
    exponents, ends = log_n / np.log(10), {}
    for name, values in theory.items():
        if (1.0 - values > _VISIBLE).all():
            axes.plot(exponents, 1.0 - values, color=COLOURS[name])
            axes.plot(np.log10(sizes), 1.0 - observed[name], "o", color=COLOURS[name], markersize=4)
            ends[name] = 1.0 - values[-1]
    axes.set(yscale="log", ylabel="1 − NDCG (log scale)", xlabel=_SQUARED)
    axes.yaxis.set_major_formatter("{x:g}")
    squaring(axes, exponents[-1])
    label_ends(axes, ends, COLOURS)
    return figure, (
        "Distances to 1 that fall along almost straight, parallel lines as the exponent of n doubles again "
        f"and again, down to {listed(ends, '.4f')} at the right end."
    )


@drawing
def rate(log_n, theory, kappas, sizes, observed):
    """``(1 - NDCG) log n``, and the constants it tends to, with n placed at ``1 / log n``.

    Parameters
    ----------
    log_n : array of shape (q,)
    theory : mapping from a ranking's name to an array of shape (q,)
    kappas : mapping from a ranking's name to its constant
    sizes : array of shape (m,)
    observed : mapping from a ranking's name to an array of shape (m,)
    """
    figure, axes = sheet()
    for name, values in theory.items():
        axes.plot(1.0 / log_n, (1.0 - values) * log_n, color=COLOURS[name])
        simulated = (1.0 - observed[name]) * np.log(sizes)
        axes.plot(1.0 / np.log(sizes), simulated, "o", color=COLOURS[name], markersize=4)
        axes.plot(0.0, kappas[name], "D", color=COLOURS[name], markersize=6, clip_on=False)
    towards_infinity(axes, (2, 3, 4, 6, 12), np.log(sizes[0]))
    axes.set(ylabel="(1 − NDCG) log n", xlim=(1.03 / np.log(sizes[0]), 0.0))
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    label_ends(axes, kappas, COLOURS, lambda name: f"{name}\nκ = {kappas[name]:.2f}", lines=2)
    return figure, (
        f"Curves that run into diamonds on the right-hand edge, at {listed(kappas, '.3f')}; simulated dots "
        "follow them."
    )


@drawing
def spreads(sizes, scaled, intervals, exact):
    """Standard deviation of NDCG over replicates, times ``sqrt(n) log n``, with intervals.

    Parameters
    ----------
    sizes : array of shape (m,)
    scaled : mapping from a ranking's name to an array of shape (m,)
    intervals : pair of float
        Factors by which a standard deviation is multiplied to give the two ends of its interval.
    exact : array of shape (m,)
        What the random order should have.
    """
    figure, axes = sheet()
    axes.plot(sizes, exact, color=COLOURS["random"], linewidth=1.2)
    for place, (name, values) in enumerate(scaled.items()):
        aside = sizes * 1.09 ** (place - 1)
        axes.vlines(aside, values * intervals[0], values * intervals[1], color=COLOURS[name], linewidth=1.2)
        axes.plot(aside, values, "o", color=COLOURS[name], markersize=4)
    axes.set(xscale="log", xlabel="items, n (log scale)", ylabel="sd(NDCG) · √n · log n")
    axes.set_ylim(bottom=0.0)
    label_ends(axes, at_ends(scaled), COLOURS)
    low, high = (factor * scaled["random"] for factor in intervals)
    covered = np.sum((low <= exact) & (exact <= high))
    rows = ", ".join(f"{values[0]:.2f} to {values[-1]:.2f} ({name})" for name, values in scaled.items())
    return figure, (
        f"Three rows of dots with error bars, neither falling to zero nor growing without bound: {rows}. The "
        f"exact line for random order passes through {covered} of its {len(sizes)} bars."
    )


@drawing
def signed_labels(log_n, theory, limits, sizes, observed, lopsided):
    """DCG over ideal DCG when the labels 1 and -1 balance, and, dashed, when they do not.

    Parameters
    ----------
    log_n : array of shape (q,)
    theory : mapping from a ranking's name to an array of shape (q,)
    limits : mapping from a ranking's name to its limit
    sizes : array of shape (m,)
    observed : mapping from a ranking's name to an array of shape (m,)
    lopsided : array of shape (q,)
        The ratio of the ranking by score for labels whose mean is not 0.
    """
    figure, axes = sheet()
    exponents = log_n / np.log(10)
    axes.axhline(1.0, color=COLOURS["ideal"])
    for name, values in theory.items():
        axes.axhline(limits[name], color=COLOURS[name], linestyle=":", linewidth=1.2)
        axes.plot(exponents, values, color=COLOURS[name])
        axes.plot(np.log10(sizes), observed[name], "o", color=COLOURS[name], markersize=4)
    axes.plot(exponents, lopsided, "--", color=COLOURS["by score"])
    # To the right of a point and below it: the curve rises, so the name cannot meet it there.
    middle = np.searchsorted(exponents, 0.2 * exponents[-1])
    axes.annotate(
        "labels 1 and −¾",
        (exponents[middle], lopsided[middle]),
        (0, -4),
        textcoords="offset points",
        va="top",
        color=COLOURS["by score"],
    )
    axes.set(xlabel=_SQUARED, ylabel="DCG / ideal DCG")
    squaring(axes, exponents[-1])
    label_ends(axes, at_ends(theory) | {"ideal": 1.0}, COLOURS)
    return figure, (
        f"Three curves that level off at {listed(limits, '.3f')}; a dashed curve rises to {lopsided[-1]:.3f} "
        "at a googol of items."
    )


def _up_to_one(lowest, above):
    """Limits of an axis of values from `lowest` to 1, with room for a name above the line at 1."""
    span = max(1.0 - lowest, 1e-6)
    return lowest - 0.08 * span, 1.0 + above * span
