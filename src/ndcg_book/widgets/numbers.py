"""The numbers of the explorer: NDCG for many relevance curves, discounts, cut-offs and list lengths.

Let ``g(u)`` be the relevance at depth u, ``Q(u)`` the relevance in the ideal list (1 for ``u < p``, else 0),
and c the cut-off as a fraction of the list. The formula

    NDCG = integral_0^c g(u) w(u) du / integral_0^c Q(u) w(u) du

gives all three values that the explorer shows. The values differ only in the weight of a depth:

    E DCG / E IDCG, exactly     w(u) = n E D(1 + Bin(n - 1, u))   (claim 25; cut off: D(r) = 0, r > k)
    the pseudo-expectation      w(u) = n D(n u) for u > 1/n       (definition 20)
    the limit                   w(u) = (1 - beta) u**-beta        (theorems 4, 7, 9, 12, 13)

Claims, definitions and theorems are those of Wang et al. 2013.

The first formula also gives the ideal DCG, because a ranking with the curve Q is ideal. The grid of depths is
therefore computed once, and a table of thousands of values is a product of two matrices. Tests compare the
table with `ndcg_companion.theory`, which integrates each value separately and adaptively.

For NDCG@10, the first formula is used at every length, and all weight of the limit is at depth 0 for every
discount.
"""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from ndcg_book.widgets import fragment
from ndcg_companion.checks import raise_if
from ndcg_companion.measures import Log, Power, Zipf
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.theory.exact import binomial_mean, mean_discount

CUTOFFS = (1.0, 0.5, 0.2)  # proportions of the list
PAGE = 10  # the last cut-off is ten results, at every length
SHORT = (10, 30, 100, 300, 1_000, 3_000, 10_000)
LONG = (
    1e2,
    3e2,
    1e3,
    3e3,
    1e4,
    1e5,
    1e6,
    1e7,
    1e8,
    1e9,
    1e10,
    1e12,
    1e16,
    1e24,
    1e32,
    1e50,
    1e64,
    1e80,
    1e100,
)
# If there are fewer relevant items within the cut-off, the pseudo-expectation is meaningless and may exceed
# 1.
FEWEST = 10
FAMILIES = {
    "constant": "constant: a coin toss",
    "power": "power: good at the top",
    "reversed": "reversed: upside down",
    "step": "step: two levels",
    "cosine": "cosine: smooth",
    "poly": "polynomial: the middle odd",
}

# A value is an integer multiple of the unit, written as three digits in the alphabet.
UNIT = 2e-6
_UNSAFE = "\"$&'/<>\\`"  # unsafe in strings, in scripts, or where formulas are recognised
ALPHABET = "".join(chr(code) for code in range(33, 127) if chr(code) not in _UNSAFE)


@dataclass(frozen=True)
class Shape:
    """A relevance curve of the explorer, with family, parameter, formula and function of the depth."""

    family: str
    parameter: float
    formula: str
    at_depth: object


def shapes(p):
    """Return relevance curves with mean p <= 1/2, ordered by family and parameter."""
    fractions = np.array([0.25, 0.5, 0.75, 1.0])
    signed_fractions = np.concatenate([-fractions[::-1], fractions])
    largest_exponent = 1.0 / p - 1.0

    # The letter a is the parameter of a curve.
    scale_of = lambda a: p * (1.0 + a)  # with this factor, a power has the mean p
    low_level = lambda high: p * (1.0 - high) / (1.0 - p)  # so that p * high + (1 - p) * low is p
    # For each family: parameters, and functions that return the formula and the values of a curve.
    families = {
        "constant": ([p], lambda a: f"{p:.3g}", lambda a, u: np.full(np.shape(u), p)),
        "power": (
            largest_exponent * fractions,
            lambda a: _power_text(scale_of(a), "s", a),
            lambda a, u: scale_of(a) * (1.0 - u) ** a,
        ),
        "reversed": (
            largest_exponent * fractions,
            lambda a: _power_text(scale_of(a), "(1 − s)", a),
            lambda a, u: scale_of(a) * u**a,
        ),
        "step": (
            [0.0, *fractions],
            lambda high: f"{high:.3g} for s ≥ {1 - p:.3g}, else {low_level(high):.3g}",
            lambda high, u: np.where(u <= p, high, low_level(high)),
        ),
        "cosine": (
            p * signed_fractions,
            lambda a: f"{p:.3g} {_signed_text(a)} cos π(1 − s)",
            lambda a, u: p + a * np.cos(np.pi * u),
        ),
        "poly": (
            p / 2 * signed_fractions,
            lambda a: f"{p:.3g} {_signed_text(a)} (2 − 10s + 9s^2)",
            lambda a, u: p + a * (1.0 - 8.0 * u + 9.0 * u**2),
        ),
    }
    return [
        Shape(family, a, formula(a), partial(at_depth, a))
        for family, (parameters, formula, at_depth) in families.items()
        for a in parameters
    ]


