import pickle
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_companion.theory import Curve, parse_curve
from ndcg_companion.theory.curves import all_breaks, at_depth, grid

CASES = {
    "constant:0.3": lambda s: 0.3,
    "power:2": lambda s: s**2,
    "power:0.5": lambda s: s**0.5,
    "reversed:2": lambda s: (1 - s) ** 2,
    "step:0.7:0.2:0.8": lambda s: 0.2 if s < 0.7 else 0.8,
    "cosine:0.5:0.3": lambda s: 0.5 + 0.3 * np.cos(np.pi * (1 - s)),
    "poly:0.5:-0.2": lambda s: 0.5 - 0.2 * (1 - s),
    "poly:0.7:-1:1": lambda s: 0.7 - (1 - s) + (1 - s) ** 2,
}


@pytest.mark.parametrize("text", CASES)
@given(s=st.floats(0, 1))
def test_curve_is_its_formula(text, s):
    assert parse_curve(text)(s) == pytest.approx(CASES[text](s), abs=1e-15)


@pytest.mark.parametrize("text", CASES)
def test_curve_is_vectorised_and_agrees_with_its_depth_form(text):
    s = np.linspace(0, 1, 33).reshape(3, 11)
    curve = parse_curve(text)
    assert curve(s).shape == s.shape
    np.testing.assert_allclose(curve.at_depth(1 - s), curve(s), atol=1e-15)


def test_depth_form_keeps_the_digits_that_the_score_loses():
    assert parse_curve("reversed:0.5").at_depth(1e-30) == 1e-15
    assert at_depth(lambda s: (1 - s) ** 0.5, 1e-30) == 0.0


def test_a_plain_function_is_asked_for_the_score_of_a_depth():
    depths = np.array([0.0, 0.25, 1.0])
    assert at_depth(lambda s: s**2, depths).tolist() == [1.0, 0.5625, 0.0]


def test_curves_are_checked_on_both_sides_of_a_break_and_nowhere_outside():
    points = grid((0.0, 0.3, 1.0))
    assert points.min() == 0.0 and points.max() == 1.0
    assert {np.nextafter(0.3, 0), 0.3, np.nextafter(0.3, 1)} <= {*points.tolist()}


@pytest.mark.parametrize("text", CASES)
def test_repr_can_be_typed_back_and_curves_travel(text):
    curve = parse_curve(text)
    assert str(curve) == text
    assert eval(repr(curve)) == curve == pickle.loads(pickle.dumps(curve))


def test_spellings_of_a_number_make_the_same_curve():
    assert parse_curve(" power:2.00 ") == Curve("power:2")


@pytest.mark.parametrize(
    "text, exponent",
    [
        ("constant:1", inf),
        ("power:0.5", 0.5),
        ("power:3", 1.0),
        ("power:1", 1.0),
        ("power:0", inf),
        ("reversed:1", 1.0),
        ("reversed:0", inf),
        ("step:0.5:0:1", 0.0),
        ("step:0.5:0.3:0.3", inf),
        ("cosine:0.5:0.1", 1.0),
        ("cosine:0.5:0", inf),
        ("poly:0.2", inf),
        ("poly:0.2:0", inf),
        ("poly:0.2:0.1:0", 1.0),
    ],
)
def test_holder_exponent(text, exponent):
    assert parse_curve(text).holder == exponent


@pytest.mark.parametrize("text", [text for text in CASES if not text.startswith(("step", "constant"))])
def test_holder_condition_holds_with_the_exponent_and_fails_above_it_below_one(text):
    curve = parse_curve(text)
    s = np.concatenate([[0.0], np.logspace(-12, 0, 200), 1 - np.logspace(-12, 0, 200)])

    def ratio(alpha):
        steps = [(np.abs(curve(s) - curve(end)), np.abs(s - end)) for end in (0.0, 1.0)]
        return max(np.max(rise[run > 0] / run[run > 0] ** alpha) for rise, run in steps)

    assert ratio(curve.holder) < 10
    if curve.holder < 1:
        assert ratio(curve.holder + 0.2) > 100


def test_breaks_are_known():
    assert parse_curve("step:0.7:0.2:0.8").breaks == (0.7,)
    assert parse_curve("power:2").breaks == ()


@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("constant", "constant:0.3"),
        ("power", "power:2"),
        ("reversed", "reversed:2"),
        ("step", "step:0.7:0.2:0.8"),
        ("cosine", "cosine:0.5:0.3"),
        ("poly", "poly:0.5:-0.2"),
    ],
)
def test_a_name_alone_is_read_as_its_example(name, example):
    assert parse_curve(name) == parse_curve(example)


@pytest.mark.parametrize(
    "text, message",
    [
        ("powr:2", "did you mean 'power'"),
        ("", "expected one of"),
        ("power:", "power:EXPONENT"),
        ("power:1:2", "power:EXPONENT"),
        ("power:x", "finite"),
        ("power:nan", "finite"),
        ("power:-1", "exponent >= 0"),
        ("constant:1.2", r"\[0, 1\]"),
        *((f"step:{position}:0.2:0.8", "strictly between") for position in (-0.5, 0, 1, 1.5)),
        ("step:0.5:0.2:1.8", "got 1.8 at s="),
        ("cosine:0.5:0.6", r"got (1.1|-0.1) at s=[01]"),
        ("poly:", "poly:C0:C1"),
        ("poly:0.5:-2", "got -1.5 at s=0"),
        ("poly:1.3:-1.4", "got 1.3 at s=1"),
        ("poly:1.1:-1.4", "got -0.3 at s=0"),
    ],
)
def test_inadmissible_text_is_rejected(text, message):
    with pytest.raises(ValueError, match=message):
        parse_curve(text)


def test_breaks_may_be_anywhere_from_0_to_1():
    assert all_breaks((1.0, 0.25, 0.0)) == (0.0, 0.25, 1.0)
    for outside in (-1e-9, 1.0 + 1e-9):
        with pytest.raises(ValueError, match="^breaks="):
            all_breaks((outside,))
