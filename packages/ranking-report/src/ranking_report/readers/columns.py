"""What the columns of judgments and of runs are called, by the programs that write them."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Literal, NamedTuple

from ndcg_companion.checks import duplicates, fail_if
from ndcg_companion.text import escaped

Kind = Literal["label", "score"]


class _Names(NamedTuple):
    """Names of the columns for the query, the item, the label of judgments and the score of a run.

    Where there are several, the first that a file has is taken.
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
# What else such columns are called: nearly known, so named in a refusal, but never taken for them.
_NEAR = {
    "query": "topic topic_id query_number task",
    "item": "document document_id docid doc did pid passage_id",
    "label": "grade rel relevant judgment judgement gain qrel",
    "score": "similarity sim pred relevance_score value",
}
RANK = "rank"  # the column of a run that may stand for the score; it counts from the best document


def _plain(name):
    return re.sub(r"[\W_]", "", name).lower()


# What a column is, by its plain name; where a name is that of two roles, the first of them.
_ROLES = {
    _plain(word): role
    for role in reversed(_Names._fields)
    for word in " ".join([*(getattr(of_all, role) for of_all in NAMES.values()), _NEAR[role]]).split()
} | dict.fromkeys(("rank", "ranks", "ranking", "position"), RANK)


def choose(names: Sequence[str], kind: Kind, source: str) -> tuple[str, str, str]:
    """Which columns hold the query, the item and the label, score or rank; ValueError if none do.

    The rank is that of a run whose columns have no score. It counts from the best document, so that it
    falls where scores rise.

    Parameters
    ----------
    names : sequence of str
        Of all columns, each once. Others than the three are passed over, such as PyTerrier's ``rank``.
    kind : {"label", "score"}
    source : str
        The file, or what else it is called in messages.

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
    twice = duplicates(names)
    fail_if(twice, f"{source}: expected each column once, got {escaped(''.join(twice[:1]))} twice")
    by_program = {program: _of_kind(of_all, kind, names) for program, of_all in NAMES.items()}
    for columns in by_program.values():
        if set(columns) <= set(names):
            return columns
    for query, item, _ in by_program.values() if kind == "score" else ():
        if {query, item, RANK} <= set(names):
            return query, item, RANK
    others = "; ".join(
        f"{', '.join(columns)} of {program}" for program, columns in by_program.items() if program
    )
    got = escaped(", ".join(names)) or "none"
    expected = f"expected the columns {', '.join(by_program[''])} (or {others})"
    expected += f", or {RANK} for the score, from the best on" if kind == "score" else ""
    raise ValueError(f"{source}: {expected}, got {got}{_hint(names, kind, by_program)}")


def rank_beside(names: Sequence[str], chosen: Sequence[str], kind: Kind) -> list[str]:
    """The column of a run that ranks its documents beside the scores, in a list; empty if there is none.

    Parameters
    ----------
    names : sequence of str
        Of all columns.
    chosen : sequence of str
        What `choose` returned of them.
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
    """Whether a query and an item, as one program calls them, are among the names of columns.

    >>> has_pair(["query-id", "corpus-id", "score"]), has_pair(["301", "0", "d1", "1"])
    (True, False)
    """
    given = set(names)
    return any(
        given & {*of_all.query.split()} and given & {*of_all.item.split()} for of_all in NAMES.values()
    )


def is_nearly(names: Iterable[str]) -> bool:
    """Whether two of these names look like those of a query, an item, a label or a score, none a number.

    >>> is_nearly(["topic", "doc", "rel"]), is_nearly(["topic", "doc", "1"])
    (True, False)
    """
    roles = {_ROLES.get(_plain(name)) for name in names}
    return len(roles - {None}) > 1 and not has_number(names)


def has_number(names):
    """Whether one of these names begins as numbers do, as no name of a column does.

    >>> has_number(["query", "0", "item", "1"]), has_number(["query", "item"])
    (True, False)
    """
    return any(re.search(r"^[-+.]?\d", name.strip()) for name in names)


def _of_kind(of_all, kind, names):
    """What one program calls the three columns, of several words the first that is among the names."""
    words = (of_all.query.split(), of_all.item.split(), getattr(of_all, kind).split())
    return tuple(next((word for word in several if word in names), several[0]) for several in words)


def _hint(names, kind, by_program):
    """What is missing of the nearest names, and which of the columns look like that."""
    columns = max(by_program.values(), key=lambda columns: len(set(columns) & set(names)))
    roles = dict(zip(columns, ("query", "item", kind)))
    rest = [name for name in names if name not in columns]
    looks = []
    for missing in columns:
        if missing in names:
            continue
        same = [name for name in rest if _ROLES.get(_plain(name)) == roles[missing]]
        same += get_close_matches(missing, rest, n=1, cutoff=0.75)
        looks += [f"{escaped(same[0])} looks like {missing}"] if same else []
    if kind == "score" and (
        ranks := [name for name in rest if _ROLES.get(_plain(name)) == RANK and name != RANK]
    ):
        looks.append(f"{escaped(ranks[0])} looks like {RANK}")
    return f"; {', '.join(looks)}" if looks else ""
