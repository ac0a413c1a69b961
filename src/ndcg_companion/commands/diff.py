"""What is different between two runs of a chapter, or between two builds: verdicts first, then numbers, then figures."""

import base64
from collections import Counter
from dataclasses import dataclass
from html import escape
from pathlib import Path

import nbformat
import numpy as np

from ndcg_companion.chapter.evidence import SHAPES
from ndcg_companion.chapter.records import METADATA_KEY, findings_of, numbers_of
from ndcg_companion.press.ledger import ledger


@dataclass(frozen=True)
class Reading:
    """What an executed chapter shows: parameters, verdicts and checks, numbers in the prose, figures."""

    title: str
    parameters: dict
    findings: list
    numbers: dict
    figures: dict


@dataclass(frozen=True)
class Difference:
    """What is different between two executions; false if nothing is.

    Attributes
    ----------
    parameters, verdicts, checks, numbers, figures : list of tuple
        Each (where, what, in the first, in the second); of figures, the two images. A check is a finding whose
        observations are further apart than its two tolerances together allow, or that only one side has.
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
        return "\n".join(lines if self else [*lines, "nothing else differs" if lines else "nothing differs"])

    def as_html(self, first, second):
        """A page of its own with the differences, figures side by side; ``first`` and ``second`` name the two sides."""
        sides = f"<th scope='col'>{escape(str(first))}</th><th scope='col'>{escape(str(second))}</th>"
        parts = [
            f"<h1>Differences</h1><p>Between <b>{escape(str(first))}</b> and <b>{escape(str(second))}</b>.</p>"
        ]
        tables = {
            "Parameters": self.parameters,
            "Verdicts": self.verdicts,
            "Checks": self.checks,
            "Numbers": self.numbers,
        }
        for heading, rows in tables.items():
            if rows:
                cells = "".join(
                    f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows
                )
                head = f"<tr><th scope='col'>chapter</th><th scope='col'>what</th>{sides}</tr>"
                region = f"<div class='scroll' tabindex='0' role='region' aria-label='{heading}'>"
                parts.append(
                    f"<h2>{heading}</h2>{region}<table><thead>{head}</thead><tbody>{cells}</tbody></table></div>"
                )
        if self.figures:
            parts.append("<h2>Figures</h2>")
            for where, name, one, other in self.figures:
                pictures = _picture(one, first) + _picture(other, second)
                parts.append(f"<h3>{escape(where)}: {escape(name)}</h3><div class='pair'>{pictures}</div>")
        if not self:
            parts.append("<p>No verdict, no number beyond its uncertainty and no figure differs.</p>")
        if self.moved:
            parts.append(f"<p>{self.moved} observations differ within their uncertainty.</p>")
        return _PAGE.replace("BODY", "\n".join(parts))


def _picture(figure, side):
    if figure is None:
        return "<figure><p>not there</p></figure>"
    data = base64.b64encode(figure["svg"].encode()).decode()
    image = f"<img src='data:image/svg+xml;base64,{data}' alt='{escape(figure['alt'], quote=True)}'>"
    return f"<figure>{image}<figcaption>{escape(str(side))}</figcaption></figure>"


_PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Differences</title><link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; --ink: #1a1a1a; --page: #fff; --line: #c9c9c9; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --page: #161616; --line: #555; } }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; }
figure { margin: 0; } img { width: 100%; background: #fff; }
</style>
<body><main>BODY</main></body></html>
"""


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
    if not paths:
        raise ValueError(
            f"{path}: expected an executed notebook, or a folder with some (a run's, or _build/PROFILE)"
        )
    return {path.stem: _read(path) for path in paths}


def _read(path):
    try:
        notebook = nbformat.read(path, as_version=4)
    except (
        ValueError,
        KeyError,
        AttributeError,
        nbformat.ValidationError,
    ) as error:  # for files that are no notebooks
        raise ValueError(f"{path}: expected a notebook ({str(error).splitlines()[0]})") from None
    executed = notebook.metadata.get(METADATA_KEY)
    if executed is None:
        raise ValueError(f"{path}: expected a notebook that 'companion run' or 'companion build' executed")
    figures = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if figure := output.get("metadata", {}).get(METADATA_KEY, {}).get("figure"):
                figures[figure["name"]] = {"svg": "".join(output.data["image/svg+xml"]), "alt": figure["alt"]}
    title = notebook.cells[0].source.partition("\n")[0].removeprefix("# ")
    return Reading(title, executed["parameters"], findings_of(notebook), numbers_of(notebook), figures)


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
    found = Difference([], [], [], [], [], 0)
    moved = 0
    for name in common:
        one, other = first[name], second[name]
        found.parameters.extend(_entries(name, one.parameters, other.parameters, "its default"))
        verdicts = [
            {row.id: f"{SHAPES[row.verdict]} {row.verdict}" for row in ledger(side.findings) if row.verdict}
            for side in (one, other)
        ]
        found.verdicts.extend(_entries(name, *verdicts, "no verdict"))
        numbers = [{key: text for key, (text, _) in side.numbers.items()} for side in (one, other)]
        found.numbers.extend(_entries(name, *numbers, "not there"))
        changed, within = _checks(name, _numbered(one.findings), _numbered(other.findings))
        found.checks.extend(changed)
        moved += within
        keys = dict.fromkeys([*one.figures, *other.figures])
        pairs = [(key, one.figures.get(key), other.figures.get(key)) for key in keys]
        found.figures.extend(
            (name, key, a, b) for key, a, b in pairs if a is None or b is None or a["svg"] != b["svg"]
        )
    return Difference(found.parameters, found.verdicts, found.checks, found.numbers, found.figures, moved)


def _entries(where, one, other, absent):
    keys = dict.fromkeys([*one, *other])
    pairs = [(key, one.get(key, absent), other.get(key, absent)) for key in keys]
    return [(where, key, a, b) for key, a, b in pairs if a != b]


def _numbered(findings):
    """The findings by statement and number, since a statement may have several."""
    seen, numbered = Counter(), {}
    for found in findings:
        seen[found["statement"]] += 1
        numbered[f"{found['statement']}, check {seen[found['statement']]}"] = found
    return numbered


def _checks(where, one, other):
    """Checks that differ beyond their uncertainty or on one side only, and how many observations differ within it."""
    rows, within = [], 0
    for key in dict.fromkeys([*one, *other]):
        if key not in one or key not in other:
            rows.append((where, key, *("there" if key in side else "not there" for side in (one, other))))
            continue
        for side in ("claim", "control"):
            a, b = one[key][side], other[key][side]
            if a["observed"] == b["observed"]:
                continue
            if _close(a, b):
                within += 1
            else:
                rows.append((where, f"{key}, observed for the {side}", _told(a), _told(b)))
    return rows, within


def _close(a, b):
    try:
        values = [np.asarray(side[key], float) for side in (a, b) for key in ("observed", "tolerance")]
        return bool(np.all(np.abs(values[0] - values[2]) <= values[1] + values[3]))
    except ValueError:  # words, or arrays of different shapes
        return False


def _told(case):
    text = str(case["observed"])
    return text if len(text) <= 60 else f"{text[:57]}..."
