"""Figures of the chapter on cut-offs that keep a share of the list (theorems 12 and 13).

Rankings of the same items come as mappings from the names in `COLOURS` to their values.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ndcg_companion.chapter.axes import label_ends
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

COLOURS = {"by score": PALETTE[0], "random": PALETTE[2], "upside down": PALETTE[1]}
_PLATE = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
_LEVELS = np.linspace(0.0, 1.0, 21)


@drawing
def by_share(shares, limits, dots, observed, p, titles):
    """The limit of NDCG as a function of the share of the list that counts, one panel for each discount.

    Parameters
    ----------
    shares : array of shape (m,)
    limits : sequence of mappings from a ranking's name to an array of shape (m,)
        One for each discount.
    dots : array of shape (q,)
        Shares at which lists were simulated.
    observed : sequence of mappings from a ranking's name to an array of shape (q,)
    p : float
        The share of relevant items, marked by a line.
    titles : sequence of str
    """
    figure = Figure(figsize=(5.6, 2.9 * len(limits)))
    panels = figure.subplots(len(limits), sharex=True, squeeze=False)[:, 0]
    for axes, lines, points, title in zip(panels, limits, observed, titles, strict=True):
        axes.axvline(p, color=GREY, linewidth=1, linestyle="--")
        for name, values in lines.items():
            axes.plot(shares, values, color=COLOURS[name])
            axes.plot(dots, points[name], "o", color=COLOURS[name], markersize=4, clip_on=False)
        axes.set(title=title, ylabel="NDCG@cn", xlim=(0, 1), ylim=(0, 1.02))
    panels[-1].set_xlabel("share of the list that counts, c")
    for axes, lines in zip(panels, limits, strict=True):
        label_ends(axes, {name: values[-1] for name, values in lines.items()}, COLOURS)
        # where it covers no curve: in the middle of the widest gap between them
        heights = np.sort([0.0, 1.0, *(np.interp(p, shares, values) for values in lines.values())])
        widest = np.diff(heights).argmax()
        axes.annotate(
            "c = p",
            (p, heights[widest : widest + 2].mean()),
            (3, 0),
            textcoords="offset points",
            color=GREY,
            va="center",
            bbox=_PLATE,
        )
    return figure


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
    p : float
        The share of relevant items, marked by a line.
    """
    figure = Figure(figsize=(5.6, 4.8))
    axes = figure.subplots()
    axes.contourf(shares, betas, values, _LEVELS, cmap="Blues_r", extend="both")
    inside = _LEVELS[(_LEVELS > values.min()) & (_LEVELS < values.max())]
    if inside.size:
        axes.clabel(
            axes.contour(shares, betas, values, inside, colors="black", linewidths=0.7),
            fmt="%.2f",
            fontsize=9,
        )
    axes.axvline(p, color="black", linewidth=1, linestyle="--")
    axes.set(
        xlim=(0, 1),
        ylim=(0, 1),
        xlabel="share of the list that counts, c\nbottom edge, the log discount: theorem 12",
        ylabel="exponent β of the discount\nleft edge, c → 0: theorem 11",
    )
    axes.set_title("top edge, β → 1: theorem 9", loc="center")
    right = axes.secondary_yaxis("right")
    right.set_yticks([])
    right.set_ylabel("right edge, the full list: theorem 7")
    axes.annotate(
        "theorem 4: 1", (1, 0), (-3, 3), textcoords="offset points", ha="right", va="bottom", bbox=_PLATE
    )
    axes.annotate("c = p", (p, 0.985), (3, 0), textcoords="offset points", va="top", bbox=_PLATE)
    axes.grid(visible=False)
    return figure


@drawing
def distances(log_n, scaled, constants, sizes, missing, predicted, titles):
    """How the expectation approaches the limit: under the log discount above, under a polynomial one below.

    Parameters
    ----------
    log_n : array of shape (m,)
    scaled : mapping from a ranking's name to an array of shape (m,)
        ``(expectation - limit) log n`` under the log discount.
    constants : mapping from a ranking's name to what that tends to
    sizes : array of shape (q,)
    missing, predicted : mapping from a ranking's name to an array of shape (q,)
        ``abs(expectation - limit)`` under the polynomial discount, and its leading term.
    titles : pair of str
    """
    figure = Figure(figsize=(5.6, 6.2))
    upper, lower = figure.subplots(2)
    for name, values in scaled.items():
        upper.plot(1.0 / log_n, values, color=COLOURS[name])
        upper.plot(0.0, constants[name], "D", color=COLOURS[name], markersize=6, clip_on=False)
    powers = [power for power in (3, 4, 6, 12, 40) if power * np.log(10) >= log_n[0] - 1e-9]
    upper.xaxis.set_major_locator(FixedLocator([*(1.0 / (power * np.log(10)) for power in powers), 0.0]))
    upper.set_xticklabels([*(f"$10^{{{power}}}$" for power in powers), "∞"])
    upper.set(title=titles[0], xlabel="items, n (placed at 1/log n)", ylabel="(NDCG − limit) · log n")
    upper.set_xlim(1.03 / log_n[0], 0.0)
    label_ends(upper, constants, COLOURS)
    for name, values in missing.items():
        lower.plot(sizes, values, "o", color=COLOURS[name], markersize=4)
        lower.plot(sizes, predicted[name], color=COLOURS[name], linewidth=1.2)
    lower.set(
        xscale="log",
        yscale="log",
        title=titles[1],
        xlabel="items, n (log scale)",
        ylabel="|NDCG − limit| (log scale)",
    )
    label_ends(lower, {name: values[-1] for name, values in predicted.items()}, COLOURS)
    return figure


@drawing
def wandering(sizes, values, tracked, share, start):
    """NDCG@k while k/n wanders, beside what the limit would be at the share of the moment, and the share itself.

    Parameters
    ----------
    sizes : array of shape (m,)
    values, tracked, share : array of shape (m,)
    start : float
        The share about which it wanders.
    """
    figure = Figure(figsize=(5.6, 4.6))
    upper, lower = figure.subplots(2, sharex=True, height_ratios=(2, 1))
    upper.plot(sizes, values, color=PALETTE[0])
    upper.plot(sizes, tracked, "--", color=GREY, linewidth=1.2)
    upper.annotate(
        "expected NDCG@k",
        (1, values[-1]),
        (6, 0),
        xycoords=("axes fraction", "data"),
        va="center",
        textcoords="offset points",
        color=PALETTE[0],
        annotation_clip=False,
    )
    upper.set(ylabel="NDCG@k", title="dashed: the limit at the share of the moment")
    lower.plot(sizes, share, color=PALETTE[1])
    lower.axhline(start, color=GREY, linewidth=1, linestyle="--")
    lower.set(xscale="log", xlabel="items, n (log scale)", ylabel="k/n")
    for axes in (upper, lower):
        axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"$10^{{{np.log10(n):.0f}}}$"))
        axes.xaxis.set_minor_locator(NullLocator())
    return figure
