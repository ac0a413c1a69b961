"""The command ``companion run``: execute one chapter with parameters of one's own, and say what it found."""

import sys

from ndcg_companion.chapter.evidence import SHAPES
from ndcg_companion.chapter.parameters import check_values, read_assignments
from ndcg_companion.press.ledger import ledger
from ndcg_companion.press.project import Project


def call(options):
    """Carry out the command; returns the exit code."""
    project = Project.find()
    chapter = project.chapter(options.chapter)
    values = check_values(chapter.parameters, read_assignments(options.parameters))

    from ndcg_companion.press.build import run  # what executes and renders, once all is in order

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
