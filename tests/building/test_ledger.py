import json
import os

import pytest
from support import FOUND_ON as PAGE
from support import finding

from claimbook.reports.ledger import (
    as_json,
    far_controls,
    ledger,
    margins,
    problems,
    read_findings,
    table,
    tally,
    write_findings,
)
from ndcg_book import BOOK

GOOD = [
    finding("wang/theorem-4"),
    finding("wang/theorem-4"),
    finding("wang/theorem-4-any-ranking", "proved here"),
    finding("wang/theorem-4-signed-labels", "contradicted"),
]


def test_every_statement_of_the_registry_has_one_row():
    rows = ledger(BOOK, GOOD)
    assert [row.id for row in rows] == list(BOOK.registry)
    row = next(row for row in rows if row.id == "wang/theorem-4")
    assert (row.verdict, row.checks, row.controls_rejected, row.differs) == ("consistent", 2, 2, False)


def test_the_control_of_a_contradicted_claim_differs_and_is_not_rejected():
    document = json.loads(as_json(BOOK, "book", GOOD))
    rows = {row["id"]: row for row in document["statements"]}
    counts = [
        (rows[name]["checks"], rows[name]["controls_rejected"], rows[name]["controls_differ"])
        for name in ("wang/theorem-4", "wang/theorem-4-signed-labels")
    ]
    assert counts == [(2, 2, 2), (1, 0, 1)]
    assert [row["control_differs"] for row in document["margins"]] == [True] * 4


def test_a_page_that_keeps_its_promises_has_no_problems():
    assert problems(BOOK, GOOD, [PAGE]) == []


def test_problems_name_page_and_statement():
    (message,) = problems(BOOK, GOOD[:-1], [PAGE])
    assert message == f"{PAGE}: expected a finding on wang/theorem-4-signed-labels, got none"
    messages = problems(BOOK, [*GOOD, finding("wang/theorem-4", "contradicted")], [PAGE])
    assert messages == [f"{PAGE}: wang/theorem-4: expected consistent, got contradicted"]
    messages = problems(BOOK, [*GOOD, finding("wang/theorem-4", "inconclusive", differs=False)], [PAGE])
    assert any("inconclusive (check 3: claim and control both" in line for line in messages)
    messages = problems(BOOK, [*GOOD, *[finding("wang/theorem-4", risk=6e-4)] * 2], [PAGE])
    assert any("at most 0.001, got 0.0012" in line for line in messages)


def test_undecided_is_never_what_a_profile_of_the_book_may_say():
    (message,) = problems(BOOK, [*GOOD, finding("wang/theorem-4", "undecided", differs=False)], [PAGE])
    assert "expected consistent, got undecided" in message


def test_the_two_forms_agree():
    rows = ledger(BOOK, GOOD)
    document = json.loads(as_json(BOOK, "book", GOOD))
    assert document["profile"] == "book" and len(document["statements"]) == len(rows)
    assert [row["check"] for row in document["margins"]] == [1, 2, 1, 1]
    assert set(document["statements"][0]) == {
        "id",
        "source",
        "page",
        "expected",
        "verdict",
        "checks",
        "controls_rejected",
        "controls_differ",
        "reading",
        "basis",
    }
    as_printed = sum(row.reading == "as printed" for row in rows)
    summary = tally(rows)
    assert summary.startswith(f"as printed: 1 proved here, {as_printed - 1} not treated yet; ")
    assert "; as meant: 1 consistent, " in summary and "; ours: 1 contradicted, " in summary
    text = table(rows)
    assert text.count("\n") == len(rows) and "● consistent" in text


def test_a_verdict_that_differs_is_marked():
    rows = ledger(BOOK, [finding("wang/theorem-4", "contradicted")])
    assert "<- differs" in table(rows)


def test_a_far_control_is_named_unless_it_has_a_reason_or_is_the_print_that_fails():
    far = finding("wang/theorem-4", worst=10.5)
    (message,) = far_controls([finding("wang/theorem-4", worst=10.0), far])
    assert message.startswith(f"{PAGE}: wang/theorem-4, check 2: the control fails by 10.5 tolerances")
    reason = finding("wang/theorem-4", worst=1e12, far="any wrong constant is far at this length")
    exact = finding("wang/theorem-4", worst=None)
    printed = finding("wang/theorem-4-signed-labels", "contradicted", worst=1e12)
    assert far_controls([reason, exact, printed]) == []
    assert problems(BOOK, [*GOOD, far], [PAGE]) == [message.replace("check 2", "check 3")]
    assert problems(BOOK, [*GOOD, reason, exact], [PAGE]) == []
    assert problems(BOOK, [*GOOD, far], [PAGE], "deep") == []
    assert [row["control"]["worst"] for row in margins([far, exact])] == [10.5, None]


def test_findings_come_back_as_they_were_written_and_damaged_ones_are_named(tmp_path):
    path = tmp_path / "findings.json"
    write_findings(path, "quick", GOOD)
    assert read_findings(BOOK, path) == ("quick", GOOD)
    with pytest.raises(ValueError, match="expected the findings of a build; "):
        read_findings(BOOK, tmp_path / "none.json")
    for damaged in (
        '{"profile": "book", "findings": [{"statement": "wang/theorem-4"}]}',
        "",
        "[]",
        "null",
        '{"profile": "quick"}',
        '{"profile": 1, "findings": [1]}',
    ):
        path.write_text(damaged)
        with pytest.raises(ValueError, match="findings.json: expected the findings of a build"):
            read_findings(BOOK, path)


@pytest.mark.skipif(os.name == "nt", reason="makes a pipe")
def test_a_pipe_holds_no_findings(tmp_path):
    os.mkfifo(tmp_path / "findings.json")
    with pytest.raises(ValueError, match="expected the findings of a build"):
        read_findings(BOOK, tmp_path / "findings.json")
