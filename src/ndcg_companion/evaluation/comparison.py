"""Several systems on the same queries: which is better, by which measure, how surely."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import pandas

from ndcg_companion.data.joining import Missing
from ndcg_companion.data.rankings import FilePath, Rankings
from ndcg_companion.evaluation.cluster import mapping
from ndcg_companion.evaluation.family import LEVEL, Contrasts, flip_signs, pairs_of
from ndcg_companion.evaluation.groups import letters, rank_ranges
from ndcg_companion.evaluation.inputs import Source, gather
from ndcg_companion.evaluation.measure_names import Measure, parse_measure, parse_measures
from ndcg_companion.evaluation.planning import FEWEST_SURE, effects, gate_queries, queries_needed, swap_rate
from ndcg_companion.evaluation.scoring import Gains, Ties, complete, count_in, of_queries, score, traits
from ndcg_companion.evaluation.sentences import gate_told, lines_of, methods, sentences
from ndcg_companion.measures.checks import fail_if
from ndcg_companion.text import shown

_NEEDED = ("queries", "queries_low", "queries_high")
_GATE = re.compile(r"\s*(?P<measure>.+?)\s*<\s*(?P<margin>[-+−]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*")


def compare(
    labels: Source | Rankings,
    systems: Mapping[str, Source] | pandas.DataFrame | None = None,
    *,
    measures: Sequence[str | Measure] = ("nDCG@10",),
    ties: Ties = "average",
    gain: Gains = "linear",
    missing: Missing = "raise",
    baseline: str | None = None,
    seed: int = 0,
    scheduler: str | None = None,
) -> "Comparison":
    """Compare systems on the queries that all were judged on.

    Parameters
    ----------
    labels : mapping of query to mapping of item to grade; DataFrame (query, item, label); path; or Rankings
        TREC judgments, LETOR, CSV or Parquet. Unjudged items and grades below 0 count as 0. A table may hold
        the scores too, in columns ``score_NAME``; then there are no ``systems``.
    systems : mapping of name to mapping of query to mapping of item to score, DataFrame (query, item, score)
    or path
        Or one DataFrame with the columns query, item and ``score_NAME`` for each system.
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
        The system that `Comparison.gate` holds the others to.
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
        rankings = labels if isinstance(labels, Rankings) else gather(labels, systems, missing=missing)
        rankings.require(systems=1)
        known = shown(", ".join(rankings.scores), 300)
        fail_if(
            baseline not in (None, *rankings.scores),
            f"baseline='{shown(baseline)}': expected one of {known}",
        )
        return Comparison(rankings, asked, ties, gain, missing, baseline, seed, mapped)


def read_gate(text, names):
    """The measure, one of these names, and the margin of a gate.

    >>> read_gate("MAP < -0.01", ["nDCG@10", "AP"])
    ('AP', -0.01)
    """
    found = _GATE.fullmatch(text) if isinstance(text, str) else None
    gate = f"gate='{shown(text)}'"
    fail_if(not found, f"{gate}: expected 'MEASURE < MARGIN', such as 'nDCG@10 < -0.01'")
    measure = parse_measure(found["measure"]).name
    fail_if(measure not in names, f"{gate}: expected a measure that is compared, one of {', '.join(names)}")
    try:
        return measure, float(found["margin"].replace("−", "-"))
    except ValueError:
        raise ValueError(f"{gate}: expected a number after <") from None


