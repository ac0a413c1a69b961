"""Figures of the chapter on theorem 8: two rankers under a polynomial discount, and limits that tie.

``h`` is the difference of the two rankers' DCG; whoever has its sign is ahead.
"""

import numpy as np

from ndcg_companion.chapter.axes import label_ends, powers_of_ten, sheet, simulated, spoken
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

FIRST, SECOND = PALETTE[0], PALETTE[1]  # the two rankers
_CURVES = (PALETTE[3], PALETTE[0], PALETTE[2], PALETTE[1], PALETTE[4])


@drawing
def chances(lines, dots, squares=None):
    """The probability that the first ranker is ahead, over the length of the list.

    Parameters
    ----------
    lines : mapping from a name to (lengths, probabilities), both of shape (q,)
        What theory says.
    dots, squares : mapping from a name to (lengths, shares, low, high), each of shape (m,)
        Shares of simulated lists with their intervals, for one coupling and for another.
    """
    figure, axes = sheet()
    colours = dict(zip(lines, _CURVES))
    for name, (lengths, probabilities) in lines.items():
        axes.plot(np.log10(lengths), probabilities, color=colours[name])
    for marks, shift, marker, face in ((dots, 0.0, "o", None), (squares or {}, 0.16, "s", "white")):
        for name, (lengths, *shares) in marks.items():
            simulated(axes, np.log10(lengths) + shift, *shares, colours[name], marker, face)
    last = max(np.log10(lengths[-1]) for lengths, _ in lines.values())
    powers_of_ten(axes.xaxis)
    axes.set_xlim(right=last)
    axes.set(ylim=(-0.02, 1.02), xlabel="items in the list, n (log scale)", ylabel="P(first ranker ahead)")
    label_ends(axes, {name: values[-1] for name, (_, values) in lines.items()}, colours)
    ways = "; ".join(
        f"{spoken(name)} from {values[0]:.2f} at {lengths[0]:,} items to {values[-1]:.2f} at "
        f"10^{np.log10(lengths[-1]):g}"
        for name, (lengths, values) in lines.items()
    )
    ends = "; ".join(
        f"{spoken(name)} {shares[-1]:.2f} of the lists of {lengths[-1]:,} items"
        for name, (lengths, shares, *_) in dots.items()
    )
    return figure, f"Probability that the first ranker is ahead: {ways}. Simulated: {ends}."


@drawing
def race(sizes, gaps):
    """The difference h of two rankers on one growing list, under several discounts; coloured by who is ahead.

    Parameters
    ----------
    sizes : array of shape (m,)
    gaps : mapping from a discount's name to an array of shape (m,)
    """
    figure, panels = sheet(len(gaps), sharex=True, figsize=(5.6, 2.4 * len(gaps) + 0.6))
    for axes, (name, gap) in zip(panels, gaps.items(), strict=True):
        axes.fill_between(sizes, 0.0, np.maximum(gap, 0.0), step="mid", color=FIRST, linewidth=0)
        axes.fill_between(sizes, 0.0, np.minimum(gap, 0.0), step="mid", color=SECOND, linewidth=0)
        axes.axhline(0.0, color=GREY, linewidth=0.8)
        axes.set(title=name, ylabel="h")
    panels[-1].set(xscale="log", xlim=(sizes[0], sizes[-1]), xlabel="items in the list, n (log scale)")
    # Below all that is drawn in the first panel, and above all that is drawn in the last.
    for axes, below, y, words, colour in (
        (panels[0], True, 0.04, "second ranker ahead", SECOND),
        (panels[-1], False, 0.96, "first ranker ahead", FIRST),
    ):
        low, high = axes.get_ylim()
        room = 0.2 * (high - low)
        axes.set_ylim(low - room * below, high + room * (not below))
        axes.text(0.02, y, words, color=colour, va="bottom" if below else "top", transform=axes.transAxes)
    told = "; ".join(
        f"under {spoken(name)} the lead changes {(np.diff(np.sign(gap)) != 0).sum()} times and h ends at "
        f"{gap[-1]:.2f}"
        for name, gap in gaps.items()
    )
    return figure, (
        f"{len(gaps)} panels of the difference h at {len(sizes)} list lengths from {sizes[0]} to "
        f"{sizes[-1]:,}; {told}."
    )