def _power_text(factor, base, exponent):
    """Return ``factor base^exponent`` as text, without a factor or an exponent of 1."""
    number, power = f"{factor:.3g}", f"{exponent:.3g}"
    return f"{'' if number == '1' else f'{number} '}{base}{'' if power == '1' else f'^{power}'}"


def _signed_text(term):
    """Return a term of a sum as text: its sign, a space, and its absolute value."""
    return f"{'−' if term < 0 else '+'} {abs(term):.3g}"


def depths(p):
    """Return depths and widths for integrals over [0, 1].

    Integrands must be smooth between 0, p, the cut-offs and 1. The first depth is 0 and represents all depths
    up to ``1 / max(LONG)``, where every curve is constant.
    """
    first_depth = 1.0 / max(LONG)
    decades = 10.0 ** np.arange(np.log10(first_depth), 1.0)
    # Intervals shrink geometrically towards each break, because expectations change fast near a cut-off, and
    # powers of 1 - u near depth 1.
    distances = np.append(2.0 ** -np.arange(13.0), 0.0)
    breaks = np.array([p, *CUTOFFS])[:, None]
    edges = np.concatenate(
        [decades, 1.0 / np.array(LONG), *(breaks * (1.0 - distances)), *(breaks * (1.0 + distances))]
    )
    edges = np.unique(edges[(edges >= first_depth) & (edges <= 1.0)])
    nodes, weights = np.polynomial.legendre.leggauss(12)
    # Gauss-Legendre nodes and weights are for [-1, 1]; rows are intervals, columns are nodes.
    middles, half_widths = (edges[1:] + edges[:-1])[:, None] / 2.0, np.diff(edges)[:, None] / 2.0
    return np.append(0.0, middles + half_widths * nodes), np.append(first_depth, half_widths * weights)


def limit_weights(u, width, beta):
    """Return ``(1 - beta) u**-beta du``, with the integral over the first width assigned to depth 0."""
    return np.append(width[0] ** (1.0 - beta), (1.0 - beta) * u[1:] ** -beta * width[1:])


def pseudo_weights(u, width, discount, n):
    """Return ``n D(n u) du``, which is 0 above the first rank."""
    ranks = np.maximum(n * u, 1.0)
    return np.where(n * u > 1.0, n * discount(ranks) * width, 0.0)


def expected_weights(u, width, weights):
    """Return ``n E D(1 + Bin(n - 1, u)) du`` for discounts, given as rows of values at ranks 1 to n."""
    rows_by_rank = np.ascontiguousarray(weights.T)
    return len(rows_by_rank) * binomial_mean(rows_by_rank, u).T * width


