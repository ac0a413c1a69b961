"""The board of the playground: scores and addresses, and measures against a sum over all orders of tied
documents.
"""

import ast
import json
import re
from dataclasses import fields, replace
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

from ndcg_book.widgets.board import TITLES, Board

CHAPTERS = Path(__file__).parents[2] / "chapters"
START = Board("A2.B0.C3.D0.E1.F2.G1.H0.I1.J0")
TIED = replace(START, documents="A2~B0.C3.D0~E1~F2.G1.H0.I1.J0")


def orders(board):
    """Every order of the grades that the scores allow."""
    groups = [
        [g for g, s in zip(board.labels, board.scores, strict=True) if s == score]
        for score in range(10, 0, -1)
    ]
    for parts in product(*(permutations(group) for group in groups)):
        yield [grade for part in parts for grade in part]


def by_hand(grades):
    """DCG under 1/r of 2^y - 1 at 4, RankDCG and linear NDCG of grades 0 to 3 in that order, as fractions."""
    ideal = sorted(grades, reverse=True)
    gains = sum(Fraction(2**y - 1, r) for r, y in enumerate(grades[:4], 1))

    def stairs(row):
        return sum(Fraction(y + 1, 4 - best) for y, best in zip(row, ideal, strict=True))

    rank = (stairs(grades) - stairs(ideal[::-1])) / (stairs(ideal) - stairs(ideal[::-1]))
    linear = [sum(y * (10 - r) for r, y in enumerate(row, 1)) for row in (grades, ideal)]
    return gains, rank, Fraction(*linear)


@pytest.mark.parametrize(("ties", "settle"), [("average", np.mean), ("best", max), ("worst", min)])
def test_measures_are_those_of_all_orders_of_the_tied(ties, settle):
    board = replace(TIED, discount="power:1", gain="exponential", k=4, ties=ties)
    columns = zip(*map(by_hand, orders(board)), strict=True)
    expected = [float(settle([float(value) for value in column])) for column in columns]
    assert len(list(orders(board))) == 12
    values = board.measures
    assert [values["dcg"], values["rankdcg"], values["linear"]] == pytest.approx(expected, abs=1e-13)
    ideal = float(by_hand(sorted(board.labels, reverse=True))[0])
    assert values["ndcg"] == pytest.approx(expected[0] / ideal, abs=1e-13)


def test_stable_ties_take_the_list_as_it_came():
    assert replace(TIED, ties="stable").measures == pytest.approx(START.measures, abs=1e-14)


def test_scores_fall_except_between_tied_neighbours():
    assert START.scores == list(range(10, 0, -1))
    assert TIED.scores == [10, 10, 9, 8, 8, 8, 7, 6, 5, 4]


def test_documents_move_and_the_scores_of_the_places_stay():
    assert TIED.move(6, 1).documents == "F2~A2.B0.C3~D0~E1.G1.H0.I1.J0"
    assert TIED.move(1, 10).documents == "B0~C3.D0.E1~F2~G1.H0.I1.J0.A2"
    assert TIED.swap(2).documents == "A2~C3.B0.D0~E1~F2.G1.H0.I1.J0"
    assert TIED.swap(4).swap(4) == TIED
    assert START.change(START.swap(1))["dcg"] == pytest.approx(2 / np.log(3) - 2 / np.log(2))


def test_an_address_names_everything():
    board = replace(TIED, discount="power:0.35", gain="exponential", k=7, ties="worst", shown="linear")
    read = dict(parse_qsl(board.address.removeprefix("#")))
    assert [*read] == [field.name for field in fields(Board)]
    assert Board(**read | {"k": int(read["k"])}) == board


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("documents", "A2.B0"),
        ("documents", START.documents.replace("J", "A")),
        ("documents", START.documents.replace("3", "4")),
        ("documents", START.documents + "."),
        ("documents", None),
        ("discount", "zipf"),
        ("discount", "power:2.1"),
        ("discount", "geometric:0.4"),
        ("gain", "cubic"),
        ("k", 0),
        ("k", 11),
        ("k", 0.5),
        ("k", True),
        ("ties", "random"),
        ("shown", "dcg"),
    ],
)
def test_a_board_rejects_invalid_documents_and_settings(name, value):
    with pytest.raises(ValueError, match=re.escape(f"{name}={value!r}: expected")):
        replace(START, **{name: value})


def test_the_table_for_readers_without_javascript_adds_up():
    board = replace(TIED, k=4)
    rows = [
        [float(cell) for cell in re.findall(r"<td>([\d.]+)</td>", row)]
        for row in board.fallback.split("<tr>")[2:]
    ]
    ranks, discounts, earned, so_far, ideal = np.array(rows).T
    np.testing.assert_allclose(discounts, 1 / np.log1p(ranks), atol=5.1e-7)
    shared = np.array([1, 1, 3, 1])  # the means of A and B, and of D, E and F
    np.testing.assert_allclose(earned, np.append(shared * discounts[:4], [0] * 6), atol=2e-6)
    np.testing.assert_allclose(np.cumsum(earned), so_far, atol=6e-6)
    np.testing.assert_allclose(np.cumsum([3, 2, 2, 1] * discounts[:4]), ideal[:4], atol=6e-6)
    assert all(f"{value:.6f}" in board.fallback for value in board.measures.values())


def code(name):
    """The code cells of a chapter, by their names."""
    cells = json.loads((CHAPTERS / f"{name}.ipynb").read_text("utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}


def first_chapter():
    """The grades of the ten pages by their titles, and the grades as the librarian orders the pages."""
    cells, namespace = code("scoring-a-ranking"), {"np": np}
    exec(cells["parameters"] + "\n" + cells["documents"].partition("\n\n")[0], namespace)
    return namespace["documents"], namespace["grades"][np.argsort(-namespace["scores"])].tolist()


def test_its_documents_are_the_pages_of_the_first_chapter_with_their_grades():
    pages, _ = first_chapter()
    assert {TITLES[letter]: int(grade) for letter, grade in re.findall(r"(\w)(\d)", START.documents)} == pages


def test_librarian_and_clerk_have_the_same_order_in_every_chapter():
    orders = {"librarian": first_chapter()[1], "clerk": START.labels}
    met = set()
    for path in CHAPTERS.glob("*.ipynb"):
        for source in code(path.stem).values():
            for name, row in re.findall(r"^(librarian|clerk) = np\.array\((\[.*?\])\)", source, re.M):
                assert ast.literal_eval(row) == orders[name], path.stem
                met.add(path.stem)
    assert len(met) >= 11
