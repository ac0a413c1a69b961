"""Figures of the chapter on theorem 9, by which only the top counts in the Zipfian limit.

Rankings of the same items are given as mappings from the names in `RANKINGS` to their values, and curves
without a top as mappings from the names in `WAVES`.
"""

import numpy as np

from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import (
    RANKINGS,
    as_text,
    draw,
    draw_diamonds,
    draw_levels,
    draw_simulated,
    draw_with_dots,
    final_values,
    items_axis,
    label_ends,
    set_axis_to_infinity,
    set_squaring_axis,
    sheet,
    write_in_corner,
)

WAVES = {"settles": OTHERS[1], "wanders": OTHERS[2]}
_SMALLEST_VISIBLE = 1e-9  # smaller distances are rounding and are not drawn on a logarithmic axis


@drawing
def approach(places, expected, sizes, paths, exponents):
    """Draw NDCG of five rankings as the list grows, up to the limit.

    The position of n is ``1 / log n``.

    Parameters
    ----------
    places : array of shape (q + 1,)
        ``1 / log n`` for each n, and finally 0.
    expected : mapping from a ranking's name to an array of shape (q + 1,)
        Expected NDCG at these places, and finally the limit.
    sizes : array of shape (m,)
    paths : mapping from a ranking's name to an array of shape (m,)
        NDCG of one growing list.
    exponents : sequence of int
        Powers of ten of the first q places.
    """
    figure, axes = sheet(figsize=(7.6, 3.2), ylim=(-0.03, 1.03), ylabel="NDCG, discount 1/r")
    limits = {name: values[-1] for name, values in expected.items()}
    draw(axes, places, expected, RANKINGS, ":", linewidth=1.5)
    draw(axes, 1.0 / np.log(sizes), paths, RANKINGS, linewidth=1.3)
    draw_diamonds(axes, limits, RANKINGS)
    # Labels of the other powers would touch each other.
    labelled_exponents = [exponent for exponent in exponents if exponent in (2, 3, 4, 6, 12)]
    set_axis_to_infinity(axes, labelled_exponents, np.log(sizes[0]))
    label_ends(axes, limits, RANKINGS, _label_of)
    limit_values = as_text({_label_of(name): value for name, value in limits.items()}, ".2f")
    last_values = as_text({_label_of(name): value for name, value in final_values(paths).items()}, ".2f")
    return figure, (
        f"Jagged curves of one list end after {sizes[-1]:,} items at {last_values}. Dotted lines continue "
        f"almost straight to diamonds on the right-hand edge, at {limit_values}."
    )


def _label_of(name):
    """Return the name of a ranking in a figure with the best and the worst order."""
    return "worst" if name == "reverse-ideal" else name


@drawing
def paths(sizes, curves, limits):
    """Draw NDCG of one growing list, ranked in several ways, with its limits.

    Parameters
    ----------
    sizes : array of shape (m,)
    curves : mapping from a ranking's name to an array of shape (m,)
    limits : mapping from a ranking's name to its limit
    """
    figure, axes = sheet(
        **items_axis(sizes, "items in the list, n"), ylim=(-0.03, 1.03), ylabel="NDCG, Zipfian discount"
    )
    draw_levels(axes, limits, RANKINGS)
    draw(axes, sizes, curves, RANKINGS, label_of=str, linewidth=1.5)
    return figure, (
        f"{len(curves)} jagged curves have a logarithmic axis. At the right edge they are at "
        + ", ".join(f"{values[-1]:.2f} ({name}; limit {limits[name]:.2f})" for name, values in curves.items())
        + "."
    )


@drawing
def distances(log_n, exact, predicted, sizes, means, margins, limits):
    """Draw the simulated, exact and predicted distances of mean NDCG from its limit.

    The prediction is the term in 1/log n.

    Parameters
    ----------
    log_n : array of shape (q,)
        Natural logarithms of the list lengths of `exact` and `predicted`.
    exact, predicted : mapping from a ranking's name to an array of shape (q,)
        Mean NDCG weighted by ideal DCGs (``E DCG / E IDCG``), and the prediction of this mean.
    sizes : array of shape (m,)
    means, margins : mapping from a ranking's name to an array of shape (m,)
        This mean for simulated lists (total DCG divided by total ideal DCG), and the half-width of its
        interval.
    limits : mapping from a ranking's name to its limit
    """
    figure, axes = sheet(yscale="log", ylabel="|NDCG − limit| (log scale)", y_labels="{x:g}")
    exponents = log_n / np.log(10)
    exact_distances = {name: np.abs(exact[name] - limit) for name, limit in limits.items()}
    visible = {name: values for name, values in exact_distances.items() if (values > _SMALLEST_VISIBLE).all()}
    draw(axes, exponents, visible, RANKINGS)
    for index, (name, limit) in enumerate(limits.items()):
        if name in visible:
            axes.plot(exponents, np.abs(predicted[name] - limit), "--", color="black", linewidth=0.9)
            observed_distance, margin = np.abs(means[name] - limit), margins[name]
            low, high = np.maximum(observed_distance - margin, 1e-6), observed_distance + margin
            shifted_exponents = np.log10(sizes) * 1.02 ** (index - 1)  # so that bars do not overlap
            draw_simulated(axes, shifted_exponents, observed_distance, low, high, RANKINGS[name])
    axes.set_ylim(min(final_values(visible).values(), default=1e-3) / 2.0, 1.0)
    set_squaring_axis(axes, exponents[-1])
    label_ends(axes, final_values(visible), RANKINGS)
    error = max(abs(exact[name][-1] - predicted[name][-1]) for name in limits)
    return figure, (
        "Lines have a scale that squares n at every step. At the right end the distances are "
        f"{as_text(final_values(exact_distances), '.5f')}, and the error of the dashed prediction is at most "
        f"{error:.0e}."
    )


