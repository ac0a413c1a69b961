import re
from datetime import date

import pytest
from plain_book import BOOK

from claimbook.parameters import check_values, parse_parameters

CELL = """\
n: int = 1_000  # items in the list [10 .. 1_000_000]
# theorem 7 asks
# for it
beta: float = 0.5  # exponent of the decay [0 < beta < 1]
shape: str = "power:2"  # an outline [a shape]
shapes: str = "power:1 flat:2"  # more of them [shapes]
mode: str = "fast"  # how [one of fast, slow]
shuffled: bool = False  # whether arrival is shuffled
seed: int = 7  # where randomness starts [0 ..]
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


def test_papermill_sees_what_the_engine_sees(tmp_path, parameters):
    """papermill ignores comments above a line, and lines with a second equals sign."""
    import nbformat
    import papermill

    notebook = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": "python3", "display_name": "", "language": "python"}}
    )
    notebook.cells = [nbformat.v4.new_code_cell(CELL, metadata={"tags": ["parameters"]})]
    nbformat.write(notebook, tmp_path / "chapter.ipynb")
    seen = papermill.inspect_notebook(str(tmp_path / "chapter.ipynb"))
    assert [*seen] == [parameter.name for parameter in parameters]
    for parameter in parameters:
        allowed = f" [{parameter.allowed}]" if parameter.allowed else ""
        assert seen[parameter.name]["help"] == f"{parameter.help}{allowed}"
        assert seen[parameter.name]["inferred_type_name"] == parameter.type.__name__


@pytest.mark.parametrize(
    ("allowed", "inside", "outside"),
    [
        ("10 .. 1_000", [10, 500.5, 1000], [9.999, 1001]),
        ("0 ..", [0, 1e300], [-1e-300]),
        ("-2.5 .. -1", [-2.5, -1], [-3, 0]),
        ("above 1 .. 9", [1.0000001, 9], [1, 9.1]),
        ("0 .. below 1", [0, 0.999], [-0.1, 1]),
        ("0 < x < 1", [0.001, 0.999], [0, 1]),
        ("x > 0", [1e-9], [0, -1]),
    ],
)
def test_a_range_takes_what_lies_in_it(allowed, inside, outside):
    (x,) = parse_parameters(f"x: float = {inside[0]}  # a number [{allowed}]")
    for value in inside:
        assert x.check(float(value)) == value
    for value in outside:
        with pytest.raises(ValueError, match=re.escape(f"expected a number, {allowed}")):
            x.check(float(value))


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
def test_an_allowed_value_is_read_as_the_parameters_type(parameters, given, value):
    (value_read,) = check_values(parameters, given).values()
    assert value_read == value and type(value_read) is type(value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n": "abc"}, ["n=abc", "a whole number", "10 .. 1_000_000"]),
        ({"n": "1.5"}, ["n=1.5", "a whole number"]),
        ({"n": "inf"}, ["n=inf", "a whole number"]),
        ({"n": "9"}, ["n=9", "10 .. "]),
        ({"n": True}, ["n=True", "a whole number"]),
        ({"n": 1_000_001}, ["n=1000001", ".. 1_000_000"]),
        ({"beta": "1"}, ["beta=1", "0 < beta < 1", "theorem 7 asks for it"]),
        ({"beta": "0"}, ["beta=0", "0 < beta < 1"]),
        ({"beta": "nan"}, ["beta=nan", "0 < beta < 1"]),
        ({"seed": "-1"}, ["seed=-1", "0 .."]),
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
        ({"file\n": "a"}, ["file\\n: expected a parameter"]),
        ({"n": "1" * 5000}, ["n=1111", "…: expected"]),
    ],
)
def test_a_value_outside_the_range_is_rejected_with_the_range(parameters, given, words):
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
        "n: int = 5  # help [n >= 0]",
        "n: int = 5  # help, n = 5 for short",
        'mode: str = "a=b"  # help [any text]',
        "n: int = (\n    5\n)  # help [0 ..]",
    ],
)
def test_a_cell_that_declares_something_else_is_rejected(source):
    with pytest.raises(ValueError):
        parse_parameters(source)


def test_a_default_outside_its_own_range_is_rejected():
    with pytest.raises(ValueError, match="beta=2.0"):
        parse_parameters("beta: float = 2.0  # exponent [0 < beta < 1]")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("grades: list = [1, 2]", "grades: list: expected one of the types int, float, str, bool; write sev"),
        (
            "day: datetime.date = 1",
            "day: datetime.date: expected one of the types int, float, str, bool; wri",
        ),
        (
            "n: int | None = None",
            "n: int | None: expected one of the types int, float, str, bool; take a val",
        ),
        ("n: Optional[int] = None", "stands for none, such as 0 or ''"),
        ("pairs: dict[str, int] = {}", "write pairs as text, 'a=1 b=2'"),
        ("n: complex = 1j", "line 1 of a parameters cell: n: complex: expected one of the types int, float"),
        ("n = 5", "line 1 of a parameters cell: expected 'name: type = value  # help [values]', expected on"),
        ("n: int = None  # how many [0 ..]", "n=None: expected a whole number, 0 ..; leave it out for the"),
        ("n: int = 2 ** 3", "n: expected a value written out, such as 5 or 'a'"),
        ("n: int", "n: expected a value written out"),
    ],
)
def test_an_unsupported_type_is_rejected_with_a_remedy(source, message):
    with pytest.raises(ValueError) as refusal:
        parse_parameters(source)
    assert message in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "; leave it out for the default"),
        ([1, 2], "; write several values as one text"),
        (date(2024, 1, 31), "mode=2024-01-31: expected text, one of fast, slow; put a date in quotes"),
    ],
)
def test_a_value_of_a_profile_with_an_unknown_type_is_rejected(parameters, value, message):
    with pytest.raises(ValueError) as refusal:
        check_values(parameters, {"mode": value})
    assert message in str(refusal.value)
