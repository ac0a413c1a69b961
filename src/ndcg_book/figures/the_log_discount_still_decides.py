"""Figures of the chapter on theorems 6 and 19, by which the log discount distinguishes rankers."""

import numpy as np
from matplotlib.ticker import LogLocator, SymmetricalLogLocator

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from ndcg_book.axes import (
    as_text,
    draw,
    final_values,
    items_axis,
    plain_numbers,
    power_of_ten,
    set_axis_to_infinity,
    set_squaring_axis,
    sheet,
    write_in_corner,
    write_near,
)

_PAIR_COLOURS = OTHERS
COLOURS = {"A": FIRST, "B": SECOND}
_SMALLEST_VISIBLE = 1e-9  # smaller distances are rounding and are not drawn on a logarithmic axis


@drawing
def race(sizes, scores, gaps, lead, winner="A"):
    """Draw the distances of two scores to 1, and the lead in standard deviations.

    Parameters
    ----------
    sizes : array of shape (m,)
        Sizes in increasing order, drawn on a logarithmic axis.
    scores : array of shape (2, m)
        Mean NDCG of each ranker.
    gaps : array of shape (q, m)
        Differences of the two DCGs in standard deviations, one row for each data set, counted in favour of
        the expected winner.
    lead : array of shape (m,)
        Exact mean of these differences.
    winner : {"A", "B"}
        The ranker in whose favour the differences are counted.
    """
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        figsize=(5.6, 4.1),
        **items_axis(sizes),
        panel_options=(
            {"yscale": "log", "ylabel": "1 − NDCG\n(log scale)"},
            {"ylabel": f"lead of {winner}, in st. dev.\n(linear to 3, then log)"},
        ),
    )
    distances = {name: 1.0 - values for name, values in zip(COLOURS, scores)}
    visible = {name: values for name, values in distances.items() if (values > _SMALLEST_VISIBLE).all()}
    draw(upper, sizes, visible, COLOURS, label_of=str)
    upper.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    lower.plot(sizes, np.transpose(gaps), color=GREY, linewidth=0.6, alpha=0.6)
    lower.plot(sizes, lead, color="black")
    lower.axhline(0.0, color="black", linewidth=0.8)
    lower.set_yscale("symlog", linthresh=3.0, linscale=1.5)
    lower.yaxis.set_major_locator(SymmetricalLogLocator(base=10.0, linthresh=3.0, subs=(1.0, 3.0)))
    plain_numbers(upper.yaxis)
    plain_numbers(lower.yaxis)
    loser = "B" if winner == "A" else "A"
    write_in_corner(lower, f"above 0: {winner} ahead", (0.02, 0.97), COLOURS[winner])
    write_in_corner(lower, f"below 0: {loser} ahead", (0.98, 0.03), COLOURS[loser])
    return figure, (
        f"Above, two curves go from n = {sizes[0]} to {sizes[-1]:,} and end at "
        + " and ".join(f"{values[-1]:.3f}" for values in distances.values())
        + ". Below, a band of "
        f"{len(gaps)} grey lines surrounds a thick line, which goes from {lead[0]:.1f} to {lead[-1]:,.0f} "
        "standard deviations."
    )


