"""``companion diff``: what is different between two runs or builds, verdicts first."""

import base64
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import numpy as np

from ndcg_companion.chapter.evidence import SHAPES
from ndcg_companion.chapter.records import METADATA_KEY, findings_of, numbers_of
from ndcg_companion.commands.options import some
from ndcg_companion.commands.templates import page
from ndcg_companion.press.ledger import ledger
from ndcg_companion.text import shown
from ndcg_companion.writing import check_page, write_page


def add_parser(commands):
    add = commands.add_parser("diff", help="what is different between two runs, or two builds")
    says = "a folder with executed chapters, or an executed notebook"
    add.add_argument("first", metavar="RUN_A", type=some("a folder or a notebook"), help=says)
    says = "the one to compare it with"
    add.add_argument("second", metavar="RUN_B", type=some("a folder or a notebook"), help=says)
    says = "the page to write (diff.html)"
    add.add_argument("--output", metavar="FILE", type=some("a file"), default="diff.html", help=says)
    add.set_defaults(command=call)
    return add


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
class Reading:
    """What an executed chapter shows: parameters, verdicts, checks, numbers in the prose, figures."""

    parameters: dict
    verdicts: dict
    checks: dict
    numbers: dict
    figures: dict


@dataclass(frozen=True)
class Difference:
    """What is different between two executions; false if nothing is.

    Attributes
    ----------
    parameters, verdicts, checks, numbers, figures : list of tuple
        Each (where, what, in the first, in the second); of figures, the two images. A check is a finding
        whose observations are further apart than its two tolerances together allow, or that one side has.
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
        lines = [
            f"{where}: {name} is {first} in one and {second} in the other"
            for where, name, first, second in self.parameters
        ]
        for heading, rows in (
            ("verdicts", self.verdicts),
            ("checks", self.checks),
            ("numbers", self.numbers),
        ):
            if rows:
                lines.append(f"{len(rows)} {heading} differ" + ("" if len(rows) > 1 else "s"))
                lines += [f"    {where}: {what}: {first} -> {second}" for where, what, first, second in rows]
        if self.figures:
            lines.append(
                "figures that differ: " + ", ".join(f"{where}/{name}" for where, name, *_ in self.figures)
            )
        if self.moved:
            lines.append(f"{self.moved} observations differ within their uncertainty")
        if not self:
            lines.append("nothing else differs" if lines else "nothing differs")
        return "\n".join(shown(line, most=1000) for line in lines)

    def as_html(self, first, second):
        """A page with the differences, figures side by side; ``first`` and ``second`` name the two sides."""
        tables = {
            "Parameters": self.parameters,
            "Verdicts": self.verdicts,
            "Checks": self.checks,
            "Numbers": self.numbers,
        }
        told = {"figures": self.figures, "moved": self.moved, "differs": bool(self)}
        return page("diff.html", sides=[first, second], tables=tables, **told)


def read_runs(path):
    """Chapter name to `Reading`, of an executed notebook, the folder of a run, or the folder of a build.

    Raises
    ------
    ValueError
        If there is no executed chapter.
    """
    path = Path(path)
    if path.is_file():
        paths = [path]
    else:
        paths = sorted(path.glob("executed/*.ipynb")) or sorted(path.glob("*.ipynb"))
    paths = [path for path in paths if path.is_file()]  # not a pipe, which would be waited for
    if not paths:
        wanted = "expected an executed notebook, or a folder with some (a run's, or _build/PROFILE)"
        raise ValueError(f"{shown(path)}: {wanted}")
    return {path.stem: _read(path) for path in paths}


def _read(path):
    try:
        notebook = nbformat.from_dict(json.loads(path.read_text(encoding="utf-8")))
        executed = notebook.metadata.get(METADATA_KEY)
        if executed is not None:
            return _reading(notebook, dict(executed["parameters"]))
    # A notebook from elsewhere may have anything anywhere.
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{shown(path)}: expected a notebook ({type(error).__name__}: {error})") from None
    wanted = "expected a notebook that 'companion run' or 'companion build' executed"
    raise ValueError(f"{shown(path)}: {wanted}")


def _reading(notebook, parameters):
    findings, seen, checks, figures = findings_of(notebook), Counter(), {}, {}
    for found in findings:  # by statement and number, since a statement may have several
        if found["verdict"] not in SHAPES:
            raise ValueError(f"no verdict: {found['verdict']}")
        seen[found["statement"]] += 1
        checks[f"{found['statement']}, check {seen[found['statement']]}"] = {
            side: (found[side]["observed"], found[side]["tolerance"]) for side in ("claim", "control")
        }
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if figure := output.get("metadata", {}).get(METADATA_KEY, {}).get("figure"):
                svg = "".join(output.data["image/svg+xml"]).encode()
                figures[str(figure["name"])] = Picture(base64.b64encode(svg).decode(), str(figure["alt"]))
    rows = [row for row in ledger(findings) if row.verdict]
    verdicts = {row.id: f"{SHAPES[row.verdict]} {row.verdict}" for row in rows}
    numbers = {name: str(text) for name, (text, _) in numbers_of(notebook).items()}
    return Reading(parameters, verdicts, checks, numbers, figures)


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
    found = {kind: [] for kind in ("parameters", "verdicts", "checks", "numbers", "figures")}
    moved = 0
    for name in common:
        sides = first[name], second[name]
        for kind, absent in (
            ("parameters", "its default"),
            ("verdicts", "no verdict"),
            ("numbers", "not there"),
            ("figures", None),
        ):
            found[kind] += _entries(name, *(getattr(side, kind) for side in sides), absent)
        changed, within = _checks(name, *(side.checks for side in sides))
        found["checks"] += changed
        moved += within
    return Difference(**found, moved=moved)


def _entries(where, one, other, absent):
    keys = dict.fromkeys([*one, *other])
    pairs = [(key, one.get(key, absent), other.get(key, absent)) for key in keys]
    return [(where, key, a, b) for key, a, b in pairs if a != b]


def _checks(where, one, other):
    """Checks that differ beyond their uncertainty or stand on one side, and how many differ within it."""
    rows, within = [], 0
    for key in dict.fromkeys([*one, *other]):
        if key not in one or key not in other:
            rows.append((where, key, *("there" if key in side else "not there" for side in (one, other))))
            continue
        for side in ("claim", "control"):
            (a, allowed_a), (b, allowed_b) = one[key][side], other[key][side]
            if a == b:
                continue
            if _close(a, b, allowed_a, allowed_b):
                within += 1
            else:
                rows.append((where, f"{key}, observed for the {side}", shown(a, 60), shown(b, 60)))
    return rows, within


def _close(*values):
    try:
        a, b, allowed_a, allowed_b = (np.asarray(value, float) for value in values)
        return bool(np.all(np.abs(a - b) <= allowed_a + allowed_b))
    except (ValueError, TypeError, OverflowError):  # words, or arrays of different shapes
        return False
