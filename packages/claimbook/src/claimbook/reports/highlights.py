"""Highlights for readers: refuted statements by weight, questions that were open, new results.

Which of these a statement is, the findings say, and how grave a refutation is, its erratum; the sentences
stand in ``highlights.csv``, the heaviest first.
"""

from collections import Counter

from claimbook.evidence import CHECKED, slug
from claimbook.registry import STATED
from claimbook.reports import errata
from claimbook.reports.ledger import ledger
from claimbook.templates import filled

_HOLDS = ("proved here", CHECKED, "consistent")
_LIGHTER = "What is false with less weight"
_ELSEWHERE = ("informal", "left open", "withdrawn")  # kinds of errata that are no part of the rest
_SEVERAL = {  # what several of the rest are called
    "wrong number": "wrong numbers",
    "imprecise": "imprecise lines",
    "ambiguous": "ambiguous lines",
    "gap in a proof": "gaps in proofs",
    "slip in a proof": "slips in proofs",
    "misprint": "misprints",
}


def sentences(book):
    """The sentence about each statement, by its id, in order of weight."""
    return {row.id: row.sentence for row in book.table("highlights.csv", ("id", "sentence"))}


def refuted(book, findings):
    """The contradicted statements of the sources, as rows of the ledger, by the kinds of their errata.

    What no source states is none of them, nor what one says a second time.

    Returns
    -------
    dict
        ``"false"``, ``"informal"`` and ``"lighter"`` to lists, each the heaviest first. One place decides, so
        that no page counts otherwise.
    """
    kinds = {erratum.statement: erratum.kind for erratum in errata.errata(book)}
    order = {known: place for place, known in enumerate(sentences(book))}
    stated = [row for row in ledger(book, findings) if row.reading in STATED]
    rows = [row for row in stated if row.verdict == "contradicted"]
    groups = {"false": [], "informal": [], "lighter": []}
    for row in sorted(rows, key=lambda row: order.get(row.id, len(order))):
        # A statement without an erratum, as nobody expected the contradiction, counts as false.
        kind = kinds.get(row.id, "false")
        if kind.startswith("false"):  # "false as printed", for one
            kind = "false"
        groups[kind if kind in groups else "lighter"].append(row)
    return groups


def count_markdown(book, findings):
    """The numbers of statements of the sources, and of those refuted, in a sentence of Markdown."""
    found = [row for row in ledger(book, findings) if row.verdict]
    if not found:
        return "The number of refuted statements stands here once the whole book has been built."
    stated = sum(row.reading in STATED for row in found)
    fallen = sum(map(len, refuted(book, findings).values()))
    statements, verb = f"statement{'s' * (stated != 1)}", "is" if fallen == 1 else "are"
    return (
        f"Of {stated} {statements}, **{fallen}** {verb} false or too general, as printed or in at least one "
        "interpretation."
    )


def totals_markdown(book, findings):
    """The numbers of statements of the sources that hold, fall or cannot be tested, as a paragraph.

    A statement is counted as printed or as meant, not its correction; what is this book's own, or what a
    source says a second time, is not counted.
    """
    found = [row for row in ledger(book, findings) if row.verdict]
    if not found:
        return "The statements are counted here once the whole book has been built."
    stated = [row for row in found if row.reading in STATED]
    return filled(
        "fragments/totals.md",
        stated=len(stated),
        holds=Counter(row.reading for row in found if row.verdict in _HOLDS),
        refuted={name: len(rows) for name, rows in refuted(book, findings).items()},
        untested=sum(row.verdict == "not testable" for row in stated),
    )


def highlights_markdown(book, findings, addresses, pages, home):
    """Refuted statements, questions that were left open, and new results, as Markdown.

    Parameters
    ----------
    book : Book
    findings : list of dict
        Those of all chapters.
    addresses : dict
        `Address` by label.
    pages : iterable of str
        Names of the pages that can be linked to.
    home : str
        The name of the page that has the errata; empty without one.
    """
    if not sentences(book):
        raise ValueError(
            f"generated='highlights': expected rows in {book.content.name}/highlights.csv (id,sentence)"
        )
    found = {row.id: row for row in ledger(book, findings) if row.verdict}
    if not found:
        return "What was found stands here once the whole book has been built."
    chosen = [found[known] for known in sentences(book) if known in found and slug(known) in addresses]
    that_hold = [row for row in chosen if row.verdict in _HOLDS]
    groups = {name: [row for row in rows if row in chosen] for name, rows in refuted(book, findings).items()}
    parts = {
        "What is false, the heaviest first": groups["false"],
        "What an informal summary puts too widely, in at least one interpretation": groups["informal"],
        _LIGHTER: groups["lighter"],
        "What was left open, and is settled": [row for row in that_hold if row.reading == "left open"],
        "What is new": [row for row in that_hold if row.reading == "ours"],
    }
    known = {"addresses": addresses, "pages": pages, "home": home, "sentences": sentences(book)}
    counts = errata.counts(book)["sources"]
    others = [kind for kind in book.kinds if kind not in _ELSEWHERE and not kind.startswith("false")]
    rest = [f"{_SEVERAL.get(kind, kind)} ({counts[kind]})" for kind in others if counts[kind]]
    return filled("fragments/highlights.md", parts=parts, rest=rest, after=_LIGHTER, **known)
