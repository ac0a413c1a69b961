"""Figures of the chapter on theorem 8: two rankers under a polynomial discount, and limits that tie.

``h`` is the DCG of ranker A minus that of B; its sign shows who is ahead.
"""

from functools import partial

import numpy as np
from matplotlib.ticker import MultipleLocator

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from ndcg_book.axes import (
    draw,
    draw_shares,
    draw_strips,
    draw_xy,
    final_heights,
    label_ends,
    plain_numbers,
    powers_of_ten,
    sheet,
    without_tex,
    write_in_corner,
    write_near,
)

_CURVE_COLOURS = (OTHERS[1], "black", OTHERS[0], OTHERS[2])
TWO = OTHERS[:2]


@drawing
def chances(lines, dots, squares=None):
    """Draw how likely the first ranker is ahead, by list length.

    Parameters
    ----------
    lines : mapping from a name to (lengths, probabilities), both of shape (q,)
        List lengths and computed probabilities.
    dots, squares : mapping from a name to (lengths, shares, low, high), each of shape (m,)
        Proportions of simulated lists with their intervals, for one coupling and for another.
    """
    # Of a line the probabilities, of dots the proportions and the ends of their intervals.
    drawn_values = [values for _, *rows in (*lines.values(), *dots.values()) for values in rows]
    highest = max(map(np.max, drawn_values))
    figure, axes = sheet(
        ylim=(-0.02, min(highest + 0.06, 1.02)),
        xlabel="items in the list, n (log scale)",
        ylabel="P(A ahead)",
        x_labels=powers_of_ten,
        hlines=(0.5,),
    )
    colours = dict(zip(lines, _CURVE_COLOURS))
    theory = {name: (np.log10(lengths), values) for name, (lengths, values) in lines.items()}
    draw_xy(axes, theory, colours, label_of=str)
    for index, name in enumerate(dots):  # bars are side by side, because values on short lists are close
        place_of = partial(_shifted_exponents, steps=index - (len(dots) - 1) / 2)
        draw_shares(axes, {name: dots[name]}, colours, place_of)
        if squares:
            place_of_square = partial(place_of, further_shift=0.16)
            draw_shares(axes, {name: squares[name]}, colours, place_of_square, "s", "white")
    axes.set_xlim(right=max(np.log10(lengths[-1]) for lengths, _ in lines.values()))
    return figure, (
        "The probability that A is ahead changes as follows: "
        + "; ".join(
            f"{without_tex(name)} from {values[0]:.2f} at {lengths[0]:,} items to {values[-1]:.2f} at "
            f"10^{np.log10(lengths[-1]):g}"
            for name, (lengths, values) in lines.items()
        )
        + ". The simulated proportions are "
        + "; ".join(
            f"{without_tex(name)} {shares[-1]:.2f} of the lists of {lengths[-1]:,} items"
            for name, (lengths, shares, *_) in dots.items()
        )
        + "."
    )


def _shifted_exponents(lengths, steps, further_shift=0.0):
    """Return decimal logarithms of lengths, shifted by steps of 0.09 and further."""
    return np.log10(lengths) + 0.09 * steps + further_shift


@drawing
def strips(sizes, leads):
    """Draw which ranker is ahead on many growing lists, under several discounts.

    Parameters
    ----------
    sizes : array of shape (m,)
        List lengths in geometric progression.
    leads : mapping from a discount's name to an array of shape (lists, m)
        1 where the first ranker is ahead, -1 where the second ranker is ahead, 0 for a tie.
    """
    figure, panels = sheet(
        len(leads),
        sharex=True,
        figsize=(5.6, 1.65 * len(leads) + 0.6),
        titles=leads,
        frameless="y",
        no_grid="both",
        xlabel="items in the list, n (log scale)",
        x_labels=powers_of_ten,
        yticks=[],
    )
    edges = np.linspace(*np.log10([sizes[0], sizes[-1]]), len(sizes) + 1)  # cells of equal width
    first_leads, *_ = leads.values()
    sentences, list_count = [], len(first_leads)
    for axes, (name, signs) in zip(panels, leads.items(), strict=True):
        draw_strips(axes, signs, edges, {1: (FIRST, 0.9), -1: (SECOND, 0.9)})
        axes.set(ylim=(list_count, 0), ylabel=f"{list_count} lists")
        changes = (np.diff(signs) != 0).sum(axis=1).mean()
        sentences.append(
            f"under {without_tex(name)} the lead changes {changes:.1f} times on average, and A is ahead on "
            f"{(signs[:, -1] > 0).sum()} lists at the end"
        )
    panels[-1].xaxis.set_major_locator(MultipleLocator(1.0))
    write_in_corner(panels[0], "blue: A ahead", (0.0, 1.2), FIRST, va="bottom")
    write_in_corner(panels[0], "orange: B ahead", (1.0, 1.2), SECOND, va="bottom")
    return figure, (
        f"{len(leads)} panels of {list_count} strips are coloured by the ranker that is ahead at "
        f"{len(sizes)} list lengths from {sizes[0]} to {sizes[-1]:,}: {'; '.join(sentences)}."
    )


