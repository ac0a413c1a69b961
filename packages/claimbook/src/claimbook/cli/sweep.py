"""``sweep``: run one chapter over a grid of parameters, here or on a Dask cluster.

A run that is too small to decide is listed as 'undecided', and is no failure: the exit code is 1 if a run
fails, or if a verdict is neither the expected one nor undecided.

A run of the grid is a folder named by its parameters, which holds the executed notebook and its findings. The
notebook appears only when it is whole, and counts as finished only while it is made from exactly what is
there now; nothing else is remembered, and the same call carries on after any interruption.
"""

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from math import ceil, isfinite, isnan, nan, prod
from pathlib import Path
from statistics import median

from claimbook.cli.options import CORES, DASK, FOLDER, JOBS, chapter_with, find_project
from claimbook.evidence import SHAPES
from claimbook.output_metadata import findings_of, numbers_of
from claimbook.parameters import check_values, read_assignments
from claimbook.reports.ledger import numbered, opposed, verdicts, write_findings
from claimbook.templates import filled, shaped
from claimbook.text import escaped, table
from claimbook.writing import check_folder, folder_name, output_folder, remove_half_markers, write_whole

OPTIONS = chapter_with("values separated by commas; 1..20 is a range") | {
    "--output": FOLDER | {"help": "where to write (sweeps/CHAPTER)"},
    "--jobs": JOBS | {"help": "runs at a time (as many as there are cores)"},
    "--dask": DASK | {"help": "of a Dask scheduler whose workers execute the runs"},
}
MOST_RUNS = 100_000
_RUN = "run of a sweep"
_WORDS = 60  # characters on either side of a number that say what it is
_AROUND = re.compile(rf"(?:(?<!\S).{{0,{_WORDS}}}\s)?\S*▢\S*(?:\s.{{0,{_WORDS}}}(?!\S))?")  # whole words
_GLUED = re.compile(r"\{glue:text\}`([^`:]*)[^`]*`")
_RANGE = re.compile(r"([-+]?\d{1,15})\.\.([-+]?\d{1,15})", re.ASCII)


def call(options):
    if options.jobs and options.dask:
        raise ValueError("argument --dask: not allowed with argument --jobs")
    project = find_project()
    chapter = project.chapter(options.chapter)
    axes = read_grid(options.parameters, chapter)
    sweep = plan(project, chapter, axes, options.profile, options.output)
    runs, failures = carry_out(sweep, project, options.profile, options.jobs or CORES, options.dask)
    if failures:
        message = f"{len(failures)} of {len(sweep.jobs)} runs failed; the same call tries them again"
        print(message, file=sys.stderr)
    differing = changed_verdicts(runs)
    for statement, (expected, counted) in differing.items():
        counts = [f"{shaped(verdict)} in {len(names)}" for verdict, names in counted.items()]
        print(f"{statement}: expected {expected}; {', '.join(counts)} of {len(runs)} runs")
    written = f"{sweep.folder}: index.html, findings.csv, numbers.csv"
    print(f"{len(runs)} of {len(sweep.jobs)} runs are finished: {written}")
    return 1 if failures or any(opposed(run.findings) for run in runs) else 0


@dataclass(frozen=True)
class Sweep:
    """The runs of one chapter over a grid.

    Attributes
    ----------
    chapter : Chapter
    folder : Path
        Where the runs' folders are.
    axes : dict
        Parameter name to the list of its values, for the parameters that were given.
    jobs : list of Job
    """

    chapter: object
    folder: Path
    axes: dict
    jobs: list


@dataclass(frozen=True)
class Run:
    """A finished run: its name, all its parameters, findings, numbers and the seconds it took."""

    name: str
    parameters: dict
    findings: list
    numbers: dict
    seconds: float

    def given(self, names):
        """The first cells of a row: the run, and its values of these parameters."""
        return [self.name, *(self.parameters[name] for name in names)]

    def quantities(self):
        """All single numbers that it found, by name."""
        values = {name: value for name, (_, value) in self.numbers.items() if value is not None}
        for number, finding in numbered(self.findings):
            for side in ("claim", "control"):
                if isinstance(value := finding[side]["observed"], int | float) and isfinite(value):
                    values[f"{finding['statement']}, check {number}: observed for the {side}"] = float(value)
        return values | {"seconds": self.seconds}


