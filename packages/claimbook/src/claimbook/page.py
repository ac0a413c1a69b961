"""The interface of a running chapter: its parameters, its findings, its figures and its numbers.

``Page`` finds the parameters cell among the inputs of the running kernel, so that a chapter opened in
Jupyter, run by papermill or built into the book knows what it was asked to do, what the defaults are, and
refuses what is not allowed. Everything it records travels as metadata of cell outputs, where the builder
finds it again.
"""

import json
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from math import isfinite
from time import perf_counter
from tokenize import TokenError

import numpy as np
import scipy.linalg  # noqa: F401  it brings a BLAS of its own, which can be limited once it is there
from IPython import get_ipython
from IPython.display import display
from threadpoolctl import threadpool_limits

from claimbook.evidence import BASES, SHAPES, Case, Finding
from claimbook.output_metadata import FIGURE, GLUED, METADATA_KEY
from claimbook.parameters import check_values, parse_parameters
from claimbook.style import as_svg


class Page:
    """A running chapter, which computes on one BLAS thread: its numbers are those of any machine's cores.

    Parameters
    ----------
    name : str
        The chapter's file name without its suffix.
    book : Book

    Raises
    ------
    ValueError
        If one of the chapter's parameters has a value that is not allowed.
    """

    def __init__(self, name, book):
        shell = self._shell = get_ipython()
        if shell is None:
            raise RuntimeError(
                f"a Page needs a running notebook: open the chapter in Jupyter, or use '{book.command} run'"
            )
        self.name, self.book = name, book
        self.declared = _declared(shell.user_ns["In"], book.values)
        self.parameters = {parameter.name: shell.user_ns[parameter.name] for parameter in self.declared}
        check_values(self.declared, self.parameters)
        threadpool_limits(1, user_api="blas")
        self._last = perf_counter()

    def numbers(self, values):
        """Make numbers, formatted now, available to the prose as ``{glue:text}`name```.

        Parameters
        ----------
        values : mapping of str
            Name to a value, or to a value and its format: ``{"lists": 300, "share": (0.1234, ".1%")}``. In
            place of a value a mapping may stand, whose names follow after a hyphen:
            ``{"rate": ({"log": 0.1, "1-over-r": 0.2}, ".2f")}`` makes ``rate-log`` and ``rate-1-over-r``. A
            blank becomes a hyphen, too.
        """
        for name, value, form in _named(values):
            text = format(value, form)
            metadata = {
                "scrapbook": {"name": name, "mime_prefix": GLUED},
                METADATA_KEY: {"number": {"name": name, "text": text, "value": _value(value)}},
            }
            display({f"{GLUED}text/plain": repr(text)}, raw=True, metadata=metadata)

    def figure(self, figure, name, widget=None):
        """Show a matplotlib figure; its caption stands in the Markdown below.

        Parameters
        ----------
        figure : matplotlib.figure.Figure
            Drawn by a function that is a `drawing`, which gave it a text for those who do not see it.
        name : str
            Of the figure: ``{glue:figure} NAME`` with ``:name: NAME`` shows it with a caption, ``{numref}``
            leads to it.
        widget : str, optional
            HTML that surrounds the figure where its comment ``<!-- figure -->`` is, for a page that answers
            the reader. On paper and without JavaScript the figure remains.
        """
        if not hasattr(figure, "drawn_by"):
            raise ValueError(f"{name}: expected a figure of a function under @drawing of claimbook.style")
        if not figure.alt.rstrip().endswith("."):
            raise ValueError(f"alt={figure.alt!r}: expected a sentence that says what is seen")
        record = {"name": name, "alt": figure.alt, "drawn_by": figure.drawn_by}
        picture = {"image/svg+xml": as_svg(figure), "text/plain": figure.alt}
        if widget is not None:
            if widget.count(FIGURE) != 1:
                raise ValueError(f"{name}: expected a widget with one {FIGURE}, got {widget.count(FIGURE)}")
            record["widget"] = widget
            picture["text/html"] = widget.replace(FIGURE, _image(picture["image/svg+xml"], figure.alt))
        display(picture, raw=True, metadata={METADATA_KEY: {"figure": record}})
        self._seconds()  # a finding tells the time from here on

    def finding(self, statement, *, claim, control, rule="within", **options):
        """Record evidence on a statement of the registry, show it, and return its verdict.

        ``claim`` and ``control`` are ``(says, predicted, observed)`` or
        ``(says, predicted, observed, tolerance)``; the options are those of
        ``claimbook.Finding``: ``basis``, ``risk``, ``needs``, ``near``, ``far`` and ``unequal``.

        Raises
        ------
        ValueError
            For an unknown statement, a case of another form, what ``Finding`` rejects, the basis ``"sample"``
            without a ``risk``, and ``"exhaustive"`` of floating-point numbers without a tolerance.
        """
        row, cases = self.book.statement(statement), (_case("claim", claim), _case("control", control))
        found = Finding(statement, rule, *cases, **options, defines=row.defines)
        _check_basis(found, "risk" in options)
        run = {"page": self.name, "parameters": self.parameters, "seconds": self._seconds()}
        record = json.loads(json.dumps(found.as_plain(row.expected) | run))
        self._show(_finding_text(found), {"finding": record})
        return found.verdict

    def _seconds(self):
        now = perf_counter()
        elapsed, self._last = now - self._last, now
        return round(elapsed, 3)

    def _show(self, text, record):
        display({"text/markdown": text, "text/plain": text}, raw=True, metadata={METADATA_KEY: record})


