"""The command ``companion``: list the chapters, run one, build or print the book, read the ledger, plan an evaluation.

Exit codes: 0 as expected, 1 something differs or failed, 2 bad input.
"""

import argparse
import os
import sys
from pathlib import Path

from ndcg_companion import __version__

PROFILES = ("quick", "book", "deep")
_REPORT = """\
Compare your own systems on the same queries: who is ahead, under which measure, how surely, and how many more
queries or items it would take. Prints the answer, and writes a page, report.json and measures.csv.

  companion report --labels qrels.txt --system bm25=bm25.run --system dense=dense.run.gz
  companion report --labels letor.txt --system a=a.scores --system b=b.scores
  companion report --labels table.csv        (query,item,label,score_A,score_B; label or clicks, perhaps time)"""


def main(arguments=None):
    """Run the command line; returns the exit code."""
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if rest and not (hasattr(options, "parameters") and all("=" in word and word[0] != "-" for word in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:  # name=value may follow options as well as precede them
        options.parameters += rest
    try:
        return options.command(options)
    except ValueError as error:
        print(f"companion: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        from ndcg_companion.data.extras import lacking

        sentence = lacking(error.name)
        if not sentence:  # no extra brings it, so it is a fault of ours
            raise
        print(f"companion: {sentence}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"companion: {error.filename or ''}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("companion: interrupted; what was finished is kept, the same call carries on", file=sys.stderr)
        return 130


def _parser():
    parser = argparse.ArgumentParser(
        prog="companion", description="Re-run, build and question the NDCG companion."
    )
    parser.add_argument("--version", action="version", version=f"ndcg-companion {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    add = commands.add_parser("list", help="the chapters and their parameters")
    add.add_argument("--names", action="store_true", help="the names alone, one a line, for scripts")
    add.set_defaults(command=_list)

    add = commands.add_parser("run", help="execute one chapter with parameters of your own")
    add.add_argument("chapter", metavar="CHAPTER", help="a name from 'companion list'")
    add.add_argument("parameters", metavar="name=value", nargs="*", help="parameters to set")
    add.add_argument("--profile", choices=PROFILES, default="book", help="what the others default to (book)")
    add.add_argument("--output", metavar="DIR", help="where to write (runs/CHAPTER/PARAMETERS)")
    add.set_defaults(command=_run)

    add = commands.add_parser("sweep", help="execute one chapter over a grid of parameters")
    add.add_argument("chapter", metavar="CHAPTER", help="a name from 'companion list'")
    add.add_argument(
        "parameters", metavar="name=values", nargs="*", help="values separated by commas; 1..20 is a range"
    )
    add.add_argument("--profile", choices=PROFILES, default="book", help="what the others default to (book)")
    add.add_argument("--output", metavar="DIR", help="where to write (sweeps/CHAPTER)")
    where = add.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs", metavar="N", type=_positive, help="runs at a time (as many as there are cores)"
    )
    where.add_argument("--dask", metavar="ADDRESS", help="of a Dask scheduler whose workers execute the runs")
    add.set_defaults(command=_sweep)

    add = commands.add_parser("diff", help="what is different between two runs, or two builds")
    add.add_argument(
        "first", metavar="RUN_A", help="a folder with executed chapters, or an executed notebook"
    )
    add.add_argument("second", metavar="RUN_B", help="the one to compare it with")
    add.add_argument("--output", metavar="FILE", default="diff.html", help="the page to write (diff.html)")
    add.set_defaults(command=_diff)

    builds = (
        ("build", "execute what changed and render the site"),
        ("pdf", "the same, and print it as one PDF"),
    )
    for name, says in builds:
        add = commands.add_parser(name, help=says)
        add.add_argument("--profile", choices=PROFILES, default="book", help="how large the runs are (book)")
        add.add_argument(
            "--jobs", metavar="N", type=_positive, default=os.cpu_count() or 1, help="chapters at a time"
        )
        add.set_defaults(command=_build, printed=name == "pdf")

    add = commands.add_parser("ledger", help="every statement and the verdict of the last build")
    add.add_argument("--profile", choices=PROFILES, default="book", help="of which build (book)")
    add.add_argument("--json", action="store_true", help="as JSON")
    add.set_defaults(command=_ledger)

    add = commands.add_parser(
        "power", help="which discount and cut-off tell two rankers apart, with how many items"
    )
    add.add_argument(
        "--curve0",
        required=True,
        metavar="CURVE",
        help="relevance curve of the first ranker, such as poly:0.54:-0.08",
    )
    add.add_argument(
        "--curve1", required=True, metavar="CURVE", help="of the second, with as many relevant items"
    )
    add.add_argument(
        "--coupling", default="additive", help="additive (the default), label-first or shared-top"
    )
    add.add_argument("--share", type=float, help="the share of the list on which a shared top agrees")
    add.add_argument(
        "--discount", default="log,power:0.25,power:0.5,power:0.75,zipf", help="separated by commas"
    )
    add.add_argument(
        "--k", default="all", help="cut-offs: all, positions (10), fractions (0.2), separated by commas"
    )
    add.add_argument("--n", default="100,1e3,1e4,1e6", help="numbers of items, separated by commas")
    add.add_argument("--certainty", type=float, default=0.95, help="for the items needed (0.95)")
    add.add_argument("--output", metavar="DIR", help="also write power.csv and power.svg there")
    add.set_defaults(command=_power)

    says = "which measures tell your own systems apart, and how surely"
    add = commands.add_parser(
        "report", help=says, description=_REPORT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    once = {"action": _Once}
    add.add_argument(
        "--labels",
        required=True,
        metavar="FILE",
        help="TREC qrels, LETOR, or a table with the scores",
        **once,
    )
    add.add_argument(
        "--system",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="once for each: a TREC run, or for LETOR a file with one score a line; none for a table",
    )
    formats, unmatched = ("auto", "trec", "letor", "table"), ("raise", "drop")
    add.add_argument(
        "--format", default="auto", choices=formats, help="of the labels (auto: recognised)", **once
    )
    add.add_argument(
        "--time",
        default="auto",
        metavar="COLUMN",
        help="of a table: the column of arrival times (time, if there)",
        **once,
    )
    add.add_argument(
        "--pair",
        default="auto",
        metavar="A,B",
        help="of several systems, the two to look at closely (the best)",
        **once,
    )
    add.add_argument(
        "--gain",
        default="linear",
        choices=("linear", "exponential"),
        help="of a label: itself or 2**label - 1 (linear)",
        **once,
    )
    add.add_argument(
        "--unmatched",
        default="raise",
        choices=unmatched,
        help="queries that not all files have: refuse, leave out (raise)",
        **once,
    )
    add.add_argument(
        "--seed", default=1, type=_seed, metavar="N", help="of splits, resampling and shuffling (1)", **once
    )
    add.add_argument("--output", default="report", metavar="DIR", help="where to write (report)", **once)
    add.set_defaults(command=_report)
    return parser


class _Once(argparse.Action):
    """An option that may not be given twice."""

    def __call__(self, parser, namespace, values, option_string=None):
        given = namespace.__dict__.setdefault("given", set())
        if self.dest in given:
            parser.error(f"{option_string}: given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def _seed(text):
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text}: expected a whole number >= 0")
    return int(text)


def _positive(text):
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a whole number >= 1")
    return int(text)


def _project():
    from ndcg_companion.press.project import Project

    return Project.find()


def _list(options):
    for chapter in _project().notebooks:
        if options.names:
            print(chapter.name)
            continue
        print(f"{chapter.name} – {chapter.title}")
        for parameter in chapter.parameters:
            allowed = f"  [{parameter.allowed}]" if parameter.allowed else ""
            reason = f" ({parameter.reason})" if parameter.reason else ""
            kind = parameter.type.__name__
            print(f"    {parameter.name}: {kind} = {parameter.default}{allowed}{reason}  {parameter.help}")
    return 0


def _run(options):
    project = _project()
    chapter = project.chapter(options.chapter)

    from ndcg_companion.chapter.parameters import check_values, read_assignments

    values = check_values(chapter.parameters, read_assignments(options.parameters))

    from ndcg_companion.chapter.evidence import SHAPES
    from ndcg_companion.press.build import run
    from ndcg_companion.press.ledger import ledger

    folder, findings, failures = run(project, chapter, values, options.profile, options.output)
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        return 1
    for finding in findings:
        note = f"   <- {finding['needs']}" if finding["verdict"] == "undecided" else ""
        shape, says = SHAPES[finding["verdict"]], finding["claim"]["says"]
        print(f"{shape} {finding['verdict']:<13} {finding['statement']:<32} {says}{note}")
    differing = [row for row in ledger(findings) if row.differs]
    for row in differing:
        print(f"{row.id} is {row.verdict}, expected {row.expected}")
    print(f"written to {folder}: {chapter.name}.ipynb, {chapter.name}.html, findings.json")
    return 1 if differing else 0


def _sweep(options):
    project = _project()
    chapter = project.chapter(options.chapter)

    from ndcg_companion.chapter.evidence import SHAPES
    from ndcg_companion.commands.sweep import carry_out, changed_verdicts, plan, read_grid

    sweep = plan(project, chapter, read_grid(options.parameters, chapter), options.profile, options.output)
    runs, failures = carry_out(
        sweep, project, options.profile, options.jobs or os.cpu_count() or 1, options.dask
    )
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        print(
            f"{len(failures)} of {len(sweep.jobs)} runs failed; the same call tries them again",
            file=sys.stderr,
        )
    differing = changed_verdicts(runs)
    for statement, (expected, verdicts) in differing.items():
        told = ", ".join(
            f"{SHAPES[verdict]} {verdict} in {len(those)}" for verdict, those in verdicts.items()
        )
        print(f"{statement}: expected {expected}; {told} of {len(runs)} runs")
    print(
        f"{len(runs)} of {len(sweep.jobs)} runs are finished: {sweep.folder}: index.html, findings.csv, numbers.csv"
    )
    return 1 if failures or differing else 0


def _diff(options):
    from ndcg_companion.commands.diff import compare, read_runs
    from ndcg_companion.press.execution import write_whole

    difference = compare(read_runs(options.first), read_runs(options.second))
    write_whole(Path(options.output), difference.as_html(options.first, options.second))
    print(difference.as_text())
    print(f"written to {options.output}")
    return 1 if difference else 0


def _build(options):
    from ndcg_companion.press.build import build, print_edition

    troubles = (print_edition if options.printed else build)(_project(), options.profile, options.jobs)
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    return 1 if troubles else 0


def _ledger(options):
    from ndcg_companion.press.ledger import as_json, ledger, table, tally
    from ndcg_companion.press.site import read_findings

    path = _project().root / "_build" / options.profile / "findings.json"
    profile, findings = read_findings(path)
    rows = ledger(findings)
    print(as_json(profile, rows) if options.json else f"{table(rows)}\n{tally(rows)} (profile {profile!r})")
    return 1 if any(row.differs for row in rows) else 0


def _power(options):
    from ndcg_companion.commands.power import (
        as_csv,
        as_text,
        calculate,
        read_cutoffs,
        read_discounts,
        read_sizes,
    )
    from ndcg_companion.press.execution import write_whole
    from ndcg_companion.theory import Pair

    sizes, cutoffs, discounts = (
        read_sizes(options.n),
        read_cutoffs(options.k),
        read_discounts(options.discount),
    )
    pair = Pair(options.curve0, options.curve1, options.coupling, options.share)
    rows = calculate(pair, discounts, cutoffs, sizes, options.certainty)
    print(as_text(rows, sizes, options.certainty))
    if options.output:
        from ndcg_companion.chapter.figures.how_many_items_are_enough import chance_map

        folder = Path(options.output)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "power.csv", as_csv(rows, sizes))
        chance_map([row.measure for row in rows], sizes, [row.chances for row in rows]).savefig(
            folder / "power.svg"
        )
        print(f"written to {folder}: power.csv, power.svg")
    return 0


def _report(options):
    import shlex
    import textwrap

    from ndcg_companion.commands.report import report

    values = {"labels": options.labels} | ({"systems": shlex.join(options.system)} if options.system else {})
    values |= {
        name: getattr(options, name) for name in ("format", "time", "pair", "gain", "unmatched", "seed")
    }
    answer, failures = report(values, options.output)
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        return 1
    for line in answer:
        print(
            textwrap.fill(
                line.replace("**", "").replace("`", ""), 100, initial_indent="- ", subsequent_indent="  "
            )
        )
    print(f"written to {options.output}: your-own-rankings.html, report.json, measures.csv")
    return 0
