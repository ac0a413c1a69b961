"""The numbers of the explorer: NDCG of many relevance curves, discounts, cut-offs and list lengths at once.

With ``g(u)`` the relevance at depth u, ``Q(u)`` that of the ideal list (1 for ``u < p``, else 0) and a
cut-off at the share c of the list,

    NDCG = integral_0^c g(u) w(u) du / integral_0^c Q(u) w(u) du

is each of the three values that the explorer shows; only the weight of a depth differs:

    E DCG / E IDCG, exactly     w(u) = n E D(1 + Bin(n - 1, u))   (claim 25; cut off: D(r) = 0, r > k)
    the pseudo-expectation      w(u) = n D(n u) for u > 1/n       (definition 20)
    the limit                   w(u) = (1 - beta) u**-beta        (theorems 4, 7, 9, 12, 13)

The numbers are those of Wang et al. 2013.

The first counts for the ideal list too, because a ranking with the curve Q is ideal. So the depths are laid
out once, and a table of thousands of values is the product of two matrices. `ndcg_companion.theory`
integrates each value by itself, adaptively, and is what the table is compared with.

If only the first ten places count, the first is used at every length, and in the limit all of it lies at
depth 0, whatever the discount.
"""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from ndcg_book.widgets import fragment
from ndcg_companion.checks import raise_if
from ndcg_companion.measures import Log, Power, Zipf
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.theory.exact import binomial_mean, mean_discount

CUTOFFS = (1.0, 0.5, 0.2)
PAGE = 10  # the places that count for NDCG@10, the last of the cut-offs
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
# With fewer relevant items that count, the pseudo-expectation describes no list: it may exceed 1.
FEWEST = 10
FAMILIES = {
    "constant": "constant: a coin toss",
    "power": "power: good at the top",
    "reversed": "reversed: upside down",
    "step": "step: two levels",
    "cosine": "cosine: smooth",
    "poly": "polynomial: the middle odd",
}

# A value is a whole number of units, and three characters: digits to the base of the alphabet.
UNIT = 2e-6
_UNSAFE = "\"$&'/<>\\`"  # in a string, in a script, or where formulas are looked for
ALPHABET = "".join(chr(code) for code in range(33, 127) if chr(code) not in _UNSAFE)


@dataclass(frozen=True)
class Shape:
    """A relevance curve of the explorer: its family and parameter, its formula, a function of the depth."""

    family: str
    parameter: float
    formula: str
    at_depth: object


def shapes(p):
    """Relevance curves with mean p, at most 1/2, by family and in the order of their parameter."""
    parts = np.array([0.25, 0.5, 0.75, 1.0])
    signed = np.concatenate([-parts[::-1], parts])
    steepest = 1.0 / p - 1.0

    base = lambda a: p * (1.0 + a)  # what makes a power have the mean p
    low = lambda high: p * (1.0 - high) / (1.0 - p)
    # By family: parameters, and a curve's formula and values for one of them.
    families = {
        "constant": ([p], lambda a: f"{p:.3g}", lambda a, u: np.full(np.shape(u), p)),
        "power": (
            steepest * parts,
            lambda a: _times(base(a), "s", a),
            lambda a, u: base(a) * (1.0 - u) ** a,
        ),
        "reversed": (
            steepest * parts,
            lambda a: _times(base(a), "(1 − s)", a),
            lambda a, u: base(a) * u**a,
        ),
        "step": (
            [0.0, *parts],
            lambda high: f"{high:.3g} for s ≥ {1 - p:.3g}, else {low(high):.3g}",
            lambda high, u: np.where(u <= p, high, low(high)),
        ),
        "cosine": (
            p * signed,
            lambda a: f"{p:.3g} {_signed(a)} cos π(1 − s)",
            lambda a, u: p + a * np.cos(np.pi * u),
        ),
        "poly": (
            p / 2 * signed,
            lambda a: f"{p:.3g} {_signed(a)} (2 − 10s + 9s^2)",
            lambda a, u: p + a * (1.0 - 8.0 * u + 9.0 * u**2),
        ),
    }
    return [
        Shape(family, a, formula(a), partial(at_depth, a))
        for family, (parameters, formula, at_depth) in families.items()
        for a in parameters
    ]


def _times(factor, base, exponent):
    """``factor base^exponent``, without what is 1."""
    shown, raised = f"{factor:.3g}", f"{exponent:.3g}"
    return f"{'' if shown == '1' else f'{shown} '}{base}{'' if raised == '1' else f'^{raised}'}"


def _signed(a):
    return f"{'−' if a < 0 else '+'} {abs(a):.3g}"


