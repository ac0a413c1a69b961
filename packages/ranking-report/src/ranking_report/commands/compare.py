"""``compare``: which of several rankings is better, how surely.

Compare systems on the same queries: a leaderboard, which pairs differ significantly, how many queries it
would take. Prints the answer; --output writes a page with tables. Works in any folder.

  ranking-report compare qrels.txt runs/*.gz --output report
  ranking-report compare qrels.txt --system bm25=bm25.run --system dense=dense.run --measure AP
  ranking-report compare letor.txt --system a=a.scores --system b=b.scores
  ranking-report compare table.csv        (query,item,label,score_A,score_B; label or clicks)
  ranking-report compare qrels.txt live.run new.run --baseline live --fail-if "nDCG@10 < -0.01"

Exit codes: 0 all is well, 1 a gate (--fail-if) failed, 2 bad input, 3 an error of the program's own.
"""

import json
import os
from glob import glob, has_magic
from math import isfinite

from ndcg_companion.checks import check_length, fail_if
from ndcg_companion.exits import complain
from ndcg_companion.text import escaped
from ranking_report.answer import as_text
from ranking_report.cluster import mapping
from ranking_report.commands.main import whole
from ranking_report.comparison import compare
from ranking_report.folders import check_folder
from ranking_report.gating import read_gate
from ranking_report.inputs import FORMATS, gather
from ranking_report.measure_names import parse_measures
from ranking_report.page import as_record, save
from ranking_report.readers.files import number
from ranking_report.readers.joining import MISSING
from ranking_report.scoring import TIES
from ranking_report.slices import check_groups, read_groups
from ranking_report.summaries import as_markdown

_QUICK = 100_000  # comparisons, of which a core does some 7,000 in a second
_MOST = 2_000_000  # which take minutes


OPTIONS = {
    "qrels": {
        "metavar": "QRELS",
        "help": "judgments, read as what they are: TREC qrels, LETOR, JSON, a table with scores, a header as "
        "PyTerrier, ir_measures, ranx or BEIR write it; packed by gzip, bzip2, xz, zstd or not",
    },
    "--system": {
        "action": "append",
        "default": [],
        "metavar": "NAME=FILE",
        "help": "once for each: a run in any of these formats, or MS MARCO's or ColBERT's columns; for LETOR "
        "a file with one score a line; none for a table",
    },
    "runs": {
        "nargs": "*",
        "default": [],
        "metavar": "RUN",
        "help": "runs in any of these formats, named by their tags, if they have some, or their files",
    },
    "--measure": {
        "action": "append",
        "metavar": "NAME",
        "help": "once for each, the first makes the leaderboard: nDCG@10 (the default), AP, P@5, RR, R@100, "
        "nDCG(discount=power:0.5)@100, …",
    },
    "--missing": {
        "choices": MISSING,
        "default": "raise",
        "help": "queries that some system lacks: refuse (raise, the default), count as 0, leave out for all",
    },
    "--ties": {"choices": TIES, "default": "average", "help": "the order of equal scores (average)"},
    "--format": {"choices": FORMATS, "default": "auto", "help": "of the labels (auto: recognised)"},
    "--gain": {
        "default": "linear",
        "help": "what a label is worth: linear, exponential, or LABEL=GAIN,LABEL=GAIN,… (linear)",
    },
    "--primary": {
        "action": "store_true",
        "help": "test the first measure first, and others only if all of its pairs differ significantly",
    },
    "--baseline": {
        "metavar": "NAME",
        "help": "the system that the others, and they alone, are compared with, and --fail-if holds them to",
    },
    "--fail-if": {
        "action": "append",
        "default": [],
        "metavar": "GATE",
        "help": "such as 'nDCG@10 < -0.01': exit 1 unless, for every system, a loss of more than 0.01 to "
        "the baseline is excluded at the 5 %% level, if other queries hold no rarer and larger losses than "
        "these (where no score differs, 0.01 takes about 300 queries and 0.05 about 60)",
    },
    "--strict": {
        "action": "store_true",
        "help": "let --fail-if also cover large losses on queries of which these have none; 0.01 takes at "
        "least about 300 queries then, 0.05 about 60",
    },
    "--sequential": {
        "action": "store_true",
        "help": "also say when judging could have stopped, taking the queries in the order of the labels",
    },
    "--by": {
        "metavar": "FILE",
        "help": "groups of queries, one 'query,group' a line: pairs in each of them too, all one family",
    },
    "--seed": {"type": whole(0), "default": 0, "metavar": "N", "help": "of the sign patterns (0)"},
    "--output": {"metavar": "DIR", "help": "where to write the page and the tables"},
    "--json": {"action": "store_true", "help": "print all numbers as JSON instead of the answer"},
    "--markdown": {
        "action": "store_true",
        "help": "print the summary for a pull request, in Markdown, instead of the answer",
    },
    "--dask": {"metavar": "ADDRESS", "help": "of a Dask scheduler whose workers compute"},
}


