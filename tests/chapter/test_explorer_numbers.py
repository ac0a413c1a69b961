"""The explorer's table against the theory's own functions, which integrate every value by itself."""

import json
import re
from functools import lru_cache

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betaln
from scipy.stats import binom

from ndcg_book.widgets.numbers import ALPHABET, CUTOFFS, FEWEST, LONG, PAGE, SHORT, UNIT, Explorer, encode
from ndcg_companion.measures import Log, Power, Zipf
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.theory import (
    Population,
    discount_integral,
    expected_dcg,
    expected_ideal_dcg,
    limit,
    pseudo_dcg,
)

# Each share of relevant items has a table of its own, which takes seconds; the page's is 0.2.
SHARES = [0.2, *(pytest.param(p, marks=pytest.mark.nightly) for p in (0.05, 0.5))]
PLACES = {"curve": 30, "cut": len(CUTOFFS), "discount": 22}


@lru_cache
def explorer(p):
    return Explorer(p, 20)


def decode(text):
    base = len(ALPHABET)
    digits = [ALPHABET.index(character) if character != " " else np.nan for character in text]
    return np.array(digits).reshape(-1, 3) @ [base**2, base, 1] * UNIT


def filled(text):
    """A row of the page, where values that repeat the last one are left out."""
    values, length = decode(text), len(SHORT) + len(LONG) + 1
    return np.pad(values, (0, length - len(values)), mode="edge")


def drawn(seed, number):
    """Random places in the table: curve, cut-off, discount."""
    return np.random.default_rng(seed).integers(list(PLACES.values()), size=(number, 3)).tolist()


def population(curve, p, share=1.0):
    """The items as the curve ranks them; below the cut-off nothing is relevant."""

    def ybar(s):
        s = np.asarray(s, dtype=float)
        return np.where(s >= 1.0 - share, np.clip(curve.at_depth(1.0 - s), 0.0, 1.0), 0.0)

    return Population(ybar, breaks=(1.0 - p, 1.0 - share))


@pytest.mark.parametrize(
    ("p", "steps", "argument"), [(0.6, 10, "p=0.6"), (0.0, 10, "p=0.0"), (0.2, 5, "steps=5")]
)
def test_an_explorer_rejects_invalid_p_and_steps(p, steps, argument):
    with pytest.raises(ValueError, match=f"{argument}: expected"):
        Explorer(p, steps)


def test_the_table_has_an_entry_for_everything():
    assert explorer(0.2).table.shape == (
        PLACES["cut"] + 1,
        PLACES["discount"],
        PLACES["curve"],
        len(SHORT) + len(LONG) + 1,
    )
    assert explorer(0.2).discounts == [Log(), *(Power(i / 20) for i in range(20)), Zipf()]


@pytest.mark.parametrize("p", [0.05, 0.2, 0.5])
def test_curves_are_probabilities_with_the_same_mean(p):
    for curve in explorer(p).curves:
        u = np.linspace(0.0, 1.0, 1001)
        assert curve.at_depth(u).min() >= -1e-12 and curve.at_depth(u).max() <= 1.0 + 1e-12, curve
        assert quad(curve.at_depth, 0.0, 1.0, points=[p])[0] == pytest.approx(p, abs=1e-8), curve


@pytest.mark.parametrize("p", [0.05, 0.2, 0.5])
def test_a_curve_has_the_values_of_its_formula(p):
    s = np.linspace(0.0, 1.0, 97)
    for curve in explorer(p).curves:
        formula = curve.formula.replace("−", "-").replace("^", "**").replace("π(1 - s)", "(pi * (1 - s))")
        if "else" in formula:
            formula = re.sub(r"(.*) for (.*), else (.*)", r"where(\2, \1, \3)", formula).replace("≥", ">=")
        formula = re.sub(r"(?<=\d) ?(?=[s(c])", " * ", formula.replace("cos (", "cos("))
        names = {"s": s, "cos": np.cos, "pi": np.pi, "where": np.where}
        values = eval(formula, names) + 0 * s
        np.testing.assert_allclose(values, curve.at_depth(1.0 - s), atol=0.004, err_msg=curve.formula)