@drawing
def law_of_the_gap(edges, density, chance, samples):
    """The limit law of h, split at zero, and histograms of simulated lists.

    Parameters
    ----------
    edges : array of shape (q + 1,)
    density : array of shape (q,)
        Mean density of the law between neighbouring edges.
    chance : float
        What the law has above 0.
    samples : mapping from a name to an array of simulated values of h
    """
    figure, axes = sheet()
    middles = (edges[1:] + edges[:-1]) / 2.0
    # Both shades end at zero exactly, where the interpolated density is shared.
    places = np.sort(np.append(middles, 0.0))
    heights = np.interp(places, middles, density)
    for side, colour in ((places <= 0.0, SECOND), (places >= 0.0, FIRST)):
        axes.fill_between(places[side], heights[side], color=colour, alpha=0.25, linewidth=0)
    axes.plot(middles, density, color="black", linewidth=1.4)
    for values, colour in zip(samples.values(), (PALETTE[2], PALETTE[3])):
        axes.hist(values, edges[::6], density=True, histtype="step", color=colour, linewidth=1.2)
    axes.set(xlabel="h = DCG(first) − DCG(second)", ylabel="density", xlim=(edges[0], edges[-1]))
    top = 1.28 * axes.get_ylim()[1]
    axes.set_ylim(0.0, top)
    axes.text(
        0.02, 0.97, f"second ahead\n{1.0 - chance:.3f}", color=SECOND, va="top", transform=axes.transAxes
    )
    axes.text(
        0.98, 0.97, f"first ahead\n{chance:.3f}", color=FIRST, va="top", ha="right", transform=axes.transAxes
    )
    for row, (name, colour) in enumerate(zip(samples, (PALETTE[2], PALETTE[3]))):
        axes.text(0.98, 0.74 - 0.08 * row, name, color=colour, va="top", ha="right", transform=axes.transAxes)
    means = " and ".join(f"{name}, of mean {values.mean():.2f}" for name, values in samples.items())
    return figure, (
        f"A density from {edges[0]:.2f} to {edges[-1]:.2f}, of which {chance:.3f} lies above zero; it is "
        f"highest at {middles[np.argmax(density)]:.2f}. The histograms follow it: {means}."
    )


@drawing
def exponents(betas, chance, finite):
    """The probability that the first ranker of a tied pair is ahead, over the exponent at which it ties.

    Parameters
    ----------
    betas : array of shape (q,)
    chance : array of shape (q,)
        For endless lists.
    finite : mapping from a name to (exponents, probabilities), both of shape (m,)
        For lists of some length.
    """
    figure, axes = sheet()
    axes.axhline(0.5, color=GREY, linewidth=1.0)
    axes.axvspan(2.0 / 3.0, 1.0, color=GREY, alpha=0.12, linewidth=0)
    colours = {"endless": "black"} | dict(zip(finite, (PALETTE[0], PALETTE[3], PALETTE[2])))
    for name, (places, values) in finite.items():
        axes.plot(places, values, color=colours[name], linewidth=1.2)
    axes.plot(betas, chance, color="black", linewidth=2.2)
    low = min(chance.min(), *(values.min() for _, values in finite.values()))
    axes.set(
        xlim=(0.0, 1.0),
        ylim=(low - 0.045, 0.53),
        xlabel="exponent β of the discount, at which the limits tie",
        ylabel="P(first ranker ahead)",
    )
    axes.text(
        0.985, 0.97, "theorem 8 (2): 0 or 1", color=GREY, ha="right", va="top", transform=axes.transAxes
    )
    ends = {"endless": chance[-1]} | {name: values[-1] for name, (_, values) in finite.items()}
    label_ends(axes, ends, colours)
    near = "; ".join(f"for {name} at {values[-1]:.2f}" for name, (_, values) in finite.items())
    return figure, (
        f"A curve for endless lists at {np.interp(0.5, betas, chance):.2f} up to the exponent 0.5, then down "
        f"to {np.interp(2 / 3, betas, chance):.2f} at two thirds and {chance[-1]:.2f} in the end. Thin "
        f"curves lie near it: they end {near}."
    )
