"""Figures of the two chapters on linear NDCG (Jin and Geng)."""

from itertools import combinations

import numpy as np
from matplotlib.patches import Circle, FancyArrowPatch

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from claimbook.text import minus
from ndcg_book.axes import draw, draw_cell, draw_levels, draw_xy, items_axis, shades, sheet, write_near

_DCG_COLOUR, _LOSS_COLOUR = OTHERS[:2]  # of what adds to the DCG, and of losses or exchanges
COLOURS = {"linear": OTHERS[1], "log": OTHERS[0], "root": OTHERS[2]}


@drawing
def triangle(labels):
    """Draw each pair of items as a cell with its contributions to DCG and loss.

    A cell contributes its upper item's label to the DCG; cells of misordered pairs also show the loss. Row i
    has a cell for each item below position i. The contributions in the row add up to ``label * (n - i)``,
    which is the contribution of the position to the DCG.

    Parameters
    ----------
    labels : sequence of int of length n
        Labels, with the best score first. The cell of a misordered pair has the text "contribution+loss".
    """
    n = len(labels)
    figure, axes = sheet(
        figsize=(5.6, max(3.0, 0.9 + 0.52 * n)),  # lower figures have no room for the label of the axis
        frameless="both",
        xlim=(-0.5, n + 0.45),
        xticks=range(n),
        xticklabels=range(1, n + 1),
        xlabel="position of the lower item",
        ylim=(n - 0.5, -0.9),
        yticks=range(n),
        yticklabels=range(1, n + 1),
        ylabel="position of the upper item",
    )
    for i, j in combinations(range(n), 2):
        loss = max(labels[j] - labels[i], 0)
        draw_cell(axes, (j, i), _LOSS_COLOUR if loss else _DCG_COLOUR, alpha=0.28, edgecolor="none")
        cell_text = f"{labels[i]}+{loss}" if loss else f"{labels[i]}"
        # The fill is pale, but the words and the edge are not, so they are a second cell.
        draw_cell(axes, (j, i), "none", cell_text, edgecolor="white", linewidth=1.5)
    text_options = {"color": _DCG_COLOUR, "annotation_clip": False}
    for i, label in enumerate(labels):
        axes.text(
            i,
            i,
            f"{label}",
            ha="center",
            va="center",
            fontweight="bold",
            gid="label",
            bbox={"boxstyle": "circle,pad=0.25", "facecolor": "white", "edgecolor": GREY},
        )
        axes.annotate(f"{label} · {n - 1 - i}", (n - 0.35, i), va="center", gid="row", **text_options)
    axes.annotate("in DCG", (n - 0.35, -0.75), **text_options)
    misordered_count = sum(lower_label > upper_label for upper_label, lower_label in combinations(labels, 2))
    return figure, (
        f"A triangle has {n * (n - 1) // 2} cells, of which {misordered_count} are misordered. The sums of "
        "the rows are " + ", ".join(f"{label * (n - 1 - i)}" for i, label in enumerate(labels)) + "."
    )


def fewest_exchanges(target):
    """Return a shortest sequence of exchanges from the ideal order to a list.

    Each exchange moves the larger of two labels down.

    Parameters
    ----------
    target : sequence of int
        Labels of the list, with the best score first.

    Returns
    -------
    list of (int, int)
        Upper and lower position, counted from 0, of each exchange in order.

    Examples
    --------
    >>> fewest_exchanges((1, 3, 2, 1, 0))
    [(0, 1), (0, 2)]
    """
    # Breadth-first: all lists at a distance of 0, 1, 2, ... exchanges, with the exchanges that lead to them.
    exchanges_to = {tuple(sorted(target, reverse=True)): []}
    while tuple(target) not in exchanges_to:
        exchanges_to_next = {}
        for labels, exchanges_so_far in exchanges_to.items():
            for i, j in combinations(range(len(labels)), 2):
                if labels[i] > labels[j]:
                    next_labels = list(labels)
                    next_labels[i], next_labels[j] = labels[j], labels[i]
                    exchanges_to_next.setdefault(tuple(next_labels), [*exchanges_so_far, (i, j)])
        exchanges_to = exchanges_to_next
    return exchanges_to[tuple(target)]


