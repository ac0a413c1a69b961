"""Judgments joined with what several systems retrieved: one list of items for each query."""

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
import pandas
from numpy.typing import ArrayLike

from claimbook.text import escaped, folded
from ndcg_companion.checks import fail_if
from ndcg_companion.data.rankings import TEXT, Rankings, first

Missing = Literal["raise", "zero", "drop"]
MISSING = ("raise", "zero", "drop")
_GRADES = ("label", "grade", "clicks")
_LOWER = 2**32 - 1
_EXACT = 2**53
_MIXER = np.uint64(0x9E3779B97F4A7C15)  # odd, so that nothing is lost


class Rows:
    """What one source says of items, in one row for each: checked, whatever the source is.

    Parameters
    ----------
    source : str
        The file, or what else it is called in messages.
    query, item : array_like of shape (n,)
        Ids; as texts they are what files hold.
    numbers : mapping of str to ndarray of shape (n,)
        Such as a grade, or scores.
    place : callable
        From the number of a row, counted from 0, to the words that say where it stands.

    Raises
    ------
    ValueError
        For what is no number, NaN, and infinity unless it is a score.
    """

    contradicted = 0.0  # the share of neighbouring documents whose ranks, if there are any, contradict scores

    def __init__(
        self,
        source: str,
        query: ArrayLike,
        item: ArrayLike,
        numbers: Mapping[str, np.ndarray],
        place: Callable[[int], str],
    ) -> None:
        if _are_fields(query):
            query = pandas.Categorical.from_codes(*codes_of(query))
        self.source, self.query, self.item = source, query, item
        self.numbers, self.place = numbers, place
        for name, values in numbers.items():
            fail_if(
                values.ndim != 1, f"{source}: expected a number as {escaped(name)}, got several in one place"
            )
            may_be_infinite = name.startswith("score")
            remedy = "; -inf stands for an item that was not retrieved" if may_be_infinite else ""
            fail_if(
                values.dtype.kind not in ("iuf" if may_be_infinite or name in _GRADES else "iufM"),
                f"{source}: expected numbers as {escaped(name)}s, got {values.dtype}",
            )
            bad = np.isnan(values) if may_be_infinite else ~np.isfinite(values)
            if (row := first(bad)) is not None:
                got = f"{values[row]}{remedy}"
                raise ValueError(f"{place(row)}: expected a number as {escaped(name)}, got {got}")
            if name in _GRADES and values.dtype.kind in "iu":
                large = (
                    values > _EXACT if values.dtype.kind == "u" else (values > _EXACT) | (values < -_EXACT)
                )
                if (row := first(large)) is not None:
                    expected = f"expected a {escaped(name)} that a float holds exactly, at most 2**53"
                    raise ValueError(f"{place(row)}: {expected}, got {values[row]}")

    def keys(self, query, item, queries, items):
        """A number for each pair of query and item, from their codes; ValueError for none, or one twice."""
        for name, codes in (("query", query), ("item", item)):
            if (row := first(codes < 0)) is not None:
                raise ValueError(f"{self.place(row)}: expected a value of {name}, got nothing")
        keys = query.astype(np.int64) << 32 | item
        ordered = np.sort(keys)  # which is quicker than to look each up
        if (ordered[1:] == ordered[:-1]).any():
            later = first(pandas.Series(keys).duplicated().to_numpy())
            earlier = self.place(first(keys == keys[later])).rpartition(", ")[2]
            got = f"{escaped(items[item[later]])} for query {escaped(queries[query[later]])} as in {earlier}"
            raise ValueError(f"{self.place(later)}: expected each item once for a query, got {got}")
        return keys