@pytest.mark.parametrize("p", SHARES)
def test_limits(p):
    for curve, cut, discount in drawn(1, 60):
        items = population(explorer(p).curves[curve], p)
        theory = float(limit(items, explorer(p).discounts[discount], k=CUTOFFS[cut]))
        assert explorer(p).table[cut, discount, curve, -1] == pytest.approx(theory, abs=UNIT / 2)


@pytest.mark.parametrize("p", SHARES)
def test_pseudo_expectations(p):
    for (curve, cut, discount), length_index in zip(
        drawn(2, 80), np.resize(range(len(LONG)), 80), strict=True
    ):
        n, share, value = (
            LONG[length_index],
            CUTOFFS[cut],
            explorer(p).table[cut, discount, curve, len(SHORT) + length_index],
        )
        assert np.isnan(value) == (n * min(p, share) < FEWEST)
        if not np.isnan(value):
            items = population(explorer(p).curves[curve], p, share)
            weight = explorer(p).discounts[discount]
            theory = pseudo_dcg(items, weight, n) / discount_integral(weight, n * min(p, share))
            assert value == pytest.approx(theory, abs=UNIT / 2)


@pytest.mark.parametrize("p", SHARES)
def test_expectations(p):
    for (curve, cut, discount), length_index in zip(
        drawn(3, 28), np.resize(range(len(SHORT)), 28), strict=True
    ):
        n, weight = SHORT[length_index], explorer(p).discounts[discount]
        positions = cutoff(CUTOFFS[cut], n)
        items = population(explorer(p).curves[curve], p)
        counted = lambda r: weight(r) * (r <= positions)
        theory = expected_dcg(items, counted, n) / expected_ideal_dcg(items, counted, n)
        assert explorer(p).table[cut, discount, curve, length_index] == pytest.approx(theory, abs=UNIT / 2)


@pytest.mark.parametrize("length_index", [0, 3, 6, 12, 14, 20, len(SHORT) + len(LONG) - 1])
def test_ndcg_at_ten_by_the_beta_law_of_a_score_at_a_rank(length_index):
    """The score at rank r is Beta(n - r + 1, r), and the number of relevant items binomial."""
    n, p, ranks = ((*SHORT, *LONG) + (np.inf,))[length_index], 0.2, np.arange(1, PAGE + 1)
    ideal = binom.pmf(ranks, min(n, 1e5), p)  # of more items there are ten relevant ones
    ideal[-1] = binom.sf(PAGE - 1, min(n, 1e5), p)
    for discount, weights in enumerate(explorer(0.2).discounts):
        counts = weights(ranks.astype(float))
        for number, curve in enumerate(explorer(0.2).curves):
            if curve.family == "power":
                moments = np.prod(1 - ranks[:, None] / (n + 1 + np.arange(curve.parameter)), axis=1)
                expected = p * (1 + curve.parameter) * (counts @ moments) / (ideal @ np.cumsum(counts))
                assert explorer(0.2).table[-1, discount, number, length_index] == pytest.approx(
                    expected, abs=UNIT / 2
                )


def test_the_mean_of_ndcg_at_ten_tends_to_the_relevance_at_the_top():
    tops = [float(curve.at_depth(np.zeros(1))[0]) for curve in explorer(0.2).curves]
    for discount in range(len(explorer(0.2).discounts)):
        np.testing.assert_allclose(explorer(0.2).table[-1, discount, :, -1], tops, atol=UNIT / 2)
        np.testing.assert_allclose(explorer(0.2).table[-1, discount, :, -2], tops, atol=UNIT / 2)
    assert explorer(0.2).value(PAGE, None, 3, 10_000) == explorer(0.2).table[-1, 0, 3, SHORT.index(10_000)]


@pytest.mark.parametrize("n", [10, 300])
@pytest.mark.parametrize("cut", range(len(CUTOFFS)))
def test_expectations_of_powers_by_the_beta_law_of_a_score_at_a_rank(n, cut):
    """The score at rank r is Beta(n - r + 1, r), and the number of relevant items binomial."""
    ranks, p = np.arange(1, n + 1), 0.2
    counts = np.where(ranks <= cutoff(CUTOFFS[cut], n), Log()(ranks), 0.0)
    ideal = binom.pmf(ranks, n, p) @ np.cumsum(counts)
    for curve_index, curve in enumerate(explorer(0.2).curves):
        if curve.family == "power":
            moments = np.exp(betaln(n - ranks + 1 + curve.parameter, ranks) - betaln(n - ranks + 1, ranks))
            expected = p * (1 + curve.parameter) * (counts @ moments) / ideal
            assert explorer(0.2).table[cut, 0, curve_index, SHORT.index(n)] == pytest.approx(
                expected, abs=UNIT / 2
            )