@drawing
def constants(log_n, scaled, true, printed):
    """Draw ``(N0 - N1) log(n)**K`` relative to its limit, and the printed constant.

    The position of n is ``1 / log n``.

    Parameters
    ----------
    log_n : array of shape (m,)
        Natural logarithms of list lengths, increasing.
    scaled : mapping from a pair's name to an array of shape (m,)
    true, printed : mapping from a pair's name to a number
        The limit of the curve, and the constant in the printed lemma.
    """
    colours = dict(zip(scaled, _PAIR_COLOURS))
    ratios = {name: values / true[name] for name, values in scaled.items()}
    printed_ratios = {name: printed[name] / true[name] for name in scaled}
    heights = np.array(list(ratios.values()))
    figure, axes = sheet(
        figsize=(5.6, 4.2),
        ylim=(min(0.0, heights.min()), 1.08 * max(heights.max(), 1.0)),
        ylabel="$(N_0-N_1)\\,\\log^Kn$, relative to $a_K/p$",
    )
    edge_options = {"clip_on": False, "zorder": 4}  # the marks at infinity are on the edge of the axes
    # Lines and crosses become smaller, so that those drawn first stay visible.
    for row, (name, values) in enumerate(ratios.items()):
        axes.plot(1.0 / log_n, values, color=colours[name], linewidth=2.6 - 0.5 * row)
        cross_options = {"markersize": 9 - 1.5 * row, "markeredgewidth": 2}
        axes.plot(0.0, printed_ratios[name], "x", color=colours[name], **cross_options, **edge_options)
        # Names are at the left end, where the curves are far apart.
        write_in_corner(axes, name, (0.97, 0.97 - 0.075 * row), colours[name], va="top")
    axes.plot(0.0, 1.0, "D", color="black", markersize=6, **edge_options)
    set_axis_to_infinity(axes, (10, 20, 100), log_n[0], room=1.0)
    return figure, (
        f"{len(scaled)} curves approach 1 at the right-hand edge. At 10^{log_n[-1] / np.log(10):.0f} "
        f"items they are at {as_text(final_values(ratios), '.2f')}. Crosses are at "
        f"{', '.join(f'{ratio:.2f}' for ratio in printed_ratios.values())}."
    )


@drawing
def late(log_n, gaps, change, simulated_up_to):
    """Draw a scaled difference of pseudo-expectations whose sign changes very late.

    Parameters
    ----------
    log_n : array of shape (m,)
    gaps : array of shape (m,)
        ``(N0 - N1) log(n)**2``.
    change : float
        The power of ten at which the sign changes.
    simulated_up_to : float
        The power of ten up to which lists were simulated.
    """
    exponents = log_n / np.log(10)
    lowest, highest = min(gaps.min(), 0.0), max(gaps.max(), 0.0)
    span = highest - lowest
    figure, axes = sheet(
        figsize=(5.6, 3.8),
        ylim=(lowest * 1.1, highest + 0.35 * span),
        ylabel="$(N_0-N_1)\\,\\log^2 n$",
    )
    fill_options = {"alpha": 0.2, "linewidth": 0, "interpolate": True}
    for is_ahead, colour in ((gaps >= 0, FIRST), (gaps <= 0, SECOND)):
        axes.fill_between(exponents, 0.0, gaps, where=is_ahead, color=colour, **fill_options)
    axes.axhline(0.0, color="black", linewidth=1)
    axes.plot(exponents, gaps, color="black")
    axes.plot(change, 0.0, "o", color=FIRST, markersize=6, clip_on=False, zorder=4)
    axes.axvline(simulated_up_to, color=GREY, linestyle="--", linewidth=1)
    set_squaring_axis(axes, exponents[-1])
    axes.set_xlim(left=exponents[0])
    axes.text(change, 0.03 * span, f"{power_of_ten(round(change))} ", color=FIRST, ha="right", va="bottom")
    write_in_corner(axes, "above 0: A ahead", (0.98, 0.97), FIRST)
    write_in_corner(axes, "below 0: B ahead", (0.98, 0.04), SECOND)
    write_near(
        axes,
        "simulated",
        (simulated_up_to, 1.0),
        (-4, -4),
        GREY,
        xycoords=("data", "axes fraction"),
        ha="right",
        va="top",
        rotation=90,
    )
    return figure, (
        f"A curve starts from {gaps[0]:.2f} at 10^{exponents[0]:g} items, crosses zero at 10^{change:.0f} "
        f"and is at {gaps[-1]:.2f} at 10^{exponents[-1]:g}. A dashed line at 10^{simulated_up_to:.3g} "
        "marks the length up to which lists were simulated."
    )
