"""Figures of a reader's own rankings: which measures tell systems apart, how lists grow, what chance would do."""

import numpy as np
import seaborn
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from ndcg_companion.chapter.axes import label_ends
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

_BETWEEN = LinearSegmentedColormap.from_list("ahead", [PALETTE[1], "#ffffff", PALETTE[0]])
_LONGEST = 16


def shown(name):
    """A system's name, short enough for a figure.

    >>> shown("bm25"), shown("a-very-long-name-of-a-run")
    ('bm25', 'a-very-long-nam…')
    """
    name = name.replace("$", r"\$")
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


@drawing
def separations(rows, chosen, confirmed, names):
    """The mean difference of two systems under every measure, with intervals, and the chosen measure's on new queries.

    Parameters
    ----------
    rows : mapping of a measure's name to a mapping with ``difference``, ``low``, ``high`` and ``p_holm``
    chosen : str
        The measure that was chosen on half of the queries.
    confirmed : mapping with ``difference``, ``low`` and ``high``
        Of the chosen measure on the other half.
    names : pair of str
        The two systems.
    """
    figure = Figure(figsize=(5.6, 1.3 + 0.32 * len(rows)))
    axes = figure.subplots()
    axes.axvline(0, color="black", linewidth=1)
    for place, (name, row) in enumerate(rows.items()):
        sure = row["p_holm"] <= 0.05
        colour = GREY if not sure else PALETTE[0] if row["difference"] > 0 else PALETTE[1]
        axes.plot([row["low"], row["high"]], [place, place], color=colour)
        filling = colour if sure else "white"
        axes.plot(row["difference"], place, "o", color=colour, markerfacecolor=filling, markersize=6)
        if name == chosen:
            axes.plot([confirmed["low"], confirmed["high"]], [place + 0.36] * 2, color=PALETTE[3])
            axes.plot(confirmed["difference"], place + 0.36, "D", color=PALETTE[3], markersize=5)
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set(ylim=(len(rows) - 0.4, -0.6), xlabel="difference of mean NDCG, with 95 % intervals")
    axes.set_title(f"← {shown(names[1])} ahead     {shown(names[0])} ahead →", loc="center", color=GREY)
    axes.grid(visible=False, axis="y")
    return figure


def _along(axes, sizes):
    """Put the sizes on a log scale from end to end; a single one, which is no line, as a point in the middle."""
    single = len(sizes) == 1
    axes.set(xscale="log", xlim=(sizes[0] / 2, sizes[0] * 2) if single else (sizes[0], sizes[-1]))
    for line in axes.lines if single else []:
        line.set_marker("o")


@drawing
def growing(growth, names, measures):
    """Mean NDCG of two systems as lists grow, with bands; below, their difference under several discounts.

    Parameters
    ----------
    growth : ndcg_companion.evaluation.paired.Growth
        Of the two systems.
    names : pair of str
    measures : sequence of str
        The first is that of the upper panel, the others' differences stand below it too.
    """
    figure = Figure(figsize=(5.6, 5.2))
    upper, lower = figure.subplots(2, sharex=True)
    ends = {}
    for column, (name, colour) in enumerate(zip(names, PALETTE)):
        mean, half = growth.system(measures[0], column)
        upper.fill_between(growth.sizes, mean - half, mean + half, color=colour, alpha=0.18, linewidth=0)
        upper.plot(growth.sizes, mean, color=colour)
        ends[name] = mean[-1]
    lower.axhline(0, color="black", linewidth=1)
    differences = {measure: growth.difference(measure) for measure in measures}
    mean, half = differences[measures[0]]
    colours = dict(zip(measures, PALETTE[2:]))
    lower.fill_between(
        growth.sizes, mean - half, mean + half, color=colours[measures[0]], alpha=0.18, linewidth=0
    )
    for measure, (mean, _) in differences.items():
        lower.plot(growth.sizes, mean, color=colours[measure])
    _along(upper, growth.sizes)
    upper.set_ylabel(f"mean NDCG, {measures[0]}")
    lower.set(xlabel="items, n (log scale)", ylabel="difference")
    label_ends(upper, ends, dict(zip(names, PALETTE)), shown)
    label_ends(lower, {measure: mean[-1] for measure, (mean, _) in differences.items()}, colours)
    return figure


@drawing
def pairs(gaps, p, names):
    """Differences of all pairs of systems, row minus column; those that chance does not explain are written out.

    Parameters
    ----------
    gaps, p : arrays of shape (systems, systems)
        NaN on the diagonal.
    names : sequence of str
    """
    figure = Figure(figsize=(5.6, 1.6 + 0.3 * len(names)))
    axes = figure.subplots()
    largest = np.nanmax(np.abs(gaps)) or 1.0
    texts = np.vectorize(lambda gap: f"{100 * gap:.0f}".replace("-", "−"))(np.nan_to_num(gaps))
    texts = np.where(np.nan_to_num(p, nan=1.0) <= 0.05, texts, "")
    size, short = 10 if len(names) <= 10 else 8, [shown(name) for name in names]
    seaborn.heatmap(
        gaps,
        vmin=-largest,
        vmax=largest,
        cmap=_BETWEEN,
        annot=texts,
        fmt="",
        cbar=False,
        ax=axes,
        linewidths=1,
        xticklabels=short,
        yticklabels=short,
        annot_kws={"fontsize": size},
    )
    axes.tick_params(length=0, labelsize=size)
    axes.set_xlabel("row minus column, in hundredths of NDCG")
    axes.grid(False)
    return figure


@drawing
def tosses(rows, bound):
    """How many standard errors each measure sees between two systems: as they are, and after coins are tossed.

    Parameters
    ----------
    rows : mapping of a measure's name to a mapping with ``seen`` and ``tossed``
    bound : float
        What a single measure exceeds by chance in one case of twenty.
    """
    figure = Figure(figsize=(5.6, 1.2 + 0.3 * len(rows)))
    axes = figure.subplots()
    axes.axvline(bound, color=GREY, linewidth=1, linestyle="--")
    for place, row in enumerate(rows.values()):
        axes.plot([row["tossed"], row["seen"]], [place, place], color="#c9ccd0", linewidth=1)
        axes.plot(row["tossed"], place, "o", color=PALETTE[1], markerfacecolor="white", markersize=6)
        axes.plot(row["seen"], place, "o", color=PALETTE[0], markersize=6)
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set(
        ylim=(len(rows) - 0.4, -0.6),
        xlim=(0, None),
        xlabel="|mean difference| / standard error (open: tossed)",
    )
    axes.grid(visible=False, axis="y")
    return figure


@drawing
def orders(growths, measure):
    """The difference of two systems as lists grow, items in the order of their times and shuffled, with bands.

    Parameters
    ----------
    growths : mapping of an order's name to a ndcg_companion.evaluation.paired.Growth
    measure : str
    """
    figure = Figure()
    axes = figure.subplots()
    axes.axhline(0, color="black", linewidth=1)
    colours, ends = dict(zip(growths, (GREY, PALETTE[3]))), {}
    for name, growth in growths.items():
        mean, half = growth.difference(measure)
        axes.fill_between(
            growth.sizes, mean - half, mean + half, color=colours[name], alpha=0.15, linewidth=0
        )
        axes.plot(growth.sizes, mean, color=colours[name])
        ends[name] = mean[-1]
    _along(axes, next(iter(growths.values())).sizes)
    axes.set_xlabel("items, n (log scale)")
    axes.set_ylabel(f"difference of NDCG, {measure}")
    label_ends(axes, ends, colours)
    return figure
