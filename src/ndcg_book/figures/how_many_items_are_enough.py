"""Figures of the chapter on numbers of items: probabilities by measure, and signal over noise."""

import numpy as np
import seaborn
from scipy.stats import norm

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import (
    as_text,
    draw,
    draw_diamonds,
    final_values,
    items_axis,
    power_of_ten,
    sheet,
    two_colour_scale,
    without_tex,
    write_near,
)


@drawing
def chance_map(measures, sizes, chances):
    """Draw how likely the first ranker is ahead, by measure and number of items.

    Cells are blue where the first ranker is likely to be ahead, orange where the second ranker is, and white
    at 1/2.

    Parameters
    ----------
    measures : sequence of str
    sizes : sequence of int
        Numbers of items.
    chances : array of shape (measures, sizes)
        Probabilities from 0 to 1; the cells show them as percentages.
    """
    chances = np.asarray(chances, dtype=float)
    exponents = [np.log10(n) for n in sizes]
    size_labels = [
        power_of_ten(exponent) if exponent % 1 == 0 else f"{n:,}" for n, exponent in zip(sizes, exponents)
    ]
    figure, axes = sheet(figsize=(5.6, 0.9 + 0.4 * len(measures)), no_grid="both")
    seaborn.heatmap(
        chances,
        ax=axes,
        xticklabels=size_labels,
        yticklabels=list(measures),
        vmin=0,
        vmax=1,
        cmap=two_colour_scale().reversed(),
        cbar=False,
        linewidths=1,
        annot=100 * chances,
        fmt=".0f",
        annot_kws={"fontsize": 10},
    )
    axes.tick_params(length=0, rotation=0)
    axes.set_xlabel("items, n (cells: probabilities in %)")
    column = len(sizes) // 4  # of short lists, whose probabilities are listed in the text
    return figure, (
        f"A coloured table has a row for each measure. At {sizes[column]:,} items the probabilities are "
        + ", ".join(
            f"{100 * chance:.0f}% ({without_tex(name)})" for name, chance in zip(measures, chances[:, column])
        )
        + "; at "
        f"{sizes[-1]:,} items they are between {100 * chances[:, -1].min():.0f}% and "
        f"{100 * chances[:, -1].max():.0f}%."
    )


@drawing
def signal_to_noise(sizes, ratios, colours):
    """Draw signal over noise as the list grows, on two logarithmic scales.

    Parameters
    ----------
    sizes : array of shape (m,)
    ratios : mapping from a measure's name to an array of shape (m,)
    colours : mapping from a measure's name to a colour
    """
    ratio_for_95_percent = norm.ppf(0.95)  # P(first ahead) is about norm.cdf(signal / noise)
    figure, axes = sheet(
        **items_axis(sizes),
        yscale="log",
        ylabel="signal / noise (log scale)",
        hlines=(ratio_for_95_percent,),
        line_style="--",
    )
    draw(axes, sizes, ratios, colours, label_of=str)
    write_near(axes, "95% sure", (sizes[-1], ratio_for_95_percent), (-4, -4), GREY, ha="right", va="top")
    return figure, (
        f"Lines show signal over noise on two logarithmic scales. At 10^{np.log10(sizes[-1]):g} items they "
        f"are at {as_text(final_values(ratios), '.3g')}."
    )


@drawing
def efficiencies(betas, curves, log_values, n):
    """Draw signal over noise in units of the root of n, by exponent of the discount.

    Diamonds show the log discount.

    Parameters
    ----------
    betas : array of shape (m,)
    curves : mapping from a pair's name to an array of shape (m,)
    log_values : mapping from a pair's name to its value under the log discount
    n : float
        Number of items.
    """
    figure, axes = sheet(
        xlim=(0, betas[-1]),
        xlabel="exponent of the discount, β (diamonds: log)",
        ylabel=f"signal / noise / √n, n = {power_of_ten(np.log10(n))}",
    )
    draw(axes, betas, curves)
    draw_diamonds(axes, {name: log_values[name] for name in curves})
    axes.axvline(0.5, color=GREY, linewidth=1, linestyle="--")
    sentences = []
    for (name, values), colour in zip(curves.items(), OTHERS):
        best_beta = betas[np.argmax(values)]
        axes.plot(best_beta, values.max(), "o", color=colour, markersize=6)
        write_near(axes, name, (betas[0], values[0]), (8, 4), colour)
        sentences.append(f"{best_beta:.2f} ({name}, {values.max():.2g}; log discount {log_values[name]:.2g})")
    axes.set_ylim(bottom=0)
    return (
        figure,
        f"{len(curves)} curves depend on the exponent. The best exponents are {', '.join(sentences)}.",
    )
