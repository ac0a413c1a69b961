"""Any value of an argument of the library is accepted by design or rejected by name."""

import inspect
import time

import pytest

from ndcg_companion import measures, simulation, theory
from untrusted.library_calls import (
    ENDLESS,
    GOOD,
    HOLD,
    NAMED_AS,
    OF_ARGUMENTS,
    SPECIAL,
    STRANGE,
    TAKES,
    TAKES_ELSE,
    takes,
)

CALLABLES = {call.__name__: call for call in GOOD if call not in HOLD}


def made_with(call, name, value):
    """What the good call gives with that value for one argument, the first that it yields if it is many."""
    result = call(**(GOOD[call] | {name: value}))
    return next(result) if inspect.isgenerator(result) else result


def refusal(call, name, value):
    """The message that refuses a value, held to what every message is held to; empty if it is taken."""
    began = time.process_time()
    try:
        made_with(call, name, value)
    except (ValueError, TypeError) as error:
        message = str(error)
    else:
        return ""
    case = f"{call.__name__}({name}={value!r:.60}): {message:.200}"
    assert message.startswith(NAMED_AS.get(name, name)), case
    assert "expected" in message and message.isprintable() and len(message) < 700, case
    assert time.process_time() - began < 3, case
    return message


def is_among(value, values):
    """Whether it is one of these values itself: True is not 1, and NaN is NaN."""
    return any(entry is value or (type(entry) is type(value) and entry == value) for entry in values)


@pytest.mark.parametrize("call", CALLABLES.values(), ids=CALLABLES)
def test_a_strange_value_is_taken_by_design_or_rejected_by_name(call):
    for name, argument in takes(call).items():
        taken = TAKES_ELSE.get((call, name), [*TAKES.get(name, ()), argument.default])
        for value in STRANGE:
            assert bool(refusal(call, name, value)) != is_among(value, taken), (name, value)


@pytest.mark.parametrize("call", CALLABLES.values(), ids=CALLABLES)
def test_numbers_that_no_memory_holds_are_rejected_by_name(call):
    for name in takes(call).keys() - {"ranked"}:  # a flag, of which there is nothing to keep
        assert refusal(call, name, ENDLESS), name


@pytest.mark.parametrize("call", CALLABLES.values(), ids=CALLABLES)
def test_what_only_some_arguments_must_reject_is_rejected_in_its_words(call):
    package = next(entry for entry in OF_ARGUMENTS if call.__module__.startswith(entry.__name__))
    rows = [
        (name, value, words)
        for name in takes(call)
        for value, words in OF_ARGUMENTS[package].get(name, ())
        if not (call.__module__.endswith(".values") and inspect.isfunction(value))
    ]
    rows += [row for special, *row in SPECIAL if special is call]
    for name, value, words in rows:
        assert words in refusal(call, name, value), (name, value)


def test_every_public_callable_has_a_good_call():
    public = {
        getattr(package, name) for package in (measures, theory, simulation) for name in package.__all__
    }
    assert public - HOLD <= set(GOOD)
    for call, good in GOOD.items():
        result = call(**good)
        next(result) if inspect.isgenerator(result) else None
