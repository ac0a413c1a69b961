"""What a comparison says, in words. Names are foreign text: who shows the sentences escapes them."""

import numpy as np

from ndcg_companion.evaluation.planning import FEWEST_SURE

LEVEL = 0.05


def sentences(comparison):
    """The answer: what a gate decides, who is best, what is told apart, what it would take."""
    said = [gate["said"] for gate in comparison.gates] + [_leader(comparison)]
    if len(comparison.systems) > 1:
        said += [_told_apart(comparison), *_needed(comparison), _noise(comparison)]
    elif len(comparison.queries) < 2:
        said.append("One query says nothing about others.")
    if comparison.baseline is not None and not comparison.gates and len(comparison.systems) > 1:
        said.append(_before(comparison))
    return [sentence for sentence in said if sentence] + comparison.notes


def _leader(comparison):
    board, measure = comparison.leaderboard, comparison.measure_names[0]
    best = board.iloc[0]
    many = counted(len(comparison.queries), "query", "queries")
    mean = f"a mean {measure} of {best['mean']:.4f}"
    if len(board) == 1:
        ends = (
            f" (95 % interval {best['low']:.4f} to {best['high']:.4f})" if best["low"] == best["low"] else ""
        )
        return f"On {many}, {best['system']} has {mean}{ends}."
    if len(board) == 2:
        return _two(comparison, many)
    if np.ptp(comparison.values[0], axis=0).max() < 1e-12:
        return (
            f"On {many}, all {len(board)} systems score the same under {measure}: {best['mean']:.4f} in the "
            "mean."
        )
    beaten = int(comparison.apart()[comparison.systems.index(best["system"])].sum())
    others = len(board) - 1
    lead = f"On {many}, {best['system']} has the highest mean {measure}, {best['mean']:.4f}"
    if beaten == others:
        return f"{lead}, and is told apart from all {others} others."
    near = [name for name in board["system"][1:] if not _are_apart(comparison, best["system"], name)]
    some = ", ".join(near[:4]) + (f" and {len(near) - 4} more" if len(near) > 4 else "")
    return f"{lead}. It is told apart from {beaten} of {others} others, and not from {some}."


def _are_apart(comparison, one, other):
    at = comparison.systems.index
    return comparison.apart()[at(one), at(other)]


def _two(comparison, many):
    measure = comparison.measure_names[0]
    row = comparison.pairs.iloc[0]
    if np.abs(comparison.values[:, 0] - comparison.values[:, 1]).max() < 1e-12:
        return (
            f"On {many}, {row['first']} and {row['second']} score the same on every query: they may be one "
            "run twice, tie all items, or differ only in the order of items with equal labels."
        )
    sign = 1 if row["difference"] >= 0 else -1
    ahead, behind = (row["first"], row["second"])[::sign]
    low, high = sorted((sign * row["low"], sign * row["high"]))
    ends = f"95 % interval {signed(low)} to {signed(high)}, " if np.isfinite(low) else ""
    size = f"by {abs(row['difference']):.4f} ({ends}{p_value(row['p_family'])})"
    if row["p_family"] <= LEVEL:
        return f"On {many}, {ahead} is ahead of {behind} under {measure}, {size}."
    return (
        f"On {many}, {ahead} has the higher mean {measure} than {behind}, {size}: a difference like this "
        "comes about by chance too often to tell them apart."
    )


def _told_apart(comparison):
    table = comparison.measures
    if len(comparison.queries) < 6:
        few = counted(len(comparison.queries), "query", "queries")
        return (
            f"No two systems can be told apart on {few}: the signs of fewer than six cannot be sure of "
            "anything."
        )
    if len(comparison.systems) == 2 and len(table) == 1:
        return ""
    counts = [f"{row['apart']} of {row['pairs']} under {row['measure']}" for _, row in table.iterrows()]
    size = f"all {len(comparison.pairs)} comparisons" if len(comparison.pairs) > 1 else "it"
    what = "Pairs of systems told apart" if len(comparison.systems) > 2 else "Told apart"
    return f"{what}: {', '.join(counts)}. The chance of a single false one among {size} is at most 5 %."


def _needed(comparison):
    """What it would take to tell the first two neighbours apart that are not; nothing on too few queries."""
    if len(comparison.queries) < FEWEST_SURE:
        return []
    board = comparison.leaderboard
    for place in range(len(board) - 1):
        one, other = board["system"][place], board["system"][place + 1]
        if _are_apart(comparison, one, other):
            continue
        number, low, high = (board[name][place] for name in ("queries", "queries_low", "queries_high"))
        start = f"To tell {one} from {other}, its next on the leaderboard, with 80 % certainty"
        if not np.isfinite(low):
            return [f"{start} no number of queries is enough, if they differ as little as here."]
        if np.isfinite(high):
            return [f"{start} would take about {count(number)} queries ({count(low)} to {count(high)})."]
        seen = f"about {count(number)}" if np.isfinite(number) else "more than can be said"
        least = f"at least {count(low)} queries, {seen} if the difference is as seen"
        return [f"{start} would take {least}, and no number is enough if there is none."]
    return []


def _noise(comparison):
    flips = comparison.flips
    if flips.complete or len(comparison.queries) < 2:
        return ""
    noise = 1.96 * np.sqrt(LEVEL * (1 - LEVEL) / flips.patterns)
    near = int((np.abs(flips.p_family - LEVEL) <= noise).sum())
    turned = "No pair is" if near == 0 else "One pair is" if near == 1 else f"{near} pairs are"
    return (
        f"All p-values are from {flips.patterns:,} random sign patterns; another seed would move one near "
        f"0.05 by about {noise:.4f}. {turned} near enough to be turned by that."
    )