def check_ids(name, values, place):
    """Ids of a mapping or a DataFrame as an array; ValueError for what is neither text nor number.

    Parameters
    ----------
    name : str
        What the ids are called in messages.
    values : sequence or Series
    place : callable
        From the number of a row to where it stands.

    Examples
    --------
    >>> check_ids("item", ["d1", ["d2"]], lambda row: f"row {row + 1}")
    Traceback (most recent call last):
    ...
    ValueError: row 2: expected a text or a number as item, got list
    """
    if isinstance(values, pandas.Series) and values.dtype != object:
        return values
    array = np.empty(len(values), dtype=object)
    array[:] = list(values)
    kinds = {kind for kind in set(map(type, array)) if not kind.__hash__ or issubclass(kind, (tuple, bytes))}
    if kinds:
        row = next(row for row, value in enumerate(array) if type(value) in kinds)
        got = f"expected a text or a number as {name}, got {type(array[row]).__name__}"
        raise ValueError(f"{place(row)}: {got}")
    return array


def codes_of(values, ordered=False):
    """Numbers of ids and their texts: ``texts[codes[i]]`` is that of ``values[i]``; -1 for what is missing.

    Texts come by first appearance, or in the order of their characters, which is that of their bytes.

    >>> codes, texts = codes_of(["b", "a", "b", None], ordered=True)
    >>> codes.tolist(), texts.tolist()
    ([1, 0, 1, -1], ['a', 'b'])
    """
    values = values if hasattr(values, "dtype") else np.array(values, dtype=object)
    if _are_fields(values):
        begins = np.append(True, values[1:] != values[:-1])  # those of queries stand together
        (codes,), texts = _codes_of_fields([values[begins]], ordered)
        return codes[begins.cumsum() - 1], texts
    codes, found = pandas.factorize(values)
    numbers, spelled = pandas.factorize(np.array([str(value) or None for value in found], dtype=object))
    texts = np.array(spelled, dtype=TEXT)
    order = texts.argsort() if ordered else np.arange(len(texts))
    # -1 at the end: that is where -1 leads, which it stays.
    return np.append(order.argsort(), -1)[np.append(numbers, -1)[codes]], texts[order]


def codes_together(parts, ordered=False):
    """The same of several sources: the numbers of each, and the texts of all.

    >>> codes, texts = codes_together([np.array([b"b", b"a"]), ["c", "a"]])
    >>> [part.tolist() for part in codes], texts.tolist()
    ([[0, 1], [2, 1]], ['b', 'a', 'c'])
    """
    if all(map(_are_fields, parts)):
        return _codes_of_fields(parts, ordered)
    codes, texts = codes_of(np.concatenate([as_texts(ids) for ids in parts]), ordered)
    return np.split(codes, np.cumsum([len(ids) for ids in parts])[:-1]), texts


def _are_fields(ids):
    """Whether ids are the bytes of a file."""
    return isinstance(ids, np.ndarray) and ids.dtype.kind == "S"


