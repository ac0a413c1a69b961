from types import SimpleNamespace

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from claimbook.evidence import slug
from claimbook.output_metadata import METADATA_KEY
from claimbook.sphinxext.labels import addresses, boxed, number_of, with_boxes
from ndcg_book import BOOK

BOXES = """```{prf:theorem} Limits
:nonumber:
:label: wang-theorem-7
:class: wide

Text.
```

::::{prf:lemma} Our $r^{-2}$
:label: lemma-own
More.
::::
"""


@pytest.mark.parametrize(
    ("citation", "number"),
    [
        ("Section 3.2, Theorem 8, condition 2", "Theorem 8 (2)"),
        ("Appendix C, equation 25", "Equation 25"),
        ("Section 2, footnote 1", "Section 2, footnote 1"),
        ("Section 3.2, left open", "Section 3.2, left open"),
        ("Poster, constraint 1", "Constraint 1"),
        ("Poster, test results", "test results"),
        ("This book", "This book"),
    ],
)
def test_a_number_is_the_one_that_a_reader_of_the_source_knows(citation, number):
    assert number_of(citation, division="Poster") == number


def chapters(**notebooks):
    return SimpleNamespace(
        book=BOOK,
        notebooks=[SimpleNamespace(name=name, notebook=notebook) for name, notebook in notebooks.items()],
    )


def prose(*texts):
    return new_notebook(cells=[new_markdown_cell(text) for text in texts])


def test_boxes_are_called_by_their_sources_and_ours_are_numbered_in_reading_order():
    first = prose(BOXES)
    second = prose("```{prf:remark}\n:label: remark-last\n```")
    assert boxed(first) == {"wang-theorem-7": "Limits", "lemma-own": "Our $r^{-2}$"}
    address_of = addresses(chapters(first=first, second=second))
    assert {label: address.name for label, address in address_of.items()} == {
        "wang-theorem-7": "Wang et al., Theorem 7",
        "lemma-own": "C1",
        "remark-last": "C2",
    }
    assert address_of["wang-theorem-7"].number == "Theorem 7" and address_of["lemma-own"].number == "C1"
    assert address_of["lemma-own"].title == "Our $r^{-2}$"
    assert address_of["lemma-own"].url == "chapters/first.html#lemma-own"
    assert address_of["lemma-own"].ours and not address_of["wang-theorem-7"].ours


def test_an_answer_to_an_open_question_is_ours_and_says_whose_question_it_was():
    box = "```{prf:theorem} Answered\n:label: open-zipf-distinguishability\n```"
    address = addresses(chapters(first=prose(box)))["open-zipf-distinguishability"]
    assert address.ours and address.name == "C1 (Wang et al., Section 3.2, left open)"
    assert address.number == "Section 3.2, left open"


def test_every_statement_of_a_page_has_an_address_though_it_has_no_box():
    page = "everything-tends-to-one"
    address_of = addresses(chapters(**{page: prose("No box.")}))
    assert set(address_of) == {slug(row.id) for row in BOOK.registry.values() if row.page == page}
    assert address_of["wang-theorem-4"].title == BOOK.registry["wang/theorem-4"].statement
    record = {"finding": {"statement": "wang/theorem-4"}}
    output = new_output("display_data", data={}, metadata={METADATA_KEY: record})
    cells = [new_markdown_cell("Before."), new_code_cell("find()", outputs=[output])]
    notebook = with_boxes(new_notebook(cells=cells), page, BOOK.registry)
    assert [cell.cell_type for cell in notebook.cells] == ["markdown", "markdown", "code"]
    assert set(boxed(notebook)) == {"wang-theorem-4"}
    before = len(notebook.cells)
    assert len(with_boxes(notebook, page, BOOK.registry).cells) == before


def test_every_source_has_statements_and_all_but_the_book_itself_heads_their_boxes():
    assert {row.source for row in BOOK.registry.values()} == set(BOOK.sources)
    assert [source for source in BOOK.sources if not source.short] == [BOOK.itself]
