"""Archive the site, the PDF, the executed notebooks and the sources in one folder.

Checksums, a README and RO-Crate metadata (version 1.1) describe the contents of the archive for people and
programs without this package.
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

_PROJECT = re.compile(r"(packages/[^/]+/)?pyproject\.toml")  # files that are needed to install a book
# The contents of the archive: the name, the description and the media type of each part. The PDF has the
# book's name.
PARTS = {
    "site/": ("The book as a website; open site/index.html, no network is needed", "text/html"),
    "{pdf}": ("The book as one file, for reading and printing", "application/pdf"),
    "executed/": ("The chapters as they were executed, with all outputs", "application/x-ipynb+json"),
    "findings.json": (
        "Every verdict, with its claim, its control and the observations",
        "application/json",
    ),
    "statements.json": ("Every statement of the sources: reading, verdict, page", "application/json"),
    "errata.json": ("What is wrong in the sources as printed, and what is true instead", "application/json"),
    "sources/": ("All files under version control, from which everything else can be built", "text/plain"),
    "requirements.lock": ("Each package that was used, with version and hashes", "text/plain"),
    "SHA256SUMS": ("A checksum for each file; 'sha256sum -c SHA256SUMS' compares them", "text/plain"),
    "README.md": ("This list, and the commands that rebuild everything", "text/markdown"),
}


def archive(root: Path, folder: Path) -> None:
    """Write the archive of the finished book, at the profile 'book', into a folder.

    Parameters
    ----------
    root : Path
        The folder of the book.
    folder : Path
        The output folder.

    Raises
    ------
    ValueError
        If metadata are missing, if the book, its PDF or the list of files under version control does not
        exist, if a page is not in that list, or if sources, build and PDF do not match (`check_finished`).
    """
    if missing_fields := missing(root):
        raise ValueError(f"{missing_fields}, because an archive describes itself")
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
            expectation = f"expected a finished build; '{book.command} pdf' makes it"
            if not path.is_relative_to(build):
                expectation = (
                    "expected packages with versions and hashes, from 'uv pip compile --generate-hashes'"
                )
            raise ValueError(f"{path.relative_to(root)}: {expectation}")
    tracked_files = _git(root, "ls-files", "-z").split("\0")[:-1]
    for page in project.chapters:
        if (name := page.path.relative_to(root).as_posix()) not in tracked_files:
            raise ValueError(f"{name}: expected a file under version control; 'git add' it")
    with hold(root / "_build", "building"):
        check_finished(project)
        _write(project, folder, sources, tracked_files, pdf)


def _write(project, folder, sources, tracked_files, pdf):
    """Copy the built parts and the tracked files into the archive, and add a description.

    Parameters
    ----------
    project : Project
        The book.
    folder : Path
        The output folder.
    sources : dict
        The built parts, by their names in the archive.
    tracked_files : list of str
        The names of the files under version control.
    pdf : str
        The name of the PDF.
    """
    root, command = project.root, project.book.command
    parts = {name.format(pdf=pdf): entry for name, entry in PARTS.items()}
    facts = about(root) | {
        "parts": parts,
        "pdf": pdf,
        "command": command,
        "date": _git(root, "log", "-1", "--format=%cs").strip(),
        "commit": project.commit,
        "folders": [
            os.path.dirname(name) or "."
            for name in tracked_files
            if _PROJECT.fullmatch(name) and "[build-system]" in (root / name).read_text(encoding="utf-8")
        ],
        "hashed": "--hash=" in (root / "requirements.lock").read_text(encoding="utf-8"),
    }
    with output_folder(folder, "archive") as staged_archive:
        for name, path in (sources | {f"sources/{name}": root / name for name in tracked_files}).items():
            (staged_archive / name).parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if path.is_dir() else shutil.copyfile)(path, staged_archive / name)
        for name in ("statements.json", "errata.json"):
            shutil.copyfile(staged_archive / "site" / name, staged_archive / name)
        write_whole(staged_archive / "README.md", filled("fragments/archive.md", **facts))
        crate = "ro-crate-metadata.json"
        metadata = json.loads(filled(f"fragments/{crate}", **facts))
        write_whole(staged_archive / crate, json.dumps(metadata, indent=2, ensure_ascii=False) + "\n")
        files = sorted(path for path in staged_archive.rglob("*") if path.is_file())
        checksum_lines = [
            f"{checksum(path)}  {path.relative_to(staged_archive).as_posix()}\n" for path in files
        ]
        write_whole(staged_archive / "SHA256SUMS", "".join(checksum_lines))


def _git(root, *arguments):
    """Return the output of git, or raise ValueError with its error."""
    process = subprocess.run(
        ["git", "-C", root, *arguments], capture_output=True, text=True, encoding="utf-8"
    )
    if process.returncode:
        problem = process.stderr.strip()
        raise ValueError(f"git {arguments[0]}: expected a git checkout, got the error: {problem}")
    return process.stdout
