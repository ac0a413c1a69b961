"""Symbols of boxes: their lists, their meanings and their occurrences."""

import pytest

from claimbook.lint import occurs
from claimbook.sphinxext.symbols import notation, symbols_of


def test_the_table_of_notation_says_what_symbols_mean():
    page = (
        "| $n$ | another table |\n\n{.notation}\n| symbol | meaning |\n|:--|:--|\n"
        "| $n$ | number of items (`n`) |\n| $f$, $\\tilde f(x)$ | a rule, and another |\n\n| $f$ | a |\n"
    )
    assert notation(page) == {
        ("n",): "number of items (`n`)",
        ("f",): "a rule, and another",
        (r"\tilde", "f"): "a rule, and another",
    }


def test_a_list_may_give_meanings():
    assert symbols_of("a; b = the second; ") == {"a": None, "b": "the second"} and symbols_of("") == {}


@pytest.mark.parametrize(
    ("symbol", "text", "there"),
    [
        ("k", r"$k + \kappa_c$", True),
        ("k", r"$\kappa$ and k", False),
        ("N", r"$\mathrm{NOTE}$", False),
        (r"\tilde f(x)", "$$\n\\tilde{f}(X_1)\n$$", True),
        ("g_0", "$g_1(0)$", False),
        ("g_0", "$g_{0}(u)$", True),
        ("r_{(i)}", "$r_{(i)}$", True),
        ("r_{(i)}", "$r_i$", False),
    ],
)
def test_a_symbol_occurs_in_formulas_but_not_inside_a_word_or_a_command(symbol, text, there):
    assert occurs(symbol, text) == there
