"""Text from outside: names, paths and values that somebody else wrote, put where they can only be read.

Nothing else in the package writes an untrusted string into a terminal, a page, a notebook, a shell line or a
table. A function for each place, below all packages, because all of them speak of what they were given.
"""

# By hand, because packages that escape do so for one place, such as HTML; here a name also goes into
# Markdown, a shell line, a CSV cell and a terminal.

import csv
import io
import json
import re
import shlex
import unicodedata
from difflib import get_close_matches

# Control characters, line ends, format characters (which can turn lines around), lone surrogates (bytes that
# are not UTF-8).
_UNSHOWABLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
# Letters, marks and symbols that are not seen: what Unicode calls Default_Ignorable beyond its format
# characters, and the blank of Braille.
_UNSEEN = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff"
)
# Without these, between letters or signs beyond ASCII or after one, Persian words and many emoji are not what
# they are. Elsewhere they are not seen.
_JOINERS, _SELECTORS = "\u200c\u200d", "\ufe00-\ufe0f"
# ASCII, blanks, what is not seen, format characters and surrogates are no such letters.
_LETTER = rf"[^\0-\x7f\xad\s{_UNSEEN}\u2000-\u206f\ud800-\udfff\ufeff{_SELECTORS}]"
_JOINED = re.compile(
    rf"(?:(?<={_LETTER})|(?<={_LETTER}[{_SELECTORS}]))[{_JOINERS}](?={_LETTER})|(?<={_LETTER})[{_SELECTORS}]"
)
_HIDDEN = re.compile(f"[{_UNSEEN}{_JOINERS}{_SELECTORS}]")


def is_plain(text: str) -> bool:
    """Whether a name can be shown as it is: nothing in it acts, or is not seen.

    No control or format character, line end, invalid UTF-8, and no letter or sign that Unicode has nothing to
    show for.

    >>> is_plain("bm25"), is_plain("a\\nb"), is_plain("bm\\u200d25")
    (True, False, False)
    """
    return (text.isascii() and text.isprintable()) or _with_escapes(text) == text


def check_plain(text: str, what: str) -> str:
    """``text``, if it can be shown as it is; ValueError that shows it escaped otherwise.

    >>> check_plain("a\\x1b[31m", "name of a system")
    Traceback (most recent call last):
    ...
    ValueError: name of a system 'a\\x1b[31m': expected no control characters and no line ends
    """
    if not is_plain(text):
        raise ValueError(f"{what} '{escaped(text)}': expected no control characters and no line ends")
    return text


def nearest(name: str, known) -> str:
    """A hint naming the known word nearest to ``name``, or an empty string.

    Where none is near, the one that begins with a near word.

    >>> nearest("buidl", ["build", "run"])
    "; did you mean 'build'?"
    >>> nearest("proven", ["proved here", "checked"])
    "; did you mean 'proved here'?"
    """
    first_words = {word.partition(" ")[0]: word for word in reversed([*known]) if " " in word}
    matches = get_close_matches(name[:100], list(known), n=1)
    matches = matches or [first_words[word] for word in get_close_matches(name[:100], first_words, n=1)]
    return f"; did you mean {matches[0]!r}?" if matches else ""


def escaped(text: object, most: int = 80) -> str:
    """Untrusted text for a terminal or a message: what could act there is escaped, what is long is cut.

    >>> print(escaped("red \\x1b[31m"))
    red \\x1b[31m
    """
    text = str(text)
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return cut if cut.isascii() and cut.isprintable() else _with_escapes(cut)


def _with_escapes(text):
    """A text with escapes in the place of all that does something else than being seen."""
    joined = {match.start() for match in _JOINED.finditer(text)}
    return "".join(
        _as_escape(character)
        if place not in joined
        and (unicodedata.category(character) in _UNSHOWABLE or _HIDDEN.match(character))
        else character
        for place, character in enumerate(text)
    )


def _as_escape(character):
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def markdown(text: object, code: bool = True) -> str:
    """Untrusted text in Markdown: every character that is no letter, digit or space is a character reference.

    References are resolved after everything else was looked for, so that nothing in the text is a link, a
    formula, a role, a fence, a cell of a table or HTML; ``code`` sets it in a fixed width.

    >>> markdown("a|b")
    '<code>a&#124;b</code>'
    """
    plain = "".join(
        sign if sign.isalnum() or sign == " " else f"&#{ord(sign)};" for sign in escaped(text, most=10_000)
    )
    return f"<code>{plain}</code>" if code else plain


def svg(text: str) -> str:
    """An SVG that holds untrusted words: what XML has no place for is escaped.

    >>> print(svg("<!-- a\\x01 -->"))
    <!-- a\\x01 -->
    """
    return re.sub("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", lambda match: _as_escape(match[0]), text)


def figure(text: object) -> str:
    """Untrusted text in a figure of Matplotlib, to which two dollars would make a formula.

    >>> print(figure("$x$"))
    \\$x\\$
    """
    return escaped(text).replace("$", r"\$")


def shell(*words: object) -> str:
    """Words as one line that a shell reads as exactly these words.

    >>> shell("claimbook", "run", "seed=1; rm x")
    "claimbook run 'seed=1; rm x'"
    """
    return shlex.join(str(word) for word in words)


def cell(text: object) -> str:
    """Untrusted text in a table that a spreadsheet may open: never a formula, and no two texts the same.

    >>> cell("=1+1"), cell("'=1+1")
    ("'=1+1", "''=1+1")
    """
    text = escaped(text, most=10_000)
    # Some spreadsheets take the wide and the small forms of these signs as well.
    return f"'{text}" if unicodedata.normalize("NFKC", text[:1]) in ("=", "+", "-", "@", "'") else text


def table(heading: list, rows: list) -> str:
    """Comma-separated values; a list in a cell is JSON, and a text is never a formula.

    >>> print(table(["run", "seen"], [["=1+1", [1, 2]]]))
    run,seen
    '=1+1,"[1, 2]"
    <BLANKLINE>
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(_cells, [heading, *rows]))
    return text.getvalue()


def _cells(row):
    row = [json.dumps(value) if isinstance(value, list) else value for value in row]
    return [cell(value) if isinstance(value, str) else value for value in row]


def aligned(rows: list, others=str.rjust) -> list[str]:
    """Lines for a terminal from rows of texts: the first column to the left, the others as ``others`` has it.

    >>> print(*aligned([("n", "chance"), ("100", "0.5")]), sep="\\n")
    n    chance
    100     0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(others, row[1:], widths[1:])]).rstrip() for row in rows]


def minus(value, form=""):
    """``value`` as text with a minus sign, which is longer than the hyphen that computers write.

    >>> minus(-0.5, ".2f")
    '−0.50'
    """
    return format(value, form).replace("-", "−")
