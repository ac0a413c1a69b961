"""The command ``companion ledger``: every statement, and what the last build found."""

from ndcg_companion.press.ledger import as_json, ledger, read_findings, table, tally
from ndcg_companion.press.project import Project


def call(options):
    """Carry out the command; returns the exit code."""
    profile, findings = read_findings(Project.find().root / "_build" / options.profile / "findings.json")
    rows = ledger(findings)
    print(as_json(profile, rows) if options.json else f"{table(rows)}\n{tally(rows)} (profile {profile!r})")
    return 1 if any(row.differs for row in rows) else 0
