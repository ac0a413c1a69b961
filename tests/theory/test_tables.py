import numpy as np
import pytest
from scipy.stats import norm

from ndcg_companion.theory import tables
from ndcg_companion.theory.tables import Table, fourier_table, smallest_errors, total_error


def test_between_its_ends_a_table_is_the_cubic_of_its_values_and_slopes_and_beyond_0_or_1():
    """Three points of one cubic: both pieces are that cubic, and the ends belong to them."""
    cubic = np.polynomial.Polynomial([0.2, 0.1, 0.3, -0.05])
    points, low, step = np.arange(3.0), 4.0, 0.5
    table = Table(low, step, cubic(points), cubic.deriv()(points), np.array([0.3, 0.4, 0.5]), 2)
    positions = np.array([0.0, 0.25, 1.0, 1.5, 1.75, 2.0])
    values, errors, waves = table(low + step * positions)
    np.testing.assert_allclose(values, cubic(positions), rtol=1e-14)
    assert errors.tolist() == [0.3, 0.3, 0.4, 0.4, 0.4, 0.4] and waves.tolist() == [0] * 6
    values, errors, waves = table(np.array([low - step, low - 1e-9, low + 2 * step + 1e-9, low + 3 * step]))
    assert values.tolist() == [0.0, 0.0, 1.0, 1.0] and errors.max() < 1e-11 and waves.min() == 0


def test_a_smooth_law_is_exact():
    k = np.arange(1, 65)
    table = fourier_table(np.exp(-((2 * np.pi * k / 17) ** 2) / 2), 1024, -8.0, 9.0, 0.0)
    x = np.linspace(-10, 10, 501)
    values, errors, _ = table(x)
    np.testing.assert_allclose(values, norm.cdf(x), atol=1e-11)
    assert errors.max() < 1e-10


@pytest.mark.parametrize("terms", [1 << 8, 1 << 12])
def test_the_errors_cover_a_jump_and_die_out_beside_it(terms):
    """A fair coin on [-1, 2]: jumps at 0 and 1."""
    t = 2 * np.pi * np.arange(1, terms + 1) / 3
    table = fourier_table(np.cos(t / 2), terms, -1.0, 2.0, 0.5)
    x = np.linspace(-0.99, 1.99, 20_001)
    values, errors, waves = table(x)
    wrong = np.abs(values - 0.5 * (x >= 0) - 0.5 * (x >= 1))
    beside = np.minimum(np.abs(x), np.abs(x - 1)) > 200 / terms
    assert np.mean(wrong <= errors) > 0.999
    assert np.all(wrong[beside] <= errors[beside])
    assert errors[beside].max() < 1e-3 < 0.1 < errors.max()
    assert waves.max() < terms


def test_errors_add_up_within_waves():
    assert total_error(np.full(4, 0.1), np.zeros(4, dtype=int)) == pytest.approx(0.4)
    assert total_error(np.full(100, 0.1), np.arange(100)) == pytest.approx(3.0)
    assert total_error(np.full(400, 0.1), np.arange(400)) == pytest.approx(6.0)
    assert total_error(np.zeros(0), np.zeros(0, dtype=int)) == 0.0


def test_smallest_errors_keep_the_budget():
    errors = np.array([0.3, 0.01, 0.02, 0.5])
    assert smallest_errors(errors, 0.1).tolist() == [False, True, True, False]
    assert not smallest_errors(errors, 0.0).any()
    assert smallest_errors(np.full(3, 0.03), 0.1).tolist().count(True) == 1
    assert not smallest_errors(np.full(3, 0.04), 0.1).any()


@pytest.mark.parametrize("terms", [1 << 8, 1 << 14])
def test_the_errors_are_the_worst_change_from_an_eighth_of_the_terms_within_two_waves(terms):
    """On four points a wave and at least 32,768, for a coin whose jumps lie within the window."""
    phi = np.cos(np.pi * np.arange(1, terms + 1) / 3)
    table, eighth = (fourier_table(phi, last, -1.0, 2.0, 0.5) for last in (terms, terms // 8))
    points = len(table.values) - 1
    assert points == max(32_768, 4 * terms) and table.wave == points // terms
    step = points // (len(eighth.values) - 1)
    change = np.abs(table.values[::step] - eighth.values)
    near = 2 * table.wave // step
    for i in range(near, len(change) - near, 97):
        worst = change[i - near : i + near + 1].max()
        assert (
            worst <= table.errors[i * step] <= 1.02 * worst + 3e-12
            if step > 1
            else (table.errors[i] == pytest.approx(worst, abs=3e-12))
        )


def test_waves_are_counted_in_whole_numbers_also_where_the_grid_is_coarser(monkeypatch):
    monkeypatch.setattr(tables, "_MOST_POINTS", 16)
    table = fourier_table(np.exp(-np.arange(1.0, 5.0)), 64, 0.0, 1.0, 0.5)
    assert len(table.values) == 17 and table.wave == 1
    _, _, waves = table(np.array([0.1, 0.9]))
    assert waves.dtype.kind == "i"
