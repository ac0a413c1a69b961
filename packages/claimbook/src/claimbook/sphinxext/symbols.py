"""Symbols: those that a theorem box lists, and what they mean by the book's table of notation."""

import re

_FORMULA = re.compile(r"\$([^$]+)\$")
_TOKEN = re.compile(r"\\(?:mathrm|text|operatorname)\{[^}]*\}|\\[a-zA-Z]+|[A-Za-z]|\S")


_TABLE = re.compile(r"^\{\.notation\}\n((?:\|.*\n?)+)", re.M)


def notation(text):
    """Meanings of symbols, from the tables below a line ``{.notation}``: the tokens of each, to Markdown."""
    rows = re.findall(r"^\| (\$.*?) \| (.*) \|$", "".join(_TABLE.findall(text)), re.M)
    return {bare(symbol): meaning for symbols, meaning in rows for symbol in _FORMULA.findall(symbols)}


def bare(symbol):
    r"""The tokens of a symbol without the argument in parentheses.

    >>> bare(r"\bar y(s)")
    ('\\bar', 'y')
    """
    tokens = tuple(tokens_of(symbol))
    opened = (place for place, token in enumerate(tokens) if token == "(" and tokens[place - 1] != "_")
    return tokens[: next(opened, None)]


def tokens_of(tex):
    r"""Commands and single characters of a formula; upright words are one token, braces none.

    >>> print(*tokens_of(r"\mathrm{Var}(S_{n})"))
    \mathrm{Var} ( S _ n )
    """
    return [token for token in _TOKEN.findall(tex) if token not in ("{", "}")]


def symbols_of(listed):
    """The symbols of a list, each with the meaning that is given there, or None.

    >>> symbols_of("a; b = the second; ")
    {'a': None, 'b': 'the second'}
    """
    pairs = [entry.partition(" = ") for entry in filter(None, map(str.strip, listed.split(";")))]
    return {symbol.strip(): meaning.strip() or None for symbol, _, meaning in pairs}
