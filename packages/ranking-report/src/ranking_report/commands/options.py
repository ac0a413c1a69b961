"""The arguments of all commands, in a module that is quick to import.

A command is a module in this folder and is imported only when it is called. The function ``call`` of the
module takes the options and returns the exit code.
"""

import argparse
from typing import NamedTuple

from ranking_report.choices import FEWEST_PLANNED, FORMATS, MISSING, TIES

SIZES = "100,1e3,1e4,1e6"
DISCOUNTS = "log,power:0.25,power:0.5,power:0.75,zipf"


class Command(NamedTuple):
    """A command, with its summary, its description, and its arguments by group."""

    summary: str
    description: str
    groups: dict


def integer_type(least):
    """Return an argparse type for integers of at least ``least``."""

    def integer(text):
        # The text is cut, because Python converts at most 4,300 digits.
        if not text.isascii() or not text.isdigit() or not least <= int(text[:20]) < 2**63:
            raise argparse.ArgumentTypeError(f"{text}: expected a whole number >= {least}")
        return int(text)

    return integer


_REPEATABLE = {"action": "append", "default": []}
_OUTPUT = {
    "--output": {"metavar": "DIR", "help": "also write a page with its tables into this folder"},
    "--json": {"action": "store_true", "help": "print all numbers as JSON instead of the answer"},
    "--markdown": {
        "action": "store_true",
        "help": "print a summary in Markdown for a pull request instead of the answer",
    },
    "--verbose": {
        "action": "store_true",
        "help": "also print how the columns of each input were interpreted",
    },
}

COMPARE = Command(
    "compare rankings: which is better, and how sure is the answer",
    """\
Compare systems on the same queries. The answer says which systems are significantly better, with a table and
warnings. With --output, a page is written as well.

  ranking-report compare qrels.txt runs/*.run
  ranking-report compare qrels.txt --run bm25=old.run --run dense=new.run --measure nDCG@10 --measure AP
  ranking-report compare table.csv               (columns query,item,label,score_A,score_B)
  ranking-report compare --scores scores.csv     (columns query,system,measure,score)
  ranking-report compare qrels.txt live.run new.run --baseline live --fail-if "nDCG@10 < -0.05"

Exit codes: 0 no gate failed, 1 a gate (--fail-if) failed, 2 bad input, 3 an error of this program.""",
    {
        "input": {
            "qrels": {
                "nargs": "?",
                "metavar": "QRELS",
                "help": "the judgments, in any format that is recognized",
            },
            "runs": {
                "nargs": "*",
                "default": [],
                "metavar": "RUN",
                "help": "runs or folders of runs, which are named by their tags or files",
            },
            "--run": _REPEATABLE
            | {"metavar": "NAME=FILE", "help": "a run with a name that you choose; repeatable"},
            "--scores": {
                "metavar": "FILE",
                "help": "a table of scores instead of judgments and runs, with the columns query (or task), "
                "system, measure and score",
            },
            "--missing": {
                "choices": MISSING,
                "default": "raise",
                "help": "what to do if a system lacks a query: reject the input (raise, the default), "
                "count 0, or leave it out for all systems",
            },
            "--format": {"choices": FORMATS, "default": "auto", "help": "the format of the judgments (auto)"},
            "--judged-only": {
                "action": "store_true",
                "help": "remove unjudged documents from every list before scoring (condensed lists)",
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
                "help": "the gain of labels in nDCG: linear (the default), exponential, or "
                "LABEL=GAIN,LABEL=GAIN,…",
            },
            "--ties": {
                "choices": TIES,
                "default": "average",
                "help": "the treatment of tied scores (average)",
            },
            "--popularity": {
                "metavar": "FILE",
                "help": "a table of the catalogue (item,count), which adds coverage and novelty to the "
                "answer",
            },
        },
        "tests": {
            "--baseline": _REPEATABLE
            | {
                "metavar": "NAME",
                "help": "compare the others only with this system, which takes fewer queries; repeatable",
            },
            "--primary": {
                "action": "store_true",
                "help": "test the first measure at the full 5 %%, and others only if all its pairs differ",
            },
            "--by": {
                "metavar": "FILE",
                "help": "also compare in groups of queries, from a file of lines query,group",
            },
            "--sequential": {
                "action": "store_true",
                "help": "also say when judging could have stopped, taking queries in the order of the "
                "judgments",
            },
            "--seed": {
                "type": integer_type(0),
                "default": 0,
                "metavar": "N",
                "help": "the seed of the permutations (0)",
            },
        },
        "gate": {
            "--fail-if": _REPEATABLE
            | {
                "metavar": "GATE",
                "help": "a gate such as 'nDCG@10 < -0.05': exit with 1 unless a mean loss of more than "
                "0.05 to the baseline is excluded for every system at the 5 %% level; repeatable",
            },
            "--strict": {
                "action": "store_true",
                "help": "use the bound that makes no assumption about rare losses; 0.05 takes at least "
                "about 60 queries, 0.01 at least about 300",
            },
        },
        "output": _OUTPUT,
        "computing": {
            "--dask": {"metavar": "ADDRESS", "help": "the address of a Dask scheduler to compute on"}
        },
    },
)

