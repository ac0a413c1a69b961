"""Figures of the chapter on theorem 9: under the Zipfian discount only the top counts, and in log n.

Rankings of the same items come as mappings from the names in `COLOURS` to their values, curves without a top
from the names in `WAVES`.
"""

import numpy as np
from matplotlib.figure import Figure

from ndcg_companion.chapter.axes import label_ends, squaring
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

COLOURS = {"by score": PALETTE[0], "random": PALETTE[2], "upside down": PALETTE[1]}
WAVES = {"settles": PALETTE[3], "wanders": PALETTE[4]}
_VISIBLE = 1e-9  # distances below this are rounding, and have no place on a logarithmic axis


@drawing
def paths(sizes, curves, limits):
    """NDCG of one growing list, ranked in several ways, with the limits it tends to.

    Parameters
    ----------
    sizes : array of shape (m,)
    curves : mapping from a ranking's name to an array of shape (m,)
    limits : mapping from a ranking's name to its limit
    """
    figure = Figure()
    axes = figure.subplots()
    for name, values in curves.items():
        axes.axhline(limits[name], color=COLOURS[name], linestyle=":", linewidth=1.2)
        axes.plot(sizes, values, color=COLOURS[name], linewidth=1.5)
    axes.set(xscale="log", xlabel="items in the list, n (log scale)", ylabel="NDCG, Zipfian discount")
    axes.set(xlim=(sizes[0], sizes[-1]), ylim=(-0.03, 1.03))
    label_ends(axes, {name: values[-1] for name, values in curves.items()}, COLOURS)
    ends = ", ".join(
        f"{values[-1]:.2f} ({name}; limit {limits[name]:.2f})" for name, values in curves.items()
    )
    return (
        figure,
        f"{len(curves)} jagged curves over a logarithmic axis; at the right edge they are at {ends}.",
    )


@drawing
def distances(log_n, exact, predicted, sizes, means, margins, limits):
    """Distance of the mean NDCG from its limit: simulated, exact, and as the term in 1/log n predicts it.

    Parameters
    ----------
    log_n : array of shape (q,)
        Natural logarithms of the list lengths of `exact` and `predicted`.
    exact, predicted : mapping from a ranking's name to an array of shape (q,)
        Mean NDCG.
    sizes : array of shape (m,)
    means, margins : mapping from a ranking's name to an array of shape (m,)
        Mean NDCG of simulated lists, and how far it may be off.
    limits : mapping from a ranking's name to its limit
    """
    figure = Figure()
    axes = figure.subplots()
    exponents, simulated = log_n / np.log(10), np.log10(sizes)
    ends = {}
    for place, (name, limit) in enumerate(limits.items()):
        distance = np.abs(exact[name] - limit)
        if not (distance > _VISIBLE).all():
            continue
        ends[name] = distance[-1]
        axes.plot(exponents, distance, color=COLOURS[name])
        axes.plot(exponents, np.abs(predicted[name] - limit), "--", color="black", linewidth=0.9)
        low, high = np.abs(means[name] - limit) + np.array([[-1.0], [1.0]]) * margins[name]
        aside = simulated * 1.02 ** (place - 1)
        axes.vlines(aside, np.maximum(low, 1e-6), high, color=COLOURS[name], linewidth=1.2)
        axes.plot(aside, np.abs(means[name] - limit), "o", color=COLOURS[name], markersize=4)
    axes.set(yscale="log", ylim=(min(ends.values(), default=1e-3) / 2.0, 1.0))
    axes.set(xlabel="items, n: every step to the right squares n", ylabel="|NDCG − limit| (log scale)")
    axes.yaxis.set_major_formatter("{x:g}")
    squaring(axes, exponents[-1])
    label_ends(axes, ends, COLOURS)
    last = ", ".join(f"{abs(exact[name][-1] - limit):.5f} ({name})" for name, limit in limits.items())
    off = max(abs(exact[name][-1] - predicted[name][-1]) for name in limits)
    return figure, (
        f"Lines over a scale that squares n at every step; at the right end the distances are {last}; the "
        "dashed prediction is "
        f"there within {off:.0e} of them."
    )


