"""What reaches a figure: on cells of a few lines."""

import pytest

from claimbook.provenance import used

SOURCES = ("n", "seed", "beta")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["draw(n)"], "n"),
        (["x = n", "y = x + 1", "draw(y)"], "n"),
        (["x = n", "x = 3", "draw(x)"], ""),
        (["x = n", "y, z = x, seed", "draw(z)"], "n seed"),
        (["x = []", "x.append(beta)", "draw(x)"], "beta"),
        (["x = {}", "x['a'] = beta", "draw(x)"], "beta"),
        (["x = 0", "x += beta", "draw(x)"], "beta"),
        (["x = n", "if seed > 3:\n    x = 2", "draw(x)"], "n seed"),
        (["for k in range(n):\n    x = k", "draw(x)"], "n"),
        (["def f(r):\n    return r ** -beta", "draw(f(2))"], "beta"),
        (["def f(beta):\n    return beta", "draw(f(2))"], ""),
        (["def f(r):\n    return g(r)", "def g(r):\n    return f(n)", "draw(f)"], "n"),  # called later
        (["def f(r):\n    return r + x", "x = seed", "draw(f)"], "seed"),
        (["f = lambda r: [r * beta for _ in range(2)]", "draw(f)"], "beta"),
        (["x = [n for n in range(3)]", "draw(x)"], ""),
        (["import numpy as np", "np.add.at(x, 0, n)", "y = np.ones(3)", "draw(y)"], ""),
        (["page.numbers({'n': n})", "page.figure(x, 'other')", "draw(1)"], ""),
        (["n: int = 5", "n = 7", "draw(n)"], "n"),
        (["draw(n)", "draw(beta)"], "beta"),  # run again, with something else in it
        (["x = (", "draw(n)"], "n"),
    ],
)
def test_what_reaches_a_figure(cells, expected):
    cells = [cell.replace("draw(", "page.figure('it', ") for cell in cells]
    assert used(cells, "it", SOURCES) == set(expected.split())