@drawing
def exchanges(lists, columns=1):
    """Draw lists as rows of discs, with arcs for the exchanges from the ideal order.

    To the right of each row are the costs of its exchanges. The cost of an exchange is the difference of the
    two labels times the distance of their positions.

    Parameters
    ----------
    lists : sequence of sequences of int
        The labels of each list, with the best score first.
    columns : int
        Number of columns, which are filled one after the other.
    """
    longest_length = max(map(len, lists))
    rows = -(-len(lists) // columns)  # rounded up
    figure, panels = sheet(
        1,
        columns,
        squeeze=False,
        figsize=(5.6, 5.6 * (rows + 0.3) / (longest_length + 2.2) / columns),
        xlim=(-0.6, longest_length + 1.6),
        ylim=(rows - 0.5, -0.8),
        aspect="equal",
    )
    colour_of_label = shades(0.0, 0.6, max(map(max, lists)) + 1)
    for index, labels in enumerate(lists):
        axes, row = panels[0, index // rows], index % rows
        axes.set_axis_off()
        for i, label in enumerate(labels):
            axes.add_patch(
                Circle((i, row), 0.3, facecolor=colour_of_label[label], edgecolor=GREY, linewidth=0.8)
            )
            axes.text(i, row, f"{label}", ha="center", va="center", fontsize=9)
        current, costs = sorted(labels, reverse=True), []
        for i, j in fewest_exchanges(labels):
            costs.append((current[i] - current[j]) * (j - i))
            current[i], current[j] = current[j], current[i]
            # The curvature decreases with the distance, so that long arcs stay near their row.
            axes.add_patch(
                FancyArrowPatch(
                    (i, row - 0.3),
                    (j, row - 0.3),
                    connectionstyle=f"arc3,rad=-{0.3 / (j - i) + 0.035:.4f}",
                    arrowstyle="<->",
                    mutation_scale=6,
                    color=_LOSS_COLOUR,
                    linewidth=1.2,
                )
            )
        costs_text = " + ".join(map(str, costs))
        axes.annotate(
            costs_text, (longest_length - 0.4, row), va="center", color=_LOSS_COLOUR, annotation_clip=False
        )
    return (
        figure,
        f"{len(lists)} rows of discs show {'; '.join(' '.join(map(str, labels)) for labels in lists)}.",
    )


@drawing
def against_auc(floors, lists):
    """Draw linear NDCG against AUC, by proportion of relevant items.

    Parameters
    ----------
    floors : mapping from a name to the value of its line at AUC 0
    lists : mapping from the same names to arrays of shape (2, m)
        AUC and linear NDCG of lists.
    """
    figure, axes = sheet(xlim=(0, 1.01), ylim=(0, 1.02), xlabel="AUC", ylabel="linear NDCG")
    for (name, floor), colour in zip(floors.items(), OTHERS):
        axes.plot([0, 1], [floor, 1], color=colour)
        axes.plot(*lists[name], "o", color=colour, markersize=4)
        # Each name is above its line, except for the name of the lowest line, which has more room below.
        is_lowest = floor == min(floors.values())
        offset, horizontal, vertical = ((4, -3), "left", "top") if is_lowest else ((-4, 3), "right", "bottom")
        write_near(axes, name, (0.34, floor + 0.34 * (1 - floor)), offset, colour, ha=horizontal, va=vertical)
    return figure, (
        "Four straight lines end at the point where both measures are 1. At AUC 0 they are at "
        + ", ".join(f"{floor:.2f} for {name}" for name, floor in floors.items())
        + "."
    )


@drawing
def approach(sizes, values, limits):
    """Draw linear NDCG of growing lists, and the limits.

    Parameters
    ----------
    sizes : array of shape (m,)
    values : mapping from a name to an array of shape (m,)
    limits : mapping from a name to a number
    """
    figure, axes = sheet(**items_axis(sizes), ylabel="linear NDCG")
    draw(axes, sizes, values)
    draw_levels(axes, limits, label_of=str)
    return figure, (
        "Four curves approach their limits: "
        + "; ".join(
            f"{name} ends at {values[name][-1]:.3f} and has the limit {limits[name]:.3f}" for name in limits
        )
        + "."
    )


@drawing
def two_areas(depths, lead, areas):
    """Draw the first ranker's lead in relevant items, on two scales of depth.

    The net area between curve and axis is the difference of the two rankers, by linear NDCG on a linear scale
    of depth, and by log NDCG on a logarithmic scale.

    Parameters
    ----------
    depths : array of shape (m,)
        Positive depths in increasing order.
    lead : array of shape (m,)
        ``integral_0^u Delta``.
    areas : pair of float
        Net areas over all depths, on the linear and on the logarithmic scale.
    """
    figure, panels = sheet(
        2,
        sharey=True,
        figsize=(5.6, 4.1),
        titles=[f"net area {minus(area, '+.3f')}" for area in areas],
        ylabel="lead of $f_0$",
        panel_options=(
            {"xlabel": "depth, u (linear scale)", "xlim": (0, 1)},
            {"xlabel": "depth, u (log scale)", "xscale": "log", "xlim": (depths[0], 1)},
        ),
        hlines=(0,),
    )
    for axes in panels:
        axes.fill_between(depths, lead, where=lead >= 0, color=FIRST, alpha=0.45, linewidth=0)
        axes.fill_between(depths, lead, where=lead <= 0, color=SECOND, alpha=0.45, linewidth=0)
        axes.plot(depths, lead, color="black", linewidth=1.2)
    # The lead is positive for the last time at the first of these two depths, and 0 between them.
    last_positive = np.flatnonzero(lead > 0)[-1]
    around_crossing = slice(last_positive, last_positive + 2)
    crossing = np.interp(0, -lead[around_crossing], depths[around_crossing])
    linear_area, log_area = areas
    return figure, (
        f"A curve rises from zero, crosses zero at depth {crossing:.2f}, and ends at zero from below. "
        f"The net area is {linear_area:.3f} on the linear scale and {log_area:.3f} on the logarithmic scale."
    )


@drawing
def disagreement(sizes, gaps, since):
    """Draw the lead of the first ranker by measure as one list grows.

    Parameters
    ----------
    sizes : array of shape (m,)
    gaps : mapping from a name of ``COLOURS`` to an array of shape (m,)
        NDCG of the first ranker minus that of the second.
    since : int
        Size from which the leaders are certified.
    """
    figure, axes = sheet(**items_axis(sizes), ylabel="NDCG of $f_0$ − NDCG of $f_1$", hlines=(0,))
    axes.axvspan(since, sizes[-1], color=GREY, alpha=0.12, linewidth=0)
    draw(axes, sizes, gaps, COLOURS, label_of=str)
    return figure, (
        f"Three curves show the difference of the two rankers' NDCG from {sizes[0]} to {sizes[-1]:,} items. "
        "They end at " + ", ".join(f"{curve[-1]:+.4f} for {name}" for name, curve in gaps.items()) + "."
    )


@drawing
def family(parameters, odds, blind):
    """Draw the mean lead in standard deviations for a family of pairs.

    Parameters
    ----------
    parameters : array of shape (m,)
    odds : mapping from a name of ``COLOURS`` to an array of shape (m,)
    blind : mapping from some of these names to the parameter at which the limits of the measure tie
    """
    figure, axes = sheet(
        xlim=(parameters[0], parameters[-1]),
        xlabel="b",
        ylabel="mean lead of $f_0$ / standard deviation",
        hlines=(0,),
    )
    axes.axvspan(min(blind.values()), max(blind.values()), color=GREY, alpha=0.12, linewidth=0)
    draw(axes, parameters, odds, COLOURS, label_of=str)
    draw_xy(axes, {name: (tie, 0) for name, tie in blind.items()}, COLOURS, "o")
    three_indices = [0, len(parameters) // 2, -1]
    three_parameters = "{:g}, {:g} and {:g}".format(*parameters[three_indices])
    descriptions = [
        "{:.0f}, {:.0f} and {:.0f} for {}".format(*curve[three_indices], name) for name, curve in odds.items()
    ]
    return figure, f"Three curves decrease. At b = {three_parameters} they are at {'; '.join(descriptions)}."


@drawing
def two_distances(exchanged, misordered, counts, relevant, irrelevant):
    """Draw lists by two distances from the ideal: exchanges and misordered pairs.

    Parameters
    ----------
    exchanged, misordered, counts : arrays of shape (m,)
        Positions of the lists, and the number of lists at each position.
    relevant, irrelevant : int
        Numbers of items. There are ``k ** 2`` to ``k * (relevant + irrelevant - k)`` misordered pairs after k
        exchanges.
    """
    k = np.arange(min(relevant, irrelevant) + 1)
    figure, axes = sheet(
        xticks=k,
        xlabel="exchanges from the ideal order (rankDCG counts these)",
        ylabel="misordered pairs (linear NDCG)",
    )
    axes.fill_between(k, k**2, k * (relevant + irrelevant - k), color=_DCG_COLOUR, alpha=0.12, linewidth=0)
    axes.scatter(exchanged, misordered, s=8 + 6 * np.sqrt(counts), color=_DCG_COLOUR)
    misordered_by_exchanges = (misordered[exchanged == exchange_count] for exchange_count in k)
    return figure, (
        f"Columns of dots are at 0 to {k[-1]} exchanges. The numbers of misordered pairs are "
        + ", ".join(
            f"from {misordered_counts.min()} to {misordered_counts.max()} at {exchange_count}"
            for exchange_count, misordered_counts in zip(k, misordered_by_exchanges)
        )
        + "."
    )
