"""The lists and tables of the RankDCG poster, and the conventions under which they can be reproduced.

Six hypothesis lists are compared with one reference list by four measures (Katerenchuk and Rosenberg 2016).
The poster does not state which variants of the measures it used, nor how a hypothesis is to be interpreted. A
`Convention` answers each of these questions.
"""

from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from math import inf, isfinite, log, trunc
from statistics import fmean

import numpy as np

from ndcg_companion.checks import check_choice, check_float, raise_if
from ndcg_companion.measures import average_precision, kendall_tau, ndcg, rankdcg

MEASURES = ("tau", "AveP", "nDCG", "rankDCG")
REFERENCE = (9, 4, 4, 2, 2, 2, 1, 1, 1, 1)
HYPOTHESES = (
    (9, 4, 4, 2, 2, 2, 1, 1, 1, 1),
    (9, 4, 4, 2, 2, 1, 2, 1, 1, 1),
    (4, 4, 2, 9, 2, 2, 1, 1, 1, 1),
    (1, 4, 4, 2, 2, 2, 9, 1, 1, 1),
    (1, 4, 4, 2, 2, 2, 1, 1, 1, 9),
    (1, 1, 1, 1, 2, 2, 2, 4, 4, 9),
)
TESTS = (
    ("1.0", "1.0", "1.0", "1.0"),
    ("0.8", "0.887", "0.998", "0.975"),
    ("0.742", "0.454", "0.825", "0.65"),
    ("0.285", "0.659", "0.688", "0.325"),
    ("0.285", "0.697", "0.667", "0.325"),
    ("-0.8", "0.149", "0.571", "0.0"),
)
REDDIT = (
    ("nan", "0.79", "0.883", "0.0"),
    ("0.197", "0.668", "1.188", "0.32"),
    ("0.136", "0.585", "1.318", "0.347"),
    ("0.5", "1", "1", "1"),
)
PARTICIPANTS = 120
# Numbers of members with K-index 0, 1, 2, ..., estimated from a drawing; from 7 on, all bars are equally low.
K_INDEX = (4000, 41_000, 5500, 1000, 300, 120, 60) + (5,) * 10

_CHOICES = {
    "tau": ("a", "b", "c"),
    "average_precision": ("used", "matches", "printed"),
    "reading": ("mixed", "list", "scores"),
    "ties": ("average", "best", "worst", "stable"),
    "digits": ("truncate", "round"),
}


