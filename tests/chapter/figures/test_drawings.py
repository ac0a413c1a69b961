"""Gates over every drawing: labels apart and inside, its words, the palette, the dark; of the numbers that it
is given: each moves something and is drawn, and its name has one colour.
"""

from importlib import import_module
from io import StringIO
from itertools import combinations
from pkgutil import iter_modules

import numpy as np
import pytest
from chapter.figures.drawn import drawn, drawn_from, function, state
from chapter.figures.examples import EXAMPLES
from chapter.figures.series import SERIES
from chapter.figures.words import RECORDED, words_of
from matplotlib import rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.collections import Collection, FillBetweenPolyCollection, LineCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle, StepPatch
from matplotlib.text import Text

import ndcg_book.figures as figures
from claimbook.palette import FIRST, GREY, LINE, OTHERS, PALETTE, SECOND, mixed
from claimbook.sphinxext.dark import in_both_schemes
from claimbook.style import style
from ndcg_book.axes import RANKINGS

# Those of the palette, and how they look thinned on white.
SHARES = np.linspace(0.0, 1.0, 1_001).round(3)
ALLOWED = {LINE} | {mixed(colour, share) for colour in (*PALETTE, GREY) for share in SHARES}
# Tints below a fiftieth are too pale to have a colour.
OF_RANKERS = {mixed(colour, share) for colour in (FIRST, SECOND) for share in SHARES[20:]} - {
    mixed(colour, share) for colour in OTHERS for share in SHARES
}
# With a scale of colours, whose numbers are written on it: such a figure keeps its white card in the dark.
SCALED = {
    "cutoffs_that_cannot_see.border",
    "graded_relevance.layers_by_exponent",
    "graded_relevance.stack",
    "how_many_items_are_enough.chance_map",
    "linear_ndcg.exchanges",
    "polynomial_discounts_keep_the_difference.signal",
    "short_cutoffs.four_edges",
    "scoring_a_ranking.weight_by_depth",
}

# What shows one or two rankers, the only things that are blue and orange.
RANKERS = {
    "a_population_of_items.crossing_curves",
    "a_population_of_items.duels",
    "a_population_of_items.five_curves",
    "judged_and_sampled.among_negatives",
    "mean_of_ratios.two_queries",
    "which_order.best_orders",
    "beyond_the_model.drifting",
    "cutoffs_that_cannot_see.border",
    "cutoffs_that_cannot_see.relevance_and_chances",
    "discounts_that_decay_too_fast.two_orders",
    "discounts_that_decay_too_fast.wandering",
    "everything_tends_to_one.missing",
    "everything_tends_to_one.rate",
    "everything_tends_to_one.short_lists",
    "everything_tends_to_one.signed_labels",
    "everything_tends_to_one.spreads",
    "everything_tends_to_one.squeeze",
    "graded_relevance.by_gain",
    "how_many_items_are_enough.chance_map",
    "index.who_is_ahead",
    "linear_ndcg.two_areas",
    "polynomial_discounts_keep_the_difference.closing_in",
    "polynomial_discounts_keep_the_difference.five_limits",
    "polynomial_discounts_keep_the_difference.settling",
    "scoring_a_ranking.all_orders",
    "short_cutoffs.by_cutoff",
    "short_cutoffs.by_share",
    "short_cutoffs.distances",
    "short_cutoffs.laws",
    "summable_discounts.leads",
    "summable_discounts.two_clouds",
    "the_log_discount_still_decides.late",
    "the_log_discount_still_decides.race",
    "the_papers_experiment.four_figures",
    "the_papers_experiment.long_road",
    "the_papers_experiment.three_rankers",
    "the_papers_experiment.two_orders",
    "the_zipfian_border.approach",
    "the_zipfian_border.border",
    "the_zipfian_border.distances",
    "the_zipfian_border.paths",
    "the_zipfian_question.race",
    "what_telling_apart_means.guarantees",
    "what_telling_apart_means.paths",
    "when_limits_tie.law_of_the_gap",
    "when_limits_tie.strips",
    "when_may_i_stop.one_study",
    "which_discounts_are_feasible.feasibility",
}


# Numbers that nothing need follow, by the place of the argument: cells of equal width stand for sizes in like
# proportions; a share is one of those given, of distances the largest is told; every number of exchanges
# must have a row.
LOOKED_UP = {
    "when_limits_tie.strips": (0,),
    "short_cutoffs.by_share": (2, 3, 5),
    "linear_ndcg.two_distances": (0,),
}


# Whose bars or dots lie along the horizontal axis.
LYING = {
    "a_population_of_items.duels",
    "discounts_that_decay_too_fast.wandering",
    "linear_ndcg.against_auc",
    "the_papers_experiment.four_figures",
    "summable_discounts.two_clouds",
    "which_measures_tell_rankers_apart.worth",
}
# Where names share a curve, or one name has several.
SEVERAL = {
    "discounts_that_decay_too_fast.two_orders",
    "polynomial_discounts_keep_the_difference.fan",
    "the_zipfian_border.distances",
}


