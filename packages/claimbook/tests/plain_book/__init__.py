"""The book of the tests: a note with two statements, one of them false.

It has two kinds of parameters.

`SMALL` is the same without any statement, for books of two chapters that treat none.
"""

from dataclasses import replace
from pathlib import Path

from claimbook import Book, Source
from claimbook.parameters import check_word


def shape(text):
    """Return name and number of ``flat:HEIGHT`` or ``power:EXPONENT``, or raise ValueError."""
    name, _, number = text.partition(":")
    check_word("shape", name, ("flat", "power"))
    return name, float(number)


def shapes(text):
    """Return several shapes with blanks between."""
    return [shape(part) for part in text.split()]


BOOK = Book(
    name="plain-book",
    version="1.0",
    command="claimbook",
    packages=("plain_book",),
    content=Path(__file__).with_name("content"),
    sources=(
        Source(key="note", name="A note", short="A note", title="A note that makes two claims"),
        Source(key="own", name="this book", title="Results of this book", own=True),
    ),
    values={"a shape": shape, "shapes": shapes},
    preload=("scipy.stats",),
    data={"Readings": "readings of a thermometer"},
    figures="plain_book.figures",
    links={"chapters/the-readings": ("plain_book", "readings")},
)
SMALL = replace(BOOK, content=Path(__file__).with_name("nothing"))
Page = BOOK.page