def _before(comparison):
    """What a gate asks, said before there is a verdict."""
    from ndcg_companion.evaluation.planning import gate_queries

    if len(comparison.queries) < 2:
        return ""
    measure = comparison.measure_names[0]
    _, _, spreads, critical = comparison.against_baseline(measure)
    plans = [
        f"{count(gate_queries(spreads, -margin, critical))} for {margin:g}"
        for margin in (0.005, 0.01, 0.02, 0.05)
    ]
    return (
        f"A gate against {comparison.baseline} on {measure} passes a release that does no harm with 90 % "
        f"certainty from about this many queries on, by the loss it tolerates: {', '.join(plans)}. There are "
        f"{len(comparison.queries)}."
    )


def gate_told(verdict, baseline, queries):
    """The verdict of a gate, with the reason, and what a harmless release would need."""
    measure, margin = verdict["measure"], verdict["margin"]
    asked = f"{measure} < {signed(margin, 'g')} against {baseline}"
    plan = count(verdict["queries_needed"])
    if margin >= 0:
        plan = "no number of queries lets a release pass that only does no harm"
    else:
        plan = (
            f"a release that does no harm needs about {plan} queries to pass with 90 % certainty; there are "
            f"{queries}"
        )
    if verdict["passed"]:
        name, ends = min(verdict["systems"].items(), key=lambda item: item[1]["low"])
        least = (
            f"the lowest end of a one-sided simultaneous 95 % interval is {signed(ends['low'])}, of {name}"
        )
        return f"Gate {asked}: passed. No loss beyond the margin: {least}. To plan the next: {plan}."
    if verdict["worse"]:
        told = ", ".join(
            f"{name} by {signed(verdict['systems'][name]['difference'])} (at most "
            f"{signed(verdict['systems'][name]['high'])})"
            for name in verdict["worse"][:4]
        )
        return f"Gate {asked}: failed, worse. {told} is below the margin. To plan the next: {plan}."
    open_ones = {name: ends for name, ends in verdict["systems"].items() if not ends["low"] > margin}
    name, ends = min(open_ones.items(), key=lambda item: item[1]["low"])
    span = f"its difference is {signed(ends['difference'])}, and may be as low as {signed(ends['low'])}"
    needed = count(verdict["queries_needed"])
    about = f"about {needed} queries needed" if margin < 0 else "more queries needed"
    return (
        f"Gate {asked}: failed, undecided: {about}. A loss beyond the margin is not excluded for {name}: "
        f"{span}; {plan}."
    )


def warnings(comparison, left, rankings, blank, absent, other):
    """What was left out, and what to beware of."""
    said = []
    if blank:
        said.append(
            f"Left out: {counted(blank, 'query', 'queries')} without a relevant item, for all measures."
        )
    if rankings.dropped:
        some = ", ".join(rankings.dropped[:5]) + (", …" if len(rankings.dropped) > 5 else "")
        number = counted(len(rankings.dropped), "query", "queries")
        said.append(f"Left out: {number} that not every file has ({some}).")
    if left:
        why = "it needs the length of the lists, and not every system ranks every item, all of them judged"
        said.append(f"Left out: {', '.join(left)}; {why}.")
    lacking = {name: number for name, number in absent.items() if number}
    if lacking:
        told = ", ".join(f"{name} ({number:,})" for name, number in list(lacking.items())[:5])
        said.append(f"Counted as 0: queries for which a system retrieved nothing: {told}.")
    if rankings.negative:
        said.append(f"Counted as 0: {counted(rankings.negative, 'grade', 'grades')} below zero.")
    for name, mean in other.items():
        at = comparison.systems.index(name)
        ours, share = comparison.values[0, at].mean(), 100 * comparison.traits[name]["tied"]
        said.append(
            f"Beware: {name} gives {share:.4g} % of its items a score that another one of the query has. "
            f"With ties='{comparison.settings['ties']}' its mean {comparison.measure_names[0]} is "
            f"{ours:.4f}, with trec_eval's order of ties {mean:.4f}."
        )
    judged = [100 * comparison.traits[name]["judged"] for name in comparison.systems]
    if max(judged) - min(judged) > 5 or min(judged) < 80:
        ends = dict.fromkeys(f"{end:.0f}" for end in (min(judged), max(judged)))
        said.append(
            f"Beware: of the first ten items of a list, {' to '.join(ends)} % are judged. The others count "
            "as worthless: judge more before you believe a difference between such systems."
        )
    return said


def counted(number, one, several):
    """A number with its noun.

    >>> counted(1, "query", "queries"), counted(1200, "query", "queries")
    ('1 query', '1,200 queries')
    """
    return f"{number:,} {one if number == 1 else several}"


def count(number):
    """An estimated number of queries, to two digits from a hundred on.

    >>> count(57.0), count(115_443.0), count(float("inf"))
    ('57', '120,000', 'more than a billion')
    """
    if not number < 1e9:
        return "more than a billion"
    return f"{number:.0f}" if number < 100 else f"{float(f'{number:.1e}'):,.0f}"


def signed(value, form=".4f"):
    """A difference with its sign.

    >>> signed(-0.0123)
    '−0.0123'
    """
    return f"{value:+{form}}".replace("-", "−")


def p_value(value):
    """A p-value for people.

    >>> p_value(0.0312), p_value(1e-9)
    ('p = 0.031', 'p < 0.0001')
    """
    return f"p = {value:.2g}" if value >= 0.0001 else "p < 0.0001"
