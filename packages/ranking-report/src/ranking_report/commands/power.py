"""``power``: plan how many queries or items a comparison needs."""

import textwrap
from math import inf
from typing import NamedTuple

import numpy as np
import pandas
from scipy.special import ndtri  # the quantiles of the normal distribution

from ndcg_companion.checks import check_float, fail_if
from ndcg_companion.measures import parse_discount
from ndcg_companion.significance.planning import (
    FEWEST_SURE,
    effects,
    largest_deviation,
    paired_queries,
    smallest_effect,
)
from ndcg_companion.text import escaped
from ndcg_companion.theory import Pair, ahead_probability, items_needed, signal_and_noise
from ranking_report.cells import aligned, as_csv
from ranking_report.commands.options import DISCOUNTS, SIZES
from ranking_report.comparing import compare
from ranking_report.drawings import detected
from ranking_report.folders import check_folder, write_folder
from ranking_report.inputs import gather
from ranking_report.kinds import KINDS
from ranking_report.measure_names import parse_measures
from ranking_report.rendering import templates
from ranking_report.wording import EQUAL

# Without data, labels are relevant with probability 1/2. All plans except those with curves use these
# differences.
_COIN_PAIR = Pair("constant:0.5", "constant:0.5")
_DIFFERENCES = (0.01, 0.02, 0.05, 0.1, 0.2)
# The largest sd of a distribution on [-1, 1], which contains all differences of values in [0, 1].
_LARGEST_SD = 1.0
_LARGEST_SD_NAME = "largest sd"
_WORST_CASE_TEXT = (
    "Worst case: for any systems and queries, the difference of values in [0, 1] has at most the sd "
    f"{_LARGEST_SD:g}, for example if on every query one of the two, each with probability 1/2, scores 1 and "
    f"the other 0. Rows with the {_LARGEST_SD_NAME} assume it."
)
_ENOUGH_RELEVANT = "every query has at least as many relevant items as positions"
_SD_HINT = "--sd sets it, and --pilot estimates it from two runs."


class Row(NamedTuple):
    """A row of a plan: the measure, and the columns both as texts and as numbers.

    The mark ``~`` means that a value is rough. A probability is rough if it depends on the first few ranks,
    because the difference is then not normal. The number of queries is rough if lists may have fewer relevant
    items than positions.
    """

    measure: str
    texts: dict
    numbers: dict


class Case(NamedTuple):
    """The mean and standard deviation of a difference, and whether these are rough."""

    signal: float
    noise: float
    rough: bool = False


def call(options):
    """Plan a comparison, print and write the plan, and return the exit code."""
    option_names = {name for name, value in vars(options).items() if value is not None}
    is_in_queries = bool({"queries", "sd", "pilot"} & option_names)  # --sd and --pilot only plan in queries
    check_together(option_names)
    if options.output:
        check_folder(options.output, "power")
    rows, lines, figure = (plan_queries if is_in_queries else plan_items)(options)
    print("\n".join(lines))
    if options.output:
        files = {"power.csv": as_csv(numbers_of(rows)), "power.svg": figure}
        write_folder(options.output, "power", files)
        print(f"written to {options.output}: {', '.join(files)}")
    return 0


def check_together(option_names):
    """Reject options that have no effect together with the given options."""
    # Each of these determines the standard deviation.
    sources = [name for name in ("curve0", "sd", "pilot") if name in option_names]
    message = (
        "--curve0, --curve1: expected both; only a plan in queries (--queries, --sd, --pilot) omits them"
    )
    fail_if(
        ("curve0" in option_names) != ("curve1" in option_names)
        or not sources
        and "queries" not in option_names,
        message,
    )
    fail_if(len(sources) > 1, f"{', '.join(f'--{name}' for name in sources)}: expected one of them")
    for option in ("coupling", "n", "share"):
        fail_if(
            option in option_names and "curve0" not in option_names,
            f"--{option}: expected --curve0 and --curve1 with it",
        )
    for option in ("missing", "measure"):
        fail_if(
            option in option_names and "pilot" not in option_names, f"--{option}: expected --pilot with it"
        )
    for option in ("discount", "k"):
        other_options = ", ".join(f"--{name}" for name in sources if name != "curve0")
        fail_if(
            option in option_names and other_options, f"--{option}: expected no {other_options} beside it"
        )