POWER = Command(
    "plan how many queries or items a comparison needs",
    """\
Plan a comparison before there are judgments. The options --sd and --pilot give the standard deviation, from
query to query, of the difference between two systems. Two relevance curves give it for simulated lists,
or they plan in items.

  ranking-report power --queries 50 --sd 0.3
  ranking-report power --pilot qrels.txt old.run new.run --measure nDCG@10 --measure AP
  ranking-report power --curve0 poly:0.54:-0.08 --curve1 poly:0.46:0.08 --n 100,1e4""",
    {
        "queries": {
            "--queries": {
                "nargs": "?",
                "const": True,
                "type": integer_type(FEWEST_PLANNED),
                "metavar": "Q",
                "help": "plan in queries: how many detect a difference with 80 %% power. With a number, "
                "also show the difference that this many detect. Without --sd, --pilot and curves, each "
                "label is relevant with probability 1/2",
            },
            "--sd": {"metavar": "SD", "help": "standard deviations of the difference, separated by commas"},
            "--pilot": {
                "nargs": 3,
                "metavar": ("QRELS", "RUN", "RUN"),
                "help": "estimate the standard deviation, with an upper end (one-sided 95 %%, about 90 %% "
                "with heavy tails, less if few queries differ), from judgments and two runs",
            },
            "--measure": {
                "action": "append",
                "metavar": "NAME",
                "help": "a measure of the pilot (nDCG@10); repeatable",
            },
            "--missing": {
                "choices": MISSING,
                "help": "what to do if a run lacks a pilot query: reject (raise, the default), count 0, "
                "or leave it out",
            },
        },
        "relevance curves": {
            "--curve0": {
                "metavar": "CURVE",
                "help": "the curve of the first ranker, such as poly:0.54:-0.08",
            },
            "--curve1": {"metavar": "CURVE", "help": "the curve of the second, with as many relevant items"},
            "--coupling": {
                "help": "how the rankers depend: additive (the default), label-first, shared-top or "
                "correlated:RHO"
            },
            "--share": {"type": float, "help": "the proportion of the list on which a shared top agrees"},
            "--n": {"help": f"numbers of items, separated by commas ({SIZES})"},
        },
        "measures": {
            "--discount": {"help": f"discounts, separated by commas ({DISCOUNTS}; with --queries log)"},
            "--k": {"help": "cut-offs: all, positions (10), fractions (0.2) (all; with --queries 10)"},
            "--certainty": {
                "type": float,
                "default": 0.95,
                "help": "the probability that the better ranker is ahead; with --queries, 1 minus the "
                "level (0.95)",
            },
        },
        "output": {
            "--output": {"metavar": "DIR", "help": "also write power.csv and power.svg into this folder"}
        },
    },
)

EXAMPLE = Command(
    "write judgments and three runs with which to try the other commands",
    """\
Write simulated files qrels.txt, bm25.run, dense.run and hybrid.run for 50 queries into a new folder.

  ranking-report example demo
  ranking-report compare demo/qrels.txt demo/*.run""",
    {"output": {"folder": {"metavar": "FOLDER", "help": "a new or an empty folder"}}},
)

COMMANDS = {"compare": COMPARE, "power": POWER, "example": EXAMPLE}
