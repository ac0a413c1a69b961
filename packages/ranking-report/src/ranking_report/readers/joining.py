"""Join judgments and the results of several systems into one list per query."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pandas

from ndcg_companion.checks import fail_if
from ndcg_companion.data.names import folded
from ndcg_companion.data.rankings import TEXT, Rankings, first
from ndcg_companion.text import escaped
from ranking_report.choices import MISSING, Missing
from ranking_report.readers.ids import as_texts, without_zeros
from ranking_report.readers.rows import Rows, pair_keys

_ITEM_BITS = 2**32 - 1  # the bits of a key that contain the number of the item
_HIGHEST_GRADE = 10  # the highest plausible grade


def join(judgments, runs, missing="raise"):
    """Return the `Rankings` of judgments and, by name, of runs, which are all `Rows`."""
    check_missing(missing)
    joining = Joining(judgments)
    for rows in runs.values():
        joining.add(rows)
    return joining.rankings([*runs], missing)


def check_missing(missing):
    """Reject an unknown rule for missing queries."""
    rules = ", ".join(map(repr, MISSING))
    fail_if(missing not in MISSING, f"missing={missing!r}: expected one of {rules}")


@dataclass(slots=True)
class _Part:
    """The data of one source in compact form.

    A part contains the text of each query and item once, and it contains a key and a value for each row. A
    key is the number of the query times 2**32, plus the number of the item, where both are numbered within
    this source. Once all sources have been read, texts and keys are released. The part then contains the
    numbers of its queries among all queries, and the position of each row among all items of all queries.
    """

    source: str
    columns: str
    contradicted: float
    query_texts: pandas.Index | None
    item_texts: pandas.Index | None
    keys: np.ndarray | None
    values: np.ndarray
    queries: np.ndarray = field(init=False)
    positions: np.ndarray = field(init=False)


class Joining:
    """Judgments that are joined with runs one after the other, to save memory.

    Only the current run is completely in memory. For earlier runs, each id is kept only once, and each row of
    a judged query takes 16 bytes.

    Parameters
    ----------
    judgments : Rows
    """

    def __init__(self, judgments: Rows) -> None:
        self.judgments = judgments
        self.judged_count = len(judgments.query.texts)  # of queries; these have the lowest numbers
        self.parts: list[_Part] = []
        grades = judgments.values
        has_unusual_grades = ((grades < -2) | (grades != np.round(grades))).any()
        # The number of distinct grades, but 0 if all are grades of TREC.
        self.unusual_grade_count = len(np.unique(grades)) if has_unusual_grades else 0
        self.add(judgments)

    def add(self, rows: Rows) -> None:
        """Add the results of the next system.

        Raises
        ------
        ValueError
            If an item appears twice for a query, or if the scores look like labels.
        """
        rows.refuse_twice()
        if self.parts and self.unusual_grade_count:
            self._refuse_swapped(rows)
        (query_codes, query_texts), (item_codes, item_texts), values = rows.query, rows.item, rows.values
        is_of_judged_query = query_texts.isin(self.judgments.query.texts)[query_codes]
        if not is_of_judged_query.all():
            query_codes, values = query_codes[is_of_judged_query], values[is_of_judged_query]
            item_codes, used_codes = pandas.factorize(item_codes[is_of_judged_query])
            item_texts = item_texts[used_codes]
        keys = pair_keys(query_codes, item_codes)
        source = (rows.source, rows.columns, rows.contradicted)
        self.parts.append(_Part(*source, query_texts, item_texts, keys, values))

    def _refuse_swapped(self, rows):
        """Reject labels and runs that seem to be swapped.

        They seem to be swapped if the scores are a few small integers, as grades are, and the grades look
        like scores because they have fractions or are below -2, the lowest grade of TREC.
        """
        scores = rows.values[rows.values > -np.inf]
        look_like_grades = (
            len(scores) and ((scores >= 0) & (scores <= _HIGHEST_GRADE) & (scores == np.round(scores))).all()
        )
        if look_like_grades and len(np.unique(scores)) < self.unusual_grade_count:
            contrast = f"as grades are, and grades in {self.judgments.source} with fractions or below -2"
            raise ValueError(
                f"{rows.source}: expected scores, got whole numbers from {scores.min():g} to "
                f"{scores.max():g}, {contrast}: are labels and runs swapped? If not, halve the scores, which "
                "keeps their order"
            )

    def rankings(self, names: Iterable[str], missing: Missing) -> Rankings:
        """Return the `Rankings` of all sources, which are released from memory.

        Parameters
        ----------
        names : iterable of str
            The names of the systems, in the order in which their runs were added.
        missing : {"raise", "zero", "drop"}
            The treatment of a judged query that some run lacks: reject the input, count the query as if the
            run had retrieved nothing, or leave it out for all runs.

        Raises
        ------
        ValueError
            If a query is missing, if a run has no judged item, or if the files have no query in common.

        Notes
        -----
        This method can be called only once. The items of a query are those that are judged or retrieved by
        any system. These items are in decreasing order of their ids, compared as bytes, because trec_eval
        breaks ties in this order. Grades below 0 become 0 and are counted. Queries without judgments are left
        out, as in trec_eval. ``dropped`` lists what was left out.
        """
        judgments, *parts_of_runs = self.parts
        runs = dict(zip(names, parts_of_runs))
        # A key is the number of a query times 2**32, plus the number of an item.
        queries, items, all_keys = self._in_order()
        is_judged = _scatter(True, judgments.positions, len(all_keys), False)
        judged_queries = np.arange(len(queries)) < self.judged_count
        is_kept = judged_queries.copy()
        for run in runs.values():
            if not is_judged[run.positions].any():
                expected = f"expected items judged in {judgments.source}, got none"
                raise ValueError(f"{run.source}: {expected}: {self._mismatch(run, queries, items, all_keys)}")
            has_query = _scatter(True, run.queries, len(queries), False)
            if missing == "raise":
                self._refuse_absent(run, queries, np.flatnonzero(judged_queries & ~has_query))
            if missing == "drop":
                is_kept &= has_query
        fail_if(not is_kept.any(), f"{judgments.source}: expected a query that every run has, got none")

        similar_ids = []
        folded_codes = _folded_codes(queries)
        if folded_codes is not None:
            query_numbers = {name: np.sort(run.queries) for name, run in runs.items()}
            similar_ids += _similar_ids(
                "query", folded_codes, judged_queries, query_numbers, lambda number: str(queries[number])
            )
        folded_codes = _folded_codes(items)
        if folded_codes is not None:
            folded_keys = (all_keys & ~_ITEM_BITS) | folded_codes[all_keys & _ITEM_BITS]
            positions = {name: run.positions for name, run in runs.items()}
            text_of = lambda position: str(items[all_keys[position] & _ITEM_BITS])
            similar_ids += _similar_ids("document", folded_keys, is_judged, positions, text_of)
        item_stays = is_kept[all_keys >> 32]
        grades = _scatter(judgments.values, judgments.positions, len(all_keys), 0)[item_stays]
        negative = int((grades < 0).sum())
        scores = {}
        for name, run in runs.items():
            values = run.values.astype(float, copy=False)
            scores[name] = _scatter(values, run.positions, len(all_keys), -np.inf)[item_stays]
            run.positions = run.values = np.array([])  # this frees as much memory as the new array takes
        all_keys = all_keys[item_stays]
        query_of_item = (is_kept.cumsum() - 1)[all_keys >> 32]
        return Rankings(
            queries=queries[is_kept],
            items=items[all_keys & _ITEM_BITS].astype(TEXT),  # NumPy is faster at selecting Python objects
            labels=np.maximum(grades, 0),
            judged=is_judged[item_stays],
            offsets=np.append(0, np.bincount(query_of_item, minlength=is_kept.sum()).cumsum()),
            scores=scores,
            source=", ".join(part.source for part in self.parts),
            negative=negative,
            dropped=tuple(map(str, queries[~is_kept])),
            grades=grades if negative else None,
            contradicted={name: run.contradicted for name, run in runs.items()},
            similar_ids=tuple(similar_ids),
            distinct=True,
            inputs=tuple((part.source, part.columns) for part in self.parts),
        )

    def _in_order(self):
        """Return the texts of queries, those of items in decreasing order, and all keys.

        A key stands for a query and an item. The keys are distinct and in increasing order. The numbers of
        queries and the positions of each part are stored in the part.
        """
        queries, numbers_of_queries = _numbered([part.query_texts for part in self.parts])
        items, numbers_of_items = _numbered([part.item_texts for part in self.parts])
        descending_order = items.argsort()[::-1]  # the order of characters is the same as that of UTF-8 bytes
        descending_position = np.empty(len(descending_order), dtype=np.int64)
        descending_position[descending_order] = np.arange(len(descending_order))
        keys = []
        for part, query_numbers, item_numbers in zip(self.parts, numbers_of_queries, numbers_of_items):
            item_positions = descending_position[item_numbers][part.keys & _ITEM_BITS]
            keys.append(pair_keys(query_numbers[part.keys >> 32], item_positions))
            part.queries, part.query_texts, part.item_texts, part.keys = query_numbers, None, None, None
        stops = np.cumsum([*map(len, keys)])
        keys = np.concatenate(keys)
        order = keys.argsort()  # this takes at most about half the time of merging one source after the other
        keys = keys[order]
        is_first = np.append(True, keys[1:] != keys[:-1])
        positions = np.empty(len(keys), dtype=np.int32 if len(keys) < 2**31 else np.int64)
        positions[order] = is_first.cumsum(dtype=positions.dtype) - 1
        for part, positions_of_part in zip(self.parts, np.split(positions, stops[:-1])):
            part.positions = positions_of_part
        return as_texts(queries).astype(TEXT), as_texts(items[descending_order]), keys[is_first]

    def _mismatch(self, run, queries, items, all_keys):
        """Return how the ids of the judgments and of a run differ, with examples.

        Parameters
        ----------
        run : _Part
            A run without a judged item.
        queries, items : ndarray
            The texts of queries and items.
        all_keys : ndarray of int
            The keys of all positions, as `_in_order` returns them.
        """
        judgments, *_ = self.parts
        common_queries = run.queries[run.queries < self.judged_count]
        subject, examples = "the queries", [queries[part.queries[0]] for part in (run, judgments)]
        if len(common_queries):
            subject = f"the documents of query {escaped(queries[common_queries[0]])}"
            keys = [all_keys[part.positions] for part in (run, judgments)]
            examples = [items[key[first(key >> 32 == common_queries[0])] & _ITEM_BITS] for key in keys]
        retrieved, judged = (f"'{escaped(example)}'" for example in examples)
        return f"{subject} differ, such as {retrieved} in {run.source} and {judged} in {judgments.source}"

    def _refuse_absent(self, run, queries, absent):
        """Reject a run that lacks judged queries, which are given by their numbers."""
        if not len(absent):
            return
        ellipsis = ", …" if len(absent) > 5 else ""
        names = escaped(", ".join(queries[absent[:5]]), 300) + ellipsis
        absent_clause, pronoun = f"query {names} is", "it"
        if len(absent) > 1:
            counts = f"{len(absent)} of {self.judged_count} judged"
            absent_clause, pronoun = f"queries {names} ({counts}) are", "them"
        raise ValueError(
            f"{self.judgments.locate(first(self.judgments.query.codes == absent[0]))}: {absent_clause} not "
            f"in {run.source}; missing='zero' counts {pronoun} 0 (--missing zero, if nothing was retrieved), "
            f"missing='drop' leaves {pronoun} out for all (--missing drop, if the system was not run on "
            f"{pronoun})"
        )


def _numbered(lists):
    """Return the distinct texts in some lists, and each list as their numbers.

    >>> texts, numbers = _numbered([pandas.Index(["b", "a"]), pandas.Index(["c", "a"])])
    >>> texts.tolist(), [of_list.tolist() for of_list in numbers]
    (['b', 'a', 'c'], [[0, 1], [2, 1]])
    """
    numbers, texts = lists[0].append(lists[1:]).factorize()
    return texts, np.split(numbers, np.cumsum([*map(len, lists)])[:-1])


def _scatter(values, positions, size, elsewhere):
    """Return an array with ``values`` at these positions and ``elsewhere`` at others."""
    array = np.full(size, elsewhere, dtype=np.asarray(values).dtype)
    array[positions] = values
    return array


def _folded_codes(texts):
    """Return a number for each id, equal for ids with almost the same spelling.

    Numbers are equal if `folded` and `without_zeros` make the ids equal. The result is None if no two ids
    become equal.
    """
    texts = texts.tolist()
    joined_texts = "".join(texts)
    # The ids of most collections have one letter case and no accents, blanks or 1.0, so they need no folding.
    has_one_case = (
        joined_texts.isascii()
        and " " not in joined_texts
        and (joined_texts == joined_texts.upper() or joined_texts == joined_texts.lower())
    )
    if has_one_case and ".0" not in joined_texts:
        return None
    folded_texts = list(map(without_zeros, folded(texts)))
    if len(set(folded_texts)) == len(folded_texts):
        return None
    return pandas.factorize(np.array(folded_texts, dtype=object))[0]


def _similar_ids(kind, keys, is_judged, positions, text_of):
    """Return how many ids of each system are unjudged only because of their spelling.

    Each entry contains an example of such an id, the judged id that the example resembles, the name of the
    system, the number of such ids, and the kind of id.

    Parameters
    ----------
    kind : {"document", "query"}
    keys : ndarray of int
        Numbers of ids, which are equal for ids that differ only in spelling.
    is_judged : ndarray of bool
    positions : mapping of str to ndarray of int
        For each system, the positions of its ids among all ids.
    text_of : callable
        A function that returns the id at a position.
    """
    # Which ids are unjudged although a judged one is spelled almost the same.
    is_missed, entries = ~is_judged & np.isin(keys, keys[is_judged]), []
    for system, positions_of_system in positions.items():
        missed_positions = positions_of_system[is_missed[positions_of_system]]
        if len(missed_positions):
            judged_position = first(is_judged & (keys == keys[missed_positions[0]]))
            entries.append(
                (text_of(missed_positions[0]), text_of(judged_position), system, len(missed_positions), kind)
            )
    return entries
