"""The sources, statement by statement: a page in their own order, and ``statements.json`` for programs."""

import json
import re

from claimbook.evidence import slug
from claimbook.templates import filled


def in_order(book):
    """The statements of the registry by source, each in its own order: as printed, then what corrects it."""
    sources = list(book.sources)
    key = lambda row: (sources.index(row.source), _place(row), row.reading == "corrected")
    return sorted(book.registry.values(), key=key)


def _place(row):
    """Sections before appendices, then by number; what has none ends its section."""
    division, _, rest = row.place.partition(", ")
    begins = [at for at, name in enumerate(row.source.parts) if rest.lower().startswith(name)]
    numbers = [int(number) for number in re.findall(r"\d+", rest)]
    after = [10_000] * (not numbers or rest.startswith("after"))
    natural = [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", division)]
    return division.startswith("Appendix"), natural, begins or [-1], numbers + after


def as_json(book, addresses, verdicts):
    """The contents of ``statements.json`` at the root of the site: every statement whose page stands.

    Parameters
    ----------
    book : Book
    addresses : dict
        `Address` by label.
    verdicts : dict
        Statement id to verdict.
    """
    rows = [
        {
            "id": row.id,
            "source": row.source.name,
            "number": addresses[slug(row.id)].number,
            "title": addresses[slug(row.id)].title,
            "reading": row.reading,
            "verdict": verdicts.get(row.id),
            "checked": _checked(book.checked.get(row.id)),
            "url": addresses[slug(row.id)].url,
        }
        for row in in_order(book)
        if slug(row.id) in addresses
    ]
    return json.dumps({"statements": rows}, indent=1, ensure_ascii=False)


def _checked(proof):
    """The part of a statement that a machine has checked, or None."""
    if proof is None:
        return None
    return {"by": proof.by, "covers": proof.covers, "of": proof.of, "leaves_out": proof.leaves_out}


def statements_markdown(book, addresses, verdicts, titles):
    """The page: for each source a table of its statements, then all results of this book.

    ``titles`` has the title of each page that stands.
    """
    rows = {slug(row.id): row for row in in_order(book)}
    labels = {
        source.title: [label for label, row in rows.items() if row.source is source and label in addresses]
        for source in book.sources
    } | {book.itself.title: [label for label, address in addresses.items() if address.ours]}
    proofs = {slug(name): proof for name, proof in book.checked.items()}
    known = {"proofs": proofs, "addresses": addresses, "verdicts": verdicts, "titles": titles}
    return filled("fragments/statements.md", labels=labels, rows=rows, **known)
