"""Compute the short names and the reading time in the box *In short*."""

import re
from collections import Counter

_WORDS_PER_MINUTE = 200
_WORDS_PER_FORMULA = 5  # words that take as long to read as one formula
_FENCED_BLOCK = re.compile(
    r"^(?P<fence>`{3,}|:{3,}|~{3,})(?P<opening>[^\n]*)\n(?P<text>.*?)^(?P=fence)$", re.M | re.S
)
_NO_WORDS = re.compile(r"^:[\w-]+:.*$|\{[\w:-]+\}|<[^>]*>|\]\([^)]*\)", re.M)
_EVIDENCE = re.compile(r"^## Evidence\n.*?(?=^## |\Z)", re.M | re.S)
_FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*\$", re.S)


def words(source, words_per_formula=2):
    """Return the number of words in a Markdown text, outside folds and evidence.

    A formula counts as ``words_per_formula`` words.

    >>> words("For $0<b$ and some words, $b>0$.")
    8
    >>> words("The gap is $a + b$.\\n\\n```python\\nprint()\\n```")
    5
    """
    story = _EVIDENCE.sub("", _unfolded(source))
    # Formulas must be replaced first, because their "less than" signs do not open tags.
    without_formulas = _FORMULA.sub(" x" * words_per_formula + " ", story)
    return len(re.findall(r"[^\W_]+(?:[’'.,-][^\W_]+)*", _NO_WORDS.sub(" ", without_formulas)))


def minutes(text):
    """Return the reading time of a page's story in minutes, at least 1.

    >>> minutes("word " * 600)
    3
    """
    return max(1, round(words(text, _WORDS_PER_FORMULA) / _WORDS_PER_MINUTE))


def minutes_in_words(text):
    """Return the reading time of a page's story, written in words.

    >>> minutes_in_words("word " * 600)
    '3 minutes'
    """
    count = minutes(text)
    return f"{count} minute{'s' if count != 1 else ''}"


def brief_names(addresses):
    """Return short names of statements without their equations and hypotheses.

    Parameters
    ----------
    addresses : dict
        `Address` by label.

    Returns
    -------
    dict
        The short names, by label.

    Notes
    -----
    A name stays complete if another statement of the book would have the same short name.

    Examples
    --------
    >>> from claimbook.sphinxext.labels import Address
    >>> brief_names({"law-2": Address("", "", "", "Newton, Law 2, with a constant mass, corrected", "")})
    {'law-2': 'Newton, Law 2, corrected'}
    """
    short_names = {label: _brief_name(address) for label, address in addresses.items()}
    counts = Counter(short_names.values())
    return {
        label: name if counts[name] == 1 else addresses[label].name for label, name in short_names.items()
    }


def without_source(names):
    """Return short names without their source if all have the same source.

    >>> without_source(["Newton, Law 1", "Newton, Law 2, corrected"])
    ['Law 1', 'Law 2, corrected']
    >>> without_source(["Newton, Law 1", "Result 3 (Falling)"])
    ['Newton, Law 1', 'Result 3 (Falling)']
    """
    sources = {name.partition(", ")[0] for name in names}
    numbers = [name.partition(", ")[2] for name in names]
    return numbers if len(sources) == 1 and all(numbers) else names


def _brief_name(address):
    """Return the name of a statement up to its number, with the word *corrected*."""
    if address.ours:
        return address.name
    source, number, *additions = address.name.split(", ")
    return ", ".join([source, number, *(word for word in additions if word == "corrected")])


def _unfolded(source):
    """Return a text without its code and without the directives that fold text."""

    def visible_text(block):
        directive, _, title = block["opening"].partition("}")
        is_visible = directive.startswith("{") and directive not in ("{solution", "{dropdown")
        return f"{title}\n{_unfolded(block['text'])}" if is_visible else ""

    return _FENCED_BLOCK.sub(visible_text, source)
