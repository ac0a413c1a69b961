"""The result of comparing several systems on the same queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
import pandas

from ndcg_companion.checks import fail_if
from ndcg_companion.data.rankings import FilePath, Rankings
from ndcg_companion.significance.family import (
    LEVEL,
    Contrasts,
    Flips,
    each_alone,
    in_turn,
)
from ndcg_companion.significance.planning import (
    FEWEST_SURE,
    effect_interval,
    effects,
    paired_queries,
    queries_needed,
    swap_rate,
)
from ndcg_companion.text import escaped
from ranking_report.answer import as_text
from ranking_report.bounds import carriers
from ranking_report.gating import Gate, check_gate, decide_gate, read_gate
from ranking_report.groups import letters, rank_ranges
from ranking_report.ideals import largest_dcg
from ranking_report.kinds import KINDS
from ranking_report.measure_names import Measure
from ranking_report.moved import Moved, moved_most
from ranking_report.notes import cautions
from ranking_report.readers.files import named
from ranking_report.remarks import warnings
from ranking_report.results import Result
from ranking_report.sharing import Unjudged
from ranking_report.slices import Groups, as_groups, compare_groups
from ranking_report.turns import Turns, in_order
from ranking_report.unjudged import leads
from ranking_report.wording import EQUAL, ahead_first

# The columns with the number of queries needed, and with the ends of its range.
_NEEDED_COLUMNS = ("queries", "queries_low", "queries_high")


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The result of `compare`: tables, tests and answers at the 5 % level.

    A comparison is immutable. The methods `gate`, `sequential`, `by` and `moved` answer further questions,
    each with a separate `Result`.

    Attributes
    ----------
    leaderboard : DataFrame
        The systems under the first measure, best first. The columns are:

        - ``system`` and ``mean``;
        - ``low`` and ``high``: the ends of the simultaneous 95 % interval for the mean, or NaN if all queries
          have the same score;
        - ``group``: letters, such that two systems share a letter if they do not differ significantly; with a
          baseline, the words ahead, behind or not significant;
        - ``rank_low`` and ``rank_high``: the range of possible ranks, simultaneous for all systems;
        - ``judged``: the proportion of judged items among the first ten results, followed by ``coverage`` and
          ``novelty`` if there is a catalogue;
        - ``queries``, ``queries_low`` and ``queries_high``: the number of queries needed to detect, with 80 %
          power, the difference from the next system or from the first baseline.
    means : DataFrame
        The mean of each system under each measure, in the order of the leaderboard. The columns are
        ``system`` and the names of the measures.
    pairs : DataFrame
        One row for each pair of systems and each measure. All rows form one family, or two families with
        ``primary``. With baselines, every pair consists of another system and a baseline, in this order. The
        columns are:

        - ``first``, ``second``, ``measure`` and ``difference`` (first minus second);
        - ``low`` and ``high``: the ends of an interval, simultaneous in the family, that excludes 0 exactly
          if ``p_family <= 0.05``; NaN if the difference is the same on every query, because such differences
          do not show how others vary;
        - ``effect``: the mean difference divided by its standard deviation; ``effect_low`` and
          ``effect_high``: the 95 % interval for the effect of this pair alone;
        - ``wins``, ``ties`` and ``losses``: the numbers of queries on which the first system wins, ties or
          loses;
        - ``p`` (for this pair alone), ``p_family`` (adjusted by max-T in the family) and ``how`` (the
          method);
        - ``queries``, ``queries_low`` and ``queries_high``: the number of queries needed for 80 % power,
          which is never smaller than the number in this comparison if the pair does not differ significantly;
        - ``shared``: the proportion of the weight of ranks that belongs to results of both systems; NaN if
          the measure is not a sum of labels weighted by rank (such as AP and RR);
        - ``queries_unshared``: the number of queries that the same difference would need between two systems
          without shared results, if labels are independent and all results are relevant with the same
          probability; the variance of the difference in DCG is then larger by the factor 1 / (1 - shared);
        - ``safe``: whether the leading system stays ahead on average for all gains of the unjudged documents
          up to the highest gain here; False if some gains reverse the lead, None if this is unknown (see
          `leads`);
        - ``break_even``: for DCG, the mean gain of unjudged results, as a proportion of the highest gain, at
          which the expected lead is 0; NaN if there is no such gain.
    measures : DataFrame
        One row for each measure: ``measure``, ``pairs``, ``apart`` (the number of pairs that differ
        significantly), ``swap_rate`` (how often two halves of the queries disagree on which system is ahead,
        averaged over pairs), ``queries`` (the median, over the pairs, of the queries needed for 80 % power),
        ``queries_low`` and ``queries_high`` (the medians of the ends of its range).
    scores : DataFrame
        One row for each score: ``query``, ``system``, ``measure`` and ``score``.
    answer : str
        A text with a sentence that names the significantly better systems, a table, and up to three remarks.
    methods : str
        A description of the computation for the methods section of a paper.
    notes : list of str
        Warnings, and notes on what was left out.
    """

    rankings: Rankings
    parsed_measures: Sequence[Measure]
    settings: Mapping[str, Any]
    values: np.ndarray
    families: Sequence[Flips]
    level_flips: Flips
    shared: np.ndarray
    unjudged: Mapping[int, Sequence[Unjudged]]
    traits: Mapping[str, Mapping[str, Any]]
    omissions: Sequence[str]
    systems: Sequence[str]
    queries: Sequence[str]
    measure_names: Sequence[str]
    baselines: Sequence[str]
    contrasts: Contrasts

    def __repr__(self):
        sizes = f"{len(self.systems)} systems, {len(self.queries)} queries"
        return f"Comparison({sizes}, {', '.join(self.measure_names)})"

    @property
    def baseline(self) -> str | None:
        """Return the first baseline, or None if there is none."""
        return self.baselines[0] if self.baselines else None

    @property
    def flips(self) -> Flips:
        """Return the tests of the first family: those of all pairs, or of the first measure."""
        return self.families[0]

    @cached_property
    def reach(self) -> dict[str, tuple[float, float]]:
        """Return the smallest and the largest possible score of each measure.

        Notes
        -----
        The largest DCG is that of a list with the highest gain at each rank that counts. A measure from
        another program may leave the range from 0 to 1. In that case, the largest observed score is the
        limit.
        """
        limits = {}
        for measure, values in zip(self.parsed_measures, self.values):
            highest = 1.0
            if measure.kind == "DCG":
                highest = largest_dcg(self, measure)
            elif measure.kind not in KINDS:
                highest = max(1.0, values.max())
            limits[measure.name] = min(0.0, values.min()), highest
        return limits

    @property
    def contradicted(self) -> dict[str, float]:
        """Return the systems whose ranks contradict the scores of over 10 % of neighbours.

        The values are the proportions of neighbouring results whose scores are in the opposite order.
        """
        return {name: share for name, share in self.rankings.contradicted.items() if share > 0.1}

    def family_sizes(self) -> dict[str, int]:
        """Return the number of comparisons in the family of each measure."""
        # With ``primary``, the first family is that of the first measure. Otherwise there is only one family.
        first_measure, *other_measures = self.measure_names
        other_sizes = dict.fromkeys(other_measures, len(self.families[-1].p))
        return {first_measure: len(self.families[0].p)} | other_sizes

    def _repr_html_(self):
        from ranking_report.summaries import as_notebook

        return as_notebook(self)

    @cached_property
    def pairs(self) -> pandas.DataFrame:
        q, (first, second) = len(self.queries), self._pair_numbers
        # A contrast compares two rows of all scores, with the number measure * systems + system.
        measure_number = self.contrasts.first // len(self.systems)
        p, p_family, how, critical = in_turn(self.families)
        difference, deviation = self.contrasts.means, self.contrasts.standard_deviations
        effect = effects(difference, deviation)
        half_width = _half_width(critical, deviation, q)
        shared_weight = self.shared[measure_number, first, second].clip(max=1.0)
        ranges = np.array([np.ptp(self.reach[name]) for name in self.measure_names])[measure_number]
        # Measures of other libraries may have values outside [0, 1]. Then intervals have no limit.
        largest_difference = np.where(ranges > 1, np.inf, ranges)
        # An interval includes 0 if the difference is not significant, even if only rounding or an earlier
        # family is the reason.
        zero_if_insignificant = np.where((p_family > LEVEL) & ~np.isnan(half_width), 0.0, np.nan)
        # If a pair is not significant, the q queries of this comparison were not enough.
        fewest_needed = np.where(p_family > LEVEL, q, 0)
        needed = np.maximum([*queries_needed(effect, q, critical)], fewest_needed)  # one row for each column
        # Without shared results, the variance would be 1 / (1 - shared_weight) times as large.
        effect_unshared = effect * np.sqrt(1 - shared_weight)
        needed_unshared = np.maximum(paired_queries(effect_unshared, critical), fewest_needed)
        system_names = np.array(self.systems, dtype=object)
        return pandas.DataFrame(
            {
                "first": system_names[first],
                "second": system_names[second],
                "measure": np.array(self.measure_names, dtype=object)[measure_number],
                "difference": difference,
                "low": np.fmin(difference - half_width, zero_if_insignificant).clip(
                    -largest_difference, largest_difference
                ),
                "high": np.fmax(difference + half_width, zero_if_insignificant).clip(
                    -largest_difference, largest_difference
                ),
                "effect": effect,
                **dict(zip(("effect_low", "effect_high"), effect_interval(effect, q))),
                **dict(zip(("wins", "ties", "losses"), self._wins_ties_losses())),
                "p": p,
                "p_family": p_family,
                "how": how,
                **dict(zip(_NEEDED_COLUMNS, needed)),
                "shared": shared_weight,
                "queries_unshared": np.where(np.isnan(shared_weight), np.nan, needed_unshared),
                **dict(zip(("safe", "break_even"), leads(self))),
            }
        )

    @cached_property
    def significant(self) -> list[dict[str, Any]]:
        """Return the pairs that differ significantly, with the leading system first.

        Each row has the columns of ``pairs`` and the column ``carriers``, which is the effective number of
        queries that account for the variance.
        """
        pairs = self.pairs[(self.pairs["p_family"] <= LEVEL) & (self.pairs["difference"].abs() > EQUAL)]
        return [
            ahead_first(row) | {"carriers": carriers(self.contrasts.differences(pair))}
            for pair, row in zip(pairs.index, pairs.to_dict("records"))
        ]

    def _wins_ties_losses(self):
        """Return on how many queries the first system of each pair wins, ties and loses.

        The array has the shape (3, pairs).
        """
        counts = np.zeros((3, len(self.contrasts.first)), dtype=int)
        for pair in range(len(self.contrasts.first)):
            row = self.contrasts.differences(pair)
            counts[:, pair] = (row > EQUAL).sum(), (np.abs(row) <= EQUAL).sum(), (row < -EQUAL).sum()
        return counts

    def apart(self, measure: str | None = None) -> np.ndarray:
        """Return which systems differ significantly under a measure.

        Parameters
        ----------
        measure : str, optional
            The name of the measure, by default the first one.

        Returns
        -------
        ndarray of bool, shape (systems, systems)
            Whether the systems differ; the array is symmetric.
        """
        return self._symmetric_table("p_family", measure, np.inf) <= LEVEL

    def _symmetric_table(self, column, measure=None, absent=np.nan):
        """Return a column of the pairs, by default for the first measure, as a table.

        The table is symmetric and has the shape (systems, systems). The diagonal, and pairs that were not
        compared, have the value ``absent``.
        """
        pairs_of_measure = self.pairs[self.pairs["measure"] == (measure or self.measure_names[0])]
        first, second = (numbers[pairs_of_measure.index] for numbers in self._pair_numbers)
        table = np.full((len(self.systems), len(self.systems)), absent)
        table[first, second] = table[second, first] = pairs_of_measure[column]
        return table

    @property
    def _pair_numbers(self):
        """Return the indices of the first and of the second system of each pair."""
        return self.contrasts.first % len(self.systems), self.contrasts.second % len(self.systems)

    @cached_property
    def leaderboard(self) -> pandas.DataFrame:
        scores = self.values[0]
        means = scores.mean(axis=1)
        order = np.argsort(-means, kind="stable")
        deviations = each_alone(scores).standard_deviations
        half_widths = _half_width(self.level_flips.critical, deviations, len(self.queries))
        # Means of scores in [0, 1] are limited to it, because the NDCG of the best order may exceed 1 in its
        # last digit.
        lower_limit, upper_limit = (
            (0, 1) if scores.min() >= 0 and scores.max() <= 1 + EQUAL else (-np.inf, np.inf)
        )
        if self.parsed_measures[0].kind == "DCG":
            lower_limit, upper_limit = self.reach[self.measure_names[0]]
        apart = self.apart()[np.ix_(order, order)]
        rank_low, rank_high = rank_ranges(means[order], apart).T
        # The numbers of queries needed are about the difference from the next system or, with a baseline,
        # from the baseline. A system has NaN beside itself, as the last one here.
        reference_numbers = np.append(order[1:], order[-1])
        if self.baseline is not None:
            reference_numbers = np.full(len(order), self.systems.index(self.baseline))
        return pandas.DataFrame(
            {
                "system": np.array(self.systems, dtype=object)[order],
                "mean": means[order],
                "low": (means - half_widths)[order].clip(lower_limit, upper_limit),
                "high": (means + half_widths)[order].clip(lower_limit, upper_limit),
                "group": letters(apart)
                if self.baseline is None
                else self._positions_to_baselines(means)[order],
                "rank_low": rank_low,
                "rank_high": rank_high,
                **{
                    name: [self.traits[self.systems[row]][name] for row in order]
                    for name in self.plain_columns
                },
                **{name: self._symmetric_table(name)[order, reference_numbers] for name in _NEEDED_COLUMNS},
            }
        )

    @property
    def plain_columns(self) -> list[str]:
        """Return the names of the leaderboard columns that involve no test.

        The columns are ``judged`` and, with a catalogue, ``coverage`` and ``novelty``.
        """
        traits = self.traits[self.systems[0]]  # all systems have the same traits
        return [name for name in ("judged", "coverage", "novelty") if not np.isnan(traits.get(name, np.nan))]

    def _positions_to_baselines(self, means):
        """Return whether each system is ahead of each baseline, behind it, or neither."""
        is_significant, words_by_baseline = self.apart(), []
        for name in self.baselines:
            baseline_number = self.systems.index(name)
            words = np.where(
                is_significant[baseline_number],
                np.where(means > means[baseline_number], "ahead", "behind"),
                "not significant",
            )
            name_in_brackets = f" ({name})" if len(self.baselines) > 1 else ""
            words_by_baseline.append([f"{word}{name_in_brackets}" for word in words])
        positions = np.array([", ".join(words) for words in zip(*words_by_baseline)], dtype=object)
        positions[[self.systems.index(name) for name in self.baselines]] = "baseline"
        return positions

    @cached_property
    def means(self) -> pandas.DataFrame:
        table = pandas.DataFrame(self.values.mean(axis=2).T, columns=self.measure_names)
        table.insert(0, "system", np.array(self.systems, dtype=object))
        order = np.argsort(-self.values[0].mean(axis=1), kind="stable")
        return table.iloc[order].reset_index(drop=True)

    @cached_property
    def measures(self) -> pandas.DataFrame:
        rows = []
        for number, name in enumerate(self.measure_names):
            pairs_of_measure = self.pairs[self.pairs["measure"] == name]
            first, second = (numbers[pairs_of_measure.index] for numbers in self._pair_numbers)
            swap_proportion = np.nan
            if len(pairs_of_measure) and len(self.queries) > 1:
                swap_proportion = swap_rate(self.values[number], first, second, self.settings["seed"]).mean()
            rows.append(
                {
                    "measure": name,
                    "pairs": len(pairs_of_measure),
                    "apart": int((pairs_of_measure["p_family"] <= LEVEL).sum()),
                    "swap_rate": swap_proportion,
                    **pairs_of_measure[list(_NEEDED_COLUMNS)].median(),
                }
            )
        return pandas.DataFrame(rows)

    @cached_property
    def scores(self) -> pandas.DataFrame:
        measures, systems, queries = self.values.shape
        return pandas.DataFrame(
            {
                "query": np.tile(np.array(self.queries, dtype=object), measures * systems),
                "system": np.tile(np.repeat(np.array(self.systems, dtype=object), queries), measures),
                "measure": np.repeat(np.array(self.measure_names, dtype=object), systems * queries),
                "score": self.values.ravel(),
            }
        )

    @property
    def methods(self) -> str:
        from ranking_report.rendering import methods

        return methods(self)

    @cached_property
    def notes(self) -> list[str]:
        return [*warnings(self), *cautions(self), *self.omissions]

    @property
    def answer(self) -> str:
        return as_text(self)

    def gate(self, text: str, strict: bool = False) -> Gate:
        """Return whether a loss beyond a margin is excluded for all systems at the 5 % level.

        Parameters
        ----------
        text : str
            The gate, such as ``"nDCG@10 < -0.01"``, which fails unless a mean difference (system minus
            baseline) below -0.01 can be excluded. With a margin above 0, systems must be better by more than
            the margin.
        strict : bool
            Whether the bound must also account for losses on kinds of queries that the sample does not
            contain. Such a bound takes many more queries: at least about 60 for a margin of -0.05, and 300
            for -0.01.

        Returns
        -------
        Gate
            The gate, which is true in a condition if it passes. The gate passes if, for every system, the
            lower end of a one-sided 95 % interval is above the margin. If the true difference of some system
            is below the margin, the gate passes with a probability of at most about 5 %, because every system
            has to pass. The ``verdict`` of a failed gate is "worse" if the upper end for some system is below
            the margin (these ends are simultaneous for all systems), and "undecided" otherwise. The
            ``remarks`` state how many queries a harmless release needs in order to pass with a probability of
            90 %.

        Raises
        ------
        ValueError
            If there is no baseline beside another system, or if the text has another form or names a measure
            that is not compared. If the baseline lacks results for a query, or has clearly fewer judged
            results than another system. If equal scores are not averaged over their orders. If no mean
            difference to the baseline can reach the margin on these queries. If the ranks of a run contradict
            its scores, or if queries were dropped because a system lacks them.

        Notes
        -----
        The lower end is `lower_bound`. If enough queries differ, this is Student's bound, corrected for
        skewness. This bound assumes that the queries are a random sample, and that other queries have no
        losses that are rarer and larger than the observed ones. If few queries differ, or with ``strict``,
        the bound only assumes a random sample, and a system at the margin passes with a probability far below
        5 %.

        Examples
        --------
        >>> from ranking_report import compare
        >>> qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(99)}
        >>> same = {query: {"a": 2, "b": 1} for query in qrels}
        >>> comparison = compare(qrels, {"old": same, "new": same}, baseline="old")
        >>> comparison.gate("nDCG@10 < -0.05").passed, comparison.gate("nDCG@10 < -0.01").passed
        (True, False)
        """
        measure, margin = read_gate(text, self.parsed_measures)
        fail_if(not isinstance(strict, bool), f"strict={escaped(strict)}: expected True or False")
        check_gate(self, measure, margin)
        return decide_gate(self, measure, margin, strict)

    def sequential(self) -> Turns:
        """Return, for each pair, the query after which judging could have stopped.

        Returns
        -------
        Turns
            The attribute ``tests`` contains a `SequentialTest` for each pair of a first and a second system,
            as in ``pairs``.

        Raises
        ------
        ValueError
            If there is no pair, if there are more than 300 pairs, or if the measure leaves the range from 0
            to 1.

        Notes
        -----
        The pairs are compared under the first measure, query by query, in the order of the judgments. The
        level of 5 % is divided among the pairs. The level is correct if the order of the queries is random or
        was chosen before any result was known.
        """
        return in_order(self)

    def moved(self, first: str | None = None, second: str | None = None, count: int = 10) -> Moved:
        """Return the queries on which two systems differ most, with both lists.

        Parameters
        ----------
        first, second : str, optional
            The systems to show. By default, these are the two best systems or, with a baseline, the best
            other system and the baseline.
        count : int
            The number of queries to show, which are those with the largest differences in the first measure.

        Returns
        -------
        Moved
            The attribute ``table`` has the columns query, difference and rank and, for each system, the
            result at this rank: first, first_label, came_in (absent from the second system's list), second,
            second_label, went_out (absent from the first system's list). Lists end at the measure's cut-off
            or at rank 10, whichever comes first. Unjudged results have no label.

        Examples
        --------
        >>> from ranking_report import compare
        >>> qrels = {"q": {"a": 1, "b": 0, "c": 0}, "r": {"a": 1, "b": 0}}
        >>> old = {query: {"a": 1, "b": 2} for query in qrels}
        >>> new = {"q": {"a": 2, "c": 1}, "r": {"a": 1, "b": 2}}
        >>> comparison = compare(qrels, {"old": old, "new": new}, baseline="old")
        >>> table = comparison.moved().table
        >>> table[["query", "rank", "first", "came_in", "second", "went_out"]].values.tolist()
        [['q', 1, 'a', False, 'b', True], ['q', 2, 'c', True, 'a', False]]
        """
        return moved_most(self, first, second, count)

    def by(self, groups: FilePath | Mapping[str, str | Sequence[str]]) -> Groups:
        """Compare the pairs in groups of queries, under the first measure.

        Parameters
        ----------
        groups : path, or mapping of query to a group or several
            The groups. Each line of a file contains a query and one of its groups.

        Returns
        -------
        Groups
            The attribute ``table`` has the columns group, queries, first, second, difference, low and high
            (simultaneous intervals), p_family and apart (whether the pair differs significantly).

        Raises
        ------
        ValueError
            If a file cannot be read, if the groups are those of other queries, if a query or a group has no
            name, or if there are so many groups that their comparisons would take minutes.

        Notes
        -----
        All pairs in all groups form one family.

        Examples
        --------
        >>> from ranking_report import compare
        >>> qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(40)}
        >>> right, wrong = {"a": 2, "b": 1}, {"a": 1, "b": 2}
        >>> old = {query: right for query in qrels}
        >>> new = {query: wrong if query < "q2" else right for query in qrels}
        >>> comparison = compare(qrels, {"old": old, "new": new}, baseline="old")
        >>> groups = comparison.by({query: "short" if query < "q2" else "long" for query in qrels})
        >>> groups.table[["group", "queries", "apart"]].values.tolist()
        [['long', 28, False], ['short', 12, True]]
        """
        source = named(groups) if isinstance(groups, (str, PathLike)) else "groups"
        return compare_groups(self, as_groups(groups), source)

    def against_baseline(self, measure: str) -> dict[str, np.ndarray]:
        """Return the differences of each other system from the first baseline, by query."""
        rows = dict(zip(self.systems, self.values[self.measure_names.index(measure)]))
        baseline_scores = rows.pop(self.baselines[0])
        return {name: scores - baseline_scores for name, scores in rows.items()}

    def save(self, folder: FilePath, *results: Result) -> None:
        """Write the report's page and tables into a folder.

        The files are ``index.html``, ``leaderboard.csv``, ``means.csv``, ``pairs.csv``, ``measures.csv``,
        ``scores.csv``, ``report.json`` and ``leaderboard.tex``. With several systems, there is also
        ``moved.csv``.

        Parameters
        ----------
        folder : path
            The folder, which must be new, empty, or from an earlier report.
        *results : Result
            Results of `gate`, `sequential`, `by` and `moved`, which the page then also shows. `sequential`
            and `by` add the tables ``sequential.csv`` and ``groups.csv``.

        Raises
        ------
        ValueError
            If the folder is not new, empty or from an earlier report. In that case, the contents of the
            folder stay unchanged.
        """
        from ranking_report.page import save

        save(self, folder, results)


def _half_width(critical, deviations, queries):
    """Return half the width of each interval for a mean.

    A half width is infinite if there are too few queries, and NaN if the values do not vary.
    """
    if queries < FEWEST_SURE:
        return np.full_like(deviations, np.inf)
    return np.where(deviations > 0, critical * deviations / np.sqrt(queries), np.nan)
