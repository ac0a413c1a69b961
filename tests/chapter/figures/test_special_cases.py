"""What single drawings do that the gates over all of them cannot see."""

from fractions import Fraction
from itertools import permutations, product
from math import log

import numpy as np
import pytest
from chapter.figures.drawn import drawn, function
from chapter.figures.examples import EXAMPLES, SIZES
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Rectangle

from claimbook.style import FIRST, GREY, OTHERS, SECOND
from ndcg_book.figures import the_papers_experiment as experiment
from ndcg_book.figures.linear_ndcg import fewest_exchanges
from ndcg_book.figures.rankdcg import placements
from ndcg_book.figures.rival_curves import areas
from ndcg_book.figures.scoring_a_ranking import block_ends, block_shares
from ndcg_companion.data import RandomRanker, experiment_curves
from ndcg_companion.data.experiment import last_crossing, random_expectation
from ndcg_companion.measures import Geometric, Linear, Log, Zipf

# ---- what drawings compute themselves ----


@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_exchanges_lead_from_the_ideal_order_to_every_list_as_fast_as_can_be(length):
    for target in product(range(3), repeat=length):
        current, way, cost = sorted(target, reverse=True), fewest_exchanges(target), 0
        for i, j in way:
            assert i < j and current[i] > current[j]
            cost += (current[i] - current[j]) * (j - i)
            current[i], current[j] = current[j], current[i]
        assert tuple(current) == target
        assert cost == sum(max(b - a, 0) for i, a in enumerate(target) for b in target[i + 1 :])
        if set(target) <= {0, 1}:
            assert len(way) == sum(target) - sum(target[: sum(target)])
    # The ideal order is 2 1 0; its six orders are 0, 1 or 2 exchanges away, as their cycles say.
    assert sorted(len(fewest_exchanges(order)) for order in permutations((2, 1, 0))) == [0, 1, 1, 1, 2, 2]


def test_placements_count_values_in_blocks():
    reference = (9, 4, 4, 2)
    assert placements(reference, reference).tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 1]]
    assert placements((4, 2, 9, 4), reference).tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    counts = placements((2, 9, 4, 4), reference)
    assert counts.sum(axis=0).tolist() == counts.sum(axis=1).tolist() == [1, 2, 1]


@pytest.mark.parametrize(
    "n, last_ranks",
    [(2, [1, 2]), (3, [1, 3]), (10, [1, 3, 10]), (11, [1, 3, 10, 11]), (5000, [1, 3, 10, 100, 1000, 5000])],
)
def test_blocks_end_at_1_3_and_the_powers_of_ten(n, last_ranks):
    assert block_ends(n) == last_ranks


def test_shares_of_blocks_are_the_exact_fractions():
    weights = [Fraction(1, r) for r in range(1, 13)]
    blocks = [weights[0:1], weights[1:3], weights[3:10], weights[10:12]]
    exact = [float(sum(block) / sum(weights)) for block in blocks]
    assert block_shares(Zipf(), 12) == pytest.approx(exact, rel=1e-14)
    assert block_shares(Geometric(0.5), 3) == pytest.approx([4 / 7, 3 / 7], rel=1e-14)
    logs = [1 / log(1 + r) for r in range(1, 11)]
    assert block_shares(Log(), 10)[0] == pytest.approx(logs[0] / sum(logs), rel=1e-14)
    assert block_shares(Linear(), 4) == pytest.approx([0.5, 0.5, 0.0])


@pytest.mark.parametrize(
    ("power", "integral"), [(0.0, 0.0), (0.75, 0.0), (0.5, 0.09 * (2 - 40 / 3 + 54 / 5))]
)
def test_the_areas_make_the_integral_also_where_the_weight_peaks(power, integral):
    depths = np.linspace(0, 1, 1001)[1:] ** 8
    above, below = areas(depths, 0.09 * (1 - 20 * depths + 27 * depths**2) * depths**-power)
    assert above - below == pytest.approx(integral, abs=1e-4)


def panel(start=1, **levels):
    """A panel of the experiment; the random curve begins where its query has a relevant document."""
    levels = {"RankSVM": 0.7, "ListNet": 0.69, "random": 0.3} | levels
    rng = np.random.default_rng(1)
    curves = {name: level + rng.uniform(-0.02, 0.02, size=(10, 200)) for name, level in levels.items()}
    curves["random"][3, : start - 1] = np.nan
    return experiment.Panel("sparse", curves, np.linspace(0.4, 0.3, 200))


