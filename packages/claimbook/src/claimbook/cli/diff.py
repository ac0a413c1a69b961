"""``diff``: show the differences between two runs, or two builds."""

import ast
import base64
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from claimbook.output_metadata import METADATA_KEY, findings_of, numbers_of
from claimbook.reports.ledger import numbered, verdicts
from claimbook.templates import filled, shaped
from claimbook.text import escaped
from claimbook.writing import check_page, write_page

OPTIONS = {
    "first": {"metavar": "RUN_A", "help": "a folder with executed chapters, or an executed notebook"},
    "second": {"metavar": "RUN_B", "help": "the folder or notebook to compare it with"},
    "--output": {"metavar": "FILE", "default": "diff.html", "help": "where to write the page (diff.html)"},
}
# The parts of an executed chapter that are compared, each with the value shown if only the other side has it.
_VALUES_FOR_ABSENT = {
    "parameters": "no parameter",
    "verdicts": "no verdict",
    "numbers": "not there",
    "figures": None,
}
_ERRORS_OF_BAD_NOTEBOOKS = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
    SyntaxError,
)


def call(options):
    """Compare two runs, write the page with the differences, and return the exit code."""
    check_page(options.output)
    difference = compare(read_runs(options.first), read_runs(options.second))
    write_page(options.output, difference.as_html(options.first, options.second))
    print(difference.as_text())
    print(f"written to {options.output}")
    return 1 if difference else 0


@dataclass(frozen=True)
class Picture:
    """An SVG with its alternative text. Two pictures are equal if their drawings are equal."""

    base64: str
    alt: str = field(compare=False)


@dataclass(frozen=True)
class Difference:
    """The differences between two executions; the object is false if there are none.

    Attributes
    ----------
    parameters, verdicts, checks, numbers, figures : list of tuple
        Each tuple is (chapter, name, first value, second value). For figures, the values are images. A check
        is listed if only one side has it, or if its observations differ by more than the sum of its two
        tolerances.
    moved : int
        The number of observations that differ by at most the sum of their two tolerances. They count as
        equal.
    """

    parameters: list
    verdicts: list
    checks: list
    numbers: list
    figures: list
    moved: int

    def __bool__(self):
        return bool(self.verdicts or self.checks or self.numbers or self.figures)

    def as_text(self):
        """Return the differences as lines for a terminal."""
        return filled("cli/diff.txt", difference=self, escaped=escaped).strip("\n")

    def as_html(self, first, second):
        """Return an HTML page with the differences and the figures of both sides.

        Parameters
        ----------
        first, second : str
            The names of the two sides.
        """
        return filled("cli/diff.html", difference=self, sides=[first, second])


def read_runs(path):
    """Return the contents of executed chapters, by name.

    Parameters
    ----------
    path : path
        An executed notebook, the folder of a run, or the folder of a build.

    Raises
    ------
    ValueError
        If the path has no executed chapter.
    """
    path = Path(path)
    notebooks = sorted(path.glob("executed/*.ipynb")) or sorted(path.glob("*.ipynb"))
    # Only regular files are read, because reading a pipe would block.
    files = [file for file in [path, *notebooks] if file.is_file()]
    if not files:
        expectation = "expected an executed notebook, or a folder with some (a run's, or _build/PROFILE)"
        raise ValueError(f"{escaped(path)}: {expectation}")
    return {file.stem: _read_chapter(file) for file in files}


def _read_chapter(path):
    """Return the contents of an executed notebook (`_contents_of`).

    Raises
    ------
    ValueError
        If the file is not an executed notebook.
    """
    import nbformat  # here, because --help works without the packages of a book

    try:
        return _contents_of(nbformat.from_dict(json.loads(path.read_text(encoding="utf-8"))))
    # A notebook from somewhere else can contain anything.
    except _ERRORS_OF_BAD_NOTEBOOKS as error:
        expectation = "expected a notebook that one of the commands run, sweep and build executed"
        raise ValueError(f"{escaped(path)}: {expectation} ({type(error).__name__}: {error})") from None


