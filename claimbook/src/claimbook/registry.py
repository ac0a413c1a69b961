"""The registry: every statement of the sources, the page that treats it and the verdict expected there."""

from dataclasses import dataclass

from claimbook.evidence import BASES
from claimbook.parameters import check_word

READINGS = {
    "as printed": "the source's own words and hypotheses",
    "as meant": "a reading that the source supports elsewhere",
    "corrected": "what is true instead, by this book",
    "ours": "beyond the sources",
    "left open": "an open question of a source",
}

EXPECTED = dict.fromkeys([*BASES.values(), "contradicted"])  # the verdicts that settle a statement


@dataclass(frozen=True)
class Statement:
    """One row of the registry.

    ``statement`` says in our words what it is about, ``reading`` whose words it has, ``place`` where it
    stands first, ``note`` where else, and under which condition it is read; ``source`` is its `Source`.
    """

    id: str
    page: str
    expected: str
    reading: str
    place: str
    statement: str
    note: str
    source: object


def check_row(table, row, **known):
    """Raise ValueError, with the table and the id of the row, for a column that holds no known word."""
    for column, words in known.items():
        try:
            check_word(column, getattr(row, column), words)
        except ValueError as error:
            raise ValueError(f"{table}, {row.id}: {error}") from None