def depths(p):
    """Depths and their widths, for integrals over [0, 1] of what is smooth between 0, p, the cut-offs and 1.

    The first depth is 0. It stands for all that lies above ``1 / max(LONG)``, where every curve is constant.
    """
    top = 1.0 / max(LONG)
    decades = 10.0 ** np.arange(np.log10(top), 1.0)
    # Panels close in geometrically on each break, for an expectation near a cut-off or a root at the bottom.
    closer = np.append(2.0 ** -np.arange(13.0), 0.0)
    breaks = np.array([p, *CUTOFFS])[:, None]
    edges = np.concatenate(
        [decades, 1.0 / np.array(LONG), *(breaks * (1.0 - closer)), *(breaks * (1.0 + closer))]
    )
    edges = np.unique(edges[(edges >= top) & (edges <= 1.0)])
    nodes, weights = np.polynomial.legendre.leggauss(12)
    middle, half = (edges[1:] + edges[:-1])[:, None] / 2.0, np.diff(edges)[:, None] / 2.0
    return np.append(0.0, middle + half * nodes), np.append(top, half * weights)


def limit_weights(u, width, beta):
    """``(1 - beta) u**-beta du``; all above the second depth counts at depth 0, for beta = 1 nothing else."""
    return np.append(width[0] ** (1.0 - beta), (1.0 - beta) * u[1:] ** -beta * width[1:])


def pseudo_weights(u, width, discount, n):
    """``n D(n u) du`` below the first rank."""
    ranks = np.maximum(n * u, 1.0)
    return np.where(n * u > 1.0, n * discount(ranks) * width, 0.0)


def expected_weights(u, width, weights):
    """``n E D(1 + Bin(n - 1, u)) du`` for discounts given by their values at the ranks 1 to n, one a row."""
    columns = np.ascontiguousarray(weights.T)
    return len(columns) * binomial_mean(columns, u).T * width