@dataclass(frozen=True)
class Convention:
    """Conventions under which the poster's table of tests can be computed.

    The default values reproduce its 24 numbers.

    Parameters
    ----------
    tau : {"b", "a", "c"}
        Variant of Kendall's tau; the printed formula is ``a``. Tau is symmetric in the two lists, so it does
        not matter which of them is interpreted as scores.
    average_precision : {"used", "matches", "printed"}
        ``used`` is the mean, over all positions k, of the proportion of the first k positions at which the
        two lists agree. ``matches`` is the printed sum of P(k) times the gain in recall, where the positions
        that agree count as relevant. ``printed`` is the printed sum, where items are relevant if their value
        is at least the threshold.
    reading : {"mixed", "list", "scores"}
        Interpretation of a hypothesis h. Either h is the list of reference values that a system puts at
        positions 1 to n (``list``), or h[i] is the score that the system gives to the item at position i of
        the reference (``scores``). ``mixed`` means a list for average precision and nDCG, and scores for
        rankDCG.
    ties : {"average", "best", "worst", "stable"}
        Treatment of equal scores if a hypothesis is interpreted as scores.
    digits : {"truncate", "round"}
        Treatment of the digits after the third decimal.
    log_base : float
        Base of nDCG's logarithm, above 1.
    threshold : float
        Items with at least this value are relevant for the printed average precision.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> Convention().row((9, 4, 4, 2, 2, 1, 2, 1, 1, 1))
    ('0.8', '0.887', '0.998', '0.975')
    >>> Convention(tau="a").matches()
    18
    """

    tau: str = "b"
    average_precision: str = "used"
    reading: str = "mixed"
    ties: str = "average"
    digits: str = "truncate"
    log_base: float = 2.0
    threshold: float = 2

    def __post_init__(self):
        for name, choices in _CHOICES.items():
            check_choice(name, getattr(self, name), choices)
        check_float("log_base", self.log_base, lambda base: 1 < base < inf, "a finite number > 1")
        check_float("threshold", self.threshold, isfinite, "a finite number")

    def values(self, hypothesis):
        """Return the four measures of a hypothesis, in the order of ``MEASURES``.

        Raises
        ------
        ValueError
            If the hypothesis is not a permutation of the reference.
        """
        h = tuple(hypothesis)
        is_permutation = sorted(h, reverse=True) == list(REFERENCE)
        raise_if(not is_permutation, "hypothesis", hypothesis, f"a permutation of {REFERENCE}")
        # Labels and scores under the two interpretations of the hypothesis.
        as_list, as_scores = (h, range(len(h), 0, -1)), (REFERENCE, h)
        # Average precision and nDCG have one interpretation, rankDCG has another if the reading is mixed.
        list_arguments = as_scores if self.reading == "scores" else as_list
        score_arguments = as_list if self.reading == "list" else as_scores
        log_of_base = log(self.log_base)
        discount = lambda ranks: log_of_base / np.log1p(ranks)  # 1 / log(1 + r) in this base
        return np.array(
            [
                kendall_tau(REFERENCE, h, variant=self.tau),
                self._average_precision(*list_arguments),
                ndcg(*list_arguments, discount=discount, ties=self.ties),
                rankdcg(*score_arguments, ties=self.ties),
            ]
        )

    def row(self, hypothesis):
        """Return the four values of a hypothesis as the table would print them."""
        return tuple(as_printed(value, self.digits) for value in self.values(hypothesis))

    def table(self):
        """Return the rows of all six hypotheses."""
        return tuple(map(self.row, HYPOTHESES))

    def matches(self):
        """Return how many of the poster's 24 cells have the printed value."""
        return sum(
            cell == printed_cell
            for row, printed_row in zip(self.table(), TESTS)
            for cell, printed_cell in zip(row, printed_row)
        )

    def _average_precision(self, labels, scores):
        """Return AveP of a list, where ties are resolved as ``ties`` says.

        ``stable`` is the first order of tied items; the others are a mean or an extreme over all orders.
        """
        if self.average_precision == "printed":
            return average_precision(labels, scores, threshold=self.threshold, ties=self.ties)
        precision_of = agreement if self.average_precision == "used" else _precision_at_matches
        orders = tied_lists(tuple(labels), tuple(scores))
        if self.ties == "stable":
            return precision_of(orders[0])
        return {"average": fmean, "best": max, "worst": min}[self.ties](map(precision_of, orders))


def agreement(hypothesis):
    """Return the poster's AveP of a hypothesis.

    AveP is the mean over k of the proportion of the first k positions that agree with the reference.

    >>> round(agreement((9, 4, 4, 2, 2, 1, 2, 1, 1, 1)), 4)
    0.8875
    """
    return fmean(np.cumsum(np.equal(hypothesis, REFERENCE)) / np.arange(1, len(REFERENCE) + 1))


def _precision_at_matches(hypothesis):
    """Return AveP if positions that agree with the reference count as relevant."""
    hits = np.equal(hypothesis, REFERENCE)
    return average_precision(hits, range(len(hits), 0, -1), empty=0)


@cache
def tied_lists(labels, scores):
    """Return the lists of labels for all orders of tied items, with the input order first.

    >>> tied_lists((3, 1, 2), (5, 5, 7))
    ((2, 3, 1), (2, 1, 3))
    """
    labels_by_score = [
        [label for label, item_score in zip(labels, scores) if item_score == score]
        for score in sorted(set(scores), reverse=True)
    ]
    # One order of each group of tied items; their sum, which begins with (), is the whole list.
    return tuple(sum(orders, ()) for orders in product(*map(permutations, labels_by_score)))


def as_printed(value, digits="truncate"):
    """Return a number as text with at most three decimals, truncated or rounded.

    Truncation has a tolerance of a billionth, because 0.8 may be slightly smaller if it is computed in
    floats.

    >>> as_printed(0.99866), as_printed(0.99866, "round"), as_printed(-0.8)
    ('0.998', '0.999', '-0.8')
    """
    tolerance = 1e-6 if value > 0 else -1e-6  # in thousandths
    thousandths = round(1000 * value) if digits == "round" else trunc(1000 * value + tolerance)
    return str(thousandths / 1000)