def test_prefixes_without_ndcg_are_before_the_start_and_count_in_no_crossing():
    late = panel(start=41)
    assert panel().start == 1 and late.start == 41
    early = late.curves | {"random": late.curves["random"] + 0.3 * (np.arange(200) < 60)}
    means = [values.mean(axis=0) for values in early.values()]
    crossings = [last_crossing(means[i], means[j], 41) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert experiment.Panel("x", early, late.expected).crossing[0] == max(crossings)
    with pytest.raises(ValueError, match="expected a relevant document in every query"):
        _ = panel(start=201).start


# ---- words ----


@pytest.mark.parametrize(
    ("name", "index", "panel"),
    [
        *(("a_population_of_items.ties_and_tosses", index, 0) for index in (0, 1)),
        *(("a_population_of_items.duels", index, 0) for index in (0, 1)),
        ("conventions.one_list_many_numbers", 0, 0),
        *(("everything_tends_to_one.signed_labels", index, 0) for index in (1, 2, 3)),
        ("discounts_that_decay_too_fast.laws", 0, 0),
    ],
)
def test_words_stay_clear_of_all_curves_and_dots(name, index, panel):
    axes = drawn(name, index).axes[panel]
    for text in axes.texts:
        box = text.get_window_extent(axes.figure.canvas.get_renderer())
        if "signed" in name and not text.get_text().startswith("labels 1"):
            continue  # names at the ends of curves
        for line in axes.lines:
            points = axes.transData.transform(line.get_xydata()[np.isfinite(line.get_xydata()).all(axis=1)])
            if line.get_linestyle() != "None" and len(points) > 2:
                fine = np.linspace(0, len(points) - 1, 5000)
                points = np.transpose([np.interp(fine, range(len(points)), part) for part in points.T])
            if line.get_linestyle() == "None" or len(points) > 2:
                assert not box.count_contains(points), text.get_text()


def test_names_of_blocks_stay_inside_their_blocks_and_can_be_read():
    for axes in drawn("scoring_a_ranking.weight_by_depth", 0).axes:
        blocks = {block.get_label(): block for block in axes.containers}
        assert axes.texts
        for text in axes.texts:
            inside, block = text.get_window_extent(), blocks[text.get_text()]
            bars = [bar.get_window_extent() for bar in block]
            assert any(bar.x0 <= inside.x0 and inside.x1 <= bar.x1 and bar.y0 <= inside.y0 for bar in bars)
            pair = [luminance(text.get_color()), luminance(block[0].get_facecolor())]
            assert (max(pair) + 0.05) / (min(pair) + 0.05) >= 4.5


def luminance(colour):
    """Relative luminance as WCAG 2 has it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_bars_of_a_row_are_named_once_each_at_its_own_height():
    panels = {"a": [panel(), panel(random=0.5)], "b": [panel(), panel()]}
    first, second = experiment.four_figures(panels).axes
    assert {text.get_text(): text.xy[1] for text in first.texts} == pytest.approx(
        {"RankSVM": -0.27, "ListNet": 0.0, "random": 0.27}
    )
    assert not second.texts and second.get_ylim() == first.get_ylim() == (1.5, -0.5)


def test_names_of_low_curves_are_apart_and_above_the_axis():
    figure = experiment.three_rankers(panel(RankSVM=0.01, ListNet=0.01, random=0.01))
    figure.canvas.draw()
    boxes = sorted((text.get_window_extent() for text in figure.axes[0].texts), key=lambda box: box.y0)
    assert len(boxes) == 3 and boxes[0].y0 > figure.axes[0].xaxis.get_ticklabels()[0].get_window_extent().y0
    assert all(below.y1 <= above.y0 + 1 for below, above in zip(boxes, boxes[1:]))


@pytest.mark.parametrize(
    ("name", "index", "wanted"),
    [
        ("everything_tends_to_one.missing", 2, [*("random", "upside down", "reverse-ideal")]),
        ("inside_the_proofs_i.distances", 2, ["crossing", "printed"]),
        ("the_log_discount_still_decides.race", 1, ["B"]),
        ("cutoffs_that_cannot_see.failures", 0, None),
        ("rankdcg.switchboard", 0, ["6", "4", "left", "right", "of 6"]),
        ("rankdcg.two_readings", 0, ["0", "1", "1", "3"]),
        ("rankdcg.bills", 0, ["3", "2", "2", "1"]),
        ("discounts_that_decay_too_fast.laws", 0, ["straight", "low", "steps"]),
        ("which_discounts_are_feasible.feasibility", 0, "no,37%,yes,0%,no,36%".split(",")),
        ("your_own_rankings.leaderboard", 0, ["x", "xy"]),
    ],
)
def test_words_are_these_and_no_others(name, index, wanted):
    points = {text.get_text(): getattr(text, "xy", None) for text in drawn(name, index).axes[0].texts}
    if wanted is None:  # a line that leaves is named on it, a tenth above the edge
        limit, exponents = EXAMPLES[name][index][0]["$\\log^2n$"][1], EXAMPLES[name][index][0]["short"][0]
        assert points["$\\log^2n$"] == pytest.approx((np.interp(27, -limit, exponents), -27))
        assert points["short"][0] == 1
    else:
        assert [text.get_text() for text in drawn(name, index).axes[0].texts] == wanted


def test_a_line_that_leaves_is_named_where_it_does():
    axes = drawn("how_many_queries_are_enough.more_documents", 0).axes[0]
    assert {text.get_text(): text.xy[0] for text in axes.texts}["worse"] == 100
    texts = drawn("the_zipfian_question.slow_failure", 0).axes[0].texts
    heights = {text.get_text(): text.xy[1] for text in texts if hasattr(text, "xy")}
    assert heights["near"] == -4 and -12 < heights["wide"] < -2
    axes = drawn("inside_the_proofs_ii.tolerances", 0).axes[0]
    assert len(axes.texts) == 4
    figure = function("inside_the_proofs_ii.errors")(
        {"fast": 0.1 ** np.arange(9.0), "slow": np.full(9, 0.5)}, "power"
    )
    figure.canvas.draw()
    fast, slow = figure.axes[0].lines
    assert 4 <= len(fast.get_xdata()) < 6 and slow.get_ydata().tolist() == [0.5] * 9
    boxes = {text.get_text(): text.get_window_extent() for text in figure.axes[0].texts}
    assert boxes["fast"].x1 < figure.axes[0].get_window_extent().x1 < boxes["slow"].x0


def test_the_atoms_of_the_universe_are_shown_only_where_the_lists_are_that_long():
    words = [
        " ".join(text.get_text() for text in drawn("everything_tends_to_one.squeeze", index).axes[0].texts)
        for index in (0, 4)
    ]
    assert "atoms" in words[0] and "atoms" not in words[1]


def test_the_mark_of_p_covers_no_curve():
    for index, (shares, limits, *_, p, _, _) in enumerate(EXAMPLES["short_cutoffs.by_share"]):
        (mark,) = [
            text
            for text in drawn("short_cutoffs.by_share", index).axes[0].texts
            if text.get_text() == "c = p"
        ]
        heights = sorted([0.0, 1.0, *(np.interp(p, shares, values) for values in limits.values())])
        assert np.abs(mark.xy[1] - heights).min() >= np.diff(heights).max() / 2 - 1e-9


# ---- scales ----


@pytest.mark.parametrize(
    ("name", "index", "panel", "low", "high"),
    [
        ("everything_tends_to_one.short_lists", 2, 0, 0.99, 1.001),
        ("everything_tends_to_one.squeeze", 2, 0, 0.99, 1.001),
        ("inside_the_proofs_ii.projections", 1, 0, -1.0, 1.0),
        ("rival_curves.rival_curves", 1, 0, -0.5, 0.5),
        ("rival_curves.rival_curves", 1, 1, -0.5, 1.5),
        ("when_may_i_stop.false_alarms", 0, 0, -0.1, 0.65),
        ("inside_the_proofs_ii.errors", 2, 0, 0.0, 1.5),
        ("cutoffs_that_cannot_see.failures", 0, 0, -30.0, 1.0),
    ],
)
def test_a_wild_curve_does_not_squeeze_the_others(name, index, panel, low, high):
    y_limits = drawn(name, index).axes[panel].get_ylim()
    assert low <= min(y_limits) < max(y_limits) <= high


@pytest.mark.parametrize("index", [0, 1])
def test_scales_show_the_given_ranges(index):
    counts, whole = EXAMPLES["your_own_rankings.splits"][index]
    left, right = drawn("your_own_rankings.splits", index).axes[0].get_xlim()
    assert left < min(*counts, whole) and max(*counts, whole) < right
    differences, _ = EXAMPLES["the_zipfian_question.price"][0]
    left, right = drawn("the_zipfian_question.price", 0).axes[0].get_xlim()
    assert left > differences[0] > differences[-1] > right  # they grow to the left


def test_the_names_of_the_two_sides_are_above_all_curves():
    figure = drawn("the_zipfian_border.border", 0)
    axes, (_, bias, *_) = figure.axes[0], EXAMPLES["the_zipfian_border.border"][0]
    sides = [text.get_window_extent() for text in axes.texts if text.get_text().startswith("β")]
    highest = axes.transData.transform((0, max(values.max() for values in bias.values())))[1]
    assert len(sides) == 2 and min(box.y0 for box in sides) > highest


def test_steps_of_a_scale_square_the_number_of_items():
    for name in ("everything_tends_to_one.missing", "the_zipfian_question.ahead_by_length"):
        axes = drawn(name, 0).axes[0]
        places = axes.transData.transform([(2.0**power, 0.5) for power in range(1, 7)])[:, 0]
        np.testing.assert_allclose(np.diff(places), np.diff(places)[0])
        assert axes.xaxis.get_major_formatter()(16, None) == "$10^{16}$"
    axes = drawn("everything_tends_to_one.rate", 0).axes[0]
    ticks = dict(zip([text.get_text() for text in axes.get_xticklabels()], axes.get_xticks(), strict=True))
    assert ticks["$10^{6}$"] == pytest.approx(1 / np.log(1e6)) and ticks["∞"] == 0 and axes.xaxis_inverted()


SCALES = {
    "log log": """everything_tends_to_one.missing four_tools.bounds inside_the_proofs_i.distances
        how_many_items_are_enough.signal_to_noise how_many_queries_are_enough.more_documents
        polynomial_discounts_keep_the_difference.closing_in short_cutoffs.counted short_cutoffs.valley
        the_zipfian_border.distances what_telling_apart_means.failures""",
    "log linear": """index.who_is_ahead linear_ndcg.approach summable_discounts.passes
        polynomial_discounts_keep_the_difference.settling the_papers_experiment.long_road
        the_zipfian_border.paths what_telling_apart_means.paths""",
    "linear log": "discounts_that_decay_too_fast.behind inside_the_proofs_ii.integral_shares",
    "linear linear": "linear_ndcg.two_areas polynomial_discounts_keep_the_difference.fan",
}


@pytest.mark.parametrize("scales", SCALES)
def test_scales(scales):
    for name in SCALES[scales].split():
        axes = drawn(name, 0).axes[0]
        assert f"{axes.get_xscale()} {axes.get_yscale()}" == scales, name


# ---- strips and areas ----


def colour_at(axes, point):
    strips = [strip for strip in axes.collections if isinstance(strip, PolyCollection)]
    return [
        to_hex(strip.get_facecolor()[0])
        for strip in strips
        if any(path.contains_point(point) for path in strip.get_paths())
    ]


@pytest.mark.parametrize(
    "name", ["index.who_is_ahead", "when_limits_tie.strips", "beyond_the_model.drifting"]
)
def test_strips_have_the_colour_of_the_leader(name):
    sizes, leads, *_ = EXAMPLES[name][0]
    colours = {1: [FIRST], -1: [SECOND], 0: []} if name != "index.who_is_ahead" else {1: [FIRST], 0: [SECOND]}
    if name == "when_limits_tie.strips":
        leads, edges = [*leads.values()], np.linspace(2, np.log10(sizes[-1]), len(sizes) + 1)
    else:
        leads = leads if name == "index.who_is_ahead" else [leads]
        edges = np.append(sizes, sizes[-1] ** 2 / sizes[-2])
    for axes, strips in zip(drawn(name, 0).axes, leads, strict=True):
        assert (
            np.max(axes.get_ylim()) >= len(strips) and np.min(axes.get_ylim()) <= 0 and axes.yaxis_inverted()
        )
        for (row, column), lead in np.ndenumerate(strips):
            point = (edges[column] * 0.6 + edges[column + 1] * 0.4, row + 0.5)
            assert colour_at(axes, point) == colours[int(lead)], (row, column)


def test_the_two_are_distinguished_without_colour():
    axes = drawn("index.who_is_ahead", 0).axes[0]
    heights = [np.ptp(strip.get_paths()[0].vertices[:, 1]) for strip in axes.collections]
    assert min(heights[::2]) > 2 * max(heights[1::2]) and axes.yaxis_inverted()


def test_each_list_is_a_strip_of_its_leaders_and_a_tie_is_a_gap():
    axes = drawn("summable_discounts.leads", 0).axes[0]
    strips = {FIRST: [], SECOND: []}
    for strip in axes.collections:
        for path in strip.get_paths() if len(strip.get_facecolor()) else ():
            box = path.get_extents()
            strips[to_hex(strip.get_facecolor()[0])].append((box.x0, box.x1, round((box.y0 + box.y1) / 2, 6)))
    # clipped at 10; what is over before that is not drawn, and nobody's colour fills a tie
    assert [strip[:2] for strip in strips[FIRST]] == [(10, 20), (10, 100)]
    assert [strip[:2] for strip in strips[SECOND]] == [(50, 100), (10, 100)]
    heights = [strips[FIRST][0][2], strips[SECOND][0][2], strips[SECOND][1][2], strips[FIRST][1][2]]
    assert heights[0] == heights[1] < heights[2] < heights[3]
    assert heights[3] - heights[2] > 2 * (heights[2] - heights[1])
    names = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert all(abs(names[name] - height) > 0.5 for name in ("one", "$r^{-2}$") for height in heights)


def extents(axes):
    boxes = [path.get_extents() for shape in axes.collections for path in shape.get_paths()]
    return [(box.x0, box.x1, round(box.y0, 9), round(box.y1, 9)) for box in boxes]


def test_areas_are_on_their_side_of_zero_and_as_large_as_the_sentence_says():
    for axes in drawn("linear_ndcg.two_areas", 0).axes:
        above, below = (shape.get_paths()[0].vertices[:, 1] for shape in axes.collections)
        assert above.min() >= 0 >= below.max()
    for axes, gap in zip(
        drawn("the_zipfian_question.race", 0).axes, EXAMPLES["the_zipfian_question.race"][0][1].values()
    ):
        assert [box[2:] for box in extents(axes)] == [(0, round(gap.max(), 9)), (round(gap.min(), 9), 0)]
    above, below = extents(drawn("the_log_discount_still_decides.late", 0).axes[0])
    assert below[3] <= 0 <= above[2] and above[1] == pytest.approx(100)
    assert extents(drawn("what_telling_apart_means.guarantees", 0).axes[0]) == [
        (2, 5, 0, 1.2),
        (1, 2, -0.4, 0),
    ]
    for shape in drawn("a_population_of_items.crossing_curves", 0).axes[0].collections:
        x, y = shape.get_paths()[0].vertices.T
        assert abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2 == pytest.approx(0.1, rel=1e-2)
    band = drawn("linear_ndcg.two_distances", 0).axes[0].collections[0].get_paths()[0].vertices
    assert {(0, 0), (1, 1), (1, 3), (2, 4)} <= {*map(tuple, band)} and band[:, 1].max() == 4


def test_curves_of_a_pair_are_its_own_and_a_jump_is_drawn_on_both_sides():
    for index, (pair, *_) in enumerate(EXAMPLES["a_population_of_items.crossing_curves"]):
        _, first, second = drawn("a_population_of_items.crossing_curves", index).axes[0].lines
        np.testing.assert_allclose(first.get_ydata(), pair.ybar0(first.get_xdata()))
        np.testing.assert_allclose(second.get_ydata(), pair.ybar1(second.get_xdata()))
    (jump,) = np.flatnonzero(
        np.diff(drawn("a_population_of_items.crossing_curves", 3).axes[0].lines[1].get_ydata()) > 0.5
    )
    s = drawn("a_population_of_items.crossing_curves", 3).axes[0].lines[1].get_xdata()
    assert s[jump + 1] == 0.7 and s[jump + 1] - s[jump] < 1e-15


@pytest.mark.parametrize("index", [0, 1, 2])
def test_bands_of_densities_have_area_one_and_fill_a_rectangle(index):
    ((n,), figure) = (
        EXAMPLES["inside_the_proofs_i.stacked_densities"][index],
        drawn("inside_the_proofs_i.stacked_densities", index),
    )
    edges = [line.get_ydata() for line in figure.axes[0].lines if line.get_color() == OTHERS[0]]
    depths = figure.axes[0].lines[0].get_xdata()
    between = np.diff([0 * depths, *edges], axis=0)
    assert len(edges) == n and (between >= -1e-9).all()
    np.testing.assert_allclose(edges[-1], n)
    np.testing.assert_allclose(np.trapezoid(between, depths), 1, atol=1e-3)
    np.testing.assert_allclose(edges[0], n * (1 - depths) ** (n - 1), atol=1e-12)


# ---- one or two of a kind ----


def test_staircases_are_the_distributions_of_the_samples():
    edges, _, _, scores, *_ = EXAMPLES["a_population_of_items.ties_and_tosses"][0]
    stairs, tossed = drawn("a_population_of_items.ties_and_tosses", 0).axes[0].lines
    x, y = stairs.get_data()
    middles = (edges[1:] + edges[:-1]) / 2
    assert stairs.get_drawstyle() == "steps-post" and y[-1] == 1
    np.testing.assert_allclose(y[np.searchsorted(x, middles, side="right") - 1], edges[:-1])
    law = np.searchsorted(np.sort(scores), tossed.get_xdata(), side="right") / len(scores)
    np.testing.assert_allclose(tossed.get_ydata(), law, atol=1e-3)
    seen, exact = EXAMPLES["short_cutoffs.laws"][0]
    lines = drawn("short_cutoffs.laws", 0).axes[0].lines
    for thin, line, (name, values) in zip(lines[::2], lines[1::2], seen.items(), strict=True):
        x, y = line.get_data()
        np.testing.assert_allclose(thin.get_ydata()[1:-1], exact[name][1])
        for value in (np.sort(values)[1:] + np.sort(values)[:-1]) / 2:
            assert y[np.searchsorted(x, value, side="right") - 1] == np.mean(values <= value)


def test_an_empty_bin_has_no_dot_and_dots_above_the_curves_stay_in_the_picture():
    edges, scores = np.array([0.0, 0.25, 1.0]), np.linspace(0, 0.49, 99)
    args = np.array([0.125, 0.625]), lambda s: 0.1 * s, scores, np.ones(99), 0.51
    lower = function("a_population_of_items.ties_and_tosses")(edges, *args).axes[1]
    (dots,) = [line for line in lower.lines if line.get_marker() == "o"]
    x, y = dots.get_data()
    assert np.array_equal(x < 0.5, np.isfinite(y)) and np.isfinite(y).sum() == 12 and lower.get_ylim()[1] > 1


def test_every_item_and_every_duel_has_the_colour_of_its_label_or_winner():
    samples, _ = EXAMPLES["a_population_of_items.couplings"][0]
    for axes, some in zip(drawn("a_population_of_items.couplings", 0).axes, samples.values(), strict=True):
        (cloud,) = axes.collections
        np.testing.assert_array_equal(cloud.get_offsets(), np.column_stack([some.scores0, some.scores1]))
        assert [to_hex(colour) == OTHERS[0] for colour in cloud.get_facecolors()] == (
            some.labels == 1
        ).tolist()
    costs = EXAMPLES["rankdcg.bills"][0][0]
    for row, (cloud, paid) in enumerate(
        zip(drawn("rankdcg.bills", 0).axes[0].collections, costs.values(), strict=True)
    ):
        assert cloud.get_offsets().tolist() == [[1.5, row], [2.5, row], [3.5, row]]
        assert [to_hex(colour) for colour in cloud.get_facecolor()] == [
            OTHERS[0] if cost else GREY for cost in paid
        ]


def test_histograms_are_densities_of_all_values():
    values, places, law, normal, lower, names = EXAMPLES[
        "polynomial_discounts_keep_the_difference.two_noises"
    ][0]
    figure = function("polynomial_discounts_keep_the_difference.two_noises")(
        np.linspace(-1, 3, 1000), places, law, normal, np.linspace(-4.5, 4.5, 1000), names
    )
    areas_ = [sum(bar.get_width() * bar.get_height() for bar in axes.patches) for axes in figure.axes]
    assert areas_ == pytest.approx([0.5, 1.0], abs=2e-3)  # half of the first are outside of the picture
    (bell,) = figure.axes[1].lines
    assert np.trapezoid(bell.get_ydata(), bell.get_xdata()) == pytest.approx(1, abs=1e-4)
    values, _ = EXAMPLES["scoring_a_ranking.all_orders"][0]
    for row, (patch, some) in enumerate(
        zip(drawn("scoring_a_ranking.all_orders", 0).axes[0].patches, values.values(), strict=True)
    ):
        heights, edges, base = patch.get_data()
        counted = np.histogram(some, edges)[0]
        np.testing.assert_allclose(heights + row, 0.72 * counted / counted.max(), atol=1e-12)
        assert base == -row


def test_blocks_of_weight_are_side_by_side():
    discounts, sizes = EXAMPLES["scoring_a_ranking.weight_by_depth"][0]
    for axes, n in zip(drawn("scoring_a_ranking.weight_by_depth", 0).axes, sizes, strict=True):
        bars = np.array([[(bar.get_x(), bar.get_width()) for bar in block] for block in axes.containers])
        for row, discount in enumerate(discounts.values()):
            starts, widths = bars[:, row].T
            np.testing.assert_allclose(widths, 100 * block_shares(discount, n), atol=1e-9)
            np.testing.assert_allclose(starts, np.append(0, widths.cumsum()[:-1]), atol=1e-9)


@pytest.mark.parametrize("flat", [False, True])
def test_contours_run_where_the_limit_has_their_value(flat):
    shares, betas = np.linspace(0.1, 1.0, 10), np.linspace(0.0, 1.0, 11)
    values = np.full((11, 10), 0.3) if flat else np.tile(shares, (11, 1))
    axes = function("short_cutoffs.four_edges")(shares, betas, values, 0.3).axes[0]
    assert axes.texts[0].get_text().startswith("0.") != flat
    for level, path in zip(
        *((axes.collections[-1].levels, axes.collections[-1].get_paths()) if not flat else ((), ()))
    ):
        np.testing.assert_allclose(path.vertices[:, 0], level, atol=1e-9)
    values = (
        np.full((5, 11), 0.33)
        if flat
        else np.tile(1 - 0.7 * betas, (5, 1)) + 1e-15 * (np.arange(5) == 4)[:, None]
    )
    axes = function("polynomial_discounts_keep_the_difference.signal")(
        betas, np.linspace(-1, 1, 5), values
    ).axes[0]
    contours = [contour for contour in axes.collections if contour.get_linewidth()[0] == 0.7]
    assert len(contours) == (not flat) and all(contour.levels.max() < 0.99 for contour in contours)
    for contour in contours:
        for level, path in zip(contour.levels, contour.get_paths(), strict=True):
            np.testing.assert_allclose(1 - 0.7 * path.vertices[:, 0], level, atol=1e-9)


def test_common_documents_are_joined_and_each_has_its_bar():
    weights = np.array([1.0, 0.6, 0.5])
    figure = function("systems_that_share_results.two_pages")("ABC", "BAD", weights)
    pages, bars = figure.axes
    assert [tuple(line.get_ydata()) for line in pages.lines] == [(1, 2), (2, 1)]  # in the order of the first
    widths = [bar.get_width() for bar in bars.patches]
    assert [text.get_text() for text in bars.get_yticklabels()] == [*"ABCD"]
    assert widths == pytest.approx([0.16, 0.16, 0.25, 0.25])
    assert "between the 2 that are on both pages" in figure.alt
    assert "of one page add 0.50 in total, documents of both pages 0.32" in figure.alt
    pages, bars = function("systems_that_share_results.two_pages")("ABC", "ACB", weights).axes
    assert [bar.get_width() for bar in bars.patches][:2] == pytest.approx([0, 0.01])
    assert [line.get_color() == GREY for line in pages.lines] == [True, False, False]


def test_three_rankers_are_means_bands_and_expectations():
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 3, size=(4, 60))
    scores = {name: RandomRanker(rng).score(np.zeros((240, 1))).reshape(4, 60) for name in experiment.COLOURS}
    curves = {name: experiment_curves(labels, ranker_scores)[2] for name, ranker_scores in scores.items()}
    computed_panel = experiment.Panel("made", curves, random_expectation(labels)[2].mean(axis=0))
    assert computed_panel.start == int(np.argmax((labels > 0).cumsum(axis=1).all(axis=0))) + 1
    panels = (computed_panel, panel(start=50))
    for axes, drawn_panel in zip(experiment.three_rankers(*panels).axes, panels, strict=True):
        *means, expected = (line for line in axes.lines if len(line.get_xdata()) > 2)
        for line, band, values in zip(means, axes.collections, drawn_panel.curves.values(), strict=True):
            x, vertices = line.get_xdata(), band.get_paths()[0].vertices
            assert (x[0], x[-1]) == (drawn_panel.start, len(drawn_panel.expected))
            np.testing.assert_allclose(line.get_ydata(), values.mean(axis=0)[x - 1])
            last_heights = vertices[vertices[:, 0] == x[-1]][:, 1]
            np.testing.assert_allclose(
                [last_heights.min(), last_heights.max()], np.quantile(values[:, -1], [0.1, 0.9])
            )
        np.testing.assert_allclose(expected.get_ydata(), drawn_panel.expected[expected.get_xdata() - 1])
    assert experiment.three_rankers(computed_panel).axes[0].get_xlabel() == "documents arrived, n"
    assert "a discount" in experiment.three_rankers(computed_panel, measure="a discount").alt


@pytest.mark.parametrize(
    "choices, usual, combined",
    [
        ({}, 0.5, [0.5]),
        ({"a": {}}, 0.5, [0.5]),
        ({"a": {"b": np.nan}}, 0.5, [0.5]),
        ({"a": {"b": 0.5}}, 0.5, []),
        ({"a": {"b": 0.5}}, np.nan, [0.5]),
        ({"a": {"b": 0.5}}, 0.5, [np.inf]),
    ],
)
def test_choices_that_cannot_be_drawn_are_rejected(choices, usual, combined):
    with pytest.raises(ValueError, match="choices"):
        function("conventions.one_list_many_numbers")(choices, usual, combined)


def test_the_price_meets_the_lead():
    price = np.array([0.05, 0.09, 0.2])
    figure = function("beyond_the_model.planted")(np.array([0.01, 0.02, 0.03]), price, np.full(3, 0.1))
    assert any(line.get_xdata()[0] == 0.02 for line in figure.axes[0].lines if line.get_linestyle() == "--")
    assert figure.alt.endswith("the lead of 0.10 at a proportion of 0.0200.")


def test_the_late_and_the_early_are_set_apart():
    """Marks beside one another at one length do not hide each other."""
    for name in (
        "cutoffs_that_cannot_see.relevance_and_chances",
        "the_zipfian_question.ahead_by_length",
        "when_limits_tie.chances",
    ):
        x_by_marker = {
            line.get_marker(): line.get_xdata()
            for axes in drawn(name, 0).axes
            for line in axes.lines
            if line.get_marker() in "os"
        }
        assert (x_by_marker["s"] > x_by_marker["o"]).all(), name


def test_dots_that_are_decided_have_no_place_on_a_logarithmic_scale():
    figure = function("discounts_that_decay_too_fast.behind")(
        np.arange(10, 13), {"shared top": np.array([0.5, 0.1, 0.0])}
    )
    assert [line.get_xydata().tolist() for line in figure.axes[0].lines] == [[[10, 0.5], [11, 0.1]]]
    assert [(text.get_text().split("\n")[0], text.xy) for text in figure.axes[0].texts] == [
        ("shared top", (11, 0.1))
    ]


def test_the_forbidden_band_lies_over_everything_else():
    figure = drawn("discounts_that_decay_too_fast.wandering", 0)
    for panel_, axes in enumerate(figure.axes):
        strips = [patch.get_bbox() for patch in axes.patches if patch.get_zorder() == 3]
        assert [(box.y0, box.y1) for box in strips] == [(0.4, 0.6)] * (panel_ > 3)
        assert all(line.get_zorder() < 3 for line in axes.lines)
        if panel_ % 2:  # bars of a histogram that lies on its side
            bars = [
                patch.get_bbox()
                for patch in axes.patches
                if type(patch) is Rectangle and patch.get_zorder() != 3
            ]
            assert [bar.y0 for bar in bars] == pytest.approx(np.arange(0, 1, 0.2))
            assert [bar.y1 for bar in bars] == pytest.approx(np.arange(0.2, 1.2, 0.2))
    (strip,) = [
        patch.get_bbox()
        for patch in drawn("discounts_that_decay_too_fast.laws", 0).axes[1].patches
        if patch.get_zorder() == 3
    ]
    assert (strip.x0, strip.x1) == (0.4, 0.6)


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("linear_ndcg.disagreement", 1000, SIZES[-1]),
        ("linear_ndcg.family", 6, 9),
        ("when_limits_tie.exponents", 2 / 3, 1),
        ("the_zipfian_question.slow_failure", 10, 64),
        ("four_tools.tilt", None, 4.5),
    ],
)
def test_shades_begin_and_end_where_the_sentence_says(name, start, end):
    shade = drawn(name, 0).axes[0].patches[0]
    assert start is None or shade.get_x() == pytest.approx(start)
    assert shade.get_x() + shade.get_width() == pytest.approx(end)


def test_the_table_of_ticks_and_of_what_is_wrong():
    axes, passes = drawn("rankdcg.report_card", 0).axes[0], EXAMPLES["rankdcg.report_card"][0][0]
    rows = dict(zip(axes.get_yticks(), (label.get_text() for label in axes.get_yticklabels()), strict=True))
    columns = [label.get_text() for label in axes.get_xticklabels()]
    marks = [text for text in axes.texts if text.get_text() in "✓✗"]
    read = {
        (rows[m.get_position()[1]], columns[int(m.get_position()[0])]): m.get_text() == "✓" for m in marks
    }
    assert read == {(name, measure): good for name, row in passes.items() for measure, good in row.items()}
    wrong = [
        patch
        for patch in drawn("rankdcg.switchboard", 0).axes[0].patches
        if to_hex(patch.get_facecolor()) == OTHERS[1]
    ]
    assert sorted((patch.get_x(), round(patch.get_y() + 0.36)) for patch in wrong) == [(1.0, 1), (6.2, 1)]
    strokes = [
        path.vertices.tolist() for path in drawn("rankdcg.two_measures", 0).axes[0].collections[0].get_paths()
    ]
    assert strokes == [[[0.0, 0.2], [0.0, 0.2]], [[0.5, 0.4], [0.5, 0.5]], [[1.0, 1.0], [1.0, 1.0]]]
    axes = drawn("linear_ndcg.triangle", 0).axes[0]
    cells = {
        text.get_position(): text.get_text()
        for text in axes.texts
        if text.get_gid() is None and text.get_text() != "in DCG"
    }
    assert cells == {(1, 0): "1", (2, 0): "1+1", (3, 0): "1", (2, 1): "0+2", (3, 1): "0", (3, 2): "2"}
    panels = drawn("linear_ndcg.exchanges", 1).axes
    discs = [
        [(text.get_position()[1], text.get_text()) for text in axes.texts if not hasattr(text, "arrow_patch")]
        for axes in panels
    ]
    assert discs == [[(0, "1"), (0, "0"), (0, "2"), (1, "0"), (1, "2"), (1, "1")], [(0, "1"), (0, "0")]]
    arrows = [
        patch._posA_posB
        for patch in drawn("linear_ndcg.exchanges", 0).axes[0].patches
        if hasattr(patch, "get_connectionstyle")
    ]
    assert sorted((start[0], end[0]) for start, end in arrows) == [(0, 1), (1, 3), (2, 4)]
    axes = drawn("which_discounts_are_feasible.feasibility", 0).axes[0]
    assert [cell.get_xy() for cell in axes.patches] == [
        (0, 0),
        (0, 1),
        (1, 1),
    ]  # nothing is asked of the other
    red, _, blue, _ = np.transpose([cell.get_facecolor() for cell in axes.patches])
    assert (blue > red).tolist() == [False, True, False]  # blue is yes


def test_a_curve_is_described_by_where_it_starts_unless_it_leaves_the_picture():
    depths, draw = np.linspace(0, 1, 1001)[1:] ** 8, function("rival_curves.rival_curves")
    inside = 0.6 * (2 - 3 * depths)
    assert "Delta(u) /u from 1.2 at the top to -0.6" in draw(depths, depths * inside, inside, "$/u$").alt
    tied = 0.09 * (1 - 20 * depths + 27 * depths**2)
    figure = draw(depths, tied, tied * depths**-0.75, r"$u^{-3/4}$")
    assert "Delta(u) u^(-3/4) from above the axes at the top to 0.72" in figure.alt
    assert figure.axes[1].get_ylim()[1] < 2 and "area above 0.246, below 0.246." in figure.alt


@pytest.mark.parametrize(
    ("name", "across"),
    [
        ("what_your_library_computes.one_set_of_lists", [0.62, 0.7, 0.8]),
        ("your_own_rankings.leaderboard", [0.6, 0.5]),
        ("your_own_rankings.errors", [0.04, 0.3]),
        ("your_own_rankings.by_query", [0.175, -0.03]),
        ("conventions.one_list_many_numbers", [0.7, 0.7, 0.7, 0.82, 0.66, 0.55, 0.52]),
        ("linear_ndcg.family", [6, 9]),
        ("the_log_discount_still_decides.late", [62]),
        ("four_tools.bounds", [10, 10]),
        ("scoring_a_ranking.all_orders", [0.05, 0.45, 0.65, 0.999]),
        ("rankdcg.two_measures", [0.5, 0.5]),
        ("systems_that_share_results.weight_beside_overlap", [1, 1]),
        ("what_telling_apart_means.guarantees", [5, 2, 1]),
        ("everything_tends_to_one.rate", [0, 0, 0, 0]),
        ("inside_the_proofs_ii.integral_shares", [0]),
    ],
)
def test_single_marks_are_at_their_place_on_the_scale(name, across):
    marks = [line for line in drawn(name, 0).axes[0].lines if line.get_marker() in ("o", "D")]
    assert [
        float(mark.get_xdata()[0]) for mark in marks if len(np.atleast_1d(mark.get_xdata())) == 1
    ] == across


@pytest.mark.parametrize("index", [0, 1])
def test_the_higher_curve_has_its_name_above_it(index):
    _, (first, second), *_ = EXAMPLES["cutoffs_that_cannot_see.relevance_and_chances"][index]
    sides = [
        text.get_verticalalignment()
        for text in drawn("cutoffs_that_cannot_see.relevance_and_chances", index).axes[0].texts
    ]
    assert sides == (["bottom", "top"] if first.sum() > second.sum() else ["top", "bottom"])
