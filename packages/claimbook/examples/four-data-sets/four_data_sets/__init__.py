"""Describe this book for claimbook: its sources, its tables and its data."""

from pathlib import Path

from claimbook import Book, Source

DATA = Path(__file__).parents[1] / "data"
BOOK = Book(
    name="four-data-sets",
    version="0.1",
    command="claimbook",
    packages=("four_data_sets",),
    content=Path(__file__).with_name("content"),
    sources=(
        Source(
            key="anscombe",
            name="Anscombe 1973",
            short="Anscombe",
            title="Graphs in Statistical Analysis",
            division="Summary",
        ),
        Source(
            key="said",
            name="often said",
            short="Often said",
            title="What is often said of them",
        ),
        Source(key="own", name="this book", title="Results of this book", own=True),
    ),
)
Page = BOOK.page
