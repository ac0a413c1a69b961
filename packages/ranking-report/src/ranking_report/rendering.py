"""Templates of this package, and how they write numbers."""

from functools import cache
from math import isfinite, isnan, log10

from jinja2 import Environment, PackageLoader, StrictUndefined

from ndcg_companion.text import escaped
from ranking_report.version import __version__
from ranking_report.wording import count, counted, p_value, signed


@cache
def templates(escape=True):
    """The environment of all templates; HTML is escaped."""
    environment = Environment(
        loader=PackageLoader("ranking_report", "templates"),
        autoescape=escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["version"] = __version__
    environment.tests |= {"finite": isfinite, "unknown": isnan}
    environment.filters |= {
        "escaped": lambda text, most=200: escaped(text, most),
        "short": lambda text: escaped(text, 24),
        "counted": counted,
        "count": lambda value: "" if isnan(value) else count(value),
        "signed": signed,
        "log10": log10,
        "p": p_value,
    }
    return environment


def lines_of(name, **facts):
    """The lines of a template of plain text."""
    return [line for line in templates(False).get_template(name).render(**facts).split("\n") if line]


def methods(comparison):
    """What a paper would say of how a comparison was computed."""
    return "".join(lines_of("methods.txt", comparison=comparison))


def references():
    """What a paper that uses a comparison would cite."""
    return lines_of("references.txt")
