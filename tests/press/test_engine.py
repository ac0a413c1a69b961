"""What executes, judges and renders is told of a book by its `Book`, and by nothing else."""

import re
from pathlib import Path

import pytest

import ndcg_companion
from ndcg_companion.book import BOOK

PACKAGE = Path(ndcg_companion.__file__).parent
CORE = ("book", "evidence", "page", "parameters", "records", "registry", "uses")
ENGINE = [
    *(PACKAGE / "chapter" / f"{name}.py" for name in CORE),
    *(path for path in sorted((PACKAGE / "press").rglob("*.*")) if path.suffix != ".pyc"),
]
SUBJECT = re.compile(
    r"wang|rankdcg|katerenchuk|poster|slides|ndcg(?!_companion)|curve|ranker|ranking|discount|movielens", re.I
)
SCIENCE = re.compile(r"ndcg_companion\.(measures|theory|data|evaluation|conformance|book)\b")


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.name)
def test_the_engine_names_nothing_of_this_book_and_imports_none_of_its_packages(path):
    text = path.read_text(encoding="utf-8")
    assert SUBJECT.findall(text) == [] and SCIENCE.findall(text) == []
    names = [f"{source.key}/" for source in BOOK.sources] + [source.name for source in BOOK.sources[:4]]
    assert [name for name in names if f'"{name}' in text] == []
