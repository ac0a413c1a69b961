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
from ranking_report.wording import EQUAL, ahead_first, counted, listed, queries

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
    every_remark = remarks(comparison, results)
    hidden_count = len(every_remark) - MOST_REMARKS
    more_lines = (
        [f"{counted(hidden_count, 'more remark', 'more remarks')} on the page (--output, save)."]
        if hidden_count > 0
        else []
    )
    parts = [
        [wrap.fill(line) for line in lines(comparison, results)],
        table(comparison),
        [bullet.fill(remark) for remark in every_remark[:MOST_REMARKS]],
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
    query_count, leaderboard = len(comparison.queries), comparison.leaderboard
    if len(leaderboard) == 1:
        means = [f"{name} {comparison.means[name][0]:.3f}" for name in comparison.measure_names]
        low, high = leaderboard.loc[0, ["low", "high"]]  # of the first measure
        means[0] += f" (95 % interval {low:.3f} to {high:.3f})" if isfinite(low) else ""
        return [f"Over {queries(query_count)}, the means of {leaderboard['system'][0]} are {listed(means)}."]
    names_by_verdict = {}
    for name in comparison.measure_names:
        names_by_verdict.setdefault(_verdict(comparison, name), []).append(name)
    return [
        f"In mean {listed(names)}{f' over {queries(query_count)}' if number == 0 else ''}, {verdict}."
        for number, (verdict, names) in enumerate(names_by_verdict.items())
    ]


def _verdict(comparison, measure):
    """Return the conclusion about all systems under one measure, without naming it."""
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
    significance_rows = dict(zip(comparison.systems, comparison.apart(measure)))
    differ = lambda system, other: significance_rows[system][comparison.systems.index(other)]
    references = comparison.baselines or means.index[:1]
    compared_means = means.drop([name for name in comparison.baselines if len(references) > 1])
    clauses = [
        clause
        for name in references
        for clause in _reference_clauses(compared_means, means[name], differ, name, not comparison.baselines)
    ]
    few_count = sum(
        row["measure"] == measure and rests_on_few(row, len(comparison.queries))
        for row in comparison.significant
    )
    if few_count:
        phrase = "one of these differences" if few_count == 1 else f"{few_count} of these differences"
        clauses.append(f"few queries account for the variance of {phrase} (see below)")
    return "; ".join(clauses)


def _reference_clauses(means, reference_mean, differ, reference, is_best):
    """Return clauses that name the systems that are better or worse than a reference."""
    others = [name for name in means.index if name != reference]
    similar_names = [name for name in others if not differ(reference, name)]
    better_names = [name for name in others if name not in similar_names and means[name] > reference_mean]
    worse_names = [name for name in others if name not in similar_names and name not in better_names]
    top_names = [reference, *similar_names]
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
    # A baseline is the second system of each of its pairs, and the best system is ahead in all of its pairs.
    row_of_pair = {(entry["first"], entry["second"]): entry for entry in pairs}
    if not baselines:
        rows_of_best = [
            entry for entry in map(ahead_first, pairs) if references[0] in (entry["first"], entry["second"])
        ]
        row_of_pair = {
            ({entry["first"], entry["second"]} - {references[0]}).pop(): entry for entry in rows_of_best
        }
        row_of_pair = {(name, references[0]): entry for name, entry in row_of_pair.items()}
    difference_sizes = [
        abs(entry["difference"]) for entry in row_of_pair.values() if abs(entry["difference"]) > EQUAL
    ]
    digits = 3 if min(difference_sizes, default=1) >= 0.005 else 4
    ranks = [
        f"{low}-{high}" if low < high else f"{low}"
        for low, high in zip(leaderboard["rank_low"], leaderboard["rank_high"])
    ]
    title_form = "minus {}" if baselines else "behind {} by"
    reference_titles = [
        (f"{title_form.format(escaped(name, 40))} (95 % interval)", "p") for name in references
    ]
    plain_columns = shown_columns(comparison)
    plain_titles = ["top 10 unjudged" if name == "judged" else name for name in plain_columns]
    table_rows = [
        (
            "system",
            *comparison.measure_names,
            *(title for texts in reference_titles for title in texts),
            "rank",
            *plain_titles,
        )
    ]
    for rank, entry, (name, *means) in zip(
        ranks, leaderboard.to_dict("records"), comparison.means.itertuples(index=False)
    ):
        mean_texts = [f"{mean:.{digits}f}" for mean in means]
        reference_cells = [_beside_reference(row_of_pair.get((name, other)), digits) for other in references]
        plain_cells = [plain_cell(column, entry[column]) for column in plain_columns]
        table_rows.append(
            (
                escaped(name, 40),
                *mean_texts,
                *(text for texts in reference_cells for text in texts),
                rank,
                *plain_cells,
            )
        )
    if baselines:  # if only pairs with a baseline are tested, there are no ranks
        rank_column = table_rows[0].index("rank")
        table_rows = [entry[:rank_column] + entry[rank_column + 1 :] for entry in table_rows]
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
    """Return a formatted difference with its interval, and its adjusted p-value."""
    if row is None:
        return "-", "-"
    difference = f"{row['difference']:.{digits}f}"
    if isnan(row["low"]):
        difference += " (the same on every query)"
    elif isfinite(row["high"]):
        difference += f" ({row['low']:.{digits}f} to {row['high']:.{digits}f})"
    p = f"{row['p_family']:.2g}" if row["p_family"] >= 0.001 else "< 0.001"
    return difference, NOT_TESTED if row["how"] == NOT_TESTED else p
