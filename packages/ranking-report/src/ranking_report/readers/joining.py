"""Judgments joined with what several systems retrieved: one list of items for each query."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import pandas
from numpy.typing import ArrayLike

from ndcg_companion.checks import fail_if
from ndcg_companion.data.names import folded
from ndcg_companion.data.rankings import TEXT, Rankings, first
from ndcg_companion.text import escaped

Missing = Literal["raise", "zero", "drop"]
MISSING = ("raise", "zero", "drop")
_GRADES = ("label", "grade", "clicks")
_LOWER = 2**32 - 1
_EXACT = 2**53
_WITH_ZEROS = re.compile(r"(-?\d+)\.0+")  # a whole number as floats are written
_HIGHEST = 10  # grade that is likely where all scores are whole
_MIXER = np.uint64(0x9E3779B97F4A7C15)  # odd, so that nothing is lost


class Coded(NamedTuple):
    """Ids of rows by numbers: ``texts[codes[i]]`` is that of row i, and -1 stands for one that is missing."""

    codes: np.ndarray
    texts: np.ndarray


class Rows:
    """What one source says of items, in one row for each: checked, whatever the source is.

    Parameters
    ----------
    source : str
        The file, or what else it is called in messages.
    query, item : array_like of shape (n,)
        Ids; as texts they are what files hold. They are kept as `Coded`, each text once.
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
        self.source, self.numbers, self.place = source, numbers, place
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

        self.query, self.item = codes_of(query), codes_of(item)

    def compare_ranks(self, ranks):
        """Keep how often these ranks of the rows contradict the scores; what is no number contradicts none.

        Parameters
        ----------
        ranks : array_like of shape (n,)
            They count from the best document.
        """
        query, scores = self.query.codes, self.numbers["score"]
        ranks = np.asarray(ranks)
        if ranks.dtype.kind not in "iuf":
            ranks = pandas.to_numeric(pandas.Series(ranks), errors="coerce").to_numpy(dtype=float)
        if (query[1:] < query[:-1]).any():  # rows of one query do not stand together
            order = query.argsort(kind="stable")
            query, ranks, scores = query[order], ranks[order], scores[order]
        self.contradicted = contradicted(query, ranks, scores)

    def refuse_twice(self):
        """ValueError for an item that stands twice in a query, and for a row without query or item."""
        (query, queries), (item, items) = self.query, self.item
        refuse_missing("query", query, self.place)
        refuse_missing("item", item, self.place)
        keys = query.astype(np.int64) << 32 | item
        # Quicker than to look each up, and stable, as rows of one query mostly stand together.
        ordered = np.sort(keys, kind="stable")
        if (ordered[1:] == ordered[:-1]).any():
            later = first(pandas.Series(keys).duplicated().to_numpy())
            earlier = self.place(first(keys == keys[later])).removeprefix(f"{self.source}, ")
            (item,), (query,) = as_texts(items[[item[later]]]), as_texts(queries[[query[later]]])
            got = f"{escaped(item)} for query {escaped(query)} as in {earlier}"
            raise ValueError(f"{self.place(later)}: expected each item once for a query, got {got}")


def contradicted(query, ranks, scores):
    """The share of neighbouring rows of a query on which ranks contradict scores, where both differ.

    >>> contradicted(np.array([*"qqqp"]), np.array([1, 2, 3, 4]), np.array([0.1, 0.2, 0.1, 0.9]))
    0.5
    """
    of_ranks, of_scores = ((x[1:] > x[:-1]).astype(np.int8) - (x[1:] < x[:-1]) for x in (ranks, scores))
    agreement = of_ranks * of_scores * (query[1:] == query[:-1])
    return float((agreement > 0).sum() / max((agreement != 0).sum(), 1))


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


