"""Figures of the chapter on cut-offs that keep a share of the list (theorems 12 and 13).

Rankings of the same items come as mappings from the names in `RANKINGS` to their values.
"""

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import (
    RANKINGS,
    at_ends,
    draw,
    draw_contours,
    draw_diamonds,
    draw_with_dots,
    listed,
    note,
    powers_on_log,
    sheet,
    towards_infinity,
)

_PLATE = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}


@drawing
def by_share(shares, limits, dots, at_dots, p, c, title):
    """The limit of NDCG as a function of the share of the list that counts, under one discount.

    Parameters
    ----------
    shares : array of shape (m,)
    limits : mapping from a ranking's name to an array of shape (m,)
    dots : array of shape (q,)
        Shares at which lists were simulated.
    at_dots : pair of mappings from a ranking's name to an array of shape (q,)
        The limits at these shares and what was observed.
    p : float
        The share of relevant items, marked by a line.
    c : float
        The one of the shares that the page is about.
    title : str
    """
    figure, axes = sheet(
        title=title,
        xlabel="share of the list that counts, c",
        ylabel="NDCG@cn",
        xlim=(0, 1),
        ylim=(0, 1.02),
        up=(p,),
        rule="--",
    )
    expected, observed = at_dots
    draw(axes, shares, limits, RANKINGS, names=str)
    draw(axes, dots, observed, RANKINGS, "o", markersize=4, clip_on=False)
    # where it covers no curve: in the middle of the widest gap between them
    heights = np.sort([0.0, 1.0, *(np.interp(p, shares, values) for values in limits.values())])
    widest = np.diff(heights).argmax()
    middle = heights[widest : widest + 2].mean()
    note(axes, "c = p", (p, middle), (3, 0), GREY, va="center", bbox=_PLATE)
    off = max(np.abs(expected[name] - observed[name]).max() for name in limits)
    return figure, (
        f"{len(limits)} curves over the share c. At c = {c:g} the limits are "
        + listed({name: values[dots == c][0] for name, values in expected.items()}, ".2f")
        + f"; at c = 1 they are {listed(at_ends(limits), '.2f')}. "
        f"Simulated dots are at most {off:.3f} from the curves."
    )


@drawing
def four_edges(shares, betas, values, p):
    """The limit over all shares and exponents at once, with the theorem that rules each edge.

    Parameters
    ----------
    shares : array of shape (m,)
        Of the list that counts, increasing.
    betas : array of shape (q,)
        Exponents of the discount, increasing from 0, which stands for the log discount.
    values : array of shape (q, m)
        The left column and the top row are the relevance at the very top.
    p : float
        The share of relevant items, marked by a line.
    """
    figure, axes = sheet(
        figsize=(5.6, 4.8),
        xlim=(0, 1),
        ylim=(0, 1),
        xlabel="share of the list that counts, c\nbottom edge, the log discount: theorem 12",
        ylabel="exponent β of the discount\nleft edge, c → 0: theorem 11",
    )
    draw_contours(axes, shares, betas, values)
    axes.axvline(p, color="black", linewidth=1, linestyle="--")
    axes.set_title("top edge, β → 1: theorem 9", loc="center")
    axes.secondary_yaxis("right").set(yticks=[], ylabel="right edge, the full list: theorem 7")
    note(axes, "theorem 4: 1", (1, 0), (-3, 3), ha="right", va="bottom", bbox=_PLATE)
    note(axes, "c = p", (p, 0.985), (3, 0), va="top", bbox=_PLATE)
    inner = values[:-1, 1:]
    return figure, (
        f"Contours of the limit over c from 0 to 1 and β from 0 to 1; it is {values[0, 0]:.2f} on the left "
        f"and top edges, {values[0, -1]:.2f} in the bottom right corner, between {inner.min():.2f} and "
        f"{inner.max():.2f} overall; a dashed line marks c = p = {p:.2f}."
    )


@drawing
def distances(by_log, by_power, titles):
    """How the expectation approaches the limit: under the log discount above, under a polynomial one below.

    Parameters
    ----------
    by_log : array of shape (m,), mapping to arrays of shape (m,), mapping to float
        Logarithms of n; by ranking, ``(expectation - limit) log n`` under the log discount; its limits.
    by_power : array of shape (q,), two mappings to arrays of shape (q,)
        Numbers of items; by ranking, ``abs(expectation - limit)`` under the polynomial one; its leading term.
    titles : pair of str
    """
    (log_n, scaled, constants), (sizes, missing, predicted) = by_log, by_power
    figure, (upper, lower) = sheet(
        2,
        figsize=(5.6, 6.2),
        titles=titles,
        each=(
            {"ylabel": "(NDCG − limit) · log n"},
            {
                "xscale": "log",
                "yscale": "log",
                "xlabel": "items, n (log scale)",
                "ylabel": "|NDCG − limit| (log scale)",
            },
        ),
    )
    draw(upper, 1.0 / log_n, scaled, RANKINGS)
    draw_diamonds(upper, constants, RANKINGS, names=str)
    towards_infinity(upper, (3, 4, 6, 12, 40), log_n[0])
    draw_with_dots(lower, sizes, predicted, sizes, missing, RANKINGS, names=str, linewidth=1.2)
    last = listed(at_ends(missing), ".1g") or "all zero"
    return figure, (
        f"Above, three curves end in diamonds at {listed(constants, '.2f')}. Below, at {sizes[-1]:,.0f} "
        f"items the distances are {last}."
    )


@drawing
def wandering(sizes, values, tracked, share, start):
    """NDCG@k while k/n wanders, beside the limit at the share of the moment, and the share itself.

    Parameters
    ----------
    sizes : array of shape (m,)
    values, tracked, share : array of shape (m,)
    start : float
        The share about which it wanders.
    """
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        height_ratios=(2, 1),
        figsize=(5.6, 4.6),
        xscale="log",
        xlabel="items, n (log scale)",
        titles=("dashed: the limit at the share of the moment",),
        each=({"ylabel": "NDCG@k"}, {"ylabel": "k/n"}),
        x=powers_on_log,
    )
    upper.plot(sizes, tracked, "--", color=GREY, linewidth=1.2, zorder=2.1)
    draw(upper, sizes, {"expected NDCG@k": values}, names=str)
    lower.plot(sizes, share, color=OTHERS[1])
    lower.axhline(start, color=GREY, linewidth=1, linestyle="--")
    late = sizes >= sizes[-1] / 100
    low, high = values[late].min(), values[late].max()
    return figure, (
        f"Expected NDCG@k moves between {low:.3f} and {high:.3f} for the longest lists, at most "
        f"{np.abs(values - tracked)[late].max():.1g} from the dashed line of momentary limits."
    )
