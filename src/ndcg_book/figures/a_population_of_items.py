"""Figures of the chapter on the population model, with ties in a score and couplings of two scores."""

import numpy as np
from matplotlib.ticker import MaxNLocator
from scipy.stats import binned_statistic

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing, mixed
from claimbook.text import minus
from ndcg_book.axes import RANKINGS, as_text, draw_xy, label_ends, sheet, write_near

# Scores as the definition is printed, with random ties, and without ties.
_PRINTED_COLOUR, _REPAIRED_COLOUR, _UNTIED_COLOUR = OTHERS[1], OTHERS[0], "black"
_PALE = mixed(GREY, 0.42)
_BINS = np.linspace(0.0, 1.0, 25)
_GOLDEN_SECTION = 0.6180339887498949  # (sqrt(5) - 1) / 2


@drawing
def ties_and_tosses(edges, relevance, curve, scores, labels, distance):
    """Draw the distribution of a canonical score with ties, and the relevance.

    Parameters
    ----------
    edges : array of shape (k + 1,)
        The number 0, followed by ``P(f(X) <= value)`` for the k values of the ranker in ascending order.
    relevance : array of shape (k,)
        Proportion of relevant items among those with each value.
    curve : callable
        Relevance curve of a ranker without ties. This ranker becomes the ranker with ties if its scores are
        rounded.
    scores, labels : arrays of shape (n,)
        Randomised canonical scores of simulated items, and their labels.
    distance : float
        Distance of the distribution of these scores from the uniform distribution.
    """
    figure, (upper, lower) = sheet(
        2,
        sharex=True,
        figsize=(5.6, 5.8),
        xlim=(0.0, 1.0),
        panel_options=(
            {"ylabel": "proportion at or below s", "ylim": (0.0, 1.03)},
            {"ylabel": "proportion relevant", "xlabel": "canonical score s (1 is the start of the list)"},
        ),
    )
    # As printed, the score of a tied item is its value of the distribution function, so steps end at y = x.
    upper.step(edges, edges, where="post", color=_PRINTED_COLOUR, clip_on=False)
    quantiles = np.linspace(0.0, 1.0, 401)
    upper.plot(np.quantile(scores, quantiles), quantiles, color=_REPAIRED_COLOUR)
    write_near(upper, "random ties", (0.5, 0.5), (-7, 4), _REPAIRED_COLOUR, ha="right")
    # The name ends at 1 and is at most 0.3 wide.
    write_near(
        upper, "as printed", (1.0, edges[edges <= 0.7].max()), (-6, -3), _PRINTED_COLOUR, ha="right", va="top"
    )
    s = np.linspace(0.0, 1.0, 801)
    lower.plot(s, curve(s), color=_UNTIED_COLOUR, linewidth=1.2)
    lower.stairs(relevance, edges, color=_REPAIRED_COLOUR, baseline=None, linewidth=1.8)
    relevance_by_bin, *_ = binned_statistic(scores, labels == 1, "mean", _BINS)
    lower.plot((_BINS[:-1] + _BINS[1:]) / 2, relevance_by_bin, "o", color=_REPAIRED_COLOUR, markersize=4)
    lower.plot(edges[1:], relevance, "D", color=_PRINTED_COLOUR, markersize=7, clip_on=False, zorder=3)
    lower.set_ylim(0.0, 1.08 * max(curve(s).max(), relevance.max(), np.nanmax(relevance_by_bin)))
    last_values = {
        "without ties": float(curve(1.0)),
        "random ties": relevance[-1],
        "as printed": relevance[-1],
    }
    # the space keeps the label away from the diamond at the edge
    label_ends(lower, last_values, (_UNTIED_COLOUR, _REPAIRED_COLOUR, _PRINTED_COLOUR), " {}".format)
    return figure, (
        f"Above, a staircase with {len(relevance)} steps lies up to {np.diff(edges).max():.2f} below the "
        f"diagonal, and a line stays within {distance:.4f} of the diagonal. Below, there are steps at the "
        f"heights {', '.join(f'{height:.2f}' for height in relevance)}, with dots along them and a diamond "
        "at the right end of each."
    )


@drawing
def five_curves(populations, p):
    """Draw relevance curves of five rankings of the same items.

    Parameters
    ----------
    populations : mapping from a ranking's name to a ndcg_companion.theory.Population
    p : float
        Proportion of relevant items, which is the area below each curve.
    """
    figure, axes = sheet(
        xlim=(0.0, 1.0),
        ylim=(0.0, 1.03),
        xlabel="relative position in the list (0: its end, 1: its start)",
        ylabel="probability of relevance",
    )
    curves = {}
    for name, population in populations.items():
        s = _scores(population.breaks)
        curves[name] = s, population.mean(s)
    axes.fill_between(*curves["by score"], color=FIRST, alpha=0.12, linewidth=0)
    draw_xy(axes, curves, RANKINGS, clip_on=False, label_of=str)
    last_values = {name: values[-1] for name, (_, values) in curves.items()}
    return figure, (
        f"Five curves show relevance by relative position in the list. The area below each is {p:.3f}. At "
        f"the start their heights are {as_text(last_values, '.2f')}."
    )


