"""``compare``: compare rankings, with significance tests and gates."""

import json
import os
from glob import glob, has_magic
from math import isfinite

from ndcg_companion.checks import check_length, fail_if
from ndcg_companion.exits import complain
from ndcg_companion.text import escaped
from ranking_report.answer import as_text
from ranking_report.cluster import parallel_map
from ranking_report.comparing import compare, compare_scores, number_of_pairs
from ranking_report.folders import check_folder
from ranking_report.gating import read_gate
from ranking_report.inputs import gather
from ranking_report.measure_names import parse_measures
from ranking_report.readers.files import number
from ranking_report.slices import check_groups, read_groups

# The most comparisons without a warning; a core tests about 7,000 per second.
_MOST_WITHOUT_WARNING = 100_000


def call(options):
    """Compare the systems, print and write the results, and return the exit code."""
    _check_together(options)
    if options.output is not None:
        check_folder(options.output, "report")
    # Checked first, so that a wrong address is rejected before any file is read.
    with parallel_map(options.dask):
        groups = None if options.by is None else read_groups(options.by)
    comparison = _compare_scores(options) if options.scores else _compare_rankings(options, groups)
    results = [comparison.gate(text, options.strict) for text in options.fail_if]
    code = 0 if all(results) else 1
    if options.sequential:
        results.append(comparison.sequential())
    if groups is not None:
        results.append(comparison.by(groups))
    _show(comparison, results, options)
    return code


def _show(comparison, results, options):
    """Write the report and print the requested output."""
    file_names = []
    if options.output:
        # Imported here, because it loads templates, which the answer does not need.
        from ranking_report.page import save

        file_names = save(comparison, options.output, results, options.line)
    if options.markdown:
        from ranking_report.summaries import as_markdown

        print(as_markdown(comparison, results))
    elif options.json:
        from ranking_report.page import as_record

        print(json.dumps(as_record(comparison, results, options.line), indent=1, allow_nan=False))
    else:
        print(as_text(comparison, results))
        if options.verbose:
            print()
            for name, columns in comparison.rankings.inputs:
                print(f"Read {escaped(name, 300)} as {escaped(columns, 300)}.")
        if file_names:
            print(f"\nwritten to {escaped(options.output)}: {', '.join(file_names)}")
            print("The page also has a methods section and references for a paper.")


def _compare_scores(options):
    """Return a comparison of query scores that another program computed."""
    return compare_scores(
        options.scores,
        missing=options.missing,
        baseline=options.baseline or None,
        primary=options.primary,
        seed=options.seed,
    )


def _compare_rankings(options, groups):
    """Return a comparison of runs.

    Wrong options and too many comparisons are rejected before anything is scored.
    """
    measures, gain = parse_measures(options.measure or ["nDCG@10"]), _read_gain(options.gain)
    for text in options.fail_if:
        read_gate(text, measures)
    rankings = gather(
        options.qrels,
        _read_systems(options.run) or None,
        runs=[path for text in options.runs for path in _matching_paths(text)],
        missing=options.missing,
        form=options.format,
    )
    system_count = len(rankings.scores)
    pair_count = number_of_pairs(system_count, len(options.baseline), len(measures))
    if pair_count * len(measures) > _MOST_WITHOUT_WARNING:
        measures_text = f", under {len(measures)} measures" if len(measures) > 1 else ""
        pairs_text = f"up to {pair_count:,} pairs{measures_text}"
        complain("ranking-report", f"{system_count:,} systems, so {pairs_text}: this may take minutes")
    if groups is not None:
        check_groups(groups, [*map(str, rankings.queries)], pair_count, escaped(options.by))
    return compare(
        rankings,
        measures=measures,
        ties=options.ties,
        gain=gain,
        missing=options.missing,
        baseline=options.baseline or None,
        primary=options.primary,
        judged_only=options.judged_only,
        popularity=options.popularity,
        seed=options.seed,
        scheduler=options.dask,
    )


def _check_together(options):
    """Reject options that have no effect together, or that would weaken a gate."""
    fail_if(bool(options.scores) == bool(options.qrels), "expected either QRELS or --scores FILE")
    run_options = {
        "--run": options.run,
        "--measure": options.measure,
        "--judged-only": options.judged_only,
        "--popularity": options.popularity,
        "--gain": options.gain != "linear",
        "--ties": options.ties != "average",
        "--format": options.format != "auto",
        "--dask": options.dask,
    }
    for name, value in run_options.items():
        fail_if(options.scores and value, f"{name}: expected QRELS instead of --scores beside it")
    fail_if(
        options.fail_if and len(options.baseline) != 1, "--fail-if: expected one --baseline NAME beside it"
    )
    fail_if(
        options.fail_if and options.missing == "drop",
        "--missing drop: expected raise or zero beside --fail-if; drop ignores queries that a system lacks",
    )
    fail_if(
        options.fail_if and options.ties != "average",
        f"--ties {options.ties}: expected average beside --fail-if; in another order equal scores can "
        "look like a good ranking",
    )
    fail_if(options.strict and not options.fail_if, "--strict: expected --fail-if beside it")
    fail_if(options.markdown and options.json, "--markdown: expected no --json beside it")


def _matching_paths(text):
    """Return the files that match a pattern, or the path itself.

    Patterns are expanded here because some shells do not expand them.
    """
    paths = [text] if os.path.exists(text) else sorted(glob(text))
    fail_if(not paths and has_magic(text), f"RUN '{escaped(text)}': expected a pattern that matches a file")
    return paths or [text]


def _read_systems(texts):
    """Return the file of each system, from texts of the form ``NAME=FILE``.

    >>> _read_systems(["bm25=runs/bm25.txt"])
    {'bm25': 'runs/bm25.txt'}
    """
    systems = {}
    for text in texts:
        name, equals, path = text.partition("=")
        fail_if(not (name.strip() and equals and path), f"--run '{escaped(text)}': expected NAME=FILE")
        fail_if(name in systems, f"--run '{escaped(text)}': {escaped(name)} is given twice")
        systems[name] = path
    return systems


def _read_gain(text):
    """Return the name of a gain, or the gain of each label in a text ``0=0,1=1,2=5``.

    >>> _read_gain("0=0,1=1,2=5")
    {0.0: 0.0, 1.0: 1.0, 2.0: 5.0}
    """
    if text in ("linear", "exponential"):
        return text
    try:
        pairs = [map(number, part.split("=")) for part in check_length("--gain", text).split(",")]
        gains = {label: gain for label, gain in pairs}
    except ValueError:
        pairs, gains = [], {}
    fail_if(
        not gains or not all(map(isfinite, [*gains, *gains.values()])),
        f"--gain '{escaped(text)}': expected LABEL=GAIN,LABEL=GAIN,… in numbers",
    )
    fail_if(len(gains) < len(pairs), f"--gain '{escaped(text)}': expected each label once")
    return gains
