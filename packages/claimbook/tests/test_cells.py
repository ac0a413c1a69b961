"""Where a number was computed, and whether it has a name: on cells of a few lines."""

import ast

import pytest
from forms import nameless

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
    "value",
    [
        "x",
        "(x, '.1f')",
        "x[0].y",
        "x[1:3]",
        "-x",
        "round(100 * x)",
        "x / 1e6",
        "f'{x:.0f} to {y:.0f}'",
        "', '.join(map(str, x))",
        "minus(x, '.1f')",
        "x or 'none'",
        "'in words'",
        "{key: 'not run' for key in x}",
        "len(x)",
        "', '.join(str(y) for y in x)",
        "f'{x:.1f}' if x < 99.9 else 'more'",
        "{key: (value, '.1f') for key, value in x.items()}",
        "{'a': x, 'b': {'c': y}}",
    ],
)
def test_a_form_may_be_given_to_a_number_where_it_is_shown(value):
    assert nameless_in(f"page.numbers({{'it': {value}}})") == []


@pytest.mark.parametrize(
    "value",
    [
        "mean(x)",
        "f'{mean(x):.1f}'",
        "minus(mean(x), '.1f')",
        "x.mean()",
        "x + 1",
        "3 * x",
        "100 / x",
        "x / y",
        "x[y > 3]",
        "x[x.index(3)]",
        "'a' if mean(x) < 3 else 'b'",
        "{key: value / 3 for key, value in x.items()}",
        "own(x)",
        "3",
        "unassigned",
        "IMPORTED",
    ],
)
def test_a_number_that_is_computed_where_it_is_shown_has_no_name(value):
    assert nameless_in(f"page.numbers({{'it': {value}, 'other': y}})") == [ast.unparse(ast.parse(value))]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("def told(z):\n    page.numbers({'x': z})", []),
        ("def told(z):\n    page.numbers({'x': (2 * mean(z), '.1f')})", ["2 * mean(z)"]),
        ("def told(z):\n    more = mean(z)\n    page.numbers({'x': (more, '.1f')})", []),
        ("for z in x:\n    page.numbers({f'a-{z}': z})", []),
        ("for z in x:\n    page.numbers({f'a-{z}': z + 1})", ["z + 1"]),
        ("for z in x:\n    more = z + 1\n    page.numbers({f'a-{z}': more})", []),
        ("z = mean(x)\npage.numbers({'x': z})", []),
        ("page.numbers(x)", []),
        ("page.figure(figures.f(mean(x)), 'it')", []),
    ],
)
def test_numbers_of_loops_and_functions_have_names_too(cell, expected):
    assert nameless_in(cell) == expected


def nameless_in(cell):
    """What a cell shows without a name, after one that imports and one that assigns x and y."""
    imports = "from book.figures import page as figures\nfrom book import Page, minus\n"
    imports += "from a import mean, IMPORTED\ndef own(x):\n    return x"
    return nameless(Cells([imports, "x = y = 3", cell], "book.figures"), 2)


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
