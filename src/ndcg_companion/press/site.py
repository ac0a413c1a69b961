"""Stage the executed chapters and let Jupyter Book render them; the site appears only when it is whole."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import nbformat
import yaml

from ndcg_companion.chapter.records import findings_of
from ndcg_companion.press.api import ROOMS, figures_markdown, room_markdown
from ndcg_companion.press.dressing import about, boxed, dress
from ndcg_companion.press.errata import errata_markdown
from ndcg_companion.press.execution import write_whole
from ndcg_companion.press.finishing import finish
from ndcg_companion.press.ledger import ledger, pages_markdown, story_markdown, tally, verdicts

_MATHJAX = "tex-svg-full.js"


def stage(project, executed, overrides, folder):
    """Lay out in ``folder`` what Jupyter Book renders; returns the findings of all chapters.

    Parameters
    ----------
    project : Project
    executed : dict
        Chapter name to the executed notebook's path.
    overrides : dict
        Chapter name to the parameters that differ from its defaults, where some do.
    folder : Path
        Emptied first, so that nothing of an earlier build can show through.
    """
    book = _stage_frame(project, folder)
    shutil.copy(project.root / "_toc.yml", folder)
    notebooks = {name: nbformat.read(path, as_version=4) for name, path in executed.items()}
    findings = [finding for notebook in notebooks.values() for finding in findings_of(notebook)]
    boxes = {name: boxed(notebook) for name, notebook in notebooks.items()}
    for chapter in project.chapters:
        target = folder / chapter.path.relative_to(project.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        if chapter.is_notebook:
            told = about(chapter, overrides.get(chapter.name, {}), book, project.commit)
            dressed = dress(notebooks[chapter.name], verdicts(findings), project.commit, told)
            target.write_text(nbformat.writes(dressed), encoding="utf-8")
        else:
            shutil.copy(chapter.path, target)
    _write_generated(folder / "chapters" / "generated", project, findings, boxes)
    return findings


def stage_alone(project, chapter, executed, values, known, folder):
    """Lay out one chapter as a book of its own, with the references; returns its findings.

    ``known`` are the findings of the last build, for a chapter that shows them.
    """
    book = _stage_frame(project, folder)
    notebook = nbformat.read(executed, as_version=4)
    findings = findings_of(notebook)
    told = about(chapter, values, book, project.commit, whole=False)
    dressed = dress(notebook, verdicts(findings), project.commit, told, whole=False)
    (folder / f"{chapter.name}.ipynb").write_text(nbformat.writes(dressed), encoding="utf-8")
    (folder / "sources.md").write_text("# References\n\n```{bibliography}\n```\n", encoding="utf-8")
    toc = {"format": "jb-book", "root": chapter.name, "chapters": [{"file": "sources"}]}
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    _write_generated(folder / "generated", project, known, {chapter.name: boxed(notebook)})
    return findings


def _stage_frame(project, folder):
    """An empty ``folder`` with what every book needs besides its pages; returns what ``_config.yml`` says."""
    shutil.rmtree(folder, ignore_errors=True)
    vendor = folder / "assets" / "vendor" / "mathjax"
    vendor.mkdir(parents=True)
    shutil.copy(_mathjax(), vendor)
    shutil.copy(project.root / "references.bib", folder)
    shutil.copytree(project.root / "_static", folder / "_static")
    config = configuration((project.root / "_config.yml").read_text(encoding="utf-8"))
    (folder / "_config.yml").write_text(config, encoding="utf-8")
    return yaml.safe_load(config)


def configuration(text):
    """The text of ``_config.yml``, with buttons that lead to the repository exactly if its address stands there.

    >>> "use_edit_page_button" in configuration("repository: {url: ''}")
    False
    """
    config = yaml.safe_load(text)
    if config.get("repository", {}).get("url"):
        names = ("use_repository_button", "use_edit_page_button", "use_issues_button")
        config["html"] = config.get("html", {}) | dict.fromkeys(names, True)
        config["launch_buttons"] = {
            "binderhub_url": "https://mybinder.org",
            "colab_url": "https://colab.research.google.com",
        }
    return yaml.safe_dump(config, sort_keys=False, allow_unicode=True)


def _write_generated(folder, project, findings, boxes):
    """The fragments that pages include: the ledger, what the book found so far, and the rooms of the package."""
    folder.mkdir()
    pages = {chapter.name for chapter in project.chapters}
    (folder / "ledger.md").write_text(pages_markdown(findings, pages, boxes), encoding="utf-8")
    titles = {chapter.name: chapter.title for chapter in project.notebooks}
    (folder / "story.md").write_text(story_markdown(findings, titles), encoding="utf-8")
    (folder / "errata.md").write_text(errata_markdown(findings, titles), encoding="utf-8")
    for room in ROOMS:
        (folder / f"api-{room}.md").write_text(room_markdown(room), encoding="utf-8")
    (folder / "api-figures.md").write_text(figures_markdown(), encoding="utf-8")
    (folder / "tally.md").write_text(f"{tally(ledger(findings))}\n", encoding="utf-8")


def _mathjax():
    """The one MathJax file the site needs, from the package that carries it."""
    files = distribution("sphinx-mathjax-offline").files
    return next(file.locate() for file in files if file.name == _MATHJAX)


def fingerprint(folder, lock):
    """Changes when anything that the site is made of does: what is staged, the package it describes, the lock file."""
    digest = hashlib.sha256(sys.version.encode())
    package = Path(__file__).parents[1]
    for root, files in ((folder, folder.rglob("*")), (package, package.rglob("*.py")), (lock.parent, [lock])):
        for path in sorted(path for path in files if path.is_file()):
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def render(folder, output, log, strict=True, builder="html"):
    """Render a staged book with Jupyter Book; returns the warnings and errors, empty when the site is good.

    ``output`` is replaced in one step at the end, and only by a site without warnings (or with ``strict=False``).
    """
    scratch = output.parent / f"{output.name}.part"
    shutil.rmtree(scratch, ignore_errors=True)
    options = ["--builder", builder, "-n", "--keep-going", "--all", *(["-W"] if strict else [])]
    start = "import sys; from jupyter_book.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "build", str(folder), "--path-output", str(scratch), *options]
    environment = os.environ | {"PYTHONWARNINGS": "ignore::DeprecationWarning", "NO_COLOR": "1"}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment)
    told = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr).replace(str(folder) + os.sep, "")
    write_whole(log, told)
    site = scratch / "_build" / builder
    if strict and done.returncode or not site.is_dir():
        troubles = [line for line in told.splitlines() if "WARNING" in line or "ERROR" in line]
        shutil.rmtree(scratch, ignore_errors=True)
        return troubles or told.splitlines()[-5:]
    finish(site)
    shutil.rmtree(output, ignore_errors=True)
    os.replace(site, output)
    shutil.rmtree(scratch, ignore_errors=True)
    return []


def write_findings(path, profile, findings):
    """Keep the findings of a build where ``companion ledger`` reads them."""
    write_whole(path, json.dumps({"profile": profile, "findings": findings}, indent=1, ensure_ascii=False))


def read_findings(path):
    """The profile and the findings of a build; ValueError when there is none."""
    if not Path(path).exists():
        raise ValueError(f"no build at {path}: 'make book' (or 'companion build') makes one")
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    return document["profile"], document["findings"]
