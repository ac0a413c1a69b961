"""Text from outside: names, paths and values that somebody else wrote, put where they can only be read.

Nothing else in the package writes a foreign string into a terminal, a page, a notebook, a shell line or a
table. A function for each place, below all rooms, because all of them speak of what they were given.
"""

import csv as _csv
import io as _io
import json as _json
import re as _re
import shlex as _shlex
import unicodedata as _unicodedata

# Control characters, line ends, format characters (which can turn lines around), lone surrogates (bytes that
# are not UTF-8); but for the two joiners, without which Persian words and many emoji are not what they are.
_UNSHOWABLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"


def is_plain(text: str) -> bool:
    """Whether a name can be shown as it is: no control or format character, line end or invalid UTF-8.

    >>> is_plain("bm25"), is_plain("a\\nb")
    (True, False)
    """
    return text.isprintable() or not any(map(_acts, text))


def check_plain(text: str, what: str) -> str:
    """``text``, if it can be shown as it is; ValueError that shows it escaped otherwise.

    >>> check_plain("a\\x1b[31m", "name of a system")
    Traceback (most recent call last):
    ...
    ValueError: name of a system 'a\\x1b[31m': expected no control characters and no line ends
    """
    if not is_plain(text):
        raise ValueError(f"{what} '{shown(text)}': expected no control characters and no line ends")
    return text


def shown(text: object, most: int = 80) -> str:
    """Foreign text for a terminal or a message: what could act there is escaped, what is long is cut.

    >>> print(shown("red \\x1b[31m"))
    red \\x1b[31m
    """
    text = str(text)
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return cut if is_plain(cut) else "".join(_escaped(one) if _acts(one) else one for one in cut)


def _acts(character):
    return _unicodedata.category(character) in _UNSHOWABLE and character not in _JOINERS


def _escaped(character):
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def markdown(text: object, code: bool = True) -> str:
    """Foreign text in Markdown: every character that is no letter, digit or space is a character reference.

    References are resolved after everything else was looked for, so that nothing in the text is a link, a
    formula, a role, a fence, a cell of a table or HTML; ``code`` sets it in a fixed width.

    >>> markdown("a|b")
    '<code>a&#124;b</code>'
    """
    plain = "".join(
        one if one.isalnum() or one == " " else f"&#{ord(one)};" for one in shown(text, most=10_000)
    )
    return f"<code>{plain}</code>" if code else plain


def svg(text: str) -> str:
    """An SVG that came of foreign words: what XML has no place for is escaped.

    >>> print(svg("<!-- a\\x01 -->"))
    <!-- a\\x01 -->
    """
    return _re.sub("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", lambda found: _escaped(found[0]), text)


def figure(text: object) -> str:
    """Foreign text in a figure of Matplotlib, to which two dollars would make a formula.

    >>> print(figure("$x$"))
    \\$x\\$
    """
    return shown(text).replace("$", r"\$")


def shell(*words: object) -> str:
    """Words as one line that a shell reads as exactly these words.

    >>> shell("companion", "run", "seed=1; rm x")
    "companion run 'seed=1; rm x'"
    """
    return _shlex.join(str(word) for word in words)


def cell(text: object) -> str:
    """Foreign text in a table that a spreadsheet may open: never a formula.

    >>> cell("=1+1")
    "'=1+1"
    """
    text = shown(text, most=10_000)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def table(heading: list, rows: list) -> str:
    """Comma-separated values; a list in a cell is JSON, and a text is never a formula.

    >>> print(table(["run", "seen"], [["=1+1", [1, 2]]]))
    run,seen
    '=1+1,"[1, 2]"
    <BLANKLINE>
    """
    text = _io.StringIO()
    _csv.writer(text, lineterminator="\n").writerows(map(_cells, [heading, *rows]))
    return text.getvalue()


def _cells(row):
    row = [_json.dumps(value) if isinstance(value, list) else value for value in row]
    return [cell(value) if isinstance(value, str) else value for value in row]


def aligned(rows: list, others=str.rjust) -> list[str]:
    """Lines for a terminal from rows of texts: the first column to the left, the others as ``others`` has it.

    >>> print(*aligned([("n", "chance"), ("100", "0.5")]), sep="\\n")
    n    chance
    100     0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(others, row[1:], widths[1:])]).rstrip() for row in rows]
