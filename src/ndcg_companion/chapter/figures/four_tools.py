"""Figure of the chapter on four tools: what a bound on failure says, over the number of ranks given up."""

import numpy as np

from ndcg_companion.chapter.axes import sheet
from ndcg_companion.chapter.style import GREY, PALETTE, drawing


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
    figure, axes = sheet()
    axes.axhline(normal, color=GREY, linestyle="--", linewidth=1.0)
    axes.text(given_up[0], 1.15 * normal, "normal approximation", color=GREY, va="bottom")
    best, lowest = {}, min(exponents, key=lambda name: exponents[name].max())
    for place, (name, values) in enumerate(exponents.items()):
        spoken_for = values > 0
        axes.plot(given_up[spoken_for], values[spoken_for], color=PALETTE[place])
        top = np.argmax(values)
        best[name] = f"{values[top]:,.1f} at m = {given_up[top]:,}"
        axes.plot(given_up[top], values[top], "o", color=PALETTE[place], markersize=4)
        axes.annotate(
            name,
            (given_up[top], values[top]),
            (0, -15 if name == lowest else 7),  # out of the way of the curve above
            textcoords="offset points",
            ha="center",
            color=PALETTE[place],
        )
    axes.set(
        xscale="log",
        yscale="log",
        ylim=(1e-5 * normal, 4.0 * normal),
        xlabel="ranks given up, m",
        ylabel="x in: failure at most exp(−x)",
    )
    told = "; ".join(f"{name}, highest with {height}" for name, height in best.items())
    return figure, f"Curves that rise and fall over the ranks given up: {told}. A line at {normal:,.0f}."
