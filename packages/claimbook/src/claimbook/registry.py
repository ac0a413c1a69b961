"""The registry: every statement of the sources, the page that treats it and the verdict expected there."""

from dataclasses import dataclass

from claimbook.evidence import BASES, CHECKED
from claimbook.parameters import check_word

READINGS = {
    "as printed": "the source's own words and hypotheses",
    "as meant": "an interpretation that the source supports elsewhere",
    "corrected": "what is true instead, by this book",
    "ours": "beyond the sources",
    "left open": "an open question of a source",
    "repeated": "what another row has of the same source, in other words: it is not counted again",
}
STATED = ("as printed", "as meant")  # readings of what a source says, each counted once

EXPECTED = dict.fromkeys([*BASES.values(), CHECKED, "contradicted"])  # the verdicts that settle a statement


KINDS = {  # of errata, from grave to light, with what each means
    "false as printed": "the source's own words, with its own conditions, have a counterexample",
    "false as meant": "an interpretation that the source itself supports elsewhere has a counterexample",
    "informal": "a summary, in an abstract, introduction or talk, that is too wide in some interpretation",
    "wrong number": "a value that is not what its own definition gives",
    "imprecise": "true under a condition, or in an interpretation, that the text there does not give",
    "ambiguous": "one interpretation is true, another is not, and the text does not choose",
    "left open": "a question of the source, which is answered here",
    "gap in a proof": "a true statement whose argument lacks a step",
    "slip in a proof": "a wrong line, which harms the statement only where the entry says so",
    "misprint": "a slip of the pen",
    "withdrawn": "an erratum that was wrong: the source is right",
}


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

    @property
    def defines(self):
        """Whether it is a definition, of which the registry expects that it is checked."""
        return self.expected == CHECKED


def check_filled(table, row, columns):
    """Raise ValueError, with the table and the id of the row, for an empty cell in one of these columns."""
    for column in columns:
        if not getattr(row, column).strip():
            raise ValueError(f"{table}, {row.id}: {column}='': expected words; it may not be empty")


def check_row(table, row, **known):
    """Raise ValueError, with the table and the id of the row, for a column that holds no known word."""
    for column, words in known.items():
        try:
            check_word(column, getattr(row, column), words)
        except ValueError as error:
            raise ValueError(f"{table}, {row.id}: {error}") from None
