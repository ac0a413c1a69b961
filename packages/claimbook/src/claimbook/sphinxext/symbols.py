"""Find the symbols of a theorem box and their meanings in the table of notation."""

import re

_FORMULA = re.compile(r"\$([^$]+)\$")
_TOKEN = re.compile(r"\\(?:mathrm|text|operatorname)\{[^}]*\}|\\[a-zA-Z]+|[A-Za-z]|\S")
_TABLE = re.compile(r"^\{\.notation\}\n((?:\|.*\n?)+)", re.M)


def notation(text):
    """Return the meanings of the symbols in the tables below lines ``{.notation}``.

    The keys are the symbols as tuples of tokens, and the meanings are Markdown.
    """
    rows = re.findall(r"^\| (\$.*?) \| (.*) \|$", "".join(_TABLE.findall(text)), re.M)
    return {bare(symbol): meaning for symbols, meaning in rows for symbol in _FORMULA.findall(symbols)}


def bare(symbol):
    r"""Return the tokens of a symbol without its argument in parentheses.

    >>> bare(r"\bar y(s)")
    ('\\bar', 'y')
    """
    tokens = tuple(tokens_of(symbol))
    # A parenthesis after "_" begins a subscript.
    openings = (index for index, token in enumerate(tokens) if token == "(" and tokens[index - 1] != "_")
    return tokens[: next(openings, None)]  # all tokens, if there is no argument


def tokens_of(tex):
    r"""Return the tokens of a formula: its commands and single characters.

    An upright word is a single token, and braces are left out.

    >>> print(*tokens_of(r"\mathrm{Var}(S_{n})"))
    \mathrm{Var} ( S _ n )
    """
    return [token for token in _TOKEN.findall(tex) if token not in ("{", "}")]


def symbols_of(option):
    """Return the symbols of an option ``:symbols:``, each with its meaning there or None.

    >>> symbols_of("a; b = the second; ")
    {'a': None, 'b': 'the second'}
    """
    entries = [entry.strip().partition(" = ") for entry in option.split(";") if entry.strip()]
    return {symbol.strip(): meaning.strip() or None for symbol, _, meaning in entries}
