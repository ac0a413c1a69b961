"""The answer of a comparison: a sentence for a team lead, a table, and remarks that change the decision."""

import textwrap
from math import isfinite, isnan

import numpy as np

from ndcg_companion.significance.family import NOT_TESTED
from ndcg_companion.significance.planning import FEWEST_SURE
from ndcg_companion.text import escaped
from ranking_report.cells import aligned
from ranking_report.gating import Gate
from ranking_report.remarks import remarks, rests_on_few
from ranking_report.wording import EQUAL, ahead_first, counted, listed, queries

MOST_REMARKS = 3  # below the table; all are on the page
_MOST_ROWS = 20  # of systems in the table; all are in `leaderboard`


def as_text(comparison, results=(), width=100):
    """The answer for a terminal: results of questions, sentences, table, remarks, and what was left out."""
    wrap = textwrap.TextWrapper(width, break_on_hyphens=False, break_long_words=False)
    bullet = textwrap.TextWrapper(
        width, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
    )
    every_remark = remarks(comparison, results)
    left = len(every_remark) - MOST_REMARKS
    more = (
        [f"{counted(left, 'more remark', 'more remarks')} on the page (--output, save)."] if left > 0 else []
    )
    parts = [
        [wrap.fill(line) for line in lines(comparison, results)],
        table(comparison),
        [bullet.fill(remark) for remark in every_remark[:MOST_REMARKS]],
        [wrap.fill(line) for line in [*comparison.omissions, *more]],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def lines(comparison, results=()):
    """What gates decide, which systems are significantly better, and the answers to other questions."""
    gates = [result.answer for result in results if isinstance(result, Gate)]
    others = [result.answer for result in results if not isinstance(result, Gate)]
    return "\n".join([*gates, *sentences(comparison), *others]).split("\n")


def sentences(comparison):
    """Which systems are significantly better: a sentence for all measures that say the same."""
    number, board = len(comparison.queries), comparison.leaderboard
    if len(board) == 1:
        means = [f"{name} {comparison.means[name][0]:.3f}" for name in comparison.measure_names]
        low, high = board.loc[0, ["low", "high"]]
        means[0] += f" (95 % interval {low:.3f} to {high:.3f})" if isfinite(low) else ""
        return [f"Over {queries(number)}, the means of {board['system'][0]} are {listed(means)}."]
    measures = {}
    for name in comparison.measure_names:
        measures.setdefault(_verdict(comparison, name), []).append(name)
    return [
        f"In mean {listed(names)}{f' over {queries(number)}' if place == 0 else ''}, {verdict}."
        for place, (verdict, names) in enumerate(measures.items())
    ]


def _verdict(comparison, measure):
    """What one measure says of all systems, without its name."""
    pairs = comparison.pairs[comparison.pairs["measure"] == measure]
    means = comparison.means.set_index("system")[measure].sort_values(ascending=False, kind="stable")
    values = comparison.values[comparison.measure_names.index(measure)]
    if np.ptp(values, axis=0).max() < EQUAL:
        systems = listed(means.index) if len(means) == 2 else f"all {len(means)} systems"
        return f"{systems} have the same score on every query"
    if len(comparison.queries) < FEWEST_SURE:
        return f"no difference can be significant: that takes at least {FEWEST_SURE} queries"
    if (pairs["how"] == NOT_TESTED).all():
        first = comparison.measure_names[0]
        return f"nothing is tested, as not all of the pairs differ significantly in {first}"
    apart = dict(zip(comparison.systems, comparison.apart(measure)))
    significant = lambda system, other: apart[system][comparison.systems.index(other)]
    clauses = _beside(means, significant, comparison.baseline or means.index[0], comparison.baseline is None)
    few = sum(
        row["measure"] == measure and rests_on_few(row, len(comparison.queries))
        for row in comparison.significant
    )
    if few:
        what = "one of these differences" if few == 1 else f"{few} of these differences"
        clauses.append(f"few queries account for the variance of {what} (see below)")
    return "; ".join(clauses)


def _beside(means, significant, reference, is_best):
    """Which systems are significantly better or worse than the baseline, or else than the best system."""
    others = [name for name in means.index if name != reference]
    near = [name for name in others if not significant(reference, name)]
    better = [name for name in others if name not in near and means[name] > means[reference]]
    worse = [name for name in others if name not in near and name not in better]
    top = [reference, *near]
    together = is_best and all(
        significant(name, other) == (other in worse) for name in top for other in others if name != other
    )
    if is_best and not worse:
        if together:
            many = f"no two of {len(means)} systems differ significantly"
            return [many if len(means) > 2 else f"{listed(top)} do not differ significantly"]
        return [f"{reference} has the highest mean, but is not significantly better than any other system"]
    if together and near:
        return [
            f"{listed(top)} are significantly better than {listed(worse)}",
            f"{listed(top)} do not differ significantly",
        ]
    if is_best:
        clause = f"{reference} is significantly better than {listed(worse)}"
        return [f"{clause}, but not than {listed(near)}" if near else clause]
    return [
        f"{listed(names)} {singular if len(names) == 1 else plural} {reference}"
        for names, singular, plural in (
            (better, "is significantly better than", "are significantly better than"),
            (worse, "is significantly worse than", "are significantly worse than"),
            (near, "does not differ significantly from", "do not differ significantly from"),
        )
        if names
    ]


def table(comparison):
    """Lines of aligned text: each system beside the baseline, or else the best, by the first measure."""
    board, baseline = comparison.leaderboard, comparison.baseline
    if len(board) == 1:
        return []
    reference = baseline or board["system"][0]
    by = f"minus {escaped(reference, 40)}" if baseline else f"behind {escaped(reference, 40)} by"
    pairs = comparison.pairs[comparison.pairs["measure"] == comparison.measure_names[0]].to_dict("records")
    # A baseline is second in each of its pairs; the best is ahead of all.
    rows = {row["first"]: row for row in pairs}
    if baseline is None:
        rows = {row["second"]: row for row in map(ahead_first, pairs) if row["first"] == reference}
        rows |= {row["first"]: row for row in map(ahead_first, pairs) if row["second"] == reference}
    sizes = [abs(row["difference"]) for row in rows.values() if abs(row["difference"]) > EQUAL]
    digits = 3 if min(sizes, default=1) >= 0.005 else 4
    ranks = [
        f"{low}-{high}" if low < high else f"{low}"
        for low, high in zip(board["rank_low"], board["rank_high"])
    ]
    cells = [("system", *comparison.measure_names, f"{by} (95 % interval)", "p", "rank")]
    for rank, (name, *means) in zip(ranks, comparison.means.itertuples(index=False)):
        numbers = [f"{mean:.{digits}f}" for mean in means]
        cells.append((escaped(name, 40), *numbers, *_beside_reference(rows.get(name), digits), rank))
    shown = [row[:-1] for row in cells] if baseline else cells  # of pairs without a baseline no rank follows
    left = len(board) - _MOST_ROWS
    more = [f"and {counted(left, 'more system', 'more systems')}"] if left > 0 else []
    return [*aligned(shown[: _MOST_ROWS + 1]), *more]


def _beside_reference(row, digits):
    """The difference with its interval, and the p-value in the family, of one row of the table."""
    if row is None:
        return "-", "-"
    difference = f"{row['difference']:.{digits}f}"
    if isnan(row["low"]):
        difference += " (the same on every query)"
    elif isfinite(row["high"]):
        difference += f" ({row['low']:.{digits}f} to {row['high']:.{digits}f})"
    p = f"{row['p_family']:.2g}" if row["p_family"] >= 0.001 else "< 0.001"
    return difference, NOT_TESTED if row["how"] == NOT_TESTED else p