def plan_items(options):
    """Return a plan in items: rows for a file, lines for a terminal, and a figure."""
    pair = Pair(options.curve0, options.curve1, options.coupling or "additive", options.share)
    sizes, cutoffs = read_sizes(options.n or SIZES), read_cutoffs(options.k or "all")
    rows = calculate(pair, read_discounts(options.discount or DISCOUNTS), cutoffs, sizes, options.certainty)
    figure = templates().get_template("chances.svg").render(rows=rows, sizes=sizes)
    note = "~ rough: the first few ranks decide, and the difference is not normal"
    return rows, as_lines("P(first ranker ahead)", rows, note), figure


def plan_queries(options):
    """Return a plan in queries: rows for a file, lines for a terminal, and a figure."""
    check_float("certainty", options.certainty, lambda share: 0.5 < share < 1.0, "a number in (1/2, 1)")
    critical = ndtri((1.0 + options.certainty) / 2.0)  # of a two-sided test
    cases, assumption = read_cases(options)
    rows = plan(cases, critical, () if options.queries in (True, None) else (options.queries,))
    noises = {row.measure: row.numbers["noise"] for row in rows}
    figure = templates().get_template("detected.svg").render(detected(noises, critical))
    test = (
        f"For one two-sided paired test at the {100 * (1 - options.certainty):.4g} % level, with a power of "
        "80 %. Where several systems or measures are compared at once, more queries are needed."
    )
    worst_case_text = (
        [_WORST_CASE_TEXT] if any(row.measure.endswith(_LARGEST_SD_NAME) for row in rows) else []
    )
    notes = [
        line
        for text in (test, f"Assumed: {assumption}", *worst_case_text)
        for line in textwrap.wrap(text, 100)
    ]
    note = "~ rough: some lists may have fewer relevant items than positions"
    return rows, as_lines("queries needed", rows, note, *notes), figure


def read_cases(options):
    """Return the cases to plan for, by measure, and a text on the assumptions."""
    if options.sd is not None:
        cases = {f"sd {deviation:g}": differences_of(deviation) for deviation in read_deviations(options.sd)}
        assumed = "the difference of the two systems has this standard deviation (sd) from query to query."
        return cases | worst_case(), assumed
    if options.pilot:
        measures = parse_measures(options.measure or ["nDCG@10"])
        return pilot_cases(options.pilot, measures, options.missing or "raise")
    cutoffs, discounts = read_cutoffs(options.k or "10"), read_discounts(options.discount or "log")
    for k in cutoffs:
        expected = "expected with --queries a number of positions, such as 10"
        fail_if(not isinstance(k, int), f"k={'all' if k is None else k!r}: {expected}")
    if not options.curve0:
        return coin_cases(discounts, cutoffs) | worst_case(), (
            "the first labels of both systems are independent and relevant with probability 1/2 on every "
            f"query, and {_ENOUGH_RELEVANT}. This is not the worst case: the sd can be larger if the "
            "systems' strengths change from query to query, or if queries have few relevant items. "
            f"{_SD_HINT}"
        )
    pair = Pair(options.curve0, options.curve1, options.coupling or "additive", options.share)
    cases = curve_cases(pair, discounts, cutoffs, read_sizes(options.n or SIZES))
    cases_with_largest_sd = {
        f"{measure}, {_LARGEST_SD_NAME}": {
            name: case._replace(noise=_LARGEST_SD) for name, case in measure_cases.items()
        }
        for measure, measure_cases in cases.items()
    }
    return cases | cases_with_largest_sd, (
        f"the curves are those of every query, and {_ENOUGH_RELEVANT}; on long lists, the first labels of "
        "the two systems are independent. If the curves change from query to query, the sd can be larger: "
        f"{_SD_HINT}"
    )


