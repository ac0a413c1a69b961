"""Figures of the chapter on pairs under summable discounts: the leader, and changes of the lead.

A *run* is ``(first, last, leader)``, a range of lengths in which the leader is ranker 0 (A), ranker 1 (B), or
neither of them (None).
"""

from itertools import pairwise

import numpy as np

from claimbook.style import FIRST, GREY, OTHERS, SECOND, drawing
from ndcg_book.axes import (
    as_text,
    draw,
    draw_simulated,
    items_axis,
    sheet,
    without_tex,
    write_in_corner,
)

_CASE_COLOURS = (OTHERS[1], OTHERS[0], *OTHERS[2:])  # colours of cases or discounts, in the order given


@drawing
def leads(cases, start, stop):
    """Draw which ranker is ahead on several growing lists, by case.

    Parameters
    ----------
    cases : mapping from a title to a sequence of lists of runs
    start, stop : int
        The first and the last length that are shown.
    """
    rows = sum(len(lists) for lists in cases.values())
    figure, axes = sheet(
        figsize=(5.6, 0.7 + 0.27 * len(cases) + 0.065 * rows),
        frameless="y",
        yticks=[],
        **items_axis((start, stop), "items in the list, n"),
    )
    row_height = 0.0
    for title, lists in cases.items():
        axes.text(start, row_height - 0.6, title, va="bottom", ha="left")
        for runs in lists:
            for leader, colour in ((0, FIRST), (1, SECOND)):
                shown_runs = [
                    (max(first, start), last)
                    for first, last, run_leader in runs
                    if run_leader == leader and last > start
                ]
                starts_and_lengths = [(first, last - first) for first, last in shown_runs]
                axes.broken_barh(starts_and_lengths, (row_height - 0.4, 0.8), color=colour, lw=0)
            row_height += 1.0
        row_height += 2.6  # room for the next title
    axes.set_ylim(row_height - 2.9, -2.6)  # the vertical axis points down
    final_leaders = {title: [leader for *_, (_, _, leader) in lists] for title, lists in cases.items()}
    write_in_corner(axes, "A ahead", (0.72, 1.0), FIRST, va="bottom")
    write_in_corner(axes, "B ahead", (1.0, 1.0), SECOND, va="bottom")
    return figure, (
        f"Strips in two colours show the ranker that is ahead from {start:,} to {stop:,} items. "
        + "; ".join(
            f"{without_tex(title)}: {len(lists)} strips with "
            f"{np.mean([_lead_changes(runs, start) for runs in lists]):.1f} changes of the lead on average; "
            f"at the end A is ahead on {final_leaders[title].count(0)} and B on "
            f"{final_leaders[title].count(1)}"
            for title, lists in cases.items()
        )
        + "."
    )


def _lead_changes(runs, start):
    """Return how often the lead changes from length `start` on."""
    leaders = [leader for _, last, leader in runs if leader is not None and last > start]
    return sum(leader != next_leader for leader, next_leader in pairwise(leaders))


@drawing
def two_clouds(scores):
    """Draw NDCG of two rankers on the same lists, for different couplings.

    Parameters
    ----------
    scores : mapping from a title to an array of shape (2, m)
        NDCG of both rankers; points are coloured by the ranker that is ahead.
    """
    figure, panels = sheet(
        1,
        len(scores),
        sharex=True,
        sharey=True,
        figsize=(5.6, 3.2),
        titles=scores,
        xlim=(-0.03, 1.03),
        ylim=(-0.03, 1.03),
        xticks=[0, 0.5, 1],
        yticks=[0, 0.5, 1],
        aspect="equal",
        xlabel="NDCG of A",
        ylabel="NDCG of B",
    )
    for axes, (ndcg_a, ndcg_b) in zip(panels, scores.values()):
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, zorder=1)
        for is_ahead, colour in ((ndcg_a > ndcg_b, FIRST), (ndcg_a < ndcg_b, SECOND)):
            dot_options = {"color": colour, "markersize": 5, "alpha": 0.6, "markeredgewidth": 0}
            axes.plot(ndcg_a[is_ahead], ndcg_b[is_ahead], ".", **dot_options)
    return figure, (
        "Points lie next to a diagonal. "
        + "; ".join(
            f"{title}: {np.sum(ndcg_a <= ndcg_b)} of {len(ndcg_a)} points on or above the diagonal, none "
            f"further from it than {np.abs(ndcg_a - ndcg_b).max():.1g}, from {ndcg_a.min():.2f} to "
            f"{ndcg_a.max():.2f}"
            for title, (ndcg_a, ndcg_b) in scores.items()
        )
        + "."
    )


