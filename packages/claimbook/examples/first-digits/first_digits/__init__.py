"""Describe this book for the engine: its source, its tables, and the data that its chapters did not create.

A chapter begins with ``page = Page("its-name")``, the `Page` of this book.
"""

from pathlib import Path

from claimbook import Book, Source

BOOK = Book(
    name="first-digits",
    version="1",
    command="claimbook",
    packages=("first_digits",),
    content=Path(__file__).with_name("content"),
    sources=(
        Source(
            key="newcomb",
            name="Newcomb 1881",
            short="Newcomb",
            title="Note on the Frequency of Use of the Different Digits in Natural Numbers (Newcomb 1881)",
            division="Note",
            parts=(
                "first figure",
                "ratios",
                "law",
                "table",
                "later figures",
                "last remark",
            ),
        ),
        Source(key="book", name="this book", title="Results of this book", own=True),
    ),
    preload=("scipy.stats",),
    data={"physical_constants": "physical constants of CODATA, as SciPy has them"},
    synonyms={r"\bbenford\b": "first figure", r"\bdigits?\b": "figure"},
)
Page = BOOK.page
