"""Fill templates for pages and their parts, in escaped HTML or our own Markdown."""

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_eval_context, select_autoescape

from claimbook.evidence import SHAPES, Margin, slug
from claimbook.palette import schemes
from claimbook.text import escaped, markdown


def filled(template, **values):
    """Return the text of one of the package's templates, with values filled in.

    Notes
    -----
    Values in a script go through ``tojson``, which escapes ``<``.
    """
    return _environment().get_template(template).render(values)


@cache
def _environment():
    """Return a strict Jinja environment that escapes HTML and has our filters."""
    environment = Environment(
        loader=PackageLoader("claimbook", ""),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        finalize=_escape_unless_html,
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
def _escape_unless_html(context, value):
    """Return a value with its line ends and control characters escaped."""
    return escaped(value, most=10_000_000) if context.autoescape and not hasattr(value, "__html__") else value


def cell(source):
    """Return our own Markdown as one line with escaped bars, for a table cell."""
    return " ".join(source.replace("|", "\\|").split())


def shaped(verdict):
    """Return a verdict preceded by its shape.

    >>> shaped("consistent")
    '● consistent'
    """
    return f"{SHAPES[verdict]} {verdict}"


def fenced(text, info, mark="`"):
    """Return a code block or directive with a fence that the text cannot close."""
    # Two marks longer than the longest run of marks; the additional mark counts as a run if there is none.
    fence = mark * (2 + max(map(len, re.findall(f"{mark}+", mark + text))))
    return f"{fence}{info}\n{text}\n{fence}"


_POWER = re.compile(r"\b(log|\w)\^(?:\(((?:[^()]|\([^()]*\))*)\)|(\w))")
_GREEK = re.compile(r"(?<!\\)\b(?:alpha|beta)\b")
_TEX_COMMAND = r"\\\g<0>"  # replaces a word by the command of this name, such as alpha by \alpha


def typeset(words):
    """Return a statement in words, with its powers and Greek letters as formulas.

    >>> print(typeset("For r^(-beta) with beta > 1"))
    For $r^{-\\beta}$ with $\\beta$ > 1
    """

    def power(match):
        base, exponent_in_brackets, exponent_letter = match.groups()
        tex_base = "\\log" if base == "log" else base
        exponent = _GREEK.sub(_TEX_COMMAND, exponent_in_brackets or exponent_letter)
        return f"${tex_base}^{{{exponent}}}$"

    return _GREEK.sub(f"${_TEX_COMMAND}$", _POWER.sub(power, words))
