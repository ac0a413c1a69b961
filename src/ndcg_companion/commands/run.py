"""``companion run``: execute one chapter with parameters of one's own."""

import sys

from ndcg_companion.chapter.parameters import check_values, read_assignments
from ndcg_companion.commands.options import add_chapter, add_output, find_project
from ndcg_companion.text import shown


def add_parser(commands):
    add = commands.add_parser("run", help="execute one chapter with parameters of your own")
    add_chapter(add, "parameters to set")
    add_output(add, "where to write (runs/CHAPTER/PARAMETERS)")
    add.set_defaults(command=call)
    return add


def call(options):
    project = find_project()
    chapter = project.chapter(options.chapter)
    values = check_values(chapter.parameters, read_assignments(options.parameters))

    from ndcg_companion.chapter.evidence import SHAPES
    from ndcg_companion.press.build import run
    from ndcg_companion.press.ledger import far_controls, ledger

    folder, findings, failures = run(project, chapter, values, options.profile, options.output)
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        return 1
    for finding in findings:
        note = f"   <- {finding['needs']}" if finding["verdict"] == "undecided" else ""
        shape, says = SHAPES[finding["verdict"]], finding["claim"]["says"]
        print(shown(f"{shape} {finding['verdict']:<13} {finding['statement']:<32} {says}{note}", most=1000))
    differing = [row for row in ledger(findings) if row.differs]
    for row in differing:
        print(f"{row.id} is {row.verdict}, expected {row.expected}")
    for control in far_controls(findings):
        print(shown(control, most=1000))
    print(f"written to {folder}: {chapter.name}.ipynb, {chapter.name}.html, findings.json")
    return 1 if differing else 0
