"""Fill the templates of this package and format their numbers."""

from functools import cache
from math import isfinite, isnan, log10

from jinja2 import Environment, PackageLoader, StrictUndefined

from ndcg_companion.text import escaped
from ranking_report import colours
from ranking_report.answer import MOST_REMARKS, lines, plain_cell, shown_columns
from ranking_report.latex import latex
from ranking_report.remarks import remarks
from ranking_report.version import __version__
from ranking_report.wording import count_text, counted, p_text, signed


@cache
def templates(escape=True):
    """Return the environment of all templates, which escapes HTML on request."""
    environment = Environment(
        loader=PackageLoader("ranking_report", "templates"),
        autoescape=escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"version": __version__, "needed": _needed, "latex": latex}
    environment.globals |= {"first": colours.FIRST, "second": colours.SECOND, "colours": colours.LIGHT}
    environment.tests |= {"finite": isfinite, "unknown": isnan}
    environment.filters |= {
        "escaped": lambda text, most=200: escaped(text, most),
        "short": lambda text: escaped(text, 24),
        "counted": counted,
        "count": lambda value: "" if isnan(value) else count_text(value),
        "signed": signed,
        "log10": log10,
        "p": p_text,
        "plain": lambda value, name: plain_cell(name, value),
    }
    return environment


def _needed(row):
    """Return the number of queries needed, with its range, as text."""
    number, low, high = row["queries"], row["queries_low"], row["queries_high"]
    if isnan(number):
        return ""
    if not isfinite(low):
        return "no number is enough"
    interval = f"{count_text(low)} to {count_text(high)}" if isfinite(high) else f"at least {count_text(low)}"
    return f"{count_text(number)} ({interval})"


def filled(name, comparison, **values):
    """Return the text of a template, filled with a comparison and further values."""
    template = templates(escape=name.endswith(".html")).get_template(name)
    return template.render(
        comparison=comparison,
        measure=comparison.measure_names[0],
        board=comparison.leaderboard.to_dict("records"),
        columns=shown_columns(comparison),
        means=_means_shown(comparison),
        **values,
    )


def in_words(comparison, results=()):
    """Return the answer, the first remarks and the other remarks for a template."""
    all_remarks = remarks(comparison, results)
    return {
        "answer": lines(comparison, results),
        "remarks": [*all_remarks[:MOST_REMARKS], *comparison.omissions],
        "more": all_remarks[MOST_REMARKS:],
    }


def _means_shown(comparison):
    """Return the formatted means of each system, and whether each is the highest."""
    table = comparison.means.set_index("system")
    texts = table.map("{:.4f}".format)
    highest_texts = table.max().map("{:.4f}".format)
    is_highest = (texts == highest_texts) & (texts.nunique() > 1)  # nothing is marked if all are equal
    return [(name, [*zip(texts.loc[name], is_highest.loc[name])]) for name in table.index]


def lines_of(name, **facts):
    """Return the lines of a plain-text template, filled with facts."""
    return [line for line in templates(False).get_template(name).render(**facts).split("\n") if line]


def methods(comparison):
    """Return a description of a comparison for the methods section of a paper."""
    return "".join(lines_of("methods.txt", comparison=comparison))


def references():
    """Return the references that a paper with a comparison should cite."""
    return lines_of("references.txt")
