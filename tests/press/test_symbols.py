"""Symbols of boxes: as listed, as they mean, as they occur; and those of the book."""

import re

import pytest
from support import ROOT

from claimbook.project import Project
from claimbook.sphinxext.reading import BOX, options_of
from claimbook.sphinxext.symbols import bare, notation, symbols_of, tokens_of


def occurs(symbol, text):
    """Whether a symbol stands in one of the formulas of a text."""
    wanted = list(bare(symbol))
    formulas = [tokens_of(formula) for formula in re.findall(r"\$\$.*?\$\$|\$.*?\$", text, re.S)]
    places = ((formula, start) for formula in formulas for start in range(len(formula)))
    return any(formula[start : start + len(wanted)] == wanted for formula, start in places)


def boxes(source):
    """Title, symbols and text of each box of a Markdown text."""
    found = [(box["title"], options_of(box).get("symbols", ""), box["text"]) for box in BOX.finditer(source)]
    return [(title, symbols_of(listed), text) for title, listed, text in found]


def test_the_page_of_notation_says_what_symbols_mean():
    page = (
        "| symbol | meaning |\n|:--|:--|\n"
        "| $n$ | number of items (`n`) |\n| $f$, $\\tilde f(x)$ | a ranker, and another |\n"
    )
    assert notation(page) == {
        ("n",): "number of items (`n`)",
        ("f",): "a ranker, and another",
        (r"\tilde", "f"): "a ranker, and another",
    }


def test_a_list_may_give_meanings():
    assert symbols_of("a; b = the second; ") == {"a": None, "b": "the second"} and symbols_of("") == {}


@pytest.mark.parametrize(
    ("symbol", "text", "there"),
    [
        ("k", r"$k + \kappa_c$", True),
        ("k", r"$\kappa$ and k", False),
        ("N", r"$\mathrm{NDCG}$", False),
        (r"\tilde f(x)", "$$\n\\tilde{f}(X_1)\n$$", True),
        ("g_0", "$g_1(0)$", False),
        ("g_0", "$g_{0}(u)$", True),
        ("r_{(i)}", "$r_{(i)}$", True),
        ("r_{(i)}", "$r_i$", False),
    ],
)
def test_a_symbol_is_found_in_formulas_and_not_inside_a_word_or_a_command(symbol, text, there):
    assert occurs(symbol, text) == there


@pytest.mark.parametrize("chapter", Project(ROOT).notebooks, ids=lambda chapter: chapter.name)
def test_every_box_lists_symbols_that_are_in_it_and_mean_something(chapter):
    known = notation((ROOT / "chapters" / "notation.md").read_text(encoding="utf-8"))
    for cell in chapter.notebook.cells:
        for title, symbols, text in boxes(cell.source) if cell.cell_type == "markdown" else ():
            assert symbols or "$" not in text, f"{title}: lists no symbols"
            assert [one for one in symbols if not occurs(one, f"{title} {text}")] == [], title
            assert [one for one, given in symbols.items() if not given and bare(one) not in known] == [], (
                title
            )