def test_a_value_is_exact_as_far_as_it_can_be():
    curve_index = 3
    table = explorer(0.2).table[0, 1 + 10, curve_index]
    assert table[SHORT.index(10_000)] != table[len(SHORT) + LONG.index(1e4)]
    assert explorer(0.2).value(1.0, 0.5, curve_index, 10_000) == table[SHORT.index(10_000)]
    assert explorer(0.2).value(1.0, 0.5, curve_index, 1e5) == table[len(SHORT) + LONG.index(1e5)]
    assert explorer(0.2).value(1.0, 0.5, curve_index) == table[-1]


def test_text_holds_every_number_to_half_a_unit():
    values = np.random.default_rng(4).uniform(0.0, 1.2, 1000)
    values[::10] = np.nan
    text = encode(values)
    assert len(text) == 3000 and not set(text) & set("\"'\\<>&$`/")
    np.testing.assert_allclose(decode(text), values, atol=UNIT / 2 * (1 + 1e-9))


@pytest.mark.parametrize("value", [-1e-3, 1.3])
def test_text_rejects_values_it_cannot_represent(value):
    with pytest.raises(ValueError, match="expected numbers from 0 to 1.22825$"):
        encode([0.5, value])


def test_the_page_holds_the_table_and_stays_small():
    data = json.loads(json.dumps(explorer(0.2).data, allow_nan=False))
    assert len(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()) < 200_000
    np.testing.assert_allclose(
        [[[filled(row) for row in rows] for rows in each] for each in data["values"]],
        explorer(0.2).table,
        atol=UNIT / 2 * (1 + 1e-9),
    )
    for (_, _, _, line), curve in zip(data["curves"], explorer(0.2).curves, strict=True):
        np.testing.assert_allclose(decode(line), curve.at_depth(1.0 - np.array(data["scores"])), atol=UNIT)


@pytest.mark.parametrize("p", SHARES)
def test_the_most_disputed_pair_has_different_leaders(p):
    first, second = (
        population(explorer(p).curves[curve_index], p) for curve_index in explorer(p).most_disputed_pair
    )
    gaps = [pseudo_dcg(first, weight, 1e6) - pseudo_dcg(second, weight, 1e6) for weight in (Log(), Zipf())]
    assert gaps[0] > 0 > gaps[1]


def test_what_there_is_to_try_is_stated_with_its_numbers():
    googol, winners, cut = (re.findall(r"\d\.\d{3}", text) for _, text, _ in explorer(0.2).tries)
    steepest, toss = population(explorer(0.2).curves[4], 0.2), Population("constant:0.2")
    gap = (pseudo_dcg(steepest, Log(), 1e100) - pseudo_dcg(toss, Log(), 1e100)) / discount_integral(
        Log(), 0.2e100
    )
    assert googol == [f"{gap:.3f}"]
    assert cut == [f"{float(limit(steepest, Log(), k=0.2)) - 0.2:.3f}"]
    assert len(winners) == 2 and min(map(float, winners)) > 0


def test_the_table_for_readers_without_javascript_says_the_gaps():
    rows = re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td></tr>', explorer(0.2).fallback)
    assert [name for name, _ in rows] == ["log", "r<sup>−0.5</sup>", "log", "1/r", "log", "r<sup>−0.5</sup>"]
    for (name, cells), state in zip(
        rows, np.repeat([state for *_, state in explorer(0.2).tries], 2), strict=True
    ):
        beta = None if name == "log" else state["beta"]
        numbers = [float(cell.replace("−", "-")) for cell in cells.split("</td><td>")]
        gaps = [explorer(0.2).gap(state | {"n": n}, beta) for n in (1_000, 1e6, 1e100, None)]
        np.testing.assert_allclose(numbers, gaps, atol=5.001e-4)
