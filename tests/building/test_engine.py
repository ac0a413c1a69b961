"""The engine knows a book only through its `Book`."""

import ast
import re
from pathlib import Path

from docutils.nodes import make_id
from support import PROJECT

import claimbook
from ndcg_book import BOOK

ENGINE = Path(claimbook.__file__).parents[2]  # its project: tests and examples too
MADE = re.compile(r"(^|/)(_build|__pycache__|\.\w+)/")  # by builds, Python and tools
FILES = [
    path
    for path in sorted(ENGINE.rglob("*"))
    if path.is_file() and not MADE.search(path.relative_to(ENGINE).as_posix())
]
SUBJECT = re.compile(
    r"wang|rankdcg|katerenchuk|poster|slides|dcg|companion|curve|ranker|ranking|discount|movielens"
    r"|\bquer(?:y|ies)\b|relevan",
    re.I,
)


def test_the_engine_names_nothing_of_this_book():
    names = [f"{source.key}/" for source in BOOK.sources] + [source.name for source in BOOK.sources[:4]]
    words_by_file = {}
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if words := SUBJECT.findall(text) + [name for name in names if f'"{name}' in text]:
            words_by_file[path.relative_to(ENGINE).as_posix()] = words
    assert words_by_file == {} and len(FILES) > 100


# What is in the wheel, but for the pages of the book that it begins.
WHEEL = [path for path in FILES if "src/claimbook/" in path.as_posix() and "skeleton" not in path.parts]
PAGES = [page for page in PROJECT.chapters if page.name != "index"]  # which every site has
SOURCES = ENGINE / "src" / "claimbook" / "sphinxext" / "sources.py"
GENERATED = set(re.findall(r'^ +"([\w-]+)": lambda', SOURCES.read_text(encoding="utf-8"), re.M))


def pages_named_in(path):
    """The pages of this book that a file of the engine names, or compares a name with."""
    text = re.sub(r"fragments/[\w.-]+", "", path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(ast.parse(text))) if path.suffix == ".py" else []
    parts = [
        part for node in nodes if isinstance(node, ast.Compare) for part in [node.left, *node.comparators]
    ]
    compared = {part.value for part in parts if isinstance(part, ast.Constant)} - GENERATED
    for page in PAGES:
        named = rf"{page.file}\b|#{make_id(page.title)}\b|\b{page.name}\.(?:md|ipynb|html)\b"
        named += rf"|\b{page.name}\b" * ("-" in page.name)
        if re.search(named, text) or page.name in compared:
            yield page.name


def test_the_engine_names_no_page_of_this_book():
    """For example, it finds the page with the ledger by the directive there, whatever the page is called."""
    pages_by_file = {path.relative_to(ENGINE).as_posix(): [*pages_named_in(path)] for path in WHEEL}
    assert {name: pages for name, pages in pages_by_file.items() if pages} == {}


# What the light core may import of the engine: modules that need nothing but the standard library.
LIGHT = {"claimbook.palette", "claimbook.text", "claimbook.writing", "claimbook.exits"}


def test_the_packages_below_the_book_import_only_what_is_light():
    imported = re.compile(r"^ *from (claimbook\S*) import (\w+)", re.M)
    for package in ("measures", "theory", "simulation", "data", "evaluation", "conformance"):
        for path in (BOOK.folder / package).rglob("*.py"):
            for module, name in imported.findall(path.read_text(encoding="utf-8")):
                assert {module, f"{module}.{name}"} & LIGHT, path
