"""Figures of who can be told apart: chances by measure and number of items, and signal over noise."""

import numpy as np
import seaborn
from matplotlib.colors import LinearSegmentedColormap
from scipy.stats import norm

from ndcg_companion.chapter.axes import at_ends, label_ends, power_of_ten, sheet, spoken
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

_BETWEEN = LinearSegmentedColormap.from_list("ahead", [PALETTE[1], "#ffffff", PALETTE[0]])


@drawing
def chance_map(measures, sizes, chances):
    """The chance that the first of two rankers is ahead.

    Blue where it is, orange where the second is, white for a toss.

    Parameters
    ----------
    measures : sequence of str
    sizes : sequence of int
    chances : array of shape (measures, sizes)
    """
    chances = np.asarray(chances, dtype=float)
    figure, axes = sheet(figsize=(5.6, 1.0 + 0.42 * len(measures)))
    names = [power_of_ten(np.log10(n)) if np.log10(n) == round(np.log10(n)) else f"{n:,}" for n in sizes]
    texts = np.vectorize(lambda chance: f"{100 * chance:.0f}")(chances)
    seaborn.heatmap(
        chances,
        vmin=0,
        vmax=1,
        cmap=_BETWEEN,
        annot=texts,
        fmt="",
        cbar=False,
        ax=axes,
        linewidths=1,
        xticklabels=names,
        yticklabels=list(measures),
        annot_kws={"fontsize": 10},
    )
    axes.tick_params(length=0)
    axes.set_yticklabels(axes.get_yticklabels(), rotation=0)
    axes.set_xlabel("items, n (numbers: chances in per cent)")
    axes.grid(False)
    middle = len(sizes) // 4
    told = ", ".join(
        f"{100 * value:.0f} % ({spoken(name)})" for name, value in zip(measures, chances[:, middle])
    )
    return figure, (
        f"A table of colours, a row for each measure. At {sizes[middle]:,} items the chances are {told}; at "
        f"{sizes[-1]:,} between {100 * chances[:, -1].min():.0f} % and {100 * chances[:, -1].max():.0f} %."
    )


@drawing
def signal_to_noise(sizes, ratios, colours):
    """Signal over noise as the list grows, on two logarithmic scales.

    Parameters
    ----------
    sizes : array of shape (m,)
    ratios : mapping from a measure's name to an array of shape (m,)
    colours : mapping from a measure's name to a colour
    """
    figure, axes = sheet()
    axes.axhline(norm.ppf(0.95), color=GREY, linewidth=1, linestyle="--")
    for name, values in ratios.items():
        axes.plot(sizes, values, color=colours[name])
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="items, n (log scale)",
        ylabel="signal / noise (log scale)",
        xlim=(sizes[0], sizes[-1]),
    )
    axes.annotate(
        "95 % sure",
        (sizes[-1], norm.ppf(0.95)),
        (-4, -4),
        textcoords="offset points",
        color=GREY,
        ha="right",
        va="top",
    )
    label_ends(axes, at_ends(ratios), colours)
    told = ", ".join(f"{values[-1]:.3g} ({spoken(name)})" for name, values in ratios.items())
    return figure, f"Lines on two logarithmic scales; at 10^{np.log10(sizes[-1]):g} items they are at {told}."


@drawing
def efficiencies(betas, curves, log_values, n):
    """Signal over noise, over the root of n, for every exponent; the log discount as a diamond.

    Parameters
    ----------
    betas : array of shape (m,)
    curves : mapping from a pair's name to an array of shape (m,)
    log_values : mapping from a pair's name to its value under the log discount
    n : float
        Number of items.
    """
    figure, axes = sheet()
    colours = dict(zip(curves, PALETTE))
    for name, values in curves.items():
        axes.plot(betas, values, color=colours[name])
        axes.plot(0.0, log_values[name], "D", color=colours[name], markersize=6, clip_on=False)
        best = np.argmax(values)
        axes.plot(betas[best], values[best], "o", color=colours[name], markersize=6)
    axes.set(
        xlabel="exponent of the discount, β (diamonds: log)",
        ylabel=f"signal / noise / √n, n = {power_of_ten(np.log10(n))}",
        xlim=(0, betas[-1]),
        ylim=(0, None),
    )
    axes.axvline(0.5, color=GREY, linewidth=1, linestyle="--")
    for name, values in curves.items():
        axes.annotate(name, (betas[0], values[0]), (8, 4), textcoords="offset points", color=colours[name])
    told = ", ".join(
        f"{betas[np.argmax(values)]:.2f} ({name}, {values.max():.2g}; log discount {log_values[name]:.2g})"
        for name, values in curves.items()
    )
    return figure, f"{len(curves)} curves over the exponent; the best exponents are {told}."
