import json
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from samples import finding

from claimbook.output_metadata import METADATA_KEY
from claimbook.reports.ledger import write_findings
from claimbook.sphinxext.directives import ask, outdated
from claimbook.sphinxext.sources import PageSources, with_outputs

FOUND = finding("note/claim-1")


@pytest.fixture
def page_sources(small_book):
    """Return both chapters as if executed; the second counts all findings."""
    config = small_book.root / "_config.yml"
    config.write_text(config.read_text(encoding="utf-8").replace("SMALL", "BOOK"), encoding="utf-8")
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
    return PageSources(type(small_book)(small_book.root), executed)


def test_the_prose_is_that_of_the_chapter_and_the_outputs_are_those_of_its_execution():
    prose, code = new_markdown_cell("now", id="prose"), new_code_cell("x = 1", id="parameters")
    shown = new_code_cell("x", id="show", metadata={"tags": ["hide-input"]})
    ran = [new_markdown_cell("then"), new_code_cell("x = 1"), new_code_cell("x", execution_count=3)]
    ran.insert(2, new_code_cell("x = 2", metadata={"tags": ["injected-parameters"]}))
    ran[3].outputs = [new_output("display_data", data={"text/plain": "2"})]
    notebook = with_outputs(new_notebook(cells=[code, prose, shown]), new_notebook(cells=ran))
    assert [cell.source for cell in notebook.cells] == ["x = 1", "x = 2", "now", "x"]
    last = notebook.cells[-1]
    assert (last.id, last.execution_count, last.metadata.tags) == ("show", 3, ["hide-input"])
    assert last.outputs[0].data == {"text/plain": "2"} and shown.outputs == []


def test_a_page_has_its_outputs_its_fragments_and_how_to_run_it_again(page_sources):
    notebook = nbformat.reads(page_sources.text("chapters/second"), as_version=4)
    assert (
        notebook.cells[2].outputs[0].data["text/plain"] == "shown" and METADATA_KEY not in notebook.metadata
    )
    assert "**1 passes our checks as printed**" in page_sources.fragments("chapters/second")["totals"]()
    assert "claimbook run second" in notebook.cells[-1].source


def test_all_pages_are_rendered_again_when_a_generated_page_moves(page_sources):
    root = page_sources.project.root
    again = lambda: PageSources(type(page_sources.project)(root), page_sources.executed).frame
    before = again()
    (root / "chapters" / "map.md").write_text("# The map\n", encoding="utf-8")
    toc = root / "_toc.yml"
    toc.write_text(toc.read_text() + "- file: chapters/map\n")
    with_page = again()
    (root / "chapters" / "map.md").write_text("# The map\n\n```{generated} map\n```\n", encoding="utf-8")
    assert len({before, with_page, again()}) == 3


def test_data_that_a_page_links_to_are_part_of_the_site_and_of_what_it_is_made_of(page_sources, monkeypatch):
    root = page_sources.project.root
    package = root / "package"
    package.mkdir()
    monkeypatch.setitem(vars(page_sources.project.book), "folders", {"plain_book": package})
    (package / "results.json").write_text("[1]")
    assert page_sources.data == {}
    toc = root / "_toc.yml"
    toc.write_text(toc.read_text() + "- file: chapters/the-readings\n")
    (root / "chapters" / "the-readings.md").write_text("# The page\n")
    again = lambda: PageSources(type(page_sources.project)(root), page_sources.executed)
    assert again().data == {"readings/results.json": package / "results.json"}

    before = again().static
    assert again().static == before
    (package / "results.json").write_text("[2]")
    assert again().static != before


def test_a_digest_changes_only_with_the_contents_of_its_page(page_sources):
    root, executed = page_sources.project.root, page_sources.executed

    def digests():
        fresh = PageSources(type(page_sources.project)(root), executed)
        return [*map(fresh.digest, ("chapters/first", "chapters/second")), fresh.made_of]

    def changed(path, old, new):
        before, text = digests(), path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        return [earlier != other for earlier, other in zip(before, digests(), strict=True)]

    assert changed(root / "chapters" / "first.ipynb", "The chapter", "Our chapter") == [True, False, True]
    assert changed(root / "chapters" / "second.ipynb", "totals", "sums") == [False, True, True]
    assert changed(executed / "first.ipynb", "shown", "other") == [True, False, True]
    assert changed(root / "_config.yml", "The plain book", "A plain book") == [True, True, True]
    assert changed(executed.parent / "findings.json", "consistent", "contradicted") == [False, False, True]


def test_a_page_is_read_again_when_what_it_asked_for_has_another_answer(page_sources):
    """The directives of the second page ask for a title, a verdict and all results."""
    root, book = page_sources.project.root, SimpleNamespace(claimbook=page_sources)
    env = SimpleNamespace(_app=book, docname="chapters/second", claimbook_asked={})
    state = SimpleNamespace(document=SimpleNamespace(settings=SimpleNamespace(env=env)))
    directive = SimpleNamespace(state=state, error=RuntimeError)
    assert ask(directive, "page", "first") == "[The chapter first](first.ipynb)"
    assert ask(directive, "verdict", "note/claim-1") == "consistent"
    ask(directive, "basis", "statements", "chapters/second")
    with pytest.raises(RuntimeError, match="page='frist': expected the name of a page; did you mean 'first'"):
        ask(directive, "page", "frist")
    with pytest.raises(RuntimeError, match="statement='note/claim-9': expected a statement of the registry"):
        ask(directive, "verdict", "note/claim-9")
    with pytest.raises(RuntimeError, match="symbol='g_0': expected 'symbol = meaning'"):
        ask(directive, "meaning", "g_0")

    def stale():
        return outdated(env, PageSources(type(page_sources.project)(root), page_sources.executed))

    chapter, findings = root / "chapters" / "first.ipynb", page_sources.executed.parent / "findings.json"
    for path, old, new in (
        (chapter, "# The", "# Our"),
        (findings, "consistent", "contradicted"),
        (chapter, "# The chapter first", "# The chapter first\\n\\n```{prf:lemma}\\n:label: a\\n```"),
    ):
        assert stale() == []
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        assert stale() == ["chapters/second"]
        path.write_text(text, encoding="utf-8")


def test_an_unknown_fragment_is_rejected(page_sources):
    with pytest.raises(ValueError, match="generated='totls': expected one of .*totals"):
        page_sources.basis("totls", "chapters/second")


def test_a_single_chapter_shows_the_last_build_and_works_without_one(page_sources, tmp_path):
    toc = tmp_path / "_toc.yml"
    toc.write_text(json.dumps({"format": "jb-book", "root": "chapters/second"}))
    write_findings(tmp_path / "findings.json", "book", [])
    alone = PageSources(type(page_sources.project)(page_sources.project.root, toc), page_sources.executed)
    assert not alone.whole and alone.findings == [FOUND] and "_sources" not in alone.text("chapters/second")
    (page_sources.executed.parent / "findings.json").write_text("[]")
    assert PageSources(alone.project, page_sources.executed).findings == []
