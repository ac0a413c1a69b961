"""Figures of the chapters that repeat the paper's experiment: curves of NDCG as documents arrive."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from claimbook.style import FIRST, GREY, SECOND, drawing
from ndcg_book.axes import RANKINGS, final_values, label_ends, sheet, thinned_sizes, without_tex, write_near
from ndcg_companion.checks import fail_if
from ndcg_companion.data.experiment import last_crossing

COLOURS = {"RankSVM": FIRST, "ListNet": SECOND, "random": RANKINGS["random"]}
# The curves of two linear rankers may coincide, so one is dashed to keep both visible.
_LINES = {"RankSVM": "-", "ListNet": (0, (4, 2)), "random": "-"}
_NAME_HEIGHT = 0.13  # height of a name at the end of a curve, in units of NDCG
_MOST_POINTS = 320  # largest number of points of a curve, to limit the size of the page


@dataclass(frozen=True, eq=False)
class Panel:
    """Data of one panel of `three_rankers`.

    Attributes
    ----------
    title : str
    curves : mapping from a ranker's name to an array of shape (q, n)
        NDCG of the first 1, ..., n documents of each query.
    expected : ndarray of shape (n,)
        Expected NDCG of random scores.
    """

    title: str
    curves: dict
    expected: np.ndarray

    @property
    def start(self):
        """The number of documents from which on every query has a relevant document."""
        is_defined = np.all([np.isfinite(values).all(axis=0) for values in self.curves.values()], axis=0)
        fail_if(
            not is_defined[-1],
            f"curves of {self.title!r}: expected a relevant document in every query",
        )
        last_undefined = int(np.flatnonzero(~is_defined).max(initial=-1))
        return last_undefined + 2  # index i is of i + 1 documents, and the start is one document later

    @property
    def crossing(self):
        """The last crossing of two mean curves (0 if there is none), and the names of the curves."""
        means = {name: values.mean(axis=0) for name, values in self.curves.items()}
        crossings = [
            (last_crossing(means[a], means[b], self.start), (a, b)) for a, b in combinations(means, 2)
        ]
        return max(crossings)


@drawing
def four_figures(rows):
    """Draw the final values of several figures, with one panel for each log.

    Parameters
    ----------
    rows : mapping from the name of a row to its panels
        The titles of the panels are the titles of the columns, and they are the same in all rows.
    """
    columns = list(zip(*rows.values()))
    (first_panel, *_), *_ = columns
    *_, (last_panel, *_) = columns
    document_count, query_count = len(first_panel.expected), len(last_panel.curves["random"])
    figure, grid = sheet(
        1,
        len(columns),
        sharey=True,
        squeeze=False,
        figsize=(5.6, 0.8 + 0.62 * len(rows)),
        titles=[panels[0].title for panels in columns],
        no_grid="y",
        xlim=(0, 1),
        xlabel="NDCG",
        ylim=(len(rows) - 0.5, -0.5),
        yticks=range(len(rows)),
        yticklabels=rows,
    )
    sentences = []
    for axes, panels in zip(grid[0], columns):
        last_values = {name: np.array([panel.curves[name][:, -1] for panel in panels]) for name in COLOURS}
        for index, (name, values) in enumerate(last_values.items()):
            heights = np.arange(len(rows)) + 0.27 * (index - 1)
            low, high = np.quantile(values, [0.1, 0.9], axis=1)
            axes.hlines(heights, low, high, color=COLOURS[name], linewidth=1.6)
            axes.plot(values.mean(axis=1), heights, "o", color=COLOURS[name], markersize=5)
            if axes is grid[0, 0]:
                write_near(axes, name, (high[0], heights[0]), (4, 0), COLOURS[name], va="center", fontsize=10)
        # The expectation of random scores is at the heights of the last ranker, "random".
        axes.plot([panel.expected[-1] for panel in panels], heights, "|", color="black", markersize=9)
        means = {name: values.mean(axis=1) for name, values in last_values.items()}
        for row, measure in enumerate(rows):
            means_of_row = {name: values[row] for name, values in means.items()}
            measure_text = without_tex(measure.replace("\n", ": "))
            sentences.append(f"{measure_text}, {panels[0].title}: {_in_words(means_of_row)}")
    return figure, (
        "Dots show the mean NDCG of two learned rankers and of random scores over "
        f"{query_count} queries when all {document_count:,} documents have arrived. "
        "Bars show the middle 80% of the queries. "
        f"{'; '.join(sentences)}."
    )


@drawing
def three_rankers(*panels, measure=""):
    """Draw mean curves, the middle 80% of queries, and the random expectation.

    Parameters
    ----------
    *panels : Panel
        The panels, which are drawn one above the other.
    measure : str
        Description of the measure for the alternative text, if titles of panels do not contain it.
    """
    figure, grid = _column(
        [panel.title for panel in panels],
        "documents arrived, n",
        ylim=(0, 1.03),
        yticks=[0, 0.5, 1],
        ylabel="NDCG",
    )
    sentences = []
    for axes, panel in zip(grid, panels, strict=True):
        document_count, final_means = len(panel.expected), _draw_panel(axes, panel)
        axes.set_xlim(0, document_count)
        last_size, pair = panel.crossing
        crossing = f"last crossing at {last_size:,} ({' and '.join(pair)})" if last_size else "no crossing"
        axes.set_title(f"{panel.title}: {crossing}", fontsize=10)
        if last_size:
            axes.axvline(last_size, color=GREY, linewidth=1)
        # Names can only move down, so the names of low curves are raised first to stay above the axis.
        lowest_first = enumerate(sorted(final_means, key=final_means.get))
        label_ends(
            axes, {name: max(final_means[name], _NAME_HEIGHT * row) for row, name in lowest_first}, COLOURS
        )
        sentences.append(
            f"{without_tex(panel.title)}, from {panel.start} to {document_count:,} documents: at the end "
            f"{_in_words(final_means)}; {crossing}"
        )
    with_measure = f" with {measure}" if measure else ""
    return figure, (
        f"Curves show mean NDCG{with_measure} over {len(panels[-1].curves['random'])} queries as documents "
        f"arrive. {'. '.join(sentences)}."
    )


@drawing
def long_road(panels):
    """Draw mean curves and their theoretical continuation on a logarithmic axis.

    Parameters
    ----------
    panels : mapping from a title to a mapping from a ranker's name to ``(sizes, seen, far, theory)``
        Four arrays: sizes and values of the observed curve, and sizes and values of its continuation.
    """
    figure, grid = _column(
        panels, "documents, n (log scale)", xscale="log", ylim=(0.2, 1.03), ylabel="NDCG, log discount"
    )
    sentences = []
    for axes, (title, rankers) in zip(grid, panels.items()):
        for name, (sizes, observed, far_sizes, theory) in rankers.items():
            # The dashes of ListNet differ from those of the others, because the curves may coincide.
            line_style = _LINES[name] if name == "ListNet" else "--"
            axes.plot(sizes, observed, color=COLOURS[name], linewidth=3)
            axes.plot(far_sizes, theory, color=COLOURS[name], linestyle=line_style)
        axes.axhline(1, color=GREY, linestyle=":", linewidth=1.4)
        axes.set_xlim(sizes[0], far_sizes[-1])  # all rankers have the same sizes
        label_ends(axes, {name: theory[-1] for name, (*_, theory) in rankers.items()}, COLOURS)
        changes = (
            f"{name} from {theory[0]:.2f} to {theory[-1]:.2f}" for name, (*_, theory) in rankers.items()
        )
        sentences.append(
            f"{title}, from {far_sizes[0]:,.0f} to {far_sizes[-1]:g} documents: {', '.join(changes)}"
        )
    return figure, (
        "Curves show NDCG under the log discount by number of documents on a log scale. "
        f"{'. '.join(sentences)}."
    )


@drawing
def two_orders(panels):
    """Draw RankSVM's mean curve in arrival order and in random orders.

    Parameters
    ----------
    panels : mapping from a title to ``(sizes, arrived, shuffled)``
        Numbers of documents, of shape (m,), the curve, of shape (m,), and the curves of shuffled orders, of
        shape (s, m).
    """
    figure, grid = _column(panels, "documents arrived, n", ylabel="NDCG of RankSVM")
    sentences = []
    for axes, (title, (sizes, arrived, shuffled)) in zip(grid, panels.items(), strict=True):
        low, mean, high = shuffled.min(axis=0), shuffled.mean(axis=0), shuffled.max(axis=0)
        axes.fill_between(sizes, low, high, color=GREY, alpha=0.25, linewidth=0)
        axes.plot(sizes, mean, color=GREY, linestyle="--")
        axes.plot(sizes, arrived, color=COLOURS["RankSVM"])
        # This part of the axis, its second quarter, is wide enough for the names that are written there.
        label_range = slice(len(sizes) // 4, len(sizes) // 2)
        # Name, lower edge, upper edge and colour of what is drawn.
        curve = ("as it arrived", arrived, arrived, COLOURS["RankSVM"])
        band = ("shuffled", low, high, GREY)
        is_curve_above = arrived[label_range].mean() > mean[label_range].mean()
        upper, lower = (curve, band) if is_curve_above else (band, curve)
        upper_name, _, upper_edge, upper_colour = upper
        lower_name, lower_edge, _, lower_colour = lower
        label_x = sizes[label_range.start]
        upper_point = label_x, upper_edge[label_range].max()
        lower_point = label_x, lower_edge[label_range].min()
        write_near(axes, upper_name, upper_point, (0, 4), upper_colour, va="bottom")
        write_near(axes, lower_name, lower_point, (0, -4), lower_colour, va="top")
        axes.set(xlim=(0, sizes[-1]), ymargin=0.25)
        sentences.append(
            f"Under {without_tex(title)}: {arrived[0]:.3f} at {sizes[0]} documents and {arrived[-1]:.3f} at "
            f"{sizes[-1]:,} in arrival order; {mean[0]:.3f} and {mean[-1]:.3f} on average over "
            f"{len(shuffled)} shuffled orders"
        )
    return figure, f"Curves show the NDCG of RankSVM as documents arrive. {'. '.join(sentences)}."


def _draw_panel(axes, panel):
    """Draw curves, bands and the random expectation; return the last means by name."""
    sizes, band_sizes = (
        thinned_sizes(panel.start, len(panel.expected), most_points)
        for most_points in (_MOST_POINTS, _MOST_POINTS // 3)
    )
    means = {name: curves[:, sizes - 1].mean(axis=0) for name, curves in panel.curves.items()}
    for name, curves in panel.curves.items():
        low, high = np.quantile(curves[:, band_sizes - 1], [0.1, 0.9], axis=0)
        axes.fill_between(band_sizes, low, high, color=COLOURS[name], alpha=0.15, linewidth=0)
        axes.plot(sizes, means[name], color=COLOURS[name], linestyle=_LINES[name], linewidth=1.5)
    axes.plot(sizes, panel.expected[sizes - 1], ":", color="black", linewidth=1.4)
    return final_values(means)


def _column(titles, xlabel, **options):
    """Return a figure and its panels, one above the other."""
    figure, panels = sheet(len(titles), squeeze=False, figsize=(5.6, 0.5 + 1.8 * len(titles)), **options)
    for axes, title in zip(panels[:, 0], titles):
        axes.set_title(title, fontsize=10)
    panels[-1, 0].set_xlabel(xlabel)
    return figure, panels[:, 0]


def _in_words(values):
    """Return numbers by name as they are listed in a sentence."""
    return ", ".join(f"{name} {value:.2f}" for name, value in values.items())
