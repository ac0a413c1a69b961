"""The strip below a figure names what the figure used: of a chapter that was built."""

import nbformat
import pytest
from support import companion

from claimbook.output_metadata import METADATA_KEY


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
    assert strip == "<code>k&#61;5</code>"


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
    assert strip == "<code>k&#61;3</code> (default 5)"
    assert drawn["as it is"] == drawn["others"] != drawn["k"]
