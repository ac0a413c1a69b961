"""The board of the playground: ten graded documents in a row, how they are measured, their address."""

import re
from dataclasses import asdict, dataclass, replace
from functools import cached_property

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
HIGHEST_GRADE = 3
HIGHEST_BETA = 2.0


@dataclass(frozen=True)
class Board:
    """Ten documents from the top, and how they are measured.

    The scores belong to the places, not to the documents: they fall from place to place, except between
    tied ones.

    Parameters
    ----------
    documents : str
        A letter from A to J and a grade from 0 to 3 for each document, with ``.`` between neighbours and
        ``~`` between tied ones.
    discount : str
        ``log``, ``power:BETA`` with BETA from 0 to 2, or ``geometric:0.5``.
    gain : {"linear", "exponential"}
    k : int
        Places that count for DCG and NDCG.
    ties : {"average", "best", "worst", "stable"}
        For all measures.
    shown : {"ndcg", "rankdcg", "linear"}
        The measure whose sum the playground shows place by place.

    Raises
    ------
    ValueError
        For anything else.

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
        letters = re.findall("[A-J]", str(self.documents))
        entry = f"[A-J][0-{HIGHEST_GRADE}]"
        if (
            not re.fullmatch(rf"({entry}[.~]){{{SIZE - 1}}}{entry}", str(self.documents))
            or len(set(letters)) < SIZE
        ):
            raise ValueError(
                f"documents={self.documents!r}: expected each letter from A to J once, each with a grade "
                "from 0 to "
                f"{HIGHEST_GRADE}, '.' between neighbours or '~' between tied ones"
            )
        discount = parse_discount(self.discount)
        beta = discount.beta if isinstance(discount, Power) else 0.0
        if not (isinstance(discount, Log | Power) or discount == Geometric(0.5)) or beta > HIGHEST_BETA:
            raise ValueError(
                f"discount={self.discount!r}: expected log, power:BETA, BETA up to 2, or geometric:0.5"
            )
        if self.gain not in ("linear", "exponential"):
            raise ValueError(f"gain={self.gain!r}: expected linear or exponential")
        if type(self.k) is not int or not 1 <= self.k <= SIZE:
            raise ValueError(f"k={self.k!r}: expected a whole number from 1 to {SIZE}")
        check_ties(self.ties)
        if self.shown not in ("ndcg", "rankdcg", "linear"):
            raise ValueError(f"shown={self.shown!r}: expected ndcg, rankdcg or linear")

    @cached_property
    def labels(self):
        """The grades, from the top."""
        return [int(grade) for grade in re.findall(r"\d", self.documents)]

    @cached_property
    def scores(self):
        """What a ranker may have given the places: whole numbers that fall, equal where places are tied."""
        scores = [SIZE]
        for mark in re.findall("[.~]", self.documents):
            scores.append(scores[-1] - (mark == "."))
        return scores

    @property
    def address(self):
        """The part of the playground's address that brings this board back."""
        return "#" + "&".join(f"{name}={value}" for name, value in asdict(self).items())

    @cached_property
    def measures(self):
        """The four measures of the playground by name; NaN where one is not defined."""
        discount, ranked = parse_discount(self.discount), (self.labels, self.scores)
        options = {"discount": discount, "gain": self.gain, "k": self.k, "ties": self.ties}
        return {
            "dcg": dcg(*ranked, **options),
            "ndcg": ndcg(*ranked, **options),
            "rankdcg": rankdcg(*ranked, ties=self.ties),
            "linear": linear_ndcg(*ranked, ties=self.ties),
        }

    def move(self, rank, to):
        """The board with the document at a rank moved to another; the documents between make room."""
        row, marks = re.findall(r"\w\d", self.documents), [*re.findall("[.~]", self.documents), ""]
        row.insert(to - 1, row.pop(rank - 1))
        return replace(
            self, documents="".join(document + mark for document, mark in zip(row, marks, strict=True))
        )

    def swap(self, rank):
        """The board with the documents at this rank and the next one exchanged."""
        return self.move(rank, rank + 1)

    def change(self, other):
        """How much higher each measure is for another board."""
        return {name: other.measures[name] - value for name, value in self.measures.items()}

    @property
    def fallback(self):
        """An HTML table for readers without JavaScript: what each place earns, and the four measures."""
        discount = parse_discount(self.discount)
        ranked = (self.labels, self.scores)
        rows, so_far = [], 0.0
        for place, document in enumerate(re.findall(r"\w\d", self.documents)):
            options = {"discount": discount, "gain": self.gain, "k": min(place + 1, self.k)}
            above, so_far = so_far, dcg(*ranked, **options, ties=self.ties)
            cells = (float(discount(place + 1.0)), so_far - above, so_far, ideal_dcg(self.labels, **options))
            numbers = "".join(f"<td>{cell:.6f}</td>" for cell in cells)
            name = f"{document[0]}, grade {document[1]}"
            rows.append(f'<tr><td>{place + 1}</td><th scope="row">{name}</th>{numbers}</tr>')
        names = (f"DCG@{self.k}", f"NDCG@{self.k}", "RankDCG", "linear NDCG")
        measures = ", ".join(
            f"{name} {value:.6f}" for name, value in zip(names, self.measures.values(), strict=True)
        )
        columns = ("rank", "document", "discount", "earns", "DCG so far", "ideal DCG so far")
        head, body = "".join(f'<th scope="col">{name}</th>' for name in columns), "".join(rows)
        return (
            "<p>With JavaScript, the documents of this list can be dragged, and the measures follow.</p>"
            f'<table class="table"><caption>{measures}</caption><thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table>"
        )
