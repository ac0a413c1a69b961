"""``diff``: what is different between two runs, or two builds."""

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
    "second": {"metavar": "RUN_B", "help": "the one to compare it with"},
    "--output": {"metavar": "FILE", "default": "diff.html", "help": "the page to write (diff.html)"},
}
# The parts of an executed chapter that are compared, and the text for one that is not there.
_ABSENT = {"parameters": "no parameter", "verdicts": "no verdict", "numbers": "not there", "figures": None}


_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError, SyntaxError)


def call(options):
    check_page(options.output)
    difference = compare(read_runs(options.first), read_runs(options.second))
    write_page(options.output, difference.as_html(options.first, options.second))
    print(difference.as_text())
    print(f"written to {options.output}")
    return 1 if difference else 0


@dataclass(frozen=True)
class Picture:
    """An SVG, and what it says to those who do not see it; two are equal if they look the same."""

    base64: str
    alt: str = field(compare=False)


@dataclass(frozen=True)
class Difference:
    """The differences between two executions; false if there is none.

    Attributes
    ----------
    parameters, verdicts, checks, numbers, figures : list of tuple
        Each (where, what, in the first, in the second); of figures, the two images. A check is a finding
        whose observations are further apart than the sum of its two tolerances, or that one side has.
    moved : int
        Observations that differ, but not by more than that: they count as equal.
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
        """The differences as lines for a terminal."""
        return filled("cli/diff.txt", difference=self, escaped=escaped).strip("\n")

    def as_html(self, first, second):
        """A page with the differences, figures side by side; ``first`` and ``second`` name the two sides."""
        return filled("cli/diff.html", difference=self, sides=[first, second])


def read_runs(path):
    """What executed chapters show, by name: those of one notebook, the folder of a run or that of a build.

    Raises
    ------
    ValueError
        If there is no executed chapter.
    """
    path = Path(path)
    inside = sorted(path.glob("executed/*.ipynb")) or sorted(path.glob("*.ipynb"))
    # Files only: a pipe would be waited for.
    if not (paths := [file for file in [path, *inside] if file.is_file()]):
        wanted = "expected an executed notebook, or a folder with some (a run's, or _build/PROFILE)"
        raise ValueError(f"{escaped(path)}: {wanted}")
    return {path.stem: _read(path) for path in paths}


def _read(path):
    """What an executed notebook shows (`_shown`); ValueError if the file is none."""
    import nbformat  # here, as help is there without the book

    try:
        return _shown(nbformat.from_dict(json.loads(path.read_text(encoding="utf-8"))))
    # A notebook from elsewhere may have anything anywhere.
    except _UNREADABLE as error:
        wanted = "expected a notebook that one of the commands run, sweep and build executed"
        raise ValueError(f"{escaped(path)}: {wanted} ({type(error).__name__}: {error})") from None


def _shown(notebook):
    """Parameters, verdicts, checks, numbers in the prose and figures of an executed chapter, by name."""
    parameters = _defaults(notebook) | dict(notebook.metadata[METADATA_KEY]["parameters"])
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
                side: (finding[side]["observed"], _tolerance(finding[side])) for side in ("claim", "control")
            }
            for number, finding in numbered(findings)
        },
        "numbers": {name: str(text) for name, (text, _) in numbers_of(notebook).items()},
        "figures": figures,
    }


def _defaults(notebook):
    """The defaults that the chapter's parameters cell declares, by name: a run notes the others alone."""
    cells = [cell for cell in notebook.cells if "parameters" in cell.get("metadata", {}).get("tags", [])]
    lines = ast.parse("".join(cells[0]["source"]) if cells else "").body
    return {line.target.id: ast.literal_eval(line.value) for line in lines if isinstance(line, ast.AnnAssign)}


def _tolerance(case):
    """The tolerance of a case; one that is not finite would let pass whatever was observed."""
    tolerance = np.asarray(case["tolerance"], float)
    if not np.all(np.isfinite(tolerance) & (tolerance >= 0)):
        raise ValueError(f"tolerance {escaped(case['tolerance'], 60)}: expected finite numbers >= 0")
    return case["tolerance"]


def compare(first, second):
    """The `Difference` between two sets of executed chapters (`read_runs`).

    Raises
    ------
    ValueError
        If they have no chapter in common.
    """
    common = [name for name in first if name in second]
    if not common:
        raise ValueError(f"no chapter in common: {', '.join(first)} in one, {', '.join(second)} in the other")
    rows = {
        kind: [
            row for name in common for row in _entries(name, first[name][kind], second[name][kind], absent)
        ]
        for kind, absent in _ABSENT.items()
    }
    checks = [row for name in common for row in _checks(name, first[name]["checks"], second[name]["checks"])]
    return Difference(**rows, checks=[row for row in checks if row], moved=checks.count(None))


def _entries(where, one, other, absent):
    pairs = [(key, one.get(key, absent), other.get(key, absent)) for key in dict.fromkeys([*one, *other])]
    return [(where, key, a, b) for key, a, b in pairs if a != b]


def _checks(where, one, other):
    """Checks that one side lacks or that differ; None for each that differs within its uncertainty."""
    for key in dict.fromkeys([*one, *other]):
        if key not in one or key not in other:
            yield where, key, *("there" if key in side else "not there" for side in (one, other))
            continue
        for side in ("claim", "control"):
            (a, tolerance_a), (b, tolerance_b) = one[key][side], other[key][side]
            if a != b:
                row = (where, f"{key}, observed for the {side}", escaped(a, 60), escaped(b, 60))
                yield None if _close(a, b, tolerance_a, tolerance_b) else row


def _close(a, b, *tolerances):
    """Whether two observations are of one shape, and no further apart than the sum of the tolerances."""
    try:
        a, b = np.asarray(a, float), np.asarray(b, float)
        # A tolerance may serve a whole row; an observation is never repeated, as NumPy would do.
        both = sum(np.broadcast_to(np.asarray(tolerance, float), a.shape) for tolerance in tolerances)
    except (ValueError, TypeError, OverflowError):  # words, rows of different lengths, other tolerances
        return False
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= both))