def refuse_missing(name, codes, place):
    """ValueError for a row whose id is missing: a code of `Coded` below zero.

    >>> refuse_missing("query", codes_of(["a", None]).codes, lambda row: f"row {row + 1}")
    Traceback (most recent call last):
    ...
    ValueError: row 2: expected a value of query, got nothing
    """
    if (row := first(codes < 0)) is not None:
        raise ValueError(f"{place(row)}: expected a value of {name}, got nothing")


def codes_of(values):
    """`Coded` of ids, texts by first appearance; those of a file's fields stay bytes.

    Missing are None, NaN, NA of pandas and texts without a sign that is seen.

    >>> codes, texts = codes_of(["b", "a", "b", None, " "])
    >>> codes.tolist(), texts.tolist()
    ([0, 1, 0, -1, -1], ['b', 'a'])
    """
    values = values if hasattr(values, "dtype") else np.array(values, dtype=object)
    if _are_fields(values):
        words = _words(values)
        begins = np.append(True, (words[1:] != words[:-1]).any(axis=1))  # those of queries stand together
        (codes,), texts = _codes_of_fields([values[begins]])
        return Coded(codes[begins.cumsum() - 1], texts)
    codes, found = pandas.factorize(values)
    texts = [text if (text := str(value)).strip() else None for value in found]  # a blank one is missing
    numbers, spelled = pandas.factorize(np.array(texts, dtype=object))
    # -1 at the end: that is where -1 leads, which it stays.
    return Coded(np.append(numbers, -1).astype(np.int32)[codes], np.array(spelled, dtype=TEXT))


class Vocabulary:
    """The ids of several sources: each keeps the number that it got when it first came.

    >>> items = Vocabulary()
    >>> items.numbers(np.array([b"b", b"a"])).tolist(), items.numbers(np.array([b"c", b"a"])).tolist()
    ([0, 1], [2, 1])
    >>> items.falling().tolist()
    [2, 0, 1]
    """

    def __init__(self):
        self.texts = np.array([], dtype="S8")

    def numbers(self, texts):
        """The numbers of different ids, of which new ones get the next."""
        parts = [self.texts, texts]
        if all(map(_are_fields, parts)):
            (_, codes), self.texts = _codes_of_fields(parts)
        else:
            codes, self.texts = codes_of(np.concatenate([as_texts(ids) for ids in parts]))
            codes = codes[len(parts[0]) :]
        return codes

    def falling(self):
        """The numbers from the last text to the first, in the order of characters, which is that of bytes."""
        fields = _are_fields(self.texts)
        return (np.lexsort(_words(self.texts).T[::-1]) if fields else self.texts.argsort())[::-1]


def _are_fields(ids):
    """Whether ids are the bytes of a file."""
    return isinstance(ids, np.ndarray) and ids.dtype.kind == "S"


