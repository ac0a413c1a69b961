"""A number leads to its cell, if there is one to be seen."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from claimbook.sphinxext.outputs import trace


def glued(name, text="3"):
    data = {"application/papermill.record/text/plain": repr(text)}
    return new_output("display_data", data, metadata={"scrapbook": {"name": name}})


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
    assert cells[0].source == "{traced}`cell-count lists`, {glue:text}`not-there` and `{glue:text}`"
    assert cells[3].source == "{glue:text}`hidden`" and cells[1].metadata.anchor == "cell-count"


def test_an_empty_text_is_no_link():
    cells = [
        new_markdown_cell("So{glue:text}`remark`.", id="text"),
        new_code_cell("count()", id="count", outputs=[glued("remark", "")]),
    ]
    trace(new_notebook(cells=cells))
    assert cells[0].source == "So{glue:text}`remark`."
