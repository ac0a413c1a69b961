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

_PYPROJECT = re.compile(r"(packages/[^/]+/)?pyproject\.toml")  # of the book and of packages in its repository
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
    book, build_folder = project.book, root / "_build" / "book"
    built_parts = {
        "site": build_folder / "html",
        book.pdf: build_folder / book.pdf,
        "executed": build_folder / "executed",
        "findings.json": build_folder / "findings.json",
    }
    for path in built_parts.values():
        if not path.exists():
            expectation = f"expected a finished build; '{book.command} pdf' makes it"
            raise ValueError(f"{path.relative_to(root)}: {expectation}")
    if not (root / "requirements.lock").exists():
        expectation = "expected packages with versions and hashes, from 'uv pip compile --generate-hashes'"
        raise ValueError(f"requirements.lock: {expectation}")
    tracked_files = _git(root, "ls-files", "-z").split("\0")[:-1]
    for page in project.chapters:
        if (name := page.path.relative_to(root).as_posix()) not in tracked_files:
            raise ValueError(f"{name}: expected a file under version control; 'git add' it")
    with hold(root / "_build", "building"):
        check_finished(project)
        _write_archive(project, folder, built_parts, tracked_files)


def _write_archive(project, folder, built_parts, tracked_files):
    """Copy the built parts and the tracked files into the archive, and add a description.

    Parameters
    ----------
    project : Project
        The book.
    folder : Path
        The output folder.
    built_parts : dict of Path
        The built files and folders, by their names in the archive.
    tracked_files : list of str
        The names of the files under version control.
    """
    root, pdf = project.root, project.book.pdf
    lock = root / "requirements.lock"
    facts = about(root) | {
        "parts": {name.format(pdf=pdf): entry for name, entry in PARTS.items()},
        "pdf": pdf,
        "command": project.book.command,
        "date": _git(root, "log", "-1", "--format=%cs").strip(),
        "commit": project.commit,
        "folders": [
            os.path.dirname(name) or "."
            for name in tracked_files
            if _PYPROJECT.fullmatch(name) and "[build-system]" in (root / name).read_text(encoding="utf-8")
        ],
        "hashed": "--hash=" in lock.read_text(encoding="utf-8"),
    }
    sources = {f"sources/{name}": root / name for name in tracked_files}
    with output_folder(folder, "archive") as staged_archive:
        for name, path in (built_parts | {lock.name: lock} | sources).items():
            copy = shutil.copytree if path.is_dir() else shutil.copyfile
            (staged_archive / name).parent.mkdir(parents=True, exist_ok=True)
            copy(path, staged_archive / name)
        for name in ("statements.json", "errata.json"):
            shutil.copyfile(staged_archive / "site" / name, staged_archive / name)
        write_whole(staged_archive / "README.md", filled("fragments/archive.md", **facts))
        metadata = json.loads(filled("fragments/ro-crate-metadata.json", **facts))
        metadata_text = json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"
        write_whole(staged_archive / "ro-crate-metadata.json", metadata_text)
        files = sorted(path for path in staged_archive.rglob("*") if path.is_file())
        checksum_lines = [
            f"{checksum(path)}  {path.relative_to(staged_archive).as_posix()}\n" for path in files
        ]
        write_whole(staged_archive / "SHA256SUMS", "".join(checksum_lines))


def _git(root, command, *arguments):
    """Return the output of a git command, or raise ValueError with its error."""
    process = subprocess.run(
        ["git", "-C", root, command, *arguments], capture_output=True, text=True, encoding="utf-8"
    )
    if process.returncode:
        problem = process.stderr.strip()
        raise ValueError(f"git {command}: expected a git checkout, got the error: {problem}")
    return process.stdout
