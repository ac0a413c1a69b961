"""Build the book at a profile, or run one chapter with parameters of one's own, by calling Jupyter Book."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from claimbook.execute.notebooks import Job, bases, execute, read_executed
from claimbook.output_metadata import findings_of
from claimbook.project import Project, read_yaml
from claimbook.reports.ledger import problems, read_findings, write_findings
from claimbook.reports.proofs import unproved
from claimbook.sphinxext.labels import check_places
from claimbook.sphinxext.needs import check_needs
from claimbook.sphinxext.places import with_cells
from claimbook.sphinxext.reading import holders
from claimbook.sphinxext.sources import PageSources
from claimbook.text import escaped
from claimbook.writing import (
    check_folder,
    checksum,
    folder_name,
    hold,
    is_as_written,
    output_folder,
    write_whole,
)

# In the folder of a profile: the site, and what it was made of; what the PDF was made of.
_SITE, _MARK, _PRINTED = "html", "rendered", "printed"

# Names the folder of executed notebooks to the renderer that is called from here.
RENDERED = "CLAIMBOOK_EXECUTED"
REFUSAL = "The book cannot be published"  # heads what the extension refuses
# The renderer ends with its caller, however that ends: its input is a pipe that only the caller holds.
_START = """
import os, sys, threading
def end_with_caller():
    os.read(0, 1)
    os._exit(1)
