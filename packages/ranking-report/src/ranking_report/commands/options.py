"""The arguments of all commands; quick to import, so that --help is fast.

A command is a module in this folder, imported when it is called. Its function ``call`` takes the options and
returns the exit code.
"""

import argparse
from typing import NamedTuple

from ranking_report.choices import FEWEST_PLANNED, FORMATS, MISSING, TIES

SIZES = "100,1e3,1e4,1e6"
DISCOUNTS = "log,power:0.25,power:0.5,power:0.75,zipf"


class Command(NamedTuple):
    """A command's summary, its description, and its arguments by group."""

    says: str
    more: str
    groups: dict


def whole(least):
    """Return an argparse type for integers of at least ``least``."""

    def number(text):
        if not text.isascii() or not text.isdigit() or not least <= int(text[:20]) < 2**63:
            raise argparse.ArgumentTypeError(f"{text}: expected a whole number >= {least}")
        return int(text)

    return number


_MANY = {"action": "append", "default": []}
_OUTPUT = {
    "--output": {"metavar": "DIR", "help": "also write a page and its tables into this folder"},
    "--json": {"action": "store_true", "help": "print all numbers as JSON instead of the answer"},
    "--markdown": {
        "action": "store_true",
        "help": "print a summary in Markdown, for a pull request, instead",
    },
    "--verbose": {
        "action": "store_true",
        "help": "also print how the columns of each input were interpreted",
    },
}

COMPARE = Command(
    "which of several rankings is better, and how surely",
    """\
Compare systems on the same queries. Prints which are significantly better, a table and warnings; --output
also writes a page.

  ranking-report compare qrels.txt runs/*.run
  ranking-report compare qrels.txt --run bm25=old.run --run dense=new.run --measure nDCG@10 --measure AP
  ranking-report compare table.csv               (columns query,item,label,score_A,score_B)
  ranking-report compare --scores scores.csv     (columns query,system,measure,score)
  ranking-report compare qrels.txt live.run new.run --baseline live --fail-if "nDCG@10 < -0.05"

Exit codes: 0 no gate failed, 1 a gate (--fail-if) failed, 2 bad input, 3 an error of this program.""",
    {
        "input": {
            "qrels": {"nargs": "?", "metavar": "QRELS", "help": "judgments; the format is recognized"},
            "runs": {
                "nargs": "*",
                "default": [],
                "metavar": "RUN",
                "help": "runs, or folders of runs, named by their tags or their files",
            },
            "--run": _MANY | {"metavar": "NAME=FILE", "help": "a run with a name of your choice; repeatable"},
            "--scores": {
                "metavar": "FILE",
                "help": "instead of judgments and runs: a table of scores with the columns query (or task), "
                "system, measure and score",
            },
            "--missing": {
                "choices": MISSING,
                "default": "raise",
                "help": "queries that a system lacks: reject the input (raise, the default), count 0, or "
                "leave out for all systems",
            },
            "--format": {"choices": FORMATS, "default": "auto", "help": "of the judgments (auto)"},
            "--judged-only": {
                "action": "store_true",
                "help": "take unjudged documents out of every list before it is scored (condensed lists)",
            },
        },
        "measures": {
            "--measure": {
                "action": "append",
                "metavar": "NAME",
                "help": "nDCG@10 (the default), AP, MAP@100, RR, P@5, R@100, HR@10, bpref, …; repeatable, "
                "the first one orders the table",
            },
            "--gain": {
                "default": "linear",
                "help": "of labels, for nDCG: linear (the default), exponential, or LABEL=GAIN,LABEL=GAIN,…",
            },
            "--ties": {"choices": TIES, "default": "average", "help": "the order of tied scores (average)"},
            "--popularity": {
                "metavar": "FILE",
                "help": "a table item,count of the catalogue: adds coverage and novelty to the answer",
            },
        },
        "tests": {
            "--baseline": _MANY
            | {
                "metavar": "NAME",
                "help": "compare the others with this system alone, which takes fewer queries; repeatable",
            },
            "--primary": {
                "action": "store_true",
                "help": "test the first measure at the full 5 %%, and others only if all of its pairs differ",
            },
            "--by": {"metavar": "FILE", "help": "compare in groups of queries too: query,group in each line"},
            "--sequential": {
                "action": "store_true",
                "help": "also say when judging could have stopped, in the order of the judgments",
            },
            "--seed": {"type": whole(0), "default": 0, "metavar": "N", "help": "of the permutations (0)"},
        },
        "gate": {
            "--fail-if": _MANY
            | {
                "metavar": "GATE",
                "help": "such as 'nDCG@10 < -0.05': exit with 1 unless a mean loss of more than 0.05 to the "
                "baseline is excluded for every system at the 5 %% level; repeatable",
            },
            "--strict": {
                "action": "store_true",
                "help": "use the bound that makes no assumption on rare losses: 0.05 takes at least about 60 "
                "queries, 0.01 at least about 300",
            },
        },
        "output": _OUTPUT,
        "computing": {"--dask": {"metavar": "ADDRESS", "help": "of a Dask scheduler whose workers compute"}},
    },
)

