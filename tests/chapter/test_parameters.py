"""The kinds of parameters that this book knows, by the engine's own way of reading them."""

import pytest

from claimbook.parameters import check_values, parse_parameters
from ndcg_book import BOOK

CELL = """\
curve: str = "power:2"  # relevance curve [a curve]
curves: str = "power:1 reversed:2"  # more of them [curves]
discount: str = "log"  # discount [a discount]
coupling: str = "additive"  # how two rankers hang together [a coupling]
"""


@pytest.fixture
def parameters():
    return parse_parameters(CELL, BOOK.values)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("curve", "cosine:0.5:0.3"),
        ("discount", "power:0.5"),
        ("coupling", "correlated:0.8"),
    ],
)
def test_what_is_allowed_stays_as_it_was_written(parameters, name, text):
    assert check_values(parameters, {name: text}) == {name: text}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"curve": "powr:2"}, ["curve=powr:2", "power"]),
        ({"coupling": "joint"}, ["coupling=joint", "one of additive, label-first"]),
        ({"coupling": "correlated:1"}, ["coupling=correlated:1", "-1 < RHO < 1"]),
        ({"coupling": "shared-top"}, ["coupling=shared-top", "a coupling"]),
        ({"curves": ""}, ["curves=", "curves"]),
        ({"curves": "power:1 nonsense"}, ["nonsense"]),
        ({"discount": "zipff"}, ["zipff", "zipf"]),
    ],
)
def test_what_is_not_allowed_is_rejected_with_what_is(parameters, given, words):
    with pytest.raises(ValueError) as refusal:
        check_values(parameters, given)
    assert all(word in str(refusal.value) for word in words), str(refusal.value)
