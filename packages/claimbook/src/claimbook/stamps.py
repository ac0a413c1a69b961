"""The strip below a figure: one short line in sight, and in a fold what does not fit into it."""

import re
from dataclasses import dataclass
from html import unescape

from claimbook.text import markdown

WIDTH = 88  # characters of a strip that are in sight, with the name of its fold
_FOLD = "how it was made"


@dataclass(frozen=True)
class Stamp:
    """The parameters and data that a figure used.

    Parameters
    ----------
    parameters : sequence of pair
        What sets each, as ``n=20``, and its default as text, or None if that is what it was set to.
    data : sequence of str
    """

    parameters: tuple = ()
    data: tuple = ()

    def line(self):
        """All of it, as Markdown.

        >>> Stamp([("n=20", "10"), ("seed=1", None)], ["made clicks"]).line()
        '<code>n&#61;20</code> (default 10), <code>seed&#61;1</code> · data: made clicks'
        """
        words = [
            markdown(given) + ("" if default is None else f" (default {markdown(default, code=False)})")
            for given, default in self.parameters
        ]
        return _joined([", ".join(words) or "no parameter", *self._data()])

    def strip(self, drawn_by, code):
        """The strip as Markdown: `line`, or what fits of it above a fold that holds it.

        Parameters
        ----------
        drawn_by : str
            Markdown.
        code : str
            A link to it.
        """
        whole = _joined([self.line(), drawn_by, code])
        if _seen(whole) <= WIDTH:
            return whole
        short = self._short(WIDTH - _seen(f" · {code} {_FOLD}"))
        return f"{_joined([short, code])}\n\n:::{{dropdown}} {_FOLD}\n:class-container: made\n{whole}\n:::"

    def _short(self, room):
        """What fits: the seed, the other parameters without their defaults, data."""
        given = sorted((given for given, _ in self.parameters), key=lambda one: not one.startswith("seed="))
        names = [markdown(one) for one in given] or ["no parameter"]
        every = [", ".join([*names[:count], "…"]) for count in range(1, len(names))]
        every += [_joined([", ".join(names), *self._data()[:count]]) for count in range(len(self.data) + 1)]
        return max((one for one in every if _seen(one) <= room), key=_seen, default="")

    def _data(self):
        return [f"data: {markdown(what, code=False)}" for what in self.data]


def _joined(parts):
    return " · ".join(filter(None, parts))


def _seen(text):
    """How many characters of Markdown of ours are seen."""
    return len(unescape(re.sub("<[^>]*>|`", "", text)))
