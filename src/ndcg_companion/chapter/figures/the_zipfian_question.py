"""Figures of the chapter on the Zipfian question: who is ahead in the end, how late, and how surely."""

import numpy as np
from matplotlib.figure import Figure

from ndcg_companion.chapter.axes import label_ends, squaring
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

_PAIRS = (PALETTE[0], PALETTE[2], PALETTE[3], PALETTE[1])


@drawing
def outlook(lines, dots, squares=None):
    """The probability that the first ranker is ahead, over the length of the list, squared at every step.

    Parameters
    ----------
    lines : mapping from a name to (exponents, probabilities), both of shape (q,)
        What theory says of lists of ``10 ** exponent`` items.
    dots, squares : mapping from a name to (exponents, shares, low, high), each of shape (m,)
        Shares of simulated lists with their intervals, for one coupling and for another.
    """
    figure = Figure()
    axes = figure.subplots()
    squares = squares or {}
    colours = dict(zip(dict.fromkeys([*lines, *dots, *squares]), _PAIRS))
    axes.axhline(0.5, color=GREY, linewidth=0.8)
    for name, (exponents, probabilities) in lines.items():
        axes.plot(exponents, probabilities, color=colours[name])
    for simulated, marker, aside in ((dots, "o", 1.0), (squares, "s", 1.03)):
        for name, (exponents, shares, low, high) in simulated.items():
            places = aside * np.asarray(exponents)
            axes.vlines(places, low, high, color=colours[name], linewidth=1.2)
            face = colours[name] if marker == "o" else "white"
            axes.plot(places, shares, marker, color=colours[name], markersize=4, markerfacecolor=face)
    squaring(axes, max((exponents[-1] for exponents, *_ in (*lines.values(), *dots.values())), default=64.0))
    axes.set(
        ylim=(-0.02, 1.02),
        xlabel="items in the list, n (squared at every step)",
        ylabel="P(first ranker ahead)",
    )
    label_ends(axes, {name: probabilities[-1] for name, (_, probabilities) in lines.items()}, colours)
    return figure


@drawing
def slow_failure(curves, reach):
    """The probability that the ranker with the better top is not ahead, and which power of n it looks like.

    Parameters
    ----------
    curves : mapping from a name to (exponents, chances, powers), each of shape (q,)
        Base-10 logarithms of the lengths and of the probabilities, and minus the slope of the one against the other.
    reach : float
        Exponent of the longest lists that anybody has; what lies beyond is shaded.
    """
    figure = Figure(figsize=(5.6, 5.4))
    upper, lower = figure.subplots(2, sharex=True)
    colours = dict(zip(curves, _PAIRS))
    last = max(exponents[-1] for exponents, *_ in curves.values())
    deepest = -12.0
    for name, (exponents, chances, powers) in curves.items():
        upper.plot(exponents, chances, color=colours[name])
        lower.plot(exponents, powers, color=colours[name])
    upper.set(ylim=(deepest, 0.2), ylabel="P(failure)", yticks=range(-12, 1, 3))
    upper.yaxis.set_major_formatter(lambda exponent, _: f"$10^{{{exponent:g}}}$")
    lower.set(yscale="log", ylim=(3e-3, 1e3), ylabel="power of 1/n")
    lower.set(xlabel="items in the list, n (squared at every step)")
    lower.axhline(1.0, color=GREY, linewidth=0.8)
    for axes in (upper, lower):
        squaring(axes, last)
        axes.set_xlim(left=2.0)
        axes.axvspan(reach, last, color=GREY, alpha=0.12, linewidth=0)
    upper.text(0.985, 0.95, "beyond\nevery list", color=GREY, ha="right", va="top", transform=upper.transAxes)
    inside = {name: min(max(powers[-1], 3e-3), 1e3) for name, (_, _, powers) in curves.items()}
    label_ends(lower, inside, colours)
    return figure


@drawing
def price(differences, needed):
    """Items that name the better ranker with a given certainty, over the difference of the two tops.

    Parameters
    ----------
    differences : array of shape (q,)
        In descending order.
    needed : mapping from a discount's name to an array of shape (q,)
        Base-10 logarithms of the numbers of items.
    """
    figure = Figure()
    axes = figure.subplots()
    colours = dict(zip(needed, (PALETTE[1], PALETTE[0])))
    for name, exponents in needed.items():
        axes.plot(differences, exponents, "o-", color=colours[name], markersize=4)
    axes.set(xscale="log", xlim=(differences[0] * 1.08, differences[-1] / 1.08))
    axes.set_xticks(differences, [f"{difference:g}" for difference in differences], minor=False)
    axes.set_xticks([], minor=True)
    axes.set(xlabel="difference of the two tops, δ (halved at every step)", ylabel="items needed (log scale)")
    axes.yaxis.set_major_formatter(lambda exponent, _: f"$10^{{{exponent:g}}}$")
    label_ends(axes, {name: exponents[-1] for name, exponents in needed.items()}, colours)
    return figure
