"""Symbols of boxes: as listed, as they mean, as they occur; and those of the book."""

import re

import pytest
from support import ROOT

from claimbook.project import Project
from claimbook.sphinxext.reading import BOX as BOXES
from claimbook.sphinxext.symbols import _bare, notation, symbols_of, tokens_of, with_symbols

BOX = r"""Before.

```{prf:theorem} A title
:label: theorem-x
:symbols: n; \bar y(s); g_0 = curve of the *first*; \kappa = rate of $n$

Let $n\le\kappa$ and
$$
\bar y(s) = g_0(1-s).
$$
```

After.
"""


def occurs(symbol, text):
    """Whether a symbol stands in one of the formulas of a text."""
    wanted = list(_bare(symbol))
    formulas = [tokens_of(formula) for formula in re.findall(r"\$\$.*?\$\$|\$.*?\$", text, re.S)]
    places = ((formula, start) for formula in formulas for start in range(len(formula)))
    return any(formula[start : start + len(wanted)] == wanted for formula, start in places)


def boxes(source):
    """Title, symbols and text of each box of a Markdown text."""
    return [(box["title"], symbols_of(box["options"]), box["text"]) for box in BOXES.finditer(source)]


KNOWN = {("n",): "number of items (`n`)", (r"\bar", "y"): "relevance curve: $P(Y=1)$", ("N",): "another"}


def test_the_page_of_notation_says_what_symbols_mean(tmp_path):
    page = tmp_path / "notation.md"
    page.write_text(
        "| symbol | meaning |\n|:--|:--|\n"
        "| $n$ | number of items (`n`) |\n| $f$, $\\tilde f(x)$ | a ranker, and another |\n"
    )
    assert notation(page) == {
        ("n",): "number of items (`n`)",
        ("f",): "a ranker, and another",
        (r"\tilde", "f"): "a ranker, and another",
    }


def test_the_symbols_of_a_box_are_written_out_at_its_end():
    text = with_symbols(BOX, KNOWN)
    assert ":symbols:" not in text and text.startswith("Before.") and text.endswith("```\n\nAfter.\n")
    folded = text.partition("~~~~{fold} Symbols\n:class: symbols\n\n")[2].partition("~~~~\n```")[0]
    assert folded == (
        "$n$\n: number of items (`n`)\n\n$\\bar y(s)$\n: relevance curve: $P(Y=1)$\n\n"
        "$g_0$\n: curve of the *first*\n\n$\\kappa$\n: rate of $n$\n\n"
    )


def test_a_box_without_a_list_stays_as_it_is():
    plain = BOX.replace(
        r":symbols: n; \bar y(s); g_0 = curve of the *first*; \kappa = rate of $n$" + "\n", ""
    )
    assert with_symbols(plain, KNOWN) == plain and boxes(plain)[0][1] is None


def test_a_symbol_without_a_meaning_is_refused():
    with pytest.raises(ValueError, match=r"A title: the symbol 'g_0' is not on the page of notation"):
        with_symbols(BOX.replace(" = curve of the *first*", ""), KNOWN)


def test_a_list_may_give_meanings():
    assert symbols_of(":label: x\n:symbols: a; b = the second; \n") == {"a": None, "b": "the second"}
    assert symbols_of(":symbols:\n") == {} and symbols_of(":label: x\n") is None


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
    known = notation(ROOT / "chapters" / "notation.md")
    for cell in chapter.notebook.cells:
        if cell.cell_type == "markdown":
            with_symbols(cell.source, known)
            for title, symbols, text in boxes(cell.source):
                assert symbols or "$" not in text, f"{title}: lists no symbols"
                assert [one for one in symbols or () if not occurs(one, f"{title} {text}")] == [], title
