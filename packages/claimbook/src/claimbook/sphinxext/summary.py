"""Parts of the box *In short* that are computed: short names of statements, the minutes a page takes."""

import re
from collections import Counter

WORDS_A_MINUTE, A_FORMULA = 200, 5  # of prose; a formula takes as long as so many words
_FENCED = re.compile(r"^(?P<fence>`{3,}|:{3,}|~{3,})(?P<kind>[^\n]*)\n(?P<text>.*?)^(?P=fence)$", re.M | re.S)
_NO_WORDS = re.compile(r"^:[\w-]+:.*$|\{[\w:-]+\}|<[^>]*>|\]\([^)]*\)", re.M)
_EVIDENCE = re.compile(r"^## Evidence\n.*?(?=^## |\Z)", re.M | re.S)
_FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*\$", re.S)


def words(source, a_formula=2):
    """The number of words of a Markdown text outside folds and evidence; a formula counts as some words.

    >>> words("For $0<b$ and some words, $b>0$.")
    8
    >>> words("The gap is $a + b$.\\n\\n```python\\nprint()\\n```")
    5
    """
    # Formulas first: a "less than" in one opens no tag.
    plain = _NO_WORDS.sub(" ", _FORMULA.sub(" x" * a_formula + " ", _EVIDENCE.sub("", _unfolded(source))))
    return len(re.findall(r"[^\W_]+(?:[’'.,-][^\W_]+)*", plain))


def minutes(text):
    """The minutes that the story of a page takes to read; 1 at least.

    >>> minutes("word " * 600)
    3
    """
    return max(1, round(words(text, A_FORMULA) / WORDS_A_MINUTE))


def minutes_in_words(text):
    """The minutes that the story of a page takes to read, in words.

    >>> minutes_in_words("word " * 600)
    '3 minutes'
    """
    spent = minutes(text)
    return f"{spent} minute{'s' if spent != 1 else ''}"


def brief_names(addresses):
    """Short names of statements, without the equations and hypotheses that their names may add.

    A name stays whole where another statement of the book would be called the same without: it may have
    another verdict, on this page or elsewhere.

    Parameters
    ----------
    addresses : dict
        `Address` by label.

    Returns
    -------
    dict
        Of names, by label.

    >>> from claimbook.sphinxext.labels import Address
    >>> brief_names({"law-2": Address("", "", "", "Newton, Law 2, with a constant mass, corrected", "")})
    {'law-2': 'Newton, Law 2, corrected'}
    """
    brief = {label: _brief(address) for label, address in addresses.items()}
    several = Counter(brief.values())
    return {label: name if several[name] == 1 else addresses[label].name for label, name in brief.items()}


def without_source(names):
    """Short names of statements without their source, if all are of one.

    >>> without_source(["Newton, Law 1", "Newton, Law 2, corrected"])
    ['Law 1', 'Law 2, corrected']
    >>> without_source(["Newton, Law 1", "Result 3 (Falling)"])
    ['Newton, Law 1', 'Result 3 (Falling)']
    """
    sources = {name.partition(", ")[0] for name in names}
    numbers = [name.partition(", ")[2] for name in names]
    return numbers if len(sources) == 1 and all(numbers) else names


def _brief(address):
    if address.ours:
        return address.name
    source, number, *more = address.name.split(", ")
    return ", ".join([source, number, *("corrected" for word in more if word == "corrected")])


def _unfolded(source):
    """The text without code, and without directives that fold their contents."""

    def inside(block):
        directive, _, title = block["kind"].partition("}")
        seen = directive.startswith("{") and directive not in ("{solution", "{dropdown")
        return f"{title}\n{_unfolded(block['text'])}" * seen

    return _FENCED.sub(inside, source)