def read_grid(assignments, chapter):
    """The axes of a grid, name to list of values, from words such as ``beta=0.1,0.3`` and ``seed=1..20``.

    Raises
    ------
    ValueError
        For a word without values, a parameter or a value given twice, and what the chapter does not allow.
    """
    axes = {}
    for name, text in read_assignments(assignments).items():
        values = [value for part in text.split(",") for value in _values(name, part.strip())]
        values = [check_values(chapter.parameters, {name: value})[name] for value in values]
        if repeated := [value for value, times in Counter(values).items() if times > 1]:
            raise ValueError(f"{name}: {escaped(repeated[0])} given twice")
        axes[name] = values
    if not axes:
        raise ValueError(f"nothing to sweep: expected name=value,value ... with parameters of {chapter.name}")
    if (runs := prod(map(len, axes.values()))) > MOST_RUNS:
        raise ValueError(f"{runs:,} combinations: expected at most {MOST_RUNS:,}")
    return axes


def _values(name, part):
    """The values that a part between commas stands for: itself, or the whole numbers of ``first..last``."""
    if not part:
        raise ValueError(f"{name}: expected a value before and after each comma")
    if not (limits := _RANGE.fullmatch(part)):
        return [part]
    first, last = map(int, limits.groups())
    if not 0 <= last - first < MOST_RUNS:
        wanted = f"expected first..last with first <= last and at most {MOST_RUNS:,} values"
        raise ValueError(f"{name}={escaped(part)}: {wanted}")
    return [str(value) for value in range(first, last + 1)]


def plan(project, chapter, axes, profile="book", output=None):
    """The sweep of ``chapter`` over ``axes``, with the other parameters as ``profile`` has them."""
    from claimbook.execute.notebooks import Job, bases  # here, as help is there without the book

    wanted = project.root / "sweeps" / chapter.name if output is None else output
    project.check_output(wanted)
    folder = check_folder(wanted, "sweep")
    defaults, basis, jobs = project.overrides(profile).get(chapter.name, {}), bases([chapter])[0], []
    for values in product(*axes.values()):
        given = dict(zip(axes, values, strict=True))
        name = folder_name(given)
        check_folder(folder / name, _RUN)
        output = folder / name / f"{chapter.name}.ipynb"
        jobs.append(Job(chapter, defaults | given, output, name, basis, project.limits))
    return Sweep(chapter, folder, axes, jobs)


def seconds_of_a_run(sweep, project, profile):
    """Seconds a run is likely to take: the median of those here, else what the last build took, or NaN."""
    from claimbook.execute.notebooks import read_metadata

    built = project.root / "_build" / profile / "executed" / f"{sweep.chapter.name}.ipynb"
    finished = [job.output for job in sweep.jobs if job.output.exists()] or [built]
    return median([noted["seconds"] for noted in map(read_metadata, finished) if noted] or [nan])


def carry_out(sweep, project, profile="book", workers=2, scheduler=None):
    """Execute what is not finished, then write what all finished runs found; returns them and the failures.

    Parameters
    ----------
    sweep : Sweep
    project : Project
    profile : str
    workers : int
        Runs at a time on this machine.
    scheduler : str, optional
        Address of a Dask scheduler, on whose workers the runs are executed instead.

    Notes
    -----
    ``findings.csv``, ``numbers.csv`` and ``index.html`` in the sweep's folder tell of the runs of this grid.
    They are written after an interruption too, of what is finished then; not if no scheduler answers.
    """

    def keep(path, text):
        with output_folder(path.parent, _RUN) as scratch:
            write_whole(scratch / path.name, text)
            write_findings(scratch / "findings.json", profile, findings_of(json.loads(text)))

    interruption = None
    with output_folder(sweep.folder, "sweep") as scratch:
        due = [job for job in sweep.jobs if not job.is_up_to_date()]
        for job in sweep.jobs:
            remove_half_markers(job.output.parent)
        print(_estimate(sweep, due, seconds_of_a_run(sweep, project, profile), workers, scheduler))
        try:
            failures = _execute(due, workers, scheduler, keep)
        except (KeyboardInterrupt, OSError) as error:
            failures, interruption = [], error
        for failure in failures:  # before anything else can go wrong
            print(failure, file=sys.stderr)
        runs = [_read_run(sweep, job) for job in sweep.jobs if job.is_up_to_date()]
        names = [parameter.name for parameter in sweep.chapter.parameters]
        write_whole(scratch / "findings.csv", _findings_csv(names, runs))
        write_whole(scratch / "numbers.csv", _numbers_csv(names, runs))
        write_whole(scratch / "index.html", _page(sweep, runs))
    if interruption:
        raise interruption
    return runs, failures


