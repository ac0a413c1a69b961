"""Figures of the first page: the ranker that is ahead, by discount, number of queries and list length."""

import numpy as np

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from ndcg_book.axes import (
    as_text,
    draw,
    draw_simulated,
    draw_strips,
    final_values,
    items_axis,
    powers_on_log,
    sheet,
    write_near,
)

# Colour and height of the bar if the better ranker leads (True), and if it does not. The heights differ, so
# the strips are clear without colour.
_BAR_OF_LEADER = {True: (FIRST, 0.86), False: (SECOND, 0.4)}


@drawing
def who_is_ahead(sizes, leads, names):
    """Draw a strip for each data set, blue where the better ranker leads.

    Parameters
    ----------
    sizes : ndarray of shape (m,)
        Numbers of items, equally spaced on a logarithmic scale.
    leads : ndarray of bool of shape (discounts, data sets, m)
        Whether the better ranker is strictly ahead.
    names : list of str
        Titles of the panels, one for each discount.
    """
    figure, panels = sheet(
        len(names),
        sharex=True,
        figsize=(5.6, 0.2 + 0.98 * len(names)),
        titles=names,
        no_grid="both",
        xscale="log",
        yticks=[],
        xlabel="items ranked so far (logarithmic scale)",
    )
    # The last cell ends at the next size of the geometric progression.
    edges = np.append(sizes, sizes[-1] ** 2 / sizes[-2])
    for axes, lead in zip(panels, leads, strict=True):
        draw_strips(axes, lead, edges, _BAR_OF_LEADER)
        axes.invert_yaxis()
    figure.supylabel(f"{leads.shape[1]} data sets, one strip each", fontsize=11)
    figure.legend(panels[-1].collections[:2], ("A is ahead", "B is ahead"), loc="outside upper left", ncols=2)
    return figure, (
        f"{len(names)} panels show {leads.shape[1]} two-coloured strips each. The percentage of blue at the "
        "right-hand end, from the slowest to the fastest discount, is "
        + ", ".join(f"{proportion:.0%}" for proportion in leads[:, :, -1].mean(axis=1))
        + "."
    )


@drawing
def queries_or_items(queries, by_queries, items, by_items, at_hand):
    """Draw how likely the better system is ahead, by queries and by list length.

    Parameters
    ----------
    queries, items : array
        Numbers of queries, and numbers of items in a list; drawn on logarithmic scales.
    by_queries, by_items : mapping of str to array
        The probabilities at these numbers. The name of a curve says how much better the system is, and both
        mappings have the same names.
    at_hand : int
        Number of queries in the right panel, marked by a grey line in the left panel.
    """
    figure, (left, right) = sheet(
        1,
        2,
        sharey=True,
        figsize=(5.6, 3.0),
        ylim=(0.5, 1.0),
        titles=("more queries", f"longer lists, {at_hand} queries"),
        x_labels=powers_on_log,
        panel_options=(
            {"xlabel": "queries (log scale)", "xscale": "log", "xlim": (queries[0], queries[-1])},
            items_axis(items, "items in each list"),
        ),
    )
    left.axvline(at_hand, color=GREY, linewidth=1)
    left.set_ylabel("P(better system ahead)")
    draw(left, queries, by_queries)
    draw(right, items, by_items, label_of=str)
    return figure, (
        f"With {queries[-1]:,.0f} queries, the probability that the better system is ahead is "
        f"{as_text(final_values(by_queries), '.2f')}. With {at_hand} queries and lists of {items[-1]:,.0f} "
        f"items it is {as_text(final_values(by_items), '.2f')}. With lists of {items[0]:,.0f} items it is "
        f"{as_text({name: values[0] for name, values in by_items.items()}, '.2f')}."
    )


@drawing
def claimed_and_computed(sizes, share, low, high, claimed_limit, computed_limit):
    """Draw how often the ranker with the better top is ahead, with two limits.

    Parameters
    ----------
    sizes, share, low, high : array of shape (m,)
        List lengths, and the proportion of simulated lists with its interval.
    claimed_limit, computed_limit : float
        Limits for long lists, as claimed and as computed.
    """
    x_limits = np.array([sizes[0] / 2, sizes[-1] * 2])
    figure, axes = sheet(
        figsize=(5.6, 2.8),
        ylim=(0.0, 1.05),
        ylabel="proportion of lists",
        x_labels=powers_on_log,
        **items_axis(x_limits, "items in the list"),
    )
    axes.axhline(claimed_limit, color=OTHERS[1], linestyle="--")
    axes.axhline(computed_limit, color=OTHERS[0])
    write_near(axes, "claimed for long lists", (x_limits[0], claimed_limit), (6, -5), OTHERS[1], va="top")
    label_height = min(computed_limit, *low)  # the name is below all intervals, so it covers no dot
    write_near(axes, "computed limit", (x_limits[1], label_height), (-6, -4), OTHERS[0], ha="right", va="top")
    draw_simulated(axes, sizes, share, low, high, "black")
    return figure, (
        "The proportion of lists on which the ranker with the better top is ahead is "
        + ", ".join(f"{value:.2f} at {size:,}" for size, value in zip(sizes, share, strict=True))
        + f" items. The limit for long lists is claimed to be {claimed_limit:g} and computed as "
        f"{computed_limit:.2f}."
    )
