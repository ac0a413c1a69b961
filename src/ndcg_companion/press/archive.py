"""The book in one folder that can be kept: the site, the PDF, the executed notebooks, the sources.

``python -m ndcg_companion.press.archive`` ('make archive') puts it into ``_build/archive``, with checksums, a
README and RO-Crate metadata (version 1.1) that say what is what without this package.
"""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

from ndcg_companion.press.project import Project
from ndcg_companion.press.publication import address, publication
from ndcg_companion.writing import output_folder

# What is in the archive: a name, what it is, and its type for machines.
PARTS = {
    "site/": ("The book as a website; open site/index.html, no network is needed", "text/html"),
    "companion.pdf": ("The book as one file, for reading and printing", "application/pdf"),
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
_README = """# {title}

Version {version}, commit {commit}, {date}. License: {license} (see sources/LICENSE).

{parts}

## To read it

Open `site/index.html` in any browser, or `companion.pdf`. The notebooks in `executed/` are JSON (nbformat 4):
code, text and outputs can be read with a text editor.

## To make it again

With Python {python} and make, in a copy of `sources/`: `make book`. The lock names the very files that were
used, by their hashes; any index or mirror that has them will do. `make ledger` lists the verdicts, to be
compared with `findings.json`.
"""


def archive(root: Path, folder: Path) -> None:
    """Write the archive of the finished book at the profile 'book' into ``folder``.

    Raises
    ------
    ValueError
        If the book, its PDF or the list of what is under version control is not there.
    """
    build = root / "_build" / "book"
    sources = {
        "site": build / "html",
        "companion.pdf": build / "companion.pdf",
        "executed": build / "executed",
        "findings.json": build / "findings.json",
        "requirements.lock": root / "requirements.lock",
    }
    for path in sources.values():
        if not path.exists():
            raise ValueError(
                f"{path.relative_to(root)}: not there yet: 'make archive' builds and prints the book first"
            )
    tracked = _git(root, "ls-files", "-z").split("\0")[:-1]
    about = json.loads(publication(root)[".zenodo.json"])
    date = _git(root, "log", "-1", "--format=%cs").strip()
    with output_folder(folder, "archive") as scratch:
        for name, path in sources.items():
            (shutil.copytree if path.is_dir() else shutil.copyfile)(path, scratch / name)
        for name in tracked:
            (scratch / "sources" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, scratch / "sources" / name)
        for name in ("statements.json", "errata.json"):
            shutil.copyfile(scratch / "site" / name, scratch / name)
        parts = "\n".join(f"- `{name}`: {says}" for name, (says, _) in PARTS.items())
        said = about | {"parts": parts, "date": date, "commit": Project(root).commit, "python": ">= 3.11"}
        (scratch / "README.md").write_text(_README.format(**said), encoding="utf-8")
        crate = json.dumps(_crate(about, date, address(root)), indent=2, ensure_ascii=False)
        (scratch / "ro-crate-metadata.json").write_text(crate + "\n", encoding="utf-8")
        files = sorted(path for path in scratch.rglob("*") if path.is_file())
        sums = [f"{_checksum(path)}  {path.relative_to(scratch).as_posix()}\n" for path in files]
        (scratch / "SHA256SUMS").write_text("".join(sums), encoding="utf-8", newline="\n")


def _git(root, *arguments):
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise ValueError(f"git {arguments[0]}: {done.stderr.strip()}: an archive is made in a git checkout")
    return done.stdout


def _checksum(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _crate(about, date, url):
    """What the parts are, as RO-Crate 1.1 has it: a graph of things that refer to each other."""
    authors = [
        {"@id": f"#author-{place}", "@type": "Organization", "name": author["name"]}
        for place, author in enumerate(about["creators"], 1)
    ]
    written_by = [{"@id": author["@id"]} for author in authors]
    license = {
        "@id": f"https://spdx.org/licenses/{about['license']}",
        "@type": "CreativeWork",
        "name": f"{about['license']} license",
        "description": "The text is in sources/LICENSE.",
    }
    if url:
        for author in authors:
            author["url"] = url
    parts = [
        {"@id": name, "@type": "Dataset", "name": says}
        if name.endswith("/")
        else {"@id": name, "@type": "File", "name": says, "encodingFormat": kind}
        for name, (says, kind) in PARTS.items()
    ]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": about["title"],
        "description": about["description"],
        "version": about["version"],
        "datePublished": date,
        "keywords": about["keywords"],
        "license": {"@id": license["@id"]},
        "author": written_by[0] if len(written_by) == 1 else written_by,
        "publisher": written_by[0],
        "hasPart": [{"@id": part["@id"]} for part in parts],
    }
    if url:
        root["identifier"] = url
    descriptor = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
    }
    return {
        "@context": "https://w3id.org/ro/crate/1.1/context",
        "@graph": [descriptor, root, *parts, *authors, license],
    }


if __name__ == "__main__":
    here = Project.find().root
    try:
        archive(here, here / "_build" / "archive")
    except ValueError as error:
        raise SystemExit(f"archive: {error}") from None
    print(f"wrote {here / '_build' / 'archive'}")