def encode(values):
    """Return values as text with three characters for each; NaN becomes three blanks.

    Raises
    ------
    ValueError
        If three characters cannot represent a value.

    Examples
    --------
    >>> encode([0.5, float("nan")])
    'J[5   '
    """
    base, numbers = len(ALPHABET), np.asarray(values, dtype=float)
    largest = (base**3 - 1) * UNIT
    out_of_range = numbers[(numbers < 0.0) | (numbers > largest)]
    raise_if(out_of_range.size, "values", out_of_range[:1].tolist(), f"numbers from 0 to {largest:.6g}")
    units = np.rint(np.nan_to_num(numbers) / UNIT).astype(int)
    digits = np.stack([units // base**2, units // base % base, units % base], axis=-1)
    letters = np.where(np.isnan(numbers)[:, None], " ", np.array([*ALPHABET])[digits])
    return "".join(letters.flat)


def shorter(text):
    """Return values as text without repetitions of the last value, which the script restores.

    >>> shorter("1..J[5J[5")
    '1..J[5'
    """
    last_value = text[-3:]  # a value has three characters
    while text[-6:-3] == last_value:
        text = text[:-3]
    return text


@dataclass(frozen=True)
class Explorer:
    """The curves, discounts and values of the explorer.

    Parameters
    ----------
    p : float
        Proportion of relevant items, at most 1/2. It is the same for all curves, so they can rank the same
        items.
    steps : int
        Number of steps of beta from 0 to 1; even, so that 1/2 is included.

    Raises
    ------
    ValueError
        If p or steps is out of range.
    """

    p: float
    steps: int

    def __post_init__(self):
        expected = "a proportion above 0 and at most 1/2, so that all curves are within [0, 1]"
        raise_if(not 0.0 < self.p <= 0.5, "p", self.p, expected)
        raise_if(self.steps < 2 or self.steps % 2, "steps", self.steps, "an even number >= 2")

    @cached_property
    def curves(self):
        return shapes(self.p)

    @cached_property
    def betas(self):
        return [step / self.steps for step in range(self.steps + 1)]

    @cached_property
    def discounts(self):
        """The log discount, then ``r ** -beta`` for each beta."""
        return [Log(), *(Zipf() if beta == 1.0 else Power(beta) for beta in self.betas)]

    @cached_property
    def table(self):
        """NDCG, as an array of shape (cut-offs, discounts, curves, lengths).

        The lengths are `SHORT` with the expected DCG divided by the expected DCG of the ideal list, then
        `LONG` with pseudo-expectations, and finally the limit. For the last cut-off, `PAGE`, quotients of
        expectations replace the pseudo-expectations. A pseudo-expectation is NaN if there are fewer than
        `FEWEST` relevant items within the cut-off.
        """
        u, width = depths(self.p)
        # A column for each curve, and the last one for the ideal list.
        relevance = np.stack([*(curve.at_depth(u) for curve in self.curves), u <= self.p], axis=1)
        is_within_cutoff = u <= np.array(CUTOFFS)[:, None, None]

        def ndcg(weights):
            dcgs = weights @ relevance
            return dcgs[..., :-1] / dcgs[..., -1:]

        columns = []
        for n in SHORT:
            cutoff_ranks = [*(cutoff(share, n) for share in CUTOFFS), PAGE]
            is_counted = np.arange(1, n + 1) <= np.array(cutoff_ranks)[:, None, None]
            # One axis each for cut-offs, discounts and ranks; then ranks are replaced by depths.
            weights = is_counted * np.array([discount(np.arange(1, n + 1)) for discount in self.discounts])
            expected = expected_weights(u, width, weights.reshape(-1, n))
            columns.append(ndcg(expected.reshape(*weights.shape[:2], -1)))
        for n in LONG:
            weights = np.array([pseudo_weights(u, width, discount, n) for discount in self.discounts])
            is_too_short = n * np.minimum(self.p, CUTOFFS) < FEWEST
            ndcg_by_share = np.where(is_too_short[:, None, None], np.nan, ndcg(is_within_cutoff * weights))
            # For NDCG@10, the weights are exact at every length; n * width items are expected at each depth.
            page_weights = [mean_discount(discount, n, u, k=PAGE) for discount in self.discounts]
            columns.append(np.concatenate([ndcg_by_share, ndcg(n * np.array(page_weights) * width)[None]]))
        # The log discount decays like r**0.
        weights = np.array([limit_weights(u, width, beta) for beta in (0.0, *self.betas)])
        # For NDCG@10, all weight of the limit is at depth 0.
        top_weights = np.broadcast_to(u == 0.0, weights.shape)
        columns.append(ndcg(np.concatenate([is_within_cutoff * weights, top_weights[None]])))
        return np.stack(columns, axis=-1)

    def value(self, share, beta, number, n=None):
        """Return the NDCG of a curve at a length, or its limit.

        It is an expectation up to 10,000 items and for NDCG@10, and a pseudo-expectation otherwise.
        ``beta=None`` is the log discount, ``n=None`` is the limit, and ``share=PAGE`` is NDCG@10.
        """
        cutoff_index = (*CUTOFFS, PAGE).index(share)
        discount_index = 0 if beta is None else 1 + self.betas.index(beta)
        lengths = (*SHORT, *LONG, None)  # of a length in both, the first is the exact one
        length_index = lengths.index(n)
        return float(self.table[cutoff_index, discount_index, number, length_index])

    @cached_property
    def most_disputed_pair(self):
        """The two curves on which the log discount and 1/r differ most at a million items."""
        by_discount = self.table[0, :, :, len(SHORT) + LONG.index(1e6)]  # of the full list
        log_ndcg, *_, zipf_ndcg = by_discount
        # Lead of curve a over curve b by the log discount, and of b over a by 1/r; both should be large.
        log_leads = np.subtract.outer(log_ndcg, log_ndcg)
        zipf_leads = np.subtract.outer(zipf_ndcg, zipf_ndcg).T
        return np.unravel_index(np.argmax(np.minimum(log_leads, zipf_leads)), log_leads.shape)

    @cached_property
    def tries(self):
        """Three suggestions, each with a title, a finding, and the state of the explorer that shows it."""
        steepest_curve = max(index for index, curve in enumerate(self.curves) if curve.family == "power")
        curve_a, curve_b = map(int, self.most_disputed_pair)
        # Curve 0 is constant. For beta, None is the log discount and 1.0 is 1/r; for n, None is the limit.
        steep_against_constant = {"a": steepest_curve, "b": 0, "beta": 0.5}
        googol = steep_against_constant | {"n": 1e100, "cut": 1.0}
        two_winners = {"a": curve_a, "b": curve_b, "beta": 1.0, "n": 1e6, "cut": 1.0}
        top_fifth = steep_against_constant | {"n": 1e6, "cut": 0.2}
        return [
            (
                "The log discount closes the gap, but not on any list that exists",
                f"ȳ(s) = {self.curves[steepest_curve].formula} against a coin toss, with a googol of items: "
                f"{self.gap(googol, None):.3f} is still left.",
                googol,
            ),
            (
                "Two rankers, two discounts, two winners",
                f"at a million items the log discount puts A ahead by {self.gap(two_winners, None):.3f}, and "
                f"1/r puts B ahead by {-self.gap(two_winners, 1.0):.3f}.",
                two_winners,
            ),
            (
                "Cut the list, and the gap stays under the log discount",
                "where only the top fifth counts, "
                f"the gap tends to {self.gap(top_fifth | {'n': None}, None):.3f} instead of nothing.",
                top_fifth,
            ),
        ]

    def gap(self, state, beta):
        """Return NDCG of ranker A minus NDCG of ranker B in a state."""
        ndcg_a, ndcg_b = (self.value(state["cut"], beta, state[ranker], state["n"]) for ranker in "ab")
        return ndcg_a - ndcg_b

    @cached_property
    def data(self):
        """Data of the page in types that JSON supports."""
        step_score = 1.0 - self.p
        # Scores on both sides of the step keep it steep in the drawing.
        scores = np.sort([*np.linspace(0.0, 1.0, 51), step_score - 1e-6, step_score + 1e-6]).round(6)

        def describe(curve):
            values = np.clip(curve.at_depth(1.0 - scores), 0.0, 1.0)
            return [curve.family, float(curve.parameter), curve.formula, encode(values)]

        return {
            "alphabet": ALPHABET,
            "unit": UNIT,
            "families": FAMILIES,
            "scores": scores.tolist(),
            "curves": [describe(curve) for curve in self.curves],
            "betas": self.betas,
            "cutoffs": (*CUTOFFS, PAGE),
            "short": SHORT,
            "long": LONG,
            "values": [[[shorter(encode(row)) for row in rows] for rows in layer] for layer in self.table],
            "tries": self.tries,
        }

    @property
    def fallback(self):
        """HTML table of the gaps between the suggested rankers, for readers without JavaScript."""
        lengths = {"n = 10^3": 1_000, "10^6": 1e6, "10^100": 1e100, "limit": None}
        discount_names = {None: "log", 0.5: "r^−0.5", 1.0: "1/r"}  # by beta
        tries = []
        for *_, state in self.tries:
            rows = {}
            for beta in (None, state["beta"]):
                gaps = [self.gap(state | {"n": n}, beta) for n in lengths.values()]
                rows[discount_names[beta]] = [f"{gap:z.3f}".replace("-", "−") for gap in gaps]
            formula_a, formula_b = (self.curves[state[ranker]].formula for ranker in "ab")
            tries.append((formula_a, formula_b, state["cut"], rows.items()))
        columns = "A and B", "discount", *lengths
        return fragment("explorer-fallback.html", {"columns": columns, "tries": tries})
