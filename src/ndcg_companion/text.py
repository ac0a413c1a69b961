"""Untrusted names, paths and values, made safe to show in messages and on pages.

Arguments that are shown in messages pass through `escaped`, and names that the package keeps pass through
`check_plain`.
"""

import re
import unicodedata
from difflib import get_close_matches

# Control characters, line ends, format characters (which can reverse the direction of a line), and lone
# surrogates (bytes that are not UTF-8).
_UNSHOWABLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
# Invisible letters, marks and symbols: Unicode's Default_Ignorable characters other than format characters,
# and the Braille blank.
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
# Persian words and many emoji need these characters between or after letters or signs beyond ASCII.
_JOINERS, _SELECTORS = "\u200c\u200d", re.compile("[\ufe00-\ufe0f]")


def is_plain(text: str) -> bool:
    """Return whether a text can be shown unchanged.

    The text must not contain a control or format character, a line end, invalid UTF-8, or an invisible letter
    or sign.

    >>> is_plain("bm25"), is_plain("a\\nb"), is_plain("bm\\u200d25")
    (True, False, False)
    """
    return (text.isascii() and text.isprintable()) or not any(
        _is_unsafe(text, index) for index in range(len(text))
    )


def check_plain(text: str, noun: str) -> str:
    """Return the text if it `is_plain`; otherwise raise ValueError with the escaped text.

    >>> check_plain("a\\x1b[31m", "name of a system")
    Traceback (most recent call last):
    ...
    ValueError: name of a system 'a\\x1b[31m': expected no control characters and no line ends
    """
    if not is_plain(text):
        raise ValueError(f"{noun} '{escaped(text)}': expected no control characters and no line ends")
    return text


def nearest(name: str, choices) -> str:
    """Return a hint with the known word nearest to ``name``, or an empty string.

    >>> nearest("buidl", ["build", "run"])
    "; did you mean 'build'?"
    """
    matches = get_close_matches(name[:100], list(choices), n=1)
    return f"; did you mean {matches[0]!r}?" if matches else ""


def escaped(text: object, most: int = 80) -> str:
    """Return a shortened text with escaped unsafe characters, for a terminal or a message.

    >>> print(escaped("red \\x1b[31m"))
    red \\x1b[31m
    """
    text = str(text)
    shortened = text if len(text) <= most else text[: most - 1] + "…"
    if is_plain(shortened):
        return shortened
    return "".join(
        _as_escape(character) if _is_unsafe(shortened, index) else character
        for index, character in enumerate(shortened)
    )


def _is_unsafe(text, index):
    """Return whether the character at an index is invisible or has an effect other than its appearance."""
    character = text[index]
    if character in _JOINERS:
        return not (_can_be_joined(text, index - 1) and _can_be_joined(text, index + 1))
    if _SELECTORS.match(character):
        return not _can_be_joined(text, index - 1) or _SELECTORS.match(text[index - 1]) is not None
    return unicodedata.category(character) in _UNSHOWABLE or UNSEEN.match(character) is not None


def _can_be_joined(text, index):
    """Return whether the index has a letter or sign beyond ASCII, next to which a joiner is allowed."""
    if not 0 <= index < len(text) or text[index].isascii():
        return False
    if _SELECTORS.match(text[index]):
        return not _is_unsafe(text, index)
    return not UNSEEN.match(text[index]) and unicodedata.category(text[index])[0] in "LMS"


def _as_escape(character):
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def markdown(text: object, code: bool = True) -> str:
    """Return untrusted text for Markdown, so that none of it is interpreted as markup.

    Every character other than a letter, a digit or a space becomes a character reference. Such references are
    resolved last, so the text cannot create a link, a formula, a role, a fence, a table cell or HTML. If
    ``code`` is true, the text is set in a fixed-width font.

    >>> markdown("a|b")
    '<code>a&#124;b</code>'
    """
    encoded_text = "".join(
        character if character.isalnum() or character == " " else f"&#{ord(character)};"
        for character in escaped(text, most=10_000)
    )
    return f"<code>{encoded_text}</code>" if code else encoded_text