@drawing
def border(x, bias, noise, simulated_lists, beyond):
    """Draw bias and noise, both times log n, for discounts flatter and steeper than 1/r.

    Parameters
    ----------
    x : array of shape (q,)
        ``(1 - beta) log n`` for the limits.
    bias, noise : mapping from a ranking's name to an array of shape (q,)
        Limits of log n times the bias and of log n times the standard deviation.
    simulated_lists : tuple of an array of shape (m,) and four mappings from a name to an array of shape (m,)
        For lists of one length, x and, times log n, the bias, the half-width of its interval, the standard
        deviation and the exact bias.
    beyond : tuple of an array of shape (k,) and a mapping from a ranking's name to an array of shape (k,)
        For lists that are too long for any computer, x and the bias times log n.
    """
    places, biases, bias_margins, deviations, exact_biases = simulated_lists
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        figsize=(5.6, 5.8),
        xlim=(x[0], x[-1]),
        xlabel="x = (1 − β) log n",
        panel_options=({"ylabel": "bias × log n"}, {"ylabel": "noise × log n"}),
        hlines=(0.0,),
        vlines=(0.0,),
    )
    for axes in (upper, lower):
        axes.axvspan(x[0], 0.0, color=GREY, alpha=0.1, linewidth=0)
    draw(upper, x, bias, RANKINGS)
    draw(upper, places, exact_biases, RANKINGS, linewidth=0.8)
    draw(upper, *beyond, RANKINGS, "D", markersize=5, markerfacecolor="white")
    for name, simulated_bias in biases.items():
        low, high = simulated_bias - bias_margins[name], simulated_bias + bias_margins[name]
        draw_simulated(upper, places, simulated_bias, low, high, RANKINGS[name])
    draw_with_dots(lower, x, noise, places, deviations, RANKINGS)
    lower.set_ylim(bottom=min(0.0, lower.get_ylim()[0]))
    bottom, top = upper.get_ylim()
    # This leaves room above all data for the names of the two sides.
    upper.set_ylim(top=top + 0.16 * (top - bottom))
    write_in_corner(upper, "β > 1: steeper", (0.02, 0.97), GREY)
    write_in_corner(upper, "β < 1: flatter", (0.52, 0.97), GREY, ha="left")
    label_ends(upper, final_values(bias), RANKINGS)
    return figure, (
        f"Above, the bias at x = {x[0]:g}, 0 and {x[-1]:g} is as follows: {_three_values(x, bias)}. Below is "
        f"the noise at the same x: {_three_values(x, noise)}."
    )


def _three_values(x, curves):
    """Return the values of each curve at the first x, at 0 and at the last x, in words."""
    return ", ".join(
        f"{name} {values[0]:.2f}, {np.interp(0.0, x, values):.2f}, {values[-1]:.2f}"
        for name, values in curves.items()
    )


@drawing
def waves(log_n, relevance, exact, sizes, observed):
    """Draw two relevance curves without a limit at the top, and their NDCG.

    Parameters
    ----------
    log_n : array of shape (q,)
    relevance : mapping from a name to an array of shape (q,)
        Relevance at depth 1/n.
    exact : mapping from a name to an array of shape (q,)
        Mean NDCG.
    sizes : array of shape (m,)
    observed : mapping from a name to an array of shape (m,)
        Mean NDCG of simulated lists.
    """
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        figsize=(5.6, 5.2),
        panel_options=({"ylabel": "relevance at depth 1/n", "ylim": (0, 1)}, {"ylabel": "NDCG"}),
    )
    exponents = log_n / np.log(10)
    draw(upper, exponents, relevance, WAVES, linewidth=1.0)
    draw_with_dots(lower, exponents, exact, np.log10(sizes), observed, WAVES, label_of=str)
    set_squaring_axis(lower, exponents[-1])
    (settled_name, settled_ndcg), (_, wandering_ndcg) = exact.items()
    return figure, (
        "Above, on a scale that squares n at every step, one curve oscillates with increasing frequency, "
        f"and the other with a constant frequency. Below, the curve that {settled_name} ends at "
        f"{settled_ndcg[-1]:.3f}; the other continues to oscillate between about {wandering_ndcg.min():.2f} "
        f"and {wandering_ndcg.max():.2f}."
    )
