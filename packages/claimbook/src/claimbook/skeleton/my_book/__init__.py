"""The description of this book for claimbook: its source and its tables.

A chapter begins with ``page = Page("its-name")``.
"""

from pathlib import Path

from claimbook import Book, Source

BOOK = Book(
    name="my-book",
    version="0.1",
    command="claimbook",
    packages=("my_book",),
    content=Path(__file__).with_name("content"),
    sources=(
        # Replace this source by the paper whose claims you check. Ids in registry.csv begin with its key.
        Source(key="note", name="A note", short="A note", title="A note that makes two claims"),
        Source(key="own", name="this book", title="Results of this book", own=True),
    ),
)
Page = BOOK.page
