import pytest
from plain_book import BOOK

from claimbook.parameters import check_values, parse_parameters

CELL = """\
n: int = 1_000  # items in the list [10 <= n <= 1_000_000]
beta: float = 0.5  # exponent of the decay [0 < beta < 1; theorem 7 asks for it]
shape: str = "power:2"  # an outline [a shape]
shapes: str = "power:1 flat:2"  # more of them [shapes]
mode: str = "fast"  # how [one of fast, slow]
shuffled: bool = False  # whether arrival is shuffled
seed: int = 7  # where randomness starts [seed >= 0]
share: float = 0.5  # of something
file: str = "made"  # what is read [any text]
"""


@pytest.fixture
def parameters():
    return parse_parameters(CELL, BOOK.values)


def test_declarations_are_read_in_order(parameters):
    assert [parameter.name for parameter in parameters] == [
        "n",
        "beta",
        "shape",
        "shapes",
        "mode",
        "shuffled",
        "seed",
        "share",
        "file",
    ]
    beta = parameters[1]
    assert (beta.type, beta.default, beta.help) == (float, 0.5, "exponent of the decay")
    assert (beta.allowed, beta.reason) == ("0 < beta < 1", "theorem 7 asks for it")


def test_a_long_comment_may_stand_above_its_parameter():
    above = "# exponent of the decay\n# [0 < beta < 1]"
    source = f"n: int = 5  # items [n > 0]\n{above}\nbeta: float = 0.5\nseed: int = 1"
    n, beta, seed = parse_parameters(source)
    assert (beta.help, beta.allowed) == ("exponent of the decay", "0 < beta < 1")
    assert (n.help, seed.help) == ("items", "")


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({"n": "1e6"}, 1_000_000),
        ({"n": "10"}, 10),
        ({"n": "1_000"}, 1000),
        ({"beta": "0.25"}, 0.25),
        ({"beta": 0.999}, 0.999),
        ({"shape": "flat:0.5"}, "flat:0.5"),
        ({"mode": "slow"}, "slow"),
        ({"shuffled": "true"}, True),
        ({"seed": 0}, 0),
    ],
)
def test_what_is_allowed_is_read_as_its_type(parameters, given, value):
    (found,) = check_values(parameters, given).values()
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n": "abc"}, ["n=abc", "a whole number", "10 <= n <= 1_000_000"]),
        ({"n": "1.5"}, ["n=1.5", "a whole number"]),
        ({"n": "inf"}, ["n=inf", "a whole number"]),
        ({"n": "9"}, ["n=9", "10 <= n"]),
        ({"n": True}, ["n=True", "a whole number"]),
        ({"n": 1_000_001}, ["n=1000001", "n <= 1_000_000"]),
        ({"beta": "1"}, ["beta=1", "0 < beta < 1", "theorem 7 asks for it"]),
        ({"beta": "0"}, ["beta=0", "0 < beta < 1"]),
        ({"beta": "nan"}, ["beta=nan", "0 < beta < 1"]),
        ({"seed": "-1"}, ["seed=-1", "seed >= 0"]),
        ({"shape": "powr:2"}, ["shape=powr:2", "power"]),
        ({"shapes": ""}, ["shapes=", "shapes"]),
        ({"shapes": "power:1 nonsense"}, ["nonsense"]),
        ({"mode": "quick"}, ["mode=quick", "one of fast, slow"]),
        ({"shuffled": "maybe"}, ["shuffled=maybe", "true or false"]),
        ({"bta": "0.5"}, ["bta", "did you mean 'beta'"]),
        ({"share": "inf"}, ["share=inf", "finite"]),
        ({"share": float("nan")}, ["share=nan", "finite"]),
        ({"seed": "9" * 30}, ["seed=999", "too large"]),
        ({"file": "a\x1b[31m"}, ["file 'a\\x1b[31m': expected no control characters"]),
        ({"file\n": "a"}, ["file\\n: no parameter"]),
        ({"n": "1" * 5000}, ["n=1111", "…: expected"]),
    ],
)
def test_what_is_not_allowed_is_refused_with_the_range(parameters, given, words):
    with pytest.raises(ValueError) as refusal:
        check_values(parameters, given)
    assert all(word in str(refusal.value) for word in words), str(refusal.value)


@pytest.mark.parametrize(
    "source",
    [
        "n = 5",
        "n: int = compute()",
        "n: list = [1]  # a list",
        "import numpy",
        "n: int = 5  # help [n is prime]",
    ],
)
def test_a_cell_that_declares_something_else_is_refused(source):
    with pytest.raises(ValueError):
        parse_parameters(source)


def test_a_default_outside_its_own_range_is_refused():
    with pytest.raises(ValueError, match="beta=2.0"):
        parse_parameters("beta: float = 2.0  # exponent [0 < beta < 1]")