POWER = Command(
    "how many queries, or items, a comparison needs",
    """\
Plan a comparison before there are judgments. --sd or --pilot gives the standard deviation of the
difference of two systems from query to query. Two relevance curves give it for simulated lists, or plan
in items.

  ranking-report power --queries 50 --sd 0.3
  ranking-report power --pilot qrels.txt old.run new.run --measure nDCG@10 --measure AP
  ranking-report power --curve0 poly:0.54:-0.08 --curve1 poly:0.46:0.08 --n 100,1e4""",
    {
        "queries": {
            "--queries": {
                "nargs": "?",
                "const": True,
                "type": whole(FEWEST_PLANNED),
                "metavar": "Q",
                "help": "plan in queries: so many detect a difference with 80 %% power; with a number, also "
                "the difference that so many detect. Without --sd, --pilot and curves, each label is "
                "relevant with probability 1/2",
            },
            "--sd": {"metavar": "SD", "help": "standard deviations of the difference, separated by commas"},
            "--pilot": {
                "nargs": 3,
                "metavar": ("QRELS", "RUN", "RUN"),
                "help": "take the standard deviation, and an upper end for it (one-sided 95 %%, about 90 %% "
                "with heavy tails, less where few queries differ), from judgments and two runs",
            },
            "--measure": {
                "action": "append",
                "metavar": "NAME",
                "help": "of the pilot (nDCG@10); repeatable",
            },
            "--missing": {
                "choices": MISSING,
                "help": "pilot queries that a run lacks: reject (raise, the default), count 0, or leave out",
            },
        },
        "relevance curves": {
            "--curve0": {"metavar": "CURVE", "help": "of the first ranker, such as poly:0.54:-0.08"},
            "--curve1": {"metavar": "CURVE", "help": "of the second, with as many relevant items"},
            "--coupling": {"help": "additive (the default), label-first, shared-top or correlated:RHO"},
            "--share": {"type": float, "help": "the proportion of the list on which a shared top agrees"},
            "--n": {"help": f"numbers of items, separated by commas ({SIZES})"},
        },
        "measures": {
            "--discount": {"help": f"separated by commas ({DISCOUNTS}; with --queries log)"},
            "--k": {"help": "cut-offs: all, positions (10), fractions (0.2) (all; with --queries 10)"},
            "--certainty": {
                "type": float,
                "default": 0.95,
                "help": "that the better ranker is ahead; with --queries 1 minus the level (0.95)",
            },
        },
        "output": {"--output": {"metavar": "DIR", "help": "also write power.csv and power.svg there"}},
    },
)

EXAMPLE = Command(
    "write judgments and three runs to try the others with",
    """\
Write qrels.txt, bm25.run, dense.run and hybrid.run, simulated for 50 queries, into a new folder.

  ranking-report example demo
  ranking-report compare demo/qrels.txt demo/*.run""",
    {"output": {"folder": {"metavar": "FOLDER", "help": "a new or an empty folder"}}},
)

COMMANDS = {"compare": COMPARE, "power": POWER, "example": EXAMPLE}
