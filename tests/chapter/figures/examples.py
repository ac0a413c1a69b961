"""Example inputs of every drawing: small, uneven enough to be told apart, and hard ones beside the ordinary.

Each drawing has a list of calls, by the name of its module and its own; a call holds the arguments in order.
"""

import numpy as np
import pandas

from claimbook.style import OTHERS
from ndcg_book.figures.the_papers_experiment import Panel
from ndcg_companion.measures import Geometric, Linear, Log, Zipf
from ndcg_companion.significance import sequential_test
from ndcg_companion.simulation import sample_pair
from ndcg_companion.theory import Pair, Population

LOG10 = np.log(10)
RANKINGS = ("by score", "random", "upside down", "reverse-ideal")
THREE = RANKINGS[:3]
COUPLINGS = ("additive", "label-first", "shared top")
CUTOFFS = ("constant", "log n", "√n", "n^0.9")


def uneven(n, seed, low=0.0, high=1.0):
    """n values between two, in no order."""
    return np.random.default_rng(seed).uniform(low, high, n)


def several(names, n, low=0.0, high=1.0, seed=0):
    """A curve of n values for each name."""
    return {name: uneven(n, seed + index, low, high) for index, name in enumerate(names)}


def interval(shares, width=0.1):
    """Shares with the ends of their intervals."""
    return shares, shares - width, shares + width / 2


SIZES = np.array([100, 1_000, 10_000, 100_000, 1_000_000])
LOG_N = LOG10 * np.array([2.0, 4.0, 8.0, 30.0, 100.0])
LATE = LOG10 * np.array([8.0, 10.0, 20.0, 40.0, 100.0])
EXPONENTS = np.array([2.0, 4.0, 8.0, 16.0, 64.0])
DEPTHS = np.geomspace(0.01, 1.0, 60)
EVEN = np.linspace(0.0, 1.0, 21)
BETAS = np.linspace(0.0, 1.0, 11)
BAND = (0.4, 0.6)

# What is missing to 1 shrinks like 1/log n, with a constant for each ranking.
KAPPAS = dict(zip(RANKINGS, (0.27, 1.1, 1.77, 1.91)))
_NEARLY = several(RANKINGS, 5, 0.9, 1.1)
THEORY = {name: 1.0 - kappa * _NEARLY[name] / LOG_N for name, kappa in KAPPAS.items()}
SEEN = {name: 1.0 - kappa * _NEARLY[name] / np.log(SIZES) for name, kappa in KAPPAS.items()}
ALIKE = dict.fromkeys(RANKINGS, 1.0 - 1.0 / LOG_N)
SEEN_ALIKE = dict.fromkeys(RANKINGS, 1.0 - 1.0 / np.log(SIZES))
CLOSE = {name: 1.0 - 0.01 * kappa / LOG_N for name, kappa in KAPPAS.items()}
SEEN_CLOSE = {name: 1.0 - 0.01 * kappa / np.log(SIZES) for name, kappa in KAPPAS.items()}
LOW = SEEN | {"reverse-ideal": np.array([0.3, 0.7, 0.6, 0.8, 0.75])}


def _first(of):
    return {name: of[name] for name in THREE}


def _ties(stars=3):
    edges = np.cumsum(np.arange(stars + 1)) / (stars * (stars + 1) / 2)
    curve = lambda s: 0.1 + 0.8 * s**2
    scores = (np.arange(4_800) + 0.5) / 4_800
    relevance = curve((edges[1:] + edges[:-1]) / 2)
    labels = np.random.default_rng(1).random(4_800) < relevance[np.searchsorted(edges[1:], scores)]
    return edges, relevance, curve, scores, labels.astype(int), 0.0123


TURNED = Pair("poly:0.7:-0.4", "poly:0.3:0.4")


def _panel(seed, title, start=1, crossing=None):
    levels = {"RankSVM": 0.7, "ListNet": 0.6, "random": 0.3}
    rng = np.random.default_rng(seed)
    curves = {name: level + rng.uniform(-0.02, 0.02, size=(10, 200)) for name, level in levels.items()}
    curves["random"][3, : start - 1] = np.nan
    curves["ListNet"][:, :crossing] += 0.2 * (crossing is not None)
    return Panel(title, curves, np.linspace(0.4, 0.3, 200) + rng.uniform(0, 0.01, 200))


def _settling(**changes):
    limits = dict(zip(THREE, (0.8, 0.6, 0.4)))
    shrinking = several(THREE, 5, 0.8, 1.2)
    expected = {name: limits[name] + shrinking[name] / np.exp(LOG_N / 4) for name in THREE}
    observed = {name: limits[name] + 0.3 * shrinking[name] / np.exp(LOG_N / 4) for name in THREE}
    predicted = {name: 0.5 * shrinking[name] / np.exp(LOG_N / 4) for name in THREE}
    margins = several(THREE, 5, 0.01, 0.03)
    lengths = np.exp(LOG_N / 2)
    return lengths, expected | changes, limits, SIZES, observed, margins, predicted, 1 / np.sqrt(lengths)


def _closing_in(**changes):
    lengths, expected, limits, _, _, _, predicted, bound = _settling(**changes)
    return lengths, expected, limits, predicted, bound


DISCOUNTS = {"log": Log(), "Zipf": Zipf(), "geometric": Geometric(0.5), "linear": Linear()}
STEEP = ("$2^{-r}$", "$r^{-2}$")
WANDERING = ("by score", *STEEP)


