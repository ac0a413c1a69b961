"""Figures of the chapter that repeats the paper's experiment: curves of NDCG as items arrive."""

import matplotlib.pyplot as plt
import numpy as np

from ..style import GREY, PALETTE, drawing, label_ends

COLOURS = {"RankSVM": PALETTE[0], "ListNet": PALETTE[1], "random": PALETTE[2]}
_START = 10  # in the first few prefixes some tasks have no relevant item yet, and NDCG jumps between 0 and 1
_STEP = 3  # every third prefix is drawn: there are more prefixes than pixels


@drawing
def three_rankers(curves, *, expectation, measure, crossing, limit=None):
    """Mean NDCG over the tasks for every number of items, with a band from the worst task to the best.

    Parameters
    ----------
    curves : mapping from a ranker's name to an array of shape (tasks, n)
    expectation : tuple of two arrays
        Sizes, and what the theory expects of the random ranker there.
    measure : str
        Names the measure on the vertical axis.
    crossing : tuple
        The last number of items at which two of the mean curves cross, and the names of the two.
    limit : float, optional
        Where the random ranker's curve tends.
    """
    figure, axes = plt.subplots()
    ends = _draw_means(axes, curves, bands=True)
    axes.plot(*expectation, "--", color="black", linewidth=1.2)
    if limit is not None:
        axes.axhline(limit, color=GREY, linestyle=":", linewidth=1.4)
        below = expectation[1][-1] > limit
        axes.annotate(f"limit for random: {limit:.3f}", (1, limit), (-4, -4 if below else 3), ha="right",
                      va="top" if below else "bottom", xycoords=("axes fraction", "data"),
                      textcoords="offset points", color=GREY)  # fmt: skip
    last, (one, other) = crossing
    crossed = last >= _START
    if crossed:
        axes.axvline(last, color=GREY, linewidth=1)
    title = f"{one} and {other} last cross at n = {last}" if crossed else f"no two curves cross from n = {_START} on"
    axes.set_title(title, color=GREY)
    axes.set(xlabel="items arrived, n", ylabel=f"NDCG, {measure}", ylim=(0, 1.03))
    label_ends(axes, ends, COLOURS)
    return figure


@drawing
def long_road(sizes, observed, theory_sizes, theory):
    """The random ranker's mean curve and the theory's continuation of it, over a logarithmic number of items.

    Parameters
    ----------
    sizes, observed : arrays of shape (m,)
    theory_sizes, theory : arrays of shape (q,)
    """
    figure, axes = plt.subplots()
    axes.axhline(1, color=GREY, linestyle=":", linewidth=1.4)
    axes.plot(theory_sizes, theory, "--", color="black", linewidth=1.4)
    axes.plot(sizes, observed, color=COLOURS["random"], linewidth=3)
    axes.annotate("random ranker,\nten tasks", (sizes[-1], observed[-1]), (8, -26), textcoords="offset points",
                  color=COLOURS["random"])  # fmt: skip
    middle = len(theory) // 2
    axes.annotate("theory, p = 0.1", (theory_sizes[middle], theory[middle]), (4, -16),
                  textcoords="offset points")  # fmt: skip
    axes.annotate("limit: 1", (1, 1), (-4, 3), xycoords=("axes fraction", "data"), textcoords="offset points",
                  ha="right", color=GREY)  # fmt: skip
    axes.set(xscale="log", xlabel="items, n (log scale)", ylabel="NDCG, log discount", ylim=(0.4, 1.06))
    return figure


@drawing
def contaminated_tops(upper, lower, *, titles):
    """Mean curves under two measures, one above the other, once every ranker has junk at its top.

    Parameters
    ----------
    upper, lower : mapping from a ranker's name to an array of shape (tasks, n)
    titles : tuple of str
        The two measures.
    """
    figure, panels = plt.subplots(2, sharex=True, figsize=(5.6, 5.2))
    for axes, curves, title in zip(panels, (upper, lower), titles, strict=True):
        ends = _draw_means(axes, curves, bands=False)
        axes.set(title=title, ylabel="NDCG", ylim=(0, 1.03))
        label_ends(axes, ends, COLOURS)
    panels[-1].set_xlabel("items arrived, n")
    return figure


@drawing
def arrival_orders(in_file_order, shuffled, *, start=100):
    """One ranker's mean curve in file order, and the band that its curves fill when the same items are shuffled.

    Parameters
    ----------
    in_file_order : array of shape (n,)
    shuffled : array of shape (shuffles, n)
    start : int
        The first number of items drawn.
    """
    figure, axes = plt.subplots()
    sizes = _drawn_sizes(start, len(in_file_order))
    shuffled = shuffled[:, sizes - 1]
    axes.fill_between(sizes, shuffled.min(axis=0), shuffled.max(axis=0), color=GREY, alpha=0.2, linewidth=0)
    axes.plot(sizes, shuffled.mean(axis=0), color=GREY)
    axes.plot(sizes, in_file_order[sizes - 1], color=COLOURS["RankSVM"])
    place = len(sizes) // 6
    axes.annotate("file order", (sizes[place], in_file_order[sizes[place] - 1]), (0, 5), textcoords="offset points",
                  color=COLOURS["RankSVM"])  # fmt: skip
    axes.annotate("shuffled: mean and range", (sizes[place], shuffled[:, place].min()), (0, -4), va="top",
                  textcoords="offset points", color=GREY)  # fmt: skip
    axes.set(xlabel="items arrived, n", ylabel="NDCG of RankSVM, log discount")
    return figure


def _draw_means(axes, curves, bands):
    """Draw the mean curves; returns the height at which each ends."""
    ends = {}
    for name, values in curves.items():
        sizes = _drawn_sizes(_START, values.shape[1])
        values = values[:, sizes - 1]
        if bands:
            worst, best = values.min(axis=0), values.max(axis=0)
            axes.fill_between(sizes, worst, best, color=COLOURS[name], alpha=0.15, linewidth=0)
        mean = values.mean(axis=0)
        axes.plot(sizes, mean, color=COLOURS[name], linewidth=1.5)
        ends[name] = mean[-1]
    return ends


def _drawn_sizes(start, end):
    """Numbers of items at which curves are drawn; the last one is ``end``."""
    return np.arange(end, start - 1, -_STEP)[::-1]
