"""The numbers of the race on the first page: probabilities that A is ahead of B on a grid of sizes.

The lists themselves are simulated in the browser (``race.js``) under the label-first coupling. Each item is
relevant with probability 1/2. Given the label, each ranker independently draws a depth u, with density
proportional to g(u) for a relevant item and to 1 - g(u) for an irrelevant one. Every curve g is a polynomial
in the depth with mean 1/2. On long lists, the mean NDCG@10 of a ranker is g(0), because there are enough
relevant items for ten ideal positions.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
from scipy.special import ndtr, ndtri

from ndcg_book.widgets import fragment
from ndcg_companion.measures import Geometric, Log, Power, Zipf
from ndcg_companion.theory import Pair, ahead_probability

# For each name in the address, the text on the page and the coefficients of the curve in u.
RANKERS = {
    "clear": ("librarian: NDCG@10 of 0.65", (0.65, -0.3)),
    "tenth": ("clerk: 0.60", (0.6, -0.2)),
    "slight": ("fair: 0.55", (0.55, -0.1)),
    "fiftieth": ("hardly better: 0.52", (0.52, -0.04)),
    "tied": ("tied under 1/√r: 0.60", (0.6, -1.2, 1.5)),
    "random": ("random: 0.50", (0.5,)),
}
DISCOUNTS = {
    "log": ("1/log(1+r), standard", Log()),
    "root": ("1 / √r", Power(0.5)),
    "steep": ("1 / r^0.75", Power(0.75)),
    "zipf": ("1 / r (Zipf)", Zipf()),
    "halves": ("1 / 2^r", Geometric(0.5)),
}
CUTOFFS = {"all": ("the whole list", None), "10": ("the top 10", 10), "0.2": ("the top fifth", 0.2)}
SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
LENGTHS = (1_000, 10_000, 100_000)  # final lengths of the lists on the page
QUERIES = (1, 10, 50, 200)  # numbers of queries over which NDCG is averaged
MOST_ITEMS = 1_000_000  # largest race on the page, in queries times the length of a list


def curve(name):
    """Return the relevance curve of a ranker as text for `ndcg_companion.theory.parse_curve`.

    >>> curve("clear")
    'poly:0.65:-0.3'
    """
    _, coefficients = RANKERS[name]
    family = "poly" if len(coefficients) > 1 else "constant"
    return ":".join(map(str, (family, *coefficients)))


def rivals(first, second):
    """Return the pair of two rankers whose lists the page simulates."""
    return Pair(curve(first), curve(second), coupling="label-first")


@dataclass(frozen=True)
class Bet:
    """A race whose outcome the reader predicts, with its question and the settings in the address."""

    asks: str
    queries: int
    k: str
    a: str = "fiftieth"
    b: str = "random"
    discount: str = "log"
    n: int = 10_000

    @property
    def state(self):
        return {name: value for name, value in vars(self).items() if name != "asks"}


BETS = (
    Bet("Fifty queries, the first ten results count", 50, "10", n=1_000),
    Bet("One query, all 10,000 results count", 1, "all"),
)


class Race:
    """Probabilities that a ranker is ahead, by pair, discount, cut-off, queries and size.

    Parameters
    ----------
    sizes : sequence of int, optional
        Numbers of items; the page interpolates linearly between them.
    """

    def __init__(self, sizes=SIZES):
        self.sizes = sizes

    @property
    def pairs(self):
        """Names of the two rankers of each pair."""
        return list(combinations(RANKERS, 2))

    @cached_property
    def chances(self):
        """Probabilities that the first ranker leads on one list, by pair, discount, cut-off and size."""
        pairs = [rivals(*pair) for pair in self.pairs]
        # The innermost loop is over pairs, so that `theory.exact` has their common integrals in its cache.
        cases = product(DISCOUNTS.values(), CUTOFFS.values(), self.sizes, pairs)
        chances = [ahead_probability(pair, discount, n, k) for (_, discount), (_, k), n, pair in cases]
        shape = len(DISCOUNTS), len(CUTOFFS), len(self.sizes), len(pairs)
        # The axis of the pairs moves from the end to the front.
        return np.moveaxis(np.reshape(chances, shape), -1, 0)

    @cached_property
    def averaged(self):
        """`chances` for the mean over several queries; their number is the last axis but one.

        In units of its own standard deviation, the mean of q independent differences is larger than a single
        difference by a factor of the square root of q.
        """
        return ndtr(ndtri(self.chances)[..., None, :] * np.sqrt(QUERIES)[:, None])

    def chance(self, a, b, discount, k, n, queries=1):
        """Return the probability that ranker a is ahead of ranker b, where b follows a in `RANKERS`."""
        axis_values = self.pairs, list(DISCOUNTS), list(CUTOFFS), QUERIES, self.sizes
        settings = (a, b), discount, k, queries, n
        index = tuple(values.index(setting) for values, setting in zip(axis_values, settings))
        return float(self.averaged[index])

    @property
    def apart(self):
        """Difference in mean NDCG@10 on long lists between the rankers of the bets, as text."""
        # On long lists, the mean NDCG@10 is the constant coefficient of the curve.
        bet, *_ = BETS  # all bets are on the same two rankers
        (_, (mean_a, *_)), (_, (mean_b, *_)) = RANKERS[bet.a], RANKERS[bet.b]
        return f"{mean_a - mean_b:.2f}"

    @property
    def data(self):
        """Data of the script, as plain types."""
        return {
            "rankers": [[name, description, list(g)] for name, (description, g) in RANKERS.items()],
            "discounts": [[name, description] for name, (description, _) in DISCOUNTS.items()],
            "cutoffs": [[name, description, k] for name, (description, k) in CUTOFFS.items()],
            "sizes": list(self.sizes),
            "lengths": [[n, f"{n:,} items"] for n in LENGTHS],
            "queries": [[count, f"{count} queries" if count > 1 else "one query"] for count in QUERIES],
            "mostItems": MOST_ITEMS,
            "apart": self.apart,
            "bets": [[bet.asks, bet.state] for bet in BETS],
            "chances": np.round(self.averaged, 3).tolist(),
        }

    @property
    def fallback(self):
        """HTML table of the probabilities for the bets, for readers without JavaScript."""
        rows = [
            (f"{bet.asks}, 1/log(1+r)", [self.chance(**bet.state | {"n": n}) for n in self.sizes])
            for bet in BETS
        ]
        # The last bet, on the whole list, under all discounts but the first, the log discount.
        *_, last_bet = BETS
        pair_index, cutoff_index = self.pairs.index((last_bet.a, last_bet.b)), list(CUTOFFS).index(last_bet.k)
        _, *other_discounts = DISCOUNTS.values()
        chances_by_discount = self.chances[pair_index, 1:, cutoff_index]
        rows += [
            (f"The same under {description}", chances)
            for (description, _), chances in zip(other_discounts, chances_by_discount, strict=True)
        ]
        return fragment("race-fallback.html", {"apart": self.apart, "sizes": self.sizes, "rows": rows})
