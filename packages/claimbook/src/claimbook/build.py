"""Build the book at a profile, or run one chapter with other parameters.

Jupyter Book renders the pages.
"""

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
from claimbook.project import Project
from claimbook.reports.ledger import problems, read_findings, write_findings
from claimbook.reports.proofs import unproved_findings
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
from claimbook.yaml_files import read_yaml

# These are in the folder of a profile: the site, the digests of its sources, and the same digests with the
# PDF's checksum.
_SITE, _SITE_DIGESTS, _PDF_DIGESTS = "html", "rendered", "printed"

# The environment variable that tells the renderer, which is called from here, where the executed notebooks
# are.
RENDERED = "CLAIMBOOK_EXECUTED"
REFUSAL = "The book cannot be published"  # heads the errors of the extension
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # a terminal's code for a colour
# The renderer must end with its caller, however the caller ends. Its input is therefore a pipe whose other
# end only the caller keeps open.
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
    """Execute the chapters that are not current, and check all findings.

    Parameters
    ----------
    project : Project
        The book.
    profile : str
        The set of parameter values.
    workers : int
        The number of chapters that run at the same time.

    Returns
    -------
    executed : Path
        The folder of the executed notebooks. The findings are beside it.
    troubles : list of str
        The reasons why the book cannot be published. The list is empty if the book can be published.
    """
    check_places(project)  # this also checks each word of the tables before any work is done
    check_needs(project)
    # This also checks profiles that are not built now, because nobody would notice their faults.
    project.check_profiles()
    jobs = _jobs(project, profile)
    profile_folder = project.root / "_build" / profile
    executed = profile_folder / "executed"
    pending_jobs = [job for job in jobs if not job.is_up_to_date()]
    print(f"{len(pending_jobs)} of {len(jobs)} chapters to execute at profile {profile!r}")
    if drafts := project.drafts:
        print(f"not in the book, because _toc.yml does not list them: {', '.join(map(escaped, drafts))}")
    if pending_jobs and (failures := execute(pending_jobs, workers)):
        return executed, failures
    findings = [finding for job in jobs for finding in _checked_findings(job)]
    write_findings(profile_folder / "findings.json", profile, findings)
    return executed, _reasons_not_to_publish(project, profile, findings)


def _jobs(project, profile):
    """Return a job for each notebook; its output goes into the profile's folder."""
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


def _reasons_not_to_publish(project, profile, findings):
    """Return the reasons why the book cannot be published with these findings."""
    names = {page.name for page in project.chapters}
    return problems(project.book, findings, names, profile) + unproved_findings(project.notebooks, findings)


def check_finished(project, profile="book"):
    """Raise ValueError if the build or the PDF of a profile does not match the sources.

    Notes
    -----
    The build matches if every executed chapter is current, if the findings come from these chapters and are
    all as expected, and if the site and the PDF were made from exactly these chapters.
    """
    profile_folder = project.root / "_build" / profile
    remedy = f"run '{project.book.command} pdf' to make everything again"
    check_places(project)
    jobs = _jobs(project, profile)
    for job in jobs:
        if reason := job.outdated():
            raise ValueError(f"{job.chapter.file}.ipynb: {reason}; {remedy}")
    built_profile, findings = read_findings(project.book, profile_folder / "findings.json")
    executed_findings = [finding for job in jobs for finding in _checked_findings(job)]
    if built_profile != profile or findings != executed_findings:
        expectation = "expected the findings of the executed chapters beside it"
        raise ValueError(f"_build/{profile}/findings.json: {expectation}; {remedy}")
    if troubles := _reasons_not_to_publish(project, profile, findings):
        raise ValueError(f"the book cannot be published: {troubles[0]}")
    current_digests = _source_digests(PageSources(project, profile_folder / "executed"))
    rendered_digests = _digests_in(profile_folder / _SITE_DIGESTS)
    if rendered_digests != current_digests or not is_as_written(profile_folder / _SITE, "site"):
        raise ValueError(f"_build/{profile}/{_SITE}: expected a site made from the present sources; {remedy}")
    pdf = profile_folder / project.book.pdf
    if _digests_in(profile_folder / _PDF_DIGESTS) != [*current_digests, checksum(pdf)]:
        raise ValueError(f"_build/{profile}/{pdf.name}: expected a print of the site beside it; {remedy}")