@drawing
def border(x, bias, noise, simulated, beyond):
    """Both errors times log n, from too flat a discount to too steep a one: the bias above, the noise below.

    Parameters
    ----------
    x : array of shape (q,)
        ``(1 - beta) log n``, for the limits.
    bias, noise : mapping from a ranking's name to an array of shape (q,)
        What log n times the bias, and times the standard deviation, tend to.
    simulated : tuple of an array of shape (m,) and four mappings from a ranking's name to an array of shape
    (m,)
        Of lists at one length: x; bias, half the width of its interval, standard deviation and exact bias,
        times log n.
    beyond : tuple of an array of shape (k,) and a mapping from a ranking's name to an array of shape (k,)
        Of lists beyond any computer: x and the bias, times log n.
    """
    figure = Figure(figsize=(5.6, 5.8))
    upper, lower = figure.subplots(2, sharex=True)
    places, biases, margins, spreads, finite = simulated
    for axes in (upper, lower):
        axes.axvline(0.0, color=GREY, linewidth=1.0)
        axes.axvspan(x[0], 0.0, color=GREY, alpha=0.1, linewidth=0)
        axes.axhline(0.0, color=GREY, linewidth=1.0)
    for name in bias:
        upper.plot(x, bias[name], color=COLOURS[name])
        upper.plot(places, finite[name], color=COLOURS[name], linewidth=0.8)
        upper.plot(
            beyond[0], beyond[1][name], "D", color=COLOURS[name], markersize=5, markerfacecolor="white"
        )
        upper.vlines(
            places, biases[name] - margins[name], biases[name] + margins[name], color=COLOURS[name], lw=1.2
        )
        upper.plot(places, biases[name], "o", color=COLOURS[name], markersize=4)
        lower.plot(x, noise[name], color=COLOURS[name])
        lower.plot(places, spreads[name], "o", color=COLOURS[name], markersize=4)
    upper.set(ylabel="bias × log n", xlim=(x[0], x[-1]))
    lower.set(ylabel="noise × log n", xlabel="x = (1 − β) log n")
    # room above all data for the names of the two sides
    bottom, top = upper.get_ylim()
    upper.set_ylim(bottom, top + 0.16 * (top - bottom))
    upper.text(0.02, 0.97, "β > 1: steeper", transform=upper.transAxes, va="top", color=GREY)
    upper.text(0.52, 0.97, "β < 1: flatter", transform=upper.transAxes, va="top", color=GREY)
    lower.set_ylim(bottom=min(0.0, lower.get_ylim()[0]))
    label_ends(upper, {name: values[-1] for name, values in bias.items()}, COLOURS)
    ends = [
        ", ".join(
            f"{name} {values[0]:.2f}, {np.interp(0.0, x, values):.2f}, {values[-1]:.2f}"
            for name, values in of.items()
        )
        for of in (bias, noise)
    ]
    return (
        figure,
        f"Above, the bias, from x = {x[0]:g} through 0 to {x[-1]:g}: {ends[0]}. Below, the noise: {ends[1]}.",
    )


@drawing
def waves(log_n, relevance, exact, sizes, observed):
    """Two curves without a limit at the top, and what NDCG makes of them.

    Parameters
    ----------
    log_n : array of shape (q,)
    relevance : mapping from a name to an array of shape (q,)
        Relevance at depth 1/n.
    exact : mapping from a name to an array of shape (q,)
        Mean NDCG.
    sizes : array of shape (m,)
    observed : mapping from a name to an array of shape (m,)
        Mean NDCG of simulated lists.
    """
    figure = Figure(figsize=(5.6, 5.2))
    upper, lower = figure.subplots(2, sharex=True)
    exponents = log_n / np.log(10)
    for name in relevance:
        upper.plot(exponents, relevance[name], color=WAVES[name], linewidth=1.0)
        lower.plot(exponents, exact[name], color=WAVES[name])
        lower.plot(np.log10(sizes), observed[name], "o", color=WAVES[name], markersize=4)
    upper.set(ylabel="relevance at depth 1/n", ylim=(0, 1))
    lower.set(ylabel="NDCG", xlabel="items, n: every step to the right squares n")
    squaring(lower, exponents[-1])
    label_ends(lower, {name: values[-1] for name, values in exact.items()}, WAVES)
    (settled, calm), (_, swinging) = exact.items()
    return figure, (
        "Above, one curve oscillates faster and faster on a scale that squares n at every step, the other at "
        "an even pace. "
        f"Below, the one that {settled} ends at {calm[-1]:.3f}; the other keeps swinging between about "
        f"{swinging.min():.2f} and "
        f"{swinging.max():.2f}."
    )