def _codes_of_fields(parts, ordered):
    """The same of fields of files, by numbers of 64 bits instead of Python objects."""
    size = 8 * -(-max(ids.itemsize for ids in parts) // 8)
    words = [ids.astype(f"S{size}", copy=False).view(">u8").reshape(len(ids), -1) for ids in parts]
    mixed = np.concatenate([_mixed(one) for one in words])
    codes, found = pandas.factorize(mixed)
    del mixed
    first_at = np.empty(len(found), dtype=np.int64)
    first_at[codes[::-1]] = np.arange(len(codes))[::-1]
    ends = np.cumsum([len(ids) for ids in parts])
    texts = np.empty((len(found), size // 8), dtype=np.uint64)
    for one, end in zip(words, ends):
        here = (first_at >= end - len(one)) & (first_at < end)
        texts[here] = one[first_at[here] - (end - len(one))]
    codes = np.split(codes.astype(np.int32), ends[:-1])
    if any((texts[own] != one).any() for own, one in zip(codes, words)):  # two texts with one number
        return codes_together([as_texts(ids) for ids in parts], ordered)
    if ordered:
        order = np.lexsort(texts.T[::-1])
        places, texts = order.argsort().astype(np.int32), texts[order]
        codes = [places[own] for own in codes]
    return codes, as_texts(texts.astype(">u8").view(f"S{size}").ravel()).astype(TEXT)


def _mixed(words):
    """One number of the words of each text."""
    mixed = words[:, 0].astype(np.uint64)
    for word in words.T[1:]:
        mixed = (mixed ^ mixed >> np.uint64(32)) * _MIXER + word
    return mixed


def as_texts(ids):
    """Ids as Python's texts, also where they are the bytes of a file."""
    ids = np.asarray(ids)
    return np.asarray(ids.astype(str) if _are_fields(ids) else ids, dtype=object)


def join(judgments, runs, missing="raise"):
    """Rankings from `Rows` of judgments and, for each system, `Rows` of what it retrieved.

    An item is what is judged or what any system retrieved; items of a query stand in decreasing order of
    their ids (in the order of bytes), in which trec_eval breaks ties. Grades below zero are 0 and counted.

    Parameters
    ----------
    judgments : Rows
    runs : dict of str to Rows
    missing : {"raise", "zero", "drop"}
        A query that is judged but not in some run: refuse it, let the run have retrieved nothing for it, or
        leave it out for all. Queries without judgments are left out, as trec_eval does. What is left out is
        listed in ``dropped``.

    Raises
    ------
    ValueError
        For a query that is missing, a run without any judged item, and files that share no query.
    """
    check_missing(missing)
    sources = [judgments, *runs.values()]
    parts = [codes_of(rows.query) for rows in sources]
    numbers, queries = codes_together([texts for _, texts in parts])
    queried = [np.append(own, np.int32(-1))[codes] for own, (codes, _) in zip(numbers, parts)]
    item, items = codes_together([rows.item for rows in sources], ordered=True)
    ends = np.cumsum([len(rows.item) for rows in sources])[:-1]
    # Queries as they come, items from the last id to the first.
    keys = [rows.keys(*codes, queries, items) ^ _LOWER for rows, *codes in zip(sources, queried, item)]
    keys = np.concatenate(keys)
    del item
    place, union = pandas.factorize(keys)
    del keys  # which is a tenth of all memory by now, as are those below
    order = union.argsort()
    moved = np.empty(len(order), dtype=np.int32 if len(order) < 2**31 else np.int64)
    moved[order] = np.arange(len(order))
    places, union = np.split(moved[place], ends), union[order]
    del place
    is_judged = _spread(True, places[0], len(union), False)
    judged_queries = _spread(True, queried[0], len(queries), False)
    stays = judged_queries.copy()
    for rows, query, at in zip(sources[1:], queried[1:], places[1:]):
        expected = f"expected items judged in {judgments.source}, got none"
        fail_if(not is_judged[at].any(), f"{rows.source}: {expected}: do the ids match?")
        present = _spread(True, query, len(queries), False)
        if missing == "raise":
            _refuse_absent(judgments, rows, queries, np.flatnonzero(judged_queries & ~present), queried[0])
        if missing == "drop":
            stays &= present
    fail_if(not stays.any(), f"{judgments.source}: expected a query that every run has, got none")

    alike = _alike_queries(queries, queried, judged_queries, runs)
    alike += _alike_items(items, union, is_judged, places, runs)
    kept = stays[union >> 32]
    grades, *scores = (next(iter(rows.numbers.values())) for rows in sources)
    grades = _spread(grades, places[0], len(union), 0)[kept]
    negative = int((grades < 0).sum())
    scores = {
        system: _spread(found.astype(float), at, len(union), -np.inf)[kept]
        for system, found, at in zip(runs, scores, places[1:])
    }
    union = union[kept]
    number = (stays.cumsum() - 1)[union >> 32]
    return Rankings(
        queries=queries[stays],
        items=items[~union & _LOWER],
        labels=np.maximum(grades, 0),
        judged=is_judged[kept],
        offsets=np.append(0, np.bincount(number, minlength=stays.sum()).cumsum()),
        scores=scores,
        source=", ".join(rows.source for rows in sources),
        negative=negative,
        dropped=tuple(map(str, queries[~stays])),
        grades=grades if negative else None,
        contradicted={system: rows.contradicted for system, rows in runs.items()},
        alike=tuple(alike),
        distinct=True,
    )


def _folded_codes(texts):
    """Numbers of ids, the same for ids that are the same when they are `folded`; None if no two are."""
    texts = texts.tolist()
    whole = "".join(texts)
    # One letter case, no accents, no blanks: what most collections have, and then there is nothing to fold.
    if whole.isascii() and " " not in whole and (whole == whole.upper() or whole == whole.lower()):
        return None
    parts = folded(texts)
    if len(set(parts)) == len(parts):
        return None
    return pandas.factorize(np.array(parts, dtype=object))[0]


def _alike_items(items, union, is_judged, places, runs):
    """Of each system, how many items miss a judgment for nothing but what `folded` passes over, and one."""
    codes = _folded_codes(items)
    if codes is None:
        return []
    keys = (union & ~_LOWER) | codes[~union & _LOWER]
    misses = ~is_judged & np.isin(keys, keys[is_judged])
    found = []
    for system, at in zip(runs, places[1:]):
        own = at[misses[at]]
        if len(own):
            judged = first(is_judged & (keys == keys[own[0]]))
            pair = (str(items[~union[one] & _LOWER]) for one in (own[0], judged))
            found.append((*pair, system, len(own), "document"))
    return found


def _alike_queries(queries, queried, is_judged, runs):
    """The same of queries, which are left out."""
    codes = _folded_codes(queries)
    if codes is None:
        return []
    found = []
    for system, of_rows in zip(runs, queried[1:]):
        own = np.unique(of_rows)
        own = own[~is_judged[own] & np.isin(codes[own], codes[is_judged])]
        if len(own):
            judged = first(is_judged & (codes == codes[own[0]]))
            found.append((str(queries[own[0]]), str(queries[judged]), system, len(own), "query"))
    return found


def check_missing(missing):
    """Refuse what is no rule for queries that some system lacks."""
    known = ", ".join(map(repr, MISSING))
    fail_if(missing not in MISSING, f"missing={missing!r}: expected one of {known}")


def _refuse_absent(judgments, rows, queries, absent, row_queries):
    """Refuse judged queries that are not in a run, if there are any.

    Both ``absent`` and ``row_queries``, the query of each row of the judgments, are places in ``queries``.
    """
    if not len(absent):
        return
    names = escaped(", ".join(queries[absent[:5]]), 300) + ", …" * (len(absent) > 5)
    which, them = f"query {names} is", "it"
    if len(absent) > 1:
        which, them = f"queries {names} ({len(absent)} of {len(np.unique(row_queries))} judged) are", "them"
    raise ValueError(
        f"{judgments.place(first(row_queries == absent[0]))}: {which} not in {rows.source}; missing='zero' "
        f"counts {them} 0 (--missing zero, if nothing was retrieved), missing='drop' leaves {them} out for "
        f"all (--missing drop, if the system was not run on {them})"
    )


def _spread(values, at, size, elsewhere):
    """An array of so many entries: the values at these places, the last one everywhere else."""
    spread = np.full(size, elsewhere, dtype=np.asarray(values).dtype)
    spread[at] = values
    return spread


def in_order(rows, labels, times=None):
    """Rankings of what one source holds, all judged: by query as it stands, or in the order of the times.

    And that order, of which there may be nothing to do.
    """
    (query, queries), (item, items) = codes_of(rows.query), codes_of(rows.item)
    rows.keys(query, item, queries, items)
    order = slice(None)
    if times is not None:
        order = np.lexsort((times, query))
    elif (query[1:] < query[:-1]).any():
        order = query.argsort(kind="stable")
    rankings = Rankings(
        queries=queries,
        items=items[item[order]],
        labels=labels[order],
        judged=np.ones(len(query), dtype=bool),
        offsets=np.append(0, np.bincount(query).cumsum()),
        scores={
            name[6:]: values[order] for name, values in rows.numbers.items() if name.startswith("score_")
        },
        times=None if times is None else times[order],
        source=rows.source,
        distinct=True,
    )
    return rankings, order
