"""``run``: execute one chapter with parameters of your own.

If a run is too small to settle a statement, it is reported as 'undecided' with the size that it needs. This
is not a failure. The exit code is 1 if the chapter fails, or if a verdict is neither the expected one nor
undecided.
"""

from claimbook.cli.build import report
from claimbook.cli.options import chapter_with, find_project
from claimbook.parameters import check_values, read_assignments
from claimbook.text import escaped

OPTIONS = chapter_with("parameters to set") | {
    "--output": {"metavar": "DIR", "help": "the output folder (runs/CHAPTER/PARAMETERS)"}
}


def call(options):
    """Run one chapter, print its findings, and return the exit code."""
    project = find_project()
    chapter = project.chapter(options.chapter)
    values = check_values(chapter.parameters, read_assignments(options.parameters))

    from claimbook.build import run
    from claimbook.reports.ledger import opposed_statements, problems
    from claimbook.reports.proofs import unproved_findings
    from claimbook.templates import shaped

    folder, findings, failures = run(project, chapter, values, options.profile, options.output)
    if failures:
        return report(failures)
    for finding in findings:
        needed_size = f"   <- {finding['needs']}" if finding["verdict"] == "undecided" else ""
        verdict, claim = shaped(finding["verdict"]), finding["claim"]["says"]
        print(escaped(f"{verdict:<15} {finding['statement']:<32} {claim}{needed_size}", most=1000))
    troubles = problems(project.book, findings, {chapter.name}, options.profile)
    for problem in troubles + unproved_findings([chapter], findings):
        print(escaped(problem, most=1000))
    print(f"written to {folder}: {chapter.name}.ipynb, {chapter.name}.html, findings.json")
    return 1 if opposed_statements(findings) else 0
