"""What a dial holds: a sentence and a height for each position, and a table where no script runs."""

import json
import re

import numpy as np
import pytest

from ndcg_book.widgets.dial import Dial, dials, raised

TENS = [10, 100, 1_000]
LENGTH = Dial("Items", [f"10{raised(k)}" for k in (1, 2, 3)], start=1)
NOISE = Dial("Noise <b>", ["low", "high"], start=1)
TICKS = {1.0: "1", 10.0: "10", 100.0: "100"}


def told(i, j):
    return f"{TENS[i]} items & {j}"


def data_of(made):
    """What the script reads."""
    return json.loads(re.search(r'id="dial-data">(.*?)</script>', made.data)[1])


def test_each_position_has_its_sentence_in_the_order_in_which_the_script_counts():
    made = dials([LENGTH, NOISE], {"a": np.ones((3, 2))}, told, axis="y", ticks=TICKS)
    data = data_of(made)
    assert data["told"] == [f"{n} items & {j}" for n in TENS for j in (0, 1)]
    assert [dial["start"] for dial in data["dials"]] == [1, 1]


def test_heights_are_between_the_lowest_and_the_highest_tick_also_by_logarithms():
    values = np.array([1.0, 10.0, np.nan])
    logs = data_of(dials([LENGTH], {"a": values}, str, axis="y", ticks=TICKS, log=True))
    plain = data_of(dials([LENGTH], {"a": values}, str, axis="y", ticks=TICKS))
    assert logs["lines"] == [["a", [0.0, 0.5, None]]] and plain["lines"] == [["a", [0.0, 0.0909, None]]]
    assert logs["ticks"] == [[0.0, "1"], [0.5, "10"], [1.0, "100"]]


def test_without_a_script_a_table_says_it_and_no_text_is_taken_for_markup():
    made = dials([LENGTH, NOISE], {"a": np.ones((3, 2))}, told, axis="y", ticks=TICKS)
    table = made.data.partition("<script")[0]
    assert "<td>100 items &amp; 1</td>" in table and "Noise &lt;b&gt;" in table and "stands at high" in table
    assert "<td>100 items &amp; 0</td>" not in table


@pytest.mark.parametrize(
    "turned, lines, message",
    [
        ([], {"a": np.ones(3)}, "turned: expected one or two dials, got 0"),
        ([Dial("x", ["1"])], {"a": np.ones(1)}, "turned: expected at most 600 positions, two or more"),
        ([Dial("x", ["1"] * 601)], {"a": np.ones(601)}, "turned: expected at most 600 positions"),
        ([LENGTH], {"a": np.ones(2)}, r"lines\['a'\]: expected the shape \(3,\), got \(2,\)"),
        ([LENGTH], {}, "lines: expected one to three, got 0"),
    ],
)
def test_other_shapes_are_refused(turned, lines, message):
    with pytest.raises(ValueError, match=message):
        dials(turned, lines, str, axis="y", ticks=TICKS)