def differences_of(deviation):
    """Return a case for each of several differences with a known standard deviation."""
    return {f"difference {size}": Case(size, deviation) for size in _DIFFERENCES}


def worst_case():
    """Return a case for each of several differences with the largest standard deviation.

    Differences of values in [0, 1] cannot have a larger standard deviation.

    >>> worst_case()["largest sd"]["difference 0.05"]
    Case(signal=0.05, noise=1.0, rough=False)
    """
    return {_LARGEST_SD_NAME: differences_of(_LARGEST_SD)}


def coin_cases(discounts, cutoffs):
    """Return, by measure, cases of two systems whose first k labels are random.

    Each label is relevant with probability 1/2, independently of the others.
    """
    cases = {}
    for name, discount in discounts.items():
        for k in cutoffs:
            _, noise = signal_and_noise(_COIN_PAIR, discount, k)
            cases[f"{name} @{k}"] = differences_of(noise)
    return cases


def curve_cases(pair, discounts, cutoffs, sizes):
    """Return cases of two relevance curves on lists of several sizes, by measure.

    A case is rough if a list of n items has fewer than 2k relevant items on average.
    """
    return {
        f"{name} @{k}": {
            f"n={n:,}": Case(*signal_and_noise(pair, discount, k, n), n * pair.p < 2 * k) for n in sizes
        }
        | {"long lists": Case(*signal_and_noise(pair, discount, k))}
        for name, discount in discounts.items()
        for k in cutoffs
    }


def pilot_cases(paths, measures, missing):
    """Return cases with a pilot's standard deviation, and the assumptions.

    Each measure appears twice: with the estimate, and with the upper end of the interval.
    """
    labels, *runs = paths
    rankings = gather(labels, dict(zip(("first", "second"), runs)), missing=missing)
    comparison = compare(rankings, measures=measures)
    queries = len(comparison.queries)
    expected = f"--pilot: expected at least {FEWEST_SURE} queries with a relevant item"
    fail_if(queries < FEWEST_SURE, f"{expected}, got {queries}")
    cases = {}
    for name, (first, second) in zip(comparison.measure_names, comparison.values):
        deviation = float(np.std(first - second, ddof=1))
        fail_if(
            not deviation > EQUAL,
            f"--pilot: expected runs whose difference in {name} varies from query to query",
        )
        cases[name] = differences_of(deviation)
        cases[f"{name}, upper end"] = differences_of(largest_deviation(first - second))
    if all(measure.kind in KINDS for measure in measures):  # other measures may have values outside [0, 1]
        cases |= worst_case()
    assumed = (
        f"new queries are like the {queries} of the pilot. Its sd is an estimate: the upper end is that of "
        "an approximate one-sided 95 % interval (Bonett 2006). With heavy tails its confidence is only about "
        "90 %, and less if the runs differ on few queries of the pilot."
    )
    return cases, " ".join([assumed, *(escaped(note, 1000) for note in comparison.notes)])


def read_deviations(text):
    """Return the standard deviations in a text.

    >>> read_deviations("0.25,0.31")
    (0.25, 0.31)
    """
    expected = "expected standard deviations in (0, 1] separated by commas, such as 0.25,0.31"
    return _numbers(text, lambda number: 0 < number <= 1, f"sd={escaped(text)!r}: {expected}")


def read_sizes(text):
    """Return the numbers of items in a text.

    >>> read_sizes("100,1e4")
    (100, 10000)
    """
    expected = "expected whole numbers >= 10 separated by commas, such as 100,1e4,1e6"
    is_size = lambda number: 10 <= number < 1e300 and number == int(number)
    return tuple(map(int, _numbers(text, is_size, f"n={text!r}: {expected}")))


def _numbers(text, is_allowed, refusal):
    """Return the numbers in a text, which are separated by commas.

    If some text is not a number or ``is_allowed`` is false for a number, the message is ``refusal``.
    """
    try:
        numbers = tuple(map(float, text.split(",")))
    except ValueError:
        raise ValueError(refusal) from None
    fail_if(not all(map(is_allowed, numbers)), refusal)
    return numbers


