"""Bad calls of the library, as data: for each public callable a good call, and for each argument values that
it must refuse.

A row is (callable, argument, value, words): the good call with that value for that argument has to raise
ValueError or TypeError whose one line begins with the argument and contains the words. `without` gives
another argument's value where the good call would get in the way.
"""

import inspect
from dataclasses import fields
from math import inf, nan

import numpy as np

from ndcg_companion import measures as m
from ndcg_companion import simulation as z
from ndcg_companion import theory as t
from ndcg_companion.measures.discounts import NAMED

POPULATION = t.Population("power:1")
PAIR = t.Pair("poly:0.7:-0.4", "poly:0.3:0.4")
NEVER = t.Pair("constant:0", "constant:0")
LABELS, SCORES = [3, 0, 2, 1], [0.1, 0.4, 0.4, 0.2]
TABLE = {"labels": LABELS, "scores": SCORES}
HUGE = 10**400
LONG = "0" * 200_000
TERMINAL = "\x1b[31m\nline two"

GOOD = {
    m.dcg: TABLE,
    m.ndcg: TABLE,
    m.ideal_dcg: {"labels": LABELS},
    m.linear_ndcg: TABLE,
    m.pairwise_loss: TABLE,
    m.rankdcg: {"reference": LABELS, "scores": SCORES},
    m.average_precision: TABLE,
    m.mean_average_precision: TABLE,
    m.f_measure: {**TABLE, "k": 2},
    m.kendall_tau: TABLE,
    m.r_precision: TABLE,
    m.rbp: TABLE,
    m.rr: TABLE,
    m.err: TABLE,
    m.auc: TABLE,
    m.parse_discount: {"text": "log"},
    **{discount: {f.name: 0.5 for f in fields(discount)} for discount in NAMED.values()},
    m.DCG: {},
    m.NDCG: {},
    m.IdealDCG: {},
    m.LinearNDCG: {},
    m.PairwiseLoss: {},
    m.RankDCG: {},
    m.AveragePrecision: {},
    m.MeanAveragePrecision: {},
    m.FMeasure: {"k": 2},
    m.KendallTau: {},
    m.RPrecision: {},
    m.RBP: {},
    m.RR: {},
    m.ERR: {},
    m.AUC: {},
    t.Curve: {"text": "power:2"},
    t.parse_curve: {"text": "power:2"},
    t.parse_coupling: {"coupling": "correlated:0.8"},
    t.Population: {"ybar": "power:1"},
    t.Pair: {"ybar0": "power:1", "ybar1": "power:1", "coupling": "label-first"},
    t.DiscountedSum: {"discount": m.Geometric(), "values": (0, 1), "probabilities": (0.5, 0.5)},
    t.LimitLaw: {"discount": m.Geometric(), "values": (0, 1), "probabilities": (0.5, 0.5)},
    t.MixtureTail: {"chi": 0.5},
    t.SharedTopLaw: {"tail": t.MixtureTail(0.5), "discount": m.Zipf(), "q": 0.5},
    t.Limit: {"value": 1.0, "theorem": "4"},
    t.limit: {"population": POPULATION, "discount": m.Log()},
    t.limit_law: {"population": POPULATION, "discount": m.Geometric()},
    t.kappa: {"population": POPULATION},
    t.leading_term: {"pair": PAIR},
    t.expected_dcg: {"population": POPULATION, "discount": m.Log(), "n": 100},
    t.expected_gap: {"pair": PAIR, "discount": m.Log(), "n": 100},
    t.expected_ideal_dcg: {"population": POPULATION, "discount": m.Log(), "n": 100},
    t.expected_ndcg: {"population": POPULATION, "discount": m.Log(), "n": 100},
    t.reverse_ideal_ndcg: {"n": 10, "relevant": 2},
    t.discount_integral: {"discount": m.Log(), "t": 10},
    t.pseudo_dcg: {"population": POPULATION, "discount": m.Log(), "n": 100},
    t.pseudo_expectation: {"population": POPULATION, "discount": m.Log(), "n": 100},
    t.second_order_term: {"population": POPULATION, "discount": m.Log(), "n": 100},
    t.ndcg_standard_deviation: {"population": POPULATION, "discount": m.Log(), "n": 100},
    t.dcg_gap_standard_deviation: {"pair": PAIR, "discount": m.Log(), "n": 100},
    t.gap_standard_deviation: {"pair": PAIR, "discount": m.Log(), "n": 100},
    t.dcg_error_bound: {"beta": 0.5, "n": 100},
    t.failure_bound: {"pair": PAIR, "discount": m.Log(), "n": 100},
    t.ahead_probability: {"pair": PAIR, "discount": m.Log(), "n": 100},
    t.items_needed: {"pair": PAIR, "discount": m.Log()},
    t.signal_and_noise: {"pair": PAIR, "discount": m.Log(), "k": 10, "n": 100},
    t.ahead_on_average: {"pair": PAIR, "discount": m.Log(), "k": 10, "queries": 50},
    t.effective_labels: {"discount": m.Log(), "k": 10},
    t.query_worth: {"measure": m.DCG(), "q": 0.5},
    t.winning_probability: {"pair": PAIR, "discount": m.Log()},
    t.bhattacharyya_exponent: {"q0": 0.7, "q1": 0.3},
    z.sample: {"population": POPULATION, "n": 10, "seed": 1},
    z.sample_blocks: {"population": POPULATION, "n": 10, "seed": 1},
    z.sample_top: {"population": POPULATION, "n": 10, "k": 3, "seed": 1},
    z.sample_pair: {"pair": PAIR, "n": 10, "seed": 1},
    z.ndcg_curve: {**TABLE, "discount": m.Log()},
    z.certify_sign: {
        "labels": LABELS,
        "scores0": SCORES,
        "scores1": SCORES[::-1],
        "discount": m.Log(),
        "start": 1,
    },
    z.gap_experiment: {"pair": PAIR, "weights": [1.0, 0.5]},
    z.monte_carlo: {"experiment": lambda rng: 1.0, "replicates": 2, "seed": 1},
    z.student_interval: {"values": [1, 2, 3]},
    z.bernstein_interval: {"values": [0.1, 0.2], "bounds": (0, 1)},
    z.proportion_interval: {"successes": 1, "trials": 3},
}

