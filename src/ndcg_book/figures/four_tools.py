"""Figures of the chapter on four tools, with one figure for each tool."""

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import sheet, write_in_corner, write_near


@drawing
def price(ranks, rank_weights, m):
    """Draw the weights of the first ranks, before and after truncation at rank m.

    The difference between the two sets of weights is the price of the truncation.

    Parameters
    ----------
    ranks : array of shape (q,)
        Ranks from 1 to at least m.
    rank_weights : array of shape (q,)
        The discount at these ranks.
    m : int
        Rank at which the discount is truncated.
    """
    weight_at_m = rank_weights[m - 1]
    truncated_weights = np.minimum(rank_weights, weight_at_m)
    figure, axes = sheet(
        figsize=(5.6, 3.2), xlabel="rank r", ylabel="weight of the rank", xlim=(0.5, ranks[-1] + 0.5)
    )
    axes.bar(ranks, truncated_weights, width=0.8, color=OTHERS[0])
    axes.bar(ranks, rank_weights - truncated_weights, width=0.8, bottom=truncated_weights, color=OTHERS[1])
    axes.set_ylim(bottom=0.0)
    write_near(
        axes, "given up: the price", (ranks[1], 0.62 * rank_weights[0]), (8, 0), OTHERS[1], va="center"
    )
    write_near(
        axes,
        f"remaining: at most {weight_at_m:.2g} per rank",
        (ranks[m - 1], weight_at_m),
        (12, 8),
        OTHERS[0],
    )
    return figure, (
        f"Bars decrease from {rank_weights[0]:.3g} at rank 1 to {rank_weights[-1]:.2g} at rank {ranks[-1]}. "
        f"Each of the first {m} keeps only {weight_at_m:.2g}; the weight given up is "
        f"{np.sum(rank_weights - truncated_weights):.3f} in total."
    )


@drawing
def top_labels(names, observed_shares, independent, dependent):
    """Draw how often each pair of labels occurs at the first ranks of two lists.

    Two predictions are drawn for comparison.

    Parameters
    ----------
    names : list of str
        The pairs of labels.
    observed_shares : array of shape (ranks, pairs)
        Proportions of lists, with one row for each rank.
    independent, dependent : arrays of shape (pairs,)
        Predictions if the two labels are independent, and if they agree as often as possible.
    """
    positions = np.arange(len(names))
    figure, axes = sheet(
        figsize=(5.6, 3.2),
        no_grid="x",
        xticks=positions,
        xticklabels=names,
        xlabel="labels on the same rank: first list, second list",
        ylabel="proportion of lists",
        xlim=(-0.6, len(names) - 0.4),
    )
    axes.bar(positions, independent, width=0.7, color=OTHERS[0], alpha=0.25)
    axes.plot(positions, dependent, "x", color=OTHERS[1], markersize=9)
    for row, proportions in enumerate(observed_shares):
        shift = 0.2 * (
            row - (len(observed_shares) - 1) / 2
        )  # the dots of all ranks are around the middle of the bar
        axes.plot(positions + shift, proportions, "o", color="black", markersize=4)
    highest = max(np.max(observed_shares), np.max(independent), np.max(dependent))
    axes.set_ylim(0.0, 1.6 * highest)  # with room for the words in the corner
    write_in_corner(axes, "bars: independent", (0.98, 0.97), OTHERS[0])
    write_in_corner(axes, "dots: simulated lists", (0.98, 0.87))
    write_in_corner(axes, "crosses: most often equal", (0.98, 0.77), OTHERS[1])
    return figure, "The proportions of lists are as follows: " + "; ".join(
        f"{name} simulated {', '.join(f'{proportion:.3f}' for proportion in proportions)}, "
        f"{independent_proportion:.2f} if independent, {dependent_proportion:.2f} if the labels agree as "
        "often as possible"
        for name, proportions, independent_proportion, dependent_proportion in zip(
            names, np.transpose(observed_shares), independent, dependent, strict=True
        )
    ) + "."


@drawing
def tilt(counts, ours, other, most):
    """Draw the distribution of the number of relevant labels, and a tilted distribution.

    Parameters
    ----------
    counts : array of shape (q,)
        Numbers of relevant labels.
    ours, other : arrays of shape (q,)
        True probabilities ("our world"), and probabilities under the tilted distribution.
    most : int
        Largest number that is a failure; failures are shaded.
    """
    figure, axes = sheet(
        figsize=(5.6, 3.2),
        xlim=(counts[0], counts[-1]),
        xlabel="relevant labels at the top",
        ylabel="probability",
        yticks=(),
        no_grid="both",
    )
    axes.axvspan(counts[0], most + 0.5, color=GREY, alpha=0.12, linewidth=0)
    worlds = {"our world": (ours, OTHERS[0]), "another, where\nfailure is common": (other, OTHERS[1])}
    for name, (chances, colour) in worlds.items():
        axes.plot(counts, chances, color=colour, linewidth=1.6)
        write_near(
            axes, name, (counts[chances.argmax()], chances.max()), (0, 5), colour, ha="center", va="bottom"
        )
    axes.set_ylim(0.0, 1.45 * max(ours.max(), other.max()))
    write_in_corner(axes, "failure", (0.02, 0.97), GREY)
    is_failure = counts <= most
    return figure, (
        f"Two bell curves lie over the number of relevant labels. At most {most} relevant labels have the "
        f"probability {ours[is_failure].sum():.2g} in our world and {other[is_failure].sum():.2f} in the "
        f"other. The peaks are at {counts[ours.argmax()]} and {counts[other.argmax()]}."
    )


@drawing
def bounds(given_up, exponents, normal):
    """Draw the exponents x of failure bounds ``exp(-x)``, by number of ranks given up.

    Parameters
    ----------
    given_up : array of shape (q,)
        The numbers m.
    exponents : mapping from a bound's name to an array of shape (q,)
        Exponents; 0 where a bound is trivial.
    normal : float
        Exponent of the normal approximation, which no bound should exceed.
    """
    figure, axes = sheet(
        xscale="log",
        yscale="log",
        ylim=(1e-5 * normal, 4.0 * normal),
        xlabel="ranks given up, m",
        ylabel="x in: failure at most exp(−x)",
        hlines=(normal,),
        line_style="--",
    )
    axes.text(given_up[0], 1.15 * normal, "normal approximation", color=GREY, va="bottom")
    peaks = {name: (given_up[values.argmax()], values.max()) for name, values in exponents.items()}
    lowest_peak = min(exponent for _, exponent in peaks.values())
    for (name, values), colour in zip(exponents.items(), OTHERS):
        axes.plot(given_up[values > 0], values[values > 0], color=colour)
        m, exponent = peaks[name]
        axes.plot(m, exponent, "o", color=colour, markersize=4)
        # The lowest name is below its curve, away from the other names, and left of the point where it falls.
        offset = (-26, -18) if exponent == lowest_peak else (0, 7)
        write_near(axes, name, (m, exponent), offset, colour, ha="center")
    return figure, (
        "Curves rise and fall with the number of ranks given up: "
        + "; ".join(f"{name}, at most {exponent:,.1f} at m = {m:,}" for name, (m, exponent) in peaks.items())
        + f". A line is at {normal:,.0f}."
    )