def note_printed(pdf):
    """Record that this PDF was printed from the site beside it."""
    digests = [*_digests_in(pdf.with_name(_SITE_DIGESTS)), checksum(pdf)]
    write_whole(pdf.with_name(_PDF_DIGESTS), "\n".join(digests))


def remove_printed(project, profile):
    """Remove the PDF of a profile because it is outdated or could not be made."""
    for name in (project.book.pdf, _PDF_DIGESTS):
        (project.root / "_build" / profile / name).unlink(missing_ok=True)


def _source_digests(sources):
    """Return two digests: of what all pages of a site have in common, and of all its sources."""
    return [sources.frame, sources.made_of]


def _digests_in(path):
    """Return the digests that a file lists, or an empty list if there is no such file."""
    return path.read_text(encoding="utf-8").split() if path.is_file() else []


def _checked_findings(job):
    """Return the findings of an executed chapter.

    Raises
    ------
    ValueError
        If the chapter calls ``Page`` with the name of another chapter.
    """
    chapter, findings = job.chapter, findings_of(read_executed(job.output))
    for name in sorted({finding["page"] for finding in findings} - {chapter.name}):
        raise ValueError(f"{chapter.path.name}: Page({escaped(name)!r}): expected Page({chapter.name!r})")
    return findings


def build(project, profile="book", workers=2, then=lambda executed: []):
    """Execute outdated chapters, render what changed, and return the problems.

    Parameters
    ----------
    project : Project
        The book.
    profile : str
        The set of parameter values.
    workers : int
        The number of chapters that run at the same time.
    then : callable
        A further step, taken only if there are no problems so far. The step gets the folder of the executed
        notebooks and returns a list of problems.

    Returns
    -------
    list of str
        The problems. The list is empty if the book can be published.

    Raises
    ------
    ValueError
        If a file of the site has been changed since a build wrote it. In that case nothing is executed.

    Notes
    -----
    The site is ``_build/<profile>/html``. A build that fails leaves the previous site in place.
    """
    with hold(project.root / "_build", "building"):
        project.overrides(profile)
        check_folder(project.root / "_build" / profile / _SITE, "site")
        read_yaml(project.root / "_config.yml")
        executed, troubles = bring_up_to_date(project, profile, workers)
        return troubles or _publish(project, executed) or then(executed)


def _publish(project, executed):
    """Render what is outdated, and replace the last site if there was no warning."""
    profile_folder = executed.parent
    site, digests_file = profile_folder / _SITE, profile_folder / _SITE_DIGESTS
    work = profile_folder / "work"  # the renderer's folder, which keeps what it has read
    current_digests = _source_digests(PageSources(project, executed))
    rendered_digests = _digests_in(digests_file)
    if rendered_digests != current_digests or not site.is_dir():
        print("rendering the site")
        # If the digest of what all pages have in common changed, or after a failure (without digests), a page
        # that is not read again could hide its warning.
        if rendered_digests[:1] != current_digests[:1]:
            shutil.rmtree(work / "_build", ignore_errors=True)
        digests_file.unlink(missing_ok=True)  # until the site is complete again
        log = profile_folder / "render.log"
        with output_folder(site, "site") as staged_site:
            if troubles := render(project, executed, work, log):
                return [*troubles, f"{log.relative_to(project.root)}: the complete output of the renderer"]
            shutil.copytree(work / "_build" / "html", staged_site, dirs_exist_ok=True)
            remove_printed(project, profile_folder.name)
        write_whole(digests_file, "\n".join(current_digests))
    print(f"open {site / 'index.html'}")
    return []


