"""Directives in Markdown, found where they stand, before Sphinx reads them."""

import re


def directive(kind):
    """A pattern for directives of a kind: ``opening`` with ``fence`` and ``title``, ``options``, ``text``."""
    opening = rf"^(?P<opening>(?P<fence>`{{3,}}|:{{3,}})\{{{kind}\}} *(?P<title>[^\n]*)\n)"
    return re.compile(opening + r"(?P<options>(?::[\w-]+:[^\n]*\n)*)(?P<text>.*?)^(?P=fence)$", re.M | re.S)


def each(pattern, text):
    """All that a pattern of `directive` finds, also within what it found.

    >>> text = "::::{dropdown} Outer\\n:::{dropdown} Inner\\n:::\\n::::"
    >>> [match["title"] for match in each(directive("dropdown"), text)]
    ['Outer', 'Inner']
    """
    start = 0
    while match := pattern.search(text, start):
        yield match
        start = match.start() + 1


def options_of(found):
    """The options of a directive that was found, by name."""
    return dict(re.findall(r"^:([\w-]+): *(.*)$", found["options"], re.M))


def holders(pages, kind):
    """The page that holds a directive of a kind, by what the directive is given: ``{generated} map``.

    Parameters
    ----------
    pages : iterable of Chapter
        Of those that hold the same the first counts.
    kind : str
    """
    found = [(one["title"].strip(), page) for page in pages for one in directive(kind).finditer(page.prose)]
    return dict(reversed(found))


BOX = directive(r"prf:\w+")
DEFINITION = directive("prf:definition")
_PLACE = re.compile(r"^:(?:label|name): *(\S+)|^\(([\w-]+)\)=", re.M)


def places_in(text):
    """The places that a Markdown text names: the labels of its directives, and those before its headings.

    >>> sorted(places_in("(slips)=\\n## Slips\\n```{prf:lemma}\\n:label: small\\n```"))
    ['slips', 'small']
    """
    return {one[1] or one[2] for one in _PLACE.finditer(text)}
