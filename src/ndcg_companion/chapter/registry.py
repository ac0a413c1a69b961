"""The registry: every statement of the sources, the page that treats it and the verdict expected there."""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

SOURCES = {
    "wang": "Wang et al. 2013",
    "deck": "Wang et al., slides",
    "rankdcg": "Katerenchuk and Rosenberg 2016",
    "linear": "Jin and Geng",
    "open": "left open by Wang et al. 2013",
    "beyond": "this book",
}

READINGS = {
    "as printed": "the source's own words and hypotheses",
    "as meant": "a reading that the source supports elsewhere",
    "corrected": "what is true instead, by this book",
    "ours": "beyond the sources",
    "left open": "an open question of a source",
}


@dataclass(frozen=True)
class Statement:
    """One row of the registry.

    ``statement`` says in our words what it is about, ``reading`` whose words it has, ``place`` where it
    stands first, ``note`` where else, and under which condition it is read.
    """

    id: str
    page: str
    expected: str
    reading: str
    place: str
    statement: str
    note: str

    @property
    def source(self):
        return SOURCES[self.id.partition("/")[0]]


@cache
def registry():
    """Statement by id, in the order of the book.

    >>> registry()["wang/theorem-4"].page
    'everything-tends-to-one'
    """
    with files("ndcg_companion.chapter").joinpath("registry.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: Statement(**row) for row in csv.DictReader(file, restval="")}
