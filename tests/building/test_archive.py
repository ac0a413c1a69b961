"""The archive: a complete folder with checksums and a description for people and machines."""

import hashlib
import json
import shutil
import subprocess

import pytest
from support import ROOT

from claimbook.publish import archive as archiving
from claimbook.publish.archive import PARTS, archive
from ndcg_book import BOOK


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with a finished book, as far as an archive copies it."""
    monkeypatch.setattr(archiving, "check_finished", lambda project: None)
    root = tmp_path / "checkout"
    for name in ("html/index.html", "html/statements.json", "html/errata.json", "executed/first.ipynb"):
        path = root / "_build" / "book" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    for name in ("findings.json", "ndcg-companion.pdf"):
        (root / "_build" / "book" / name).write_text("{}", encoding="utf-8")
    for name in ("pyproject.toml", "_config.yml", "README.md", "requirements.lock"):
        shutil.copy(ROOT / name, root)
    (root / "_toc.yml").write_text("format: jb-book\nroot: first\n", encoding="utf-8")
    (root / "first.md").write_text("# First\n", encoding="utf-8")
    (root / ".gitignore").write_text("_build/\n", encoding="utf-8")
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "Begin")):
        subprocess.run(["git", *command], cwd=root, check=True)
    return root


def test_every_part_is_there_and_has_its_checksum(checkout, tmp_path):
    folder = tmp_path / "archive"
    archive(checkout, folder)
    assert all((folder / name.format(pdf=BOOK.pdf)).exists() for name in PARTS)
    assert (folder / "sources" / "_config.yml").read_bytes() == (checkout / "_config.yml").read_bytes()
    assert not (folder / "sources" / "_build").exists()
    sums = dict(
        line.split("  ", 1)[::-1] for line in (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    )
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files - sums.keys() == {"SHA256SUMS", ".claimbook.json"}
    assert all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == sums[name] for name in sums)


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("requirements.lock", "requirements.lock: expected packages with versions and hashes"),
        (
            "_build/book/ndcg-companion.pdf",
            "ndcg-companion.pdf: expected a finished build; 'companion pdf' makes it",
        ),
    ],
)
def test_what_an_archive_lacks_is_named_with_what_makes_it(checkout, tmp_path, missing, message):
    (checkout / missing).unlink()
    with pytest.raises(ValueError, match=message):
        archive(checkout, tmp_path / "archive")


def test_the_description_names_what_is_there_and_nothing_else(checkout, tmp_path):
    folder = tmp_path / "archive"
    archive(checkout, folder)
    graph = {
        thing["@id"]: thing
        for thing in json.loads((folder / "ro-crate-metadata.json").read_text(encoding="utf-8"))["@graph"]
    }
    parts = {part["@id"] for part in graph["./"]["hasPart"]}
    assert parts == {name.format(pdf=BOOK.pdf) for name in PARTS} and parts <= graph.keys()
    beside = {path.name for path in folder.iterdir()} - {"ro-crate-metadata.json", ".claimbook.json"}
    assert {name.rstrip("/") for name in parts} == beside
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name.format(pdf=BOOK.pdf)}`" in readme for name in PARTS)


@pytest.mark.parametrize("missing", ["ndcg-companion.pdf", "findings.json"])
def test_an_unfinished_book_is_not_archived(checkout, tmp_path, missing):
    (checkout / "_build" / "book" / missing).unlink()
    with pytest.raises(ValueError, match=f"{missing}: expected a finished build"):
        archive(checkout, tmp_path / "archive")
    assert not (tmp_path / "archive").exists()


def test_a_page_that_is_not_under_version_control_is_named(checkout, tmp_path):
    subprocess.run(["git", "rm", "-q", "--cached", "first.md"], cwd=checkout, check=True)
    with pytest.raises(ValueError, match="^first.md: expected a file under version control"):
        archive(checkout, tmp_path / "archive")


def test_an_archive_is_made_in_a_checkout(checkout, tmp_path):
    shutil.rmtree(checkout / ".git")
    with pytest.raises(ValueError, match="git checkout"):
        archive(checkout, tmp_path / "archive")
