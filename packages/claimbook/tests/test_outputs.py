import re
from types import SimpleNamespace

import nbformat
import pytest
from docutils import nodes
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from plain_book import BOOK

from claimbook.page import METADATA_KEY
from claimbook.parameters import parse_parameters
from claimbook.sphinxext import directives
from claimbook.sphinxext.directives import RetrievalError
from claimbook.sphinxext.extension import BookError, _Build
from claimbook.sphinxext.outputs import about, drawn_by, transform

TITLES = {"title": "Can it?", "author": "Some people", "copyright": "2026"}
FOUND = "**● consistent** · `note/claim-1`\n\n- The claim *holds*: it does.\n"
CAPTION = """Before.

```{glue:figure} figure-x
:name: figure-x

It *rises*.
```

After."""


RECORD = {"statement": "note/claim-1", "verdict": "consistent", "needs": "", "claim": {"says": "it *does*"}}


def shown(text, **record):
    return new_output(
        "display_data", data={"text/markdown": text}, metadata={METADATA_KEY: record} if record else {}
    )


@pytest.fixture
def notebook():
    """Return a notebook with prose, a figure, a number and a finding."""
    figure = {"name": "figure-x", "alt": "A line from 1\nto 2.", "drawn_by": ""}
    outputs = [shown("number"), shown("image", figure=figure)]
    cells = [
        new_markdown_cell("Before.", id="before"),
        new_code_cell("draw()", id="draw", outputs=outputs),
        new_code_cell("find()", id="find", outputs=[shown(FOUND, finding=RECORD)]),
        new_markdown_cell(CAPTION, id="caption"),
    ]
    return new_notebook(metadata={METADATA_KEY: {"key": "secret"}}, cells=cells)


def transformed(notebook, **options):
    assert transform(notebook, **options) == {"figure-x"}
    return notebook.cells


def test_a_figure_is_glued_and_its_directive_gets_the_alternative_text(notebook):
    _, draw, find, caption = transformed(notebook)
    number, image = draw.outputs
    assert image.data == {"application/papermill.record/text/markdown": "image"}
    glued = image.metadata["scrapbook"]
    assert (glued.name, glued.mime_prefix) == ("figure-x", "application/papermill.record/")
    assert glued.alt == "A line from 1\\nto 2." and not glued.in_both
    assert number.data == {"text/markdown": "number"} and not number.metadata and not find.outputs[0].metadata
    assert caption.source == CAPTION and "secret" not in nbformat.writes(notebook)


def test_the_widget_of_a_figure_is_left_to_its_directive(notebook):
    image = notebook.cells[1].outputs[1]
    image.metadata[METADATA_KEY]["figure"]["widget"] = "<div><!-- figure --></div>"
    image.data = {"image/svg+xml": "<svg/>", "text/html": "<div><img></div>"}
    glued = transformed(notebook)[1].outputs[1]
    assert glued.metadata["scrapbook"].widget == "<div><!-- figure --></div>"
    assert [*glued.data] == ["application/papermill.record/image/svg+xml"]


def test_html_is_put_around_the_image_of_a_figure_and_leaves_its_caption():
    figure = nodes.figure("", nodes.image("", uri="x.svg"), nodes.caption("", "It rises."))
    directives.put_around(figure.children[0], "<div><!-- figure --></div><script></script>")
    assert [node.astext() or node["uri"] for node in figure] == [
        "<div>",
        "x.svg",
        "</div><script></script>",
        "It rises.",
    ]
    assert all(node["format"] == "html" for node in figure.findall(nodes.raw))


def test_a_check_is_folded_under_its_verdict_and_its_claim_and_names_its_statement(notebook):
    (check,) = transformed(notebook)[2].outputs
    assert check.data["text/markdown"] == (
        "~~~~{dropdown} ● consistent: it *does*\n:class-container: evidence of-note-claim-1\n\n"
        "- The claim *holds*: it does.\n\n~~~~"
    )


@pytest.mark.parametrize(
    ("note", "message"),
    [
        (None, "page.ipynb: figure-x: drawn, but no {glue:figure} below its cell"),
        ("no caption", "page.ipynb: figure-x: expected a caption, the text of its {glue:figure}"),
        ("not drawn", "page.ipynb: figure-x: no cell drew it: expected page.figure(..., 'figure-x') above"),
    ],
)
def test_a_figure_that_is_not_drawn_or_not_shown_or_has_no_caption_is_rejected(note, message):
    notes = {"figure-x": note} if note else {}
    build = _Build()
    env = SimpleNamespace(docname="page", temp_data={"claimbook_figures": notes}, claimbook_wrong={})
    build.sources = SimpleNamespace(
        drawn={"page": {"figure-x"}}, pages={"page": SimpleNamespace(path="page.ipynb")}
    )
    app = SimpleNamespace(env=env, emit=lambda *_: [])
    build.check_figures(app, None)
    with pytest.raises(BookError, match=re.escape(message)):
        build.check(app, env)
    env.temp_data["claimbook_figures"] = {"figure-x": "shown"}
    build.check_figures(app, None)
    build.check(app, env)


