"""Compare pairs of systems in groups of queries, as one family of tests."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike

import numpy as np
import pandas

from ndcg_companion.checks import fail_if
from ndcg_companion.significance.family import LEVEL, each_alone, flip_signs
from ndcg_companion.significance.planning import FEWEST_SURE
from ndcg_companion.text import check_plain, escaped
from ranking_report.bounds import student_ends
from ranking_report.readers.columns import NAMES
from ranking_report.readers.files import below_comments, line_of, named, read_bytes, refuse_comments
from ranking_report.readers.ids import as_texts, check_ids, codes_of, refuse_missing
from ranking_report.results import Result
from ranking_report.wording import EQUAL, ahead_first, counted, listed, queries_text, signed

_QUERY_NAMES = {names.query for names in NAMES.values()}
_EXPECTED = "lines of 'query,group', with a header or without"
# Signs are permuted for every pair in every group at once. Within these limits, this takes a few seconds,
# even on a busy machine, and half a gigabyte.
_MOST = 2_000  # the most comparisons, which are pairs times groups
_MOST_NUMBERS = 2_000_000  # the most differences, which are comparisons times queries


@dataclass(frozen=True, eq=False)
class Groups(Result):
    """The result of `Comparison.by`.

    Attributes
    ----------
    table : DataFrame
        A table with one row for each group and pair. The columns are group, queries, first, second,
        difference, low and high (simultaneous intervals), p_family and apart.
    """

    table: pandas.DataFrame


def _sentences(table, measure):
    """Return sentences that state which pairs differ significantly in each group."""
    sentences, names = [], table["group"].unique()
    significant = table[table["apart"]]
    for name, rows in significant.groupby("group", sort=False):
        clauses = listed(_clause(ahead_first(row)) for row in rows.to_dict("records"))
        sentences.append(
            f"In the group {name} ({queries_text(rows['queries'].iloc[0])}, {measure}), {clauses}."
        )
    quiet_groups = [name for name in names if name not in set(significant["group"])]
    if quiet_groups:
        where = (
            f"any of {len(names):,} groups" if 1 < len(quiet_groups) == len(names) else listed(quiet_groups)
        )
        sentences.append(f"No pair differs significantly in {where}.")
    return "\n".join(sentences)


def _clause(row):
    constant = np.isnan(row["low"])
    interval = "the same on every query" if constant else f"{signed(row['low'])} to {signed(row['high'])}"
    return f"{row['first']} is ahead of {row['second']} by {row['difference']:.4f} ({interval})"


def read_groups(path):
    """Return the groups of each query in a file of queries and groups.

    Each line contains a query and one of its groups, separated by a comma, a tab or a blank. A header, and
    comments (``# text``) above it, are skipped.

    Returns
    -------
    dict of str to list of str

    Raises
    ------
    ValueError
        If a line has no query or no group, if a group appears twice for a query, or if there is no line.
    """
    data, start = below_comments(read_bytes(path, _EXPECTED).rstrip())
    lines = data.decode().splitlines()
    separator = next((sign for sign in ",\t" if sign in lines[0]), None)  # None stands for blanks
    first_field, *_ = lines[0].split(separator) or [""]
    has_header = first_field.strip(' "').lower() in _QUERY_NAMES
    refuse_comments(path, data, start, header=has_header)
    locate, groups = line_of(path, start), {}
    pairs = set()  # of a query and a group; a list would take long if a query has thousands of groups
    for row, line in enumerate(lines):
        if row == 0 and has_header:
            continue
        try:
            fields = next(csv.reader([line], delimiter=separator), []) if separator else line.split(None, 1)
        except csv.Error as error:
            raise ValueError(f"{locate(row)}: expected CSV, got what cannot be read: {error}") from None
        is_complete = len(fields) == 2 and all(field.strip() for field in fields)
        fail_if(not is_complete, f"{locate(row)}: expected a query and its group, got '{escaped(line)}'")
        query, group = fields
        group = check_plain(group.strip(), f"{locate(row)}: group")
        fail_if(
            (query, group) in pairs,
            f"{locate(row)}: expected each group once for a query, got {escaped(group)} twice",
        )
        pairs.add((query, group))
        groups.setdefault(query, []).append(group)
    fail_if(not groups, f"{named(path)}: expected {_EXPECTED}, got a header alone")
    return groups


def as_groups(groups):
    """Return the groups by query, from a path or a mapping of query to group(s)."""
    if not isinstance(groups, Mapping):
        fail_if(
            not isinstance(groups, (str, PathLike)),
            f"groups: expected a path or a mapping of queries to groups, got {type(groups).__name__}",
        )
        return read_groups(groups)
    by_query = {}
    for row, (query, group) in enumerate(groups.items()):
        has_several = isinstance(group, Iterable) and not isinstance(group, (str, bytes))
        location = f"groups, row {row + 1} (query {escaped(query)})"
        (name,) = _texts("query", [query], location)
        fail_if(name in by_query, f"{location}: expected each query once (compared as texts), got it twice")
        texts = _texts("group", [*group] if has_several else [group], location)
        by_query[name] = [check_plain(text, "group") for text in texts]
    fail_if(not by_query, "groups: expected a mapping of queries to groups, got none")
    return by_query


def _texts(role, ids, location):
    """Return ids as texts, in the same order.

    ``role`` and ``location`` are the name and the place of the ids in messages.

    Raises
    ------
    ValueError
        If an id is missing.
    """
    locate = lambda _: location
    codes, texts = codes_of(check_ids(role, ids, locate))
    refuse_missing(role, codes, locate)
    return as_texts(texts)[codes].tolist()


def check_groups(groups, queries, pairs, source="groups"):
    """Return the names of the groups to which the given queries belong.

    Parameters
    ----------
    groups : mapping of str to list of str
    queries : sequence of str
    pairs : int
        The number of pairs of systems that are compared.
    source : str
        The name of the groups in messages.

    Raises
    ------
    ValueError
        If no query has a group, if there is no pair, or if there are too many comparisons.

    Examples
    --------
    >>> check_groups({"q1": ["long"], "q2": ["short", "new"], "q3": ["old"]}, ["q1", "q2"], 1)
    ['long', 'new', 'short']
    """
    names = sorted({name for query in queries for name in groups.get(query, ())})
    if not names:
        examples = (f"'{escaped(next(iter(ids)))}'" for ids in (groups, queries))
        got = "got other queries, such as {} in the groups and {} in the comparison".format(*examples)
        raise ValueError(f"{source}: expected groups of the queries that are compared, {got}")
    fail_if(not pairs, "groups: expected at least two systems")
    most = min(_MOST, _MOST_NUMBERS // len(queries))
    fail_if(
        pairs * len(names) > most,
        f"{source}: expected at most {most:,} comparisons of {counted(len(queries), 'query', 'queries')}, "
        f"got {counted(pairs, 'pair', 'pairs')} in {len(names):,} groups; make fewer groups"
        f"{', or name fewer systems or a baseline' if pairs > 1 else ''}",
    )
    return names


def compare_groups(comparison, groups, source="groups"):
    """Compare pairs under the first measure in each group, as one family of tests.

    Parameters
    ----------
    comparison : Comparison
    groups : mapping of str to list of str
        The groups of each query. A query may belong to several groups or to none.
    source : str
        The name of the groups in messages.

    Returns
    -------
    Groups

    Notes
    -----
    The sign of each query is permuted for all pairs and groups at once. A pair differs significantly in a
    group if its statistic is larger than the largest statistic of a permutation, for 95 % of the
    permutations, and if Student's interval with Bonferroni's correction excludes 0.
    """
    pairs = comparison.pairs.iloc[: len(comparison.pairs) // len(comparison.measure_names)]
    names = check_groups(groups, comparison.queries, len(pairs), source)
    is_member = np.array([[name in groups.get(query, ()) for query in comparison.queries] for name in names])
    differences_of_pairs = np.array(
        [comparison.contrasts.differences(pair_number) for pair_number in pairs.index]
    )
    # For each group and pair, a row of differences, in which queries outside the group contribute 0.
    masked_differences = is_member[:, None, :] * differences_of_pairs
    masked_differences = masked_differences.reshape(-1, len(comparison.queries))
    tests = flip_signs(each_alone(masked_differences), comparison.settings["seed"])
    p_by_group = tests.p_family.reshape(-1, len(pairs))
    rows_of_table = []
    for name, is_in_group, p_values_of_group in zip(names, is_member, p_by_group):
        for pair, differences, p in zip(
            pairs.itertuples(), differences_of_pairs[:, is_in_group], p_values_of_group
        ):
            p = max(p, 2.0 ** (1 - is_in_group.sum()))  # the smallest p-value that this few signs permit
            low, high = student_ends(differences, LEVEL / (2 * len(masked_differences)))
            is_significant = bool(p <= LEVEL and (low > 0 or high < 0))
            if len(differences) >= FEWEST_SURE and np.ptp(differences) <= EQUAL:
                low = high = np.nan  # constant differences do not show how other differences vary
            if not is_significant:  # the interval includes 0
                low, high = np.minimum(low, 0.0), np.maximum(high, 0.0)
            rows_of_table.append(
                [
                    name,
                    int(is_in_group.sum()),
                    pair.first,
                    pair.second,
                    differences.mean(),
                    low,
                    high,
                    p,
                    is_significant,
                ]
            )
    columns = ["group", "queries", "first", "second", "difference", "low", "high", "p_family", "apart"]
    table = pandas.DataFrame(rows_of_table, columns=columns)
    return Groups(
        answer=_sentences(table, comparison.measure_names[0]),
        remarks=["All pairs in all groups of queries are one family at 5 %."],
        tables={"groups.csv": table},
        table=table,
    )
