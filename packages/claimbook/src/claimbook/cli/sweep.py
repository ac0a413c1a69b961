"""``sweep``: run one chapter over a grid of parameters, here or on a Dask cluster.

If a run is too small to settle a statement, it is listed as 'undecided'. This is not a failure. The exit code
is 1 if a run fails, or if a verdict is neither the expected one nor undecided.

Each run of the grid has a folder named after its parameters, with the executed notebook and its findings. The
notebook appears in this folder only when it is complete. It counts as finished only while it matches the
present sources. Nothing else is stored, so after any interruption the same call continues the sweep.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from math import ceil, isfinite, isnan, nan, prod
from pathlib import Path
from statistics import median

from claimbook.cli.options import CORES, JOBS, address, chapter_with, find_project
from claimbook.evidence import SHAPES
from claimbook.output_metadata import findings_of, numbers_of
from claimbook.parameters import check_values, read_assignments
from claimbook.reports.ledger import numbered, opposed_statements, verdicts, write_findings
from claimbook.templates import filled, shaped
from claimbook.text import escaped, table
from claimbook.writing import check_folder, folder_name, output_folder, remove_half_markers, write_whole

OPTIONS = chapter_with("values separated by commas; 1..20 is a range") | {
    "--output": {"metavar": "DIR", "help": "the output folder (sweeps/CHAPTER)"},
    "--jobs": JOBS | {"help": "runs executed at a time (one for each core)"},
    "--dask": {
        "type": address,
        "metavar": "ADDRESS",
        "help": "the address of a Dask scheduler whose workers execute the runs",
    },
}
MOST_RUNS = 100_000
_KIND_OF_RUN = "run of a sweep"  # of the output folder of a run
_CONTEXT = 60  # characters on either side of a number that describe it
# The words around a number. A match begins and ends with complete words.
_WORDS_AROUND = re.compile(rf"(?:(?<!\S).{{0,{_CONTEXT}}}\s)?\S*▢\S*(?:\s.{{0,{_CONTEXT}}}(?!\S))?")
_GLUED_NUMBER = re.compile(r"\{glue:text\}`([^`:]*)[^`]*`")
_RANGE = re.compile(r"([-+]?\d{1,15})\.\.([-+]?\d{1,15})", re.ASCII)


def call(options):
    """Run the grid, print the unexpected verdicts, and return the exit code."""
    if options.jobs and options.dask:
        raise ValueError("--dask: expected no --jobs beside it")
    project = find_project()
    chapter = project.chapter(options.chapter)
    axes = read_grid(options.parameters, chapter)
    sweep = plan(project, chapter, axes, options.profile, options.output)
    runs, failures = carry_out(sweep, project, options.profile, options.jobs or CORES, options.dask)
    if failures:
        message = f"{len(failures)} of {len(sweep.jobs)} runs failed; repeat the same call to try them again"
        print(message, file=sys.stderr)
    for statement, (expected, runs_by_verdict) in changed_verdicts(runs).items():
        counts = [f"{shaped(verdict)} in {len(run_names)}" for verdict, run_names in runs_by_verdict.items()]
        print(f"{statement}: expected {expected}; {', '.join(counts)} of {len(runs)} runs")
    file_list = f"{sweep.folder}: index.html, findings.csv, numbers.csv"
    print(f"{len(runs)} of {len(sweep.jobs)} runs are finished: {file_list}")
    return 1 if failures or any(opposed_statements(run.findings) for run in runs) else 0


@dataclass(frozen=True)
class Sweep:
    """The runs of one chapter over a grid.

    Attributes
    ----------
    chapter : Chapter
        The chapter.
    folder : Path
        The folder with the folders of the runs.
    axes : dict
        The values of each varied parameter, by its name.
    jobs : list of Job
        One job for each run.
    """

    chapter: object
    folder: Path
    axes: dict
    jobs: list


@dataclass(frozen=True)
class Run:
    """A finished run, with its name, all parameters, findings, numbers and seconds."""

    name: str
    parameters: dict
    findings: list
    numbers: dict
    seconds: float

    def key_cells(self, names):
        """Return the first cells of a row: the run's name and the given parameters' values."""
        return [self.name, *(self.parameters[name] for name in names)]

    def quantities(self):
        """Return all scalar numbers and observations of the run, by name."""
        values = {name: value for name, (_, value) in self.numbers.items() if value is not None}
        for number, finding in numbered(self.findings):
            for side in ("claim", "control"):
                if isinstance(value := finding[side]["observed"], int | float) and isfinite(value):
                    values[f"{finding['statement']}, check {number}: observed for the {side}"] = float(value)
        return values | {"seconds": self.seconds}


def read_grid(assignments, chapter):
    """Return the axes of a grid: a list of values for each varied parameter.

    Parameters
    ----------
    assignments : list of str
        Words such as ``beta=0.1,0.3`` and ``seed=1..20``.
    chapter : Chapter
        The chapter that declares the parameters.

    Raises
    ------
    ValueError
        If a word has no values, if a parameter or a value is repeated, or if the chapter does not allow a
        value.
    """
    axes = {}
    for name, text in read_assignments(assignments).items():
        texts = [value_text for part in text.split(",") for value_text in _values(name, part.strip())]
        values = [check_values(chapter.parameters, {name: value_text})[name] for value_text in texts]
        if repeated_values := [value for value, count in Counter(values).items() if count > 1]:
            raise ValueError(f"{name}: expected different values, got {escaped(repeated_values[0])} twice")
        axes[name] = values
    if not axes:
        raise ValueError(f"expected name=value,value ... with parameters of {chapter.name}, got none")
    if (run_count := prod(map(len, axes.values()))) > MOST_RUNS:
        raise ValueError(f"expected at most {MOST_RUNS:,} combinations, got {run_count:,}")
    return axes


def _values(name, part):
    """Return the values that a part between commas stands for, as texts.

    The part is a single value, or a range ``first..last`` of whole numbers.
    """
    if not part:
        raise ValueError(f"{name}: expected a value before and after each comma")
    if not (first_and_last := _RANGE.fullmatch(part)):
        return [part]
    first, last = map(int, first_and_last.groups())
    if not 0 <= last - first < MOST_RUNS:
        expectation = f"expected first..last with first <= last and at most {MOST_RUNS:,} values"
        raise ValueError(f"{name}={escaped(part)}: {expectation}")
    return [str(value) for value in range(first, last + 1)]


def plan(project, chapter, axes, profile="book", output=None):
    """Return the sweep of ``chapter`` over ``axes``.

    ``profile`` sets the other parameters.
    """
    from claimbook.execute.notebooks import Job, bases  # here, because --help works without these packages

    sweep_folder = project.root / "sweeps" / chapter.name if output is None else output
    project.check_output(sweep_folder)
    folder = check_folder(sweep_folder, "sweep")
    profile_values = project.overrides(profile).get(chapter.name, {})
    (digest_of_basis,) = bases([chapter])
    jobs = []
    for values in product(*axes.values()):
        varied = dict(zip(axes, values, strict=True))
        name = folder_name(varied)
        check_folder(folder / name, _KIND_OF_RUN)
        notebook = folder / name / f"{chapter.name}.ipynb"
        jobs.append(Job(chapter, profile_values | varied, notebook, name, digest_of_basis, project.limits))
    return Sweep(chapter, folder, axes, jobs)


def seconds_of_a_run(sweep, project, profile):
    """Return the estimated duration of a run in seconds, or NaN.

    The estimate is the median of the finished runs or, if there are none, the time in the last build.
    """
    from claimbook.execute.notebooks import read_metadata

    built_notebook = project.root / "_build" / profile / "executed" / f"{sweep.chapter.name}.ipynb"
    notebooks = [job.output for job in sweep.jobs if job.output.exists()] or [built_notebook]
    seconds = [metadata["seconds"] for metadata in map(read_metadata, notebooks) if metadata]
    return median(seconds) if seconds else nan


def carry_out(sweep, project, profile="book", workers=2, scheduler=None):
    """Execute the unfinished runs and write the results of all finished ones.

    Parameters
    ----------
    sweep : Sweep
        The sweep.
    project : Project
        The book.
    profile : str
        The set of values for the other parameters.
    workers : int
        The number of runs that execute at the same time on this machine.
    scheduler : str, optional
        The address of a Dask scheduler. Its workers then execute the runs.

    Returns
    -------
    runs : list of Run
        The finished runs.
    failures : list of str
        The messages about the runs that failed.

    Notes
    -----
    ``findings.csv``, ``numbers.csv`` and ``index.html`` in the sweep's folder describe the finished runs of
    this grid. These files are written even after an interruption. They are not written if the scheduler fails
    to answer.
    """

    def write_run(path, text):
        """Write the text of an executed notebook, and its findings beside it."""
        with output_folder(path.parent, _KIND_OF_RUN) as staged_run:
            write_whole(staged_run / path.name, text)
            write_findings(staged_run / "findings.json", profile, findings_of(json.loads(text)))

    interruption = None
    with output_folder(sweep.folder, "sweep") as staged_output:
        pending_jobs = [job for job in sweep.jobs if not job.is_up_to_date()]
        for job in sweep.jobs:
            remove_half_markers(job.output.parent)
        print(_estimate(sweep, pending_jobs, seconds_of_a_run(sweep, project, profile), workers, scheduler))
        try:
            failures = _execute(pending_jobs, workers, scheduler, write_run)
        except (KeyboardInterrupt, OSError) as error:
            failures, interruption = [], error
        for failure in failures:  # printed first, because writing the tables may fail
            print(failure, file=sys.stderr)
        runs = [_read_run(sweep, job) for job in sweep.jobs if job.is_up_to_date()]
        names = [parameter.name for parameter in sweep.chapter.parameters]
        write_whole(staged_output / "findings.csv", _findings_csv(names, runs))
        write_whole(staged_output / "numbers.csv", _numbers_csv(names, runs))
        write_whole(staged_output / "index.html", _page(sweep, runs))
    if interruption:
        raise interruption
    return runs, failures


def _execute(pending_jobs, workers, scheduler, write_run):
    """Execute the pending jobs, here or on a Dask cluster; return messages about failures."""
    from claimbook.execute.cluster import execute_on_cluster
    from claimbook.execute.notebooks import execute

    if not pending_jobs:
        return []
    if scheduler:
        return execute_on_cluster(pending_jobs, scheduler, write_run)
    return execute(pending_jobs, workers, write_run)


def _read_run(sweep, job):
    """Return the run of a finished ``job``."""
    import nbformat

    from claimbook.execute.notebooks import read_metadata

    notebook = nbformat.read(job.output, as_version=4)
    defaults = {parameter.name: parameter.default for parameter in sweep.chapter.parameters}
    seconds = read_metadata(job.output)["seconds"]
    return Run(job.name, defaults | job.parameters, findings_of(notebook), numbers_of(notebook), seconds)


def _estimate(sweep, pending_jobs, seconds, workers, scheduler):
    """Return a line with the number of pending runs and the estimated time."""
    runs, finished = len(sweep.jobs), len(sweep.jobs) - len(pending_jobs)
    title = f"{runs} {'run' if runs == 1 else 'runs'} of {sweep.chapter.name}"
    message = f"{title}: {finished} finished before, {len(pending_jobs)} to execute"
    if not pending_jobs:
        return message
    if isnan(seconds):
        return f"{message}; the time of one run is not known yet"
    # The number of a scheduler's workers is not known here, so the total is the time that a single worker
    # would take.
    runs_at_a_time = 1 if scheduler else min(workers, len(pending_jobs))
    time_of_run = timedelta(seconds=ceil(seconds))
    total_time = timedelta(seconds=ceil(seconds * len(pending_jobs) / runs_at_a_time))
    division = f"shared by the workers of {scheduler}" if scheduler else f"{runs_at_a_time} at a time"
    return f"{message}, about {time_of_run} each and {total_time} in all, {division}"


def _findings_csv(names, runs):
    """Return the findings of all runs as CSV, with claim and control in one row.

    ``names`` are those of the parameters, which have a column each.
    """
    fields = ("predicted", "observed", "tolerance")
    heading = ["run", *names, "statement", "check", "expected", "verdict", "rule", "claim", *fields]
    heading += ["control", *(f"control_{field}" for field in fields), "seconds"]
    rows = [
        [
            *run.key_cells(names),
            finding["statement"],
            number,
            *(finding[key] for key in ("expected", "verdict", "rule")),
            *(finding[side][key] for side in ("claim", "control") for key in ("says", *fields)),
            finding["seconds"],
        ]
        for run in runs
        for number, finding in numbered(run.findings)
    ]
    return table(heading, rows)


def _numbers_csv(names, runs):
    """Return the numbers of all runs as CSV; the parameters ``names`` have a column each."""
    rows = [
        [*run.key_cells(names), name, value, text]
        for run in runs
        for name, (text, value) in run.numbers.items()
    ]
    return table(["run", *names, "number", "value", "shown"], rows)


def changed_verdicts(runs):
    """Return the statements with an unexpected verdict in at least one run.

    Each id maps to a pair: the expected verdict, and a dictionary from each verdict to the names of its runs.
    """
    expected_verdicts, run_names = {}, defaultdict(lambda: defaultdict(list))
    for run in runs:
        for finding in run.findings:
            expected_verdicts[finding["statement"]] = finding["expected"]  # the same in all runs
        for statement, verdict in verdicts(run.findings).items():
            run_names[statement][verdict].append(run.name)
    return {
        statement: (expected_verdicts[statement], names_by_verdict)
        for statement, names_by_verdict in run_names.items()
        if {*names_by_verdict} != {expected_verdicts[statement]}
    }


def in_words(prose):
    """Return the words around each number in a chapter's prose, by the number's name.

    >>> in_words("It has **{glue:text}`n` items**, {glue:text}`m` of [them](x.md) new. Or so.")
    {'n': 'It has ▢ items, … of them new.', 'm': 'It has … items, ▢ of them new.'}
    """
    words_around = {}
    for sentence in re.split(r"(?<=[.:!?])\s+|\n\s*\n|\n\|", prose):  # or paragraph, or row of a table
        # Without links, roles, bold type and the bars of tables.
        plain_text = re.sub(r"\[([^\]]*)\]\([^)]*\)|\{(?!glue)[\w:]+\}`[^`]*`|[*|]+", r"\1", sentence)
        for glued_number in _GLUED_NUMBER.finditer(plain_text):
            text_before, text_after = plain_text[: glued_number.start()], plain_text[glued_number.end() :]
            marked_text = f"{_GLUED_NUMBER.sub('…', text_before)}▢{_GLUED_NUMBER.sub('…', text_after)}"
            words = _WORDS_AROUND.search(" ".join(marked_text.split()))[0]
            words_around.setdefault(glued_number[1], words)
    return words_around


def _page(sweep, runs):
    """Return a self-contained page that plots any quantity against any parameter."""
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
