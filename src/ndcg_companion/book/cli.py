"""The command ``companion``: list the chapters, run one, build or print the book, read the ledger.

Exit codes: 0 as expected, 1 something differs or failed, 2 bad input.
"""

import argparse
import os
import sys

from ndcg_companion import __version__

PROFILES = ("quick", "book", "deep")


def main(arguments=None):
    """Run the command line; returns the exit code."""
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if rest and not (hasattr(options, "parameters") and all("=" in word and word[0] != "-" for word in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:  # name=value may follow options as well as precede them
        options.parameters += rest
    try:
        return options.command(options)
    except ValueError as error:
        print(f"companion: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"companion: {error.filename or ''}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("companion: interrupted; what was finished is kept, the same call carries on", file=sys.stderr)
        return 130


def _parser():
    parser = argparse.ArgumentParser(prog="companion", description="Re-run, build and question the NDCG companion.")
    parser.add_argument("--version", action="version", version=f"ndcg-companion {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    add = commands.add_parser("list", help="the chapters and their parameters")
    add.add_argument("--names", action="store_true", help="the names alone, one a line, for scripts")
    add.set_defaults(command=_list)

    add = commands.add_parser("run", help="execute one chapter with parameters of your own")
    add.add_argument("chapter", metavar="CHAPTER", help="a name from 'companion list'")
    add.add_argument("parameters", metavar="name=value", nargs="*", help="parameters to set")
    add.add_argument("--profile", choices=PROFILES, default="book", help="what the others default to (book)")
    add.add_argument("--output", metavar="DIR", help="where to write (runs/CHAPTER/PARAMETERS)")
    add.set_defaults(command=_run)

    builds = ("build", "execute what changed and render the site"), ("pdf", "the same, and print it as one PDF")
    for name, says in builds:
        add = commands.add_parser(name, help=says)
        add.add_argument("--profile", choices=PROFILES, default="book", help="how large the runs are (book)")
        add.add_argument("--jobs", metavar="N", type=_positive, default=os.cpu_count() or 1, help="chapters at a time")
        add.set_defaults(command=_build, printed=name == "pdf")

    add = commands.add_parser("ledger", help="every statement and the verdict of the last build")
    add.add_argument("--profile", choices=PROFILES, default="book", help="of which build (book)")
    add.add_argument("--json", action="store_true", help="as JSON")
    add.set_defaults(command=_ledger)
    return parser


def _positive(text):
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a whole number >= 1")
    return int(text)


def _project():
    from .project import Project

    return Project.find()


def _list(options):
    for chapter in _project().notebooks:
        if options.names:
            print(chapter.name)
            continue
        print(f"{chapter.name} – {chapter.title}")
        for parameter in chapter.parameters:
            allowed = f"  [{parameter.allowed}]" if parameter.allowed else ""
            reason = f" ({parameter.reason})" if parameter.reason else ""
            kind = parameter.type.__name__
            print(f"    {parameter.name}: {kind} = {parameter.default}{allowed}{reason}  {parameter.help}")
    return 0


def _run(options):
    project = _project()
    chapter = project.chapter(options.chapter)
    values = _read_values(options.parameters, chapter)

    from .build import run
    from .evidence import SHAPES
    from .ledger import ledger

    folder, findings, failures = run(project, chapter, values, options.profile, options.output)
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        return 1
    for finding in findings:
        note = f"   <- {finding['needs']}" if finding["verdict"] == "undecided" else ""
        shape, says = SHAPES[finding["verdict"]], finding["claim"]["says"]
        print(f"{shape} {finding['verdict']:<13} {finding['statement']:<32} {says}{note}")
    differing = [row for row in ledger(findings) if row.differs]
    for row in differing:
        print(f"{row.id} is {row.verdict}, expected {row.expected}")
    print(f"written to {folder}: {chapter.name}.ipynb, {chapter.name}.html, findings.json")
    return 1 if differing else 0


def _read_values(assignments, chapter):
    from .parameters import check_values

    values = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise ValueError(f"{assignment}: expected name=value")
        if name in values:
            raise ValueError(f"{name}: given twice")
        values[name] = text
    return check_values(chapter.parameters, values)


def _build(options):
    from .build import build, print_edition

    troubles = (print_edition if options.printed else build)(_project(), options.profile, options.jobs)
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    return 1 if troubles else 0


def _ledger(options):
    from .ledger import as_json, ledger, table, tally
    from .site import read_findings

    path = _project().root / "_build" / options.profile / "findings.json"
    profile, findings = read_findings(path)
    rows = ledger(findings)
    print(as_json(profile, rows) if options.json else f"{table(rows)}\n{tally(rows)} (profile {profile!r})")
    return 1 if any(row.differs for row in rows) else 0
