"""``ledger``: list every statement and its verdict in the last build.

The last line names the profile of that build. The exit code is 1 if a verdict is not the expected one.
"""

from claimbook.cli.options import PROFILE, find_project

OPTIONS = {
    "--profile": PROFILE | {"default": None, "help": "the profile of the build (that of the last build)"},
    "--json": {"action": "store_true", "help": "as JSON"},
}


def call(options):
    """Print the verdicts of a build, and return 1 if some verdict is unexpected."""
    from claimbook.reports.ledger import as_json, last_profile, ledger, read_findings, table, tally

    project = find_project()
    build_folder = project.root / "_build"
    path = build_folder / (options.profile or last_profile(build_folder)) / "findings.json"
    profile, findings = read_findings(project.book, path)
    rows = ledger(project.book, findings)
    text = f"{table(rows)}\n{tally(rows)} (profile {profile!r})"
    print(as_json(project.book, profile, findings) if options.json else text)
    return 1 if any(row.differs for row in rows) else 0
