import tomllib

import pytest
from packaging.requirements import Requirement
from support import ROOT

from claimbook.cli.main import CommandLine
from ndcg_book.cli import main
from ndcg_companion import extras
from ndcg_companion.extras import missing_extra

# Where a package is imported under another name than it is installed.
IMPORTED = {
    "scikit-learn": "sklearn",
    "ipykernel": "IPython",
    "pytrec-eval-terrier": "pytrec_eval",
    "pyyaml": "yaml",
    "beautifulsoup4": "bs4",
    "jupyter-book": "jupyter_book",
    "ranking-report": "ranking_report",
    "ndcg-conformance": "ndcg_conformance",
}


def test_each_extra_is_one_of_the_metadata_and_brings_what_is_stated():
    declared, engine = (
        tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for folder in (ROOT, ROOT / "packages" / "claimbook")
    )
    engine = engine["optional-dependencies"]
    engine = {Requirement(text).name for name in ("page", "build") for text in engine[name]}
    for extra, (modules, _) in extras._EXTRAS.items():
        names = {Requirement(text).name for text in declared["optional-dependencies"][extra]}
        names |= engine if extra in ("chapter", "book") else set()
        brought = {IMPORTED.get(name, name) for name in names}
        implied = {"distributed", "sphinx"}  # by dask[distributed] and Jupyter Book
        assert set(modules) - implied <= brought, extra


@pytest.mark.parametrize("extra", extras._EXTRAS)
def test_an_extra_that_is_there_is_not_missing(extra):
    assert missing_extra(extra) == ""


def test_an_extra_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    assert missing_extra("films").endswith(": in a clone, run pip install '.[films]'")
    message = missing_extra("chapter")
    for path in (ROOT / "packages").iterdir():
        assert f" ./packages/{path.name}" in message
    with pytest.raises(ModuleNotFoundError, match="lightgbm is not installed") as raised:
        extras.import_extra("lambdamart")
    assert raised.value.name == "lightgbm"


def test_a_command_that_lacks_its_extra_says_so_in_one_line(monkeypatch, capsys):
    def bare(*_):
        raise ModuleNotFoundError("No module named 'papermill'", name="papermill.engines")

    monkeypatch.setattr(CommandLine, "read", bare)
    assert main(["list"]) == 2
    assert capsys.readouterr().err == (
        "companion: papermill is not installed, but it is needed for the book: in a clone, run "
        "pip install '.[book]' ./packages/claimbook ./packages/ranking-report ./packages/ndcg-conformance\n"
    )


def test_a_module_that_no_extra_brings_is_a_fault(monkeypatch, capsys):
    def broken(*_):
        raise ModuleNotFoundError("No module named 'nonsense'", name="nonsense")

    monkeypatch.setattr(CommandLine, "read", broken)
    assert main(["list"]) == 3
    assert "ModuleNotFoundError: No module named 'nonsense'" in capsys.readouterr().err