# Public names that only hold what was computed, or are raised.
HOLD = {z.Certificate, z.MonteCarlo, z.PairSample, z.ReplicateError, z.Sample, z.Top, t.Limit}


def takes(call):
    """The names of what a function takes."""
    return inspect.signature(call).parameters


NUMBERS, BAD_LISTS = (
    "expected",
    [
        (None, "expected"),
        ("ab", "expected"),
        ([1, None, 2, 3], "expected"),
        ([1, 2j, 2, 3], "expected real numbers"),
        ([[1, 2], [1]], "expected lists of one length"),
        (np.ma.masked_array([1, 2, 3, 4], [True, False, False, False]), "masked"),
    ],
)
BAD_LABELS = [
    *BAD_LISTS,
    ([1, nan, 2, 3], "expected no NaN"),
    ([1, inf, 2, 3], "expected finite"),
    (5, "shape"),
    (np.broadcast_to(1.0, 2**45), "numbers"),
]
BAD_SCORES = [*BAD_LISTS, ([1, nan, 2, 3], "expected no NaN"), ([1, 2], "expected the shape")]
BAD_OFFSETS = [
    ([0, 3], "rise from 0 to 4"),
    ("x", "integers"),
    ([[0], [1, 2]], "integers"),
    ([0.0, 4.0], "integers"),
]
BAD_TIES = [("averge", "did you mean 'average'"), (None, "one of"), (["best"], "one of")]
BAD_K = [
    (0, "at least 1"),
    (-3, "at least 1"),
    (1.5, "fraction"),
    (inf, "fraction"),
    (nan, "fraction"),
    ("10", "None"),
]
BAD_K += [
    (True, "None"),
    (lambda n: nan, "above 0"),
    (lambda n: n.foo, "function of n"),
    (lambda: 3, "function of n"),
]
BAD_DISCOUNTS = [("log", "callable"), (None, "callable"), (m.Log, "callable"), (lambda r: None, "numbers")]
BAD_DISCOUNTS += [
    (lambda r: r[:2], "numbers"),
    (lambda r: nan * r, "finite"),
    (lambda: 1, "function of an array"),
]
BAD_GAINS = [("cubic", "linear"), (None, "linear"), (lambda y: "x", "numbers"), (lambda y: y / 0, "finite")]
BAD_GAINS += [(lambda y: y.foo, "function of an array of labels")]
BAD_EMPTY = [
    ("x", "nan, 0, 1"),
    (3, "nan, 0, 1"),
    (None, "nan, 0, 1"),
    ([0], "nan, 0, 1"),
    (True, "nan, 0, 1"),
]
BAD_THRESHOLDS = [
    ("x", "finite number"),
    (nan, "finite number"),
    (None, "finite number"),
    (HUGE, "finite number"),
]
BAD_N = [
    (0, "whole number"),
    (-1, "whole number"),
    (2.5, "whole number"),
    (nan, "whole number"),
    ("x", "whole number"),
]
BAD_N += [(None, "whole number"), (inf, "whole number"), (HUGE, "whole number"), ([10], "whole number")]
BAD_COUNTS = [
    (0, "integer"),
    (2.0, "integer"),
    (None, "integer"),
    ("3", "integer"),
    (True, "integer"),
    (HUGE, "integer"),
]
BAD_SEEDS = [(None, "SeedSequence"), (-1, "SeedSequence"), (1.5, "SeedSequence"), ("x", "SeedSequence")]
BAD_POPULATIONS = [
    ("power:2", "a Population"),
    (PAIR, "a Population"),
    (None, "a Population"),
    (3, "a Population"),
]
BAD_PAIRS = [("power:2", "a Pair"), (POPULATION, "a Pair"), (None, "a Pair")]
BAD_LEVELS = [
    ("x", "number"),
    (0, "number"),
    (1, "number"),
    (nan, "number"),
    (None, "number"),
    (95, "number"),
]
KNOWN_ONLY = [("log", "Log"), (None, "Log"), (lambda r: 1 / r, "Log")]
FOR_MEASURES = {
    "labels": BAD_LABELS,
    "reference": BAD_LABELS,
    "scores": BAD_SCORES,
    "offsets": BAD_OFFSETS,
    "ties": BAD_TIES,
    "k": BAD_K,
    "discount": BAD_DISCOUNTS,
    "gain": BAD_GAINS,
    "empty": BAD_EMPTY,
    "threshold": BAD_THRESHOLDS,
    "beta": [(-1, "finite number"), ("x", "finite number"), (inf, "finite number"), (None, "finite number")],
    "p": [
        (0, "above 0"),
        (1, "below 1"),
        (nan, "above 0"),
        ("x", "above 0"),
        (None, "above 0"),
        (True, "above 0"),
    ],
    "max_grade": [(0, "above 0"), (inf, "below 1000"), (nan, "above 0"), ("x", "above 0"), (HUGE, "above 0")],
    "variant": [("d", "one of"), (None, "one of")],
    "ideal": [
        ("x", "expected"),
        ([1, nan], "no NaN"),
        ([[1, 1], [1, 1]], "1 lists"),
        (3, "shape"),
        ([[1], [1, 2]], "one length"),
    ],
    "ideal_offsets": [([0, 3], "None without ideal")],
}
FOR_THEORY = {
    "population": BAD_POPULATIONS,
    "pair": BAD_PAIRS,
    "n": BAD_N,
    "discount": [("log", "expected"), (None, "expected"), (m.Log, "expected")],
    "k": [
        ("x", "None"),
        (0, "expected"),
        (1.5, "expected"),
        (-2, "expected"),
        (inf, "expected"),
        (True, "expected"),
    ],
}
FOR_SIMULATION = {
    "population": BAD_POPULATIONS,
    "pair": BAD_PAIRS,
    "n": BAD_COUNTS,
    "seed": BAD_SEEDS,
    "level": BAD_LEVELS,
    "comparisons": BAD_COUNTS,
}
OF_MEASURES = [call for call in GOOD if call.__module__.startswith(m.__name__) and call not in NAMED.values()]
OF_THEORY = [call for call in GOOD if call.__module__.startswith(t.__name__)]
OF_SIMULATION = [call for call in GOOD if call.__module__.startswith(z.__name__)]
AS_REAL = [
    (0, "number > 1"),
    (1, "number > 1"),
    (inf, "number > 1"),
    (nan, "number > 1"),
    ("x", "number > 1"),
    (HUGE, "number > 1"),
]

