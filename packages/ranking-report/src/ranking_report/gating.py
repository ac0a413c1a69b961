"""Gates that a release passes only if a loss beyond a margin is excluded."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ndcg_companion.checks import check_length, fail_if
from ndcg_companion.measures.gains import gains_of
from ndcg_companion.significance.family import LEVEL
from ndcg_companion.significance.planning import gate_queries
from ndcg_companion.text import escaped
from ranking_report.bounds import enough_differ, lower_bound
from ranking_report.kinds import KINDS, OF_GAINS
from ranking_report.measure_names import parse_measure
from ranking_report.results import Result
from ranking_report.scoring import gain_function, score
from ranking_report.wording import EQUAL, count_text, listed, queries_text

_MARGIN = re.compile(r"[-+−]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
# The depths at which proportions of judged results are compared.
_DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
# The limits of the tolerated difference in these proportions, which is otherwise the margin.
_SHORTFALL_LIMITS = (0.01, 0.05)


@dataclass(frozen=True, eq=False)
class Gate(Result):
    """The result of `Comparison.gate`, which is true in a condition if the gate passed.

    Attributes
    ----------
    measure : str
        The name of the measure.
    margin : float
        The smallest tolerated difference from the baseline, which is below 0 for a loss.
    passed : bool
        Whether every system's lower bound is above the margin.
    verdict : {"pass", "worse", "undecided"}
        The result of the gate, which is "worse" if some system's difference is significantly below the
        margin.
    bound : {"usual", "strict"}
        The kind of bound that was used (see `lower_bound`).
    queries_needed : float
        The number of queries that a harmless release would need to pass with a probability of 90 %.
    lowest : str
        The system with the lowest bound, which determines whether the gate passes.
    low, strict_low : float
        The lower bound and the strict lower bound of the system ``lowest``.
    systems : dict of str to dict
        For each system: the mean ``difference``; the ends ``low`` and ``high`` of the interval, which is
        simultaneous for all systems; and ``differing``, the number of queries on which the system's score
        differs from the baseline's.
    """

    measure: str
    margin: float
    passed: bool
    verdict: str
    bound: str
    queries_needed: float
    lowest: str
    low: float
    strict_low: float
    systems: Mapping[str, Mapping[str, float]]

    def __bool__(self) -> bool:
        return self.passed


def read_gate(text, measures):
    """Return the measure's name and the margin that the text of a gate states.

    Parameters
    ----------
    text : str
        The text of the gate, which consists of a measure, "<" and a number.
    measures : sequence of Measure
        The measures that are compared.

    Raises
    ------
    ValueError
        If the text has another form, if the measure is not compared, or if all possible mean differences are
        on the same side of the margin.

    Examples
    --------
    >>> read_gate("MAP < -0.01", [parse_measure("nDCG@10"), parse_measure("AP")])
    ('AP', -0.01)
    """
    before_sign, _, after_sign = str(check_length("gate", text)).partition("<")
    name, margin = before_sign.strip(), after_sign.strip()
    gate = f"gate='{escaped(text)}'"
    fail_if(
        not (isinstance(text, str) and name and _MARGIN.fullmatch(margin)),
        f"{gate}: expected 'MEASURE < MARGIN', such as 'nDCG@10 < -0.01'",
    )
    measure_by_name = {measure.name: measure for measure in measures}
    measure = measure_by_name.get(name) or parse_measure(name)
    fail_if(
        measure.name not in measure_by_name,
        f"{gate}: expected a measure that is compared, one of {', '.join(measure_by_name)}",
    )
    margin = float(margin.replace("−", "-"))
    largest_difference = 1 if measure.kind in KINDS and measure.kind != "DCG" else np.inf
    fail_if(
        abs(margin) >= largest_difference,
        f"{gate}: expected a margin between -{largest_difference} and {largest_difference}, which a mean "
        "difference can miss",
    )
    return measure.name, margin


def check_gate(comparison, measure, margin):
    """Reject a gate that a harmful system could pass, or that no system could fail.

    Raises
    ------
    ValueError
        If the baseline lacks results for a query. If the baseline has clearly fewer judged results than
        another system at some depth that the measure uses: the shortfall may be at most the margin, and at
        most 5 %. If equal scores are not averaged over their orders. If all mean differences that are
        possible on these queries are on the same side of the margin.
    """
    measure_number = comparison.measure_names.index(measure)
    parsed_measure = comparison.parsed_measures[measure_number]
    fail_if(
        len(comparison.baselines) != 1 or len(comparison.systems) < 2,
        "gate: expected one baseline and at least one other system",
    )
    fail_if(
        comparison.settings["judged_only"],
        "gate: expected all results to count, got judged_only=True, which ignores unjudged results",
    )
    fail_if(
        comparison.settings["missing"] == "drop",
        "gate: expected missing='raise' or 'zero', got 'drop', which ignores the queries that a system lacks",
    )
    _check_ties(comparison, parsed_measure)
    fail_if(
        comparison.contradicted,
        "gate: expected ranks that agree with scores, got a run "
        f"({escaped(', '.join(comparison.contradicted))}) whose rank column contradicts them: "
        "are its scores distances, or its ranks those of an earlier order?",
    )
    if len(comparison.rankings.items):  # there are no lists to check in a table of scores
        _check_lists(comparison, parsed_measure, margin)
    _check_margin(comparison, measure_number, margin)


def _check_lists(comparison, measure, margin):
    """Reject a baseline that lacks results for a query or has few judged results."""
    baseline, rankings = comparison.baseline, comparison.rankings
    prefix = f"baseline='{escaped(baseline)}'"  # of messages
    is_answered = np.logical_or.reduceat(rankings.scores[baseline] > -np.inf, rankings.offsets[:-1])
    missing_queries = rankings.queries[~is_answered]
    fail_if(
        len(missing_queries),
        f"{prefix}: expected results for every query of a gate, got none for {len(missing_queries):,} of "
        f"{len(comparison.queries):,} ({escaped(', '.join(map(str, missing_queries[:3])), 100)}"
        f"{', …' if len(missing_queries) > 3 else ''}); every release would gain on them",
    )
    _check_judged(comparison, measure, margin, prefix)


def _check_ties(comparison, measure):
    """Reject a gate for which equal scores could count as a good order."""
    ties = comparison.settings["ties"]
    fail_if(
        ties != "average",
        f"gate: expected ties='average', got '{ties}', with which equal scores can look like a good ranking",
    )
    tied_systems = [name for name in comparison.systems if comparison.traits[name]["mixed"]]
    fail_if(
        measure.kind == "ir_measures" and tied_systems,
        f"gate: expected no equal scores of results with different labels under {escaped(measure.name)}, as "
        f"ir_measures does not average their orders, got some of {escaped(', '.join(tied_systems), 200)}",
    )


def _check_judged(comparison, measure, margin, prefix):
    """Reject a baseline with clearly fewer judged results than another system.

    Notes
    -----
    Unjudged results count as irrelevant, so the mean of such a baseline may be too low by as much as this
    shortfall of judged results.
    """
    rankings = comparison.rankings
    list_sizes = [
        np.add.reduceat(scores > -np.inf, rankings.offsets[:-1]) for scores in rankings.scores.values()
    ]
    deepest = measure.k if isinstance(measure.k, int) else int(np.max(list_sizes))
    depths = [*(depth for depth in _DEPTHS if depth < deepest), deepest]
    # The mean proportion of judged results, by depth and system.
    judged_parts = score(rankings, [parse_measure(f"Judged@{depth}") for depth in depths]).mean(axis=2)
    baseline_parts = judged_parts[:, comparison.systems.index(comparison.baseline)]
    shortfalls = judged_parts.max(axis=1) - baseline_parts
    worst_depth = int(shortfalls.argmax())
    best_system = int(judged_parts[worst_depth].argmax())
    baseline_percentage = 100 * baseline_parts[worst_depth]
    best_percentage = 100 * judged_parts[worst_depth, best_system]
    best_name = escaped(comparison.systems[best_system])
    results = f"first {depths[worst_depth]} results" if depths[worst_depth] > 1 else "first result"
    fail_if(
        shortfalls[worst_depth] > np.clip(abs(margin), *_SHORTFALL_LIMITS) + EQUAL,
        f"{prefix}: expected about as many judged results as the other systems have, got "
        f"{baseline_percentage:.0f} % of the {results} of each query, against {best_percentage:.0f} % for "
        f"{best_name}; "
        "unjudged results count as irrelevant, so judge more results of the baseline",
    )


def _check_margin(comparison, measure_number, margin):
    """Reject a margin that no mean difference to this baseline can reach."""
    measure = comparison.measure_names[measure_number]
    baseline_scores = comparison.values[measure_number, comparison.systems.index(comparison.baseline)]
    least = comparison.reach[measure][0]
    loss = (baseline_scores - least).mean()
    fail_if(
        margin < 0 and -margin >= loss,
        f"gate='{escaped(measure)} < {margin:g}': expected a margin that a loss can exceed; {measure} of "
        f"{escaped(comparison.baseline)} is {baseline_scores.mean():.3g} in the mean, so no system can lose "
        f"more than {loss:.3g}",
    )
    if margin > 0:
        gain = (highest_scores(comparison, measure_number) - baseline_scores).mean()
        fail_if(
            margin >= gain,
            f"gate='{escaped(measure)} < {margin:g}': expected a margin that a gain can exceed; on these "
            f"queries none over {escaped(comparison.baseline)} is larger than {gain:.3g}",
        )


def highest_scores(comparison, measure_number):
    """Return the highest score that a list can have on each query, under one measure.

    This is the score of the judged items in their best order. For a measure of ir_measures, whose rules may
    differ, the value is at least the largest score of any system.
    """
    measure, rankings = comparison.parsed_measures[measure_number], comparison.rankings
    if measure.kind == "given":
        return np.full(len(comparison.queries), comparison.reach[measure.name][1])
    gains = rankings.labels
    if measure.kind in OF_GAINS:
        gains = gains_of(gains, measure.gain or gain_function(comparison.settings["gain"], gains))
    # A system that ranks the judged items by their gains.
    ideal = replace(rankings, scores={"ideal": np.where(rankings.judged, gains, -np.inf)})
    ideal_scores = score(ideal, [measure], gain=comparison.settings["gain"])[0, 0]
    return np.maximum(ideal_scores, comparison.values[measure_number].max(axis=0))


def decide_gate(comparison, measure, margin, strict):
    """Return the `Gate` for a measure and a margin, with its bounds."""
    differences = comparison.against_baseline(measure)
    least, most = comparison.reach[measure]
    bound_of = partial(lower_bound, least=least - most, strict=strict)  # the least possible difference
    # Every system has to pass, so a level of 5 % for each gives 5 % for a false pass (Berger 1982).
    lows = {name: bound_of(row) for name, row in differences.items()}
    lowest_system = min(lows, key=lows.get)
    # The intervals of the systems are made simultaneous by Bonferroni's correction.
    level = LEVEL / len(differences)
    systems = {
        name: {
            "difference": float(row.mean()),
            "low": bound_of(row, level=level),
            "high": -bound_of(-row, level=level),
            "differing": int((np.abs(row) > EQUAL).sum()),
        }
        for name, row in differences.items()
    }
    passed = bool(lows[lowest_system] > margin)
    worse_names = [name for name, system in systems.items() if system["high"] < margin]
    # The plan for the next release uses the variance of the systems that may be harmless.
    harmless_rows = [row for name, row in differences.items() if name not in worse_names] or [
        *differences.values()
    ]
    deviations = [row.std(ddof=1) for row in harmless_rows] if len(comparison.queries) > 1 else [np.inf]
    is_rough = not all(map(enough_differ, harmless_rows))
    # `gate_queries` assumes losses of at most 1, whereas here a loss can be as large as the measure's range.
    scale = most - least
    needed_queries = gate_queries(np.divide(deviations, scale), margin / scale, strict=strict or is_rough)
    is_strict = strict or not enough_differ(differences[lowest_system])
    strict_low = lower_bound(differences[lowest_system], least - most, strict=True)
    # The sentences name the systems that are worse. With a margin above 0, they are about gains instead.
    shown_names = [] if passed or margin > 0 else worse_names
    claim = _claim(comparison, measure, margin, passed, shown_names, lowest_system)
    query_count = len(comparison.queries)
    return Gate(
        answer=f"Gate {'passed' if passed else 'failed'}: {claim}.\n"
        + _bounds(
            comparison.baseline,
            query_count,
            systems,
            shown_names or [lowest_system],
            None if shown_names else lows[lowest_system],
        ),
        remarks=[
            _plan(margin, needed_queries, is_rough, query_count),
            _assumption(differences[lowest_system], strict, is_strict, strict_low),
        ],
        tables={},
        measure=measure,
        margin=margin,
        passed=passed,
        verdict="pass" if passed else "worse" if worse_names else "undecided",
        bound="strict" if is_strict else "usual",
        queries_needed=needed_queries,
        lowest=lowest_system,
        low=lows[lowest_system],
        strict_low=strict_low,
        systems=systems,
    )


def _claim(comparison, measure, margin, passed, worse, lowest):
    """Return the part of a sentence that says what a gate showed.

    ``worse`` contains the names of the systems that are worse, and ``lowest`` is the decisive system.
    """
    amount, other_count = f" more than {abs(margin):g}" if margin else "", len(comparison.systems) - 1
    if worse:
        verb = "loses" if len(worse) == 1 else "lose"
        return f"{listed(worse)} {verb}{amount} in {measure} to {comparison.baseline}"
    subject = f"each of {other_count} systems" if passed and other_count > 1 else lowest
    negation = "" if passed else "not "
    if margin < 0:
        return f"a loss of{amount} in {measure} is {negation}excluded for {subject}"
    of_amount = f" of{amount}" if margin else ""
    return f"a gain{of_amount} in {measure} is {negation}shown for {subject}"


def _bounds(baseline, query_count, systems, names, low):
    """Return a line for each decisive system, with its difference and its bound.

    The line contains the lower bound if ``low`` is given, and otherwise the upper bound.
    """
    return "\n".join(
        f"{name} - {baseline}: {systems[name]['difference']:.3f}, "
        + (
            f"upper bound {systems[name]['high']:.3f}"
            if low is None
            else f"one-sided 95 % lower bound {low:.3f}"
        )
        + f" (its scores differ on {systems[name]['differing']} of {queries_text(query_count)})."
        for name in names[:4]  # more lines would hide the rest of the answer
    )


def _plan(margin, needed_queries, is_rough, query_count):
    """Return a sentence on how many queries a harmless release needs to pass."""
    if margin >= 0:
        return "A release that merely does no harm does not pass this gate, with any number of queries."
    if needed_queries <= query_count:
        enough = "may be enough" if is_rough else "are enough"
        return (
            f"These {query_count} queries {enough} for a harmless release to pass this gate with a "
            "probability of 90 %, if its differences vary as much."
        )
    number = f"{'at least' if is_rough else 'about'} {count_text(needed_queries)}"
    return (
        f"A harmless release needs {number} queries to pass this gate with a probability of 90 %, if its "
        f"differences vary as much as these; there are {query_count}."
    )


def _assumption(differences, strict, is_strict, strict_low):
    """Return the assumptions behind the 5 % level of a gate, which depend on the bound."""
    number = len(differences)
    if not is_strict:
        unseen_losses = (
            f"Losses on up to {100 * (1 - LEVEL ** (1 / number)):.2g} % of all queries may be absent from"
        )
        return (
            "The 5 % of the gate assume that the queries are a random sample, and that other queries have no "
            f"losses that are rarer and larger than those seen. {unseen_losses} {queries_text(number)}. "
            f"The strict lower bound, which covers such losses too, is {strict_low:.3f}."
        )
    reason = (
        "The gate used the strict bound, which also covers losses on kinds of queries that are absent here"
    )
    if not strict:
        constant = "The difference is the same on every query, so that it does not vary enough"
        reason = constant if np.ptp(differences) <= EQUAL else "Too few queries account for the variance"
        reason += " to trust a standard error, so the gate used the strict bound"
    return (
        f"{reason}. With it, a release at the margin passes with a probability of at most 5 %, usually far "
        "less, if the queries are a random sample."
    )
