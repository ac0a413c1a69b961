"""The table of all statements and errata, and ``statements.json``."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace

from claimbook.evidence import NEARLY_EXACT, SHAPES, slug
from claimbook.registry import READINGS
from claimbook.reports import errata
from claimbook.reports.dependencies import corrections, links_between, picture
from claimbook.reports.highlights import refuted_by_kind
from claimbook.reports.ledger import ledger
from claimbook.templates import filled, typeset

# The states of statements without a finding, with their shapes. The shapes of verdicts are in SHAPES.
UNJUDGED = {"proved on its page": "◆", "a definition": "◇", "not judged in this build": "–"}


def in_order(book):
    """Return the statements of the registry by source, in the order of each source.

    A correction follows the printed statement.
    """
    sources = list(book.sources)
    sort_key = lambda row: (sources.index(row.source), *_place_key(row, row.reading))
    return sorted(book.registry.values(), key=sort_key)


def _place_key(row, reading):
    """Return the sort key of a place within its source, such as "Section 3.2, Theorem 8".

    Sections come before appendices, and both are in the order of their numbers. A place without a number
    comes last in its section, and a correction follows its statement.
    """
    division, _, place_in_division = row.place.partition(", ")
    place_text = place_in_division.lower()
    part_ranks = [rank for rank, part in enumerate(row.source.parts) if place_text.startswith(part)]
    numbers = [int(number) for number in re.findall(r"\d+", place_in_division)]
    if not numbers or place_in_division.startswith("after"):
        numbers.append(10_000)  # larger than any number of a statement
    # Numbers are compared as numbers, so that Section 10 follows Section 9.
    division_key = [int(text) if text.isdecimal() else text for text in re.split(r"(\d+)", division)]
    return division.startswith("Appendix"), division_key, part_ranks or [-1], numbers, reading == "corrected"


def as_json(book, addresses, verdicts):
    """Return the contents of ``statements.json``: all statements with a page.

    Parameters
    ----------
    book : Book
        The book.
    addresses : dict
        `Address` by label.
    verdicts : dict
        The verdict on each statement, by its id.
    """
    rows = [
        {
            "id": row.id,
            "source": row.source.name,
            "number": address.number,
            "title": address.title,
            "reading": row.reading,
            "verdict": verdicts.get(row.id),
            "checked": _summary_of_proof(book.checked.get(row.id)),
            "url": address.url,
        }
        for row in in_order(book)
        if (address := addresses.get(slug(row.id)))
    ]
    return json.dumps({"statements": rows}, indent=1, ensure_ascii=False)


def _summary_of_proof(proof):
    """Return which part of a statement a machine-checked proof covers, or None."""
    if proof is None:
        return None
    return {"by": proof.by, "covers": proof.covers, "of": proof.of, "leaves_out": proof.leaves_out}


@dataclass(frozen=True)
class Entry:
    """A row of the table: a statement, a result of this book, or an erratum.

    Attributes
    ----------
    label : str
        The anchor of the row.
    source : Source
        The source of the statement.
    place : str
        The place in the source.
    number, name, title : str
        As in `Address`.
    says : str
        What the row says, as a plain sentence in Markdown.
    interpretation : str
        One of `READINGS`, or the kind of an erratum.
    state : str
        The verdict, or the state if there is no verdict. It is empty for an erratum.
    page : str
        The page that treats the statement.
    row : Row, optional
        The statement's row in the ledger.
    errata : list
        The errata of the statement.
    proof : Proof, optional
        The machine-checked proof.
    rests_on : list of str
        The labels of the statements on which the proof depends.
    groups : list of str
        The filters that show the row.
    """

    label: str
    source: object
    place: str
    number: str
    name: str
    title: str
    says: str
    interpretation: str
    state: str
    page: str
    row: object = None
    errata: list = field(default_factory=list)
    proof: object = None
    rests_on: list = field(default_factory=list)
    groups: list = field(default_factory=list)

    @property
    def shape(self):
        return {**SHAPES, **UNJUDGED}[self.state]


def entries(book, findings, addresses, links):
    """Return the rows of the table by source, in the order of each source.

    The rows with results of this book come last.

    Parameters
    ----------
    book : Book
        The book.
    findings : list of dict
        The findings of all chapters.
    addresses : dict
        `Address` by label.
    links : dict
        For each label, the labels to which its proof links.
    """
    rows = {slug(row.id): row for row in ledger(book, findings)}
    labels = [slug(row.id) for row in in_order(book) if row.source is not book.itself]
    # The book's own results, including those outside the registry, are in the order of its pages. Results
    # without a page come last.
    results = [label for label in addresses if label not in rows or rows[label].source is book.itself]
    labels += dict.fromkeys([*results, *(label for label in rows if label not in labels)])
    all_errata = errata.errata(book)
    refuted_labels = {
        slug(row.id) for refuted_rows in refuted_by_kind(book, findings).values() for row in refuted_rows
    }
    proofs = {slug(name): proof for name, proof in book.checked.items()}
    table = [
        replace(
            _entry_of_statement(book, label, rows.get(label), addresses.get(label)),
            errata=[erratum for erratum in all_errata if slug(erratum.statement) == label],
            proof=proofs.get(label),
            rests_on=links.get(label, []),
        )
        for label in labels
    ]
    table += [_entry_of_erratum(book, erratum) for erratum in all_errata if not erratum.statement]
    sources = list(book.sources)

    def sort_key(entry):
        rank = sources.index(entry.source)
        if entry.source is book.itself:
            return (rank,)  # the sort is stable, so the order above remains
        return rank, *_place_key(entry, entry.interpretation)

    table.sort(key=sort_key)
    return [replace(entry, groups=_filters_of(entry, entry.label in refuted_labels)) for entry in table]


def _entry_of_statement(book, label, row, address):
    """Return the entry of a row of the ledger, of a box on a page, or of both.

    One of ``row`` and ``address`` may be None.
    """
    if row:
        state = row.verdict or "not judged in this build"
    else:
        state = "a definition" if address.defines else "proved on its page"
    if address:
        # The name of a result of this book may end with its place in a source, in parentheses.
        number = address.name.partition(" (")[0] if address.ours else address.number
    else:
        number = row.place
    return Entry(
        label=label,
        source=row.source if row else book.itself,
        place=row.place if row else "",
        number=number,
        name=address.name if address else row.place,
        title=address.title if address else row.statement,
        says=typeset(row.statement) if row else address.title,
        interpretation=row.reading if row else "ours",
        state=state,
        page=row.page if row else address.page,
        row=row,
    )


def _entry_of_erratum(book, erratum):
    """Return the row of an erratum that has no statement in the registry."""
    source = next(source for source in book.sources if source.key == erratum.source)
    return Entry(
        label=f"erratum-{erratum.id}",
        source=source,
        place=erratum.place,
        number=f"Erratum, {erratum.place}",
        name=erratum.place,
        title="",
        says=erratum.printed,
        interpretation=erratum.kind,
        state="",
        page=erratum.proof.partition("#")[0],
        errata=[erratum],
    )


def _filters_of(entry, is_refuted):
    """Return the names of the filters that show a row, as used in addresses."""
    kinds = [erratum.kind for erratum in entry.errata]
    is_corrected = any(kind not in ("withdrawn", "left open") for kind in kinds)
    is_ours = entry.state and (entry.source.own or entry.interpretation == "ours")
    shows_entry = {
        "false": is_refuted,
        "corrected": is_corrected or entry.interpretation == "corrected",
        "ours": is_ours,
        "left-open": "left open" in (entry.interpretation, *kinds),
        _filter_of_proof(entry.proof): entry.proof,
        f"source-{entry.source.key}": True,
        f"chapter-{entry.page}": True,
    }
    return [name for name, shows in shows_entry.items() if shows]


def _filter_of_proof(proof):
    """Return the name of the filter for a program that checked proofs, such as Lean."""
    return f"checked-by-{proof.by.lower().replace(' ', '-')}" if proof else ""


def statements_markdown(book, findings, addresses, titles, texts, parts):
    """Return the page with the picture of dependencies and the table, as Markdown.

    Parameters
    ----------
    book : Book
        The book.
    findings : list of dict
        The findings of all chapters.
    addresses : dict
        `Address` by label.
    titles : dict
        The titles of the pages in this run, by name.
    texts : dict
        The Markdown of each page.
    parts : dict
        The part of the book to which each page belongs, by the page's name.
    """
    links = links_between(addresses, texts.values())
    table = entries(book, findings, addresses, links)
    by_label = {entry.label: entry for entry in table}
    correction_of_label = {
        label: correction
        for label, correction in corrections(book).items()
        if label in addresses and correction in addresses
    }
    part_of_label = {label: parts.get(address.page, "") for label, address in addresses.items()}
    row_counts = Counter(name for entry in table for name in entry.groups)  # by the name of the filter
    filters = {"false": "false", "corrected": "corrected", "ours": "ours", "left-open": "left open"}
    filters |= {_filter_of_proof(proof): f"checked by {proof.by}" for proof in book.checked.values()}
    erratum_counts = errata.counts(book)
    kinds_used = {kind for counts in erratum_counts.values() for kind in counts}
    interpretations_used = {entry.interpretation for entry in table}
    return filled(
        "fragments/statements.md",
        picture=picture(links, correction_of_label, by_label, part_of_label),
        filters=filled(
            "fragments/filters.html",
            show=[(name, words, row_counts[name]) for name, words in filters.items() if row_counts[name]],
            sources=[source for source in book.sources if row_counts[f"source-{source.key}"]],
            chapters={page: title for page, title in titles.items() if row_counts[f"chapter-{page}"]},
        ),
        table=table,
        by_label=by_label,
        titles=titles,
        shapes_used={entry.state: entry.shape for entry in table if entry.state},
        interpretations=[word for word in READINGS if word in interpretations_used],
        kinds={kind: meaning for kind, meaning in book.kinds.items() if kind in kinds_used},
        counts=erratum_counts,
        nearly_exact=NEARLY_EXACT,
    )
