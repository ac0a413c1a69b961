"""Gates: whether it is excluded that a system loses more than a margin to the baseline."""

import re
from dataclasses import replace
from functools import partial

import numpy as np

from ndcg_companion.checks import check_length, fail_if
from ndcg_companion.measures.gains import gains_of
from ndcg_companion.significance.family import LEVEL
from ndcg_companion.significance.planning import gate_queries
from ndcg_companion.text import escaped
from ranking_report.bounds import enough_differ, lower_bound
from ranking_report.measure_names import parse_measure
from ranking_report.scoring import gain_function, score
from ranking_report.sentences import gate_sentence

_MARGIN = re.compile(r"[-+−]?[0-9.]+(?:[eE][-+]?[0-9]+)?")
_DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)  # at which judgments are compared
_JUDGED_LESS = (0.01, 0.05)  # how much less of a baseline may be judged: the margin, within these


def read_gate(text, names):
    """The measure, one of these names, and the margin of a gate, which must lie between -1 and 1.

    >>> read_gate("MAP < -0.01", ["nDCG@10", "AP"])
    ('AP', -0.01)
    """
    name, _, margin = (part.strip() for part in str(check_length("gate", text)).partition("<"))
    gate = f"gate='{escaped(text)}'"
    whole = isinstance(text, str) and name and _MARGIN.fullmatch(margin)
    fail_if(not whole, f"{gate}: expected 'MEASURE < MARGIN', such as 'nDCG@10 < -0.01'")
    asked = parse_measure(name)
    measure = asked.name
    fail_if(measure not in names, f"{gate}: expected a measure that is compared, one of {', '.join(names)}")
    try:
        margin = float(margin.replace("−", "-"))
    except ValueError:
        raise ValueError(f"{gate}: expected a number after <") from None
    most = np.inf if asked.kind == "ir_measures" else 1
    fail_if(
        abs(margin) >= most,
        f"{gate}: expected a margin between -{most} and {most}, which a mean difference can miss",
    )
    return measure, margin


def check_gate(comparison, measure, margin):
    """Refuse a gate that a harmful system could pass, or that none can pass, whatever its results are.

    A gate needs a baseline that answered every query and is judged about as well as the others, at each depth
    that the measure looks at: by no more than the margin, and by at most 5 %, less; the mean over the orders
    of equal scores; and a margin that a mean difference can miss on these queries.

    Raises
    ------
    ValueError
    """
    baseline, rankings = comparison.baseline, comparison.rankings
    fail_if(
        baseline is None or len(comparison.systems) < 2,
        "gate: expected a baseline and at least one other system",
    )
    fail_if(
        comparison.settings["missing"] == "drop",
        "gate: expected missing='raise' or 'zero', got 'drop', which forgives a system what it lacks",
    )
    _check_ties(comparison, measure)
    fail_if(
        comparison.contradicted,
        "gate: expected ranks that agree with scores, got a run "
        f"({escaped(', '.join(comparison.contradicted))}) whose rank column says otherwise: "
        "are its scores distances, or its ranks those of an earlier order?",
    )
    shown = f"baseline='{escaped(baseline)}'"
    answered = np.logical_or.reduceat(rankings.scores[baseline] > -np.inf, rankings.offsets[:-1])
    lacking = rankings.queries[~answered]
    fail_if(
        len(lacking),
        f"{shown}: expected results for every query of a gate, got none for {len(lacking):,} of "
        f"{len(comparison.queries):,} ({escaped(', '.join(map(str, lacking[:3])), 100)}"
        f"{', …' if len(lacking) > 3 else ''}): every release would gain on these",
    )
    _check_judged(comparison, measure, margin, shown)
    _check_margin(comparison, measure, margin)


def _check_ties(comparison, measure):
    ties = comparison.settings["ties"]
    fail_if(
        ties != "average",
        f"gate: expected ties='average', got '{ties}', by which equal scores can pass for a good order",
    )
    if comparison.kinds[comparison.measure_names.index(measure)] == "ir_measures":
        tied = [name for name in comparison.systems if comparison.traits[name]["mixed"]]
        fail_if(
            tied,
            f"gate: expected no equal scores of results with different labels under {escaped(measure)}, as "
            f"ir_measures does not average their orders, got some of {escaped(', '.join(tied), 200)}",
        )


