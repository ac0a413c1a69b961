"""Several systems on the same queries: which is better, by which measure, how surely."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from os import PathLike

import numpy as np
import pandas

from ndcg_companion.checks import fail_if
from ndcg_companion.data.rankings import FilePath, Rankings
from ndcg_companion.significance.family import LEVEL, each_alone, flip_signs, in_turn, pairs_of
from ndcg_companion.significance.planning import (
    FEWEST_SURE,
    effect_interval,
    effects,
    paired_queries,
    queries_needed,
    swap_rate,
)
from ndcg_companion.significance.sequential import SequentialTest, sequential_test
from ndcg_companion.text import escaped
from ranking_report.cluster import mapping
from ranking_report.gating import check_gate, hold, read_gate
from ranking_report.groups import letters, rank_ranges
from ranking_report.inputs import Source, gather
from ranking_report.kinds import KINDS, count_in
from ranking_report.measure_names import Measure, parse_measures
from ranking_report.moved import moved_most
from ranking_report.readers.files import named
from ranking_report.readers.joining import Missing
from ranking_report.scoring import Gains, Ties, complete, of_queries, score, traits
from ranking_report.sentences import EQUAL, lines_of, methods, sentences
from ranking_report.sharing import shared_weights
from ranking_report.slices import as_groups, compare_groups
from ranking_report.tie_orders import changed_means

_FEW_QUERIES = 25  # below which intervals that hold together were seen to cover too little
_MOST_IN_TURN = 300  # pairs that are followed query by query
_NEEDED = ("queries", "queries_low", "queries_high")


def compare(
    qrels: Source | Rankings,
    runs: Mapping[str, Source] | pandas.DataFrame | None = None,
    *,
    measures: Sequence[str | Measure] = ("nDCG@10",),
    ties: Ties = "average",
    gain: Gains = "linear",
    missing: Missing = "raise",
    baseline: str | None = None,
    primary: bool = False,
    seed: int = 0,
    scheduler: str | None = None,
) -> "Comparison":
    """Compare systems on the queries that all were judged on.

    Parameters
    ----------
    qrels : path; mapping of query to mapping of item to grade; DataFrame; named tuples; or Rankings
        A file is read as what it holds: TREC judgments, three columns, CSV or TSV with a header, JSON, LETOR
        or Parquet, packed or not. Columns and fields are called as here (query, item, label), in PyTerrier
        (qid, docno, label), ir_measures (query_id, doc_id, relevance), ranx (q_id, doc_id, score) or BEIR
        (query-id, corpus-id, score). Ranx's ``Qrels`` are taken too. Unjudged items and grades below 0 count
        as 0. A table may hold the scores too, in columns ``score_NAME``; then there are no ``runs``.
    runs : mapping of name to path, mapping of query to mapping of item to score, DataFrame or named tuples
        The same of scores, with ``score`` for the label, or ``rank``, which counts from the best item; files
        may also be TREC runs, with tag or without, MS MARCO's query, item and rank, ColBERT's query, item,
        rank and score, or for LETOR one score a line. Or one DataFrame with the columns query, item and
        ``score_NAME`` for each system. DataFrames are those of pandas or Polars.
    measures : sequence of str
        See `parse_measure`; the first one makes the leaderboard. One that needs the length of the lists is
        left out, and said so, unless every system ranks every item.
    ties : {"average", "trec_eval", "best", "worst"}
        Equal scores: the mean over their orders, or trec_eval's order, or the best or worst.
    gain : {"linear", "exponential"}, callable of an array of labels, or mapping of label to gain
        What a label is worth to nDCG.
    missing : {"raise", "zero", "drop"}
        A judged query that some system does not have: refuse it, count 0 for that system, or leave it out for
        all.
    baseline : str, optional
        The system that the others are compared with: its pairs alone are tested, which takes fewer queries
        than all pairs do, and `Comparison.gate` holds the others to it.
    primary : bool
        Whether the first measure comes first in the tests too: its pairs are a family of their own, as if no
        other measure were asked for, and the pairs under other measures, together another family, can be told
        apart only if all of the first are. By default all pairs under all measures are one family.
    seed : int
        Of the sign patterns, of which there are so many that it hardly matters.
    scheduler : str, optional
        Address of a Dask scheduler, on whose workers queries are scored and signs flipped, to the same
        numbers.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        For input that cannot be read or does not fit together, naming file and line, or query and item.

    Notes
    -----
    Queries without a relevant item count for no measure and are left out. Everything that is left out is said
    in ``notes`` and in the answer.

    Examples
    --------
    >>> qrels = {f"q{i}": {"a": 2, "b": 1, "c": 0} for i in range(8)}
    >>> good = {query: {"a": 3, "b": 2, "c": 1} for query in qrels}
    >>> poor = {query: {"a": 1, "b": 2, "c": 3} for query in qrels}
    >>> comparison = compare(qrels, {"good": good, "poor": poor}, measures=["nDCG@10", "AP"])
    >>> comparison.leaderboard[["system", "mean", "group"]].round(3).values.tolist()
    [['good', 1.0, 'a'], ['poor', 0.62, 'b']]
    """
    asked = parse_measures(measures)
    fail_if(
        not isinstance(seed, int) or isinstance(seed, bool) or seed < 0,
        f"seed={seed!r}: expected a whole number >= 0",
    )
    with mapping(scheduler) as mapped:
        rankings = qrels if isinstance(qrels, Rankings) else gather(qrels, runs, missing=missing)
        rankings.require(systems=1)
        known = escaped(", ".join(rankings.scores), 300)
        fail_if(
            baseline not in (None, *rankings.scores),
            f"baseline='{escaped(baseline)}': expected one of {known}",
        )
        fail_if(not isinstance(primary, bool), f"primary={escaped(primary)}: expected True or False")
        return Comparison(rankings, asked, ties, gain, missing, baseline, primary, seed, mapped)


class Comparison:
    """What `compare` found, all at 5 %.

    Attributes
    ----------
    leaderboard : DataFrame
        For the first measure, best first: system, mean, low, high (intervals that hold together; NaN where
        all queries have one score), group (systems that share a letter are not told apart; with a baseline:
        ahead of it, behind, not told apart), rank_low, rank_high (in which the rank lies, all together),
        judged (share of its first ten that are), and the queries needed to tell it from the next,
        or from the baseline, with 80 % power: queries, queries_low, queries_high.
    means : DataFrame
        The mean of each system under each measure, in the order of the leaderboard: system, and a column for
        each measure, named for it.
    pairs : DataFrame
        All pairs under all measures, one family; with a baseline its pairs, each other system minus it:
        first, second, measure, difference, low, high (holding together in the family, and leaving out 0
        exactly where p_family <= 0.05; NaN where the difference is the same on every query, since such
        differences do not show how others vary), effect (mean over standard deviation), effect_low,
        effect_high (its 95 % interval for the pair alone), wins, ties, losses (queries, of the first), p (of
        the pair alone), p_family (max-T in the family), how, queries, queries_low, queries_high (never fewer
        than there are where these did not tell the pair apart), shared (of the weight that the measure gives
        to ranks, the share on results that both show; NaN where labels are not added up by the weight of
        their rank, as by AP and RR), queries_unshared (what the same difference would take of two systems
        that share nothing, if labels are independent and all results are relevant with the same chance: then
        the variance of the difference in DCG is larger by 1 / (1 - shared)).
    measures : DataFrame
        measure, pairs, apart (told apart), swap_rate (halves of the queries disagree on who is ahead, mean
        over pairs), queries (to tell the median pair apart with 80 % power), queries_low,
        queries_high (medians over the pairs of the ends of their ranges).
    scores : DataFrame
        query, system, measure, score.
    answer : str
        The sentences.
    methods : str
        What a paper would say of how this was computed.
    notes : list of str
        What was left out, and what to beware of.
    """

    def __init__(
        self,
        rankings: Rankings,
        measures: Sequence[Measure],
        ties: Ties,
        gain: Gains,
        missing: Missing,
        baseline: str | None,
        primary: bool,
        seed: int,
        mapped: Callable[[Callable, Iterable], Iterable],
    ) -> None:
        self.settings = {
            "ties": ties,
            "gain": gain if isinstance(gain, str) else repr(gain),
            "missing": missing,
            "baseline": baseline,
            "primary": primary,
            "seed": seed,
        }
        self.baseline, self.seed, self.gain = baseline, seed, gain
        self.gates: list[dict] = []
        self.in_turn: dict[tuple[str, str], SequentialTest] = {}
        self.groups: pandas.DataFrame | None = None
        counting = count_in(rankings.offsets, rankings.labels > 0) > 0
        fail_if(not counting.any(), f"{rankings.source}: expected a query with a relevant item, got none")
        whole = complete(rankings)
        left = [measure.name for measure in measures if measure.needs_n and not whole]
        measures = [measure for measure in measures if measure.name not in left]
        why = "which needs every system to rank every item of a query, all of them judged"
        fail_if(not measures, f"measures: expected some beside {', '.join(left)}, {why}")
        rankings = rankings if counting.all() else of_queries(rankings, counting)
        self.measure_names = [measure.name for measure in measures]
        self.asked, self.kinds = measures, [measure.kind for measure in measures]
        self.cutoffs = [measure.k if isinstance(measure.k, int) else None for measure in measures]
        self.systems, self.queries = list(rankings.scores), [str(name) for name in rankings.queries]
        self.values = score(rankings, measures, ties, gain, mapped)
        with mapping() as in_threads:  # what workers far away would wait for longer than it takes
            self.shared = shared_weights(rankings, measures, ties, in_threads)
            self.traits = traits(rankings, mapped=in_threads)
        self.reach = self._reach()
        self.rankings = rankings
        self.source, self.all_labelled = rankings.source, bool(rankings.judged.all())
        self.contradicted = {name: share for name, share in rankings.contradicted.items() if share > 0.1}
        sizes = {name: count_in(rankings.offsets, s > -np.inf) for name, s in rankings.scores.items()}
        self.notes = lines_of(
            "notes.txt",
            blank=int((~counting).sum()),
            dropped=rankings.dropped,
            left=left,
            absent={name: int((own == 0).sum()) for name, own in sizes.items() if not own.all()},
            negative=rankings.negative,
            alike=[(ascii(id_), ascii(judged), *rest) for id_, judged, *rest in rankings.alike],
            contradicted=[*self.contradicted.items()],
            short=_short(sizes, measures, np.diff(rankings.offsets).max()),
            few_queries=len(self.queries) if FEWEST_SURE <= len(self.queries) < _FEW_QUERIES else 0,
            tied=changed_means(rankings, measures, self.values, self.traits, ties, gain),
            shares={name: self.traits[name]["tied"] for name in self.systems},
            **_order_of_others(measures, self.traits, ties),
            ties=ties,
            judged={name: self.traits[name]["judged"] for name in self.systems},
        )
        against = None if baseline is None else self.systems.index(baseline)
        self.contrasts = pairs_of(self.values, against)
        parts = [self.values[:1], self.values[1:]] if primary else [self.values]
        self.families = [
            flip_signs(pairs_of(part, against), seed, mapped=mapped) for part in parts if len(part)
        ]
        self.flips = self.families[0]
        self.levels = each_alone(self.values[0])
        self.level_flips = flip_signs(self.levels, seed, mapped=mapped)

    def family_sizes(self) -> dict[str, int]:
        """The number of comparisons in the family of its pairs, by measure."""
        first, last = (len(family.p) for family in (self.families[0], self.families[-1]))
        return {name: last if place else first for place, name in enumerate(self.measure_names)}

    def _reach(self):
        """The least and the largest possible score, by measure.

        A measure of ir_measures may leave the range from 0 to 1; then it is that of the scores.
        """
        reach = {}
        for name, kind, values in zip(self.measure_names, self.kinds, self.values):
            reach[name] = min(0.0, values.min()), max(1.0, values.max()) if kind == "ir_measures" else 1.0
        return reach

    def __repr__(self):
        sizes = f"{len(self.systems)} systems, {len(self.queries)} queries"
        return f"Comparison({sizes}, {', '.join(self.measure_names)})"

    def _repr_html_(self):
        from ranking_report.summaries import as_notebook

        return as_notebook(self)

    @cached_property
    def pairs(self) -> pandas.DataFrame:
        found, q = self.contrasts, len(self.queries)
        p, p_family, how, critical = in_turn(self.families)
        difference, deviation = found.means, found.standard_deviations
        effect = effects(difference, deviation)
        effect_low, effect_high = effect_interval(effect, q)
        size = len(self.systems)
        measures = np.array(self.measure_names, dtype=object)[found.first // size]
        names = np.array(self.systems, dtype=object)
        half = _half_width(critical, deviation, q)
        needed = np.array([*queries_needed(effect, q, critical)])
        # How much of the weight is on results that both systems show.
        shared = self.shared[found.first // size, found.first % size, found.second % size].clip(max=1.0)
        most = np.array([self.reach[name][1] - self.reach[name][0] for name in measures], dtype=float)
        most = np.where(most > 1, np.inf, most)  # measures of another library may leave 0 to 1
        # What is not told apart may be 0, also where only rounding, or an earlier family, says so.
        may_be_0 = np.where((p_family > LEVEL) & ~np.isnan(half), 0.0, np.nan)
        too_few = np.where(p_family > LEVEL, q, 0)  # so many did not tell them apart
        return pandas.DataFrame(
            {
                "first": names[found.first % size],
                "second": names[found.second % size],
                "measure": measures,
                "difference": difference,
                "low": np.fmin(difference - half, may_be_0).clip(-most, most),
                "high": np.fmax(difference + half, may_be_0).clip(-most, most),
                "effect": effect,
                "effect_low": effect_low,
                "effect_high": effect_high,
                **dict(zip(("wins", "ties", "losses"), self._counts())),
                "p": p,
                "p_family": p_family,
                "how": how,
                **dict(zip(_NEEDED, np.maximum(needed, too_few))),
                "shared": shared,
                "queries_unshared": np.where(
                    np.isnan(shared),
                    np.nan,
                    np.maximum(paired_queries(effect * np.sqrt(1 - shared), critical), too_few),
                ),
            }
        )

    def _counts(self):
        """The numbers of queries on which the first system of each pair wins, ties and loses."""
        counts = []
        for which in range(len(self.contrasts.first)):
            differences = self.contrasts.differences(which)
            wins, losses = (int((sign * differences > EQUAL).sum()) for sign in (1, -1))
            counts.append((wins, differences.size - wins - losses, losses))
        return np.array(counts, dtype=int).reshape(-1, 3).T

    def apart(self, measure: str | None = None) -> np.ndarray:
        """Which systems are told apart under a measure, the first by default: a symmetric table of bool."""
        return self._table("p_family", measure, np.inf) <= LEVEL

    def _table(self, column, measure=None, same=np.nan):
        """A column of the pairs under a measure, as a symmetric table of systems; the rest is ``same``."""
        size, name = len(self.systems), measure or self.measure_names[0]
        part = self.pairs["measure"] == name
        first, second = self.contrasts.first[part] % size, self.contrasts.second[part] % size
        table = np.full((size, size), same)
        table[first, second] = table[second, first] = self.pairs.loc[part, column]
        return table

    @cached_property
    def leaderboard(self) -> pandas.DataFrame:
        rows = self.values[0]
        means = rows.mean(axis=1)
        order = np.argsort(-means, kind="stable")
        half = _half_width(self.level_flips.critical, self.levels.standard_deviations, len(self.queries))
        # A mean of numbers from 0 to 1 is one; NDCG of the best order may exceed 1 in its last digit.
        least, most = (0, 1) if rows.min() >= 0 and rows.max() <= 1 + EQUAL else (-np.inf, np.inf)
        apart = self.apart()[np.ix_(order, order)]
        ranges = rank_ranges(means[order], apart)
        others = np.append(order[1:], order[-1])
        if self.baseline is not None:
            others = np.full(len(order), self.systems.index(self.baseline))
        return pandas.DataFrame(
            {
                "system": np.array(self.systems, dtype=object)[order],
                "mean": means[order],
                "low": (means - half)[order].clip(least, most),
                "high": (means + half)[order].clip(least, most),
                "group": letters(apart) if self.baseline is None else self._beside_baseline(means)[order],
                "rank_low": ranges[:, 0],
                "rank_high": ranges[:, 1],
                "judged": [self.traits[self.systems[at]]["judged"] for at in order],
                **{name: self._table(name)[order, others] for name in _NEEDED},
            }
        )

    def _beside_baseline(self, means):
        """For each system whether it is told apart from the baseline, and in which direction."""
        base = self.systems.index(self.baseline)
        words = np.where(means > means[base], "ahead", "behind")
        words = np.where(self.apart()[base], words, "not told apart").astype(object)
        words[base] = "baseline"
        return words

    @cached_property
    def means(self) -> pandas.DataFrame:
        table = pandas.DataFrame(self.values.mean(axis=2).T, columns=self.measure_names)
        table.insert(0, "system", np.array(self.systems, dtype=object))
        order = np.argsort(-self.values[0].mean(axis=1), kind="stable")
        return table.iloc[order].reset_index(drop=True)

    @cached_property
    def measures(self) -> pandas.DataFrame:
        rows, size = [], len(self.systems)
        for place, name in enumerate(self.measure_names):
            part = self.pairs[self.pairs["measure"] == name]
            one, other = (
                ends[self.contrasts.first // size == place] % size
                for ends in (self.contrasts.first, self.contrasts.second)
            )
            comparable = len(one) and len(self.queries) > 1
            swaps = swap_rate(self.values[place], one, other, self.seed).mean() if comparable else np.nan
            rows.append(
                {
                    "measure": name,
                    "pairs": len(one),
                    "apart": int((part["p_family"] <= LEVEL).sum()),
                    "swap_rate": swaps,
                    **part[list(_NEEDED)].median(),
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
        return methods(self)

    @property
    def answer(self) -> str:
        return "\n".join(sentences(self))

    def gate(self, text: str, strict: bool = False) -> bool:
        """Return whether a loss of more than a margin to the baseline is excluded at 5 %, for every system.

        Parameters
        ----------
        text : str
            ``"nDCG@10 < -0.01"``: fail where a mean difference, system minus baseline, below -0.01 cannot be
            excluded. A margin above 0 asks for systems that are better by so much.
        strict : bool
            Whether the bound must also cover losses on queries of which these have none. That takes many
            more queries: at least about 60 for a margin of -0.05, and 300 for -0.01.

        Returns
        -------
        bool
            True when for every system the lower end of a one-sided 95 % interval lies above the margin. If
            some system lies below it in truth, that happens with a probability of about 5 %: all systems have
            to pass, and this one does not, whatever the others do. Otherwise ``answer`` says *worse* (some
            upper end lies below the margin; these ends hold together for all systems), or *undecided*, and
            how many queries a harmless release needs to pass with 90 % certainty.

        Raises
        ------
        ValueError
            If there is no baseline beside another system, or the text has another form or names a measure
            that is not compared. If the baseline lacks results for a query, or has clearly fewer judged
            results than another system. If equal scores are not averaged over their orders. If no mean
            difference to the baseline can reach the margin on these queries. If the ranks of a run contradict
            its scores, or queries were left out for want of a system's answer.

        Notes
        -----
        The lower end is `lower_bound`: Student's, corrected for skewness, where enough queries differ. It
        assumes that the queries are a random sample, and that other queries hold no losses that are rarer and
        larger than those seen. Where few queries differ, or with ``strict``, it assumes the first alone, and
        a system at the margin passes far less often than with 5 %.

        Examples
        --------
        >>> qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(99)}
        >>> same = {query: {"a": 2, "b": 1} for query in qrels}
        >>> comparison = compare(qrels, {"old": same, "new": same}, baseline="old")
        >>> comparison.gate("nDCG@10 < -0.05"), comparison.gate("nDCG@10 < -0.01")
        (True, False)
        """
        measure, margin = read_gate(text, self.measure_names)
        fail_if(not isinstance(strict, bool), f"strict={escaped(strict)}: expected True or False")
        check_gate(self, measure, margin)
        verdict = hold(self, measure, margin, strict)
        if verdict not in self.gates:
            self.gates.append(verdict)
        return verdict["passed"]

    def sequential(self) -> dict[tuple[str, str], SequentialTest]:
        """When judging could have stopped: the pairs under the first measure, query after query.

        The queries come in the order of the judgments, and the level of 5 % is shared by the pairs: it holds
        if this order is a random one, or was chosen before any result was seen. From now on the answer, the
        page and the tables say what is found.

        Returns
        -------
        dict of (str, str) to SequentialTest
            By first and second system, as in ``pairs``.

        Raises
        ------
        ValueError
            Without a pair, for more than 300 pairs, and for a measure that leaves the range from 0 to 1.
        """
        count, size = len(self.pairs) // len(self.measure_names), len(self.systems)
        fail_if(
            not 0 < count <= _MOST_IN_TURN,
            f"sequential: expected from 1 to {_MOST_IN_TURN} pairs of systems, got {count:,}",
        )
        name = self.measure_names[0]
        least, most = self.reach[name]
        fail_if(
            most - least > 1,
            f"sequential: expected a measure from 0 to 1, got {name} from {least:g} to {most:g}",
        )
        for which in range(count):
            pair = (
                self.systems[ends[which] % size] for ends in (self.contrasts.first, self.contrasts.second)
            )
            test = sequential_test(self.contrasts.differences(which), level=LEVEL / count)
            self.in_turn[tuple(pair)] = test
        return self.in_turn

    def moved(self, first: str | None = None, second: str | None = None, count: int = 10) -> pandas.DataFrame:
        """The queries on which two systems differ most, with their lists side by side.

        Parameters
        ----------
        first, second : str, optional
            By default the best system and the next; with a baseline the best of the others and the baseline.
        count : int
            Of queries, those first on which the first measure differs most.

        Returns
        -------
        DataFrame
            query, difference, rank, and what stands there: first, first_label, came_in (the second system's
            list has it not), second, second_label, went_out. Lists end at the measure's cut-off, at most at
            10; a label is missing where nobody judged.

        Examples
        --------
        >>> qrels = {"q": {"a": 1, "b": 0, "c": 0}, "r": {"a": 1, "b": 0}}
        >>> old = {query: {"a": 1, "b": 2} for query in qrels}
        >>> new = {"q": {"a": 2, "c": 1}, "r": {"a": 1, "b": 2}}
        >>> comparison = compare(qrels, {"old": old, "new": new}, baseline="old")
        >>> comparison.moved()[["query", "rank", "first", "came_in", "second", "went_out"]].values.tolist()
        [['q', 1, 'a', False, 'b', True], ['q', 2, 'c', True, 'a', False]]
        """
        return moved_most(self, first, second, count)

    def by(self, groups: FilePath | Mapping[str, str | Sequence[str]]) -> pandas.DataFrame:
        """Pairs under the first measure in groups of queries, all pairs in all groups one family.

        From now on the answer, the page and the tables say it too.

        Parameters
        ----------
        groups : path, or mapping of query to a group or several
            A file has one query and one of its groups a line.

        Returns
        -------
        DataFrame
            group, queries, first, second, difference, low, high (holding together), p_family, apart.

        Raises
        ------
        ValueError
            For a file that cannot be read, groups of other queries, a query or a group without a name, and
            groups so many that their comparisons would take minutes.

        Examples
        --------
        >>> qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(40)}
        >>> right, wrong = {"a": 2, "b": 1}, {"a": 1, "b": 2}
        >>> old = {query: right for query in qrels}
        >>> new = {query: wrong if query < "q2" else right for query in qrels}
        >>> comparison = compare(qrels, {"old": old, "new": new}, baseline="old")
        >>> found = comparison.by({query: "short" if query < "q2" else "long" for query in qrels})
        >>> found[["group", "queries", "apart"]].values.tolist()
        [['long', 28, False], ['short', 12, True]]
        """
        source = named(groups) if isinstance(groups, (str, PathLike)) else "groups"
        self.groups = compare_groups(self, as_groups(groups), source)
        return self.groups

    def against_baseline(self, measure: str) -> dict[str, np.ndarray]:
        """For each other system its differences from the baseline by query."""
        rows = dict(zip(self.systems, self.values[self.measure_names.index(measure)]))
        base = rows.pop(self.baseline)
        return {name: row - base for name, row in rows.items()}

    def save(self, folder: FilePath) -> None:
        """Write the page and the tables into a folder that is new, empty, or that of an earlier report.

        They are ``index.html``, ``leaderboard.csv``, ``means.csv``, ``pairs.csv``, ``measures.csv``,
        ``scores.csv``, ``report.json`` and ``leaderboard.tex``; of several systems ``moved.csv``, and after
        `sequential` and `by` ``sequential.csv`` and ``groups.csv``.

        Raises
        ------
        ValueError
            If the folder holds anything else, which stays as it is.
        """
        from ranking_report.page import save

        save(self, folder)


def _order_of_others(measures, traits, ties):
    """The measures that keep another order of ties than ``ties``, and the systems of which it matters.

    None where no system gives documents of different labels one score, and where the order is the same.

    >>> mixed = {"a": {"mixed": [3]}, "b": {"mixed": []}}
    >>> _order_of_others([Measure("Bpref", "ir_measures")], mixed, "average")
    {'others': ['Bpref'], 'mixed': ['a']}
    """
    others = [measure.name for measure in measures if measure.kind == "ir_measures"]
    mixed = [name for name, own in traits.items() if own["mixed"]]
    there = ties != "trec_eval" and mixed
    return {"others": others if there else [], "mixed": mixed}


def _short(sizes, measures, most):
    """Systems whose longest list is too short, with its length, for a measure that can count so many.

    One without cut-off can count the longest list of all, and half of it will do. None has over ``most``.

    >>> _short({"a": np.array([5, 4]), "b": np.array([9, 12])}, parse_measures(["AP", "P@10"]), 20)
    ({'a': 5}, 10, 'P@10')
    """
    longest = {name: int(own.max()) for name, own in sizes.items()}
    deepest = max(longest.values())
    needed, depth, measure = max(
        (
            (measure.k or deepest // 2, measure.k or deepest, measure.name)
            for measure in measures
            if measure.kind in KINDS and KINDS[measure.kind].is_for_long_lists
        ),
        default=(0, 0, ""),
    )
    return {name: size for name, size in longest.items() if size < min(needed, most)}, depth, measure


def _half_width(critical, deviations, queries):
    """Half the width of intervals of means: infinite on too few queries, NaN where values do not vary."""
    if queries < FEWEST_SURE:
        return np.full_like(deviations, np.inf)
    return np.where(deviations > 0, critical * deviations / np.sqrt(queries), np.nan)
