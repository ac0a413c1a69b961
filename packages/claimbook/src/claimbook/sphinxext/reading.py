"""Find the directives in the Markdown of a page before Sphinx reads the page."""

import re


def directive(kind):
    """Return a regular expression that matches the directives of a kind.

    The groups of the expression are ``opening`` (with ``fence`` and ``title``), ``options`` and ``text``.
    """
    opening = rf"^(?P<opening>(?P<fence>`{{3,}}|:{{3,}})\{{{kind}\}} *(?P<title>[^\n]*)\n)"
    return re.compile(opening + r"(?P<options>(?::[\w-]+:[^\n]*\n)*)(?P<text>.*?)^(?P=fence)$", re.M | re.S)


def each(pattern, text):
    """Yield all matches of a pattern from `directive`, including nested ones.

    >>> text = "::::{dropdown} Outer\\n:::{dropdown} Inner\\n:::\\n::::"
    >>> [match["title"] for match in each(directive("dropdown"), text)]
    ['Outer', 'Inner']
    """
    start = 0
    while match := pattern.search(text, start):
        yield match
        start = match.start() + 1


def options_of(match):
    """Return the options of a matched directive, by name."""
    return dict(re.findall(r"^:([\w-]+): *(.*)$", match["options"], re.M))


def holders(pages, kind):
    """Return, by argument, the page that contains each directive of a kind.

    Parameters
    ----------
    pages : iterable of Chapter
        The pages. If several pages use the same argument, the first page counts.
    kind : str
        The kind of directive, such as ``generated``.
    """
    pattern = directive(kind)
    pairs = [(match["title"].strip(), page) for page in pages for match in pattern.finditer(page.prose)]
    return dict(reversed(pairs))  # in a dict, the last pair with an argument counts


BOX = directive(r"prf:\w+")
DEFINITION = directive("prf:definition")
PROOF_OR_FOLD = directive(r"(?P<kind>dropdown|prf:proof)")
_PLACE = re.compile(r"^:(?:label|name): *(\S+)|^\(([\w-]+)\)=", re.M)


def places_in(text):
    """Return the labels of directives and headings in a Markdown text.

    >>> sorted(places_in("(slips)=\\n## Slips\\n```{prf:lemma}\\n:label: small\\n```"))
    ['slips', 'small']
    """
    return {match[1] or match[2] for match in _PLACE.finditer(text)}
