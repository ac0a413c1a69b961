"""``companion ledger``: every statement and the verdict of the last build."""

from ndcg_companion.commands.options import add_profile, find_project


def add_parser(commands):
    add = commands.add_parser("ledger", help="every statement and the verdict of the last build")
    add_profile(add, "of which build (book)")
    add.add_argument("--json", action="store_true", help="as JSON")
    add.set_defaults(command=call)
    return add


def call(options):
    from ndcg_companion.press.ledger import as_json, ledger, read_findings, table, tally

    profile, findings = read_findings(find_project().root / "_build" / options.profile / "findings.json")
    rows = ledger(findings)
    print(
        as_json(profile, findings) if options.json else f"{table(rows)}\n{tally(rows)} (profile {profile!r})"
    )
    return 1 if any(row.differs for row in rows) else 0