def _words(ids, size=None):
    """Fields as numbers of 64 bits, in as many columns as the longest takes, or as ``size`` bytes take."""
    size = size or 8 * -(-ids.itemsize // 8)
    words = ids.astype(f"S{size}", copy=False).view(">u8").astype(np.uint64)
    return words.reshape(len(ids), size // 8)


def _codes_of_fields(parts):
    """Numbers of the fields of several sources by first appearance, and their texts."""
    size = 8 * -(-max(ids.itemsize for ids in parts) // 8)
    words = np.concatenate([_words(ids, size) for ids in parts])
    codes, found = pandas.factorize(_mixed(words))
    codes = codes.astype(np.int32)
    first_at = np.empty(len(found), dtype=np.int64)
    first_at[codes[::-1]] = np.arange(len(codes))[::-1]
    texts = words[first_at]
    if size > 8 and (texts[codes] != words).any():  # two texts with one number
        codes, texts = codes_of(np.concatenate([as_texts(ids) for ids in parts]))
    else:
        texts = texts.astype(">u8").view(f"S{size}").ravel()
    return np.split(codes, np.cumsum([len(ids) for ids in parts])[:-1]), texts


def _mixed(words):
    """A hash of 64 bits of each text, whose words of eight bytes are the columns."""
    mixed = words[:, 0]
    for word in words.T[1:]:
        mixed = (mixed ^ mixed >> np.uint64(32)) * _MIXER + word
    return mixed


def as_texts(ids):
    """Ids as Python's texts, also where they are the bytes of a file."""
    ids = np.asarray(ids)
    return np.asarray(ids.astype(str) if _are_fields(ids) else ids, dtype=object)


def join(judgments, runs, missing="raise"):
    """Rankings from `Rows` of judgments and, for each system, `Rows` of what it retrieved: see `Joining`."""
    check_missing(missing)
    joining = Joining(judgments)
    for rows in runs.values():
        joining.add(rows)
    return joining.rankings([*runs], missing)


@dataclass(slots=True)
class _Part:
    """What is kept of one source: for each row its place and its value, a grade or a score.

    The place ``at`` is at first the number of the query times 2**32, plus that of the item; in the end it is
    that among all items of all queries.
    """

    source: str
    contradicted: float
    queries: np.ndarray
    at: np.ndarray
    values: np.ndarray


class Joining:
    """Judgments joined with runs that come one after the other, so that only one at a time is there whole.

    Of a run that came before, 16 bytes a row are kept, for queries that are judged; and of each id one text.

    Parameters
    ----------
    judgments : Rows
    """

    def __init__(self, judgments: Rows) -> None:
        self.judgments = judgments
        self.queries, self.items = Vocabulary(), Vocabulary()
        self.judged = len(judgments.query.texts)  # so many queries, which get the first numbers
        self.parts: list[_Part] = []
        (grades,) = judgments.numbers.values()
        odd = ((grades < -2) | (grades != np.round(grades))).any()
        self.odd_grades = len(np.unique(grades)) if odd else 0  # how many, if some are none of TREC's
        self.add(judgments)

    def add(self, rows: Rows) -> None:
        """Take what the next system retrieved; ValueError for an item twice, and for labels as its scores."""
        rows.refuse_twice()
        if self.parts and self.odd_grades:
            self._refuse_swapped(rows)
        (query, queries), (item, items) = rows.query, rows.item
        (values,) = rows.numbers.values()
        queries = self.queries.numbers(queries)
        of_judged = (queries < self.judged)[query]
        if not of_judged.all():
            query, values = query[of_judged], values[of_judged]
            item, used = pandas.factorize(item[of_judged])
            items = items[used]
        at = queries[query].astype(np.int64) << 32 | self.items.numbers(items)[item]
        self.parts.append(_Part(rows.source, rows.contradicted, queries, at, values))

    def _refuse_swapped(self, rows):
        """Refuse scores that are few whole numbers as grades are, beside more grades that are as scores are.

        Such grades have fractions, or are below -2, the lowest of TREC.
        """
        (scores,) = rows.numbers.values()
        scores = scores[scores > -np.inf]
        few = len(scores) and ((scores >= 0) & (scores <= _HIGHEST) & (scores == np.round(scores))).all()
        if few and len(np.unique(scores)) < self.odd_grades:
            grades = f"as grades are, and grades in {self.judgments.source} with fractions or below -2"
            raise ValueError(
                f"{rows.source}: expected scores, got whole numbers from {scores.min():g} to "
                f"{scores.max():g}, {grades}: are labels and runs swapped? If not, halve the scores, which "
                "keeps their order"
            )

    def rankings(self, names: Iterable[str], missing: Missing) -> Rankings:
        """The `Rankings` of all sources; to be called once, for it frees what they hold.

        An item is what is judged or what any system retrieved; items of a query stand in decreasing order of
        their ids (in the order of bytes), in which trec_eval breaks ties. Grades below zero are 0, and are
        counted.

        Parameters
        ----------
        names : iterable of str
            Of the systems, in the order in which they came.
        missing : {"raise", "zero", "drop"}
            A query that is judged but not in some run: refuse it, let the run have retrieved nothing for it,
            or leave it out for all. Queries without judgments are left out, as trec_eval does. What is left
            out is listed in ``dropped``.

        Raises
        ------
        ValueError
            For a query that is missing, a run without any judged item, and files that share no query.
        """
        judgments, runs = self.parts[0], dict(zip(names, self.parts[1:]))
        items, union = self._in_order()
        queries = self.queries.texts.astype(TEXT)
        is_judged = _spread(True, judgments.at, len(union), False)
        judged_queries = np.arange(len(queries)) < self.judged
        stays = judged_queries.copy()
        for run in runs.values():
            if not is_judged[run.at].any():
                expected = f"expected items judged in {judgments.source}, got none"
                raise ValueError(f"{run.source}: {expected}: {self._mismatch(run, items, union)}")
            present = _spread(True, run.queries, len(queries), False)
            if missing == "raise":
                _refuse_absent(self.judgments, run.source, queries, np.flatnonzero(judged_queries & ~present))
            if missing == "drop":
                stays &= present
        fail_if(not stays.any(), f"{judgments.source}: expected a query that every run has, got none")

        alike = _alike_queries(queries, judged_queries, runs) + _alike_items(items, union, is_judged, runs)
        item_stays = stays[union >> 32]
        grades = _spread(judgments.values, judgments.at, len(union), 0)[item_stays]
        negative = int((grades < 0).sum())
        scores = {}
        for name, run in runs.items():
            scores[name] = _spread(run.values.astype(float, copy=False), run.at, len(union), -np.inf)[
                item_stays
            ]
            run.at = run.values = np.array([])  # they were as large as what has taken their place
        union = union[item_stays]
        number = (stays.cumsum() - 1)[union >> 32]
        return Rankings(
            queries=queries[stays],
            items=items[union & _LOWER],
            labels=np.maximum(grades, 0),
            judged=is_judged[item_stays],
            offsets=np.append(0, np.bincount(number, minlength=stays.sum()).cumsum()),
            scores=scores,
            source=", ".join(part.source for part in self.parts),
            negative=negative,
            dropped=tuple(map(str, queries[~stays])),
            grades=grades if negative else None,
            contradicted={name: run.contradicted for name, run in runs.items()},
            alike=tuple(alike),
            distinct=True,
        )

    def _mismatch(self, run, items, union):
        """The ids that differ between the judgments and a run without a judged item, with an example of each.

        Parameters
        ----------
        run : _Part
        items : ndarray
            Texts of items, and ``union`` the keys of all places, as `_in_order` gives them.
        """
        judgments, query_texts = self.parts[0], as_texts(self.queries.texts)
        in_both = run.queries[run.queries < self.judged]
        what, examples = "the queries", [query_texts[part.queries[0]] for part in (run, judgments)]
        if len(in_both):
            what = f"the documents of query {escaped(query_texts[in_both[0]])}"
            keys = [union[part.at] for part in (run, judgments)]
            examples = [items[own[first(own >> 32 == in_both[0])] & _LOWER] for own in keys]
        own, judged = (f"'{escaped(example)}'" for example in examples)
        return f"{what} differ, such as {own} in {run.source} and {judged} in {judgments.source}"

    def _in_order(self):
        """Texts of items from the last to the first, and the keys of all, into which the parts now lead."""
        falling = self.items.falling()
        place = np.empty(len(falling), dtype=np.int64)
        place[falling] = np.arange(len(falling))
        union = np.array([], dtype=np.int64)
        for part in self.parts:
            part.at = (part.at & ~_LOWER) | place[part.at & _LOWER]
            # Stable sorts notice what is in order already: merging takes a fifteenth of sorting anew.
            union = np.sort(np.append(union, np.sort(part.at, kind="stable")), kind="stable")
            union = union[np.append(True, union[1:] != union[:-1])]
        for part in self.parts:
            part.at = np.searchsorted(union, part.at).astype(np.int32 if len(union) < 2**31 else np.int64)
        return self.items.texts[falling].astype(TEXT), union


def without_zeros(text):
    """An id, without the .0 that it gets where a program takes numbers as ids for floats.

    >>> [without_zeros(text) for text in ("7.0", "-1.00", "7.5", "v1.0", "7")]
    ['7', '-1', '7.5', 'v1.0', '7']
    """
    with_zeros = _WITH_ZEROS.fullmatch(text)
    return with_zeros[1] if with_zeros else text


def _folded_codes(texts):
    """Numbers of ids, the same for ids that are one if `folded` and `without_zeros`; None if no two are."""
    texts = texts.tolist()
    whole = "".join(texts)
    # One letter case, no accents, blanks or 1.0: what most collections have, and then nothing is to fold.
    one_case = whole.isascii() and " " not in whole and (whole == whole.upper() or whole == whole.lower())
    if one_case and ".0" not in whole:
        return None
    parts = list(map(without_zeros, folded(texts)))
    if len(set(parts)) == len(parts):
        return None
    return pandas.factorize(np.array(parts, dtype=object))[0]


def _alike_items(items, union, is_judged, runs):
    """By system, the number of items that only their spelling keeps unjudged; an example."""
    codes = _folded_codes(items)
    if codes is None:
        return []
    keys = (union & ~_LOWER) | codes[union & _LOWER]
    misses = ~is_judged & np.isin(keys, keys[is_judged])
    found = []
    for system, run in runs.items():
        own = run.at[misses[run.at]]
        if len(own):
            judged = first(is_judged & (keys == keys[own[0]]))
            pair = (str(items[union[one] & _LOWER]) for one in (own[0], judged))
            found.append((*pair, system, len(own), "document"))
    return found


def _alike_queries(queries, is_judged, runs):
    """By system, the number of queries left out only for their spelling; an example."""
    codes = _folded_codes(queries)
    if codes is None:
        return []
    found = []
    for system, run in runs.items():
        own = np.sort(run.queries)
        own = own[~is_judged[own] & np.isin(codes[own], codes[is_judged])]
        if len(own):
            judged = first(is_judged & (codes == codes[own[0]]))
            found.append((str(queries[own[0]]), str(queries[judged]), system, len(own), "query"))
    return found


def check_missing(missing):
    """Refuse what is no rule for queries that some system lacks."""
    known = ", ".join(map(repr, MISSING))
    fail_if(missing not in MISSING, f"missing={missing!r}: expected one of {known}")


def _refuse_absent(judgments, run, queries, absent):
    """Refuse judged queries that are not in a run, if there are any: ``absent`` are places in ``queries``."""
    if not len(absent):
        return
    codes, judged = judgments.query
    names = escaped(", ".join(queries[absent[:5]]), 300) + ", …" * (len(absent) > 5)
    which, them = f"query {names} is", "it"
    if len(absent) > 1:
        which, them = f"queries {names} ({len(absent)} of {len(judged)} judged) are", "them"
    raise ValueError(
        f"{judgments.place(first(codes == absent[0]))}: {which} not in {run}; missing='zero' "
        f"counts {them} 0 (--missing zero, if nothing was retrieved), missing='drop' leaves {them} out for "
        f"all (--missing drop, if the system was not run on {them})"
    )


def _spread(values, at, size, elsewhere):
    """An array of ``size`` entries: the values at these places, ``elsewhere`` at all others."""
    spread = np.full(size, elsewhere, dtype=np.asarray(values).dtype)
    spread[at] = values
    return spread


def in_order(rows, labels, times=None):
    """Rankings of what one source holds, all judged: by query as it stands, or in the order of the times.

    And that order, of which there may be nothing to do.
    """
    rows.refuse_twice()
    (query, queries), (item, items) = rows.query, rows.item
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
