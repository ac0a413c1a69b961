"""Build the book at a profile, or run one chapter with parameters of one's own."""

import os
from pathlib import Path

from ndcg_companion.press.execution import Job, execute, write_whole
from ndcg_companion.press.ledger import problems
from ndcg_companion.press.pdf import BROWSERS, browser, print_book
from ndcg_companion.press.site import fingerprint, read_findings, render, stage, stage_alone, write_findings
from ndcg_companion.writing import folder_name, output_folder


def build(project, profile="book", workers=2, quiet=False, say=print):
    """Execute what is not current, render what changed; returns the problems, empty when the book stands.

    The site is ``_build/<profile>/html``; a build that fails leaves the one that was there.
    """
    overrides = project.overrides(profile)
    home = project.root / "_build" / profile
    jobs = {
        chapter.name: Job(
            chapter, overrides.get(chapter.name, {}), home / "executed" / f"{chapter.name}.ipynb"
        )
        for chapter in project.notebooks
    }
    due = [job for job in jobs.values() if not job.is_current()]
    say(f"{len(due)} of {len(jobs)} chapters to execute at profile {profile!r}")
    if due and (failures := execute(due, workers, quiet)):
        return [str(failure) for failure in failures]
    findings = stage(project, {name: job.output for name, job in jobs.items()}, overrides, home / "stage")
    write_findings(home / "findings.json", profile, findings)
    told = problems(findings, {chapter.name for chapter in project.chapters})
    site, mark = home / "html", home / "html.sha256"
    current = fingerprint(home / "stage", project.root / "requirements.lock")
    if not (site.is_dir() and mark.exists() and mark.read_text() == current):
        say("rendering the site")
        mark.unlink(missing_ok=True)
        if troubles := render(home / "stage", site, home / "render.log"):
            return [*told, *troubles]
        write_whole(mark, current)
    say(f"{'open' if not told else 'rendered, with problems:'} {site / 'index.html'}")
    return told


def print_edition(project, profile="book", workers=2, quiet=False, say=print):
    """Build the book and print it into ``_build/<profile>/companion.pdf``; returns the problems.

    Without a browser on the machine nothing is printed, which is said and no problem.
    """
    if troubles := build(project, profile, workers, quiet, say):
        return troubles
    if browser() is None:
        say(f"no PDF: found none of {', '.join(BROWSERS)} on this machine")
        return []
    home = project.root / "_build" / profile
    troubles = print_book(home / "stage", home / "companion.pdf", home / "pdf.log")
    if not troubles:
        say(f"printed {home / 'companion.pdf'}")
    return troubles


def run(project, chapter, parameters, profile="book", output=None, quiet=False):
    """Execute one chapter with ``parameters`` over those of ``profile``; returns where it wrote, the findings and the failures.

    Writes the executed notebook, an HTML page of it and ``findings.json`` into ``output``.
    """
    values = project.overrides(profile).get(chapter.name, {}) | parameters
    named = folder_name(dict(sorted(values.items()))) or "defaults"
    folder = Path(output) if output is not None else project.root / "runs" / chapter.name / named
    with output_folder(folder, "run") as scratch:
        stage = scratch.parent / "stage"
        job = Job(chapter, values, scratch.parent / f"{chapter.name}.ipynb")
        if failures := execute([job], 1, quiet):
            return folder, [], failures
        last = project.root / "_build" / "book" / "findings.json"
        known = read_findings(last)[1] if last.exists() else []
        findings = stage_alone(project, chapter, job.output, values, known, stage)
        if troubles := render(stage, scratch, scratch.parent / "render.log", strict=False):
            return folder, findings, troubles
        write_findings(scratch / "findings.json", profile, findings)
        os.rename(job.output, scratch / job.output.name)
    return folder, findings, []