@drawing
def correlated(chances, limit, lengths, common):
    """Draw the probability that the first ranker is ahead, and the overlap of the top tens.

    Both are drawn for correlated scores.

    Parameters
    ----------
    chances : mapping from a name to (lengths, probabilities, (lengths, shares, low, high))
        Computed probabilities, and proportions of simulated lists with their intervals.
    limit : float
        Limit of the probabilities, the same for all correlations.
    lengths, common : arrays of shape (q,)
        List lengths, and the expected number of common items in the two top tens.
    """
    figure, (upper, lower) = sheet(2, sharex=True, figsize=(5.6, 5.4), x_labels=powers_of_ten)
    colours = dict(zip(chances, TWO))
    upper.axhline(limit, color="black", linestyle="--", linewidth=1.0)
    theory = {name: (np.log10(sizes), values) for name, (sizes, values, _) in chances.items()}
    simulations = {name: dots for name, (_, _, dots) in chances.items()}
    probabilities = [values for _, values in theory.values()]
    interval_ends = [end for _, _, low, high in simulations.values() for end in (low, high)]
    drawn_values = np.concatenate([*probabilities, *interval_ends])
    upper.set(ylim=(drawn_values.min() - 0.02, drawn_values.max() + 0.02), ylabel="P(A ahead)")
    draw_xy(upper, theory, TWO, label_of=str)
    draw_shares(upper, simulations, colours, np.log10)
    lower.plot(np.log10(lengths), common, color=TWO[len(chances) - 1], marker="o", markersize=3)
    lower.set(yscale="log", ylabel="in both top tens", xlabel="items in the list, n (log scale)")
    plain_numbers(lower.yaxis)
    lower.set(yticks=[0.1, 0.3, 1.0, 3.0], xlim=(None, np.log10(lengths[-1])))
    return figure, (
        "Above, the probability that A is ahead changes as follows: "
        + "; ".join(
            f"{name} from {values[0]:.3f} at {sizes[0]:,} items to {values[-1]:.3f} at "
            f"10^{np.log10(sizes[-1]):g}, simulated {dot_shares[-1]:.3f} at {dot_sizes[-1]:,}"
            for name, (sizes, values, (dot_sizes, dot_shares, *_)) in chances.items()
        )
        + f"; the limit of both is {limit:.3f}. "
        f"Below, the number of items in both top tens goes from {common[0]:.1f} at "
        f"10^{np.log10(lengths[0]):g} items to {common[-1]:.2f} at 10^{np.log10(lengths[-1]):g}."
    )


