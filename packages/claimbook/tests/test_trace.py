"""A number leads to the cell that computed it, if there is one to be seen; what only shows is left out."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from claimbook.output_metadata import METADATA_KEY
from claimbook.sphinxext.outputs import trace


def glued(name, text="3"):
    data = {"application/papermill.record/text/plain": repr(text)}
    return new_output("display_data", data, metadata={"scrapbook": {"name": name}})


def code(output):
    """The address that a number leads to."""
    return output.metadata["scrapbook"].get("code")


def test_a_number_leads_to_the_cell_that_computed_it():
    text = "{glue:text}`lists`, {glue:text}`not-there` and `{glue:text}`"
    cells = [
        new_markdown_cell(text, id="text"),
        new_code_cell("count()", id="count", outputs=[new_output("stream"), glued("lists")]),
        new_code_cell(
            "hidden()", id="hidden", outputs=[glued("hidden")], metadata={"tags": ["remove-input"]}
        ),
        new_markdown_cell("{glue:text}`hidden`", id="more"),
    ]
    trace(new_notebook(cells=cells))
    assert cells[0].source == text and cells[1].metadata.anchor == "cell-count"
    assert (code(cells[1].outputs[1]), code(cells[2].outputs[0])) == ("cell-count", None)


def test_an_empty_text_is_no_link():
    cells = [
        new_markdown_cell("So{glue:text}`remark`.", id="text"),
        new_code_cell("count()", id="count", outputs=[glued("remark", "")]),
    ]
    trace(new_notebook(cells=cells))
    assert code(cells[1].outputs[0]) is None


def drawn(name):
    return new_output("display_data", {}, metadata={METADATA_KEY: {"figure": {"name": name}}})


def page_of_four():
    """Imports, a computation, and a cell that shows a number and a figure of it."""
    cells = [
        new_code_cell("import numpy as np\npage = Page('it')", id="begin", metadata={"fold": "Draw it"}),
        new_code_cell("lists = [3, 4]", id="count"),
        new_code_cell(
            "page.numbers({'lists': len(lists)})\npage.figure(figures.bars(lists), 'figure-lists')",
            id="show",
            outputs=[glued("lists", "2"), drawn("figure-lists")],
        ),
        new_markdown_cell("{glue:text}`lists`", id="text"),
    ]
    return new_notebook(cells=cells)


def test_numbers_and_figures_lead_to_the_assignment_and_what_only_shows_is_left_out():
    notebook = page_of_four()
    trace(notebook)
    begin, count, show, _ = notebook.cells
    assert code(show.outputs[0]) == "cell-count"
    assert show.outputs[1].metadata[METADATA_KEY]["figure"]["code"] == "cell-count"
    assert begin.metadata.tags == show.metadata.tags == ["remove-input"] and "tags" not in count.metadata
    assert count.metadata.fold == "Draw it" and "fold" not in begin.metadata


def test_a_cell_that_shows_what_it_computes_stays():
    notebook = page_of_four()
    notebook.cells[
        2
    ].source = "page.numbers({'lists': 1 + 1})\npage.figure(figures.bars(lists), 'figure-lists')"
    trace(notebook)
    _, _, show, _ = notebook.cells
    assert code(show.outputs[0]) == "cell-show" and "tags" not in show.metadata


def test_a_parameter_that_papermill_set_leads_to_where_it_is_declared():
    notebook = page_of_four()
    given = new_code_cell("lists = [5]", id="given", metadata={"tags": ["injected-parameters"]})
    notebook.cells.insert(2, given)
    trace(notebook)
    assert code(notebook.cells[3].outputs[0]) == "cell-count"
