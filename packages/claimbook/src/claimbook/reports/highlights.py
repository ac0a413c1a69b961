"""Highlights for readers: refuted statements, settled questions and new results.

The findings determine the group of a statement. If a statement is refuted, its erratum determines how serious
the refutation is. The sentences come from ``highlights.csv``, in order of decreasing importance.
"""

from collections import Counter

from claimbook.evidence import CHECKED, slug
from claimbook.registry import STATED
from claimbook.reports import errata
from claimbook.reports.ledger import ledger
from claimbook.templates import filled

_HOLDS = ("proved here", CHECKED, "consistent")
_LESS_SERIOUS = "What is false but matters less"
_KINDS_LEFT_OUT = ("informal", "left open", "withdrawn")  # of the list of other errata
_PLURALS = {  # the plurals of kinds in the list of the rest
    "wrong number": "wrong numbers",
    "imprecise": "imprecise lines",
    "ambiguous": "ambiguous lines",
    "gap in a proof": "gaps in proofs",
    "slip in a proof": "slips in proofs",
    "misprint": "misprints",
}


def sentences(book):
    """Return the sentence about each statement by id, most important first."""
    return {row.id: row.sentence for row in book.table("highlights.csv", ("id", "sentence"))}


def refuted_by_kind(book, findings):
    """Return the refuted statements of the sources, by the kinds of their errata.

    Returns
    -------
    dict of str to list of Row
        The rows of the ledger under the keys ``"false"``, ``"informal"`` and ``"lighter"``, most important
        first. Repetitions and statements that no source makes are left out.

    Notes
    -----
    All pages use this function to count refutations, so that their numbers agree.
    """
    kind_of_statement = {erratum.statement: erratum.kind for erratum in errata.errata(book)}
    order = {statement: rank for rank, statement in enumerate(sentences(book))}
    stated_rows = [row for row in ledger(book, findings) if row.reading in STATED]
    rows = [row for row in stated_rows if row.verdict == "contradicted"]
    groups = {"false": [], "informal": [], "lighter": []}
    for row in sorted(rows, key=lambda row: order.get(row.id, len(order))):
        # A statement that was contradicted unexpectedly has no erratum and counts as false.
        kind = kind_of_statement.get(row.id, "false")
        if kind.startswith("false"):  # for example "false as printed"
            kind = "false"
        groups[kind if kind in groups else "lighter"].append(row)
    return groups


def count_markdown(book, findings):
    """Return a sentence with the numbers of stated and of refuted statements."""
    judged_rows = [row for row in ledger(book, findings) if row.verdict]
    if not judged_rows:
        return "The number of refuted statements appears here once the whole book has been built."
    stated_count = sum(row.reading in STATED for row in judged_rows)
    count = sum(map(len, refuted_by_kind(book, findings).values()))
    statements, verb = f"statement{'s' * (stated_count != 1)}", "is" if count == 1 else "are"
    return (
        f"Of {stated_count} {statements}, **{count}** {verb} false or too general, as printed or in at least "
        "one interpretation."
    )


def totals_markdown(book, findings):
    """Return the totals of supported, refuted and untestable statements, as Markdown.

    Statements are counted as printed or as meant, not in their corrected form. The book's own results, and
    repetitions within a source, are not counted.
    """
    judged_rows = [row for row in ledger(book, findings) if row.verdict]
    if not judged_rows:
        return "The statements are counted here once the whole book has been built."
    stated_rows = [row for row in judged_rows if row.reading in STATED]
    return filled(
        "fragments/totals.md",
        stated=len(stated_rows),
        holds=Counter(row.reading for row in judged_rows if row.verdict in _HOLDS),
        refuted={name: len(rows) for name, rows in refuted_by_kind(book, findings).items()},
        untested=sum(row.verdict == "not testable" for row in stated_rows),
    )


def highlights_markdown(book, findings, addresses, pages, home):
    """Return refuted statements, settled open questions and new results, as Markdown.

    Parameters
    ----------
    book : Book
        The book.
    findings : list of dict
        The findings of all chapters.
    addresses : dict
        `Address` by label.
    pages : iterable of str
        The names of the pages to which links can lead.
    home : str
        The name of the page with the errata, or an empty text.

    Raises
    ------
    ValueError
        If ``highlights.csv`` has no rows.
    """
    if not sentences(book):
        raise ValueError(
            f"generated='highlights': expected rows in {book.content.name}/highlights.csv (id,sentence)"
        )
    judged_rows = {row.id: row for row in ledger(book, findings) if row.verdict}
    if not judged_rows:
        return "The findings appear here once the whole book has been built."
    chosen_rows = [
        judged_rows[name] for name in sentences(book) if name in judged_rows and slug(name) in addresses
    ]
    supported = [row for row in chosen_rows if row.verdict in _HOLDS]
    groups = {
        name: [row for row in rows if row in chosen_rows]
        for name, rows in refuted_by_kind(book, findings).items()
    }
    parts = {
        "What is false, the most important first": groups["false"],
        "What an informal summary states too generally, in at least one interpretation": groups["informal"],
        _LESS_SERIOUS: groups["lighter"],
        "What was left open and is now settled": [row for row in supported if row.reading == "left open"],
        "What is new": [row for row in supported if row.reading == "ours"],
    }
    fields = {"addresses": addresses, "pages": pages, "home": home, "sentences": sentences(book)}
    counts = errata.counts(book)["sources"]
    other_kinds = [
        kind for kind in book.kinds if kind not in _KINDS_LEFT_OUT and not kind.startswith("false")
    ]
    counts_of_other_kinds = [
        f"{_PLURALS.get(kind, kind)} ({counts[kind]})" for kind in other_kinds if counts[kind]
    ]
    return filled(
        "fragments/highlights.md", parts=parts, rest=counts_of_other_kinds, after=_LESS_SERIOUS, **fields
    )
