"""Connect a running chapter to its book: parameters, findings, figures and numbers.

``Page`` reads the parameters cell from the inputs of the running kernel. ``Page`` therefore knows the
defaults and the present values, and rejects values outside the declared ranges in Jupyter, under papermill
and in a build. All records are stored as metadata of cell outputs, from which the builder reads them.
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
import scipy.linalg  # noqa: F401  it loads a BLAS of its own, whose threads can be limited once it is loaded
from IPython import get_ipython
from IPython.display import display
from threadpoolctl import threadpool_limits

from claimbook.evidence import BASES, SHAPES, Case, Finding
from claimbook.output_metadata import FIGURE, GLUED, METADATA_KEY
from claimbook.parameters import check_values, parse_parameters
from claimbook.style import as_svg


class Page:
    """A running chapter, which computes in one BLAS thread.

    Parameters
    ----------
    name : str
        The chapter's file name without its suffix.
    book : Book
        The book of the chapter.

    Raises
    ------
    ValueError
        If a parameter of the chapter has a value outside its range.
    RuntimeError
        If no notebook is running.

    Notes
    -----
    Because only one thread is used, the numbers do not depend on the machine's number of cores.
    """

    def __init__(self, name, book):
        shell = get_ipython()
        if shell is None:
            raise RuntimeError(
                f"a Page needs a running notebook: open the chapter in Jupyter, or use '{book.command} run'"
            )
        self.name, self.book = name, book
        self.declared = _first_declared(shell.user_ns["In"], book.values)
        self.parameters = {parameter.name: shell.user_ns[parameter.name] for parameter in self.declared}
        check_values(self.declared, self.parameters)
        threadpool_limits(1, user_api="blas")
        self._last_time = perf_counter()

    def numbers(self, values):
        """Record formatted numbers for the prose, where ``{glue:text}`name``` shows them.

        Parameters
        ----------
        values : mapping of str
            Values by name, each alone or as a pair of value and format, such as ``{"lists": 300, "rate":
            (0.1234, ".1%")}``. A value may itself be a mapping, whose names are appended after a hyphen:
            ``{"rate": ({"log": 0.1, "1-over-r": 0.2}, ".2f")}`` gives ``rate-log`` and ``rate-1-over-r``.
            Spaces in names become hyphens.
        """
        for name, value, form in _flattened(values):
            text = format(value, form)
            metadata = {
                "scrapbook": {"name": name, "mime_prefix": GLUED},
                METADATA_KEY: {"number": {"name": name, "text": text, "value": _as_float(value)}},
            }
            display({f"{GLUED}text/plain": repr(text)}, raw=True, metadata=metadata)

    def figure(self, figure, name, widget=None):
        """Show a Matplotlib figure, whose caption is in the Markdown below the cell.

        Parameters
        ----------
        figure : matplotlib.figure.Figure
            A figure from a function under `drawing`, which gives it an alternative text.
        name : str
            The name of the figure: ``{glue:figure} NAME`` with ``:name: NAME`` shows it with a caption, and
            ``{numref}`` links to it.
        widget : str, optional
            HTML to put around the figure on an interactive page. The figure replaces the comment ``<!--
            figure -->`` in this HTML. On paper and without JavaScript only the figure is shown.

        Raises
        ------
        ValueError
            If the figure does not come from a function under `drawing`, if its alternative text is not a
            sentence, or if the widget does not contain exactly one such comment.
        """
        if not hasattr(figure, "drawn_by"):
            expectation = "expected a figure from a function under @drawing of claimbook.style"
            raise ValueError(f"{name}: {expectation}")
        if not figure.alt.rstrip().endswith("."):
            raise ValueError(f"alt={figure.alt!r}: expected a sentence that describes the figure")
        record = {"name": name, "alt": figure.alt, "drawn_by": figure.drawn_by}
        mime_bundle = {"image/svg+xml": as_svg(figure), "text/plain": figure.alt}
        if widget is not None:
            if widget.count(FIGURE) != 1:
                raise ValueError(f"{name}: expected one {FIGURE} in the widget, got {widget.count(FIGURE)}")
            record["widget"] = widget
            image = _image(mime_bundle["image/svg+xml"], figure.alt)
            mime_bundle["text/html"] = widget.replace(FIGURE, image)
        display(mime_bundle, raw=True, metadata={METADATA_KEY: {"figure": record}})
        self._seconds_since_last_call()  # the time of the next finding counts from here

    def finding(self, statement, *, claim, control, rule="within", **options):
        """Record and show evidence on a statement of the registry; return its verdict.

        Parameters
        ----------
        statement : str
            The id of the statement.
        claim, control : tuple
            ``(says, predicted, observed)`` or ``(says, predicted, observed, tolerance)``.
        rule : {"equals", "within", "at most", "at least"}
            The comparison between observation and prediction.
        **options
            The arguments ``basis``, ``risk``, ``needs``, ``near``, ``far`` and ``unequal`` of
            ``claimbook.Finding``.

        Raises
        ------
        ValueError
            If the statement is unknown, if a case has a different form, if ``Finding`` raises, if the basis
            ``"sample"`` has no ``risk``, or if the basis ``"exhaustive"`` has floating-point numbers and no
            tolerance.
        """
        registered, cases = self.book.statement(statement), (_case("claim", claim), _case("control", control))
        finding = Finding(statement, rule, *cases, **options, defines=registered.defines)
        _check_basis(finding, "risk" in options)
        run = {"page": self.name, "parameters": self.parameters, "seconds": self._seconds_since_last_call()}
        record = json.loads(json.dumps(finding.as_plain(registered.expected) | run))  # only plain types
        text = _finding_text(finding)
        display(
            {"text/markdown": text, "text/plain": text},
            raw=True,
            metadata={METADATA_KEY: {"finding": record}},
        )
        return finding.verdict

    def _seconds_since_last_call(self):
        """Return the seconds since the last call or the start, and count anew."""
        last_time, self._last_time = self._last_time, perf_counter()
        return round(self._last_time - last_time, 3)


def _case(side, entries):
    """Return the `Case` for a claim or control in the form that chapters use.

    Raises
    ------
    ValueError
        If ``entries`` is not a tuple or list of three or four entries.
    """
    if isinstance(entries, tuple | list) and len(entries) in (3, 4):
        return Case(*entries)
    description = f"{len(entries)} entries" if isinstance(entries, tuple | list) else type(entries).__name__
    expectation = "(says, predicted, observed) or (says, predicted, observed, tolerance)"
    raise ValueError(f"{side}: expected {expectation}, got {description}")


def _check_basis(finding, has_risk):
    """Raise ValueError if a finding lacks the risk or tolerance that its basis needs."""
    prefix = f"{finding.statement}: basis={finding.basis!r}: expected"
    if finding.basis == "sample" and not has_risk:
        other_bases = ", ".join(basis for basis in BASES if basis != "sample")
        raise ValueError(
            f"{prefix} risk=, the probability that noise alone reverses the verdict, such as 1e-6, or 0 "
            f"if nothing is random; the other words for basis are {other_bases}"
        )
    if finding.basis == "exhaustive":
        for side, case in (("claim", finding.claim), ("control", finding.control)):
            has_floats = _has_floats(case.predicted) or _has_floats(case.observed)
            if has_floats and np.any(np.asarray(case.tolerance) == 0):
                raise ValueError(
                    f"{prefix} exact numbers, such as int or Fraction, or a tolerance for rounding, got "
                    f"floating-point numbers in the {side} without one"
                )


def _has_floats(values):
    """Return whether any of the values is a floating-point number."""
    array = np.asarray(values)
    if array.dtype != object:
        return array.dtype.kind in "fc"  # NumPy's codes for real and complex floating-point numbers
    return any(isinstance(entry, float | complex | np.inexact) for entry in array.ravel())


def _image(svg, alt):
    """Return a figure as an HTML image, for front ends that show a widget unchanged."""
    return f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}">'


def _flattened(values, prefix="", default_form=""):
    """Yield name, value and format of each number in a mapping and in inner mappings."""
    for key, entry in values.items():
        value, form = entry if isinstance(entry, tuple) else (entry, default_form)
        name = f"{prefix}{key}".replace(" ", "-")
        if isinstance(value, Mapping):
            yield from _flattened(value, f"{name}-", form)
        else:
            yield name, value, form


def _as_float(number):
    """Return a number as a float, or None for words, NaN and infinity.

    The number may be text that the page has formatted, such as "−1,234" or "12.5%".
    """
    divisor = 1
    if isinstance(number, str):
        divisor = 100 if number.endswith("%") else 1
        number = number.removesuffix("%").replace(",", "").replace("−", "-")
    try:
        value = float(number) / divisor
    except (TypeError, ValueError):
        return None
    return value if isfinite(value) else None


def _first_declared(inputs, kinds):
    """Return the parameters of the first cell that declares any.

    ``inputs`` are the sources of the executed cells, in order, and ``kinds`` are those of the book.

    Notes
    -----
    Later inputs may declare the same parameters. They are the first cell, edited and run again, or the cell
    that papermill adds.
    """
    for source in inputs:
        if ": " in source and "#" in source:  # other cells declare nothing, so they need not be parsed
            with suppress(SyntaxError, TokenError, ValueError):
                if parameters := parse_parameters(source, kinds):
                    return parameters
    return []


def _finding_text(finding):
    """Return the verdict of a finding, its claim and its control as Markdown."""
    verdict = finding.verdict
    needs = f" {finding.needs}." if verdict == "undecided" else ""
    lines = [f"**{SHAPES[verdict]} {verdict}** · `{finding.statement}`{needs}\n"]
    for kind, case in (("claim", finding.claim), ("control", finding.control)):
        result = "passes" if case.holds(finding.rule) else "fails"
        margin = _margin_text(finding.rule, case.margin(finding.rule, finding.near))
        lines.append(f"- The {kind} *{result}*: {case.says}. {margin}")
    if finding.far:
        lines.append(f"- No nearer control: {finding.far}.")
    if finding.unequal:
        lines.append(f"- The control has another tolerance: {finding.unequal}.")
    return "\n".join(lines) + "\n"


def _margin_text(rule, margin):
    """Return sentences that state the prediction, the observation and the margin."""
    predicted, observed = _short_text(margin.predicted), _short_text(margin.observed)
    if margin.worst is None and margin.entries > 1:
        if margin.outside:
            return (
                f"Of {margin.entries:,} observed values {margin.outside:,} differ from the prediction; the "
                f"first of these is {observed} instead of {predicted}."
            )
        return f"All {margin.entries:,} observed values equal the predicted values; the first is {observed}."
    if margin.worst is None:
        return f"The predicted value is {predicted}, and the observed value is {observed}."
    subject = "The"
    if margin.entries > 1:
        subject = f"At entry {margin.entry + 1:,} of {margin.entries:,}, which has the largest margin, the"
    return (
        f"{subject} predicted value is {_prediction(rule, predicted, margin.tolerance)}, the observed value "
        f"is {observed}, and the margin is {margin}."
    )


def _short_text(value):
    """Return a number with six digits, and any other value as Python writes it."""
    if isinstance(value, float):
        return f"{value:.6g}" if value == 0 or abs(value) >= 1e-4 else f"{value:.2g}"
    return str(value)


def _prediction(rule, predicted, tolerance):
    """Return a prediction as text, with the word of a bound and any tolerance."""
    if rule in ("equals", "within"):
        return predicted + (f" ± {tolerance:.2g}" if tolerance else "")
    return f"{rule} {predicted}" + (f" (± {tolerance:.2g})" if tolerance else "")
