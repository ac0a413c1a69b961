"""Every bad call of the library is refused with one line that names the argument, and in good time."""

import inspect
import time

import pytest

from ndcg_companion import measures, simulation, theory
from untrusted.library_calls import (
    AS_REAL,
    FOR_MEASURES,
    FOR_SIMULATION,
    FOR_THEORY,
    GOOD,
    HOLD,
    KNOWN_ONLY,
    OF_MEASURES,
    OF_SIMULATION,
    OF_THEORY,
    OWN,
)

REAL_N = {theory.pseudo_dcg, theory.pseudo_expectation, theory.second_order_term}
OF_SHARES = {theory.limit, theory.pseudo_expectation, theory.second_order_term, theory.dcg_error_bound}


def arguments(call):
    """The names of the arguments, of measures as values those of their functions."""
    return [name for name, one in inspect.signature(call).parameters.items() if one.kind != one.VAR_KEYWORD]


def rows():
    """All rows: of each callable, from the table of its package for each argument, and its own."""
    for calls, table in (
        (OF_MEASURES, FOR_MEASURES),
        (OF_THEORY, FOR_THEORY),
        (OF_SIMULATION, FOR_SIMULATION),
    ):
        for call in calls:
            for name in arguments(call):
                values = table.get(name, [])
                if name == "n" and call in REAL_N:
                    values = AS_REAL
                if name == "k" and call in (theory.winning_probability, *OF_SHARES):
                    values = [("x", "None"), (2.0, "share"), (-1.0, "share"), (float("nan"), "share")]
                whole = (theory.signal_and_noise, theory.ahead_on_average, theory.effective_labels)
                if call in whole and name in ("k", "n"):
                    values = [(value, "expected") for value, _ in values if value is not None]
                if call in (
                    theory.DiscountedSum,
                    theory.LimitLaw,
                    simulation.ndcg_curve,
                    simulation.certify_sign,
                ):
                    values = []
                if name == "scores" and call is measures.ideal_dcg:
                    values = values[1:]  # None is no bad value there
                if call.__module__ == "ndcg_companion.measures.values":
                    # What functions give is known when there is a list.
                    values = [(value, words) for value, words in values if not inspect.isfunction(value)]
                yield from ((call, name, value, words) for value, words in values)
    yield from OWN
    of_decay = (theory.limit, theory.limit_law, theory.winning_probability, theory.ndcg_standard_deviation)
    yield from ((call, "discount", value, words) for call in of_decay for value, words in KNOWN_ONLY)


ROWS = list(rows())


@pytest.mark.parametrize(
    ("call", "name", "value", "words"),
    ROWS,
    ids=[f"{call.__name__}-{name}-{number}" for number, (call, name, _, _) in enumerate(ROWS)],
)
def test_a_bad_call_is_refused_by_name(call, name, value, words):
    began = time.process_time()
    with pytest.raises((ValueError, TypeError)) as caught:
        made = call(**(GOOD[call] | {name: value}))
        next(made) if inspect.isgenerator(made) else None
    message = str(caught.value)
    shown = {"text": ("discount=", "curve=")}.get(name, (name, "grade=" if name == "ybar" else name))
    assert message.startswith(shown), message
    assert words in message and "expected" in message, message
    assert message.isprintable() and len(message) < 700, message
    assert time.process_time() - began < 3


def test_there_are_many_and_every_good_call_is_good():
    assert len(ROWS) > 500
    for call, good in GOOD.items():
        made = call(**good)
        next(made) if inspect.isgenerator(made) else None


def test_every_argument_of_every_public_name_has_a_row():
    public = {
        getattr(package, name) for package in (measures, theory, simulation) for name in package.__all__
    }
    assert public - HOLD <= set(GOOD)
    tried = {(call, name) for call, name, _, _ in ROWS}
    # Where one of two is given the other is None; a progress bar and a ranked list are yes or no.
    free = {"ranked", "progress", "theorem", "value"}
    missing = {(call, name) for call in GOOD for name in arguments(call) if name not in free} - tried
    assert not {(call.__name__, name) for call, name in missing}
