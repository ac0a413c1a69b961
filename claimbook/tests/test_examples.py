"""The example builds from an empty folder, and every verdict of it is the expected one."""

import json
import shutil
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "first-digits"


@pytest.fixture(scope="module")
def book(tmp_path_factory, claimbook):
    """The folder of the example, copied without what builds leave there, and built."""
    folder = tmp_path_factory.mktemp("example") / EXAMPLE.name
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    done = claimbook("build", cwd=folder)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    return folder


def test_every_verdict_is_the_expected_one_and_one_statement_is_false(book, claimbook):
    done = claimbook("ledger", "--json", cwd=book)
    assert done.returncode == 0
    rows = json.loads(done.stdout)["statements"]
    assert len(rows) >= 5 and [row["verdict"] for row in rows].count("contradicted") == 1


def test_the_site_has_figures_errata_and_a_search(book):
    site = book / "_build" / "book" / "html"
    for name in ("first-and-second-digits", "ratios-of-ratios"):
        assert "<figure" in (site / "chapters" / f"{name}.html").read_text(encoding="utf-8")
    assert "erratum-newcomb-ratios" in (site / "chapters" / "errata.html").read_text(encoding="utf-8")
    assert "newcomb-ratios-corrected" in (site / "search-entries.js").read_text(encoding="utf-8")


def test_no_address_of_another_repository_is_on_a_page(book):
    """Jupyter Book's default address is its own."""
    for page in (book / "_build" / "book" / "html" / "chapters").glob("*.html"):
        assert "github.com" not in page.read_text(encoding="utf-8"), page.name


def test_its_only_python_is_its_chapters_and_its_book():
    assert [path.name for path in EXAMPLE.rglob("*.py") if "_build" not in path.parts] == ["__init__.py"]