def run(project, chapter, parameters, profile="book", output=None):
    """Execute one chapter with the values of ``profile``, except for ``parameters``.

    Parameters
    ----------
    project : Project
        The book.
    chapter : Chapter
        The chapter to execute.
    parameters : mapping of str
        Values by name.
    profile : str
        The set of values for all other parameters.
    output : path, optional
        The folder for the executed notebook, its HTML page and ``findings.json``. The default is a folder in
        ``runs`` that is named after the values.

    Returns
    -------
    folder : Path
        The output folder.
    findings : list of dict
        The findings of the chapter.
    failures : list of str
        The messages about what failed.
    """
    check_needs(project, [chapter])
    values = project.overrides(profile).get(chapter.name, {}) | parameters
    run_name = folder_name(dict(sorted(values.items()))) or "defaults"
    folder = Path(output) if output is not None else project.root / "runs" / chapter.name / run_name
    project.check_output(folder)
    with output_folder(folder, "run") as staged_output, TemporaryDirectory(prefix="claimbook-") as work:
        build_folder = Path(work).resolve()
        executed = build_folder / "executed" / f"{chapter.name}.ipynb"
        job = Job(chapter, values, executed, limits=project.limits)
        if failures := execute([job], 1):
            return folder, [], failures
        findings = _checked_findings(job)
        write_findings(build_folder / "findings.json", profile, findings)
        toc = {"format": "jb-book", "root": chapter.file}
        # No other chapter was executed, so the bibliography can only be on a page without code.
        plain_pages = [page for page in project.chapters if not page.is_notebook]
        if bibliographies := holders(plain_pages, "bibliography"):
            files = dict.fromkeys(page.file for page in bibliographies.values())  # each once
            toc["chapters"] = [{"file": file} for file in files]
        write_whole(build_folder / "_toc.yml", yaml.safe_dump(toc))
        one_chapter = Project(project.root, build_folder / "_toc.yml")
        log = build_folder / "log"
        if troubles := render(one_chapter, executed.parent, build_folder, log, strict=False):
            return folder, findings, troubles
        shutil.copytree(build_folder / "_build" / "html", staged_output, dirs_exist_ok=True)
        shutil.copy(build_folder / "findings.json", staged_output)
        shutil.copy(executed, staged_output)
    return folder, findings, []


def render(project, executed, folder, log, strict=True):
    """Render executed chapters, and return the warnings and errors.

    Parameters
    ----------
    project : Project
        The book, or one chapter of it.
    executed : Path
        The folder of the executed chapters.
    folder : Path
        The folder for the work of the renderer.
    log : Path
        The file for the complete output of the renderer.
    strict : bool
        Whether warnings count as errors.

    Notes
    -----
    Jupyter Book renders the pages if it is installed; otherwise `sphinx_alone` renders them. The output of a
    failed call is removed, because the next build would otherwise skip the pages of this output.
    """
    renderer = "jupyter_book.cli.main" if find_spec("jupyter_book") else "claimbook.sphinx_alone"
    command = [
        *(sys.executable, "-c", _START.format(renderer)),
        *("build", str(project.root), "--path-output", str(folder), "-n", "--keep-going"),
        *(["-W"] if strict else []),
        *(["--toc", str(project.toc)] if project.toc else []),
    ]
    variables = {RENDERED: str(executed), "PYTHONWARNINGS": "ignore::DeprecationWarning", "NO_COLOR": "1"}
    # The output must not depend on the terminal.
    variables |= {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8"}
    # The renderer ends when its standard input is closed, and so together with this process (`_START`).
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
    log_text = _COLOUR.sub("", output).replace(str(project.root) + os.sep, "")
    if process.returncode and log_text:
        log_text = with_cells(log_text, PageSources(project, executed))
    write_whole(log, log_text)
    if not process.returncode:
        return []
    shutil.rmtree(folder / "_build", ignore_errors=True)
    error_words = ("WARNING", "ERROR") if strict else ("rror", "exception")  # "rror" as in Error and error
    troubles = re.findall(f"^{REFUSAL}:\n(.+)", log_text, re.M)
    troubles += [line for line in log_text.splitlines() if any(word in line for word in error_words)]
    return troubles or log_text.splitlines()[-5:]
