"""Compute each system's coverage of a catalogue and the novelty of its results."""

from os import PathLike

import numpy as np

from ndcg_companion.checks import duplicates, fail_if
from ndcg_companion.text import escaped
from ranking_report.readers.formats import sniff_table
from ranking_report.readers.values import as_numbers
from ranking_report.scoring import retrieved

_DEPTH = 10  # the number of first results in a list that count


def read_popularity(popularity):
    """Return how often each item was used, from a mapping or a file.

    Parameters
    ----------
    popularity : path, or mapping of item to number
        The number of uses of each item. A file has the columns ``item`` and ``count``.

    Raises
    ------
    ValueError
        If a column is missing, an item appears twice, there is no item, or a count is not a number above 0.
    """
    source = "popularity"
    if isinstance(popularity, (str, PathLike)):
        table = sniff_table(popularity)
        source, got = table.source, escaped(", ".join(table.names))
        has_columns = {"item", "count"} <= set(table.names)
        fail_if(not has_columns, f"{source}: expected the columns item and count, got {got}")
        columns = table.read(["item", "count"], ["count"])
        # Readers of text return ids as `Coded`, and the reader of Parquet returns a Series.
        items = columns["item"].decoded() if hasattr(columns["item"], "decoded") else [*columns["item"]]
        counts = as_numbers(columns["count"], "count", table.locate)
        repeated_items = duplicates(items)
        if repeated_items:
            raise ValueError(f"{source}: expected each item once, got {escaped(repeated_items[0])} twice")
    else:
        fail_if(
            not hasattr(popularity, "items"), "popularity: expected a path, or a mapping of item to number"
        )
        items = [*map(str, popularity)]
        counts = as_numbers([*popularity.values()], "count", lambda row: f"popularity, item {items[row]}")
    for item, count in zip(items, counts):
        fail_if(
            not 0 < count < np.inf, f"{source}: expected counts above 0, got {count:g} for {escaped(item)}"
        )
    fail_if(not items, f"{source}: expected items, got none")
    return dict(zip(items, counts.tolist()))


def catalogue_columns(rankings, popularity):
    """Return the coverage and the novelty of each system's first ten results.

    Parameters
    ----------
    rankings : Rankings
    popularity : dict of str to float
        How often each item of the catalogue was used.

    Returns
    -------
    dict of str to dict
        For each system, ``coverage`` is the proportion of the catalogue that appears in any list. ``novelty``
        is the average, over the results, of ``-log2`` of the item's proportion of all uses. This is the
        self-information of Zhou et al. (2010).

    Raises
    ------
    ValueError
        If a result is not in the catalogue.
    """
    number_of_uses, columns_by_system = sum(popularity.values()), {}
    for system in rankings.scores:
        results = retrieved(rankings, system, "trec_eval")
        query_number = np.repeat(np.arange(len(results.offsets) - 1), np.diff(results.offsets))
        order = np.lexsort((-results.scores, query_number))  # by query, with the highest score first
        ranks_from_0 = np.arange(len(order)) - results.offsets[query_number]
        first_positions = order[ranks_from_0 < _DEPTH]
        items = rankings.items[results.places][first_positions].tolist()
        unknown_item = next((item for item in items if item not in popularity), None)
        fail_if(
            unknown_item is not None,
            f"popularity: expected a count of each result of {escaped(system)}, got none of "
            f"'{escaped(unknown_item)}'",
        )
        surprisals = [-np.log2(popularity[item] / number_of_uses) for item in items]
        columns_by_system[system] = {
            "coverage": len({*items}) / len(popularity),
            "novelty": float(np.mean(surprisals)),
        }
    return columns_by_system
