import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from support import finding

from claimbook.output_metadata import METADATA_KEY
from claimbook.reports.ledger import write_findings
from claimbook.sphinxext.sources import Edition, joined

FOUND = finding("wang/theorem-7")


@pytest.fixture
def edition(small_book):
    """Both chapters as they would be after execution; the second counts all findings."""
    executed = small_book.root / "_build" / "book" / "executed"
    executed.mkdir(parents=True)
    for chapter in small_book.notebooks:
        notebook = nbformat.read(chapter.path, as_version=4)
        if chapter.name == "second":
            notebook.cells.append(new_markdown_cell("```{generated} totals\n```", id="totals"))
            nbformat.write(notebook, chapter.path)
        notebook.cells[2].outputs = [new_output("display_data", data={"text/plain": "shown"})]
        notebook.metadata[METADATA_KEY] = {"key": "k", "parameters": {}, "seconds": 1}
        nbformat.write(notebook, executed / f"{chapter.name}.ipynb")
    write_findings(executed.parent / "findings.json", "book", [FOUND])
    return Edition(type(small_book)(small_book.root), executed)


def test_the_prose_is_that_of_the_chapter_and_the_outputs_are_those_of_its_execution():
    prose, code = new_markdown_cell("now", id="prose"), new_code_cell("x = 1", id="parameters")
    shown = new_code_cell("x", id="show", metadata={"tags": ["hide-input"]})
    ran = [new_markdown_cell("then"), new_code_cell("x = 1"), new_code_cell("x", execution_count=3)]
    ran.insert(2, new_code_cell("x = 2", metadata={"tags": ["injected-parameters"]}))
    ran[3].outputs = [new_output("display_data", data={"text/plain": "2"})]
    notebook = joined(new_notebook(cells=[code, prose, shown]), new_notebook(cells=ran))
    assert [cell.source for cell in notebook.cells] == ["x = 1", "x = 2", "now", "x"]
    last = notebook.cells[-1]
    assert (last.id, last.execution_count, last.metadata.tags) == ("show", 3, ["hide-input"])
    assert last.outputs[0].data == {"text/plain": "2"} and shown.outputs == []


def test_a_page_has_its_outputs_its_fragments_and_how_to_run_it_again(edition):
    notebook = nbformat.reads(edition.text("chapters/second"), as_version=4)
    assert (
        notebook.cells[2].outputs[0].data["text/plain"] == "shown" and METADATA_KEY not in notebook.metadata
    )
    assert "**1 hold as printed**" in edition.fragments("chapters/second")["totals"]()
    assert "companion run second" in notebook.cells[-1].source


def test_data_that_a_page_links_to_are_part_of_the_site_and_of_what_it_is_made_of(edition, monkeypatch):
    root, names = edition.project.root, ["cases.json", "cases.schema.json", "results.json"]
    assert edition.data == {}
    toc = root / "_toc.yml"
    toc.write_text(toc.read_text() + "- file: chapters/what-your-library-computes\n")
    (root / "chapters" / "what-your-library-computes.md").write_text("# The page\n")
    again = lambda: Edition(type(edition.project)(root), edition.executed)
    assert list(again().data) == [f"conformance/{name}" for name in names]
    assert all(json.loads(path.read_text(encoding="utf-8")) for path in again().data.values())

    package = root / "package"
    (package / "conformance").mkdir(parents=True)
    monkeypatch.setattr("claimbook.book.Book.folder", package)
    (package / "conformance" / "results.json").write_text("[1]")
    before = again().static
    assert again().static == before
    (package / "conformance" / "results.json").write_text("[2]")
    assert again().static != before


def test_a_digest_changes_with_what_its_page_shows_and_with_nothing_else(edition):
    root, executed = edition.project.root, edition.executed

    def digests():
        fresh = Edition(type(edition.project)(root), executed)
        return [fresh.digest(f"chapters/{name}") for name in ("first", "second")]

    def changed(path, old, new):
        before, text = digests(), path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        return [one != other for one, other in zip(before, digests(), strict=True)]

    assert changed(root / "chapters" / "first.ipynb", "The chapter", "Our chapter") == [
        True,
        True,
    ]  # titles are listed
    assert changed(root / "chapters" / "second.ipynb", "totals", "sums") == [False, True]
    assert changed(executed / "first.ipynb", "shown", "other") == [True, False]
    assert changed(root / "_config.yml", "Can NDCG", "Does NDCG") == [True, True]
    assert changed(executed.parent / "findings.json", "consistent", "contradicted") == [True, True]


def test_a_result_that_gets_another_number_changes_the_pages_that_hold_it_or_list_it(edition):
    root = edition.project.root

    def made_of():
        fresh = Edition(type(edition.project)(root), edition.executed)
        digests = [fresh.digest(f"chapters/{name}") for name in ("first", "second")]
        return [*digests, fresh.basis("statements", "chapters/second")]

    def add(name, label):
        """Which of the two pages and of the list are others afterwards."""
        before = made_of()
        notebook = nbformat.read(root / "chapters" / f"{name}.ipynb", as_version=4)
        notebook.cells.append(new_markdown_cell(f"```{{prf:lemma}}\n:label: {label}\n```", id=label))
        nbformat.write(notebook, root / "chapters" / f"{name}.ipynb")
        return [one != other for one, other in zip(before, made_of(), strict=True)]

    assert add("first", "lemma-new") == [True, False, True]
    assert add("second", "lemma-last") == [False, True, True]
    assert add("first", "lemma-newest") == [True, True, True]


def test_a_fragment_that_nobody_makes_is_refused(edition):
    with pytest.raises(ValueError, match="generated='totls': expected one of .*totals"):
        edition.basis("totls", "chapters/second")


def test_a_chapter_by_itself_tells_of_the_last_build_and_does_without_one(edition, tmp_path):
    toc = tmp_path / "_toc.yml"
    toc.write_text(json.dumps({"format": "jb-book", "root": "chapters/second"}))
    write_findings(tmp_path / "findings.json", "book", [])
    alone = Edition(type(edition.project)(edition.project.root, toc), edition.executed)
    assert not alone.whole and alone.findings == [FOUND] and "_sources" not in alone.text("chapters/second")
    (edition.executed.parent / "findings.json").write_text("[]")
    assert Edition(alone.project, edition.executed).findings == []
