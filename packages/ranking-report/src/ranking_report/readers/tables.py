"""Read named columns as the rows of one source, or as a complete comparison."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from ndcg_companion.checks import duplicates, fail_if
from ndcg_companion.text import check_plain, escaped
from ranking_report.readers.columns import RANK, choose, rank_beside
from ranking_report.readers.ids import check_ids
from ranking_report.readers.rows import Rows
from ranking_report.readers.values import check_numbers, refuse_first

EXPECTED = "the columns query, item, label or clicks, and score_NAME for a system NAME"
_INDEX_NAMES = ("", "Unnamed: 0", "__index_level_0__")  # the names that pandas gives to a saved index


@dataclass(frozen=True)
class Table:
    """Named columns of a file or of an object in memory, read on demand.

    Parameters
    ----------
    source : str
        The name of the source in messages.
    names : list of str
        The names of all columns.
    read : callable
        A function that takes the names of some columns and of the numeric ones among them, and returns their
        values by name.
    locate : callable
        A function that turns the number of a row, counted from 0, into words that locate it.
    header : str
        The words that locate the names in messages.
    """

    source: str
    names: list[str]
    read: Callable[[Sequence[str], Sequence[str]], Mapping[str, ArrayLike]]
    locate: Callable[[int], str]
    header: str

    def rows(self, kind):
        """Return the `Rows` of labels or scores from columns that `choose` recognizes."""
        query, item, value = choose(self.names, kind, self.header)
        rank_names = rank_beside(self.names, (query, item, value), kind)  # no name, or one
        names = [query, item, value, *rank_names]
        columns = self.read(names, [value, *rank_names])
        value_role = RANK if value == RANK else kind
        values = check_numbers(columns[value], value_role, self.locate)
        fail_if(not len(values), f"{self.source}: expected {kind}s, got none")
        roles = zip(names, ("query", "item", value_role, RANK))
        description = ", ".join(name if name == role else f"{name} as {role}" for name, role in roles)
        rows = Rows(self.source, *self._ids(columns, query, item), values, self.locate, description)
        if value == RANK:
            rows.use_ranks()
        for name in rank_names:
            rows.compare_ranks(columns[name])
        return rows

    def _ids(self, columns, query, item):
        """Return the ids of queries and of items in the columns with these names."""
        names = {"query": query, "item": item}
        return [check_ids(role, columns[name], self.locate) for role, name in names.items()]

    def rankings(self, thresholds=(100, 1001)):
        """Return the `Rankings` in columns query, item, label or clicks, and score_NAME."""
        names = _check_header(self.header, self.names)
        columns = self.read(names, [name for name in names if name not in ("query", "item")])
        label_name = "label" if "label" in names else "clicks"
        score_names = [name for name in names if name.startswith("score_")]
        labels = check_numbers(columns[label_name], label_name, self.locate)
        scores = {
            name.removeprefix("score_"): check_numbers(columns[name], name, self.locate)
            for name in score_names
        }
        fail_if(not len(labels), f"{self.source}: expected rows, got a header alone")
        refuse_first(labels < 0, self.locate, f"{label_name} >= 0", labels)
        if label_name == "clicks":
            # Imported here, because it is slow and loads all simulations.
            from ndcg_companion.data.clicks import click_labels

            labels = click_labels(labels, thresholds)
        rows = Rows(self.source, *self._ids(columns, "query", "item"), labels, self.locate, ", ".join(names))
        rankings, _ = rows.in_order(scores)
        return rankings


def _check_header(header, names):
    """Return the names of a header without pandas' index and times.

    Raises
    ------
    ValueError
        If there are unknown names, or if expected names are missing.
    """
    names = names[1:] if names and names[0] in _INDEX_NAMES else names
    names = [name for name in names if name not in ("__index_level_0__", "time", "timestamp")]
    has_one_label = ("label" in names) != ("clicks" in names)
    is_expected = lambda name: name in ("query", "item", "label", "clicks") or re.match("score_.", name, re.S)
    for wrong_names, phrase in (
        (sorted({"query", "item"} - set(names)), "without"),
        ([] if has_one_label else ["label", "clicks"], "with neither or both of"),
        (sorted(duplicates(names)), "twice with"),
        ([name for name in names if not is_expected(name)], "with also"),
    ):
        columns = ", ".join(escaped(name) or "a column without a name" for name in wrong_names)
        got = f"'{escaped(','.join(names), 200)}', {phrase} {columns}"
        fail_if(wrong_names, f"{header}: expected {EXPECTED}, got {got}")
    return [check_plain(name, f"{header}: column") for name in names]