def call(options):
    """Compare, print, write; the exit code."""
    measures, gain = parse_measures(options.measure or ["nDCG@10"]), _read_gain(options.gain)
    _check_together(options, measures)
    if options.output is not None:
        check_folder(options.output, "report")
    with mapping(options.dask):  # refused before any file is read
        groups = None if options.by is None else read_groups(options.by)
    rankings = gather(
        options.qrels,
        _read_systems(options.system) or None,
        runs=sum(map(_matching, options.runs), []),
        missing=options.missing,
        form=options.format,
    )
    _check_how_many(len(rankings.scores), len(measures), options.baseline)
    if groups is not None:  # before minutes of other work
        queries = [*map(str, rankings.queries)]
        check_groups(groups, queries, len(rankings.scores), options.baseline, escaped(options.by))
    comparison = compare(
        rankings,
        measures=measures,
        ties=options.ties,
        gain=gain,
        missing=options.missing,
        baseline=options.baseline,
        primary=options.primary,
        seed=options.seed,
        scheduler=options.dask,
    )
    gates = [comparison.gate(text, options.strict) for text in options.fail_if]
    results = [*gates]
    if options.sequential:
        results.append(comparison.sequential())
    if groups is not None:
        results.append(comparison.by(groups))
    written = [] if options.output is None else save(comparison, options.output, results)
    if options.markdown:
        print(as_markdown(comparison, results))
    elif options.json:
        print(json.dumps(as_record(comparison, results), indent=1, allow_nan=False))
    else:
        print(as_text(comparison, results))
        if written:
            print(f"\nwritten to {escaped(options.output)}: {', '.join(written)}")
            print("What to write and cite in a paper is on the page.")
    return 0 if all(gates) else 1


def _check_together(options, measures):
    """Refuse options that say nothing beside, or without, others, and gates that nothing can fail."""
    fail_if(options.fail_if and not options.baseline, "--fail-if: expected --baseline NAME beside it")
    fail_if(
        options.fail_if and options.missing == "drop",
        "--missing drop: expected raise or zero beside --fail-if: it forgives a system the queries it lacks",
    )
    fail_if(
        options.fail_if and options.ties != "average",
        f"--ties {options.ties}: expected average beside --fail-if: by other orders equal scores can "
        "pass for a good order",
    )
    fail_if(options.strict and not options.fail_if, "--strict: expected --fail-if beside it")
    fail_if(options.markdown and options.json, "--markdown: expected it without --json")
    for text in options.fail_if:
        read_gate(text, [measure.name for measure in measures])


def _check_how_many(systems, measures, baseline):
    """Say on standard error what is computed, if that takes minutes; refuse what would take much longer."""
    pairs = systems - 1 if baseline else systems * (systems - 1) // 2
    several = f", under {measures} measures" if measures > 1 else ""
    remedy = "name fewer systems or measures" if baseline else "--baseline NAME compares with one alone"
    fail_if(
        pairs * measures > _MOST,
        f"{systems:,} systems: expected at most {_MOST:,} comparisons, got {pairs:,} pairs{several}; "
        f"{remedy}",
    )
    if pairs * measures > _QUICK:
        waits = f"{systems:,} systems, so up to {pairs:,} pairs{several}: this may take minutes"
        complain("ranking-report", waits)


def _matching(text):
    """The files of a pattern, which some shells leave to us, or the one file of a name."""
    paths = [text] if os.path.exists(text) else sorted(glob(text))
    fail_if(not paths and has_magic(text), f"RUN '{escaped(text)}': expected a file that matches, got none")
    return paths or [text]


def _read_systems(texts):
    """Files by name of system, from texts ``NAME=FILE``.

    >>> _read_systems(["bm25=runs/bm25.txt"])
    {'bm25': 'runs/bm25.txt'}
    """
    systems = {}
    for text in texts:
        name, equals, path = text.partition("=")
        fail_if(not (name.strip() and equals and path), f"--system '{escaped(text)}': expected NAME=FILE")
        fail_if(name in systems, f"--system '{escaped(text)}': {escaped(name)} is given twice")
        systems[name] = path
    return systems


def _read_gain(text):
    """The name of a gain, or gains by label from ``0=0,1=1,2=5``.

    >>> _read_gain("0=0,1=1,2=5")
    {0.0: 0.0, 1.0: 1.0, 2.0: 5.0}
    """
    if text in ("linear", "exponential"):
        return text
    try:
        pairs = [tuple(map(number, part.split("="))) for part in check_length("--gain", text).split(",")]
        gains = {label: gain for label, gain in pairs}
    except ValueError:
        pairs, gains = [], {}
    fail_if(
        not gains or not all(map(isfinite, [*gains, *gains.values()])),
        f"--gain '{escaped(text)}': expected LABEL=GAIN,LABEL=GAIN,… in numbers",
    )
    fail_if(len(gains) < len(pairs), f"--gain '{escaped(text)}': expected each label once")
    return gains
