r"""The symbols of a box, as its author lists them: ``:symbols: \Delta; g_0 = weight of the first; p``.

What stands alone means what it means on the page of notation. The list is folded at the end of the box.
"""

import re

from claimbook.sphinxext.reading import BOX

_SYMBOLS = re.compile(r"^:symbols: *(?P<list>.*)\n", re.M)
_FORMULA = re.compile(r"\$([^$]+)\$")
_TOKEN = re.compile(r"\\(?:mathrm|text|operatorname)\{[^}]*\}|\\[a-zA-Z]+|[A-Za-z]|\S")


def notation(path):
    """What symbols mean by the page of notation: the tokens of each, to Markdown."""
    rows = re.findall(r"^\| (\$.*?) \| (.*) \|$", path.read_text(encoding="utf-8"), re.M)
    return {_bare(symbol): meaning for symbols, meaning in rows for symbol in _FORMULA.findall(symbols)}


def _bare(symbol):
    r"""The tokens of a symbol without the argument in parentheses.

    >>> _bare(r"\bar y(s)")
    ('\\bar', 'y')
    """
    tokens = tuple(tokens_of(symbol))
    opened = (place for place, token in enumerate(tokens) if token == "(" and tokens[place - 1] != "_")
    return tokens[: next(opened, None)]


def tokens_of(tex):
    r"""Commands and single characters of a formula; upright words are one token, braces none.

    >>> print(*tokens_of(r"\mathrm{DCG}(S_{n})"))
    \mathrm{DCG} ( S _ n )
    """
    return [token for token in _TOKEN.findall(tex) if token not in ("{", "}")]


def symbols_of(options):
    """The symbols that a box lists, each with the meaning that is given there, or None; None for no list."""
    found = _SYMBOLS.search(options)
    if found is None:
        return None
    pairs = [entry.partition(" = ") for entry in filter(None, map(str.strip, found["list"].split(";")))]
    return {symbol.strip(): meaning.strip() or None for symbol, _, meaning in pairs}


def with_symbols(source, known):
    """Markdown with the symbols of its boxes written out and folded.

    Parameters
    ----------
    source : str
    known : dict
        Of `notation`.

    Raises
    ------
    ValueError
        For a symbol without a meaning here and there, naming it and its box.
    """
    return BOX.sub(lambda box: _written_out(box, known), source)


def _written_out(box, known):
    symbols = symbols_of(box["options"])
    if not symbols:
        return box[0]
    lines = []
    for symbol, meaning in symbols.items():
        meaning = meaning or known.get(_bare(symbol))
        if meaning is None:
            where = f"{box['title']}: the symbol {symbol!r} is not on the page of notation"
            raise ValueError(f"{where}; expected 'symbol = meaning'")
        lines.append(f"${symbol}$\n: {meaning}\n")
    folded = "\n".join(["~~~~{fold} Symbols", ":class: symbols", "", *lines, "~~~~"])
    return f"{box['opening']}{_SYMBOLS.sub('', box['options'])}{box['text']}\n{folded}\n{box['fence']}"
