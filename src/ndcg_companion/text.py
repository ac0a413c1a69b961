"""Text from outside: names, paths and values that somebody else wrote, put where they can only be read.

What a message shows of an argument goes through `escaped`; a name that becomes one of ours, through
`check_plain`.
"""

import re
import unicodedata
from difflib import get_close_matches

# Control characters, line ends, format characters (which can turn lines around), lone surrogates (bytes that
# are not UTF-8).
_UNSHOWABLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
# Letters, marks and symbols that are not seen: what Unicode calls Default_Ignorable beyond its format
# characters, and the blank of Braille.
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
# Without these, between letters or signs beyond ASCII or after one, Persian words and many emoji are not what
# they are.
_JOINERS, _SELECTORS = "\u200c\u200d", re.compile("[\ufe00-\ufe0f]")


def is_plain(text: str) -> bool:
    """Whether a name can be shown as it is: nothing in it acts, or is not seen.

    No control or format character, line end, invalid UTF-8, and no letter or sign that Unicode has nothing to
    show for.

    >>> is_plain("bm25"), is_plain("a\\nb"), is_plain("bm\\u200d25")
    (True, False, False)
    """
    return (text.isascii() and text.isprintable()) or not any(
        _acts(text, index) for index in range(len(text))
    )


def check_plain(text: str, noun: str) -> str:
    """``text``, if it can be shown as it is; ValueError that shows it escaped otherwise.

    >>> check_plain("a\\x1b[31m", "name of a system")
    Traceback (most recent call last):
    ...
    ValueError: name of a system 'a\\x1b[31m': expected no control characters and no line ends
    """
    if not is_plain(text):
        raise ValueError(f"{noun} '{escaped(text)}': expected no control characters and no line ends")
    return text


def nearest(name: str, choices) -> str:
    """A hint naming the known word nearest to ``name``, or an empty string.

    >>> nearest("buidl", ["build", "run"])
    "; did you mean 'build'?"
    """
    matches = get_close_matches(name[:100], list(choices), n=1)
    return f"; did you mean {matches[0]!r}?" if matches else ""


def escaped(text: object, most: int = 80) -> str:
    """Untrusted text for a terminal or a message: what could act there is escaped, what is long is cut.

    >>> print(escaped("red \\x1b[31m"))
    red \\x1b[31m
    """
    text = str(text)
    cut = text if len(text) <= most else text[: most - 1] + "…"
    if is_plain(cut):
        return cut
    return "".join(
        _as_escape(character) if _acts(cut, index) else character for index, character in enumerate(cut)
    )


def _acts(text, index):
    """Whether the character there does something else than being seen."""
    character = text[index]
    if character in _JOINERS:
        return not (_can_be_joined(text, index - 1) and _can_be_joined(text, index + 1))
    if _SELECTORS.match(character):
        return not _can_be_joined(text, index - 1) or _SELECTORS.match(text[index - 1]) is not None
    return unicodedata.category(character) in _UNSHOWABLE or UNSEEN.match(character) is not None


def _can_be_joined(text, index):
    """Whether a letter or sign beyond ASCII stands there, beside which a joiner or a selector may stand."""
    if not 0 <= index < len(text) or text[index].isascii():
        return False
    if _SELECTORS.match(text[index]):
        return not _acts(text, index)
    return not UNSEEN.match(text[index]) and unicodedata.category(text[index])[0] in "LMS"


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
        character if character.isalnum() or character == " " else f"&#{ord(character)};"
        for character in escaped(text, most=10_000)
    )
    return f"<code>{plain}</code>" if code else plain