def encode(values):
    """Values as text, three characters each; NaN becomes three blanks.

    Raises
    ------
    ValueError
        For a value that three characters cannot hold.

    Examples
    --------
    >>> encode([0.5, float("nan")])
    'J[5   '
    """
    base, found = len(ALPHABET), np.asarray(values, dtype=float)
    highest = (base**3 - 1) * UNIT
    outside = found[(found < 0.0) | (found > highest)]
    raise_if(outside.size, "values", outside[:1].tolist(), f"numbers from 0 to {highest:.6g}")
    units = np.rint(np.nan_to_num(found) / UNIT).astype(int)
    digits = np.stack([units // base**2, units // base % base, units % base], axis=-1)
    letters = np.where(np.isnan(found)[:, None], " ", np.array([*ALPHABET])[digits])
    return "".join(letters.flat)


def shorter(text):
    """Values as text without those at the end that the last one repeats; the script puts them back.

    >>> shorter("1..J[5J[5")
    '1..J[5'
    """
    last = text[-3:]
    while text[-6:-3] == last:
        text = text[:-3]
    return text


@dataclass(frozen=True)
class Explorer:
    """All that the explorer knows.

    Parameters
    ----------
    p : float
        Share of relevant items, at most 1/2; the same for all curves, which makes them rankings of the same
        items.
    steps : int
        Steps in which beta goes from 0 to 1; even, so that 1/2 is among them.

    Raises
    ------
    ValueError
        For other p or steps.
    """

    p: float
    steps: int

    def __post_init__(self):
        share = "a share above 0 and at most 1/2, else some curve leaves [0, 1]"
        raise_if(not 0.0 < self.p <= 0.5, "p", self.p, share)
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
        """NDCG, an array of shape (cut-offs, discounts, curves, lengths).

        Lengths are those of `SHORT`, by exact expectations, those of `LONG`, by pseudo-expectations (as the
        module says), and the limit at the end. The last cut-off is `PAGE`, for which expectations stand in
        place of the pseudo-expectations. The pseudo-expectation of a list with fewer than `FEWEST` relevant
        items that count is NaN.
        """
        u, width = depths(self.p)
        relevance = np.stack([*(curve.at_depth(u) for curve in self.curves), u <= self.p], axis=1)
        counted = u <= np.array(CUTOFFS)[:, None, None]

        def ndcg(weights):
            totals = weights @ relevance
            return totals[..., :-1] / totals[..., -1:]

        columns = []
        for n in SHORT:
            cuts = [*(cutoff(share, n) for share in CUTOFFS), PAGE]
            above_cut = np.arange(1, n + 1) <= np.array(cuts)[:, None, None]
            weights = above_cut * np.array([discount(np.arange(1, n + 1)) for discount in self.discounts])
            means = expected_weights(u, width, weights.reshape(-1, n))
            columns.append(ndcg(means.reshape(*weights.shape[:2], -1)))
        for n in LONG:
            weights = np.array([pseudo_weights(u, width, discount, n) for discount in self.discounts])
            short = n * np.minimum(self.p, CUTOFFS) < FEWEST
            shares = np.where(short[:, None, None], np.nan, ndcg(counted * weights))
            page = [mean_discount(discount, n, u, k=PAGE) for discount in self.discounts]
            columns.append(np.concatenate([shares, ndcg(n * np.array(page) * width)[None]]))
        # The log discount decays like r**0.
        weights = np.array([limit_weights(u, width, beta) for beta in (0.0, *self.betas)])
        top = np.broadcast_to(u == 0.0, weights.shape)
        columns.append(ndcg(np.concatenate([counted * weights, top[None]])))
        return np.stack(columns, axis=-1)

    def value(self, share, beta, number, n=None):
        """NDCG of the curve with that number: up to 10,000 items the expectation, then the pseudo one.

        ``beta=None`` is the log discount, ``n=None`` the limit; a share of `PAGE` is NDCG@10.
        """
        place = -1 if n is None else SHORT.index(n) if n in SHORT else len(SHORT) + LONG.index(n)
        return float(
            self.table[
                (*CUTOFFS, PAGE).index(share),
                0 if beta is None else 1 + self.betas.index(beta),
                number,
                place,
            ]
        )

    @cached_property
    def most_disputed_pair(self):
        """The two curves that the log discount and 1/r, at a million items, disagree about most."""
        log, zipf = (self.table[0, place, :, len(SHORT) + LONG.index(1e6)] for place in (0, -1))
        ahead, behind = np.subtract.outer(log, log), np.subtract.outer(zipf, zipf).T
        return np.unravel_index(np.argmax(np.minimum(ahead, behind)), ahead.shape)

    @cached_property
    def tries(self):
        """Three things to try: what each is about, what it shows, and the state that shows it."""
        steepest = max(place for place, curve in enumerate(self.curves) if curve.family == "power")
        first, second = map(int, self.most_disputed_pair)
        # Curve 0 is the coin toss. For beta None is the log discount, 1.0 is 1/r; for n None is the limit.
        good = {"a": steepest, "b": 0, "beta": 0.5}
        googol = good | {"n": 1e100, "cut": 1.0}
        winners = {"a": first, "b": second, "beta": 1.0, "n": 1e6, "cut": 1.0}
        cut = good | {"n": 1e6, "cut": 0.2}
        return [
            (
                "The log discount closes the gap, but not on any list that exists",
                f"ȳ(s) = {self.curves[steepest].formula} against a coin toss, with a googol of items: "
                f"{self.gap(googol, None):.3f} is still left.",
                googol,
            ),
            (
                "Two rankers, two discounts, two winners",
                f"at a million items the log discount puts A ahead by {self.gap(winners, None):.3f}, "
                f"1/r puts B ahead by {-self.gap(winners, 1.0):.3f}.",
                winners,
            ),
            (
                "Cut the list, and the gap stays under the log discount",
                "where only the top fifth counts, "
                f"the gap tends to {self.gap(cut | {'n': None}, None):.3f} instead of nothing.",
                cut,
            ),
        ]

    def gap(self, state, beta):
        """How much NDCG ranker A of a state is ahead of its ranker B."""
        a, b = (self.value(state["cut"], beta, state[which], state["n"]) for which in "ab")
        return a - b

    @cached_property
    def data(self):
        """What stands in the page, as JSON can hold it."""
        edge = 1.0 - self.p
        scores = np.sort([*np.linspace(0.0, 1.0, 51), edge - 1e-6, edge + 1e-6]).round(6)

        def described(curve):
            line = np.clip(curve.at_depth(1.0 - scores), 0.0, 1.0)
            return [curve.family, float(curve.parameter), curve.formula, encode(line)]

        return {
            "alphabet": ALPHABET,
            "unit": UNIT,
            "families": FAMILIES,
            "scores": scores.tolist(),
            "curves": [described(curve) for curve in self.curves],
            "betas": self.betas,
            "cutoffs": (*CUTOFFS, PAGE),
            "short": SHORT,
            "long": LONG,
            "values": [[[shorter(encode(row)) for row in rows] for rows in each] for each in self.table],
            "tries": self.tries,
        }

    @property
    def fallback(self):
        """An HTML table for readers without JavaScript: how far apart the rankers to try are."""
        lengths = {"n = 10^3": 1_000, "10^6": 1e6, "10^100": 1e100, "limit": None}
        tries = []
        for *_, state in self.tries:
            rows = {}
            for beta in (None, state["beta"]):
                gaps = [self.gap(state | {"n": n}, beta) for n in lengths.values()]
                name = "log" if beta is None else "1/r" if beta == 1 else f"r^−{beta:g}"
                rows[name] = [f"{gap:z.3f}".replace("-", "−") for gap in gaps]
            a, b = (self.curves[state[ranker]].formula for ranker in "ab")
            tries.append((a, b, state["cut"], rows.items()))
        columns = "A and B", "discount", *lengths
        return fragment("explorer-fallback.html", {"columns": columns, "tries": tries})
