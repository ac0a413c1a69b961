"""The answer of a comparison: sentences, a table and the main remarks."""

import textwrap
from math import isfinite, isnan

import numpy as np

from ndcg_companion.significance.family import NOT_TESTED
from ndcg_companion.significance.planning import FEWEST_SURE
from ndcg_companion.text import escaped
from ranking_report.cells import aligned
from ranking_report.gating import Gate
from ranking_report.remarks import remarks, rests_on_few
from ranking_report.wording import EQUAL, ahead_first, counted, listed, queries_text

MOST_REMARKS = 3  # the most remarks below the table; the page shows all of them
_MOST_ROWS = 20  # the most systems in the table; `leaderboard` has all of them


def as_text(comparison, results=(), width=100):
    """Return the answer as text for a terminal.

    The text consists of the gates, the sentences, the table, the first remarks and the notes on what was left
    out.
    """
    wrap = textwrap.TextWrapper(width, break_on_hyphens=False, break_long_words=False)
    bullet = textwrap.TextWrapper(
        width, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
    )
    all_remarks = remarks(comparison, results)
    hidden_count = len(all_remarks) - MOST_REMARKS
    more_lines = (
        [f"{counted(hidden_count, 'more remark', 'more remarks')} on the page (--output, save)."]
        if hidden_count > 0
        else []
    )
    parts = [
        [wrap.fill(line) for line in lines(comparison, results)],
        table(comparison),
        [bullet.fill(remark) for remark in all_remarks[:MOST_REMARKS]],
        [wrap.fill(line) for line in [*comparison.omissions, *more_lines]],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def lines(comparison, results=()):
    """Return the sentences of the answer, gates first and further questions last."""
    gates = [result.answer for result in results if isinstance(result, Gate)]
    others = [result.answer for result in results if not isinstance(result, Gate)]
    return "\n".join([*gates, *sentences(comparison), *others]).split("\n")


def sentences(comparison):
    """Return sentences that say which systems are significantly better.

    Measures with the same conclusion share a sentence.
    """
    number_of_queries, leaderboard = queries_text(len(comparison.queries)), comparison.leaderboard
    if len(leaderboard) == 1:
        means = [f"{name} {comparison.means[name][0]:.3f}" for name in comparison.measure_names]
        low, high = leaderboard.loc[0, ["low", "high"]]  # of the first measure
        means[0] += f" (95 % interval {low:.3f} to {high:.3f})" if isfinite(low) else ""
        return [f"Over {number_of_queries}, the means of {leaderboard['system'][0]} are {listed(means)}."]
    names_by_verdict = {}
    for name in comparison.measure_names:
        names_by_verdict.setdefault(_verdict(comparison, name), []).append(name)
    answer = []
    for verdict, names in names_by_verdict.items():
        over_queries = "" if answer else f" over {number_of_queries}"  # only in the first sentence
        answer.append(f"In mean {listed(names)}{over_queries}, {verdict}.")
    return answer


def _verdict(comparison, measure):
    """Return a clause on which systems differ under one measure, without naming it."""
    pairs = comparison.pairs[comparison.pairs["measure"] == measure]
    means = comparison.means.set_index("system")[measure].sort_values(ascending=False, kind="stable")
    values = comparison.values[comparison.measure_names.index(measure)]
    if np.ptp(values, axis=0).max() < EQUAL:
        systems = listed(means.index) if len(means) == 2 else f"all {len(means)} systems"
        return f"{systems} have the same score on every query"
    if len(comparison.queries) < FEWEST_SURE:
        return f"no difference can be significant: that takes at least {FEWEST_SURE} queries"
    if (pairs["how"] == NOT_TESTED).all():
        first_measure = comparison.measure_names[0]
        return f"nothing is tested, as not all of the pairs differ significantly in {first_measure}"
    is_significant, number_of = comparison.apart(measure), comparison.systems.index
    differ = lambda system, other: is_significant[number_of(system), number_of(other)]
    references = comparison.baselines or means.index[:1]  # without a baseline, the best system
    compared_means = means
    if len(references) > 1:  # several baselines are not compared with each other
        compared_means = means.drop([*references])
    clauses = []
    for name in references:
        clauses += _reference_clauses(compared_means, means[name], differ, name, not comparison.baselines)
    few_count = sum(
        row["measure"] == measure and rests_on_few(row, len(comparison.queries))
        for row in comparison.significant
    )
    if few_count:
        phrase = "one of these differences" if few_count == 1 else f"{few_count} of these differences"
        clauses.append(f"few queries account for the variance of {phrase} (see below)")
    return "; ".join(clauses)


def _reference_clauses(means, reference_mean, differ, reference, is_best):
    """Return clauses that name the systems that are better or worse than a reference.

    ``means`` contains the means of the compared systems, ``differ(name, other)`` says whether two systems
    differ significantly, and ``is_best`` says whether the reference is the best system or a baseline.
    """
    others = [name for name in means.index if name != reference]
    similar_names = [name for name in others if not differ(reference, name)]
    better_names = [name for name in others if name not in similar_names and means[name] > reference_mean]
    worse_names = [name for name in others if name not in similar_names and name not in better_names]
    top_names = [reference, *similar_names]
    # Whether every top system differs from exactly the worse systems, so that one clause tells all.
    is_complete = is_best and all(
        differ(name, other) == (other in worse_names)
        for name in top_names
        for other in others
        if name != other
    )
    if is_best and not worse_names:
        if is_complete:
            clause_of_all = f"no two of {len(means)} systems differ significantly"
            return [clause_of_all if len(means) > 2 else f"{listed(top_names)} do not differ significantly"]
        return [f"{reference} has the highest mean, but is not significantly better than any other system"]
    if is_complete and similar_names:
        return [
            f"{listed(top_names)} are significantly better than {listed(worse_names)}",
            f"{listed(top_names)} do not differ significantly",
        ]
    if is_best:
        clause = f"{reference} is significantly better than {listed(worse_names)}"
        return [f"{clause}, but not than {listed(similar_names)}" if similar_names else clause]
    return [
        f"{listed(names)} {singular if len(names) == 1 else plural} {reference}"
        for names, singular, plural in (
            (better_names, "is significantly better than", "are significantly better than"),
            (worse_names, "is significantly worse than", "are significantly worse than"),
            (similar_names, "does not differ significantly from", "do not differ significantly from"),
        )
        if names
    ]


def table(comparison):
    """Return the table as aligned lines, with each system beside the references.

    The references are the baselines or, without a baseline, the best system. The table shows the differences
    under the first measure.
    """
    leaderboard, baselines = comparison.leaderboard, comparison.baselines
    if len(leaderboard) == 1:
        return []
    references = baselines or leaderboard["system"][:1]
    pairs = comparison.pairs[comparison.pairs["measure"] == comparison.measure_names[0]].to_dict("records")
    # The row of each system beside a reference. A baseline is the second system of each of its pairs.
    row_of_pair = {(row["first"], row["second"]): row for row in pairs}
    if not baselines:  # the reference is the best system, which no other system is ahead of
        best = references[0]
        rows_of_best = [row for row in map(ahead_first, pairs) if best in (row["first"], row["second"])]
        row_of_pair = {
            (row["second"] if row["first"] == best else row["first"], best): row for row in rows_of_best
        }
    sizes = [abs(row["difference"]) for row in row_of_pair.values()]
    # If some difference, other than a rounding error, is below 0.005, a fourth digit shows its size.
    digits = 3 if min((size for size in sizes if size > EQUAL), default=1) >= 0.005 else 4
    title_form = "minus {} (95 % interval)" if baselines else "behind {} by (95 % interval)"
    plain_columns = shown_columns(comparison)
    header = ["system", *comparison.measure_names]
    for name in references:
        header += [title_form.format(escaped(name, 40)), "p"]
    header += [] if baselines else ["rank"]  # if only pairs with a baseline are tested, there are no ranks
    header += ["top 10 unjudged" if name == "judged" else name for name in plain_columns]
    table_rows = [header]
    for row, (name, *means) in zip(leaderboard.to_dict("records"), comparison.means.itertuples(index=False)):
        cells = [escaped(name, 40), *(f"{mean:.{digits}f}" for mean in means)]
        for other in references:
            cells += _beside_reference(row_of_pair.get((name, other)), digits)
        if not baselines:
            low, high = row["rank_low"], row["rank_high"]
            cells.append(f"{low}-{high}" if low < high else f"{low}")
        table_rows.append([*cells, *(plain_cell(column, row[column]) for column in plain_columns)])
    hidden_count = len(leaderboard) - _MOST_ROWS
    more_lines = [f"and {counted(hidden_count, 'more system', 'more systems')}"] if hidden_count > 0 else []
    return [*aligned(table_rows[: _MOST_ROWS + 1]), *more_lines]


def shown_columns(comparison):
    """Return the columns without a test that are worth showing.

    The column of unjudged results is left out if all results are judged.
    """
    board = comparison.leaderboard
    return [name for name in comparison.plain_columns if name != "judged" or board["judged"].min() < 1]


def plain_cell(column, value):
    """Return the formatted cell of a column without a test.

    >>> plain_cell("judged", 0.75), plain_cell("novelty", 3.14159)
    ('25 %', '3.14')
    """
    return f"{100 - 100 * value:.0f} %" if column == "judged" else f"{value:.3g}"


def _beside_reference(row, digits):
    """Return the texts of a difference with its interval, and of its adjusted p-value.

    ``row`` is a row of the pairs, or None for a pair that is not compared.
    """
    if row is None:
        return "-", "-"
    difference = f"{row['difference']:.{digits}f}"
    if isnan(row["low"]):
        difference += " (the same on every query)"
    elif isfinite(row["high"]):
        difference += f" ({row['low']:.{digits}f} to {row['high']:.{digits}f})"
    p = f"{row['p_family']:.2g}" if row["p_family"] >= 0.001 else "< 0.001"
    return difference, NOT_TESTED if row["how"] == NOT_TESTED else p