class Comparison:
    """What `compare` found, all at 5 %.

    Attributes
    ----------
    leaderboard : DataFrame
        For the first measure, best first: system, mean, low, high (intervals that hold together), group
        (systems that share a letter are not told apart), rank_low, rank_high (in which the rank lies, all
        together), judged (share of its first ten that are), and the queries needed to tell it from the next
        with 80 % certainty: queries, queries_low, queries_high.
    pairs : DataFrame
        All pairs under all measures, one family: first, second, measure, difference, low, high (holding
        together), effect (mean over standard deviation), p (of the pair alone), p_family (step-down in the
        family), how, queries, queries_low, queries_high.
    measures : DataFrame
        measure, pairs, apart (told apart), swap_rate (halves of the queries disagree on who is ahead, mean
        over pairs), queries (to tell the median pair apart with 80 % certainty).
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
        seed: int,
        mapped: Callable[[Callable, Iterable], Iterable],
    ) -> None:
        self.settings = {
            "ties": ties,
            "gain": gain if isinstance(gain, str) else repr(gain),
            "missing": missing,
            "baseline": baseline,
            "seed": seed,
        }
        self.baseline, self.seed = baseline, seed
        self.gates: list[dict] = []
        counting = count_in(rankings.offsets, rankings.labels > 0) > 0
        fail_if(not counting.any(), f"{rankings.source}: expected a query with a relevant item, got none")
        whole = complete(rankings)
        left = [measure.name for measure in measures if measure.needs_n and not whole]
        measures = [measure for measure in measures if measure.name not in left]
        why = "which needs every system to rank every item of a query, all of them judged"
        fail_if(not measures, f"measures: expected some beside {', '.join(left)}, {why}")
        rankings = rankings if counting.all() else of_queries(rankings, counting)
        self.measure_names = [measure.name for measure in measures]
        self.kinds = [measure.kind for measure in measures]
        self.systems, self.queries = list(rankings.scores), [str(name) for name in rankings.queries]
        self.values = score(rankings, measures, ties, gain, mapped)
        self.traits = traits(rankings)
        self.source, self.all_labelled = rankings.source, bool(rankings.judged.all())
        sizes = {name: count_in(rankings.offsets, s > -np.inf) for name, s in rankings.scores.items()}
        self.notes = lines_of(
            "notes.txt",
            blank=int((~counting).sum()),
            dropped=rankings.dropped,
            left=left,
            absent={name: int((own == 0).sum()) for name, own in sizes.items() if not own.all()},
            negative=rankings.negative,
            contradicted=[(name, share) for name, share in rankings.contradicted.items() if share > 0.1],
            short=_short(sizes, measures, np.diff(rankings.offsets).max()),
            tied=self._heavily_tied(rankings, measures[0], ties, gain),
            ties=ties,
            measure=self.measure_names[0],
            judged={name: self.traits[name]["judged"] for name in self.systems},
        )
        self.contrasts = pairs_of(self.values)
        self.flips = flip_signs(self.contrasts, seed, mapped=mapped)
        alone = np.full(len(self.systems), -1)
        self.levels = Contrasts(self.values[0], np.arange(len(alone)), alone)
        self.level_flips = flip_signs(self.levels, seed, mapped=mapped)

    def _heavily_tied(self, rankings, measure, ties, gain):
        """By system with many ties, if they matter: their share, the mean, and that by trec_eval's order."""
        shares = {name: self.traits[name]["tied"] for name in self.systems}
        heavy = [name for name in self.systems if shares[name] > 0.1 and ties != "trec_eval"]
        if not heavy:
            return {}
        few = replace(rankings, scores={name: rankings.scores[name] for name in heavy})
        theirs = score(few, [measure], "trec_eval", gain)[0].mean(axis=1)
        ours = dict(zip(self.systems, self.values[0].mean(axis=1)))
        return {
            name: (shares[name], ours[name], mean)
            for name, mean in zip(heavy, theirs)
            if f"{mean:.4f}" != f"{ours[name]:.4f}"
        }

    def __repr__(self):
        sizes = f"{len(self.systems)} systems, {len(self.queries)} queries"
        return f"Comparison({sizes}, {', '.join(self.measure_names)})"

    @cached_property
    def pairs(self) -> pandas.DataFrame:
        found, flips = self.contrasts, self.flips
        difference, spread = found.means, found.spreads
        half = _half_width(flips.critical, spread, len(self.queries))
        effect = effects(difference, spread)
        names = np.array(self.systems, dtype=object)
        size = len(self.systems)
        return pandas.DataFrame(
            {
                "first": names[found.first % size],
                "second": names[found.second % size],
                "measure": np.array(self.measure_names, dtype=object)[found.first // size],
                "difference": difference,
                "low": difference - half,
                "high": difference + half,
                "effect": effect,
                "p": flips.p,
                "p_family": flips.p_family,
                "how": flips.how,
                **dict(zip(_NEEDED, queries_needed(effect, len(self.queries), flips.critical))),
            }
        )

    def apart(self, measure: str | None = None) -> np.ndarray:
        """Which systems are told apart under a measure, the first by default: a symmetric table of bool."""
        return self._table("p_family", measure, np.inf) <= LEVEL

    def _table(self, column, measure=None, same=np.nan):
        """A column of the pairs under a measure, as a symmetric table of systems."""
        size, name = len(self.systems), measure or self.measure_names[0]
        table = np.full((size, size), same)
        table[np.triu_indices(size, 1)] = self.pairs.loc[self.pairs["measure"] == name, column]
        return np.where(np.tri(size, k=-1), table.T, table)

    @cached_property
    def leaderboard(self) -> pandas.DataFrame:
        rows = self.values[0]
        means = rows.mean(axis=1)
        order = np.argsort(-means, kind="stable")
        half = _half_width(self.level_flips.critical, self.levels.spreads, len(self.queries))
        # A mean of numbers from 0 to 1 is one.
        least, most = (0, 1) if rows.min() >= 0 and rows.max() <= 1 else (-np.inf, np.inf)
        apart = self.apart()[np.ix_(order, order)]
        ranges = rank_ranges(means[order], apart)
        return pandas.DataFrame(
            {
                "system": np.array(self.systems, dtype=object)[order],
                "mean": means[order],
                "low": (means - half)[order].clip(least, most),
                "high": (means + half)[order].clip(least, most),
                "group": letters(apart),
                "rank_low": ranges[:, 0],
                "rank_high": ranges[:, 1],
                "judged": [self.traits[self.systems[at]]["judged"] for at in order],
                **{name: np.append(self._table(name)[order[:-1], order[1:]], np.nan) for name in _NEEDED},
            }
        )

    @cached_property
    def measures(self) -> pandas.DataFrame:
        one, other = np.triu_indices(len(self.systems), 1)
        rows = []
        for place, name in enumerate(self.measure_names):
            part = self.pairs.iloc[place * len(one) : (place + 1) * len(one)]
            told = len(one) and len(self.queries) > 1
            swaps = swap_rate(self.values[place], one, other, self.seed).mean() if told else np.nan
            rows.append(
                {
                    "measure": name,
                    "pairs": len(one),
                    "apart": int((part["p_family"] <= LEVEL).sum()),
                    "swap_rate": swaps,
                    "queries": part["queries"].median(),
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

    def gate(self, text: str) -> bool:
        """Whether no system is worse than the baseline by more than a margin, for sure.

        Parameters
        ----------
        text : str
            ``"nDCG@10 < -0.01"``: fail where a difference, system minus baseline, below -0.01 cannot be
            excluded.

        Returns
        -------
        bool
            True when for every system the lower end of the one-sided simultaneous 95 % interval lies above
            the margin: no harm beyond it. Otherwise ``answer`` says *worse* (some upper end lies below the
            margin), or *undecided*, and how many queries a harmless release needs to pass with 90 %
            certainty.

        Raises
        ------
        ValueError
            Without a baseline and another system, for a text of another form, and for a measure that is not
            compared.

        Examples
        --------
        >>> qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(9)}
        >>> same = {query: {"a": 2, "b": 1} for query in qrels}
        >>> compare(qrels, {"old": same, "new": same}, baseline="old").gate("nDCG@10 < -0.01")
        True
        """
        measure, margin = read_gate(text, self.measure_names)
        fail_if(
            self.baseline is None or len(self.systems) < 2,
            "gate: expected a baseline and at least one other system",
        )
        verdict = self._hold(measure, margin)
        if verdict not in self.gates:
            self.gates.append(verdict)
        return verdict["passed"]

    def against_baseline(self, measure: str) -> tuple[list[str], np.ndarray, np.ndarray, float]:
        """The other systems, their mean differences from the baseline, the spreads.

        And the one-sided critical value.
        """
        rows = self.values[self.measure_names.index(measure)]
        base = self.systems.index(self.baseline)
        others = np.array([at for at in range(len(rows)) if at != base])
        found = Contrasts(rows, others, np.full(len(others), base))
        critical = flip_signs(found, self.seed, one_sided=True).critical
        return [self.systems[at] for at in others], found.means, found.spreads, critical

    def _hold(self, measure, margin):
        names, means, spreads, critical = self.against_baseline(measure)
        q = len(self.queries)
        # One query has no spread, and shows nothing.
        half = critical * spreads / np.sqrt(q) if q > 1 else np.full(len(means), np.inf)
        passed = bool((means - half > margin).all())
        worse = [name for name, high in zip(names, means + half) if high < margin]
        needed = gate_queries(spreads, margin, critical) if q > 1 else np.inf
        verdict = {
            "measure": measure,
            "margin": margin,
            "passed": passed,
            "verdict": "pass" if passed else "worse" if worse else "undecided",
            "worse": worse,
            "queries_needed": needed,
            "systems": {
                name: {"difference": float(mean), "low": float(mean - h), "high": float(mean + h)}
                for name, mean, h in zip(names, means, half)
            },
        }
        return verdict | {"said": gate_told(verdict, self.baseline, q)}

    def save(self, folder: FilePath) -> None:
        """Write the page and the tables into a folder that is new, empty, or that of an earlier report.

        They are ``index.html``, ``leaderboard.csv``, ``pairs.csv``, ``measures.csv``, ``scores.csv``,
        ``report.json`` and ``leaderboard.tex``.

        Raises
        ------
        ValueError
            If the folder holds anything else, which stays as it is.
        """
        from ndcg_companion.evaluation.page import save

        save(self, folder)


def _short(sizes, measures, most):
    """Systems whose longest list is too short, with its length, for a measure that can count so many.

    One without cut-off can count the longest list of all, and half of it will do. None has over ``most``.

    >>> _short({"a": np.array([5, 4]), "b": np.array([9, 12])}, parse_measures(["AP", "P@10"]), 20)
    ({'a': 5}, 10, 'P@10')
    """
    longest = {name: int(own.max()) for name, own in sizes.items()}
    deepest = max(longest.values())
    needed, places, measure = max(
        (
            (measure.k or deepest // 2, measure.k or deepest, measure.name)
            for measure in measures
            if measure.kind in ("nDCG", "AP", "RR", "P", "R")
        ),
        default=(0, 0, ""),
    )
    return {name: size for name, size in longest.items() if size < min(needed, most)}, places, measure


def _half_width(critical, spreads, queries):
    """Of intervals; the signs of few queries are sure of nothing, not even where scores never vary."""
    return critical * spreads / np.sqrt(queries) if queries >= FEWEST_SURE else np.full_like(spreads, np.inf)
