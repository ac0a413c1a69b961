"""Figures of the chapter on the Zipfian question: which ranker is ahead on long lists, and how often."""

import numpy as np

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from ndcg_book.axes import (
    draw,
    draw_shares,
    draw_xy,
    items_axis,
    plain_numbers,
    powers_of_ten,
    set_squaring_axis,
    sheet,
    without_tex,
    write_in_corner,
    write_near,
)

_PAIR_COLOURS = OTHERS
_LENGTH_LABEL = "items in the list, n (squared at every step)"


@drawing
def race(sizes, gaps):
    """Draw the difference h of two rankers on a growing list under several discounts.

    Areas are coloured by the ranker that is ahead.

    Parameters
    ----------
    sizes : array of shape (m,)
    gaps : mapping from a discount's name to an array of shape (m,)
    """
    figure, panels = sheet(
        len(gaps),
        sharex=True,
        figsize=(5.6, 1.7 * len(gaps) + 0.5),
        titles=gaps,
        **items_axis(sizes, "items in the list, n"),
        ylabel="DCG(A) − DCG(B)",
        hlines=(0.0,),
    )
    for axes, gap in zip(panels, gaps.values(), strict=True):
        # The positive part of the gap is a lead of the first ranker, and the negative part of the second.
        for part, colour in ((np.maximum(gap, 0.0), FIRST), (np.minimum(gap, 0.0), SECOND)):
            axes.fill_between(sizes, 0.0, part, step="mid", color=colour, linewidth=0)
    # This leaves room for words below all data of the first panel and above all data of the last panel.
    low, high = panels[0].get_ylim()
    panels[0].set_ylim(bottom=low - 0.2 * (high - low))
    write_in_corner(panels[0], "below 0: B ahead", (0.02, 0.04), SECOND)
    low, high = panels[-1].get_ylim()
    panels[-1].set_ylim(top=high + 0.2 * (high - low))
    write_in_corner(panels[-1], "above 0: A ahead", (0.02, 0.96), FIRST)
    return figure, (
        f"{len(gaps)} panels show the difference h at {len(sizes)} list lengths from {sizes[0]} to "
        f"{sizes[-1]:,}: "
        + "; ".join(
            f"under {without_tex(name)} the lead changes {(np.diff(np.sign(gap)) != 0).sum()} times and the "
            f"difference ends at {gap[-1]:.2f}"
            for name, gap in gaps.items()
        )
        + "."
    )


@drawing
def ahead_by_length(lines, dots, squares=None):
    """Draw how likely the first ranker is ahead, by list length.

    On the axis of lengths, each tick is the square of the previous tick.

    Parameters
    ----------
    lines : mapping from a name to (exponents, probabilities), both of shape (q,)
        Computed probabilities for lists of ``10 ** exponent`` items.
    dots, squares : mapping from a name to (exponents, shares, low, high), each of shape (m,)
        Proportions of simulated lists with their intervals, for one coupling and for another.
    """
    figure, axes = sheet(ylim=(-0.02, 1.02), ylabel="P(A ahead)", hlines=(0.5,))
    squares = squares or {}
    colours = dict(zip(dict.fromkeys([*lines, *dots, *squares]), _PAIR_COLOURS))
    draw_xy(axes, lines, colours, label_of=str)
    draw_shares(axes, dots, colours)
    # Squares are shifted, so that they do not cover the dots.
    draw_shares(axes, squares, colours, lambda exponents: 1.03 * exponents, "s", "white")
    last_exponents = [exponents[-1] for exponents, *_ in (*lines.values(), *dots.values())]
    set_squaring_axis(axes, max(last_exponents, default=64.0))
    axes.set_xlabel(_LENGTH_LABEL)
    predicted = [
        f"{name} from {values[0]:.2f} at 10^{exponents[0]:g} items to {values[-1]:.2f} at "
        f"10^{exponents[-1]:g}"
        for name, (exponents, values) in lines.items()
    ]
    simulated_values = [
        f"{name} {', '.join(f'{proportion:.2f}' for proportion in proportions)} on lists of up to "
        f"10^{exponents[-1]:g} items"
        for name, (exponents, proportions, *_) in dots.items()
    ]
    theory_text = (
        f"The probability that A is ahead changes as follows: {'; '.join(predicted)}. " if predicted else ""
    )
    return figure, f"{theory_text}The simulated proportions are {'; '.join(simulated_values)}."


@drawing
def slow_failure(curves, reach):
    """Draw the probability that the better top is not ahead, by list length.

    Parameters
    ----------
    curves : mapping from a name to (exponents, chances), arrays of shape (q,)
        Decimal logarithms of lengths and probabilities. A grey line shows the probability 1/n.
    reach : float
        Exponent of the longest lists in practice; longer lists are shaded.
    """
    lowest = -12.0
    figure, axes = sheet(
        figsize=(5.6, 3.8),
        ylim=(lowest, 0.2),
        ylabel="P(better top not ahead)",
        yticks=range(-12, 1, 3),
        y_labels=powers_of_ten,
    )
    longest = max(exponents[-1] for exponents, _ in curves.values())
    axes.axvspan(reach, longest, color=GREY, alpha=0.12, linewidth=0)
    reference_exponents = np.linspace(2.0, -lowest, 50)
    axes.plot(reference_exponents, -reference_exponents, color=GREY, linestyle="--", linewidth=1)
    write_near(axes, "1/n", (6.0, -6.0), (-6, -2), GREY, ha="right", va="top")
    draw_xy(axes, curves, _PAIR_COLOURS)
    for (name, (exponents, chances)), colour in zip(curves.items(), _PAIR_COLOURS):
        # The name is next to the point where the curve leaves the axes or ends.
        label_height = max(chances[-1], 0.8 * lowest)
        # The probabilities decrease; the points of np.interp must increase.
        label_exponent = np.interp(-label_height, np.negative(chances), exponents)
        write_near(axes, name, (label_exponent, label_height), (-4, 0), colour, ha="right", va="top")
    set_squaring_axis(axes, longest)
    axes.set(xlabel=_LENGTH_LABEL, xlim=(2.0, None))
    write_in_corner(axes, "longer than\nany list", (0.985, 0.95), GREY)
    return figure, (
        f"{len(curves)} decreasing curves show the probability that the ranker with the better top is not "
        f"ahead. At 10^{reach:g} items it is "
        + ", ".join(
            f"10^{np.interp(reach, exponents, chances):.1f} ({name})"
            for name, (exponents, chances) in curves.items()
        )
        + "."
    )


@drawing
def price(differences, needed):
    """Draw the number of items needed to identify the better ranker, by difference at the top.

    Parameters
    ----------
    differences : array of shape (q,)
        Differences of relevance, in descending order.
    needed : mapping from a discount's name to an array of shape (q,)
        Decimal logarithms of the numbers of items.
    """
    figure, axes = sheet(
        xscale="log",
        xlim=(differences[0] * 1.08, differences[-1] / 1.08),
        xlabel="difference of the two tops, δ (halved at every step)",
        ylabel="items needed (log scale)",
        x_labels=plain_numbers,
        y_labels=powers_of_ten,
    )
    draw(axes, differences, needed, (OTHERS[1], OTHERS[0]), "o-", label_of=str, markersize=4)
    axes.set_xticks(differences)
    return figure, (
        "Curves rise with every halving of the difference and end at "
        + " and ".join(f"10^{exponents[-1]:.1f} ({name})" for name, exponents in needed.items())
        + f" items for δ = {differences[-1]:g}."
    )
