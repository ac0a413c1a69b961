import json

from support import PROJECT, finding

from claimbook.evidence import slug
from claimbook.reports.highlights import refuted_by_kind
from claimbook.reports.statements import as_json, entries, in_order
from claimbook.sphinxext.labels import Address
from ndcg_book import BOOK


def address(label, number, name="", title="A | bar"):
    return Address(label, "page", number, name or f"Wang et al., {number}", title, name.startswith("C"))


def test_statements_follow_the_order_of_their_source():
    order = [row.id for row in in_order(BOOK)]
    assert set(order) == set(BOOK.registry)
    numbered = [f"wang/theorem-{number}" for number in (4, 6, 7, 9, 11, 12, 13, 14, 15, 16, 17, 19)]
    assert [statement for statement in order if statement in numbered] == numbered
    assert order.index("wang/definition-2") < order.index("wang/lemma-3") < order.index("wang/theorem-4")
    assert order.index("wang/theorem-17") < order.index("wang/figure-1") < order.index("wang/definition-18")
    poster = ["rankdcg/constraint-1", "rankdcg/definition-f", "rankdcg/formula", "rankdcg/table-tests"]
    assert sorted(poster, key=order.index) == poster
    assert (
        order.index("linear/equation-1") < order.index("linear/theorem-1") < order.index("linear/theorem-2")
    )
    last = order.index("wang/lemma-34")
    assert (
        last
        < order.index("deck/beta-above-1")
        < order.index("rankdcg/formula")
        < order.index("linear/theorem-1")
    )


def test_a_printed_statement_comes_before_its_correction():
    position_of = {row.id: position for position, row in enumerate(in_order(BOOK))}
    printed = {row.place: row.id for row in BOOK.registry.values() if row.reading != "corrected"}
    corrected = [row for row in BOOK.registry.values() if row.reading == "corrected"]
    places = {row.id: row.place.partition(", corrected")[0] for row in corrected}
    pairs = [
        (printed[source_place], corrected_id)
        for corrected_id, source_place in places.items()
        if source_place in printed
    ]
    assert len(pairs) > 5 and all(position_of[first] < position_of[second] for first, second in pairs)


def test_programs_get_every_statement_that_has_an_address():
    addresses = {
        "wang-theorem-6": address("wang-theorem-6", "Theorem 6"),
        "lemma-own": address("lemma-own", "C1", "C1"),
    }
    (row,) = json.loads(as_json(BOOK, addresses, {"wang/theorem-6": "consistent"}))["statements"]
    assert row == {
        "id": "wang/theorem-6",
        "source": "Wang et al. 2013",
        "number": "Theorem 6",
        "title": "A | bar",
        "reading": "as printed",
        "verdict": "consistent",
        "checked": None,
        "url": "chapters/page.html#wang-theorem-6",
    }


def test_programs_learn_what_a_machine_has_checked():
    addresses = {"linear-theorem-3": address("linear-theorem-3", "Theorem 3")}
    (row,) = json.loads(as_json(BOOK, addresses, {}))["statements"]
    assert row["checked"] == {"by": "Coq", "covers": "whole", "of": "statement", "leaves_out": ""}
    (entry,) = (entry for entry in entries(BOOK, [], addresses, {}) if entry.label == "linear-theorem-3")
    assert entry.proof.name == "checked by Coq" and "checked-by-coq" in entry.groups


def test_the_table_has_statements_and_errata_by_source_and_then_what_is_ours_in_reading_order():
    ours = address("open-zipf-distinguishability", "Section 3.2, left open", "C1 (left open)")
    addresses = {
        slug(label): address(slug(label), "Theorem 7") for label in ("wang/theorem-7", "wang/theorem-4")
    }
    addresses |= {ours.label: ours, "lemma-own": address("lemma-own", "C2", "C2")}
    rows = entries(BOOK, [finding("wang/theorem-7", "contradicted")], addresses, {})
    sources = [entry.source for entry in rows]
    assert [*dict.fromkeys(sources)] == list(BOOK.sources) and sources == sorted(
        sources, key=BOOK.sources.index
    )
    labels = [entry.label for entry in rows]
    assert set(map(slug, BOOK.registry)) < set(labels) and len(labels) == len(set(labels))
    order = ["erratum-wang-labels", "wang-theorem-4", "wang-theorem-7", ours.label, "lemma-own"]
    assert sorted(order, key=labels.index) == order
    by_label = dict(zip(labels, rows, strict=True))
    theorem = by_label["wang-theorem-7"]
    assert (theorem.interpretation, theorem.state) == ("as printed", "contradicted")
    assert by_label[ours.label].number == "C1" and by_label["lemma-own"].state == "proved on its page"


def test_the_filter_of_what_is_false_shows_what_is_counted_as_refuted():
    findings = [finding(row.id, row.expected) for row in BOOK.registry.values()]
    shown = {entry.label for entry in entries(BOOK, findings, {}, {}) if "false" in entry.groups}
    refuted_rows = [row for rows in refuted_by_kind(BOOK, findings).values() for row in rows]
    assert shown == {slug(row.id) for row in refuted_rows} and shown


def test_every_page_that_moved_leads_to_a_page_of_the_book():
    files = {page.file for page in PROJECT.chapters}
    assert {"chapters/ledger", "chapters/errata"} <= BOOK.moved.keys() - files
    assert {new.partition("#")[0] for new in BOOK.moved.values()} <= files
