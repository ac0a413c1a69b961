"""Groups of queries: which pairs of systems are told apart in which, all of them one family."""

import csv
from collections.abc import Iterable, Mapping
from os import PathLike

import numpy as np
import pandas

from claimbook.text import check_plain, escaped
from ndcg_companion.checks import fail_if
from ndcg_companion.data.columns import NAMES
from ndcg_companion.data.files import below_comments, line_of, named, read_bytes, refuse_comments
from ndcg_companion.data.joining import as_texts, check_ids, codes_of, refuse_missing
from ndcg_companion.evaluation.bounds import student_ends
from ndcg_companion.evaluation.family import LEVEL, each_alone, flip_signs

_QUERIES = {names.query for names in NAMES.values()}
_EXPECTED = "lines of 'query,group', with a header or without"
_MOST = 200_000  # comparisons, which take a minute


def read_groups(path):
    """The groups of each query, from a file whose lines are a query and one of its groups.

    Between the two stands a comma, a tab or a blank; a header that names them is passed over.

    Returns
    -------
    dict of str to list of str
    """
    data, start = below_comments(read_bytes(path, _EXPECTED).rstrip())
    lines = data.decode().splitlines()
    mark = next((mark for mark in ",\t" if mark in lines[0]), None)
    place, groups = line_of(path, start), {}
    header = next(iter(lines[0].split(mark)), "").lower() in _QUERIES
    refuse_comments(path, data, start, header=header)
    for row, line in enumerate(lines):
        try:
            fields = next(csv.reader([line], delimiter=mark), []) if mark else line.split(None, 1)
        except csv.Error as error:
            raise ValueError(f"{place(row)}: expected CSV, got what cannot be read: {error}") from None
        if row == 0 and _QUERIES & {field.lower() for field in fields[:1]}:
            continue
        right = len(fields) == 2 and all(field.strip() for field in fields)
        fail_if(not right, f"{place(row)}: expected a query and its group, got '{escaped(line)}'")
        query, group = fields[0], check_plain(fields[1].strip(), f"{place(row)}: group")
        of_query = groups.setdefault(query, [])
        fail_if(
            group in of_query,
            f"{place(row)}: expected each group once for a query, got {escaped(group)} twice",
        )
        of_query.append(group)
    fail_if(not groups, f"{named(path)}: expected {_EXPECTED}, got a header alone")
    return groups


def as_groups(groups):
    """Groups by query, from a path or a mapping of queries to a group or several."""
    if not isinstance(groups, Mapping):
        fail_if(
            not isinstance(groups, (str, PathLike)),
            f"groups: expected a path or a mapping of queries to groups, got {type(groups).__name__}",
        )
        return read_groups(groups)
    found = {}
    for row, (query, own) in enumerate(groups.items()):
        several = isinstance(own, Iterable) and not isinstance(own, (str, bytes))
        place = lambda _, row=row, query=query: f"groups, row {row + 1} (query {escaped(query)})"
        (query,), names = (
            _names_of(what, ids, place)
            for what, ids in (("query", [query]), ("group", [*own] if several else [own]))
        )
        fail_if(query in found, f"{place(0)}: expected each query once, as a text, got it twice")
        found[query] = [check_plain(name, "group") for name in names]
    fail_if(not found, "groups: expected a mapping of queries to groups, got none")
    return found


def _names_of(what, ids, place):
    """Ids as texts, in their order; ValueError if one is missing."""
    codes, texts = codes_of(check_ids(what, ids, place))
    refuse_missing(what, codes, place)
    return as_texts(texts)[codes].tolist()


def compare_groups(comparison, groups, source="groups"):
    """Pairs under the first measure in each group of queries, one family.

    Parameters
    ----------
    comparison : Comparison
    groups : mapping of str to list of str
        By query; a query may be in several groups, or in none.
    source : str
        What they are called in messages.

    Returns
    -------
    DataFrame
        group, queries, first, second, difference, low, high (holding together), p_family, apart.

    Notes
    -----
    One coin a query is tossed for all pairs and groups at once, and a pair is told apart in a group where its
    statistic is larger than the largest of all comes out by chance in 95 % of the tosses, and where Student's
    interval, with Bonferroni's correction, leaves out 0.
    """
    names = sorted({name for query in comparison.queries for name in groups.get(query, ())})
    fail_if(not names, f"{source}: expected groups of the queries that are compared, got none of theirs")
    members = np.array([[name in groups.get(query, ()) for query in comparison.queries] for name in names])
    count, size = len(comparison.pairs) // len(comparison.measure_names), len(comparison.systems)
    fail_if(not count, "groups: expected at least two systems")
    fail_if(
        count * len(names) > _MOST,
        f"{source}: expected at most {_MOST:,} comparisons, got {count:,} pairs in {len(names):,} groups",
    )
    gaps = np.array([comparison.contrasts.differences(which) for which in range(count)])
    rows = (members[:, None, :] * gaps).reshape(-1, gaps.shape[1])  # a query of another group moves no sum
    p_family = flip_signs(each_alone(rows), comparison.seed).p_family
    sizes = members.sum(axis=1)
    p_family = np.maximum(p_family, np.repeat(2.0 ** (1 - sizes), count))  # no signs of so few say more
    found = []
    for which, p in enumerate(p_family):
        group, pair = divmod(which, count)
        own = gaps[pair][members[group]]
        low, high = student_ends(own, LEVEL / (2 * len(rows)))
        apart = bool(p <= LEVEL and (low > 0 or high < 0))
        found.append(
            {
                "group": names[group],
                "queries": int(sizes[group]),
                "first": comparison.systems[comparison.contrasts.first[pair] % size],
                "second": comparison.systems[comparison.contrasts.second[pair] % size],
                "difference": own.mean(),
                "low": low if apart else min(low, 0.0),
                "high": high if apart else max(high, 0.0),
                "p_family": p,
                "apart": apart,
            }
        )
    return pandas.DataFrame(found)
