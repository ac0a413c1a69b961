"""Figures of the chapter on comparing systems: differences, leaderboard, errors of tests, and splits."""

import numpy as np

from claimbook import text
from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import sheet, write_near


@drawing
def by_query(rows):
    """Draw the difference between the systems of each pair by query, with means and intervals.

    Parameters
    ----------
    rows : mapping of name to (array of shape (queries,), mean, low, high)
    """
    figure, axes = sheet(
        figsize=(5.2, 0.9 + 0.95 * len(rows)),
        no_grid="y",
        ylim=(len(rows) - 0.5, -0.6),
        yticks=range(len(rows)),
        yticklabels=map(text.figure, rows),
        xlabel="difference in nDCG@10, query by query",
        vlines=[0.0],
    )
    for row, (differences, mean, low, high) in enumerate(rows.values()):
        colour = OTHERS[0] if low * high > 0 else GREY  # whether the interval is on one side of 0
        # Dots are spread over five heights, so that few of them overlap.
        heights = row + 0.12 + 0.06 * (np.arange(len(differences)) % 5)
        axes.plot(np.sort(differences), heights, "o", color=colour, markersize=3.5, alpha=0.6)
        axes.plot([low, high], [row - 0.12] * 2, color=colour, linewidth=5, solid_capstyle="butt")
        axes.plot(mean, row - 0.12, "D", color="black", markersize=5)
        write_near(axes, f"mean {text.minus(mean, '+.2f')}", (high, row - 0.12), (6, 0), colour, va="center")
    return figure, (
        "Each pair of systems has a row, with a dot for each query on either side of 0. "
        + "; ".join(
            f"{name}: {int((np.asarray(differences) < 0).sum())} of {len(differences)} below 0, "
            + "mean {}, interval {} to {}".format(*(text.minus(x, "+.2f") for x in (mean, low, high)))
            for name, (differences, mean, low, high) in rows.items()
        )
        + "."
    )


@drawing
def leaderboard(board, group_of_system):
    """Draw means with intervals and letters, coloured by group of truly equal systems.

    Parameters
    ----------
    board : DataFrame
        The leaderboard of a comparison.
    group_of_system : mapping of system to int
        Number of the group of truly equal systems.
    """
    figure, axes = sheet(
        figsize=(5.6, 1.0 + 0.34 * len(board)),
        no_grid="y",
        ylim=(len(board) - 0.5, -0.5),
        yticks=range(len(board)),
        yticklabels=map(text.figure, board["system"]),
        xlabel="mean nDCG@10, simultaneous intervals",
    )
    for position, entry in board.iterrows():
        colour = OTHERS[group_of_system[entry["system"]] % len(OTHERS)]
        axes.plot([entry["low"], entry["high"]], [position, position], color=colour)
        axes.plot(entry["mean"], position, "o", color=colour, markersize=6)
        write_near(
            axes,
            entry["group"],
            (1, position),
            (6, 0),
            xycoords=("axes fraction", "data"),
            va="center",
            annotation_clip=False,
        )
    return figure, (
        "Each system has a dot with an interval, best first. The means and letters are "
        + ", ".join(
            f"{entry['system']} {entry['mean']:.3f} ({entry['group']})" for _, entry in board.iterrows()
        )
        + "."
    )


@drawing
def errors(alarms, power, names):
    """Draw the false alarms of each test, and the true differences that the test finds.

    Parameters
    ----------
    alarms : array of shape (tests, 3)
        Proportion of runs with a false alarm, and the ends of its interval.
    power : array of shape (tests,)
        Proportion of the true differences that are found.
    names : sequence of str
    """
    figure, (left, right) = sheet(
        1,
        2,
        sharey=True,
        figsize=(5.6, 1.2 + 0.42 * len(names)),
        no_grid="y",
        ylim=(len(names) - 0.5, -0.5),
        yticks=range(len(names)),
        yticklabels=names,
        panel_options=(
            {"xlabel": "runs with a false alarm"},
            {"xlabel": "true differences found", "xlim": (0, 1)},
        ),
    )
    left.axvline(0.05, color=GREY, linewidth=1, linestyle="--")
    for row, (rate, low, high) in enumerate(alarms):
        colour = OTHERS[1] if low > 0.05 else OTHERS[0]
        left.plot([low, high], [row, row], color=colour)
        left.plot(rate, row, "o", color=colour, markersize=6)
        right.plot([0, power[row]], [row, row], color=colour, linewidth=5, solid_capstyle="butt")
    left.set_xlim(left=0)
    return figure, (
        "Two panels have a row for each test and show false alarms and true differences found. "
        + "; ".join(
            f"{name} {rate:.0%} and {detected:.0%}"
            for name, (rate, _, _), detected in zip(names, alarms, power, strict=True)
        )
        + "."
    )


@drawing
def splits(counts, whole):
    """Draw the numbers of pairs confirmed by random splits and by all queries.

    Parameters
    ----------
    counts : array of int, shape (splits,)
        Number of pairs that each split confirms.
    whole : int
        Number of pairs that differ significantly on all queries under any of the measures.
    """
    pair_counts, split_counts = np.unique(counts, return_counts=True)
    fewest_pairs, most_pairs = min(pair_counts[0], whole), max(pair_counts[-1], whole)
    figure, axes = sheet(
        figsize=(5.6, 2.8),
        xlim=(fewest_pairs - 0.9, most_pairs + 0.9),
        ylim=(0, split_counts.max() * 1.25),
        xticks=range(fewest_pairs, most_pairs + 1),
        xlabel="significantly different pairs",
        ylabel="random splits",
    )
    axes.bar(pair_counts, split_counts, color=OTHERS[0], width=0.8)
    axes.axvline(whole, color="black")
    is_right_of_middle = whole > (pair_counts[0] + pair_counts[-1]) / 2
    offset, alignment = ((-5, -4), "right") if is_right_of_middle else ((5, -4), "left")
    write_near(
        axes,
        "all queries, one family",
        (whole, 1),
        offset,
        xycoords=("data", "axes fraction"),
        ha=alignment,
        va="top",
    )
    return figure, (
        f"Bars show that {len(counts)} random splits find between {pair_counts[0]} and {pair_counts[-1]} "
        f"pairs significantly different, most often {pair_counts[split_counts.argmax()]}. A line is at "
        f"{whole}, the number on all queries."
    )
