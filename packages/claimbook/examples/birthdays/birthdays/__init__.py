"""Describe this book for claimbook: its source and its tables.

A chapter begins with ``page = Page("its-name")``.
"""

from pathlib import Path

from claimbook import Book, Source

BOOK = Book(
    name="birthdays",
    version="0.1",
    command="claimbook",
    packages=("birthdays",),
    content=Path(__file__).with_name("content"),
    sources=(
        Source(
            key="said",
            name="often said",
            short="Often said",
            title="What is said of birthdays",
        ),
        Source(key="own", name="this book", title="Results of this book", own=True),
    ),
)
Page = BOOK.page