@pytest.mark.parametrize(
    ("options", "note"), [({}, "not drawn"), ({"optional": "its data may not be there"}, "shown")]
)
def test_a_figure_that_no_cell_drew_is_recorded_unless_it_is_optional(monkeypatch, options, note):
    def lost(*_):
        raise RetrievalError("no such output")

    monkeypatch.setattr(directives, "retrieve_glue_data", lost)
    env = SimpleNamespace(temp_data={})
    directive = object.__new__(directives.Figure)
    directive.state = SimpleNamespace(document=SimpleNamespace(settings=SimpleNamespace(env=env)))
    directive.arguments, directive.content, directive.options = ["figure-x"], ["It rises."], options
    assert directive.run() == [] and env.temp_data["claimbook_figures"] == {"figure-x": note}


def drawn(notebook, **options):
    """Return the function that drew the figure, and the place of its code."""
    figure = transformed(notebook, **options)[1].outputs[1].metadata["scrapbook"]
    return figure["drawn"], figure["code"]


def glued(name, text):
    metadata = {"scrapbook": {"name": name}, METADATA_KEY: {"number": {"name": name, "text": text}}}
    return new_output("display_data", {"text/plain": repr(text)}, metadata=metadata)


def test_a_number_leads_to_the_cell_that_reports_it_unless_that_is_hidden_or_the_text_is_empty():
    hidden = {"tags": ["remove-input"]}
    cells = [
        new_code_cell("count()", id="count", outputs=[new_output("stream"), glued("lists", "3")]),
        new_code_cell("remark()", id="remark", outputs=[glued("remark", "")]),
        new_code_cell("more()", id="more", outputs=[glued("more", "4")], metadata=hidden),
    ]
    transform(new_notebook(cells=cells))
    assert [cell.metadata.anchor for cell in cells] == ["cell-count", "cell-remark", "cell-more"]
    places = [cell.outputs[-1].metadata["scrapbook"].get("code") for cell in cells]
    assert places == ["cell-count", None, None]


def test_a_figure_knows_what_drew_it_and_the_place_of_its_code(notebook):
    function = "plain_book.figures.index.who_is_ahead"
    notebook.cells[1].outputs[1].metadata[METADATA_KEY]["figure"]["drawn_by"] = function
    page = "../_modules/plain_book/figures/index.html"
    link = f'<a href="{page}#who_is_ahead"><code>who_is_ahead</code></a>'
    assert drawn(notebook, figures=BOOK.figures) == (f"drawn by {link}", "cell-draw")


def test_what_drew_a_figure_outside_the_package_is_named_without_a_link(notebook):
    assert drawn_by("mine.line") == "drawn by `line` of `mine`"
    assert drawn(notebook) == ("drawn by this code", "cell-draw")


def test_a_page_says_how_to_run_and_cite_it():
    parameters = parse_parameters(
        'shape: str = "power:2"  # outline [a shape]\nn: int = 5  # items [n > 0]', BOOK.values
    )
    code = [("from thermometer import Readings", []), ("n", [])]
    chapter = SimpleNamespace(
        name="first", file="chapters/first", title="It holds", parameters=parameters, book=BOOK, code=code
    )
    text = about(chapter, {"shape": "flat:1 power:2", "n": 7}, TITLES, "abc")
    assert "claimbook run first 'shape=flat:1 power:2' n=7\n" in text
    assert "| `n` | <code>5</code> | n &#62; 0 | items |" in text
    assert "author    = {{Some people}}" in text and "title     = {It holds}" in text and "commit abc" in text
    assert "Its data: readings of a thermometer." in text
    assert "download" not in about(chapter, {}, TITLES, whole=False)


def test_no_value_gets_out_of_the_line_that_repeats_it():
    chapter = SimpleNamespace(
        name="first", file="chapters/first", title="It holds", parameters=[], book=BOOK, code=[]
    )
    text = about(chapter, {"labels": "x\n```\n\n<script>alert(1)</script> {{ 7 * 7 }}"}, TITLES)
    lines = text.splitlines()
    start = lines.index("`````bash")
    assert lines[lines.index("<script>alert(1)</script> {{ 7 * 7 }}'") + 1] == "`````"
    assert "Its data" not in text and "```" in lines[start + 1 : lines.index("`````")]
