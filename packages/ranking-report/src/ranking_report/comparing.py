"""Compare systems by judgments and runs, or by scores for each query."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas

from ndcg_companion.checks import duplicates, fail_if
from ndcg_companion.data.rankings import FilePath, Rankings
from ndcg_companion.significance.family import each_alone, flip_signs, pairs_of
from ndcg_companion.text import escaped
from ranking_report.catalogue import catalogue_columns, read_popularity
from ranking_report.choices import Missing, Ties
from ranking_report.cluster import parallel_map
from ranking_report.comparison import Comparison
from ranking_report.inputs import Source, gather
from ranking_report.kinds import count_in
from ranking_report.measure_names import Measure, parse_measures
from ranking_report.notes import omissions
from ranking_report.readers.joining import check_missing
from ranking_report.scores_table import read_scores
from ranking_report.scoring import Gains, complete, judged_part, of_queries, score, traits
from ranking_report.sharing import shared_weights

_MOST = 2_000_000  # the most comparisons, which are pairs times measures; this many take minutes


def compare(
    qrels: Source | Rankings,
    runs: Mapping[str, Source] | pandas.DataFrame | FilePath | Sequence[FilePath] | None = None,
    *,
    measures: Sequence[str | Measure] = ("nDCG@10",),
    ties: Ties = "average",
    gain: Gains = "linear",
    missing: Missing = "raise",
    baseline: str | Sequence[str] | None = None,
    primary: bool = False,
    judged_only: bool = False,
    popularity: FilePath | Mapping[str, float] | None = None,
    seed: int = 0,
    scheduler: str | None = None,
) -> Comparison:
    """Compare several systems on the same judged queries.

    Parameters
    ----------
    qrels : path; mapping of query to mapping of item to grade; DataFrame; named tuples; or Rankings
        The relevance judgments. The format of a file is recognized from its content. The file may contain
        TREC judgments, three columns, CSV or TSV with a header, JSON, LETOR, Parquet, or lines of LightGBM or
        XGBoost beside a file with the sizes of the queries. Files may be compressed. Columns and fields may
        have the names used here (query, item, label), or those of PyTerrier (qid, docno, label), ir_measures
        (query_id, doc_id, relevance), ranx (q_id, doc_id, score), BEIR (query-id, corpus-id, score) or files
        of recommenders (user_id, item_id, rating). ``Qrels`` of ranx are also accepted, as are lists or sets
        of the relevant items of each query. Unjudged items and grades below 0 count as 0. A table may also
        contain the scores, in columns ``score_NAME``, and ``runs`` is then omitted.
    runs : mapping of name to path, mapping of query to mapping of item to score, DataFrame or named tuples
        The results of each system, in the same formats. Instead of a label, each row contains a ``score``, or
        a ``rank`` that counts from the best item. Results may also be lists of items, best first. Files may
        also be TREC runs with or without a tag. They may have MS MARCO's columns (query, item and rank) or
        ColBERT's (query, item, rank and score). For LETOR, they may have one score per line. Instead of a
        mapping, ``runs`` may be the path of a folder of such files, several paths, or one DataFrame with the
        columns query, item and ``score_NAME`` for each system. DataFrames may be those of pandas or of
        Polars.
    measures : sequence of str
        The names of the measures, as `parse_measure` reads them. The first measure orders the leaderboard. A
        measure that depends on the length of the lists is left out, with a note, unless every system ranks
        every item.
    ties : {"average", "trec_eval", "best", "worst"}
        The treatment of equal scores: the mean over all their orders, trec_eval's order, or the best or the
        worst order.
    gain : {"linear", "exponential"}, callable of an array of labels, or mapping of label to gain
        The gain that each label has in DCG and nDCG.
    missing : {"raise", "zero", "drop"}
        The treatment of a judged query that some system lacks: reject the input, count 0 for this system, or
        leave the query out for all systems.
    baseline : str or sequence of str, optional
        The system, or systems, with which the others are compared. Only these pairs are tested, which takes
        fewer queries than testing all pairs. `Comparison.gate` compares the others with a single baseline.
    primary : bool
        Whether the first measure is tested first. The pairs under this measure then form a family of their
        own, as if no other measure were requested. The pairs under all other measures form a second family,
        which is tested only if all pairs differ significantly under the first measure. By default, all pairs
        under all measures form one family.
    judged_only : bool
        Whether unjudged items are removed from every list before it is scored (condensed lists).
    popularity : path, or mapping of item to number, optional
        How often each item of the catalogue was used. The leaderboard then has two more columns:
        ``coverage``, the proportion of the catalogue among the first ten results of all queries, and
        ``novelty``, the mean over these results of ``-log2`` of the item's proportion of all uses.
    seed : int
        The seed of the random permutations. There are so many permutations that the seed hardly matters.
    scheduler : str, optional
        The address of a Dask scheduler whose workers score queries and permute signs. The results do not
        depend on the scheduler.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If the input cannot be read or is inconsistent. The message names the file and line, or the query and
        item.

    Notes
    -----
    Queries without a relevant item are left out for all measures. The attribute ``notes`` and the answer list
    everything that was left out.

    Examples
    --------
    >>> qrels = {f"q{i}": {"a": 2, "b": 1, "c": 0} for i in range(8)}
    >>> good = {query: {"a": 3, "b": 2, "c": 1} for query in qrels}
    >>> poor = {query: {"a": 1, "b": 2, "c": 3} for query in qrels}
    >>> comparison = compare(qrels, {"good": good, "poor": poor}, measures=["nDCG@10", "AP"])
    >>> comparison.leaderboard[["system", "mean", "group"]].round(3).values.tolist()
    [['good', 1.0, 'a'], ['poor', 0.62, 'b']]
    """
    parsed_measures = parse_measures(measures)
    fail_if(
        not isinstance(seed, int) or isinstance(seed, bool) or seed < 0,
        f"seed={seed!r}: expected a whole number >= 0",
    )
    with parallel_map(scheduler) as map_in_parallel:
        rankings = qrels if isinstance(qrels, Rankings) else gather(qrels, runs, missing=missing)
        rankings.require(systems=1)
        for name, value in (("primary", primary), ("judged_only", judged_only)):
            fail_if(not isinstance(value, bool), f"{name}={escaped(value)}: expected True or False")
        catalogue = None if popularity is None else read_popularity(popularity)
        has_relevant = count_in(rankings.offsets, rankings.labels > 0) > 0
        fail_if(not has_relevant.any(), f"{rankings.source}: expected a query with a relevant item, got none")
        length_measures = [
            measure.name for measure in parsed_measures if measure.needs_n and not complete(rankings)
        ]
        scored_measures = [measure for measure in parsed_measures if measure.name not in length_measures]
        fail_if(
            not scored_measures,
            "measures: expected a measure that does not depend on the length of the lists, or lists of all "
            f"items of a query, all of them judged, got {', '.join(length_measures)}",
        )
        if not has_relevant.all():
            rankings = of_queries(rankings, has_relevant)
        # Sending the data to remote workers would take longer than the work.
        with parallel_map() as map_in_threads:
            system_traits = traits(rankings, map_function=map_in_threads)
        if catalogue:
            for name, columns in catalogue_columns(rankings, catalogue).items():
                system_traits[name] |= columns
        if judged_only:
            rankings = judged_part(rankings)
        values = score(rankings, scored_measures, ties, gain, map_in_parallel)
        settings = {"ties": ties, "gain": gain, "missing": missing, "judged_only": judged_only}
        omission_notes = omissions(rankings, length_measures, int((~has_relevant).sum()), judged_only)
        test_settings = {"baseline": baseline, "primary": primary, "seed": seed}
        return _comparison_of_scores(
            rankings,
            scored_measures,
            values,
            system_traits,
            omission_notes,
            settings | test_settings,
            map_in_parallel,
        )


def compare_scores(
    scores: FilePath | pandas.DataFrame,
    *,
    missing: Missing = "raise",
    baseline: str | Sequence[str] | None = None,
    primary: bool = False,
    seed: int = 0,
) -> Comparison:
    """Compare systems by scores that another program computed for each query.

    Parameters
    ----------
    scores : path, or DataFrame
        A table with one row for each query (or task), system (or model) and measure. The table has a column
        for each of these three and the column ``score``. The first measure orders the leaderboard.
    missing, baseline, primary, seed
        As for `compare`, except that ``missing`` is about scores that the table lacks.

    Returns
    -------
    Comparison
        The comparison lacks the parts that need rankings: ties, judged results, shared results, and lists
        side by side.

    Raises
    ------
    ValueError
        If the table cannot be read, contains a score twice, or lacks a score.

    Notes
    -----
    Scores are assumed to be between 0 and 1. If some scores are outside this range, intervals are not limited
    to it, and the strict bound of a gate assumes the range of the observed scores.

    Examples
    --------
    >>> bonus = {"a": 0, "b": 1}
    >>> rows = [(f"q{i}", system, "F1", i % 3 + bonus[system]) for i in range(8) for system in bonus]
    >>> table = pandas.DataFrame(rows, columns=["query", "system", "measure", "score"])
    >>> compare_scores(table).answer.partition(".")[0]
    'In mean F1 over 8 queries, b is significantly better than a'
    """
    check_missing(missing)
    measures, rankings, values = read_scores(scores, missing)
    number_of_pairs(len(rankings.scores), np.size(baseline) if baseline else 0, len(measures))
    settings = {"ties": "average", "gain": "linear", "missing": missing, "judged_only": False}
    test_settings = {"baseline": baseline, "primary": primary, "seed": seed}
    omission_notes = omissions(rankings, [], 0)
    with parallel_map() as map_in_threads:
        return _comparison_of_scores(
            rankings,
            measures,
            values,
            traits(rankings),
            omission_notes,
            settings | test_settings,
            map_in_threads,
        )


def number_of_pairs(system_count, baseline_count, measure_count):
    """Return the number of pairs to compare, or raise an error if there are too many.

    Raises
    ------
    ValueError
        If the number of pairs, multiplied by the number of measures, exceeds the limit.

    Examples
    --------
    >>> number_of_pairs(4, 0, 1), number_of_pairs(4, 1, 1), number_of_pairs(4, 2, 1)
    (6, 3, 4)
    """
    pair_count = system_count * (system_count - 1) // 2
    remedy = "--baseline NAME compares with one system only"
    if baseline_count:  # each pair consists of a baseline and another system
        pair_count = baseline_count * (system_count - baseline_count)
        remedy = "name fewer systems or measures"
    measures_text = f", under {measure_count} measures" if measure_count > 1 else ""
    fail_if(
        pair_count * measure_count > _MOST,
        f"{system_count:,} systems: expected at most {_MOST:,} comparisons, got {pair_count:,} pairs"
        f"{measures_text}; {remedy}",
    )
    return pair_count


def _comparison_of_scores(
    rankings, measures, values, system_traits, omission_notes, settings, map_in_parallel
):
    """Test all pairs, and return the `Comparison` for these scores."""
    systems, baseline = [*rankings.scores], settings["baseline"]  # a name, several names or None
    baseline_names = baseline if isinstance(baseline, (list, tuple)) else [baseline]
    baselines = tuple(name for name in baseline_names if name is not None)
    system_names = escaped(", ".join(systems), 300)
    for name in baselines:
        fail_if(name not in systems, f"baseline='{escaped(name)}': expected one of {system_names}")
    fail_if(
        duplicates(baselines),
        f"baseline: expected each system once, got {escaped(', '.join(baselines), 300)}",
    )
    fail_if(
        len(baselines) > 1 and len(baselines) == len(systems),
        "baseline: expected a system beside the baselines, got none",
    )
    baseline_numbers = [systems.index(name) for name in baselines] or None
    seed = settings["seed"]
    # The first measure forms a family of tests of its own if it is primary.
    values_of_families = [values[:1], values[1:]] if settings["primary"] else [values]
    with parallel_map() as map_in_threads:
        shared, unjudged = shared_weights(rankings, measures, settings["ties"], map_in_threads)
    return Comparison(
        rankings=rankings,
        parsed_measures=measures,
        settings=settings,
        values=values,
        families=[
            flip_signs(pairs_of(family_values, baseline_numbers), seed, mapped=map_in_parallel)
            for family_values in values_of_families
            if len(family_values)
        ],
        level_flips=flip_signs(each_alone(values[0]), seed, mapped=map_in_parallel),
        shared=shared,
        unjudged=unjudged,
        traits=system_traits,
        omissions=omission_notes,
        systems=systems,
        queries=[*map(str, rankings.queries)],
        measure_names=[measure.name for measure in measures],
        baselines=baselines,
        contrasts=pairs_of(values, baseline_numbers),
    )
