"""The coverage of a catalogue and the novelty of results, beside accuracy."""

import numpy as np
import pytest

from ranking_report import compare

QRELS = {"u1": {"a": 1}, "u2": {"b": 1}}
RUNS = {"same": {"u1": ["a", "b"], "u2": ["a", "b"]}, "varied": {"u1": ["a", "c"], "u2": ["b", "d"]}}
USES = {"a": 8, "b": 4, "c": 2, "d": 1, "e": 1}


def test_coverage_and_novelty_are_those_worked_by_hand():
    """Item a has 8 of 16 uses, so its information is 1 bit, and so on up to 4 bits for d."""
    comparison = compare(QRELS, RUNS, measures=["HR@1"], popularity=USES)
    board = comparison.leaderboard.set_index("system")
    assert board.loc["same", ["coverage", "novelty"]].tolist() == [2 / 5, 1.5]
    assert board.loc["varied", ["coverage", "novelty"]].tolist() == [4 / 5, (1 + 3 + 2 + 4) / 4]
    assert "coverage  novelty" in comparison.answer


def test_only_the_first_ten_results_count():
    run = {"u1": [f"i{number}" for number in range(20)]}
    uses = {f"i{number}": 2.0 if number < 10 else 1.0 for number in range(20)}
    board = compare({"u1": {"i1": 1}}, {"s": run}, popularity=uses).leaderboard
    assert board["coverage"].tolist() == [0.5] and board["novelty"].tolist() == [pytest.approx(np.log2(15))]


def test_popularity_from_a_file_equals_that_from_a_mapping(tmp_path):
    path = tmp_path / "uses.csv"
    path.write_text("item,count\n" + "".join(f"{item},{count}\n" for item, count in USES.items()))
    boards = [compare(QRELS, RUNS, popularity=source).leaderboard for source in (path, USES)]
    assert boards[0].equals(boards[1])


@pytest.mark.parametrize(
    ("popularity", "message"),
    [
        ({"a": 1, "b": 1}, "popularity: expected a count of each result of varied, got none of 'c'"),
        (USES | {"a": 0}, "popularity: expected counts above 0, got 0 for a"),
        (USES | {"a": "many"}, "popularity, item a: expected a number as count, got 'many'"),
        ({}, "popularity: expected items, got none"),
        ([1], "popularity: expected a path, or a mapping"),
    ],
)
def test_what_is_no_catalogue_of_these_results_is_rejected(popularity, message):
    with pytest.raises(ValueError, match=message):
        compare(QRELS, RUNS, popularity=popularity)


def test_a_file_without_the_columns_and_an_item_twice_are_rejected(tmp_path):
    path = tmp_path / "uses.csv"
    for text, message in (
        ("movie,views\na,1\n", "expected the columns item and count, got movie, views"),
        ("item,count\na,1\na,2\n", "expected each item once, got a twice"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            compare(QRELS, RUNS, popularity=path)