def _execute(due, workers, scheduler, keep):
    """Execute the jobs that are due, here or on a Dask cluster; returns the list of failures."""
    from claimbook.execute.cluster import execute_on_cluster
    from claimbook.execute.notebooks import execute

    if not due:
        return []
    return execute_on_cluster(due, scheduler, keep) if scheduler else execute(due, workers, keep)


def _read_run(sweep, job):
    """The run of a finished ``job``."""
    import nbformat

    from claimbook.execute.notebooks import read_metadata

    notebook = nbformat.read(job.output, as_version=4)
    parameters = {one.name: one.default for one in sweep.chapter.parameters} | job.parameters
    seconds = read_metadata(job.output)["seconds"]
    return Run(job.name, parameters, findings_of(notebook), numbers_of(notebook), seconds)


def _estimate(sweep, due, seconds, workers, scheduler):
    """How many runs are due and how long they are likely to take, in one line."""
    runs, done = len(sweep.jobs), len(sweep.jobs) - len(due)
    counted = f"{runs} run{'s' * (runs != 1)} of {sweep.chapter.name}"
    message = f"{counted}: {done} finished before, {len(due)} to execute"
    if not due or isnan(seconds):
        return message + "; how long one takes is not known yet" * bool(due)
    # How many workers a scheduler has is not known here: they share the time that one would take.
    at_a_time = 1 if scheduler else min(workers, len(due))
    each, total = (timedelta(seconds=ceil(time)) for time in (seconds, seconds * len(due) / at_a_time))
    where = f"shared by the workers of {scheduler}" if scheduler else f"{at_a_time} at a time"
    return f"{message}, about {each} each and {total} in all, {where}"


def _findings_csv(names, runs):
    """The findings of all runs as comma-separated values: a row for each, claim and control beside it."""
    case = ("predicted", "observed", "tolerance")
    heading = ["run", *names, "statement", "check", "expected", "verdict", "rule", "claim", *case]
    heading += ["control", *(f"control_{name}" for name in case), "seconds"]
    rows = [
        [
            *[*run.given(names), finding["statement"], number],
            *(finding[key] for key in ("expected", "verdict", "rule")),
            *(finding[side][key] for side in ("claim", "control") for key in ("says", *case)),
            finding["seconds"],
        ]
        for run in runs
        for number, finding in numbered(run.findings)
    ]
    return table(heading, rows)


def _numbers_csv(names, runs):
    rows = [
        [*run.given(names), name, value, text] for run in runs for name, (text, value) in run.numbers.items()
    ]
    return table(["run", *names, "number", "value", "shown"], rows)


def changed_verdicts(runs):
    """Statements whose verdict is not the expected one in all runs: id to (expected, {verdict: runs})."""
    counted = {}
    for run in runs:
        expected = {finding["statement"]: finding["expected"] for finding in run.findings}
        for statement, verdict in verdicts(run.findings).items():
            names = counted.setdefault(statement, (expected[statement], {}))[1]
            names.setdefault(verdict, []).append(run.name)
    return {name: entry for name, entry in counted.items() if set(entry[1]) != {entry[0]}}


def in_words(prose):
    """The words around each number in the prose of a chapter, by the number's name.

    >>> in_words("It has **{glue:text}`n` items**, {glue:text}`m` of [them](x.md) new. Or so.")
    {'n': 'It has ▢ items, … of them new.', 'm': 'It has … items, ▢ of them new.'}
    """
    found = {}
    for sentence in re.split(r"(?<=[.:!?])\s+|\n\s*\n|\n\|", prose):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|\{(?!glue)[\w:]+\}`[^`]*`|[*|]+", r"\1", sentence)
        for shown_number in _GLUED.finditer(plain):
            before, after = plain[: shown_number.start()], plain[shown_number.end() :]
            words = " ".join(f"{_GLUED.sub('…', before)}▢{_GLUED.sub('…', after)}".split())
            found.setdefault(shown_number[1], _AROUND.search(words)[0])
    return found


def _page(sweep, runs):
    """A page of its own, without network, that plots any quantity against any parameter."""
    data = {
        "chapter": sweep.chapter.name,
        "title": sweep.chapter.title,
        "notebook": sweep.jobs[0].output.name,
        "words": in_words(sweep.chapter.prose) | {"seconds": "how long the run took"},
        "runs": [
            {
                "run": run.name,
                "parameters": {name: run.parameters[name] for name in sweep.axes},
                "quantities": run.quantities(),
            }
            for run in runs
        ],
    }
    return filled(
        "cli/sweep.html",
        data=data,
        asked=len(sweep.jobs),
        changed=changed_verdicts(runs),
        shapes=SHAPES,
    )