@drawing
def crossing_curves(pair, edge, areas):
    """Draw relevance curves of two rankers, with the areas between them.

    Parameters
    ----------
    pair : ndcg_companion.theory.Pair
    edge : float
        Score from which the curves coincide.
    areas : pair of float
        Areas where the first curve is higher, and where the second curve is higher.
    """
    first_excess, second_excess = areas
    s = _scores(pair.breaks)
    first_curve, second_curve = pair.population0.mean(s), pair.population1.mean(s)
    figure, axes = sheet(
        xlim=(0.0, 1.0),
        ylim=(0.0, 1.08 * max(first_curve.max(), second_curve.max())),
        xlabel="canonical score s (1 is the start of the list)",
        ylabel="proportion of relevant items",
    )
    for high, low, colour in ((first_curve, second_curve, FIRST), (second_curve, first_curve, SECOND)):
        axes.fill_between(s, low, high, where=high >= low, color=colour, alpha=0.2, linewidth=0)
    axes.axhline(pair.p, color=GREY, linewidth=1.0, linestyle=":")
    axes.plot(s, first_curve, color=FIRST)
    axes.plot(s, second_curve, color=SECOND, linestyle=(0, (3, 2)))
    label_ends(
        axes, {"first": first_curve[-1], "second": second_curve[-1], "p": pair.p}, (FIRST, SECOND, GREY)
    )
    return figure, (
        f"A solid and a dashed curve over the canonical score coincide from {edge:.2f} on. Below that score, "
        f"the area between them is {first_excess:.4f} where the solid curve is higher and "
        f"{second_excess:.4f} where the dashed curve is higher."
    )


@drawing
def couplings(drawn, agreement):
    """Draw items by the scores of two rankers, one panel for each coupling.

    Relevant items are green, and other items are grey.

    Parameters
    ----------
    drawn : mapping from a coupling's name to a ndcg_companion.simulation.PairSample
    agreement : mapping from a coupling's name to the probability that both rankers order two items equally
    """
    figure, panels = sheet(
        1,
        len(drawn),
        sharex=True,
        sharey=True,
        figsize=(5.6, 2.7),
        titles=[f"{name}\nagree: {100 * agreement[name]:.0f}%" for name in drawn],
        no_grid="both",
        xlim=(0, 1),
        ylim=(0, 1),
        xticks=(0, 1),
        yticks=(0, 1),
        aspect="equal",
        ylabel="second ranker",
    )
    for axes, items in zip(panels, drawn.values(), strict=True):
        # Items are drawn in order of arrival, so that neither colour hides the other.
        colours = np.where(items.labels == 1, OTHERS[0], _PALE)
        axes.scatter(items.scores0, items.scores1, s=5, c=colours, linewidths=0)
    figure.supxlabel("canonical score, first ranker (green: relevant)", fontsize=11)
    return figure, (
        "Three squares are filled with dots, and relevant items are green. In the third square, the dots in "
        "the upper right corner lie on the diagonal. The probability that both rankers order two items in "
        "the same way is " + ", ".join(f"{100 * agreement[name]:.0f}% ({name})" for name in drawn) + "."
    )


@drawing
def duels(differences, expected):
    """Draw the DCG differences of many lists, one strip of dots for each coupling.

    Parameters
    ----------
    differences : mapping from a coupling's name to an array of shape (lists,)
        DCG of the first ranker minus that of the second ranker, divided by the expected ideal DCG.
    expected : float
        Expectation of all differences, drawn as a dashed line.
    """
    figure, axes = sheet(xlabel="(DCG of the first − DCG of the second) / ideal", frameless="y")
    axes.axvline(0.0, color="black", linewidth=1.0)
    axes.axvline(expected, color=GREY, linewidth=1.2, linestyle="--")
    for row, (name, values) in enumerate(differences.items()):
        # Multiples of the golden section modulo 1 fill the strip evenly and need no seed.
        height = -row + 0.30 * (2.0 * (np.arange(len(values)) * _GOLDEN_SECTION % 1.0) - 1.0)
        for selected, colour in ((values > 0, FIRST), (values < 0, SECOND), (values == 0, GREY)):
            axes.plot(values[selected], height[selected], ".", color=colour, markersize=3)
        write_near(
            axes,
            f"{name}: first ahead on {100 * (values > 0).mean():.0f}%",
            (0.0, -row + 0.36),
            (2, 0),
            xycoords=("axes fraction", "data"),
            va="bottom",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )
    axes.set(yticks=[], ylim=(-len(differences) + 0.6, 0.72))
    axes.xaxis.set_major_locator(MaxNLocator(6, symmetric=True))
    rounded_expectation = round(expected, 4) + 0.0  # the sum turns -0.0 into 0.0
    return figure, (
        f"Three strips of dots lie around a dashed line at {minus(rounded_expectation, '.4f')}. Their "
        "standard deviations are "
        + as_text({name: values.std(ddof=1) for name, values in differences.items()}, ".2g")
        + "."
    )


def _scores(breaks):
    """Return scores from 0 to 1 at which a curve is drawn, on both sides of each of its breaks."""
    return np.unique([*np.linspace(0.0, 1.0, 801), *np.nextafter(breaks, 0.0), *breaks])
