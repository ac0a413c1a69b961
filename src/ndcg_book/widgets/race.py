"""The numbers of the race on the first page: how likely A is ahead of B, on a grid of sizes.

The lists themselves are drawn in the reader's browser (``race.js``), label first: each item is relevant with
probability 1/2, and then each ranker puts it at a depth u of its own, with density proportional to g(u) for a
relevant item and to 1 - g(u) for another. Every curve g is a polynomial in the depth with mean 1/2. On long
lists the mean NDCG@10 of a ranker is g(0), because relevant items can fill the first ten places.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
from scipy.special import ndtr, ndtri

from ndcg_book.widgets import fragment
from ndcg_companion.measures import Geometric, Log, Power, Zipf
from ndcg_companion.theory import Pair, ahead_probability

# By the name that stands in the address: what the reader sees, and the curve's coefficients in u.
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
LENGTHS = (1_000, 10_000, 100_000)  # to which the lists in the page grow
QUERIES = (1, 10, 50, 200)  # over which NDCG is averaged
MOST_ITEMS = 1_000_000  # that the page draws for one race: queries times the length of a list


def curve(name):
    """The relevance curve of a ranker, as text that `ndcg_companion.theory.parse_curve` reads.

    >>> curve("clear")
    'poly:0.65:-0.3'
    """
    coefficients = RANKERS[name][1]
    family = "poly" if len(coefficients) > 1 else "constant"
    return ":".join(map(str, (family, *coefficients)))


def rivals(first, second):
    """The pair of two rankers whose lists the page draws."""
    return Pair(curve(first), curve(second), coupling="label-first")


@dataclass(frozen=True)
class Bet:
    """A race on whose outcome the reader bets before it runs: its names in the address, and the question."""

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
    """The probability to be ahead for each pair of rankers, discount, cut-off, number of queries and size.

    Parameters
    ----------
    sizes : sequence of int, optional
        Numbers of items to compute it for; the page draws straight strokes between them.
    """

    def __init__(self, sizes=SIZES):
        self.sizes = sizes

    @property
    def pairs(self):
        """The names of two rankers, for all pairs."""
        return list(combinations(RANKERS, 2))

    @cached_property
    def chances(self):
        """Array (pairs, discounts, cut-offs, sizes): how likely the first is ahead on one list."""
        pairs = [rivals(*pair) for pair in self.pairs]
        # Pairs innermost: what they have in common is still kept by `theory.exact` when the next one asks.
        cases = product(DISCOUNTS.values(), CUTOFFS.values(), self.sizes, pairs)
        chances = [ahead_probability(pair, D, n, k) for (_, D), (_, k), n, pair in cases]
        shape = len(DISCOUNTS), len(CUTOFFS), len(self.sizes), len(pairs)
        return np.moveaxis(np.reshape(chances, shape), -1, 0)

    @cached_property
    def averaged(self):
        """`chances` of a mean over several queries: their number, one of `QUERIES`, is the last axis but one.

        The mean of q independent differences is the root of q times further from 0, in its own standard
        deviations, than one of them.
        """
        return ndtr(ndtri(self.chances)[..., None, :] * np.sqrt(QUERIES)[:, None])

    def chance(self, a, b, discount, k, n, queries=1):
        """How likely the ranker a is ahead of b, which stands after it in `RANKERS`, by their names."""
        names = self.pairs, list(DISCOUNTS), list(CUTOFFS), QUERIES, self.sizes
        place = tuple(map(lambda known, one: known.index(one), names, ((a, b), discount, k, queries, n)))
        return float(self.averaged[place])

    @property
    def apart(self):
        """How far the rankers of the bets are apart in mean NDCG@10 on long lists, as text."""
        return f"{RANKERS[BETS[0].a][1][0] - RANKERS[BETS[0].b][1][0]:.2f}"

    @property
    def data(self):
        """What the script needs, as plain types."""
        return {
            "rankers": [[name, says, list(g)] for name, (says, g) in RANKERS.items()],
            "discounts": [[name, says] for name, (says, _) in DISCOUNTS.items()],
            "cutoffs": [[name, says, k] for name, (says, k) in CUTOFFS.items()],
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
        """For readers without JavaScript: a table of the chances that the bets are about."""
        rows = [
            (f"{bet.asks}, 1/log(1+r)", [self.chance(**bet.state | {"n": n}) for n in self.sizes])
            for bet in BETS
        ]
        pair, whole = self.pairs.index((BETS[0].a, BETS[0].b)), list(CUTOFFS).index("all")
        slower = list(DISCOUNTS.values())[1:]
        rows += [
            (f"The same under {says}", chances)
            for (says, _), chances in zip(slower, self.chances[pair, 1:, whole], strict=True)
        ]
        return fragment("race-fallback.html", {"apart": self.apart, "sizes": self.sizes, "rows": rows})
