"""The strip below a figure is one short line, and loses nothing: what does not fit is in its fold."""

import re
from html import unescape

import pytest

from claimbook.stamps import WIDTH, Stamp

CODE, DRAWN = '<a href="#cell-x">its code</a>', "drawn by `line`"
SHAPE, LONG = ("shape=power:2", None), ("text=" + "long " * 40, None)
MANY = [SHAPE, ("n=50000", "1000000"), ("replicates=20", None), ("beta=0.5", None), ("seed=4", "5")]


def seen(text):
    return unescape(re.sub("<[^>]*>|`", "", text))


def strip(parameters, data=()):
    """What is in sight, and what is folded."""
    line, _, fold = Stamp(parameters, data).strip(DRAWN, CODE).partition("\n\n")
    title, *_, folded, _ = fold.splitlines() or ["", "", ""]
    return seen(line), title.removeprefix(":::{dropdown}"), seen(folded)


def test_a_short_strip_has_no_fold():
    assert strip([SHAPE]) == ("shape=power:2 · drawn by line · its code", "", "")
    assert strip([]) == ("no parameter · drawn by line · its code", "", "")


def test_a_long_one_shows_the_seed_first_and_folds_all_of_it():
    line, title, folded = strip(MANY)
    assert line == "seed=4, shape=power:2, n=50000, replicates=20, beta=0.5 · its code"
    assert title == " how it was made"
    assert folded == (
        "shape=power:2, n=50000 (default 1000000), replicates=20, beta=0.5, seed=4 (default 5)"
        " · drawn by line · its code"
    )


@pytest.mark.parametrize(
    ("parameters", "data", "line"),
    [
        ([SHAPE, LONG], [], "shape=power:2, … · its code"),
        ([LONG], [], "its code"),
        ([SHAPE], ["a thermometer", "seen " * 20], "shape=power:2 · data: a thermometer · its code"),
        ([], ["seen " * 20], "no parameter · its code"),
    ],
)
def test_what_does_not_fit_is_left_to_the_fold(parameters, data, line):
    told, title, folded = strip(parameters, data)
    assert told == line and len(told + title) <= WIDTH
    assert all(given in folded for given, _ in parameters) and all(what in folded for what in data)


def test_a_strip_that_just_fits_is_one_line():
    room = WIDTH - len("text= · drawn by line · its code")
    assert strip([("text=" + "x" * room, None)])[1] == ""
    assert strip([("text=" + "x" * (room + 1), None)])[1] != ""


def test_no_text_of_a_caller_closes_the_fold_or_is_markup():
    (line, _, folded), text = strip([("text=:::\n# <b>" + "x" * WIDTH, None)]), ":::\\n# <b>"
    assert line == "its code" and text in folded
