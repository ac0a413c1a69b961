"""``companion report``: which of your own systems is better, how surely.

Compare your own systems on the same queries: a leaderboard, which pairs are told apart, how many queries it
would take. Prints the answer; --output writes a page with tables. Works in any folder.

  companion report --labels qrels.txt --runs runs/*.gz --output report
  companion report --labels qrels.txt --system bm25=bm25.run --system dense=dense.run --measure AP
  companion report --labels letor.txt --system a=a.scores --system b=b.scores
  companion report --labels table.csv        (query,item,label,score_A,score_B; label or clicks)
  companion report --labels qrels.txt --runs live.run new.run --baseline live --fail-if "nDCG@10 < -0.01"

Exit codes: 0 all is well, 1 a gate (--fail-if) failed, 2 bad input.
"""

import json
import os
import textwrap
from glob import glob, has_magic
from math import isfinite

from ndcg_companion.commands.options import DASK, FOLDER, choice, whole
from ndcg_companion.data.joining import MISSING
from ndcg_companion.evaluation.comparison import compare, read_gate
from ndcg_companion.evaluation.inputs import FORMATS, gather, named_runs
from ndcg_companion.evaluation.measure_names import parse_measures
from ndcg_companion.evaluation.page import FILES, as_record, save
from ndcg_companion.evaluation.scoring import TIES
from ndcg_companion.measures.checks import fail_if
from ndcg_companion.simulation.replication import connect
from ndcg_companion.text import shown
from ndcg_companion.writing import check_folder

_WRAPPED = textwrap.TextWrapper(
    100, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
)


OPTIONS = {
    "--labels": {
        "required": True,
        "metavar": "FILE",
        "help": "judgments: TREC qrels, LETOR, or a table",
    },
    "--system": {
        "action": "append",
        "default": [],
        "metavar": "NAME=FILE",
        "help": "once for each: a TREC run, or for LETOR a file with one score a line; none for a table",
    },
    "--runs": {
        "action": "extend",
        "nargs": "+",
        "default": [],
        "metavar": "FILE",
        "help": "TREC runs, named by their tags or their files",
    },
    "--measure": {
        "action": "append",
        "metavar": "NAME",
        "help": "once for each, the first makes the leaderboard: nDCG@10 (the default), AP, P@5, RR, R@100, "
        "nDCG(discount=power:0.5)@100, …",
    },
    "--missing": choice(MISSING, "queries that some system lacks: refuse, count as 0, leave out for all"),
    "--ties": choice(TIES, "equal scores"),
    "--format": choice(FORMATS, "of the labels; auto: recognised"),
    "--gain": {
        "default": "linear",
        "help": "what a label is worth: linear, exponential, or LABEL=GAIN,LABEL=GAIN,… (linear)",
    },
    "--baseline": {"metavar": "NAME", "help": "the system that --fail-if holds the others to"},
    "--fail-if": {
        "action": "append",
        "default": [],
        "metavar": "GATE",
        "help": "such as 'nDCG@10 < -0.01': exit 1 unless no system loses more than 0.01 to the baseline, "
        "for sure",
    },
    "--seed": {"type": whole(0), "default": 0, "metavar": "N", "help": "of the sign patterns (0)"},
    "--output": FOLDER | {"help": "where to write the page and the tables"},
    "--json": {"action": "store_true", "help": "print all numbers as JSON instead of the answer"},
    "--dask": DASK | {"help": "of a Dask scheduler whose workers compute"},
}


def call(options):
    """Compare, print, write; the exit code."""
    measures, gain = parse_measures(options.measure or ["nDCG@10"]), _read_gain(options.gain)
    fail_if(options.fail_if and not options.baseline, "--fail-if: expected --baseline NAME beside it")
    for text in options.fail_if:
        read_gate(text, [measure.name for measure in measures])
    if options.output is not None:
        check_folder(options.output, "report")
    if options.dask:
        connect(options.dask).close()
    systems = _read_systems(options.system)
    for name, rows in named_runs(sum(map(_matching, options.runs), [])).items():
        fail_if(
            name in systems,
            f"{rows.source}: expected a name of its own, got {shown(name)}, which is given",
        )
        systems[name] = rows
    rankings = gather(options.labels, systems or None, missing=options.missing, form=options.format)
    comparison = compare(
        rankings,
        measures=measures,
        ties=options.ties,
        gain=gain,
        missing=options.missing,
        baseline=options.baseline,
        seed=options.seed,
        scheduler=options.dask,
    )
    passed = [comparison.gate(text) for text in options.fail_if]
    if options.output is not None:
        save(comparison, options.output)
    if options.json:
        print(json.dumps(as_record(comparison), indent=1, allow_nan=False))
    else:
        for sentence in comparison.answer.split("\n"):
            print(_WRAPPED.fill(shown(sentence, 5000)))
        if options.output is not None:
            print(f"written to {shown(options.output)}: {', '.join(FILES)}")
            print("What to write and cite in a paper is on the page.")
    return 0 if all(passed) else 1


def _matching(text):
    """The files of a pattern, which some shells leave to us, or the one file of a name."""
    found = [text] if os.path.exists(text) else sorted(glob(text))
    fail_if(not found and has_magic(text), f"--runs '{shown(text)}': expected a file that matches, got none")
    return found or [text]


def _read_systems(texts):
    """Files by name of system, from texts ``NAME=FILE``.

    >>> _read_systems(["bm25=runs/bm25.txt"])
    {'bm25': 'runs/bm25.txt'}
    """
    systems = {}
    for text in texts:
        name, equals, path = text.partition("=")
        fail_if(not (name.strip() and equals and path), f"--system '{shown(text)}': expected NAME=FILE")
        fail_if(name in systems, f"--system '{shown(text)}': {shown(name)} is given twice")
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
        gains = {float(label): float(gain) for label, gain in (part.split("=") for part in text.split(","))}
    except ValueError:
        gains = {}
    fail_if(
        not gains or not all(map(isfinite, [*gains, *gains.values()])),
        f"--gain '{shown(text)}': expected LABEL=GAIN,LABEL=GAIN,… in numbers",
    )
    return gains
