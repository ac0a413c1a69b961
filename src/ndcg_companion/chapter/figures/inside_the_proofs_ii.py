"""Figures inside the last proofs: powers of a logarithm, and tolerances held against what NDCG really strays."""

import numpy as np
from matplotlib.figure import Figure

from ndcg_companion.chapter.axes import label_ends
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

_POWERS = (3, 4, 6, 10, 20)  # of ten, named on an axis on which infinity has a place


@drawing
def projections(depths, target, approximations):
    """A difference of relevance curves and its nearest combinations of powers of log u, over the depth.

    Parameters
    ----------
    depths : array of shape (m,)
        Positive.
    target : array of shape (m,)
    approximations : mapping from a highest power to an array of shape (m,)
    """
    figure = Figure()
    axes = figure.subplots()
    axes.plot(depths, target, color="black", linewidth=2.6)
    colours, names = {}, {}
    for (degree, values), colour in zip(approximations.items(), PALETTE, strict=False):
        axes.plot(depths, values, color=colour, linewidth=1.5)
        colours[degree], names[degree] = colour, values[-1]
    low, high = np.min(target), np.max(target)
    room = 0.45 * (high - low)
    axes.set(
        xscale="log",
        xlim=(depths[0], depths[-1]),
        ylim=(low - room, high + room),
        xlabel="depth u (log scale; the top is far left)",
        ylabel="difference of relevance",
    )
    label_ends(axes, names, colours, "power {}".format)
    return figure


@drawing
def errors(lines, xlabel, scale="log"):
    """How much is left of functions after more and more powers, from 1 downwards.

    Parameters
    ----------
    lines : mapping from a name to an array
        Shares that are left, by the number of powers used less one.
    xlabel : str
    scale : {"log", "linear"}
        On a logarithmic axis, shares below 1 in 10,000 are left out, and a line is named where it leaves the axis.
    """
    figure = Figure()
    axes = figure.subplots()
    floor = 1e-4 if scale == "log" else 0.0
    colours, ends = dict(zip(lines, PALETTE, strict=False)), {}
    axes.set(
        yscale=scale,
        ylim=(floor, 1.5 if scale == "log" else 1.05),
        xlim=(0, max(map(len, lines.values())) - 1),
        xlabel=xlabel,
        ylabel="share left" + " (log scale)" * (scale == "log"),
    )
    leaving = 0
    for name, values in lines.items():
        inside = np.flatnonzero(values >= floor)
        axes.plot(inside, values[inside], color=colours[name])
        if len(inside) == len(values):
            ends[name] = values[-1]
        else:
            axes.annotate(
                name,
                (inside[-1], floor),
                (5, 5 + 14 * leaving),
                textcoords="offset points",
                color=colours[name],
            )
            leaving += 1
    label_ends(axes, ends, colours)
    return figure


@drawing
def integral_shares(log_n, shares):
    """Integrals as shares of their limits, with n placed at 1 / log n: all run into 1 at infinity.

    Parameters
    ----------
    log_n : array of shape (m,)
        Natural logarithms of the numbers of items, growing.
    shares : mapping from a name to an array of shape (m,)
    """
    figure = Figure()
    axes = figure.subplots()
    for (name, values), colour in zip(shares.items(), PALETTE, strict=False):
        axes.plot(1.0 / log_n, values, color=colour)
        axes.annotate(
            name,
            (1.0 / log_n[0], values[0]),
            (-5, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            color=colour,
            annotation_clip=False,
        )
    axes.plot(0.0, 1.0, "D", color="black", markersize=6, clip_on=False, zorder=5)
    axes.axhline(1.0, color=GREY, linewidth=1.0)
    powers = [power for power in _POWERS if log_n[0] - 1e-9 <= power * np.log(10)]
    places = [1.0 / (power * np.log(10)) for power in powers]
    axes.set_xticks([*places, 0.0], [*(f"$10^{{{power}}}$" for power in powers), "∞"])
    axes.set(yscale="log", xlabel="items, n (placed at 1/log n)", ylabel="share of its limit (log scale)")
    axes.set_xlim(1.25 / log_n[0], 0.0)
    return figure


@drawing
def tolerances(sizes, promised, needed, proved, dots):
    """What a lemma allows NDCG to stray and what it needs, both times n ** (3/8), which makes the border level.

    Parameters
    ----------
    sizes : array of shape (m,)
        Numbers of items.
    promised : mapping from a name to an array of shape (m,)
        Tolerances.
    needed : array of shape (m,)
        Tolerance at which the promised probability would be met, as computed.
    proved : array of shape (m,)
        Tolerance at which it is met by proof.
    dots : pair of arrays
        Numbers of items, and the tolerance needed there on simulated lists.
    """
    figure = Figure(figsize=(5.6, 4.4))
    axes = figure.subplots()
    level = sizes ** (3 / 8)
    low, high = 2e-3, 2e3
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(sizes[0], sizes[-1]),
        ylim=(low, high),
        xlabel="items, n (log scale)",
        ylabel="tolerance × n^(3/8) (log scale)",
    )
    ends, colours = {}, {}
    for (name, values), colour in zip(promised.items(), PALETTE, strict=False):
        scaled = values * level
        axes.plot(sizes, scaled, color=colour)
        inside = np.flatnonzero((scaled > low) & (scaled < high))
        if len(inside) and inside[-1] == len(sizes) - 1:
            ends[name], colours[name] = scaled[-1], colour
        else:
            at = inside[-1] if len(inside) else 0
            beside = (5, 5 if scaled[at] < 1 else -8)
            axes.annotate(name, (sizes[at], scaled[at]), beside, textcoords="offset points", color=colour)
    axes.plot(sizes, proved * level, "--", color="black", linewidth=1.5)
    axes.plot(sizes, needed * level, color="black", linewidth=2.8)
    axes.plot(dots[0], dots[1] * dots[0] ** (3 / 8), "o", color="black", markersize=6)
    ends |= {"needed": needed[-1] * level[-1], "proved": proved[-1] * level[-1]}
    label_ends(axes, ends, colours | {"needed": "black", "proved": "black"})
    return figure
