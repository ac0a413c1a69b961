"""The book in one folder that can be kept: the site, the PDF, the executed notebooks, the sources.

With checksums, a README and RO-Crate metadata (version 1.1) that say what is what without this package.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from claimbook.build import check_finished
from claimbook.project import Project
from claimbook.publish.metadata import about, missing
from claimbook.templates import filled
from claimbook.writing import checksum, hold, output_folder, write_whole

# What is in the archive: a name, what it is, and its type for machines; the PDF has the book's name.
_PROJECT = re.compile(r"(packages/[^/]+/)?pyproject\.toml")  # what a book is installed with
PARTS = {
    "site/": ("The book as a website; open site/index.html, no network is needed", "text/html"),
    "{pdf}": ("The book as one file, for reading and printing", "application/pdf"),
    "executed/": ("The chapters as they were executed, with all outputs", "application/x-ipynb+json"),
    "findings.json": (
        "Every verdict with its claim, its control and what was observed",
        "application/json",
    ),
    "statements.json": ("Every statement of the sources: reading, verdict, page", "application/json"),
    "errata.json": ("What is wrong in the sources as printed, and what is true", "application/json"),
    "sources/": ("All that is under version control, which makes everything else", "text/plain"),
    "requirements.lock": ("Each package that was used, with version and hashes", "text/plain"),
    "SHA256SUMS": ("A checksum for each file; 'sha256sum -c SHA256SUMS' compares them", "text/plain"),
    "README.md": ("This list, and how to make everything again", "text/markdown"),
}


def archive(root: Path, folder: Path) -> None:
    """Write the archive of the finished book at the profile 'book' into ``folder``.

    Raises
    ------
    ValueError
        If metadata are missing; if the book, its PDF or the list of what is under version control is not
        there; if a page is not in that list; if sources, build and PDF are not of one state
        (`check_finished`).
    """
    if lacking := missing(root):
        raise ValueError(f"{lacking}: an archive says what it is")
    project = Project(root)
    build, book = root / "_build" / "book", project.book
    pdf = book.pdf
    sources = {
        "site": build / "html",
        pdf: build / pdf,
        "executed": build / "executed",
        "findings.json": build / "findings.json",
        "requirements.lock": root / "requirements.lock",
    }
    for path in sources.values():
        if not path.exists():
            wanted = f"'{book.command} pdf' makes it"
            if not path.is_relative_to(build):
                wanted = "expected packages with versions and hashes, from 'uv pip compile --generate-hashes'"
            raise ValueError(f"{path.relative_to(root)}: not there yet: {wanted}")
    tracked = _git(root, "ls-files", "-z").split("\0")[:-1]
    for page in project.chapters:
        if (name := page.path.relative_to(root).as_posix()) not in tracked:
            raise ValueError(f"{name}: not under version control, so not among the sources; 'git add' it")
    with hold(root / "_build", "building"):
        check_finished(project)
        _write(project, folder, sources, tracked, pdf)


def _write(project, folder, sources, tracked, pdf):
    """Copy what is built, by the names in the archive, and what is tracked; describe both."""
    root, command = project.root, project.book.command
    parts = {name.format(pdf=pdf): described for name, described in PARTS.items()}
    facts = about(root) | {
        "parts": parts,
        "pdf": pdf,
        "command": command,
        "date": _git(root, "log", "-1", "--format=%cs").strip(),
        "commit": project.commit,
        "folders": [
            os.path.dirname(name) or "."
            for name in tracked
            if _PROJECT.fullmatch(name) and "[build-system]" in (root / name).read_text(encoding="utf-8")
        ],
        "hashed": "--hash=" in (root / "requirements.lock").read_text(encoding="utf-8"),
    }
    with output_folder(folder, "archive") as scratch:
        for name, path in (sources | {f"sources/{name}": root / name for name in tracked}).items():
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if path.is_dir() else shutil.copyfile)(path, scratch / name)
        for name in ("statements.json", "errata.json"):
            shutil.copyfile(scratch / "site" / name, scratch / name)
        write_whole(scratch / "README.md", filled("fragments/archive.md", **facts))
        crate = "ro-crate-metadata.json"
        described = json.loads(filled(f"fragments/{crate}", **facts))
        write_whole(scratch / crate, json.dumps(described, indent=2, ensure_ascii=False) + "\n")
        files = sorted(path for path in scratch.rglob("*") if path.is_file())
        sums = [f"{checksum(path)}  {path.relative_to(scratch).as_posix()}\n" for path in files]
        write_whole(scratch / "SHA256SUMS", "".join(sums))


def _git(root, *arguments):
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        problem = done.stderr.strip()
        raise ValueError(f"git {arguments[0]}: {problem}: an archive is made in a git checkout")
    return done.stdout
