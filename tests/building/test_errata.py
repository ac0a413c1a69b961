import json
import re

from support import PROJECT

from claimbook.registry import KINDS
from claimbook.reports.errata import as_json, counts, errata
from claimbook.reports.statements import entries
from ndcg_book import BOOK


def test_every_statement_that_is_refuted_has_its_erratum_and_its_kind_fits_its_reading():
    rows = BOOK.registry
    fallen = {statement.id for statement in rows.values() if statement.expected == "contradicted"}
    assert fallen <= {erratum.statement for erratum in errata(BOOK)}
    for erratum in errata(BOOK):
        if erratum.kind.startswith("false") and erratum.statement:
            assert erratum.statement in fallen
            assert erratum.kind.removeprefix("false ") == rows[erratum.statement].reading


# What sums theorems up, and is none.
_SUMMARY = re.compile(r"abstract|introduction|section 1\.1|main results", re.I)


def test_an_informal_statement_of_a_source_is_judged_as_informal():
    """The kind, and the places in both tables, show that a summary is not a theorem."""
    for erratum in errata(BOOK):
        row = BOOK.registry.get(erratum.statement)
        summary = bool(_SUMMARY.search(erratum.place)) and erratum.source != "beyond"
        assert (erratum.kind == "informal") == summary, erratum.id
        if summary:
            assert "informal" in erratum.place and "informal" in row.place, erratum.id
    assert sum(erratum.kind == "informal" for erratum in errata(BOOK)) >= 3


def test_a_term_that_is_read_as_one_notion_of_its_source_is_tried_with_the_others():
    """The paper defines distinguishability twice, and a statement may be true of the weaker notion."""
    notions = {
        row.place.partition(", ")[2].lower()
        for row in BOOK.registry.values()
        if row.id.startswith("wang/definition-") and "distinguishab" in row.statement.lower()
    }
    assert notions == {"definition 5", "definition 18"}
    read = [erratum for erratum in errata(BOOK) if erratum.kind == "ambiguous"]
    assert read
    for erratum in read:
        named = {notion for notion in notions if notion in erratum.correction}
        assert named in (set(), notions), erratum.id


def test_what_was_withdrawn_keeps_its_address_and_counts_for_nothing():
    withdrawn = [erratum for erratum in errata(BOOK) if erratum.kind == "withdrawn"]
    assert withdrawn
    rows, kinds = {entry.label: entry for entry in entries(BOOK, [], {}, {})}, list(KINDS)
    for erratum in withdrawn:
        assert erratum.source != "beyond" and not erratum.statement
        assert "corrected" not in rows[f"erratum-{erratum.id}"].groups
        assert erratum.id in [row["id"] for row in json.loads(as_json(BOOK, [], "statements"))["errata"]]
    assert kinds[-1] == "withdrawn" and kinds[:2] == ["false as printed", "false as meant"]


def test_the_kinds_are_counted_for_the_sources_and_for_this_book():
    for name, ours in (("sources", False), ("this book", True)):
        kinds = [erratum.kind for erratum in errata(BOOK) if (erratum.source == "beyond") == ours]
        assert counts(BOOK)[name] == {kind: kinds.count(kind) for kind in kinds}


def test_every_erratum_is_in_exactly_one_row():
    rows = entries(BOOK, [], {}, {})
    assert sorted(erratum.id for entry in rows for erratum in entry.errata) == sorted(
        erratum.id for erratum in errata(BOOK)
    )
    assert len({entry.label for entry in rows}) == len(rows)


def test_ids_are_addresses_that_stay():
    ids = [erratum.id for erratum in errata(BOOK)]
    assert len(set(ids)) == len(ids)
    for erratum in errata(BOOK):
        assert re.fullmatch(rf"{erratum.source}-[a-z0-9]+(-[a-z0-9]+)*", erratum.id)
        assert not erratum.statement or erratum.statement in BOOK.registry


def test_programs_get_every_erratum_with_its_address_and_its_verdict():
    record = {"statement": "wang/lemma-34", "verdict": "contradicted", "basis": "sample"}
    rows = json.loads(
        as_json(BOOK, [record | {"control_rejected": False, "control_differs": True}], "statements")
    )["errata"]
    assert [row["id"] for row in rows] == [erratum.id for erratum in errata(BOOK)]
    row = next(row for row in rows if row["statement"] == "wang/lemma-34")
    assert row["url"] == "chapters/statements.html#erratum-wang-lemma-34"
    assert row["proof"] == "chapters/when-limits-tie.html#wang-lemma-34"
    assert (row["reading"], row["verdict"]) == ("as printed", "contradicted")


def test_every_entry_is_complete_and_its_proof_exists():
    for erratum in errata(BOOK):
        assert erratum.source in {source.key for source in BOOK.sources} and erratum.kind in KINDS, erratum
        assert erratum.printed.endswith(".") and erratum.correction.endswith("."), erratum
        assert not erratum.statement or erratum.statement.startswith((f"{erratum.source}/", "open/")), erratum
        page, _, anchor = erratum.proof.partition("#")
        source = PROJECT.chapter(page).path.read_text(encoding="utf-8")
        assert f":label: {anchor}\\n" in source or f"({anchor})=\\n" in source, erratum
