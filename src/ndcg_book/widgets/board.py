"""The board of the playground: ten graded documents, the conventions of measures, and an address."""

import re
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from operator import add

import numpy as np

from ndcg_book.widgets import fragment
from ndcg_companion.checks import check_choice, check_int, raise_if
from ndcg_companion.measures import (
    Geometric,
    Log,
    Power,
    dcg,
    ideal_dcg,
    linear_ndcg,
    ndcg,
    parse_discount,
    rankdcg,
)
from ndcg_companion.measures.ties import check_ties

SIZE = 10
# The documents of the first chapter, by letter. They are results for the question of how to repot an orchid.
TITLES = {
    "A": "When does an orchid need a new pot?",
    "B": "Repotting a cactus",
    "C": "Repotting an orchid, step by step",
    "D": "Orchids of the Alps",
    "E": "Orchid care for beginners",
    "F": "Bark or moss: choosing a mix",
    "G": "Why orchid roots turn brown",
    "H": "Orchid, a perfume",
    "I": "Orchid pots, all sizes",
    "J": "Hotel Orchid, rooms with balcony",
}
HIGHEST_GRADE = 3
HIGHEST_BETA = 2.0


@dataclass(frozen=True)
class Board:
    """Ten documents in ranked order, and the conventions of the measures.

    Scores belong to positions, not to documents. They decrease from position to position, except within ties.

    Parameters
    ----------
    documents : str
        A letter from A to J and a grade from 0 to 3 for each document, with ``.`` between neighbours and
        ``~`` between tied ones.
    discount : str
        ``log``, ``power:BETA`` with BETA from 0 to 2, or ``geometric:0.5``.
    gain : {"linear", "exponential"}
    k : int
        Cut-off of DCG and NDCG.
    ties : {"average", "best", "worst", "stable"}
        Treatment of ties, for all measures.
    shown : {"ndcg", "rankdcg", "linear"}
        The measure whose sum the playground shows position by position.

    Raises
    ------
    ValueError
        If an argument has any other value.

    Examples
    --------
    >>> Board("A2.B0.C3.D0.E1.F2.G1.H0.I1.J0").swap(2).documents
    'A2.C3.B0.D0.E1.F2.G1.H0.I1.J0'
    """

    documents: str
    discount: str = "log"
    gain: str = "linear"
    k: int = SIZE
    ties: str = "average"
    shown: str = "ndcg"

    def __post_init__(self):
        text, document_pattern = str(self.documents), f"[A-J][0-{HIGHEST_GRADE}]"
        is_list = re.fullmatch(rf"({document_pattern}[.~]){{{SIZE - 1}}}{document_pattern}", text)
        letters = re.findall("[A-J]", text)
        expected = (
            f"each letter from A to J once, each with a grade from 0 to {HIGHEST_GRADE}, '.' between "
            "neighbours or '~' between tied ones"
        )
        raise_if(not is_list or len(set(letters)) < SIZE, "documents", self.documents, expected)
        discount = parse_discount(self.discount)
        is_offered_power = isinstance(discount, Power) and discount.beta <= HIGHEST_BETA
        expected = "log, power:BETA, BETA up to 2, or geometric:0.5"
        is_offered = is_offered_power or discount in (Log(), Geometric(0.5))
        raise_if(not is_offered, "discount", self.discount, expected)
        check_choice("gain", self.gain, ("linear", "exponential"))
        check_int("k", self.k, 1, SIZE)
        check_ties(self.ties)
        check_choice("shown", self.shown, ("ndcg", "rankdcg", "linear"))

    @cached_property
    def labels(self):
        """Grades in ranked order."""
        return [int(grade) for grade in re.findall(r"\d", self.documents)]

    @cached_property
    def scores(self):
        """Possible scores of the positions: decreasing whole numbers, equal for tied positions."""
        is_decrease = [separator == "." for separator in re.findall("[.~]", self.documents)]
        return [SIZE - sum(is_decrease[:position]) for position in range(SIZE)]

    @property
    def address(self):
        """Fragment of the playground's address that restores this board."""
        return "#" + "&".join(f"{name}={value}" for name, value in asdict(self).items())

    @cached_property
    def measures(self):
        """The four measures of the playground by name; NaN for undefined values."""
        discount, labels_and_scores = parse_discount(self.discount), (self.labels, self.scores)
        options = {"discount": discount, "gain": self.gain, "k": self.k, "ties": self.ties}
        return {
            "dcg": dcg(*labels_and_scores, **options),
            "ndcg": ndcg(*labels_and_scores, **options),
            "rankdcg": rankdcg(*labels_and_scores, ties=self.ties),
            "linear": linear_ndcg(*labels_and_scores, ties=self.ties),
        }

    def move(self, rank, to):
        """Return the board with the document at a rank moved to another rank.

        The separators stay, and with them the scores of the positions.
        """
        documents, separators = re.findall(r"\w\d", self.documents), [*re.findall("[.~]", self.documents), ""]
        documents.insert(to - 1, documents.pop(rank - 1))
        return replace(self, documents="".join(map(add, documents, separators)))

    def swap(self, rank):
        """Return the board after exchanging the documents at this rank and the next rank."""
        return self.move(rank, rank + 1)

    def change(self, other):
        """Return the difference of each measure between another board and this one."""
        return {name: other.measures[name] - value for name, value in self.measures.items()}

    @property
    def fallback(self):
        """The HTML `table` with all four measures."""
        return self.table()

    def table(self, measures=4):
        """Return an HTML table of DCG's terms and the first measures, for pages without JavaScript."""
        # DCG and ideal DCG of the first 0, 1, 2, ... positions, and of the first 1, 2, ... positions.
        discount, dcg_sums, ideal_sums = parse_discount(self.discount), [0.0], []
        for rank in range(1, SIZE + 1):
            options = {"discount": discount, "gain": self.gain, "k": min(rank, self.k)}
            dcg_sums.append(dcg(self.labels, self.scores, **options, ties=self.ties))
            ideal_sums.append(ideal_dcg(self.labels, **options))
        documents, discounts = re.findall(r"\w\d", self.documents), discount(np.arange(1.0, SIZE + 1))
        numbers = zip(discounts, np.diff(dcg_sums), dcg_sums[1:], ideal_sums)
        rows = zip(documents, numbers)
        shown_measures = list(self.measures.values())[:measures]
        data = {"rows": rows, "k": self.k, "measures": shown_measures, "titles": TITLES}
        return fragment("playground-fallback.html", data)
