"""What executes, judges and renders is told of a book by its `Book`, and by nothing else."""

import re
from pathlib import Path

import pytest

import claimbook
from ndcg_companion.book import BOOK

ENGINE = Path(claimbook.__file__).parents[2]  # its project: tests and examples too
MADE = re.compile(r"(^|/)(_build|__pycache__|\.\w+)/")  # by builds, Python and tools
FILES = [
    path
    for path in sorted(ENGINE.rglob("*"))
    if path.is_file() and not MADE.search(path.relative_to(ENGINE).as_posix())
]
SUBJECT = re.compile(
    r"wang|rankdcg|katerenchuk|poster|slides|ndcg|companion|curve|ranker|ranking|discount|movielens", re.I
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ENGINE).as_posix())
def test_the_engine_names_nothing_of_this_book(path):
    text = path.read_text(encoding="utf-8")
    assert SUBJECT.findall(text) == []
    names = [f"{source.key}/" for source in BOOK.sources] + [source.name for source in BOOK.sources[:4]]
    assert [name for name in names if f'"{name}' in text] == []


# What the light core may import of the engine: modules that need nothing but the standard library.
LIGHT = {"claimbook.palette", "claimbook.text", "claimbook.writing", "claimbook.exits", "claimbook.scheduler"}


def test_the_packages_below_the_book_import_only_what_is_light():
    imported = re.compile(r"^ *from (claimbook\S*) import (\w+)", re.M)
    for package in ("measures", "theory", "simulation", "data", "evaluation", "conformance"):
        for path in (BOOK.folder / package).rglob("*.py"):
            for module, name in imported.findall(path.read_text(encoding="utf-8")):
                assert {module, f"{module}.{name}"} & LIGHT, path