def _check_judged(comparison, measure, margin, shown):
    """Refuse a baseline of whose results clearly fewer are judged than of another system's, at any depth.

    What is not judged counts as worthless, so that such a baseline is too low by up to the difference.
    """
    rankings = comparison.rankings
    sizes = [np.add.reduceat(scores > -np.inf, rankings.offsets[:-1]) for scores in rankings.scores.values()]
    most = comparison.cutoffs[comparison.measure_names.index(measure)] or int(np.max(sizes))
    depths = [*(depth for depth in _DEPTHS if depth < most), most]
    judged = score(rankings, [parse_measure(f"Judged@{depth}") for depth in depths]).mean(axis=2)
    of_baseline = judged[:, comparison.systems.index(comparison.baseline)]
    less = judged.max(axis=1) - of_baseline
    worst = int(less.argmax())
    best = int(judged[worst].argmax())
    ours, theirs = 100 * of_baseline[worst], 100 * judged[worst, best]
    shares = f"{ours:.0f} % of its first {depths[worst]} results, and {theirs:.0f} %"
    fail_if(
        less[worst] > np.clip(abs(margin), *_JUDGED_LESS) + 1e-12,
        f"{shown}: expected a baseline that is judged about as well as the others, got {shares} of those of "
        f"{escaped(comparison.systems[best])}: what is not judged counts as worthless",
    )


def _check_margin(comparison, measure, margin):
    """Refuse a margin that no mean difference to this baseline can reach on these queries."""
    place = comparison.measure_names.index(measure)
    rows, least = comparison.values[place], comparison.reach[measure][0]
    base = rows[comparison.systems.index(comparison.baseline)]
    loss = (base - least).mean()
    fail_if(
        margin < 0 and -margin >= loss,
        f"gate='{escaped(measure)} < {margin:g}': expected a margin that a loss can exceed; {measure} of "
        f"{escaped(comparison.baseline)} is {base.mean():.3g} in the mean, so no system can lose more than "
        f"{loss:.3g}",
    )
    if margin > 0:
        gain = (highest_scores(comparison, place) - base).mean()
        fail_if(
            margin >= gain,
            f"gate='{escaped(measure)} < {margin:g}': expected a margin that a gain can exceed; on these "
            f"queries none over {escaped(comparison.baseline)} is larger than {gain:.3g}",
        )


def highest_scores(comparison, place):
    """The highest score that a list can have on each query: that of the best order of what is judged.

    Under a measure of ir_measures, whose rules are its own, no less than what some system has.
    """
    measure, rankings = comparison.asked[place], comparison.rankings
    worth = rankings.labels
    if measure.kind == "nDCG":
        worth = gains_of(worth, measure.gain or gain_function(comparison.gain, worth))
    ideal = replace(rankings, scores={"ideal": np.where(rankings.judged, worth, -np.inf)})
    best = score(ideal, [measure], gain=comparison.gain)[0, 0]
    return np.maximum(best, comparison.values[place].max(axis=0))


def hold(comparison, measure, margin, strict):
    """The verdict of a gate for one measure and margin, with the bounds that it rests on."""
    differences = comparison.against_baseline(measure)
    least, most = comparison.reach[measure]
    bound = partial(lower_bound, least=least - most, strict=strict)
    # All have to pass, so 5 % for each is 5 % for a false pass (Berger 1982): the worst decides.
    ends = {name: bound(row) for name, row in differences.items()}
    lowest = min(ends, key=ends.get)
    # Statements about single systems hold together by Bonferroni.
    level = LEVEL / len(differences)
    systems = {
        name: {
            "difference": float(row.mean()),
            "low": bound(row, level=level),
            "high": -bound(-row, level=level),
            "differing": int((np.abs(row) > 1e-12).sum()),
        }
        for name, row in differences.items()
    }
    passed = ends[lowest] > margin
    below = [name for name, found in systems.items() if found["high"] < margin]
    # The next release is planned by the noise of those that may still be harmless.
    open_rows = [row for name, row in differences.items() if name not in below] or [*differences.values()]
    deviations = [row.std(ddof=1) for row in open_rows] if len(comparison.queries) > 1 else [np.inf]
    few = not all(map(enough_differ, open_rows))
    verdict = {
        "measure": measure,
        "margin": margin,
        "passed": passed,
        "verdict": "pass" if passed else "worse" if below else "undecided",
        "worse": below,
        "bound": "strict" if strict or not enough_differ(differences[lowest]) else "usual",
        "queries_needed": gate_queries(deviations, margin, strict=strict or few),
        "varied": bool(np.ptp(differences[lowest]) > 1e-12),
        "rough": few,
        "lowest": {
            "system": lowest,
            "low": ends[lowest],
            "strict_low": lower_bound(differences[lowest], least - most, strict=True),
        },
        "systems": systems,
    }
    return verdict | {"said": gate_sentence(verdict, comparison.baseline, len(comparison.queries), strict)}