def _contents_of(notebook):
    """Return the compared contents of a chapter: five mappings, each with values by name.

    They are "parameters", "verdicts", "checks", "numbers" and "figures". The value of a check maps "claim"
    and "control" to pairs of an observation and its tolerance.
    """
    parameters = _default_parameters(notebook) | dict(notebook.metadata[METADATA_KEY]["parameters"])
    findings, figures = findings_of(notebook), {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if figure := output.get("metadata", {}).get(METADATA_KEY, {}).get("figure"):
                svg = "".join(output.data["image/svg+xml"]).encode()
                figures[str(figure["name"])] = Picture(base64.b64encode(svg).decode(), str(figure["alt"]))
    return {
        "parameters": parameters,
        "verdicts": {name: shaped(verdict) for name, verdict in verdicts(findings).items()},
        "checks": {
            f"{finding['statement']}, check {number}": {
                side: (finding[side]["observed"], _checked_tolerance(finding[side]))
                for side in ("claim", "control")
            }
            for number, finding in numbered(findings)
        },
        "numbers": {name: str(text) for name, (text, _) in numbers_of(notebook).items()},
        "figures": figures,
    }


def _default_parameters(notebook):
    """Return the defaults in the chapter's parameters cell, by name.

    A run records only the parameters that differ from these defaults.
    """
    cells = [cell for cell in notebook.cells if "parameters" in cell.get("metadata", {}).get("tags", [])]
    source = "".join(cells[0]["source"]) if cells else ""
    declarations = [line for line in ast.parse(source).body if isinstance(line, ast.AnnAssign)]
    return {line.target.id: ast.literal_eval(line.value) for line in declarations}


def _checked_tolerance(case):
    """Return the tolerance of a case.

    Raises
    ------
    ValueError
        If the tolerance is negative or not finite. An infinite tolerance would accept every observation.
    """
    tolerance = np.asarray(case["tolerance"], float)
    if not np.all(np.isfinite(tolerance) & (tolerance >= 0)):
        raise ValueError(f"tolerance={escaped(case['tolerance'], 60)}: expected finite numbers >= 0")
    return case["tolerance"]


def compare(first, second):
    """Return the `Difference` between two sets of executed chapters (`read_runs`).

    Raises
    ------
    ValueError
        If the two sets have no chapter in common.
    """
    common_names = [name for name in first if name in second]
    if not common_names:
        chapters = f"{', '.join(first)} in one, {', '.join(second)} in the other"
        raise ValueError(f"expected runs with a chapter in common, got {chapters}")
    rows = {kind: [] for kind in _VALUES_FOR_ABSENT}
    checks = []
    for name in common_names:
        for kind, absent in _VALUES_FOR_ABSENT.items():
            rows[kind] += _rows_of_differences(name, first[name][kind], second[name][kind], absent)
        checks += _rows_of_checks(name, first[name]["checks"], second[name]["checks"])
    return Difference(**rows, checks=[row for row in checks if row], moved=checks.count(None))


def _rows_of_differences(chapter, first, second, absent):
    """Return a row (chapter, name, first value, second value) for each difference.

    A missing value is ``absent``.
    """
    names = dict.fromkeys([*first, *second])  # in order, each once
    differing_names = [name for name in names if first.get(name, absent) != second.get(name, absent)]
    return [(chapter, name, first.get(name, absent), second.get(name, absent)) for name in differing_names]


def _rows_of_checks(chapter, first, second):
    """Yield a row (chapter, name, first text, second text) for each differing check.

    For observations that differ within their tolerances, None is yielded instead of a row.
    """
    for check in dict.fromkeys([*first, *second]):
        if check not in first or check not in second:
            yield chapter, check, *("there" if check in run else "not there" for run in (first, second))
            continue
        for side in ("claim", "control"):
            first_observed, first_tolerance = first[check][side]
            second_observed, second_tolerance = second[check][side]
            if first_observed != second_observed:
                texts = escaped(first_observed, 60), escaped(second_observed, 60)
                row = (chapter, f"{check}, observed for the {side}", *texts)
                agree = _agree(first_observed, second_observed, first_tolerance, second_tolerance)
                yield None if agree else row


def _agree(first_observed, second_observed, *tolerances):
    """Return whether observations have the same shape and agree within tolerances.

    The limit is the sum of the tolerances.
    """
    try:
        first_observed = np.asarray(first_observed, float)
        second_observed = np.asarray(second_observed, float)
        # A tolerance may apply to a complete row, but NumPy must not broadcast an observation.
        limit = sum(
            np.broadcast_to(np.asarray(tolerance, float), first_observed.shape) for tolerance in tolerances
        )
    except (ValueError, TypeError, OverflowError):  # words, rows of different lengths, other tolerances
        return False
    if first_observed.shape != second_observed.shape:
        return False
    return bool(np.all(np.abs(first_observed - second_observed) <= limit))
