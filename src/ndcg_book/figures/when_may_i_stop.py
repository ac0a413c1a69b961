"""Figures of the chapter on stopping: false alarms under repeated looks, wealth, and intervals."""

import numpy as np

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from ndcg_book.axes import (
    as_text,
    draw,
    final_values,
    plain_numbers,
    sheet,
    write_in_corner,
    write_near,
)


@drawing
def false_alarms(queries, shares, level):
    """Draw the proportion of studies that have a false alarm although the systems are equal.

    Parameters
    ----------
    queries : array of shape (m,)
    shares : mapping from the name of a rule to an array of shape (m,)
    level : float
        Nominal level of the tests.
    """
    figure, axes = sheet(
        xscale="log",
        xlim=(queries[0], queries[-1]),
        ylim=(0, 1.1 * max(values.max() for values in shares.values())),
        xlabel="queries judged so far (log scale)",
        ylabel="studies with a false alarm",
        x_labels=plain_numbers,
        y_labels="{x:.0%}",
        hlines=(level,),
        line_style="--",
    )
    colours = dict(zip(shares, (OTHERS[1], OTHERS[2], OTHERS[0])))
    draw(axes, queries, shares, colours, label_of=str)
    middle = np.sqrt(queries[0] * queries[-1])  # of the logarithmic axis
    write_near(axes, f"nominal level {level:.0%}", (middle, level), (0, 3), GREY, va="bottom")
    return figure, (
        f"Curves rise with every look. By query {queries[-1]:,} the proportion of studies with a false "
        f"alarm is {as_text(final_values(shares), '.2f')}."
    )


@drawing
def one_study(test, mean):
    """Draw the mean wealth of the bets after every query, and the interval.

    Parameters
    ----------
    test : SequentialTest
    mean : float
        The true mean difference.
    """
    query_count = len(test.differences)
    queries = np.arange(1, query_count + 1)
    figure, (upper, lower) = sheet(
        2,
        1,
        sharex=True,
        figsize=(5.6, 5.0),
        xlim=(1, query_count),
        xlabel="queries judged so far",
        panel_options=(
            {"yscale": "log", "ylabel": "wealth of bets", "ylim": (test.wealth.min() / 2, 4 * test.needed)},
            {"ylabel": "mean difference", "ylim": (-0.4, 0.6)},
        ),
    )
    for wealth, colour in zip(test.wealth.clip(max=1e9), (FIRST, SECOND)):  # far above the axes
        upper.plot(queries, wealth, color=colour)
    upper.axhline(test.needed, color=GREY, linestyle="--", linewidth=1)
    write_near(upper, f"needed: {test.needed:.0f}", (1, test.needed), (4, 3), GREY, va="bottom")
    write_in_corner(upper, "on the first system", (0.98, 0.5), FIRST, va="bottom")
    write_in_corner(upper, "on the second", (0.98, 0.2), SECOND)
    lower.fill_between(queries, test.low, test.high, color=GREY, alpha=0.2, linewidth=0)
    lower.plot(queries, np.cumsum(test.differences) / queries, color="black")
    lower.axhline(mean, color="black", linestyle=":", linewidth=1.2)
    lower.axhline(0, color=GREY, linewidth=1)
    write_near(lower, f"true difference {mean:g}", (query_count, mean), (-2, -4), ha="right", va="top")
    if test.stopped_at:
        for axes in (upper, lower):
            axes.axvline(test.stopped_at, color=GREY, linestyle=":", linewidth=1.2)
    outcome = (
        f"reaches {test.needed:.0f} at query {test.stopped_at}"
        if test.stopped_at
        else f"has not reached {test.needed:.0f} by query {query_count}"
    )
    return figure, (
        f"Above, the wealth {outcome}. Below, an interval around the running mean narrows to "
        f"the range from {test.low[-1]:.3f} to {test.high[-1]:.3f}."
    )
