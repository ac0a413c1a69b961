"""Where a number was computed, and whether it has a name: on cells of a few lines."""

import pytest
from samples import nameless

from claimbook.cells import Cells


@pytest.mark.parametrize(
    ("cells", "origin"),
    [
        (["x = 3", "page.numbers({'it': x})"], 0),
        (["x = 3", "y = x", "page.numbers({'it': (y / x, '.1f')})"], 1),
        (["x = 3", "x += 1", "page.numbers({'it': x})"], 1),
        (["x = {}", "x['a'] = 1", "page.numbers({'it': x['a']})"], 1),
        (["def f():\n    return 3", "page.numbers({'it': f()})"], 0),
        (["x = 3", "y = 2\npage.numbers({'it': x + y})"], 1),  # the cell computes a part of it
        (["from a import f", "x = 3", "page.numbers({'it': f(x)})"], 2),
        (["from math import sqrt", "x = 3", "page.numbers({'it': sqrt(x)})"], 1),
        (["import numpy as np", "x = 3", "page.numbers({'it': np.sqrt(x)})"], 1),
        (["from a import Page, minus", "x = 3", "page.numbers({'it': minus(x)})"], 1),
        (["x = 3", "y = 4", "page.numbers({'other': y})\npage.numbers({'it': x})"], 0),
        (["x = 3", "y = 4", "page.numbers({'other': y, 'it': x})"], 0),
        (["x = 3", "y = 4", "page.numbers({f'i{k}': y for k in 'tu'})\npage.numbers({'it': x})"], 0),
        (["x = 3", "y = 4", "page.numbers({f'i{k}': y for k in 'tu'})"], 1),
        (["x = 3", "x = [k for x in 'ab']", "y = [x for x in 'ab']", "page.numbers({'it': x})"], 1),
        (["x = [3]", "for k in x:\n    page.numbers({f'i{k}': k})"], 0),
        (["x = 3", "page.numbers({'i' + 't': x})"], 0),
        (["x = 3", "page.numbers(dict(it=x))"], 0),
        (["page.numbers({'it': 3})"], 0),
        (["x = 3", "page.figure(figures.f(x), 'it')"], 0),
        (["x = 3", "drawn = figures.f(x)\npage.figure(drawn, 'it')"], 0),
        (["x = (", "y = 3", "page.numbers({'it': y})"], 1),
    ],
)
def test_where_a_number_was_computed(cells, origin):
    cells = ["from book.figures import page as figures", *cells]
    assert Cells(cells, "book.figures").origin(len(cells) - 1, "it") == origin + 1


def test_a_number_within_mappings_is_found_by_its_joined_name():
    shown = "page.numbers({'x': {'y z': (a, ''), 'u': ({'v': b}, '')}, 'w': c})"
    cells = Cells(["a = 3", "b = 4", "c = {}", shown])
    found = {name: cells.origin(3, name) for name in ("x-y-z", "x-u-v", "w-1", "w-y-z", "v")}
    assert found == {"x-y-z": 0, "x-u-v": 1, "w-1": 2, "w-y-z": 2, "v": 3}


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("page.numbers({'x': x, 'y': (3 * x, '.1f')})", []),
        ("page.numbers({'x': mean(x)})", ["mean(x)"]),
        ("def told(x):\n    page.numbers({'x': (2 * mean(x), '.1f')})", ["2 * mean(x)"]),
        ("y = mean(x)\npage.numbers({'x': y})", []),
        ("page.numbers({'x': minus(x, '.1f')})", []),
        ("page.figure(figures.f(mean(x)), 'it')", []),
    ],
)
def test_a_number_that_is_computed_where_it_is_shown_has_no_name(cell, expected):
    cells = [
        "from book.figures import page as figures\nfrom book import Page, minus\nfrom a import mean",
        cell,
    ]
    assert nameless(Cells(cells, "book.figures"), 1) == expected


@pytest.mark.parametrize(
    ("cell", "only"),
    [
        ("import numpy as np\nfrom a import b", True),
        ("page = Page('it')\npage.numbers({'x': x})", True),
        ("for x in y:\n    page.numbers({x: x})", True),
        ("drawn = figures.f(x)\npage.figure(drawn, 'it')", True),
        ("drawn = other.f(x)\npage.figure(drawn, 'it')", False),
        ("x = 3\npage.numbers({'x': x})", False),
        ("page.finding('it')", False),
        ("x", False),
        ("", False),
        ("%pip install it", False),
    ],
)
def test_cells_that_only_import_or_show(cell, only):
    cells = ["from book.figures import page as figures", cell]
    assert Cells(cells, "book.figures").only_shows(1) == only
