"""Figure of the chapter on four tools: what a bound on failure says, over the number of ranks given up."""

from claimbook.style import GREY, PALETTE, drawing
from ndcg_companion.book.axes import note, sheet


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
    for (name, values), colour in zip(exponents.items(), PALETTE):
        axes.plot(given_up[values > 0], values[values > 0], color=colour)
        axes.plot(*tops[name], "o", color=colour, markersize=4)
        # out of the way of the curve above
        note(axes, name, tops[name], (0, -15 if tops[name][1] == lowest else 7), colour, ha="center")
    return figure, (
        "Curves that rise and fall over the ranks given up: "
        + "; ".join(f"{name}, highest with {x:,.1f} at m = {m:,}" for name, (m, x) in tops.items())
        + f". A line at {normal:,.0f}."
    )
