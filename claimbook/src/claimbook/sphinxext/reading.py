"""Directives in Markdown, found where they stand, before Sphinx reads them."""

import re


def directive(kind):
    """A pattern for directives of a kind: ``opening`` with ``fence`` and ``title``, ``options``, ``text``."""
    opening = rf"^(?P<opening>(?P<fence>`{{3,}}|:{{3,}})\{{{kind}\}} *(?P<title>[^\n]*)\n)"
    return re.compile(opening + r"(?P<options>(?::[\w-]+:[^\n]*\n)*)(?P<text>.*?)^(?P=fence)$", re.M | re.S)


def options_of(found):
    """The options of a directive that was found, by name."""
    return dict(re.findall(r"^:([\w-]+): *(.*)$", found["options"], re.M))


BOX = directive(r"prf:\w+")
