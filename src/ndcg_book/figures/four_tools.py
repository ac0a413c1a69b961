"""Figures of the chapter on four tools: a picture for each tool, of what it does."""

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import corner, note, sheet


@drawing
def price(ranks, paid, m):
    """What the first ranks are paid, and what is left if they are paid like rank m; between them, the price.

    Parameters
    ----------
    ranks : array of shape (q,)
        1, 2, 3 and so on, to m at least.
    paid : array of shape (q,)
        The discount at these ranks.
    m : int
    """
    level = paid[m - 1]
    levelled = np.minimum(paid, level)
    figure, axes = sheet(
        figsize=(5.6, 3.2), xlabel="rank r", ylabel="what the rank is paid", xlim=(0.5, ranks[-1] + 0.5)
    )
    axes.bar(ranks, levelled, width=0.8, color=OTHERS[0])
    axes.bar(ranks, paid - levelled, width=0.8, bottom=levelled, color=OTHERS[1])
    axes.set_ylim(bottom=0.0)
    note(axes, "given up: the price", (ranks[1], 0.62 * paid[0]), (8, 0), OTHERS[1], va="center")
    note(axes, f"left: no rank above {level:.2g}", (ranks[m - 1], level), (12, 8), OTHERS[0])
    return figure, (
        f"Bars that fall from {paid[0]:.3g} at rank 1 to {paid[-1]:.2g} at rank {ranks[-1]}. Of the first "
        f"{m} only {level:.2g} each is left; what is given up adds up to {np.sum(paid - levelled):.3f}."
    )


@drawing
def top_labels(names, seen, independent, dependent):
    """How often each pair of labels stands on the first ranks of two lists, beside two predictions.

    Parameters
    ----------
    names : list of str
        The pairs of labels.
    seen : array of shape (ranks, pairs)
        Shares of lists, for one rank after the other.
    independent, dependent : arrays of shape (pairs,)
        What they are if the two labels know nothing of one another, and if they are as alike as can be.
    """
    places = np.arange(len(names))
    figure, axes = sheet(
        figsize=(5.6, 3.2),
        no_grid="x",
        xticks=places,
        xticklabels=names,
        xlabel="labels on the same rank: first list, second list",
        ylabel="share of the lists",
        xlim=(-0.6, len(names) - 0.4),
    )
    axes.bar(places, independent, width=0.7, color=OTHERS[0], alpha=0.25)
    axes.plot(places, dependent, "x", color=OTHERS[1], markersize=9)
    for rank, shares in enumerate(seen):
        aside = 0.2 * (rank - (len(seen) - 1) / 2)
        axes.plot(places + aside, shares, "o", color="black", markersize=4)
    axes.set_ylim(0.0, 1.6 * max(np.max(seen), np.max(independent), np.max(dependent)))
    corner(axes, "bars: independent", (0.98, 0.97), OTHERS[0])
    corner(axes, "dots: seen on lists", (0.98, 0.87))
    corner(axes, "crosses: as alike as can be", (0.98, 0.77), OTHERS[1])
    return figure, "Shares of lists: " + "; ".join(
        f"{name} seen {', '.join(f'{share:.3f}' for share in shares)}, {free:.2f} if independent, "
        f"{bound:.2f} if as alike as can be"
        for name, shares, free, bound in zip(names, np.transpose(seen), independent, dependent, strict=True)
    ) + "."


@drawing
def tilt(counts, ours, other, most):
    """Two distributions of the number of relevant labels: the true one, and one tilted towards failure.

    Parameters
    ----------
    counts : array of shape (q,)
        Numbers of relevant labels.
    ours, other : arrays of shape (q,)
        Their true probabilities ("our world"), and those of the tilted distribution.
    most : int
        The largest number that is a failure; the numbers up to it are shaded.
    """
    figure, axes = sheet(
        figsize=(5.6, 3.2),
        xlim=(counts[0], counts[-1]),
        xlabel="relevant labels on top",
        ylabel="probability",
        yticks=(),
        no_grid="both",
    )
    axes.axvspan(counts[0], most + 0.5, color=GREY, alpha=0.12, linewidth=0)
    worlds = {"our world": (ours, OTHERS[0]), "another, where\nfailure is common": (other, OTHERS[1])}
    for name, (chances, colour) in worlds.items():
        axes.plot(counts, chances, color=colour, linewidth=1.6)
        note(axes, name, (counts[chances.argmax()], chances.max()), (0, 5), colour, ha="center", va="bottom")
    axes.set_ylim(0.0, 1.45 * max(ours.max(), other.max()))
    corner(axes, "failure", (0.02, 0.97), GREY)
    failing = counts <= most
    return figure, (
        f"Two bells over the number of relevant labels. At most {most} of them have the probability "
        f"{ours[failing].sum():.2g} in our world and {other[failing].sum():.2f} in the other; the "
        f"peaks are at {counts[ours.argmax()]} and {counts[other.argmax()]}."
    )


@drawing
def bounds(given_up, exponents, normal):
    """Exponents x of bounds ``exp(-x)`` on failure, over the number m of ranks that are given up.

    Parameters
    ----------
    given_up : array of shape (q,)
        The numbers m.
    exponents : mapping from a bound's name to an array of shape (q,)
        0 where a bound says nothing.
    normal : float
        The exponent of the normal approximation, which no bound should pass.
    """
    figure, axes = sheet(
        xscale="log",
        yscale="log",
        ylim=(1e-5 * normal, 4.0 * normal),
        xlabel="ranks given up, m",
        ylabel="x in: failure at most exp(−x)",
        across=(normal,),
        rule="--",
    )
    axes.text(given_up[0], 1.15 * normal, "normal approximation", color=GREY, va="bottom")
    tops = {name: (given_up[values.argmax()], values.max()) for name, values in exponents.items()}
    lowest = min(x for _, x in tops.values())
    for (name, values), colour in zip(exponents.items(), OTHERS):
        axes.plot(given_up[values > 0], values[values > 0], color=colour)
        axes.plot(*tops[name], "o", color=colour, markersize=4)
        # out of the way of the curve above
        note(axes, name, tops[name], (0, -15 if tops[name][1] == lowest else 7), colour, ha="center")
    return figure, (
        "Curves that rise and fall over the ranks given up: "
        + "; ".join(f"{name}, highest with {x:,.1f} at m = {m:,}" for name, (m, x) in tops.items())
        + f". A line at {normal:,.0f}."
    )
