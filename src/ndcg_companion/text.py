"""Text from outside: names, labels, paths and values that somebody else wrote, put where they can only be read.

Nothing else in the package writes a foreign string into a terminal, a page, a notebook, a shell line or a table. A
function for each place, below all rooms, because all of them speak of what they were given.
"""

import html as _html
import shlex as _shlex
import unicodedata as _unicodedata

# Control characters, line ends, format characters (which can turn lines around), lone surrogates (bytes that are not UTF-8).
_UNSHOWABLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def is_plain(text):
    """Whether a name can be shown as it is: no control character, line end, format character or invalid UTF-8.

    >>> is_plain("bm25"), is_plain("a\\nb")
    (True, False)
    """
    return not any(_unicodedata.category(character) in _UNSHOWABLE for character in text)


def check_plain(text, what):
    """``text``, if it can be shown as it is; ValueError that shows it escaped otherwise.

    >>> check_plain("a\\x1b[31m", "name of a system")
    Traceback (most recent call last):
    ...
    ValueError: name of a system 'a\\x1b[31m': expected no control characters and no line ends
    """
    if not is_plain(text):
        raise ValueError(f"{what} '{shown(text)}': expected no control characters and no line ends")
    return text


def shown(text, most=80):
    """Foreign text for a terminal or a message: what could act there is escaped, what is long is cut.

    >>> print(shown("red \\x1b[31m"))
    red \\x1b[31m
    """
    text = str(text)
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return cut if cut.isprintable() else "".join(_escaped(one) if _unicodedata.category(one) in _UNSHOWABLE else one for one in cut)


def _escaped(character):
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def markdown(text, code=True):
    """Foreign text in Markdown: every character that is no letter, digit or space is a character reference.

    References are resolved after everything else was looked for, so that nothing in the text is a link, a formula, a
    role, a fence, a cell of a table or HTML; ``code`` sets it in a fixed width.

    >>> markdown("a|b")
    '<code>a&#124;b</code>'
    """
    plain = "".join(
        one if one.isalnum() or one == " " else f"&#{ord(one)};" for one in shown(text, most=10_000)
    )
    return f"<code>{plain}</code>" if code else plain


def html(text):
    """Foreign text in HTML or SVG, inside an element or a quoted attribute.

    >>> html("<b>")
    '&lt;b&gt;'
    """
    return _html.escape(shown(text, most=10_000))


def shell(*words):
    """Words as one line that a shell reads as exactly these words.

    >>> shell("companion", "run", "seed=1; rm x")
    "companion run 'seed=1; rm x'"
    """
    return _shlex.join(str(word) for word in words)


def cell(text):
    """Foreign text in a table that a spreadsheet may open: never a formula.

    >>> cell("=1+1")
    "'=1+1"
    """
    text = shown(text, most=10_000)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
