"""``ledger``: every statement and the verdict of the last build."""

from claimbook.cli.options import PROFILE, find_project

OPTIONS = {
    "--profile": PROFILE | {"help": "of which build (book)"},
    "--json": {"action": "store_true", "help": "as JSON"},
}


def call(options):
    from claimbook.reports.ledger import as_json, ledger, read_findings, table, tally

    project = find_project()
    path = project.root / "_build" / options.profile / "findings.json"
    profile, findings = read_findings(project.book, path)
    rows = ledger(project.book, findings)
    text = f"{table(rows)}\n{tally(rows)} (profile {profile!r})"
    print(as_json(project.book, profile, findings) if options.json else text)
    return 1 if any(row.differs for row in rows) else 0