def read_cutoffs(text):
    """Return the cut-offs in a text: ``all``, positions, and fractions of the list.

    >>> read_cutoffs("all,10,0.2")
    (None, 10, 0.2)
    """
    return tuple(_cutoff(part) for part in text.split(","))


def _cutoff(text):
    """Return a cut-off as a number of positions, a fraction, or None for no cut-off."""
    expected = f"k={text!r}: expected all, a number of positions or a fraction such as 0.2"
    if text == "all":
        return None
    is_fraction = "." in text
    is_allowed = lambda k: 0 < k <= 1 if is_fraction else 1 <= k < inf and k == int(k)
    [k] = _numbers(text, is_allowed, expected)
    return k if is_fraction else int(k)


def read_discounts(text):
    """Return the discounts in a text, by name.

    >>> read_discounts("log,power:0.5")
    {'log': Log(), 'power:0.5': Power(beta=0.5)}
    """
    return {part: parse_discount(part) for part in text.split(",")}


def calculate(pair, discounts, cutoffs, sizes, certainty):
    """Return a `Row` for each discount and cut-off of a plan in items.

    The row contains the probability that the first ranker is ahead for each number of items, and the number
    of items needed.
    """
    rows = []
    for name, discount in discounts.items():
        for k in cutoffs:
            needed_items = items_needed(pair, discount, certainty, k)
            chances = {n: ahead_probability(pair, discount, n, k) for n in sizes}
            is_rough = isinstance(k, int) or discount.decay > 0.5  # the first few ranks decide
            texts = {f"n={n:,}": f"{chance:.1%}" for n, chance in chances.items()}
            texts[f"items for {certainty:.0%}"] = (
                "beyond 1e15" if needed_items == inf else f"{needed_items:,.0f}"
            )
            numbers = {f"ahead_at_{n}": chance for n, chance in chances.items()}
            measure = name if k is None else f"{name} @{k}{'n' if isinstance(k, float) else ''}"
            mark = "~" if is_rough else ""
            marked_texts = {key: mark + text for key, text in texts.items()}
            rows.append(
                Row(measure, marked_texts, numbers | {"items_needed": needed_items, "rough": is_rough})
            )
    return rows


def plan(cases, critical, query_counts):
    """Return a `Row` for each measure of a plan in queries.

    Parameters
    ----------
    cases : mapping of str to mapping of str to Case
        The cases of each measure. The row shows the standard deviation of a measure's last case.
    critical : float
        The critical value of the paired test's statistic.
    query_counts : sequence of int
        The numbers of available queries, if any. The row then shows the differences that can be detected with
        these numbers of queries.
    """
    rows = []
    for measure, measure_cases in cases.items():
        signals, noises, _ = np.array([*measure_cases.values()]).T  # a column for each field of `Case`
        needed_queries = dict(zip(measure_cases, paired_queries(effects(signals, noises), critical).tolist()))
        texts = {"sd": f"{noises[-1]:.3f}"} | {
            case: "beyond 1e9" if count == inf else f"{'~' if measure_cases[case].rough else ''}{count:,.0f}"
            for case, count in needed_queries.items()
        }
        detected_differences = {
            f"{count:,} show": float(noises[-1] * smallest_effect(count, critical)) for count in query_counts
        }
        texts |= {
            column: "none" if difference >= 1 else f"{difference:.3f}"
            for column, difference in detected_differences.items()
        }
        rows.append(
            Row(measure, texts, {"noise": float(noises[-1]), **needed_queries, **detected_differences})
        )
    return rows


def as_lines(title, rows, rough_note, *notes):
    """Return rows and notes as aligned lines for a terminal.

    ``title`` is the title of the first column. ``rough_note`` is added if a value is marked with ``~``.
    """
    cells = [(title, *rows[0].texts), *((row.measure, *row.texts.values()) for row in rows)]
    lines = [*aligned(cells), *notes]
    return [*lines, rough_note] if any("~" in line for line in lines) else lines


def numbers_of(rows):
    """Return the rows in full precision, as a DataFrame with a column ``measure``."""
    return pandas.DataFrame([{"measure": row.measure} | row.numbers for row in rows])
