"""Each box lists its symbols, which are in it and mean something."""

import pytest
from samples import occurs
from support import PROJECT, ROOT

from claimbook.sphinxext.reading import BOX, options_of
from claimbook.sphinxext.symbols import bare, notation, symbols_of


def boxes(source):
    """Title, symbols and text of each box of a Markdown text."""
    found = [(box["title"], options_of(box).get("symbols", ""), box["text"]) for box in BOX.finditer(source)]
    return [(title, symbols_of(listed), text) for title, listed, text in found]


@pytest.mark.parametrize("chapter", PROJECT.notebooks, ids=lambda chapter: chapter.name)
def test_every_box_lists_symbols_that_are_in_it_and_mean_something(chapter):
    known = notation((ROOT / "chapters" / "notation.md").read_text(encoding="utf-8"))
    for cell in chapter.notebook.cells:
        for title, symbols, text in boxes(cell.source) if cell.cell_type == "markdown" else ():
            assert symbols or "$" not in text, f"{title}: lists no symbols"
            assert [one for one in symbols if not occurs(one, f"{title} {text}")] == [], title
            assert [one for one, given in symbols.items() if not given and bare(one) not in known] == [], (
                title
            )
