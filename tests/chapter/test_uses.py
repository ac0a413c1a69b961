"""What reaches a figure, on cells of a few lines, and on a chapter whose parameters are turned."""

import nbformat
import pytest
from support import companion

from claimbook.output_metadata import METADATA_KEY
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


def figures(folder):
    """The drawing and the strip of each figure of an executed chapter, by name."""
    found, strips = {}, {}
    for cell in nbformat.read(folder, as_version=4).cells:
        for output in cell.get("outputs", []):
            record = output.get("metadata", {}).get(METADATA_KEY, {})
            if "figure" in record:
                found[record["figure"]["name"]] = output.data["image/svg+xml"]
            elif "stamp" in record:
                strips[record["stamp"]] = output.data["text/markdown"]
    return found, strips


def test_the_strip_of_a_built_figure_names_what_it_depends_on(quick_build):
    """Of the conventions' three parameters one; their profile also sets the number of lists."""
    _, strips = figures(quick_build / "executed" / "conventions.ipynb")
    (strip,) = strips.values()
    assert strip.startswith("<code>k&#61;5</code> · ") and strip.count("<code>") == 1


# Three runs of a whole chapter, for what the built page and the slices above show as well.
@pytest.mark.nightly
def test_a_strip_names_the_parameters_that_change_its_figure_and_no_others(tmp_path):
    """The conventions' one figure is cut at k; lists, n and seed are for what is below it."""
    drawn = {}
    for name, words in {"as it is": ["lists=20"], "others": ["n=12", "seed=9"], "k": ["k=3"]}.items():
        done = companion("run", "conventions", *{"lists=20", *words}, "--output", tmp_path / name)
        assert done.returncode == 0, done.stderr
        drawn[name], strips = figures(tmp_path / name / "conventions.ipynb")
    (strip,) = strips.values()
    assert strip.startswith("<code>k&#61;3</code> (default 5) · ") and "seed" not in strip
    assert drawn["as it is"] == drawn["others"] != drawn["k"]
