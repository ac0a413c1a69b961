"""The registry of statements, with the page and the expected verdict of each."""

from dataclasses import dataclass

from claimbook.evidence import BASES, CHECKED
from claimbook.parameters import check_word

READINGS = {
    "as printed": "the source's own words and hypotheses",
    "as meant": "an interpretation that the source supports elsewhere",
    "corrected": "what is true instead, according to this book",
    "ours": "beyond the sources",
    "left open": "an open question of a source",
    "repeated": "another row states the same for the source in other words, and only that row is counted",
}
# Interpretations of a source's own statements, each of which is counted once.
STATED = ("as printed", "as meant")

EXPECTED = dict.fromkeys([*BASES.values(), CHECKED, "contradicted"])  # the verdicts that settle a statement


KINDS = {  # the kinds of errata, the most serious first, each with its meaning
    "false as printed": "the source's own words, under its own conditions, have a counterexample",
    "false as meant": "an interpretation that the source itself supports elsewhere has a counterexample",
    "informal": "a summary in an abstract, introduction or talk that is too general in some interpretation",
    "wrong number": "a value that differs from what its own definition gives",
    "imprecise": "true under a condition, or in an interpretation, that the text there does not give",
    "ambiguous": "one interpretation is true, another is not, and the text does not choose",
    "left open": "a question of the source that is answered here",
    "gap in a proof": "a true statement whose argument lacks a step",
    "slip in a proof": "a wrong line in a proof, which affects the statement only if the entry says so",
    "misprint": "a slip of the pen",
    "withdrawn": "an erratum that was itself wrong, because the source is right",
}


@dataclass(frozen=True)
class Statement:
    """One row of the registry.

    Attributes
    ----------
    id : str
        The id of the statement: the key of its source, a slash and a name.
    page : str
        The name of the chapter that treats the statement.
    expected : str
        The expected verdict.
    reading : str
        One of `READINGS`: how the statement relates to the words of its source.
    place : str
        The place where the statement first appears in its source.
    statement : str
        The statement in our words.
    note : str
        Further places in the source, and the condition under which the statement is interpreted.
    source : Source
        The source of the statement.
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
        """Return whether the statement is a definition, whose only verdict is "checked"."""
        return self.expected == CHECKED


def check_filled(table, row, columns):
    """Raise ValueError if one of the given columns of a row is empty.

    The message names the table and the id of the row.
    """
    for column in columns:
        if not getattr(row, column).strip():
            raise ValueError(f"{table}, {row.id}: {column}='': expected words")


def check_row(table, row, **known_words):
    """Raise ValueError if a column of a row contains an unknown word.

    Parameters
    ----------
    table : str
        The name of the table, for the error message.
    row : object
        The row, with its columns as attributes.
    **known_words
        The known words of each column.
    """
    for column, words in known_words.items():
        try:
            check_word(column, getattr(row, column), words)
        except ValueError as error:
            raise ValueError(f"{table}, {row.id}: {error}") from None
