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

_SUPPORTING_VERDICTS = ("proved here", CHECKED, "consistent")
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
    ranks = {statement: rank for rank, statement in enumerate(sentences(book))}
    stated_rows = [row for row in ledger(book, findings) if row.reading in STATED]
    refuted_rows = [row for row in stated_rows if row.verdict == "contradicted"]
    groups = {"false": [], "informal": [], "lighter": []}
    # Rows without a sentence come last.
    for row in sorted(refuted_rows, key=lambda row: ranks.get(row.id, len(ranks))):
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
    refuted_count = sum(len(rows) for rows in refuted_by_kind(book, findings).values())
    noun = "statement" if stated_count == 1 else "statements"
    verb = "is" if refuted_count == 1 else "are"
    return (
        f"Of {stated_count} {noun}, **{refuted_count}** {verb} false or too general, as printed or in at "
        "least one interpretation."
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
        holds=Counter(row.reading for row in judged_rows if row.verdict in _SUPPORTING_VERDICTS),
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
    sentence_of_statement = sentences(book)
    if not sentence_of_statement:
        raise ValueError(
            f"generated='highlights': expected rows in {book.content.name}/highlights.csv (id,sentence)"
        )
    judged_rows = {row.id: row for row in ledger(book, findings) if row.verdict}
    if not judged_rows:
        return "The findings appear here once the whole book has been built."
    shown_rows = [
        judged_rows[statement]
        for statement in sentence_of_statement
        if statement in judged_rows and slug(statement) in addresses
    ]
    supported = [row for row in shown_rows if row.verdict in _SUPPORTING_VERDICTS]
    refuted = {
        name: [row for row in rows if row in shown_rows]
        for name, rows in refuted_by_kind(book, findings).items()
    }
    rows_by_heading = {  # the reading of a row is one of `registry.READINGS`
        "What is false, the most important first": refuted["false"],
        "What an informal summary states too generally, in at least one interpretation": refuted["informal"],
        _LESS_SERIOUS: refuted["lighter"],
        "What was left open and is now settled": [row for row in supported if row.reading == "left open"],
        "What is new": [row for row in supported if row.reading == "ours"],
    }
    source_count_of_kind = errata.counts(book)["sources"]
    other_kinds = [
        kind for kind in book.kinds if kind not in _KINDS_LEFT_OUT and not kind.startswith("false")
    ]
    return filled(
        "fragments/highlights.md",
        parts=rows_by_heading,
        rest=[
            f"{_PLURALS.get(kind, kind)} ({source_count_of_kind[kind]})"
            for kind in other_kinds
            if source_count_of_kind[kind]
        ],
        after=_LESS_SERIOUS,
        addresses=addresses,
        pages=pages,
        home=home,
        sentences=sentence_of_statement,
    )