# What differs from the tables above, by callable and argument.
OWN = [
    (m.ndcg, "labels", [-1, 0, 1, 2], "numbers >= 0"),
    (m.linear_ndcg, "labels", [-1, 0, 1, 2], "numbers >= 0"),
    (m.err, "labels", [-1, 0, 1, 2], "numbers >= 0"),
    (m.err, "labels", [5, 0, 1, 2], "from 0 to max_grade=4"),
    (m.ndcg, "gain", lambda y: -y, "gains >= 0"),
    (m.ndcg, "ideal", [0, 0, 0, 1], "labels of all judged items"),
    *(
        (call, "ideal", [2**53 + 1, 3, 2, 1], "holds exactly")
        for call in (m.dcg, m.ndcg)
        if "ideal" in takes(call)
    ),
    (m.ndcg, "ideal", np.broadcast_to(1.0, 2**45), "numbers"),
    (m.ndcg, "offsets", np.broadcast_to(0, 2**45), "numbers"),
    (m.parse_discount, "text", f"power:{LONG}", "at most 1,000 characters"),
    *((call, "text", f"power:{LONG}", "at most 1,000 characters") for call in (t.Curve, t.parse_curve)),
    *(
        (call, "coupling", f"correlated:{LONG}", "at most 1,000 characters")
        for call in (t.Pair, t.parse_coupling)
    ),
    *(
        (call, "coupling", np.array(["additive", "additive"]), "one of")
        for call in (t.Pair, t.parse_coupling)
    ),
    *((call, "values", [1, [2, 3]], "finite numbers") for call in (t.DiscountedSum, t.LimitLaw)),
    *((call, "probabilities", [1, [2, 3]], "finite numbers") for call in (t.DiscountedSum, t.LimitLaw)),
    (t.DiscountedSum, "discount", m.Geometric(0.99999), "a ratio of at most 0.9999"),
    (t.winning_probability, "discount", m.Geometric(1 - 1e-12), "a ratio of at most 0.9999"),
    (z.monte_carlo, "workers", 2**31, "integer from 1 to 10000"),
    (z.student_interval, "values", [1, [2, 3]], "finite numbers"),
    (z.student_interval, "values", np.broadcast_to(1.0, 2**45), "numbers"),
    (m.parse_discount, "text", "lgo", "did you mean 'log'"),
    (m.parse_discount, "text", None, "one of"),
    (m.parse_discount, "text", "power:x", "power:BETA"),
    (m.parse_discount, "text", "power", "power:BETA"),
    (m.parse_discount, "text", "log:1", "power:BETA"),
    (m.parse_discount, "text", TERMINAL, "one of"),
    *(
        (discount, own.name, value, "number")
        for discount in NAMED.values()
        for own in fields(discount)
        for value in ("x", None, nan, HUGE, True)
    ),
    *((m.Power, "beta", value, "finite number >= 0") for value in (-1, inf, 1j, [1])),
    *((m.Geometric, "ratio", value, "between 0 and 1") for value in (0, 1, 2)),
    *(
        (call, "text", value, "one of")
        for call in (t.Curve, t.parse_curve)
        for value in ("powr:2", None, "", TERMINAL)
    ),
    (t.Curve, "text", "power:x", "finite numbers"),
    (t.Curve, "text", "power:-1", "exponent"),
    (t.Curve, "text", "step:2:0:1", "break"),
    (t.Curve, "text", "constant:2", "values in"),
    (t.Population, "ybar", None, "function of the canonical score"),
    (t.Population, "ybar", {}, "at least one grade"),
    (t.Population, "ybar", lambda s: 2 * s, "values in"),
    (t.Population, "ybar", lambda s: s.foo, "function of an array"),
    (t.Population, "ybar", lambda s: s[10**9], "function of an array"),
    (t.Population, "ybar", lambda s: s * nan, "NaN"),
    (t.Population, "ybar", {2: "constant:0.9", 1: "constant:0.9"}, "sum to 1"),
    (t.Population, "ybar", {"a": "constant:1"}, "finite number"),
    (t.Population, "ybar", {nan: "constant:1"}, "finite number"),
    *((t.Population, "breaks", value, "scores in") for value in ((2,), "x", None, (nan,), 3)),
    *((t.Pair, "breaks", value, "scores in") for value in ((2,), "x", None)),
    (t.Pair, "ybar0", None, "function of the canonical score"),
    (t.Pair, "ybar1", 3, "function of the canonical score"),
    (t.Pair, "coupling", "labelfirst", "did you mean 'label-first'"),
    (t.Pair, "coupling", None, "one of"),
    *(
        (call, "coupling", value, words)
        for call in (t.Pair, t.parse_coupling)
        for value, words in (
            ("correlated", "such as correlated:0.8"),
            ("correlated:", "such as correlated:0.8"),
            ("correlated:high", "such as correlated:0.8"),
            ("correlated:nan", "-1 < RHO < 1"),
            ("correlated:1", "-1 < RHO < 1"),
            ("correlated:-1", "-1 < RHO < 1"),
            ("correlated:0.8:0.9", "such as correlated:0.8"),
            ("corelated:0.8", "one of"),
            ("label-first:0.8", "did you mean 'label-first'"),
            (3, "one of"),
        )
    ),
    (t.Pair, "share", 0.5, "None for the others"),
    (t.Pair, "share", "x", "None for the others"),
    *(
        (t.DiscountedSum, "discount", value, "discount")
        for value in ("zipf", m.Log(), m.Power(0.5), m.Linear())
    ),
    *((t.LimitLaw, "discount", value, "discount") for value in ("zipf", m.Log(), m.Zipf())),
    *(
        (call, "values", value, "finite numbers")
        for call in (t.DiscountedSum, t.LimitLaw)
        for value in ((0, nan), "ab", None, 3)
    ),
    *(
        (call, "probabilities", value, "number")
        for call in (t.DiscountedSum, t.LimitLaw)
        for value in ((0.5, 0.6), (1.5, -0.5), (1.0,), None)
    ),
    (t.DiscountedSum, "mean", "x", "finite number"),
    (t.DiscountedSum, "mean", nan, "finite number"),
    *((t.limit, "discount", value, "expected") for value in (m.Geometric(), m.Power(2.0))),
    *((t.limit_law, "discount", value, "expected") for value in (m.Log(), m.Zipf(), m.Power(0.5))),
    *((t.discount_integral, "discount", value, "Log") for value in (m.Linear(), lambda r: 1 / r)),
    *((t.discount_integral, "t", value, "finite number >= 1") for value in (0, inf, nan, "x", None, HUGE)),
    *((t.pseudo_expectation, "log_n", value, "exactly one") for value in (3, "x")),
    (t.pseudo_expectation, "n", None, "or log_n"),
    (t.pseudo_dcg, "n", None, "number > 1"),
    (t.second_order_term, "n", None, "number > 1"),
    *((t.reverse_ideal_ndcg, "relevant", value, "expected") for value in (0, 11, 1.5, "x", None)),
    (t.reverse_ideal_ndcg, "n", 10**12, "at most"),
    (t.expected_dcg, "discount", lambda r: nan * r, "finite values, got nan at rank 1"),
    (t.expected_dcg, "discount", lambda r: "x", "numbers for"),
    (t.expected_dcg, "discount", lambda: 1, "function of an array of ranks"),
    *((t.dcg_error_bound, "beta", value, "number in") for value in (0, 1, nan, "x", None)),
    *((t.dcg_error_bound, "k", value, "share") for value in (0, 10, "o(n)", 2.0)),
    *((t.winning_probability, "k", value, "expected") for value in (25, HUGE, "o(m)", nan)),
    *((t.ahead_probability, "pair", value, "always tie") for value in (NEVER,)),
    *((t.items_needed, "certainty", value, "number in") for value in ("x", 0.5, 1, nan, None)),
    *((t.items_needed, "most", value, "number from 10") for value in ("x", 5, inf, nan, None, HUGE)),
    *(
        (t.bhattacharyya_exponent, name, value, "probability")
        for name in ("q0", "q1")
        for value in (-0.1, 1.1, nan, "x", None)
    ),
    *((t.ahead_on_average, "queries", value, "whole number >= 1") for value in (0, 1.5, nan, "x", None)),
    *((t.signal_and_noise, "k", value, "whole number") for value in (None, 20_000)),
    (t.kappa, "population", t.Population("constant:0"), "expected"),
    (t.leading_term, "pair", NEVER, "curves that differ"),
    *(
        (t.effective_labels, "k", value, "integers from 1 to 10,000,000")
        for value in (0, 2.0, True, None, [], [[1]], HUGE)
    ),
    (t.effective_labels, "discount", m.Linear(), "rank alone"),
    (t.effective_labels, "discount", lambda r: r - 1.0, "positive at rank 1"),
    *((t.query_worth, "measure", value, "callable") for value in ("RR", None, 3)),
    (t.query_worth, "measure", lambda labels, scores: 0 * labels.sum(axis=1), "not the same"),
    *((t.query_worth, "q", value, "above 0 and below 1") for value in (0, 1, nan, "x", None)),
    *((t.query_worth, "positions", value, "integer from 1 to 16") for value in (0, 17, 2.0, "x", None, HUGE)),
    *((t.MixtureTail, "chi", value, "from 0 to 1") for value in (-0.1, 1.1, nan, "x", None)),
    *((t.SharedTopLaw, "tail", value, "a MixtureTail") for value in (0.5, "x", None)),
    (t.SharedTopLaw, "tail", t.MixtureTail(1), "a chi below 1"),
    *((t.SharedTopLaw, "q", value, "above 0 and below 1") for value in (0, 1, nan, "x", None)),
    *((t.SharedTopLaw, "mean", value, "finite number") for value in (nan, "x", None)),
    *((t.SharedTopLaw, "discount", value, "discount") for value in (m.Power(0.5), m.Log(), None)),
    *((z.sample_blocks, "size", value, "integer") for value in (0, "x", None)),
    *((z.sample_top, "k", value, "integer") for value in (0, 11, "x", None)),
    *((z.sample, "n", value, "integer from 1") for value in (2**40,)),
    *((z.ndcg_curve, "labels", value, words) for value, words in BAD_LABELS),
    *((z.ndcg_curve, "scores", value, words) for value, words in BAD_SCORES),
    *((z.ndcg_curve, "discount", value, words) for value, words in BAD_DISCOUNTS),
    *((z.ndcg_curve, "gain", value, words) for value, words in BAD_GAINS),
    *((z.ndcg_curve, "k", value, words) for value, words in BAD_K),
    *((z.ndcg_curve, "sizes", value, "integer") for value in ([0], [9], "x", [1.5], [], [[1], [1, 2]], 3)),
    (z.ndcg_curve, "discount", [m.Log(), "zipf"], "callable"),
    *((z.certify_sign, "labels", value, words) for value, words in BAD_LABELS),
    *((z.certify_sign, "scores0", value, "expected") for value in (None, "x")),
    *((z.certify_sign, "scores1", value, "expected") for value in (None, [1, 2])),
    *((z.certify_sign, "discount", value, "expected") for value in ("log", None, m.Linear(), lambda r: r)),
    *((z.certify_sign, "start", value, "integer from 1") for value in (0, 5, 1.0, "x", None)),
    *((z.certify_sign, "stop", value, "integer from 1") for value in (0, 5, 1.0, "x")),
    *((z.certify_sign, "gain", value, words) for value, words in BAD_GAINS),
    *((z.monte_carlo, "experiment", value, "callable") for value in (3, None, "x")),
    (z.monte_carlo, "experiment", lambda rng: nan, "got NaN"),
    (z.monte_carlo, "experiment", lambda rng: "x", "expected numbers"),
    *(
        (z.monte_carlo, name, value, "integer")
        for name in ("replicates", "workers")
        for value, _ in BAD_COUNTS
        if value != HUGE
    ),
    *((z.monte_carlo, "scheduler", value, "address") for value in (8786, "nonsense://x")),
    *(
        (z.gap_experiment, "weights", value, "finite numbers")
        for value in ([], 1.0, "ab", None, [1, nan], [[[1.0]]], [1, 2j])
    ),
    *((z.student_interval, "values", value, "finite numbers") for value in ([nan, 1], "ab", None, [1, inf])),
    *((z.bernstein_interval, "values", value, "numbers") for value in ([nan, 1], "ab", None, [2, 3])),
    *(
        (z.bernstein_interval, "bounds", value, "two numbers")
        for value in (None, (1, 0), (0,), "ab", (0, nan))
    ),
    *((z.proportion_interval, "successes", value, "integers from 0") for value in (-1, 4, 0.5, "x", None)),
    *((z.proportion_interval, "trials", value, "integer") for value in (0, 1.5, "x", None)),
    *((z.proportion_interval, "method", value, "one of") for value in ("wald", None)),
]
