"""The targets of the verdicts in a story, without a build."""

from types import SimpleNamespace

from docutils import nodes

from claimbook.sphinxext.layers import _lead_to_evidence


def test_a_verdict_leads_to_its_evidence_to_its_statement_or_to_the_page_that_has_it():
    labels = ("with-evidence", "with-box", "elsewhere", "on-no-page")
    page = nodes.section("", *(nodes.reference("", label, evidence_of=label) for label in labels))
    sources = SimpleNamespace(address={"elsewhere": "second.html#elsewhere"}.get)
    _lead_to_evidence(page, {"with-evidence"}, {"with-evidence", "with-box"}, sources)
    assert [link.get("refid") or link["refuri"] for link in page] == [
        "evidence-with-evidence",
        "with-box",
        "second.html#elsewhere",
        "evidence",
    ]
