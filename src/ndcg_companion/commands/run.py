"""``companion run``: execute one chapter with parameters of your own."""

from ndcg_companion.chapter.parameters import check_values, read_assignments
from ndcg_companion.commands.build import tell
from ndcg_companion.commands.options import FOLDER, chapter_with, find_project
from ndcg_companion.text import shown

OPTIONS = chapter_with("parameters to set") | {
    "--output": FOLDER | {"help": "where to write (runs/CHAPTER/PARAMETERS)"}
}


def call(options):
    project = find_project()
    chapter = project.chapter(options.chapter)
    values = check_values(chapter.parameters, read_assignments(options.parameters))

    from ndcg_companion.press.build import run
    from ndcg_companion.press.ledger import far_controls, ledger
    from ndcg_companion.press.template import shaped

    folder, findings, failures = run(project, chapter, values, options.profile, options.output)
    if failures:
        return tell(failures)
    for finding in findings:
        note = f"   <- {finding['needs']}" if finding["verdict"] == "undecided" else ""
        verdict, says = shaped(finding["verdict"]), finding["claim"]["says"]
        print(shown(f"{verdict:<15} {finding['statement']:<32} {says}{note}", most=1000))
    differing = [row for row in ledger(project.book, findings) if row.differs]
    for row in differing:
        print(f"{row.id} is {row.verdict}, expected {row.expected}")
    for control in far_controls(findings):
        print(shown(control, most=1000))
    print(f"written to {folder}: {chapter.name}.ipynb, {chapter.name}.html, findings.json")
    return 1 if differing else 0
