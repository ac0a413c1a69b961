"""Pages and their generated parts, from templates: HTML whose every value is text, and Markdown of ours."""

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_eval_context, select_autoescape

from claimbook.evidence import SHAPES, Margin, slug
from claimbook.palette import schemes
from claimbook.text import escaped, markdown


def filled(template, **values):
    """The text of a template of the package; values in a script go through ``tojson``, without a ``<``."""
    return _environment().get_template(template).render(values)


@cache
def _environment():
    """The Jinja environment of the package: strict, with HTML escaped and the filters of its templates."""
    environment = Environment(
        loader=PackageLoader("claimbook", ""),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        finalize=_text,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "default": str}
    environment.filters |= {
        "slug": slug,
        "cell": cell,
        "shaped": shaped,
        "typeset": typeset,
        "fenced": fenced,
        "markdown": markdown,
        "margin": lambda margin: Margin(**margin),
    }
    environment.globals |= {"shapes": SHAPES, "colours": schemes()}
    return environment


@pass_eval_context
def _text(context, value):
    """Escape also line ends and control characters, which could act in a page without being markup."""
    return escaped(value, most=10_000_000) if context.autoescape and not hasattr(value, "__html__") else value


def cell(source):
    """Markdown of ours in a cell of a table, which a bar or a line end would cut."""
    return " ".join(source.replace("|", "\\|").split())


def shaped(verdict):
    """A verdict with its shape.

    >>> shaped("consistent")
    '● consistent'
    """
    return f"{SHAPES[verdict]} {verdict}"


def fenced(text, what, mark="`"):
    """A block of code, or of what a directive holds, in a fence that nothing in the text can close."""
    fence = mark * (2 + max(map(len, re.findall(f"{mark}+", mark + text))))
    return f"{fence}{what}\n{text}\n{fence}"


_POWER = re.compile(r"\b(log|\w)\^(?:\(((?:[^()]|\([^()]*\))*)\)|(\w))")
_GREEK = re.compile(r"(?<!\\)\b(?:alpha|beta)\b")
_LETTER = r"\\\g<0>"


def typeset(words):
    """The words of a statement, with powers and Greek letters as formulas.

    >>> print(typeset("For r^(-beta) with beta > 1"))
    For $r^{-\\beta}$ with $\\beta$ > 1
    """

    def power(found):
        base = f"\\{found[1]}" if len(found[1]) > 1 else found[1]
        return f"${base}^{{{_GREEK.sub(_LETTER, found[2] or found[3])}}}$"

    return _GREEK.sub(f"${_LETTER}$", _POWER.sub(power, words))
