"""The RankDCG poster's lists and tables, and the conventions under which they can be computed again.

Six hypothesis lists are compared with one reference list by four measures (Katerenchuk and Rosenberg 2016).
The poster does not say which variant of a measure it used, nor how it read a hypothesis; `Convention` holds
one answer to every such question.
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
# Members with K-index 0, 1, 2, ... as far as a drawing can be read; from 7 on all bars are equally low.
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
    """One way to compute the poster's table of tests; the defaults are the way that gives its 24 numbers.

    Parameters
    ----------
    tau : {"b", "a", "c"}
        Variant of Kendall's tau; the printed formula is ``a``. It compares the two lists place by place, so
        that it does not matter which of them is read as scores.
    average_precision : {"used", "matches", "printed"}
        ``used``: the mean, over all places k, of the share of the first k places at which the two lists
        agree. ``matches``: the printed sum of P(k) times the gain in recall, the places of agreement taken as
        relevant. ``printed``: the printed sum with the items from the threshold on as relevant.
    reading : {"mixed", "list", "scores"}
        A hypothesis h is the list of reference values that a system puts at places 1 to n (``list``), or h[i]
        is the score that the system gives to the item at place i of the reference (``scores``). ``mixed`` is
        a list for average precision and nDCG, scores for rankDCG.
    ties : {"average", "best", "worst", "stable"}
        What becomes of equal scores, where a hypothesis is read as scores.
    digits : {"truncate", "round"}
        What becomes of the digits after the third.
    log_base : float
        Of nDCG's logarithm, above 1.
    threshold : float
        Values from here on are relevant for the printed average precision.

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
        for name, known in _CHOICES.items():
            check_choice(name, getattr(self, name), known)
        check_float("log_base", self.log_base, lambda base: 1 < base < inf, "a finite number > 1")
        check_float("threshold", self.threshold, isfinite, "a finite number")

    def values(self, hypothesis):
        """The four measures of a hypothesis list, in the order of ``MEASURES``: floats of shape (4,).

        Raises
        ------
        ValueError
            For a hypothesis that is not a permutation of the reference: as a list it would be normalised by
            itself.
        """
        h = tuple(hypothesis)
        known = sorted(h, reverse=True) == list(REFERENCE)
        raise_if(not known, "hypothesis", hypothesis, f"a permutation of {REFERENCE}")
        in_order = range(len(h), 0, -1)
        as_list, as_scores = (h, in_order), (REFERENCE, h)
        listed = as_scores if self.reading == "scores" else as_list
        scored = as_list if self.reading == "list" else as_scores
        base = log(self.log_base)
        return np.array(
            [
                kendall_tau(REFERENCE, h, variant=self.tau),
                self._average_precision(*listed),
                ndcg(*listed, discount=lambda ranks: base / np.log1p(ranks), ties=self.ties),
                rankdcg(*scored, ties=self.ties),
            ]
        )

    def row(self, hypothesis):
        """The four values of a hypothesis as the table would print them."""
        return tuple(as_printed(value, self.digits) for value in self.values(hypothesis))

    def table(self):
        """The rows of all six hypotheses."""
        return tuple(map(self.row, HYPOTHESES))

    def matches(self):
        """How many of the poster's 24 cells come out as printed."""
        return sum(
            one == other for mine, printed in zip(self.table(), TESTS) for one, other in zip(mine, printed)
        )

    def _average_precision(self, labels, scores):
        """AveP of a list: the usual one, or the mean, best or worst over the orders that ties leave open."""
        if self.average_precision == "printed":
            return average_precision(labels, scores, threshold=self.threshold, ties=self.ties)
        of_list = agreement if self.average_precision == "used" else _precision_at_matches
        orders = tied_lists(tuple(labels), tuple(scores))
        if self.ties == "stable":
            return of_list(orders[0])
        return {"average": fmean, "best": max, "worst": min}[self.ties](map(of_list, orders))


def agreement(hypothesis):
    """The poster's AveP: the mean over k of the share of the first k places that agree with the reference.

    >>> round(agreement((9, 4, 4, 2, 2, 1, 2, 1, 1, 1)), 4)
    0.8875
    """
    return fmean(np.cumsum(np.equal(hypothesis, REFERENCE)) / np.arange(1, len(REFERENCE) + 1))


def _precision_at_matches(hypothesis):
    hits = np.equal(hypothesis, REFERENCE)
    return average_precision(hits, range(len(hits), 0, -1), empty=0)


@cache
def tied_lists(labels, scores):
    """The lists of labels that the scores leave open, every order of tied items once; first that of arrival.

    >>> tied_lists((3, 1, 2), (5, 5, 7))
    ((2, 3, 1), (2, 1, 3))
    """
    groups = [
        [y for y, s in zip(labels, scores) if s == score] for score in sorted(set(scores), reverse=True)
    ]
    return tuple(sum(chosen, ()) for chosen in product(*map(permutations, groups)))


def as_printed(value, digits="truncate"):
    """A number with at most three decimals, those that follow cut off or rounded.

    A billionth is forgiven, as 0.8 computed in floats may fall short of it.

    >>> as_printed(0.99866), as_printed(0.99866, "round"), as_printed(-0.8)
    ('0.998', '0.999', '-0.8')
    """
    thousandths = (
        round(1000 * value) if digits == "round" else trunc(1000 * value + (1e-6 if value > 0 else -1e-6))
    )
    return str(thousandths / 1000)