@drawing
def law_of_the_gap(edges, density, chance, samples):
    """Draw the limit law of h, shaded by sign, and histograms of simulated lists.

    Parameters
    ----------
    edges : array of shape (q + 1,)
    density : array of shape (q,)
        Mean density of the law between neighbouring edges.
    chance : float
        Probability that h is above 0.
    samples : mapping from a name to an array of simulated values of h
    """
    figure, axes = sheet(xlabel="h = DCG(A) − DCG(B)", ylabel="density", xlim=(edges[0], edges[-1]))
    middles = (edges[1:] + edges[:-1]) / 2.0
    # Both shaded areas end exactly at zero, with the interpolated density.
    points = np.sort(np.append(middles, 0.0))
    heights = np.interp(points, middles, density)
    for is_on_side, colour in ((points <= 0.0, SECOND), (points >= 0.0, FIRST)):
        axes.fill_between(points[is_on_side], heights[is_on_side], color=colour, alpha=0.25, linewidth=0)
    axes.plot(middles, density, color="black", linewidth=1.4)
    for row, ((name, values), colour) in enumerate(zip(samples.items(), TWO)):
        # Every sixth edge, so that a bin contains enough simulated values.
        axes.hist(values, edges[::6], density=True, histtype="step", color=colour, linewidth=1.2)
        write_in_corner(axes, name, (0.98, 0.74 - 0.08 * row), colour)
    axes.set_ylim(0.0, 1.28 * axes.get_ylim()[1])
    write_in_corner(axes, f"B ahead\n{1.0 - chance:.3f}", (0.02, 0.97), SECOND)
    write_in_corner(axes, f"A ahead\n{chance:.3f}", (0.98, 0.97), FIRST)
    return figure, (
        f"A density extends from {edges[0]:.2f} to {edges[-1]:.2f}, with probability {chance:.3f} above zero "
        f"and its peak at {middles[np.argmax(density)]:.2f}. The histograms follow it: "
        + " and ".join(f"{name} with mean {values.mean():.2f}" for name, values in samples.items())
        + "."
    )


@drawing
def by_exponent(betas, chances, tie):
    """Draw how likely the first ranker is ahead, by exponent of the discount.

    Parameters
    ----------
    betas : array of shape (m,)
    chances : mapping from a name to an array of shape (m,)
        For lists of some length.
    tie : float
        The exponent at which the limits of the two rankers tie.
    """
    figure, axes = sheet(
        xlim=(betas[0], betas[-1]),
        ylim=(-0.02, 1.02),
        xlabel="exponent β of the discount",
        ylabel="P(A ahead)",
        hlines=(0.5,),
        vlines=(tie,),
        line_style="--",
    )
    write_near(axes, "limits tie", (tie, 1.0), (-4, 0), GREY, ha="right", va="top")
    draw(axes, betas, chances, TWO, label_of=lambda name: name.replace(" items", "\nitems"))
    return figure, (
        "The probability that A is ahead changes as follows from the exponent "
        f"{betas[0]:g} to {betas[-1]:g}: "
        + "; ".join(f"{name} {values[0]:.2f} to {values[-1]:.2f}" for name, values in chances.items())
        + f". A dashed line marks the exponent {tie:g}, where the limits tie."
    )


@drawing
def exponents(betas, chance, finite):
    """Draw the probability that the first ranker leads, by the exponent at which the limits tie.

    Parameters
    ----------
    betas : array of shape (q,)
    chance : array of shape (q,)
        Limits for long lists.
    finite : mapping from a name to (exponents, probabilities), both of shape (m,)
        For lists of some length.
    """
    lowest = min(chance.min(), *(values.min() for _, values in finite.values()))
    figure, axes = sheet(
        xlim=(0.0, 1.0),
        ylim=(lowest - 0.045, 0.53),
        ylabel="P(A ahead)",
        xlabel="exponent β of the discount, at which the limits tie",
        hlines=(0.5,),
    )
    # Theorem 8 (2) is for exponents above 2/3.
    axes.axvspan(2.0 / 3.0, 1.0, color=GREY, alpha=0.12, linewidth=0)
    draw_xy(axes, finite, TWO, linewidth=1.2)
    axes.plot(betas, chance, color="black", linewidth=2.2)
    write_in_corner(axes, "theorem 8 (2): 0 or 1", (0.985, 0.97), GREY)
    label_ends(axes, {"limit": chance[-1]} | final_heights(finite), ("black", *TWO))
    return figure, (
        f"A curve of limits is at {np.interp(0.5, betas, chance):.2f} up to the exponent 0.5 and then "
        f"decreases to {np.interp(2 / 3, betas, chance):.2f} at two thirds and {chance[-1]:.2f} at the end. "
        "Thin curves near it end "
        + "; ".join(f"for {name} at {value:.2f}" for name, value in final_heights(finite).items())
        + "."
    )
