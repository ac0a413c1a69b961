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

from .api import ROOMS, room_markdown
from .execution import write_whole
from .ledger import findings_of, ledger, pages_markdown, tally
from .page import METADATA_KEY

_MATHJAX = "tex-svg-full.js"


def stage(project, executed, folder):
    """Lay out in ``folder`` what Jupyter Book renders; returns the findings of all chapters.

    Parameters
    ----------
    project : Project
    executed : dict
        Chapter name to the executed notebook's path.
    folder : Path
        Emptied first, so that nothing of an earlier build can show through.
    """
    _stage_frame(project, folder)
    shutil.copy(project.root / "_toc.yml", folder)
    findings = []
    for chapter in project.chapters:
        target = folder / chapter.path.relative_to(project.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        if chapter.is_notebook:
            findings += _stage_notebook(executed[chapter.name], target)
        else:
            shutil.copy(chapter.path, target)
    _write_generated(folder / "chapters" / "generated", project, findings)
    return findings


def stage_alone(project, chapter, executed, known, folder):
    """Lay out one chapter as a book of its own, with the references; returns its findings.

    ``known`` are the findings of the last build, for a chapter that shows them.
    """
    _stage_frame(project, folder)
    findings = _stage_notebook(executed, folder / f"{chapter.name}.ipynb")
    (folder / "sources.md").write_text("# References\n\n```{bibliography}\n```\n", encoding="utf-8")
    toc = {"format": "jb-book", "root": chapter.name, "chapters": [{"file": "sources"}]}
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    _write_generated(folder / "generated", project, known)
    return findings


def _stage_frame(project, folder):
    """An empty ``folder`` with what every book needs besides its pages."""
    shutil.rmtree(folder, ignore_errors=True)
    vendor = folder / "assets" / "vendor" / "mathjax"
    vendor.mkdir(parents=True)
    shutil.copy(_mathjax(), vendor)
    shutil.copy(project.root / "references.bib", folder)
    shutil.copytree(project.root / "_static", folder / "_static")
    config = configuration((project.root / "_config.yml").read_text(encoding="utf-8"))
    (folder / "_config.yml").write_text(config, encoding="utf-8")


def _stage_notebook(executed, target):
    notebook = nbformat.read(executed, as_version=4)
    findings = findings_of(notebook)
    target.write_text(nbformat.writes(dress(notebook)), encoding="utf-8")
    return findings


def configuration(text):
    """The text of ``_config.yml``, with buttons that lead to the repository exactly if its address stands there.

    >>> "use_edit_page_button" in configuration("repository: {url: ''}")
    False
    """
    config = yaml.safe_load(text)
    if config.get("repository", {}).get("url"):
        names = ("use_repository_button", "use_edit_page_button", "use_issues_button")
        config["html"] = config.get("html", {}) | dict.fromkeys(names, True)
        config["launch_buttons"] = {"binderhub_url": "https://mybinder.org", "colab_url": "https://colab.research.google.com"}
    return yaml.safe_dump(config, sort_keys=False, allow_unicode=True)


def dress(notebook):
    """``notebook`` with captions and alt texts where MyST-NB looks for them, and each stamp as a paragraph under its figure.

    MyST-NB makes a figure of *every* output of a cell that has a caption: what else such a cell shows moves to a cell after it.
    """
    notebook.metadata.pop(METADATA_KEY, None)
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        records = [output.get("metadata", {}).pop(METADATA_KEY, {}) for output in cell.get("outputs", [])]
        figure = next((record["figure"] for record in records if "figure" in record), None)
        if figure is None:
            continue
        cell.metadata["mystnb"] = {
            "image": {"alt": figure["alt"]},
            "figure": {"name": figure["name"], "caption": figure["caption"]},
        }
        others = nbformat.v4.new_code_cell(id=f"{cell.id}-rest"[:64], metadata={"tags": ["remove-input"]})
        for output, record in zip(cell.outputs, records, strict=True):
            if "stamp" in record:
                text = "{.stamp}\n" + output.data["text/markdown"]
                cells.append(nbformat.v4.new_markdown_cell(text, id=f"{cell.id}-stamp"[:64]))
            elif "figure" not in record:
                others.outputs.append(output)
        cell.outputs = [output for output, record in zip(cell.outputs, records, strict=True) if "figure" in record]
        if others.outputs:
            cells.append(others)
    notebook.cells = cells
    return notebook


def _write_generated(folder, project, findings):
    """The fragments that pages include: the ledger, what the book found so far, and the rooms of the package."""
    folder.mkdir()
    pages = {chapter.name for chapter in project.chapters}
    (folder / "ledger.md").write_text(pages_markdown(findings, pages), encoding="utf-8")
    for room in ROOMS:
        (folder / f"api-{room}.md").write_text(room_markdown(room), encoding="utf-8")
    (folder / "tally.md").write_text(f"{tally(ledger(findings))}\n", encoding="utf-8")


def _mathjax():
    """The one MathJax file the site needs, from the package that carries it."""
    files = distribution("sphinx-mathjax-offline").files
    return next(file.locate() for file in files if file.name == _MATHJAX)


def fingerprint(folder, lock):
    """Changes when anything that the site is made of does: what is staged, the package it describes, the lock file."""
    digest = hashlib.sha256(sys.version.encode() + lock.read_bytes())
    for root, pattern in ((folder, "*"), (Path(__file__).parents[1], "*.py")):
        for path in sorted(path for path in root.rglob(pattern) if path.is_file()):
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def render(folder, output, log, strict=True):
    """Render a staged book with Jupyter Book; returns the warnings and errors, empty when the site is good.

    ``output`` is replaced in one step at the end, and only by a site without warnings (or with ``strict=False``).
    """
    scratch = output.parent / f"{output.name}.part"
    shutil.rmtree(scratch, ignore_errors=True)
    options = ["-n", "--keep-going", "--all", *(["-W"] if strict else [])]
    start = "import sys; from jupyter_book.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "build", str(folder), "--path-output", str(scratch), *options]
    environment = os.environ | {"PYTHONWARNINGS": "ignore::DeprecationWarning", "NO_COLOR": "1"}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment)
    told = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr).replace(str(folder) + os.sep, "")
    write_whole(log, told)
    site = scratch / "_build" / "html"
    if strict and done.returncode or not site.is_dir():
        troubles = [line for line in told.splitlines() if "WARNING" in line or "ERROR" in line]
        shutil.rmtree(scratch, ignore_errors=True)
        return troubles or told.splitlines()[-5:]
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
