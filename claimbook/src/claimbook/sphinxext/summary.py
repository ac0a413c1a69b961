"""The box at the top of a page: question, answer, and what the engine knows itself.

The author writes

    :::{in-short}
    :statements: newton/law-1 newton/law-2
    :first: what-telling-apart-means

    *Question.* …

    *Answer.* …
    :::

and the engine adds the statements of the sources with the verdicts of the findings, links to the pages to
read first, the minutes that the page takes, and the button for all code. Both options may be left out.
"""

import re
from collections import Counter

from claimbook.evidence import slug
from claimbook.sphinxext.outputs import badge
from claimbook.sphinxext.reading import directive, options_of
from claimbook.templates import filled

WORDS_A_MINUTE = 180
_BLOCK = directive("in-short")
_FENCED = re.compile(r"^(?P<fence>`{3,}|:{3,}|~{3,})(?P<kind>[^\n]*)\n(?P<text>.*?)^(?P=fence)$", re.M | re.S)
_NO_WORDS = re.compile(r"^:[\w-]+:.*$|\{[\w:-]+\}|<[^>]*>|\]\([^)]*\)", re.M)
_FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*\$", re.S)


def words(source):
    """How many words of a Markdown text a reader meets without opening anything; a formula counts twice.

    >>> words("For $0<b$ and some words, $b>0$.")
    8
    >>> words("The gap is $a + b$.\\n\\n```python\\nprint()\\n```")
    5
    """
    # Formulas first: a "less than" in one opens no tag.
    plain = _NO_WORDS.sub(" ", _FORMULA.sub(" x x ", _unfolded(source)))
    return len(re.findall(r"[^\W_]+(?:[’'.,-][^\W_]+)*", plain))


def minutes(text):
    """How long the prose of a page takes to read, its folds closed; 1 at least.

    >>> minutes("word " * 540)
    3
    """
    return max(1, round(words(text) / WORDS_A_MINUTE))


def _brief(address):
    """What a statement is called, without the equations and hypotheses that its name may add.

    >>> from claimbook.sphinxext.labels import Address
    >>> _brief(Address("", "", "", "Newton, Law 2, with a constant mass, corrected", ""))
    'Newton, Law 2, corrected'
    """
    if address.ours:
        return address.name
    source, number, *more = address.name.split(", ")
    return ", ".join([source, number, *("corrected" for word in more if word == "corrected")])


def _unfolded(source):
    """What stands in the fences of directives, but for solutions, folds and drop-downs; no code."""

    def inside(block):
        directive, _, title = block["kind"].partition("}")
        dropdown = block["text"].startswith(":class: dropdown")
        seen = directive.startswith("{") and directive not in ("{solution", "{fold") and not dropdown
        return f"{title}\n{_unfolded(block['text'])}" * seen

    return _FENCED.sub(inside, source)


def completed(source, text, registry, addresses, verdicts, titles, linked, whole=True):
    """Markdown with its box *In short*, if it has one, as an admonition with all that belongs into it.

    Parameters
    ----------
    source : str
        Markdown.
    text : str
        All prose of the page.
    registry : dict
        `Statement` by id.
    addresses : dict
        `Address` by label.
    verdicts : dict
        Statement id to verdict.
    titles : dict
        Names of pages to their titles.
    linked : dict
        Names of the pages that stand, to the files that links name.
    whole : bool
        Whether the ledger is there to be linked to.

    Raises
    ------
    ValueError
        For an option, a statement or a page that is not known.
    """

    def box(block):
        options = options_of(block)
        statements, first = options.pop("statements", "").split(), options.pop("first", "").split()
        known = {"statements": registry, "first": titles}
        for option, names in (("statements", statements), ("first", first), ("an option", list(options))):
            if unknown := set(names) - known.get(option, {}).keys():
                raise ValueError(f"In short: {min(unknown)}: not known as {option}")
        called = {name: addresses[slug(name)] for name in statements if name in verdicts}
        # Brief where no other statement of the whole book would be called the same: it may have another
        # verdict, on this page or elsewhere.
        brief = Counter(map(_brief, addresses.values()))
        return filled(
            "fragments/in-short.md",
            fence=block["fence"],
            text=block["text"].strip(),
            names={
                name: _brief(address) if brief[_brief(address)] == 1 else address.name
                for name, address in called.items()
            },
            badges={name: badge(name, verdicts[name], whole).strip() for name in called},
            first={page: titles[page] for page in first},
            linked=linked,
            minutes=minutes(text),
        )

    return _BLOCK.sub(box, source)