def _case(side, given):
    """The `Case` of a claim or control as a chapter gives it; ValueError for other entries."""
    if isinstance(given, tuple | list) and len(given) in (3, 4):
        return Case(*given)
    got = f"{len(given)} entries" if isinstance(given, tuple | list) else type(given).__name__
    raise ValueError(f"{side}: expected (says, predicted, observed), tolerance as fourth or none, got {got}")


def _check_basis(found, has_risk):
    """Raise ValueError for a basis of which the finding does not say what it must."""
    about = f"{found.statement}: basis={found.basis!r}: expected"
    if found.basis == "sample" and not has_risk:
        others = ", ".join(basis for basis in BASES if basis != "sample")
        raise ValueError(
            f"{about} risk=, the probability that chance alone overturns the verdict, such as 1e-6, or 0 "
            f"where nothing is random; the other words for basis are {others}"
        )
    if found.basis == "exhaustive":
        for side, case in (("claim", found.claim), ("control", found.control)):
            if np.any(np.asarray(case.tolerance) == 0) and any(map(_rounds, (case.predicted, case.observed))):
                raise ValueError(
                    f"{about} exact numbers, such as int or Fraction, or a tolerance for rounding, got "
                    f"floating-point numbers in the {side} without one"
                )


def _rounds(values):
    """Whether there is a floating-point number among them."""
    values = np.asarray(values)
    if values.dtype != object:
        return values.dtype.kind in "fc"
    return any(isinstance(entry, float | complex | np.inexact) for entry in values.ravel())


def _image(svg, alt):
    """The drawing as an image in HTML, for a front end that shows the widget itself."""
    return f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}">'


def _named(values, start="", form=""):
    """Name, value and format of each number in a mapping, and in the mappings within."""
    for key, given in values.items():
        value, own = given if isinstance(given, tuple) else (given, form)
        name = f"{start}{key}".replace(" ", "-")
        if isinstance(value, Mapping):
            yield from _named(value, f"{name}-", own)
        else:
            yield name, value, own


def _value(given):
    """The number, also of a text that a page formatted itself; None for words, NaN and infinity."""
    percent = isinstance(given, str) and given.endswith("%")
    if isinstance(given, str):
        given = given.removesuffix("%").replace(",", "").replace("−", "-")
    try:
        value = float(given) / (100 if percent else 1)
    except (TypeError, ValueError):
        return None
    return value if isfinite(value) else None


def _declared(inputs, kinds):
    """The parameters, with their defaults, of the first cell that declares some.

    Later cells may declare the same: that cell, edited and run again, or the one that papermill adds.
    """
    for source in inputs:
        if ": " in source and "#" in source:  # others declare nothing, and need not be parsed
            with suppress(SyntaxError, TokenError, ValueError):
                if declared := parse_parameters(source, kinds):
                    return declared
    return []


def _finding_text(found):
    """The verdict of a finding, its claim and its control, as Markdown."""
    verdict, needs = found.verdict, f" {found.needs}." if found.verdict == "undecided" else ""
    lines = [f"**{SHAPES[verdict]} {verdict}** · `{found.statement}`{needs}\n"]
    for kind, case in (("claim", found.claim), ("control", found.control)):
        margin, passed = case.margin(found.rule, found.near), case.holds(found.rule)
        unit = "" if margin.worst is None else " tolerances"
        entry = f"; entry {margin.entry + 1:,} of {margin.entries:,} decides" if margin.entries > 1 else ""
        lines.append(
            f"- The {kind} *{'passes' if passed else 'fails'}*: {case.says}. "
            f"Predicted {_short(margin.predicted)} ({_tolerance_text(found.rule, margin.tolerance)}), "
            f"observed {_short(margin.observed)}, {margin}{unit}{entry}."
        )
    lines += [f"- No nearer control: {found.far}."] * bool(found.far)
    lines += [f"- The control has another tolerance: {found.unequal}."] * bool(found.unequal)
    return "\n".join(lines) + "\n"


def _short(value):
    """A number to six digits, anything else as it is written."""
    if isinstance(value, float):
        return f"{value:.6g}" if value == 0 or abs(value) >= 1e-4 else f"{value:.2g}"
    return str(value)


def _tolerance_text(rule, tolerance):
    if rule in ("equals", "within"):
        return f"± {tolerance:.2g}" if tolerance else "exactly"
    return rule + (f", give or take {tolerance:.2g}" if tolerance else "")