EXAMPLES = {
    "a_population_of_items.ties_and_tosses": [_ties(), _ties(20)],
    "a_population_of_items.five_curves": [
        ({"ideal": Population("step:0.7:0:1")} | Population("poly:0.6:-0.6").rankings(), 0.3),
        ({"ideal": Population("step:0.2:0:1")} | Population("constant:0.8").rankings(), 0.8),
    ],
    "a_population_of_items.crossing_curves": [
        (TURNED, 0.9, (0.1, 0.1001)),
        (Pair("constant:0.3", "constant:0.3"), 1, (0, 0)),
        (Pair("constant:0.01", "constant:0.01"), 1, (0, 0)),
        (Pair("step:0.7:0.2:0.8", "constant:0.38"), 1, (0, 0)),
    ],
    "a_population_of_items.couplings": [
        (
            {name: sample_pair(TURNED, 200, seed=seed) for seed, name in enumerate(COUPLINGS)},
            dict(zip(COUPLINGS, (0.5, 0.516, 0.7512))),
        )
    ],
    "a_population_of_items.duels": [
        (several(COUPLINGS, 40, -0.2, 0.3), -0.05),
        (several(COUPLINGS, 5_000, -1.0, 1.0), 0.0),
    ],
    "conventions.one_list_many_numbers": [
        (
            {
                "logarithm": {"natural": 0.7, "base 2": 0.7},
                "tied scores": {"average": 0.7, "best": 0.82, "worst": 0.66},
                "cut at 5": {"both sums": 0.55, "upper sum": 0.52},
            },
            0.7,
            [0.4, 0.52, 0.7, 0.82, 1.0],
        )
    ],
    "cutoffs_that_cannot_see.relevance_and_chances": [
        (
            EVEN,
            [0.7 - 0.4 * EVEN + sign * 0.1 * (EVEN == 0.5) for sign in order],
            0.3,
            {100: (EVEN[4:9], uneven(5, 1, 0.5, 1)), 10_000: (EVEN[4:9], uneven(5, 2, 0.5, 1))},
            (EVEN[4:9], *interval(uneven(5, 3, 0.5, 0.9))),
            (EVEN[4:9], *interval(uneven(5, 4, 0.5, 0.9))),
        )
        for order in ((1, -1), (-1, 1))
    ],
    "cutoffs_that_cannot_see.failures": [
        (
            {
                "short": (EXPONENTS, np.array([-1.0, -2.5, -2.0, -4.0, -3.0])),
                "$\\log^2n$": (EXPONENTS, np.array([-3.0, -8.0, -20.0, -50.0, -90.0])),
            },
            {"short": np.array([-2.0, -4.0, -3.0, -6.0, -5.0])},
        )
    ],
    "cutoffs_that_cannot_see.border": [
        (
            np.tile(np.linspace(2.0, 12.0, 6), (8, 1)),
            np.linspace(0.1, 1.0, 8)[:, None] * np.tile(np.linspace(2.0, 12.0, 6), (8, 1)),
            10 ** (0.15 * np.arange(8)[:, None] * np.linspace(2.0, 12.0, 6) - np.linspace(2.0, 12.0, 6)),
            2 / 3,
            0.4,
        )
    ],
    "everything_tends_to_one.short_lists": [(SIZES, SEEN), (SIZES, SEEN_ALIKE), (SIZES, SEEN_CLOSE)],
    "everything_tends_to_one.squeeze": [
        (LOG_N, THEORY, SIZES, SEEN),
        (LOG_N, ALIKE, SIZES, SEEN_ALIKE),
        (LOG_N, CLOSE, SIZES, SEEN_CLOSE),
        (LOG_N, THEORY, SIZES, LOW),
        (LOG_N[:2], {name: values[:2] for name, values in THEORY.items()}, SIZES, SEEN),
    ],
    "everything_tends_to_one.missing": [
        (LOG_N, THEORY, SIZES, SEEN),
        (LOG_N, ALIKE, SIZES, SEEN_ALIKE),
        (LOG_N, THEORY | {"by score": np.ones(5)}, SIZES, SEEN | {"by score": np.ones(5)}),
    ],
    "everything_tends_to_one.rate": [
        (LOG_N, THEORY, KAPPAS, SIZES, SEEN),
        (LOG_N, ALIKE, dict.fromkeys(KAPPAS, 1.0), SIZES, SEEN_ALIKE),
    ],
    "everything_tends_to_one.spreads": [
        (SIZES, several(RANKINGS, 5, 1.0, 3.0), (0.5, 2.0), uneven(5, 9, 1.0, 3.0)),
        (SIZES, dict.fromkeys(RANKINGS, uneven(5, 3, 1.0, 3.0)), (0.7, 1.5), uneven(5, 9, 1.0, 3.0)),
    ],
    "everything_tends_to_one.signed_labels": [
        (LOG_N, _first(THEORY), _first(KAPPAS), SIZES, _first(SEEN), THEORY["reverse-ideal"]),
        *(
            (
                LOG_N,
                {name: np.full(5, value) for name, value in zip(THREE, (0.1, 0.0, -0.1))},
                dict(zip(THREE, (0.1, 0.0, -0.1))),
                SIZES,
                {name: np.full(5, 0.05) for name in THREE},
                1.0 - (1.0 - start) * LOG_N[0] / LOG_N,
            )
            for start in (-0.6, 0.88, 1.0)
        ),
    ],
    "four_tools.price": [(np.arange(1, 9), 1 / np.arange(1, 9), 4)],
    "four_tools.top_labels": [
        (
            ["11", "10", "01", "00"],
            np.array([[0.5, 0.3, 0.1, 0.1], [0.45, 0.33, 0.13, 0.09]]),
            np.array([0.48, 0.32, 0.12, 0.08]),
            np.array([0.6, 0.2, 0.01, 0.19]),
        )
    ],
    "four_tools.tilt": [
        (
            np.arange(12),
            np.array([0.01, 0.01, 0.01, 0.01, 0.02, 0.03, 0.05, 0.12, 0.17, 0.24, 0.2, 0.13]),
            np.array([0.02, 0.09, 0.2, 0.29, 0.2, 0.1, 0.04, 0.02, 0.01, 0.01, 0.01, 0.01]),
            4,
        )
    ],
    "four_tools.bounds": [
        (
            np.array([1, 10, 100]),
            {"coarse": np.array([0.5, 2.0, 0.0]), "fine": np.array([3.0, 40.0, 20.0])},
            100.0,
        )
    ],
    "graded_relevance.by_gain": [
        (
            EVEN,
            {"ideal": np.ones(21)} | several(RANKINGS, 21, 0.3, 0.9, seed=9),
            {"linear\ngain": 0.5, "exponential\ngain": 2 / 3},
            {"by score": 0.8, "random": 0.5, "upside down": 0.4},
            3,
            "limit of NDCG",
        )
    ],
    "graded_relevance.stack": [
        (EVEN, np.array([1 - EVEN, (1 - EVEN) ** 2]), np.array([1.0, 2.0]), np.array([0.5, 1 / 3]))
    ],
    "graded_relevance.layers_by_exponent": [
        (
            BETAS,
            np.array([uneven(11, 1), uneven(11, 2)]),
            [uneven(11, 3), uneven(11, 4)],
            ("linear", "exponential"),
        )
    ],
    "graded_relevance.approach": [
        (
            SIZES,
            {
                number: level + uneven(5, index, 0.01, 0.05)
                for index, (number, level) in enumerate(levels.items())
            },
            levels,
            SIZES[:3],
            {
                number: level + uneven(3, index + 9, 0.01, 0.05)
                for index, (number, level) in enumerate(levels.items())
            },
            several(levels, 3, 0.01, 0.02),
        )
        for levels in ({"14": 0.9, "15": 0.8, "16": 0.7, "17": 0.6},)
    ],
    "graded_relevance.rare_top": [(SIZES, np.array([0.9, 0.95, 0.5, 0.4, 0.3]), 1.0, 0.25, 1e-3)],
    "how_many_items_are_enough.chance_map": [
        (["$r^{-1/4}$", "log"], [100, 1_500, 10_000], uneven(6, 1, 0.5, 1.0).reshape(2, 3))
    ],
    "how_many_items_are_enough.signal_to_noise": [
        (
            10.0 ** EXPONENTS[:4],
            several(("log", "$1/r$"), 4, 0.5, 10.0),
            {"log": OTHERS[0], "$1/r$": OTHERS[1]},
        )
    ],
    "how_many_items_are_enough.efficiencies": [
        (BETAS, several(("top", "bottom"), 11, 1.0, 3.0), {"top": 1.5, "bottom": 2.0}, 1e8)
    ],
    "how_many_queries_are_enough.chance_by_queries": [
        (
            np.array([1.0, 5.0, 10.0, 50.0, 100.0]),
            {3: np.array([0.52, 0.55, 0.7, 0.65, 0.94]), 10: np.array([0.55, 0.75, 0.95, 0.97, 1.0])},
            {10: ([10], *([share] for share in (0.93, 0.9, 0.97)))},
            0.95,
        )
    ],
    "how_many_queries_are_enough.more_documents": [
        (
            np.array([20.0, 50.0, 100.0, 1e4]),
            {"flat": np.array([np.nan, 70.0, 80.0, 76.0]), "worse": np.array([30.0, 25.0, 2e4, np.inf])},
            {"flat": ([20], [140.0])},
            ("no cut-off", np.array([170.0, 190.0, 50.0, 6.0])),
        )
    ],
    "how_many_queries_are_enough.queries_needed": [
        (
            np.array([0.005, 0.01, 0.02, 0.05, 0.2]),
            {"0.4": uneven(5, 1, 100, 1_000), "0.1": uneven(5, 2, 10, 99)},
        )
    ],
    "index.claimed_and_computed": [
        (
            np.array([100, 1_000, 10_000]),
            *(np.array([0.4, 0.42, 0.41]) + by for by in (0, -0.03, 0.03)),
            1.0,
            0.405,
        )
    ],
    "index.queries_or_items": [
        (
            np.geomspace(1, 1_000, 31),
            {f"{lead:g}": 0.5 + lead * np.geomspace(1, 1_000, 31) ** 0.33 for lead in (0.002, 0.02)},
            np.geomspace(100, 100_000, 31),
            {f"{lead:g}": np.full(31, 0.5 + 3 * lead) for lead in (0.002, 0.02)},
            50,
        )
    ],
    "index.who_is_ahead": [
        (np.geomspace(10, 10_000, 21), np.random.default_rng(1).random((2, 4, 21)) < 0.7, ["slow", "fast"])
    ],
    "inside_the_proofs_i.stacked_densities": [(2,), (8,), (30,)],
    "inside_the_proofs_i.distances": [
        (
            10.0 ** EXPONENTS[:4],
            several("ab", 4, 1e-6, 1e-2),
            {"printed": uneven(4, 7, 1e-3, 1)},
            {"b": (10.0 ** EXPONENTS[:3], uneven(3, 8, 1e-3, 0.1))},
        ),
        (
            10.0 ** EXPONENTS[:4],
            dict.fromkeys("abcdef", uneven(4, 1, 1e-6, 1e-2)),
            {"printed": uneven(4, 7, 1e-3, 1)},
        ),
        (
            10.0 ** EXPONENTS[:4],
            {"faultless": np.zeros(4), "crossing": np.array([0.1, 0.0, -1e-3, -1e-9])},
            {"printed": uneven(4, 7, 1e-3, 1)},
        ),
    ],
    "inside_the_proofs_i.scaled_distances": [
        (LOG_N, several("ab", 5, -0.5, 0.5), {"a": -0.5, "b": 0.1}),
        (LOG_N, dict.fromkeys("abcdef", 1.0 / LOG_N), dict.fromkeys("abcdef", 0.0)),
    ],
    "inside_the_proofs_ii.projections": [
        (
            DEPTHS,
            uneven(60, 1, -0.2, 0.4),
            {1: uneven(60, 2, -0.2, 0.4), 12: uneven(60, 3, -0.2, 0.4)},
            {1: 0.314, 12: 0.05},
        ),
        (DEPTHS, np.linspace(0.4, -0.2, 60), {1: 100 * np.linspace(0.4, -0.2, 60)}, {1: 0.5}),
    ],
    "inside_the_proofs_ii.errors": [
        ({"fast": 0.1 ** np.array([0, 1.2, 1, 3, 2.5]), "slow": uneven(5, 1, 0.4, 0.6)}, "power"),
        (dict.fromkeys("abc", np.full(5, 0.3)) | dict.fromkeys("de", 0.01 ** np.arange(5)), "powers"),
        ({"blind": uneven(5, 2, 0.5, 1.0)}, "powers", "linear"),
    ],
    "inside_the_proofs_ii.integral_shares": [(LOG_N, several(("k = 0", "k = 1"), 5, 1.0, 1.6))],
    "inside_the_proofs_ii.tolerances": [
        (
            10.0 ** np.arange(2, 8),
            {"first": uneven(6, 1, 0.01, 0.1), "border": uneven(6, 2, 0.01, 0.1)},
            uneven(6, 3, 0.01, 0.1),
            uneven(6, 4, 0.01, 0.1),
            (np.array([1e2, 1e4]), np.array([0.5, 0.25])),
        )
    ],
    "linear_ndcg.triangle": [([1, 0, 2, 0],), ([1, 0],)],
    "linear_ndcg.exchanges": [([(1, 0, 0, 1, 1, 0), (0, 1)],), ([(1, 0, 2), (0, 2, 1), (1, 0)], 2)],
    "linear_ndcg.against_auc": [
        (
            {"few": 0.1, "many": 0.9},
            {
                "few": np.array([[0.5, 0.7, 0.6], [0.55, 0.6, 0.8]]),
                "many": np.array([[0.2, 0.4, 0.3], [0.92, 0.95, 0.97]]),
            },
        )
    ],
    "linear_ndcg.approach": [(SIZES, several(("one", "two"), 5, 0.5, 0.9), {"one": 0.61, "two": 0.79})],
    "linear_ndcg.two_areas": [(DEPTHS, uneven(60, 1, -0.2, 0.2), (-0.025, 0.05))],
    "linear_ndcg.disagreement": [
        (SIZES, {"linear": uneven(5, 1, -0.1, -0.05), "log": uneven(5, 2, 0.05, 0.1)}, 1000)
    ],
    "linear_ndcg.family": [
        (
            np.linspace(3.0, 12.0, 6),
            {
                "linear": np.array([9.0, 5.0, 0.0, -4.0, -3.0, -9.0]),
                "log": np.array([8.0, 6.0, 4.0, 3.0, -1.0, -5.0]),
            },
            {"linear": 6.0, "log": 9.0},
        )
    ],
    "linear_ndcg.two_distances": [
        (np.array([0, 1, 1, 2]), np.array([0, 1, 3, 4]), np.array([1, 2, 1, 3]), 2, 2)
    ],
    "polynomial_discounts_keep_the_difference.settling": [_settling()[:6]],
    "polynomial_discounts_keep_the_difference.closing_in": [
        _closing_in(),
        _closing_in(random=0.6 - uneven(5, 1, 0.001, 0.1)),
    ],
    "polynomial_discounts_keep_the_difference.five_limits": [
        (
            BETAS,
            several(("ideal", *RANKINGS), 11),
            SIZES,
            several(("ideal", *RANKINGS), 5, seed=9),
            dict(zip(("ideal", *RANKINGS), (1.0, 0.9, 0.6, 0.35, 0.32))),
        )
    ],
    "polynomial_discounts_keep_the_difference.fan": [
        (
            BETAS,
            {"a": 1.0 - BETAS / 2, "b": 1.0 - BETAS / 2, "this page": 1.0 - 0.5 * BETAS + 0.1 * BETAS**2},
            "this page",
            -0.5,
        )
    ],
    "polynomial_discounts_keep_the_difference.signal": [
        (BETAS, np.linspace(-1.0, 1.0, 5), np.tile(1.0 - 0.7 * BETAS, (5, 1)) + 0.01 * np.arange(5)[:, None]),
        (BETAS, np.linspace(-1.0, 1.0, 5), np.full((5, 11), 0.33)),
    ],
    "polynomial_discounts_keep_the_difference.constants": [
        (
            BETAS,
            -0.5 - uneven(11, 1, 0, 0.5),
            {10**2: (BETAS, uneven(11, 2, -1, 0)), 10**8: (BETAS, uneven(11, 3, -1, 0))},
        )
    ],
    "polynomial_discounts_keep_the_difference.two_noises": [
        (
            uneven(1_000, 1, -1, 1),
            np.linspace(-1, 1, 201),
            uneven(201, 2),
            uneven(201, 3),
            np.random.default_rng(4).normal(size=1_000),
            ("a", "b"),
        )
    ],
    "mean_of_ratios.two_queries": [
        (
            {"first query": ("acx", "xca"), "second query": ("yb", "by")},
            "abc",
            np.array([2 / 3, -1 / 2]),
            np.array([3 / 2, 1.0]),
        )
    ],
    "mean_of_ratios.how_often": [
        (
            np.arange(1, 11),
            np.linspace(0, 0.22, 10),
            (2, 5, 10),
            np.array([0.02, 0.1, 0.21]),
            np.array([0.01, 0.01, 0.01]),
        )
    ],
    "which_order.best_orders": [
        (
            {"DCG": [(0, 0.5, "a b c"), (0.5, 1, "c a b")], "RR": [(0, 0.5, "a c b"), (0.5, 1, "c a b")]},
            {"ListNet": [(0, 0.42, "a b c"), (0.42, 1, "c a b")]},
        )
    ],
    "judged_and_sampled.among_negatives": [
        (
            np.array([1, 10, 100, 1_000, 10_000]),
            {"A": np.array([1.0, 0.98, 0.84, 0.05, 0.01]), "B": np.array([0.82, 0.52, 0.51, 0.505, 0.5])},
            {"A": np.array([0.99, 0.97, 0.95, 0.96, 0.0]), "B": np.array([0.98, 0.57, 0.56, 0.55, 0.54])},
        )
    ],
    "polynomial_discounts_keep_the_difference.broken": [
        (
            SIZES,
            {
                "rich": [uneven(5, 1, 0.75, 0.85), uneven(5, 2, 0.75, 0.85)],
                "poor": [uneven(5, 3, 0.45, 0.55)],
            },
            {"rich": 0.8, "poor": 0.5},
            0.66,
            np.array([uneven(5, 4), uneven(5, 5)]),
            ("a", "b"),
        )
    ],
    "short_cutoffs.by_share": [
        (
            BETAS,
            several(THREE, 11, seed=seed),
            BETAS[[2, 5]],
            (several(THREE, 2, seed=seed + 10), several(THREE, 2, seed=seed + 13)),
            0.3,
            0.5,
            "a discount",
        )
        for seed in (1, 5)
    ],
    "short_cutoffs.four_edges": [
        (
            np.linspace(0.1, 1.0, 10),
            EVEN,
            np.tile(np.linspace(0.1, 1.0, 10), (21, 1)) + 0.001 * np.arange(21)[:, None],
            0.3,
        ),
        (np.linspace(0.1, 1.0, 10), EVEN, np.full((21, 10), 0.3), 0.3),
    ],
    "short_cutoffs.distances": [
        (
            (LATE, several(THREE, 5, -0.5, 0.5), dict(zip(THREE, (0.2, -0.1, -0.4)))),
            (SIZES, several(THREE, 5, 1e-6, 1e-3, 5), several(THREE, 5, 1e-6, 1e-3, 9)),
            ("a", "b"),
        )
    ],
    "short_cutoffs.wandering": [(SIZES, uneven(5, 1), uneven(5, 2), uneven(5, 3), 0.2)],
    "rankdcg.scales": [
        (
            {
                "first": {"few": (0.25, 0.5), "many": (0.75, 0.875)},
                "second": {"few": (0.0, 0.125), "many": (0.0, 0.5)},
            },
        )
    ],
    "rankdcg.switchboard": [
        (
            {
                "as printed": (("1.0", "0.5"), ("0.2", "0.3"), ("0.1", "0.9")),
                "one switch": (("1.0", "0.5"), ("0.7", "0.3"), ("0.1", "0.8")),
            },
            (("1.0", "0.5"), ("0.2", "0.3"), ("0.1", "0.9")),
            ("left", "right"),
        )
    ],
    "rankdcg.two_readings": [
        (
            {"as a list": np.array([[0, 1], [1, 3]]), "as scores": np.array([[0, 1], [1, 3]]).T},
            (2, 1),
            ("0.5", "0.6"),
        ),
        (dict.fromkeys(("as a list", "as scores"), np.eye(4, dtype=int)), (9, 4, 2, 1), "xy"),
    ],
    "rankdcg.report_card": [
        (
            {
                "one": {"A": True, "B": False},
                "two": {"A": False, "B": False},
                "three": {"A": True, "B": True},
            },
            {"first": 1, "second": 2},
        )
    ],
    "rankdcg.two_measures": [
        (np.array([0.0, 0.5, 0.5, 1.0]), np.array([0.2, 0.5, 0.4, 1.0]), {"7": (0.5, 0.5), "8": (0.5, 0.4)})
    ],
    "rankdcg.bills": [({"A": np.array([0.4, 0.0, 0.1]), "nothing": np.zeros(3)}, (3, 2, 2, 1))],
    "rival_curves.rival_curves": [
        (EVEN[1:], uneven(20, 1, -0.5, 0.5), uneven(20, 2, -0.5, 0.5)),
        (DEPTHS, 0.2 - 0.4 * DEPTHS, (0.2 - 0.4 * DEPTHS) / DEPTHS**2, "$u^{-2}$"),
    ],
    "scoring_a_ranking.weight_by_depth": [(DISCOUNTS, (10, 1_000_000)), (DISCOUNTS, (2, 50))],
    "scoring_a_ranking.all_orders": [
        (
            {name: uneven(60, index, low, 1.0) for index, name in enumerate(DISCOUNTS)},
            dict(zip(DISCOUNTS, ranking)),
        )
        for low, ranking in (
            (0.0, (0.05, 0.45, 0.65, 0.999)),
            (0.2, (1.0, 1.0, 1.0, 1.0)),
            (0.5, (0.6, 0.6, 0.6, 0.6)),
        )
    ],
    "short_cutoffs.bands": [
        (
            {
                name: np.array(
                    [
                        SIZES,
                        uneven(5, index, 0.3, 0.4),
                        uneven(5, index + 4, 0.5, 0.6),
                        uneven(5, index + 8, 0.7, 0.8),
                    ]
                )
                for index, name in enumerate(CUTOFFS)
            },
            {name: np.array([SIZES, uneven(5, index + 12, 0.5, 0.6)]) for index, name in enumerate(CUTOFFS)},
            0.62,
        )
    ],
    "short_cutoffs.by_cutoff": [
        (
            SIZES,
            {name: uneven(5, index, 0.2, 0.9) for index, name in enumerate(("ideal", "by score", "worst"))},
            {"by score": uneven(5, 7, 0.01, 0.1)},
            {"√n": SIZES[2]},
        )
    ],
    "short_cutoffs.valley": [
        (
            {power: np.array([SIZES, uneven(5, power, 0.1, 0.2) * power**2]) for power in (2, 4)},
            {name: np.array([SIZES, uneven(5, index, 0.1, 1.0)]) for index, name in enumerate(CUTOFFS)},
            {name: np.array([SIZES[:2], uneven(2, index, 0.1, 1.0)]) for index, name in enumerate(CUTOFFS)},
        ),
        (
            {2: np.array([[1.0, 10.0], [0.5, 0.1]])},
            *(dict.fromkeys(CUTOFFS, np.array([[1.0, 10.0], [0.5, 0.1]])),) * 2,
        ),
        ({2: np.zeros((2, 2))}, *(dict.fromkeys(CUTOFFS, np.array([[1.0, 10.0], [0.0, 0.0]])),) * 2),
        (
            {2: np.array([[1.0, 1e2], [0.5, 0.1]]), 8: np.array([[1.0, 1e8], [0.5, 0.1]])},
            {
                "constant": np.array([[5.0, 5.0], [0.2, 0.2]]),
                "log n": np.array([[4.0, 18.0], [0.2, 0.1]]),
                "√n": np.array([[10.0, 1e4], [0.2, 0.001]]),
            },
            {},
        ),
    ],
    "short_cutoffs.counted": [(SIZES, several(("1/log(1+r)", "r^−1/2", "1/r"), 5, 1.0, 1000.0))],
    "short_cutoffs.laws": [
        (
            {"by score": uneven(9, 1, 0.5, 1.0), "random": uneven(9, 2, 0.0, 0.4)},
            {
                name: np.array([np.sort(uneven(9, 3, low, low + 0.4)), np.linspace(0.1, 1, 9)])
                for name, low in (("by score", 0.5), ("random", 0.1))
            },
        )
    ],
    "summable_discounts.leads": [
        (
            {
                "one": [[(1, 20, 0), (20, 50, None), (50, 100, 1)], [(1, 100, 1)]],
                "$r^{-2}$": [[(3, 7, 1), (7, 100, 0)]],
            },
            10,
            100,
        )
    ],
    "summable_discounts.two_clouds": [
        ({"left": np.array([uneven(9, 1), uneven(9, 2)]), "right": np.array([uneven(9, 3), uneven(9, 4)])},)
    ],
    "summable_discounts.chances": [
        (
            EVEN,
            {"fast": EVEN, "$r^{-2}$": EVEN**0.5, "slowest": EVEN**0.1},
            {"fast": (EVEN[5:9], *interval(uneven(4, 1))), "$r^{-2}$": (EVEN[5:9], *interval(uneven(4, 2)))},
            0.4,
        )
    ],
    "summable_discounts.passes": [
        (SIZES, {"a,\nb": uneven(5, 1, 0, 4), "b": uneven(5, 2, 0, 4)}, {"a,\nb": 0.5})
    ],
    "the_log_discount_still_decides.race": [
        (
            SIZES,
            np.array([uneven(5, 1, 0.7, 0.9), uneven(5, 2, 0.7, 0.9)]),
            np.array([uneven(5, 3, 1, 10), uneven(5, 4, 1, 10)]),
            uneven(5, 5, 1, 10),
        ),
        (SIZES, np.array([np.ones(5), uneven(5, 2, 0.7, 0.9)]), np.array([uneven(5, 3, 1, 10)]), np.ones(5)),
    ],
    "the_log_discount_still_decides.constants": [
        (LATE, several(("$K=1$", "b"), 5, 0.2, 0.6), {"$K=1$": 0.4, "b": -0.2}, {"$K=1$": 0.1, "b": -0.1})
    ],
    "the_log_discount_still_decides.late": [(LOG_N, np.array([-0.6, -0.4, -0.5, -0.1, 0.3]), 62.0, 5.0)],
    "the_papers_experiment.four_figures": [
        (
            {
                name: [_panel(3 * index, "sparse"), _panel(3 * index + 1, "other")]
                for index, name in enumerate(("figure 1\n$1/r$", "figure 2"))
            },
        )
    ],
    "the_papers_experiment.three_rankers": [
        (_panel(1, "sparse", crossing=40), _panel(2, "contaminated")),
        (_panel(1, "late", start=50),),
    ],
    "the_papers_experiment.long_road": [
        (
            {
                "sparse": {
                    "RankSVM": (
                        np.arange(100, 105),
                        uneven(5, 1, 0.4, 0.5),
                        10.0**EXPONENTS,
                        uneven(5, 2, 0.4, 0.9),
                    )
                }
            },
        )
    ],
    "the_papers_experiment.two_orders": [
        (
            {
                "$r^{-1/2}$": (
                    np.arange(1, 41) * 5,
                    uneven(40, 1, 0.55, 0.65) + shift,
                    uneven(200, 2, 0.5, 0.6).reshape(5, 40),
                )
            },
        )
        for shift in (0.1, -0.05)
    ],
    "the_zipfian_border.approach": [
        (
            np.append(1 / LOG_N, 0.0),
            several(("ideal", *RANKINGS), 6),
            SIZES,
            several(("ideal", *RANKINGS), 5, seed=9),
            [2, 4, 8, 30, 100],
        )
    ],
    "the_zipfian_border.paths": [(SIZES, several(THREE, 5), dict(zip(THREE, (0.9, 0.3, 0.0))))],
    "the_zipfian_border.distances": [
        (
            LOG_N,
            several(THREE, 5, 0.3, 0.5),
            several(THREE, 5, 0.3, 0.5, 4),
            SIZES,
            several(THREE, 5, 0.3, 0.5, 8),
            several(THREE, 5, 0.001, 0.002),
            dict(zip(THREE, (0.2, 0.1, 0.0))),
        )
    ],
    "the_zipfian_border.border": [
        (
            np.linspace(-3, 3, 7),
            several(THREE, 7),
            several(THREE, 7, 0.1, 1.0, 4),
            (np.array([-1.0, 0.0, 1.0]), *(several(THREE, 3, 0.1, 1.0, seed) for seed in (8, 12, 16, 20))),
            (np.array([0.5]), {name: [0.1 * index + 0.3] for index, name in enumerate(THREE)}),
        )
    ],
    "the_zipfian_border.waves": [
        (
            LOG_N,
            several(("settles", "wanders"), 5),
            several(("settles", "wanders"), 5, seed=4),
            SIZES,
            several(("settles", "wanders"), 5, seed=8),
        )
    ],
    "the_zipfian_question.race": [(SIZES, {"$r^{-1}$": uneven(5, 1, -2, 2), "other": uneven(5, 2, -2, 2)})],
    "the_zipfian_question.ahead_by_length": [
        (
            {"tie": (EXPONENTS, uneven(5, 1)), "apart": (EXPONENTS, uneven(5, 2))},
            {"tie": (EXPONENTS[:3], *interval(uneven(3, 3)))},
            {"tie": (EXPONENTS[:3], *interval(uneven(3, 4)))},
        ),
        ({}, {"yours": (EXPONENTS[:3], *interval(uneven(3, 3)))}),
    ],
    "the_zipfian_question.slow_failure": [
        (
            {
                "wide": (EXPONENTS, np.array([-0.5, -2.0, -20.0, -50.0, -90.0])),
                "near": (EXPONENTS, np.array([-0.3, -0.5, -1.0, -2.0, -4.0])),
            },
            10.0,
        )
    ],
    "the_zipfian_question.price": [
        (np.array([0.4, 0.2, 0.1]), {"Zipf": np.array([2.0, 9.0, 8.0]), "log": np.array([2.5, 2.6, 3.2])})
    ],
    "what_telling_apart_means.paths": [
        (
            SIZES,
            np.array(
                [[0.2, -0.1, 0.05, 0.02, 0.04], [0.1, 0.15, 0.1, 0.12, 0.1], [-0.3, -0.2, -0.1, -0.05, -0.06]]
            ),
            np.array([150.0, 0.0, np.inf]),
        ),
        (SIZES, np.zeros((1, 5)), np.array([np.inf])),
    ],
    "what_telling_apart_means.guarantees": [
        (
            np.array([0.0, -0.4, 0.5, 0.8, 1.2]),
            [(5, 1.2, np.array([1.2, 0.7, 0.1])), (2, -0.4, np.array([0.4])), (1, 0.0, np.array([]))],
        )
    ],
    "what_telling_apart_means.failures": [
        (
            SIZES,
            dict(zip(names, (np.array([0.8, 0.2, 0.3, 0.0, 0.0]), np.array([1.0, 0.9, 0.95, 0.8, 0.4])))),
            dict(zip(names, (np.array([0.4, 0.1, 0.2, 0.0, 0.0]), uneven(5, 1, 0.3, 0.5)))),
            dict(
                zip(
                    names,
                    (
                        (uneven(5, 2, 0.1, 0.2), uneven(5, 3, 0.3, 0.4)),
                        (uneven(5, 4, 0.3, 0.4), uneven(5, 5, 0.8, 0.9)),
                    ),
                )
            ),
            np.array([0.4, 0.1, 0.2, 1e-3, 1e-12]),
        )
        for names in (("log discount", "discount $2^{-r}$"),)
    ],
    "when_limits_tie.chances": [
        (
            {"$r^{-1/2}$": (10**EXPONENTS, uneven(5, 1)), "steep": (10**EXPONENTS, uneven(5, 2))},
            {"steep": (SIZES[:3], *interval(uneven(3, 3)))},
            {"steep": (SIZES[:3], *interval(uneven(3, 4)))},
        )
    ],
    "when_limits_tie.strips": [
        (SIZES, {"$r^{-1}$": -np.ones((4, 5)), "other": np.random.default_rng(1).choice([-1, 0, 1], (4, 5))})
    ],
    "when_limits_tie.correlated": [
        (
            {
                "ρ = 0": (10**EXPONENTS, uneven(5, 1), (SIZES[:3], *interval(uneven(3, 3)))),
                "ρ = 0.8": (10**EXPONENTS, uneven(5, 2), (SIZES[:3], *interval(uneven(3, 4)))),
            },
            0.4,
            10**EXPONENTS,
            uneven(5, 5, 0.5, 6.0),
        )
    ],
    "when_limits_tie.law_of_the_gap": [
        (
            np.linspace(-2.0, 1.0, 61),
            uneven(60, 1, 0.2, 0.5),
            1.0 / 3.0,
            {"additive": uneven(500, 2, -2, 1), "label-first": uneven(500, 3, -0.5, 1)},
        )
    ],
    "when_limits_tie.by_exponent": [(BETAS, several(("1,000 items", "a million items"), 11), 0.75)],
    "when_limits_tie.exponents": [
        (BETAS[1:-1], uneven(9, 1, 0.3, 0.5), {"1,000 items": (BETAS[1:-1], uneven(9, 2, 0.3, 0.5))})
    ],
    "which_discounts_are_feasible.blindness": [
        (
            EXPONENTS[:4],
            {r"$1/(1+\log^*r)$": uneven(4, 1, 0.2, 1), "$1/r$": uneven(4, 2, 1e-6, 1)},
            {r"$1/(1+\log^*r)$": (SIZES[:3], *interval(uneven(3, 3)))},
        )
    ],
    "which_discounts_are_feasible.by_exponent": [
        (2 * BETAS[1:], several(("whole list", "top 10"), 10, 0.0, 0.5))
    ],
    "which_discounts_are_feasible.feasibility": [
        (
            "tops differ",
            ["full list", "top 10"],
            ["1/(1+log*r)", "1/r"],
            np.array([[0.37, np.nan], [0.0, 0.36]]),
            [["no", ""], ["yes", "no"]],
        )
    ],
    "what_your_library_computes.one_set_of_lists": [({"b": 0.8, "a $1$": 0.62, "c": 0.7}, 0.7)],
    "your_own_rankings.by_query": [
        (
            {
                "new − live": (np.array([-0.2, 0.1, 0.5, 0.3]), 0.175, 0.02, 0.33),
                "copy − live": (np.array([-0.3, 0.2, -0.1, 0.1]), -0.03, -0.2, 0.14),
            },
        )
    ],
    "your_own_rankings.leaderboard": [
        (
            pandas.DataFrame(
                {
                    "system": ["b", "$a$"],
                    "mean": [0.6, 0.5],
                    "low": [0.55, 0.4],
                    "high": [0.65, 0.6],
                    "group": ["x", "xy"],
                }
            ),
            {"$a$": 0, "b": 1},
        )
    ],
    "your_own_rankings.errors": [
        (
            np.array([[0.04, 0.02, 0.07], [0.3, 0.25, 0.35]]),
            np.array([0.5, 0.9]),
            ["one family", "uncorrected"],
        )
    ],
    "your_own_rankings.splits": [(np.array([4, 5, 5, 7]), whole) for whole in (3, 12)],
    "discounts_that_decay_too_fast.wandering": [
        (
            SIZES,
            several(WANDERING, 5),
            np.linspace(0.0, 1.0, 6),
            several(WANDERING, 5, seed=3),
            {
                name: np.array([0.9 * shares, 1.1 * shares])
                for name, shares in several(WANDERING, 5, seed=3).items()
            },
            several(WANDERING, 5, seed=6),
            {name: [BAND] if name == STEEP[1] else [] for name in WANDERING},
        ),
        (
            SIZES,
            several(("by score", "random"), 5),
            np.linspace(0.0, 1.0, 6),
            several(("by score", "random"), 5, seed=3),
            {
                name: np.array([0.9 * shares, 1.1 * shares])
                for name, shares in several(("by score", "random"), 5, seed=3).items()
            },
            several(("by score", "random"), 5, seed=6),
            {},
            {"ideal": 1.0, "worst": 0.0},
        ),
    ],
    "discounts_that_decay_too_fast.laws": [
        (
            np.linspace(0, 1, 201),
            {
                "straight": np.linspace(0, 1, 201),
                "low": np.linspace(0, 1, 201) ** 4,
                "steps": np.sort(uneven(201, 1)),
            },
            {
                "even": uneven(200, 2, 0.5, 2.0),
                "steep": uneven(200, 3, 0.0, 1.0) * 12 * np.linspace(0, 1, 200) ** 11,
            },
            BAND,
        )
    ],
    "discounts_that_decay_too_fast.two_orders": [
        (SIZES, {"by score": [uneven(5, 1), uneven(5, 2)], "by arrival": [uneven(5, 3), uneven(5, 4)]}, BAND)
    ],
    "discounts_that_decay_too_fast.behind": [
        (
            np.arange(10, 15),
            {
                "independent": np.array([0.9, 0.8, 0.85, 0.6, 0.6]),
                "shared top": np.array([0.5, 0.1, 0.3, 0.01, 0.02]),
            },
        ),
        (np.arange(10, 15), {"shared top": np.zeros(5)}),
    ],
    "systems_that_share_results.two_pages": [
        ("ABCDEFGHIJ", "BADCFKLEMN", 1 / np.log2(np.arange(2, 12))),
        ("ABC", "DEF", np.array([1.0, 0.5, 0.25])),
    ],
    "systems_that_share_results.weight_beside_overlap": [
        (
            np.arange(4),
            np.array([1.0, 0.5, 0.2, 0.0]),
            np.array([1.0, 0.8, 0.5, 0.3]),
            np.array([1.0, 0.7, 0.4, 0.2]),
            {"at the top": (1, 0.5), "at the bottom": (1, 0.8)},
        )
    ],
    "shared_results_on_long_lists.ahead_by_sharing": [
        (
            np.array([0.0, 0.5, 0.97]),
            {"same difference": np.array([0.6, 0.7, 0.95]), "alike in all": np.array([0.9, 0.8, 0.7])},
            np.array([0.0, 0.5]),
            np.array([[0.88, 0.79], [0.86, 0.77], [0.9, 0.81]]),
        )
    ],
    "beyond_the_model.drifting": [
        (
            np.array([10, 30, 100, 1000]),
            np.array([[1, 1, -1, 1], [1, -1, -1, -1]]),
            np.array([30, 100]),
        )
    ],
    "beyond_the_model.planted": [
        (np.array([0.001, 0.01, 0.03]), np.array([0.01, 0.06, 0.16]), np.array([0.1, 0.09, 0.08]))
    ],
    "when_may_i_stop.false_alarms": [
        (
            np.array([6, 20, 100, 1000]),
            {
                "t test after every query": np.array([0.06, 0.15, 0.3, 0.5]),
                "t test, every tenth": np.array([0.0, 0.08, 0.2, 0.4]),
                "five purses": np.array([0.0, 0.001, 0.01, 0.02]),
            },
            0.05,
        )
    ],
    "when_may_i_stop.one_study": [
        (sequential_test([0.4, 0.1, 0.3, -0.1, 0.5, 0.3] * 10), 0.25),
        (sequential_test([0.1, -0.1, 0.2] * 10), 0.05),
    ],
    "which_measures_tell_rankers_apart.ahead_by_length": [
        (np.array([30, 300, 3000]), several(("NDCG", "AP", "AUC", "P@10", "ERR", "RR"), 3, 0.4, 1.0)),
        (np.array([30, 3000]), {name: np.ones(2) for name in ("NDCG", "AP", "AUC")}),
    ],
    "which_measures_tell_rankers_apart.worth": [
        ({"P@10": (10.0, 10.0), "ERR@10": (2.35, 3.8), "Success@10": (0.1, 3.0)},)
    ],
}