@style()  # the size of type decides how many ticks an axis has
def texts(figure):
    """The words and numbers of a figure that are seen, with their boxes in pixels."""
    artists = [*figure.texts, *(text for legend in figure.legends for text in legend.get_texts())]
    for axes in figure.axes:
        artists += [*axes.texts, axes.title, axes._left_title, axes._right_title]
        artists += axes.get_legend().get_texts() if axes.get_legend() else []
        for axis in (axes.xaxis, axes.yaxis) if axes.axison else ():
            low, high = sorted(axis.get_view_interval())
            marks = zip(axis.get_majorticklocs(), axis.get_majorticklabels())
            artists += [axis.label, *(label for position, label in marks if low <= position <= high)]
    artists = [text for text in artists if text.get_visible() and text.get_text().strip()]
    renderer = figure.canvas.get_renderer()
    return [(text.get_text(), text.get_window_extent(renderer)) for text in artists]


def every_drawing():
    for module in iter_modules(figures.__path__):
        for name, value in vars(import_module(f"{figures.__name__}.{module.name}")).items():
            if hasattr(value, "__wrapped__") and value.__module__.endswith(f".{module.name}"):
                yield f"{module.name}.{name}"


def test_every_drawing_has_an_example():
    assert sorted(every_drawing()) == sorted(EXAMPLES)


def drawings(name):
    """The drawing of each example of a function, with what it was given."""
    return [(drawn(name, index), arguments) for index, arguments in enumerate(EXAMPLES[name])]


@pytest.mark.parametrize("name", EXAMPLES)
def test_labels_are_apart_and_inside(name):
    for figure, _ in drawings(name):
        words = texts(figure)
        meeting = [
            (first, second)
            for (first, first_box), (second, other) in combinations(words, 2)
            if first_box.padded(-1).overlaps(other.padded(-1))
        ]
        page = figure.bbox.padded(1)  # the box of a line is taller than its ink
        outside = [text for text, box in words if not (page.contains(*box.min) and page.contains(*box.max))]
        assert (meeting, outside) == ([], [])


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_figure_is_described_in_a_sentence(name):
    for figure, _ in drawings(name):
        assert figure.alt.endswith(".") and len(figure.alt.split()) >= 6
        marks = ("\\", "  ", "nan", "array(", "np.float", "{", "}")
        assert not any(mark in figure.alt for mark in marks), figure.alt
        assert figure.drawn_by == f"{figures.__name__}.{name}"


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_figure_says_in_words_what_was_read_and_recorded(name):
    """After a change that is meant: 'python tests/chapter/figures/words.py', and read the difference."""
    assert [words_of(figure) for figure, _ in drawings(name)] == RECORDED[name]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_given_data_are_drawn(name):
    for figure, arguments in drawings(name):
        rows = [*numbers(figure)]
        series = SERIES[name](*arguments) if name in SERIES else arrays(arguments)
        # What goes up and down is no horizontal scale, and stands upright.
        missing = [
            values
            for values in series
            if not any(
                near(values, row) and (upright or name in LYING or monotone(values)) for upright, row in rows
            )
        ]
        assert not missing


@pytest.mark.parametrize("name", EXAMPLES)
def test_dots_lie_on_their_bars(name):
    for figure, _ in drawings(name):
        for axes in figure.axes:
            dots = [line.get_xydata() for line in axes.lines if line.get_linestyle() == "None"]
            for bars in [each for each in axes.collections if isinstance(each, LineCollection)]:
                for (x, low), (other, high) in [bar for bar in bars.get_segments() if len(bar) == 2]:
                    beside = [dot for some in dots for dot in some if x == other and np.isclose(dot[0], x)]
                    assert not beside or any(low <= y <= high for _, y in beside)


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in SEVERAL])
def test_a_name_has_one_colour(name):
    figure, colours_by_name = drawn(name, 0), {}
    for key, values in named(EXAMPLES[name][0]):
        for axes in figure.axes:
            for line in axes.lines:
                if any(near(array, line.get_ydata()) for array in arrays([values])):
                    colours_by_name.setdefault(str(key), set()).add(to_hex(line.get_color()))
    for axes in figure.axes:
        for text in axes.texts:
            if text.get_text() in colours_by_name:
                colours_by_name[text.get_text()].add(to_hex(text.get_color()))
    for key, colours in colours_by_name.items():
        assert len(colours | {to_hex(RANKINGS[key])} if key in RANKINGS else colours) == 1, key


