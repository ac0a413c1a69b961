"""``companion ledger``: every statement and the verdict of the last build."""

from ndcg_companion.commands.options import PROFILES, choice, find_project

OPTIONS = {
    "--profile": choice(PROFILES, "of which build", "book"),
    "--json": {"action": "store_true", "help": "as JSON"},
}


def call(options):
    from ndcg_companion.press.ledger import as_json, ledger, read_findings, table, tally

    profile, findings = read_findings(find_project().root / "_build" / options.profile / "findings.json")
    rows = ledger(findings)
    text = f"{table(rows)}\n{tally(rows)} (profile {profile!r})"
    print(as_json(profile, findings) if options.json else text)
    return 1 if any(row.differs for row in rows) else 0
