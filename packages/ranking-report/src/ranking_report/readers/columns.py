"""The names that other programs give to the columns of judgments and runs."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Literal, NamedTuple

from ndcg_companion.checks import duplicates
from ndcg_companion.text import escaped

Kind = Literal["label", "score"]


class _Names(NamedTuple):
    """A program's names for the columns of query, item, label and score.

    If a column has several names, the first one that a file contains is used.
    """

    query: str
    item: str
    label: str
    score: str


NAMES = {
    "": _Names("query", "item", "label", "score"),
    "PyTerrier": _Names("qid", "docno", "label", "score"),
    "ir_measures": _Names("query_id", "doc_id", "relevance", "score"),
    "ranx": _Names("q_id", "doc_id", "score", "score"),
    "BEIR": _Names("query-id", "corpus-id", "score", "score"),
    "recommenders": _Names(
        "user_id userId userID user uid user_id:token",
        "item_id itemId itemID movieId item iid item_id:token",
        "rating rating:float label",
        "score prediction est score:float rating rating:float",
    ),
}
# These names are similar. Messages mention them, but they are never accepted.
_SIMILAR_NAMES = {
    "query": "topic topic_id query_number task",
    "item": "document document_id docid doc did pid passage_id",
    "label": "grade rel relevant judgment judgement gain qrel",
    "score": "similarity sim pred relevance_score value",
}
RANK = "rank"  # a run may have this column, which counts from the best document, instead of the score


def _plain(name):
    """Return the letters and digits of a name, in lower case."""
    return re.sub(r"[\W_]", "", name).lower()


# The role of a column by its plain name. If a name has two roles, the first one counts.
_ROLES = {
    _plain(word): role
    for role in reversed(_Names._fields)
    for word in " ".join([*(getattr(names, role) for names in NAMES.values()), _SIMILAR_NAMES[role]]).split()
} | dict.fromkeys(("rank", "ranks", "ranking", "position"), RANK)


def choose(names: Sequence[str], kind: Kind, source: str) -> tuple[str, str, str]:
    """Return the columns of the query, the item, and the label, score or rank.

    Parameters
    ----------
    names : sequence of str
        The names of all columns. Unknown columns are ignored, as is PyTerrier's ``rank``.
    kind : {"label", "score"}
        Whether the source contains judgments or a run.
    source : str
        The name of the source in messages.

    Raises
    ------
    ValueError
        If a name appears twice, or if the columns of no program are complete.

    Notes
    -----
    The rank is chosen for a run without scores. The rank counts from the best document, so it rises as scores
    fall.

    Examples
    --------
    >>> choose(["qid", "docid", "docno", "rank", "score", "query"], "score", "run")
    ('qid', 'docno', 'score')
    >>> choose(["qid", "docno", "rank"], "score", "run")
    ('qid', 'docno', 'rank')
    >>> choose(["query_id", "docno", "relevance"], "label", "qrels")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: qrels: expected the columns query, item, label (or ...; docno looks like doc_id
    """
    repeated_names = duplicates(names)
    if repeated_names:
        raise ValueError(f"{source}: expected each column once, got {escaped(repeated_names[0])} twice")
    by_program = {
        program: _columns_of_program(program_names, kind, names) for program, program_names in NAMES.items()
    }
    for columns in by_program.values():
        if set(columns) <= set(names):
            return columns
    for query, item, _ in by_program.values():
        if kind == "score" and {query, item, RANK} <= set(names):
            return query, item, RANK
    alternatives = "; ".join(
        f"{', '.join(columns)} of {program}" for program, columns in by_program.items() if program
    )
    got = escaped(", ".join(names)) or "none"
    expected = f"expected the columns {', '.join(by_program[''])} (or {alternatives})"
    expected += f", or {RANK} for the score, from the best on" if kind == "score" else ""
    raise ValueError(f"{source}: {expected}, got {got}{_hint(names, kind, by_program)}")


def rank_beside(names: Sequence[str], chosen: Sequence[str], kind: Kind) -> list[str]:
    """Return a list with the rank column beside a run's scores, or an empty list.

    Parameters
    ----------
    names : sequence of str
        The names of all columns.
    chosen : sequence of str
        The columns that `choose` returned.
    kind : {"label", "score"}

    Examples
    --------
    >>> names = ["qid", "docno", "Rank", "score"]
    >>> rank_beside(names, choose(names, "score", "run"), "score")
    ['Rank']
    """
    if kind != "score" or RANK in chosen:
        return []
    return [name for name in names if name not in chosen and _ROLES.get(_plain(name)) == RANK][:1]


def has_pair(names: Iterable[str]) -> bool:
    """Return whether columns have one program's names for a query and an item.

    >>> has_pair(["query-id", "corpus-id", "score"]), has_pair(["301", "0", "d1", "1"])
    (True, False)
    """
    names = set(names)
    return any(
        names & {*program_names.query.split()} and names & {*program_names.item.split()}
        for program_names in NAMES.values()
    )


def is_nearly(names: Iterable[str]) -> bool:
    """Return whether texts look like a header and contain no number.

    The texts must resemble names for at least two of these: a query, an item, a label and a score.

    >>> is_nearly(["topic", "doc", "rel"]), is_nearly(["topic", "doc", "1"])
    (True, False)
    """
    roles = {_ROLES.get(_plain(name)) for name in names}
    return len(roles - {None}) > 1 and not has_number(names)


def has_number(names):
    """Return whether one of these names begins like a number.

    >>> has_number(["query", "0", "item", "1"]), has_number(["query", "item"])
    (True, False)
    """
    return any(re.search(r"^[-+.]?\d", name.strip()) for name in names)


def _columns_of_program(program_names, kind, names):
    """Return a program's names of the query, the item, and the label or score.

    Of several names for a column, the first one in ``names`` is returned, or else the first one of all.
    """
    alternatives = [getattr(program_names, role).split() for role in ("query", "item", kind)]
    return tuple(next((word for word in words if word in names), words[0]) for words in alternatives)


def _hint(names, kind, by_program):
    """Return a hint on which missing column each remaining column resembles, or "".

    The missing columns are those of the program with the most names in ``names``.
    """
    columns = max(by_program.values(), key=lambda columns: len(set(columns) & set(names)))
    roles = dict(zip(columns, ("query", "item", kind)))
    other_names = [name for name in names if name not in columns]
    hints = []
    for column in columns:
        if column in names:
            continue
        similar_names = [name for name in other_names if _ROLES.get(_plain(name)) == roles[column]]
        similar_names += get_close_matches(column, other_names, n=1, cutoff=0.75)
        hints += [f"{escaped(similar_names[0])} looks like {column}"] if similar_names else []
    if kind == "score" and (
        rank_names := [name for name in other_names if _ROLES.get(_plain(name)) == RANK and name != RANK]
    ):
        hints.append(f"{escaped(rank_names[0])} looks like {RANK}")
    return f"; {', '.join(hints)}" if hints else ""
