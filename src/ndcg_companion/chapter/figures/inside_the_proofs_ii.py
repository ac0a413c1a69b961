"""Figures inside the last proofs: powers of a logarithm, and tolerances beside what NDCG really strays."""

import numpy as np

from ndcg_companion.chapter.axes import label_ends, listed, sheet, towards_infinity
from ndcg_companion.chapter.page import minus
from ndcg_companion.chapter.style import GREY, PALETTE, drawing


def per_cent(share):
    """A share in words.

    >>> per_cent(0.1234)
    '12 %'
    """
    return f"{100 * share:.2g} %" if share >= 1e-5 else "less than a thousandth of a per cent"


@drawing
def projections(depths, target, approximations, left):
    """A difference of relevance curves and its nearest combinations of powers of log u, over the depth.

    Parameters
    ----------
    depths : array of shape (m,)
        Positive.
    target : array of shape (m,)
    approximations : mapping from a highest power to an array of shape (m,)
    left : mapping from a highest power to the share of the norm that it leaves
    """
    figure, axes = sheet()
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
    shares = ", ".join(f"{degree} leaves {per_cent(share)}" for degree, share in left.items())
    return figure, (
        f"On a logarithmic depth axis from {depths[0]:g} to 1, a black curve between {minus(low, '.2f')} and "
        f"{minus(high, '.2f')}, followed by coloured ones; of its norm, power {shares}."
    )


@drawing
def errors(lines, xlabel, scale="log"):
    """How much is left of functions after more and more powers, from 1 downwards.

    Parameters
    ----------
    lines : mapping from a name to an array
        Shares that are left, by the number of powers used less one.
    xlabel : str
    scale : {"log", "linear"}
        On a logarithmic axis, shares below 1 in 10,000 are left out; lines are named where they leave.
    """
    figure, axes = sheet()
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
    said = per_cent if scale == "log" else "{:.3f}".format
    left = ", ".join(f"{said(values[-1])} ({name})" for name, values in lines.items())
    return figure, (
        f"Curves that never rise, on an axis from 1 to {floor:g}. At the right-hand end, where the {xlabel} "
        f"is {axes.get_xlim()[1]:.0f}, are left {left}."
    )


@drawing
def integral_shares(log_n, shares):
    """Integrals as shares of their limits, with n placed at 1 / log n: all run into 1 at infinity.

    Parameters
    ----------
    log_n : array of shape (m,)
        Natural logarithms of the numbers of items, growing.
    shares : mapping from a name to an array of shape (m,)
    """
    figure, axes = sheet()
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
    towards_infinity(axes, (3, 4, 6, 10, 20), log_n[0])
    axes.set(yscale="log", ylabel="share of its limit (log scale)", xlim=(1.25 / log_n[0], 0.0))
    stand = listed({name: values[0] for name, values in shares.items()}, ".3g")
    return figure, (
        f"Five curves that end at a diamond of height 1 at infinity. At {np.exp(log_n[0]):,.0f} items they "
        f"stand at {stand}."
    )


@drawing
def tolerances(sizes, promised, needed, proved, dots):
    """What a lemma allows NDCG to stray and what it needs, times n ** (3/8), which makes the border level.

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
    figure, axes = sheet(figsize=(5.6, 4.4))
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
    slopes = {name: values[-1] * level[-1] / (values[0] * level[0]) for name, values in promised.items()}
    go = {
        name: "rises" if slope > 1.01 else "falls" if slope < 0.99 else "is level"
        for name, slope in slopes.items()
    }
    goes = ", ".join(f"{name} {way}" for name, way in go.items())
    thick, dashed = needed * level, proved * level
    return figure, (
        f"On logarithmic axes from {sizes[0]:.0f} to ten to the {np.log10(sizes[-1]):.0f} items, lines: "
        f"{goes}. The thick line goes from {thick[0]:.2f} to {thick[-1]:.2f}, the dashed one from "
        f"{dashed[0]:.3g} to {dashed[-1]:.3g}."
    )
