"""Figures inside the last proofs: powers of a logarithm, and tolerances beside what NDCG really strays."""

import numpy as np

from ndcg_companion.chapter.axes import (
    draw,
    label_ends,
    listed,
    note,
    over_items,
    sheet,
    towards_infinity,
)
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
    low, high = np.min(target), np.max(target)
    room = 0.45 * (high - low)
    figure, axes = sheet(
        xscale="log",
        xlim=(depths[0], depths[-1]),
        ylim=(low - room, high + room),
        xlabel="depth u (log scale; the top is far left)",
        ylabel="difference of relevance",
    )
    axes.plot(depths, target, color="black", linewidth=2.6)
    colours = dict(zip(approximations, PALETTE))
    draw(axes, depths, approximations, colours, linewidth=1.5)
    label_ends(
        axes, {power: values[-1] for power, values in approximations.items()}, colours, "power {}".format
    )
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
    floor, ceiling, scaled, said = 0.0, 1.05, "", "{:.3f}".format
    if scale == "log":
        floor, ceiling, scaled, said = 1e-4, 1.5, " (log scale)", per_cent
    last = max(map(len, lines.values())) - 1
    figure, axes = sheet(
        yscale=scale, xlim=(0, last), ylim=(floor, ceiling), xlabel=xlabel, ylabel=f"share left{scaled}"
    )
    colours, ends, leaving = dict(zip(lines, PALETTE)), {}, 0
    for name, values in lines.items():
        inside = np.flatnonzero(values >= floor)
        axes.plot(inside, values[inside], color=colours[name])
        if len(inside) == len(values):
            ends[name] = values[-1]
        else:
            note(axes, name, (inside[-1], floor), (5, 5 + 14 * leaving), colours[name])
            leaving += 1
    label_ends(axes, ends, colours)
    left = ", ".join(f"{said(values[-1])} ({name})" for name, values in lines.items())
    return figure, (
        f"Curves that never rise, on an axis from 1 to {floor:g}. At the right-hand end, where the {xlabel} "
        f"is {last}, are left {left}."
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
    figure, axes = sheet(yscale="log", ylabel="share of its limit (log scale)")
    for (name, values), colour in zip(shares.items(), PALETTE):
        axes.plot(1.0 / log_n, values, color=colour)
        aside = {"ha": "right", "va": "center", "annotation_clip": False}
        note(axes, name, (1.0 / log_n[0], values[0]), (-5, 0), colour, **aside)
    axes.plot(0.0, 1.0, "D", color="black", markersize=6, clip_on=False, zorder=5)
    axes.axhline(1.0, color=GREY, linewidth=1.0)
    towards_infinity(axes, (3, 4, 6, 10, 20), log_n[0])
    axes.set_xlim(1.25 / log_n[0], 0.0)
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
    low, high = 2e-3, 2e3
    figure, axes = sheet(
        figsize=(5.6, 4.4),
        **over_items(sizes),
        yscale="log",
        ylim=(low, high),
        ylabel="tolerance × n^(3/8) (log scale)",
    )
    level = sizes ** (3 / 8)
    thick, dashed = needed * level, proved * level
    ends, goes = {"needed": thick[-1], "proved": dashed[-1]}, []
    colours = dict(zip(promised, PALETTE)) | {"needed": "black", "proved": "black"}
    for name, values in promised.items():
        scaled = values * level
        axes.plot(sizes, scaled, color=colours[name])
        inside = np.flatnonzero((scaled > low) & (scaled < high))
        at = inside[-1] if inside.size else 0
        if at == len(sizes) - 1:
            ends[name] = scaled[-1]
        else:
            note(axes, name, (sizes[at], scaled[at]), (5, 5 if scaled[at] < 1 else -8), colours[name])
        slope = scaled[-1] / scaled[0]
        goes.append(f"{name} {'rises' if slope > 1.01 else 'falls' if slope < 0.99 else 'is level'}")
    axes.plot(sizes, dashed, "--", color="black", linewidth=1.5)
    axes.plot(sizes, thick, color="black", linewidth=2.8)
    axes.plot(dots[0], dots[1] * dots[0] ** (3 / 8), "o", color="black", markersize=6)
    label_ends(axes, ends, colours)
    return figure, (
        f"On logarithmic axes from {sizes[0]:.0f} to ten to the {np.log10(sizes[-1]):.0f} items, lines: "
        f"{', '.join(goes)}. The thick line goes from {thick[0]:.2f} to {thick[-1]:.2f}, the dashed one from "
        f"{dashed[0]:.3g} to {dashed[-1]:.3g}."
    )
