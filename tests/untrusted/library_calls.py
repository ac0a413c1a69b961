"""Bad calls of the library, as data: for each public callable a good call, strange values for each of its
arguments, and about a hundred values that only certain arguments must refuse.
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

# What somebody may hand over by mistake, for any argument.
RAGGED = [1, [2, 3]]
STRANGE = (object(), "nonsense", TERMINAL, None, nan, inf, -inf, -1, 0, True, 2j, HUGE, [nan], RAGGED, {})
ENDLESS = np.broadcast_to(1.0, 2**45)  # numbers that no memory holds
# Those that an argument takes nevertheless, beside its default; of some callables these and no others.
TAKES = {
    "beta": [0],
    "breaks": [{}],
    "chi": [0],
    "empty": [nan, 0],
    "k": [HUGE],
    "mean": [-1, 0],
    "q0": [0],
    "q1": [0],
    "ranked": STRANGE,  # yes or no
    "seed": [0],
    "successes": [0],
    "threshold": [-1, 0],
}
TAKES_ELSE = {
    (t.dcg_error_bound, "beta"): [],
    (t.signal_and_noise, "n"): [None],
    (t.pseudo_expectation, "n"): [],  # log_n would be missing
    **{(call, "k"): [None, HUGE] for call in (m.f_measure, m.FMeasure)},
    **{
        (call, "k"): [None]
        for call in (t.limit, t.pseudo_expectation, t.second_order_term, t.dcg_error_bound)
    },
    (t.winning_probability, "k"): [None],
    **{(call, "k"): [] for call in (t.signal_and_noise, t.ahead_on_average, t.effective_labels)},
    (z.sample_top, "k"): [],
}
# Begins the message in place of the argument's name.
NAMED_AS = {
    "text": ("discount=", "curve="),
    "ybar": ("ybar", "grade=", "curve="),
    "ybar0": ("ybar0", "curve="),
    "ybar1": ("ybar1", "curve="),
    "values": ("values", "replicates="),  # of a single number, which is too few
}

WHOLE_LISTS = [
    ([1, None, 2, 3], "expected"),
    ([1, 2j, 2, 3], "expected real numbers"),
    ([[1, 2], [1]], "expected lists of equal length"),
    (np.ma.masked_array([1, 2, 3, 4], [True, False, False, False]), "masked"),
    ([1, nan, 2, 3], "expected no NaN"),
]
LABELLED = [*WHOLE_LISTS, ([1, inf, 2, 3], "expected finite")]
DISCOUNTED = [
    (m.Log, "callable"),
    (lambda r: None, "numbers"),
    (lambda r: r[:2], "numbers"),
    (lambda r: nan * r, "finite"),
    (lambda: 1, "function of an array"),
]
GAINED = [
    ("cubic", "linear"),
    (lambda y: "x", "numbers"),
    (lambda y: y / 0, "finite"),
    (lambda y: y.foo, "function of an array of labels"),
]
MEASURED = [
    (lambda: 1, "function of labels and scores"),
    (lambda labels, scores: 1.0, "one number for each list"),
]
CUT = [
    (1.5, "fraction"),
    ("10", "None"),
    (lambda n: nan, "above 0"),
    (lambda n: n.foo, "function of n"),
    (lambda: 3, "function of n"),
]
# Of all callables of a package that have such an argument. What a function gives is known when there is a
# list: the measures as values, which are made without one, do not call it.
OF_ARGUMENTS = {
    m: {
        "labels": LABELLED,
        "reference": LABELLED,
        "scores": [*WHOLE_LISTS, ([1, 2], "expected the shape")],
        "offsets": [
            ([0, 3], "rise from 0 to 4"),
            ([[0], [1, 2]], "integers"),
            ([0.0, 4.0], "integers"),
            (np.broadcast_to(0, 2**45), "numbers"),
        ],
        "ties": [("averge", "did you mean 'average'"), (["best"], "one of")],
        "k": CUT,
        "discount": DISCOUNTED,
        "gain": GAINED,
        "empty": [(3, "nan, 0, 1"), ([0], "nan, 0, 1")],
        "p": [(1, "below 1")],
        "ideal": [([1, nan], "no NaN"), ([[1, 1], [1, 1]], "1 lists"), ([[1], [1, 2]], "equal length")],
        "ideal_offsets": [([0, 3], "None without ideal")],
    },
    t: {"n": [([10], "n")], "k": [(1.5, "expected"), (-2, "expected")], "discount": [(m.Log, "expected")]},
    z: {
        "n": [(2.0, "integer"), ("3", "integer")],
        "seed": [(1.5, "SeedSequence")],
        "level": [(1, "number"), (95, "number")],
        "comparisons": [(2.0, "integer")],
    },
}


def takes(call):
    """The arguments that a callable takes by name, of measures as values those of their functions."""
    parameters = inspect.signature(call).parameters.values()
    return {parameter.name: parameter for parameter in parameters if parameter.kind != parameter.VAR_KEYWORD}


# What only these refuse: callable, argument, value, words of the message.
SPECIAL = [
    *((call, "labels", [-1, 0, 1, 2], "numbers >= 0") for call in (m.ndcg, m.linear_ndcg, m.err)),
    (m.err, "labels", [5, 0, 1, 2], "from 0 to max_grade=4"),
    (m.ndcg, "gain", lambda y: -y, "gains >= 0"),
    (m.ndcg, "ideal", [0, 0, 0, 1], "labels of all judged items"),
    *((call, "ideal", [2**53 + 1, 3, 2, 1], "represents exactly") for call in (m.dcg, m.ndcg)),
    *((call, "text", f"power:{LONG}", "at most 1,000 characters") for call in (m.parse_discount, t.Curve)),
    (t.parse_curve, "text", f"power:{LONG}", "at most 1,000 characters"),
    (m.parse_discount, "text", "lgo", "did you mean 'log'"),
    *((m.parse_discount, "text", text, "power:BETA") for text in ("power:x", "power", "log:1")),
    *((m.Power, "beta", value, "finite number >= 0") for value in (-1, [1])),
    *((m.Geometric, "ratio", value, "between 0 and 1") for value in (1, 2)),
    *((call, "text", "powr:2", "one of") for call in (t.Curve, t.parse_curve)),
    (t.Curve, "text", "power:x", "finite numbers"),
    (t.Curve, "text", "power:-1", "exponent"),
    (t.Curve, "text", "step:2:0:1", "break"),
    (t.Curve, "text", "constant:2", "values in"),
    (t.Population, "ybar", lambda s: 2 * s, "values in"),
    (t.Population, "ybar", lambda s: s.foo, "function of an array"),
    (t.Population, "ybar", lambda s: s[10**9], "function of an array"),
    (t.Population, "ybar", lambda s: s * nan, "NaN"),
    (t.Population, "ybar", {2: "constant:0.9", 1: "constant:0.9"}, "sum to 1"),
    (t.Population, "ybar", {"a": "constant:1"}, "finite number"),
    *((t.Population, "breaks", value, "scores in") for value in ((2,), (nan,))),
    (t.Pair, "breaks", (2,), "scores in"),
    *(
        (call, "coupling", value, words)
        for call in (t.Pair, t.parse_coupling)
        for value, words in (
            ("correlated:", "such as correlated:0.8"),
            ("correlated:high", "such as correlated:0.8"),
            ("correlated:nan", "-1 < RHO < 1"),
            ("correlated:1", "-1 < RHO < 1"),
            ("correlated:0.8:0.9", "such as correlated:0.8"),
            ("corelated:0.8", "one of"),
            ("label-first:0.8", "did you mean 'label-first'"),
            (f"correlated:{LONG}", "at most 1,000 characters"),
            (np.array(["additive", "additive"]), "one of"),
        )
    ),
    (t.Pair, "share", 0.5, "None for the others"),
    *((t.DiscountedSum, "discount", value, "discount") for value in (m.Log(), m.Power(0.5), m.Linear())),
    (t.DiscountedSum, "discount", m.Geometric(0.99999), "a ratio of at most 0.9999"),
    *((t.LimitLaw, "discount", value, "discount") for value in (m.Log(), m.Zipf())),
    *(
        (call, name, RAGGED, "finite numbers")
        for call in (t.DiscountedSum, t.LimitLaw)
        for name in ("values", "probabilities")
    ),
    *(
        (call, "probabilities", value, "number")
        for call in (t.DiscountedSum, t.LimitLaw)
        for value in ((0.5, 0.6), (1.5, -0.5), (1.0,))
    ),
    *((t.limit, "discount", value, "expected") for value in (m.Geometric(), m.Power(2.0))),
    *((t.limit_law, "discount", value, "expected") for value in (m.Log(), m.Zipf(), m.Power(0.5))),
    (t.winning_probability, "discount", m.Geometric(1 - 1e-12), "a ratio of at most 0.9999"),
    *((t.discount_integral, "discount", value, "Log") for value in (m.Linear(), lambda r: 1 / r)),
    (t.pseudo_expectation, "log_n", 3, "None if n is given"),
    (t.reverse_ideal_ndcg, "relevant", 11, "expected"),
    (t.reverse_ideal_ndcg, "n", 10**12, "at most"),
    (t.expected_dcg, "discount", lambda r: nan * r, "finite values, got nan at rank 1"),
    (t.expected_dcg, "discount", lambda r: "x", "numbers for"),
    (t.expected_dcg, "discount", lambda: 1, "function of an array of ranks"),
    (t.dcg_error_bound, "beta", 1, "number in"),
    *((t.dcg_error_bound, "k", value, "fraction") for value in (10, "o(n)", 2.0)),
    *((t.winning_probability, "k", value, "expected") for value in (25, "o(m)")),
    (t.ahead_probability, "pair", NEVER, "always tie"),
    *((t.items_needed, "certainty", value, "number in") for value in (0.5, 1)),
    (t.items_needed, "most", 5, "number from 10"),
    (t.items_needed, "discount", lambda: 1, "function of an array of ranks"),
    (t.signal_and_noise, "k", 20_000, "whole number"),
    (t.kappa, "population", t.Population("constant:0"), "expected"),
    (t.leading_term, "pair", NEVER, "curves that differ"),
    *((t.effective_labels, "k", value, "integers from 1 to 10,000,000") for value in (2.0, [], [[1]])),
    (t.effective_labels, "discount", m.Linear(), "rank alone"),
    (t.effective_labels, "discount", lambda r: r - 1.0, "positive at rank 1"),
    (t.query_worth, "measure", lambda labels, scores: 0 * labels.sum(axis=1), "depends on the labels"),
    *((t.query_worth, "measure", value, words) for value, words in MEASURED),
    (t.query_worth, "q", 1, "above 0 and below 1"),
    (t.query_worth, "positions", 17, "integer from 1 to 16"),
    (t.SharedTopLaw, "tail", t.MixtureTail(1), "a chi below 1"),
    (t.SharedTopLaw, "discount", m.Power(0.5), "discount"),
    (z.sample, "n", 2**40, "integer from 1"),
    (z.sample_top, "k", 11, "integer"),
    *((z.ndcg_curve, "sizes", value, "integer") for value in ([9], [1.5], [], [[1], [1, 2]])),
    (z.ndcg_curve, "discount", [m.Log(), "zipf"], "callable"),
    *(
        (z.ndcg_curve, name, value, words)
        for name, values in (("labels", LABELLED), ("discount", DISCOUNTED), ("gain", GAINED), ("k", CUT))
        for value, words in values
    ),
    *((z.certify_sign, "labels", value, words) for value, words in LABELLED),
    *((z.certify_sign, "discount", value, "expected") for value in (m.Linear(), lambda r: r)),
    *((z.certify_sign, name, 5, "integer from 1") for name in ("start", "stop")),
    (z.monte_carlo, "experiment", lambda rng: nan, "got NaN"),
    (z.monte_carlo, "experiment", lambda rng: "x", "expected numbers"),
    (z.monte_carlo, "workers", 2**31, "integer from 1 to 10000"),
    (z.gap_experiment, "weights", [[[1.0]]], "finite numbers"),
    (z.student_interval, "values", [1, inf], "finite numbers"),
    (z.student_interval, "values", RAGGED, "finite numbers"),
    (z.bernstein_interval, "values", [2, 3], "numbers"),
    *((z.bernstein_interval, "bounds", value, "two numbers") for value in ((1, 0), (0,), (0, nan))),
    (z.proportion_interval, "successes", 4, "integers from 0"),
    (z.proportion_interval, "method", "wald", "one of"),
    *(
        (call, "discount", lambda r: 1 / r, "Log")
        for call in (t.limit, t.limit_law, t.winning_probability, t.ndcg_standard_deviation)
    ),
]
