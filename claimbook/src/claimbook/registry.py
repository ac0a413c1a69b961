"""The registry: every statement of the sources, the page that treats it and the verdict expected there."""

from dataclasses import dataclass

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