threading.Thread(target=end_with_caller, daemon=True).start()
from {} import main
sys.exit(main())
"""


def bring_up_to_date(project, profile, workers):
    """Execute what is not current, and look at all that was found.

    Returns
    -------
    Path
        The folder of the executed notebooks; beside it are the findings.
    list of str
        Why the book cannot be published; empty if it can.
    """
    check_places(project)  # and with it each word of the tables, before any work
    check_needs(project)
    project.check_profiles()  # also of those that are not built now, for nobody would notice
    jobs, home = _jobs(project, profile), project.root / "_build" / profile
    executed = home / "executed"
    due = [job for job in jobs if not job.is_up_to_date()]
    print(f"{len(due)} of {len(jobs)} chapters to execute at profile {profile!r}")
    if drafts := project.drafts:
        print(f"not in _toc.yml, and so not in the book: {', '.join(map(escaped, drafts))}")
    if due and (failures := execute(due, workers)):
        return executed, failures
    findings = [finding for job in jobs for finding in _found(job)]
    write_findings(home / "findings.json", profile, findings)
    return executed, _troubles(project, profile, findings)


def _jobs(project, profile):
    """A job for each notebook of the book, whose output is in the folder of the profile."""
    overrides, executed = project.overrides(profile), project.root / "_build" / profile / "executed"
    return [
        Job(
            chapter,
            overrides.get(chapter.name, {}),
            executed / f"{chapter.name}.ipynb",
            basis=basis,
            limits=project.limits,
        )
        for chapter, basis in zip(project.notebooks, bases(project.notebooks), strict=True)
    ]


def _troubles(project, profile, findings):
    """Why the book cannot be published with these findings."""
    names = {page.name for page in project.chapters}
    return problems(project.book, findings, names, profile) + unproved(project.notebooks, findings)


def check_finished(project, profile="book"):
    """Raise ValueError unless the build of a profile, with its PDF, is that of the sources as they are now.

    That is: every executed chapter is current, the findings are those of these chapters, all of them
    as expected, and site and PDF were made of all that and of nothing else.
    """
    home, again = project.root / "_build" / profile, f"'{project.book.command} pdf' makes all anew"
    check_places(project)
    jobs = _jobs(project, profile)
    for job in jobs:
        if why := job.outdated():
            raise ValueError(f"{job.chapter.file}.ipynb: {why}; {again}")
    written, findings = read_findings(project.book, home / "findings.json")
    if (written, findings) != (profile, [finding for job in jobs for finding in _found(job)]):
        raise ValueError(f"_build/{profile}/findings.json: not of the executed chapters beside it; {again}")
    if troubles := _troubles(project, profile, findings):
        raise ValueError(f"the book cannot be published: {troubles[0]}")
    sources, made_of = PageSources(project, home / "executed"), _read(home / _MARK)
    if made_of != _made_of(sources) or not is_as_written(home / _SITE, "site"):
        raise ValueError(f"_build/{profile}/{_SITE}: not made of what is there now; {again}")
    pdf = home / project.book.pdf
    if _read(home / _PRINTED) != [*made_of, checksum(pdf)]:
        raise ValueError(f"_build/{profile}/{pdf.name}: not printed from the site beside it; {again}")


def note_printed(pdf):
    """Note of which site this PDF is; the site is the one that stands beside it."""
    write_whole(pdf.with_name(_PRINTED), "\n".join([*_read(pdf.with_name(_MARK)), checksum(pdf)]))


def remove_printed(project, profile):
    """Remove the PDF of a profile, which is not that of the site any more, or could not be made."""
    for name in (project.book.pdf, _PRINTED):
        (project.root / "_build" / profile / name).unlink(missing_ok=True)


def _made_of(sources):
    """What a site is made of: what all its pages are made with, and all the rest."""
    return [sources.frame, sources.made_of]


def _read(mark):
    """The words of a mark; none if it is not there."""
    return mark.read_text(encoding="utf-8").split() if mark.is_file() else []


def _found(job):
    """The findings of an executed chapter; ValueError if its page has the name of another."""
    chapter, findings = job.chapter, findings_of(read_executed(job.output))
    for name in sorted({finding["page"] for finding in findings} - {chapter.name}):
        raise ValueError(f"{chapter.path.name}: Page({escaped(name)!r}): expected Page({chapter.name!r})")
    return findings


def build(project, profile="book", workers=2, then=lambda executed: []):
    """Execute what is not current, render what changed; returns the problems, empty if it can be published.

    The site is ``_build/<profile>/html``; a build that fails leaves the one that was there. ``then`` is
    called with the folder of the executed notebooks if it can be published, and returns problems too.

    Raises
    ------
    ValueError
        Before any work, if a file of the site was changed since a build wrote it.
    """
    with hold(project.root / "_build", "building"):
        project.overrides(profile)
        check_folder(project.root / "_build" / profile / _SITE, "site")
        read_yaml(project.root / "_config.yml")
        executed, troubles = bring_up_to_date(project, profile, workers)
        return troubles or _publish(project, executed) or then(executed)


def _publish(project, executed):
    """Render what is outdated without a warning, and put what was rendered where the last site is."""
    home, page_sources = executed.parent, PageSources(project, executed)
    site, mark, work = home / _SITE, home / _MARK, home / "work"
    current, rendered = _made_of(page_sources), _read(mark)
    if rendered != current or not site.is_dir():
        print("rendering the site")
        # After a failure, or in another frame, a page that is not read again could hide its warning.
        if rendered[:1] != current[:1]:
            shutil.rmtree(work / "_build", ignore_errors=True)
        mark.unlink(missing_ok=True)
        log = home / "render.log"
        with output_folder(site, "site") as scratch:
            if troubles := render(project, executed, work, log):
                return [*troubles, f"{log.relative_to(project.root)}: all that the renderer said"]
            shutil.copytree(work / "_build" / "html", scratch, dirs_exist_ok=True)
            remove_printed(project, home.name)
        write_whole(mark, "\n".join(current))
    print(f"open {site / 'index.html'}")
    return []


def run(project, chapter, parameters, profile="book", output=None):
    """Execute one chapter with ``parameters`` over those of ``profile``.

    Writes the executed notebook, an HTML page of it and ``findings.json`` into ``output``. Returns where
    it wrote, the findings and the failures.
    """
    check_needs(project, [chapter])
    values = project.overrides(profile).get(chapter.name, {}) | parameters
    named = folder_name(dict(sorted(values.items()))) or "defaults"
    folder = Path(output) if output is not None else project.root / "runs" / chapter.name / named
    project.check_output(folder)
    with output_folder(folder, "run") as scratch, TemporaryDirectory(prefix="claimbook-") as work:
        home = Path(work).resolve()
        output = home / "executed" / f"{chapter.name}.ipynb"
        job = Job(chapter, values, output, limits=project.limits)
        if failures := execute([job], 1):
            return folder, [], failures
        findings = _found(job)
        write_findings(home / "findings.json", profile, findings)
        plain = [page for page in project.chapters if not page.is_notebook]  # no other chapter was executed
        files = dict.fromkeys(page.file for page in holders(plain, "bibliography").values())
        others = [{"file": file} for file in files]
        toc = {"format": "jb-book", "root": chapter.file} | ({"chapters": others} if others else {})
        write_whole(home / "_toc.yml", yaml.safe_dump(toc))
        alone = Project(project.root, home / "_toc.yml")
        if troubles := render(alone, job.output.parent, home, home / "log", strict=False):
            return folder, findings, troubles
        shutil.copytree(home / "_build" / "html", scratch, dirs_exist_ok=True)
        shutil.copy(home / "findings.json", scratch)
        shutil.copy(job.output, scratch)
    return folder, findings, []


def render(project, executed, folder, log, strict=True):
    """Render executed chapters into ``folder`` by Jupyter Book, if it is there; returns warnings and errors.

    Unless ``strict``, warnings are no trouble. What a failure leaves is removed, so that the next build does
    not pass over it.
    """
    renderer = "jupyter_book.cli.main" if find_spec("jupyter_book") else "claimbook.sphinx_alone"
    command = [
        *(
            sys.executable,
            "-c",
            _START.format(renderer),
            "build",
            str(project.root),
            "--path-output",
            str(folder),
        ),
        *("-n", "--keep-going"),
        *(["-W"] if strict else []),
        *(["--toc", str(project.toc)] if project.toc else []),
    ]
    variables = {RENDERED: str(executed), "PYTHONWARNINGS": "ignore::DeprecationWarning", "NO_COLOR": "1"}
    variables |= {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8"}  # whatever the terminal has
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env=os.environ | variables,
    )
    with process:
        output = process.stdout.read()
    printed = re.sub(r"\x1b\[[0-9;]*m", "", output).replace(str(project.root) + os.sep, "")
    if process.returncode and printed:
        printed = with_cells(printed, PageSources(project, executed))
    write_whole(log, printed)
    if process.returncode:
        shutil.rmtree(folder / "_build", ignore_errors=True)
        words = ("WARNING", "ERROR") if strict else ("rror", "exception")
        troubles = re.findall(f"^{REFUSAL}:\n(.+)", printed, re.M)
        troubles += [line for line in printed.splitlines() if any(word in line for word in words)]
        return troubles or printed.splitlines()[-5:]
    return []