def numbers(figure):
    """Every row of numbers that is drawn, of lines, bars, stairs and dots, and whether it stands upright."""
    for axes in figure.axes:
        for line in axes.lines:
            yield from zip((False, True), line.get_data())
        for shape in axes.collections:
            segments = np.array(shape.get_segments() if hasattr(shape, "get_segments") else [])
            if segments.ndim == 3:
                yield from zip((False, True) * 2, segments.transpose(1, 2, 0).reshape(-1, len(segments)))
            yield from zip((False, True), np.asarray(shape.get_offsets()).T)
            yield True, shape.get_sizes() if hasattr(shape, "get_sizes") else ()
            yield True, () if shape.get_array() is None else shape.get_array()
            if isinstance(shape, FillBetweenPolyCollection):
                heights = shape.get_paths()[0].vertices[:, 1]
                middle = len(heights) // 2
                yield from ((True, heights[1:middle]), (True, heights[-2:middle:-1]))
        for patch in axes.patches:
            if isinstance(patch, StepPatch):
                yield from ((True, patch.get_data().values), (False, patch.get_data().edges))
        boxes = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
        similar = [
            [box for box in boxes if box.get_facecolor() == look]
            for look in {box.get_facecolor() for box in boxes}
        ]
        for some in (boxes, *similar):
            yield from zip((False, True), np.transpose([(box.get_width(), box.get_height()) for box in some]))


def monotone(values):
    steps = np.diff(np.ravel(values))
    return (steps >= 0).all() or (steps <= 0).all()


def near(wanted, values):
    wanted, values = np.ravel(np.asarray(wanted, float)), np.ravel(np.asarray(values, float))
    return wanted.shape == values.shape and np.allclose(wanted, values, 1e-9, 1e-12, equal_nan=True)


def arrays(value):
    """The rows of numbers in the arguments of a drawing."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, np.ndarray) and value.ndim == 1:
        if value.dtype.kind in "if" and len(value) > 1:
            yield value
    elif isinstance(value, (list, tuple, np.ndarray)):
        for each in value:
            yield from arrays(each)


def named(value):
    """Each name in the arguments, with what it is the name of."""
    if isinstance(value, dict):
        yield from value.items()
    for each in (
        value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    ):
        yield from named(each)


@pytest.mark.parametrize("name", EXAMPLES)
def test_colours_are_those_of_the_palette(name):
    assert set(colours(drawn(name, 0))) <= ALLOWED


@pytest.mark.parametrize("name", EXAMPLES)
def test_blue_and_orange_are_rankers_and_nothing_else(name):
    assert bool(set(colours(drawn(name, 0))) & OF_RANKERS) == (name in RANKERS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_figure_has_colours_for_the_dark(name):
    figure, written = drawn(name, 0), StringIO()
    canvas = figure.canvas
    for text in figure.findobj(Text):
        text.set_parse_math(False)  # words have a colour, whatever their shapes, which take long
    with style(), rc_context({"svg.fonttype": "none"}):
        FigureCanvasSVG(figure).print_svg(written)
    figure.set_canvas(canvas)
    for text in figure.findobj(Text):
        text.set_parse_math(True)
    with style():
        figure.draw_without_rendering()  # an SVG has fewer dots per inch: all labels return to their places
    assert (in_both_schemes(written.getvalue()) is None) == (name in SCALED)


# Draws each figure some dozen times; what is drawn and said of the numbers is looked at on each push.
@pytest.mark.nightly
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_number_that_is_given_moves_something(name):
    """Each array, and each number by itself, is changed a little: the drawing must not stay as it was."""
    arguments, (_, before) = EXAMPLES[name][0], drawn_from(name, 0)
    nudges = [
        (where, changed) for where, changed in nudged(arguments) if where[0] not in LOOKED_UP.get(name, ())
    ]
    still = [where for where, changed in nudges if state(function(name)(*changed)) == before]
    assert not still


def colours(figure):
    """The colours of all that is drawn, without those that are not seen."""
    for artist in figure.findobj(lambda artist: isinstance(artist, (Line2D, Patch, Collection, Text))):
        if not artist.get_visible():
            continue
        if isinstance(artist, (Line2D, Text)):
            artist_colours = [artist.get_color()]
        elif isinstance(artist, Patch):
            artist_colours = [artist.get_facecolor(), artist.get_edgecolor()]
        else:
            artist_colours = [*artist.get_facecolor(), *artist.get_edgecolor()]
        for colour in artist_colours:
            if isinstance(colour, str) or colour[-1] > 0:
                yield to_hex(colour)


def nudged(arguments):
    """The arguments with one number changed, one after the other: of an array the middle or the largest."""
    for path in leaves(arguments):
        yield path, changed(arguments, path)


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, np.ndarray) and value.dtype.kind in "if":
        if np.isfinite(value).any():
            flat = value.ravel()
            ordered = (np.diff(flat) > 0).all()
            far = int(np.nanargmax(np.where(np.isfinite(flat), abs(flat), -1.0)))
            yield (*path, ("entry", flat.size // 2 if ordered else far, 0.97 if ordered else 0.6))
    elif isinstance(value, (list, tuple)) and not isinstance(value, str):
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    elif isinstance(value, (float, np.floating)) and np.isfinite(value):
        yield path


def changed(value, path):
    if not path:
        return value * 0.6 or 0.1
    key, rest = path[0], path[1:]
    if isinstance(key, tuple):
        other = value.copy()
        entry = other.ravel()[key[1]]
        other.ravel()[key[1]] = 1 - entry if entry in (0, 1) else key[2] * entry
        return other
    if isinstance(value, dict):
        return value | {key: changed(value[key], rest)}
    return type(value)(changed(each, rest) if index == key else each for index, each in enumerate(value))
