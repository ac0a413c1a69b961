"""The numbers of the race on the first page: how likely A is ahead of B, on a grid of sizes.

The lists themselves are drawn in the reader's browser (``race.js``), label first: each item is relevant with
probability 1/2, and then each ranker puts it at a depth u of its own, with density proportional to g(u) for a
relevant item and to 1 - g(u) for another. Every curve g is a polynomial in the depth with mean 1/2.
"""

from functools import cached_property
from itertools import combinations, product

import numpy as np

from ndcg_companion.book.widgets import fragment
from ndcg_companion.measures import Geometric, Log, Power, Zipf
from ndcg_companion.theory import Pair, ahead_probability

# By the name that stands in the address: what the reader sees, and the curve's coefficients in u.
RANKERS = {
    "clear": ("much better on top", (0.65, -0.3)),
    "slight": ("slightly better on top", (0.55, -0.1)),
    "tied": ("tied under 1/√r", (0.6, -1.2, 1.5)),
    "random": ("random", (0.5,)),
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


class Race:
    """The probability to be ahead for each pair of rankers, discount, cut-off and size.

    Parameters
    ----------
    sizes : sequence of int, optional
        Numbers of items to compute it for; the page draws straight strokes between them.
    """

    def __init__(self, sizes=SIZES):
        self.sizes = sizes

    @cached_property
    def chances(self):
        """Array (pairs, discounts, cut-offs, sizes): how likely the first of the pair is ahead."""
        cases = product(combinations(RANKERS, 2), DISCOUNTS.values(), CUTOFFS.values(), self.sizes)
        chances = [ahead_probability(rivals(*pair), D, n, k) for pair, (_, D), (_, k), n in cases]
        return np.reshape(chances, (-1, len(DISCOUNTS), len(CUTOFFS), len(self.sizes)))

    @property
    def data(self):
        """What the script needs, as plain types."""
        return {
            "rankers": [[name, says, list(g)] for name, (says, g) in RANKERS.items()],
            "discounts": [[name, says] for name, (says, _) in DISCOUNTS.items()],
            "cutoffs": [[name, says, k] for name, (says, k) in CUTOFFS.items()],
            "sizes": list(self.sizes),
            "lengths": [[n, f"{n:,} items"] for n in LENGTHS],
            "chances": np.round(self.chances, 4).tolist(),
        }

    @property
    def fallback(self):
        """For readers without JavaScript: a table of the chances of the first race."""
        pair, whole = list(combinations(RANKERS, 2)).index(("clear", "random")), list(CUTOFFS).index("all")
        rows = zip((says for says, _ in DISCOUNTS.values()), self.chances[pair, :, whole])
        return fragment("race-fallback.html", {"sizes": self.sizes, "rows": rows})