@drawing
def chances(tops, lines, dots, other):
    """Draw how likely the first ranker is ahead, by the relevance at its top.

    Parameters
    ----------
    tops : array of shape (q,)
    lines : mapping from a discount's name to an array of shape (q,)
        Limits for long lists.
    dots : mapping from a discount's name to (tops, shares, low, high), each of shape (m,)
        Proportions of simulated lists, with intervals.
    other : float
        Relevance at the second ranker's top, marked by a line.
    """
    figure, axes = sheet(
        xlim=(0, 1),
        ylim=(-0.02, 1.02),
        ylabel="P(A ahead)",
        xlabel="relevance at the top of A",
        hlines=(0.5,),
        vlines=(other,),
    )
    colours = dict(zip(lines, _CASE_COLOURS))
    draw(axes, tops, lines, colours)
    for index, name in enumerate(lines):  # in the corner that the rising curves leave free
        write_in_corner(axes, name, (0.03, 0.96 - 0.09 * index), colours[name])
    # The marks of the second discount are squares, shifted so that they do not cover the dots.
    for (name, (simulated_tops, *proportions)), shift, marker in zip(dots.items(), (0.0, 0.012), "os"):
        draw_simulated(axes, simulated_tops + shift, *proportions, colours[name], marker)
    errors = [
        proportions - np.interp(simulated_tops, tops, lines[name])
        for name, (simulated_tops, proportions, *_) in dots.items()
    ]
    first_line, *_ = lines.values()
    return figure, (
        f"{len(lines)} curves rise and pass through {np.interp(other, tops, first_line):.2f} at the top "
        f"relevance {other:g}. At 0.8 they are at "
        + as_text({name: np.interp(0.8, tops, values) for name, values in lines.items()}, ".2f")
        + ". The distance of the dots from the curves is at most "
        f"{np.abs(np.concatenate(errors)).max():.3f}."
    )


@drawing
def passes(sizes, means, rates):
    """Draw the mean number of changes of the lead by list length.

    Parameters
    ----------
    sizes : array of shape (m,)
    means : mapping from a case to an array of shape (m,)
    rates : mapping from a case to float
        Theoretical number of changes per unit of log n, drawn as straight lines.
    """
    highest_mean = np.max(list(means.values()))
    figure, axes = sheet(
        **items_axis(sizes, "items in the list, n"),
        ylim=(-0.03 * highest_mean, 1.12 * highest_mean),
        ylabel=f"changes of the lead since n = {sizes[0]:,.0f}",
    )
    for rate in rates.values():
        axes.plot(sizes, rate * np.log(sizes / sizes[0]), color="black", linewidth=1.0, linestyle=(0, (4, 3)))
    draw(axes, sizes, means, _CASE_COLOURS, label_of=str)
    return figure, (
        f"Over the logarithm of n, from {sizes[0]:,.0f} to {sizes[-1]:,.0f} items, the mean numbers of "
        "changes of the lead rise to "
        + "; ".join(
            f"{values[-1]:.2f} ({without_tex(' '.join(name.split()))})" for name, values in means.items()
        )
        + ". Dashed straight lines have the slopes "
        + " and ".join(f"{rate:.2f}" for rate in rates.values())
        + "."
    )
