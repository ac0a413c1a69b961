"""Escape names, paths and values from outside, so that they have no effect.

Only this module prepares untrusted strings for a terminal, a page, a notebook, a shell line or a table, with
one function for each destination. All other packages may import this module, because all of them quote their
input.
"""

# Written by hand, because packages that escape text do so for one destination, such as HTML. Here a name is
# also written into Markdown, a shell line, a CSV cell and a terminal.

import csv
import io
import json
import re
import shlex
import unicodedata
from difflib import get_close_matches

# Control characters, line ends, format characters (some reverse the direction of a line), and lone surrogates
# (bytes that are not UTF-8).
_ESCAPED_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}
# Invisible letters, marks and symbols: Unicode's Default_Ignorable without the format characters, and the
# Braille blank.
_INVISIBLE_LETTERS = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff"
)
# Persian words and many emoji need these characters between or after letters and signs beyond ASCII.
# Elsewhere the characters are invisible.
_JOINERS, _SELECTORS = "\u200c\u200d", "\ufe00-\ufe0f"
# Such a letter is neither ASCII nor a space, invisible character, format character or surrogate.
_VISIBLE = rf"[^\0-\x7f\xad\s{_INVISIBLE_LETTERS}\u2000-\u206f\ud800-\udfff\ufeff{_SELECTORS}]"
_JOINER_IN_PLACE = re.compile(
    rf"(?:(?<={_VISIBLE})|(?<={_VISIBLE}[{_SELECTORS}]))[{_JOINERS}](?={_VISIBLE})"
    rf"|(?<={_VISIBLE})[{_SELECTORS}]"
)
_INVISIBLE = re.compile(f"[{_INVISIBLE_LETTERS}{_JOINERS}{_SELECTORS}]")


def is_plain(text: str) -> bool:
    """Return whether a name can be shown unchanged.

    Such a name has no control or format characters, line ends, invalid UTF-8, or invisible letters or signs.

    >>> is_plain("bm25"), is_plain("a\\nb"), is_plain("bm\\u200d25")
    (True, False, False)
    """
    return (text.isascii() and text.isprintable()) or _with_escapes(text) == text


def check_plain(text: str, what: str) -> str:
    """Return ``text`` if it can be shown unchanged.

    Parameters
    ----------
    text : str
        The text to check.
    what : str
        A description of the text for the error message.

    Raises
    ------
    ValueError
        If the text cannot be shown unchanged. The message shows it escaped.

    Examples
    --------
    >>> check_plain("a\\x1b[31m", "name of a system")
    Traceback (most recent call last):
    ...
    ValueError: name of a system 'a\\x1b[31m': expected no control characters and no line ends
    """
    if not is_plain(text):
        raise ValueError(f"{what} '{escaped(text)}': expected no control characters and no line ends")
    return text


def nearest(name: str, words) -> str:
    """Return a hint that names the known word nearest to ``name``, or an empty text.

    If no known word is near, the hint may be a group of words whose first word is near.

    >>> nearest("buidl", ["build", "run"])
    "; did you mean 'build'?"
    >>> nearest("proven", ["proved here", "checked"])
    "; did you mean 'proved here'?"
    """
    groups_by_first_word = {group.partition(" ")[0]: group for group in reversed([*words]) if " " in group}
    name = name[:100]  # the comparison of long texts is slow
    matches = get_close_matches(name, list(words), n=1)
    matches += [groups_by_first_word[word] for word in get_close_matches(name, groups_by_first_word, n=1)]
    return f"; did you mean {matches[0]!r}?" if matches else ""


def escaped(text: object, most: int = 80) -> str:
    """Return untrusted text for a terminal or a message, escaped and shortened.

    >>> print(escaped("red \\x1b[31m"))
    red \\x1b[31m
    """
    text = str(text)
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return cut if cut.isascii() and cut.isprintable() else _with_escapes(cut)


def _with_escapes(text):
    """Return a text with escapes for all characters that are not plainly visible."""
    joiner_positions = {match.start() for match in _JOINER_IN_PLACE.finditer(text)}
    return "".join(
        _as_escape(character) if _is_hidden(character) and index not in joiner_positions else character
        for index, character in enumerate(text)
    )


def _is_hidden(character):
    return unicodedata.category(character) in _ESCAPED_CATEGORIES or bool(_INVISIBLE.match(character))


def _as_escape(character):
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def markdown(text: object, code: bool = True) -> str:
    """Return untrusted text as Markdown in which no part is markup.

    Every character other than a letter, a digit or a space becomes a character reference. Markdown resolves
    references last, so nothing in the text is a link, a formula, a role, a fence, a table cell or HTML. With
    ``code``, the text is set in a fixed-width font.

    >>> markdown("a|b")
    '<code>a&#124;b</code>'
    """
    without_markup = "".join(
        character if character.isalnum() or character == " " else f"&#{ord(character)};"
        for character in escaped(text, most=10_000)
    )
    return f"<code>{without_markup}</code>" if code else without_markup


def svg(text: str) -> str:
    """Return an SVG with escapes in place of characters that are invalid in XML.

    >>> print(svg("<!-- a\\x01 -->"))
    <!-- a\\x01 -->
    """
    return re.sub("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", lambda match: _as_escape(match[0]), text)


def figure(text: object) -> str:
    """Return untrusted text escaped for a Matplotlib figure.

    In a figure, unescaped dollar signs would enclose a formula.

    >>> print(figure("$x$"))
    \\$x\\$
    """
    return escaped(text).replace("$", r"\$")


def shell(*words: object) -> str:
    """Return words as a line that a shell reads as exactly these words.

    >>> shell("claimbook", "run", "seed=1; rm x")
    "claimbook run 'seed=1; rm x'"
    """
    return shlex.join(str(word) for word in words)


def cell(text: object) -> str:
    """Return untrusted text as a spreadsheet cell that is never a formula.

    Different texts give different cells.

    >>> cell("=1+1"), cell("'=1+1")
    ("'=1+1", "''=1+1")
    """
    text = escaped(text, most=10_000)
    # Some spreadsheets also accept the full-width and the small forms of these signs, which NFKC resolves.
    return f"'{text}" if unicodedata.normalize("NFKC", text[:1]) in ("=", "+", "-", "@", "'") else text


def table(heading: list, rows: list) -> str:
    """Return a table as comma-separated values, in which no text is a formula.

    Lists become JSON.

    >>> print(table(["run", "seen"], [["=1+1", [1, 2]]]))
    run,seen
    '=1+1,"[1, 2]"
    <BLANKLINE>
    """
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(map(_spreadsheet_cells, [heading, *rows]))
    return buffer.getvalue()


def _spreadsheet_cells(row):
    """Return a row with lists as JSON and with texts as harmless cells."""
    row = [json.dumps(value) if isinstance(value, list) else value for value in row]
    return [cell(value) if isinstance(value, str) else value for value in row]


def aligned(rows: list, others=str.rjust) -> list[str]:
    """Return rows of texts as aligned lines for a terminal.

    The first column is left-aligned, and ``others`` aligns the other columns.

    >>> print(*aligned([("n", "value"), ("100", "0.5")]), sep="\\n")
    n    value
    100    0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([first.ljust(widths[0]), *map(others, rest, widths[1:])]).rstrip() for first, *rest in rows
    ]


def minus(value, form=""):
    """Return ``value`` as text, with a minus sign in place of the shorter hyphen.

    >>> minus(-0.5, ".2f")
    '−0.50'
    """
    return format(value, form).replace("-", "−")
