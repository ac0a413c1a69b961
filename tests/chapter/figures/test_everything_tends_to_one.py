"""The figures on theorem 4: what they draw is what they were given, and their labels can be told apart."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from ndcg_companion.book.axes import RANKINGS
from ndcg_companion.book.figures import everything_tends_to_one as figures

SIZES = np.array([100, 10_000, 1_000_000])
LOG_N = np.log(10) * np.array([2.0, 4.0, 8.0, 100.0])
KAPPAS = {"by score": 0.27, "random": 1.1, "upside down": 1.77, "reverse-ideal": 1.91}
THEORY = {name: 1.0 - kappa / LOG_N for name, kappa in KAPPAS.items()}
OBSERVED = {name: 1.0 - kappa / np.log(SIZES) for name, kappa in KAPPAS.items()}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def missing(**changes):
    dots = OBSERVED | {name: 1.0 - 0 * SIZES for name in changes}
    return figures.missing(LOG_N, THEORY | changes, SIZES, dots)


def labels_of(axes):
    """The texts beside the axes with their boxes in pixels."""
    axes.figure.canvas.draw()
    return {text.get_text(): text.get_window_extent() for text in axes.texts}


def line(axes, colour, marker="None"):
    """Data of the one curve of this colour, or of the dots."""
    alike = [curve for curve in axes.lines if (curve.get_color(), curve.get_marker()) == (colour, marker)]
    (found,) = [curve for curve in alike if len(curve.get_xdata()) > 2]
    return found.get_xdata(), found.get_ydata()


def test_values_and_what_is_missing_to_one_are_drawn():
    (upper,) = figures.squeeze(LOG_N, THEORY, SIZES, OBSERVED).axes
    (lower,) = missing().axes
    for name, kappa in KAPPAS.items():
        exponents, distances = line(lower, RANKINGS[name])
        np.testing.assert_allclose(distances, kappa / (np.log(10) * exponents))
        np.testing.assert_allclose(line(upper, RANKINGS[name])[1], 1.0 - distances)
        dots, values = line(upper, RANKINGS[name], "o")
        np.testing.assert_allclose(dots, [2, 4, 6])
        np.testing.assert_allclose(values, OBSERVED[name])
        np.testing.assert_allclose(line(lower, RANKINGS[name], "o")[1], 1.0 - values)


def test_every_tick_squares_the_number_of_items():
    (axes,) = missing().axes
    places = axes.transData.transform([(2.0**power, 0.01) for power in range(1, 7)])[:, 0]
    np.testing.assert_allclose(np.diff(places), np.diff(places)[0])
    assert axes.xaxis.get_major_formatter()(16, None) == "$10^{16}$"


def test_an_ideal_ranking_has_no_place_on_a_logarithmic_scale():
    assert "by score" not in labels_of(missing(**{"by score": np.ones(4)}).axes[0])
    assert "by score" in labels_of(missing().axes[0])


def test_the_atoms_of_the_universe_are_shown_only_where_the_lists_are_that_long():
    def texts(powers):
        curves = {name: values[: len(powers)] for name, values in THEORY.items()}
        return " ".join(labels_of(figures.squeeze(np.log(10) * powers, curves, SIZES, OBSERVED).axes[0]))

    assert "atoms" in texts(np.array([2.0, 4.0, 8.0, 100.0])) and "atoms" not in texts(np.array([2.0, 8.0]))


def test_dots_below_the_curves_stay_in_the_picture():
    low = OBSERVED | {"reverse-ideal": np.array([0.3, 0.7, 0.8])}
    upper = figures.squeeze(LOG_N, THEORY, SIZES, low).axes[0]
    assert upper.get_ylim()[0] < 0.3


def test_the_rate_places_list_lengths_at_one_over_their_logarithm():
    (axes,) = figures.rate(LOG_N, THEORY, KAPPAS, SIZES, OBSERVED).axes
    for name, kappa in KAPPAS.items():
        inverse, scaled = line(axes, RANKINGS[name])
        np.testing.assert_allclose(inverse, [1 / (power * np.log(10)) for power in (2, 4, 8, 100)])
        np.testing.assert_allclose(scaled, kappa)
    ticks = dict(zip([text.get_text() for text in axes.get_xticklabels()], axes.get_xticks(), strict=True))
    assert ticks["$10^{6}$"] == pytest.approx(1 / np.log(1e6)) and ticks["∞"] == 0
    assert axes.xaxis_inverted()


def test_intervals_are_drawn_as_factors_of_the_standard_deviation():
    scaled = {"by score": np.array([1.0, 1.2, 1.1]), "random": np.array([3.0, 3.2, 2.5])}
    (axes,) = figures.spreads(SIZES, scaled, (0.5, 2.0), np.array([2.9, 3.3, 2.4])).axes
    bars = [np.array(bar)[:, 1] for bars in axes.collections for bar in bars.get_segments()]
    np.testing.assert_allclose(bars, [(y / 2, 2 * y) for values in scaled.values() for y in values])
    _, exact = line(axes, RANKINGS["random"])
    np.testing.assert_allclose(exact, [2.9, 3.3, 2.4])


def drawn(name, curves=THEORY, dots=OBSERVED, kappas=KAPPAS):
    """One of the figures, of these curves."""
    three = {name: curves[name] for name in list(curves)[:3]}
    return {
        "short": lambda: figures.short_lists(SIZES, dots),
        "squeeze": lambda: figures.squeeze(LOG_N, curves, SIZES, dots),
        "missing": lambda: figures.missing(LOG_N, curves, SIZES, dots),
        "rate": lambda: figures.rate(LOG_N, curves, kappas, SIZES, dots),
        "spread": lambda: figures.spreads(SIZES, dots, (0.7, 1.5), 1.2 * dots["random"]),
        "signed": lambda: figures.signed_labels(LOG_N, three, kappas, SIZES, dots, curves["random"]),
    }[name]()


def test_alternative_texts_have_the_numbers_at_the_ends():
    numbers = {
        "short": ["100 to 1,000,000", *(f"{values[-1]:.2f} ({name})" for name, values in OBSERVED.items())],
        "squeeze": [f"{1 - kappa / LOG_N[-1]:.4f} ({name})" for name, kappa in KAPPAS.items()],
        "missing": [f"{kappa / LOG_N[-1]:.4f} ({name})" for name, kappa in KAPPAS.items()],
        "rate": [f"{kappa:.3f} ({name})" for name, kappa in KAPPAS.items()],
        "spread": ["0.76 to 0.92 (random)", "through 3 of its 3 bars"],
        "signed": ["0.270 (by score)", f"rises to {1 - 1.1 / LOG_N[-1]:.3f}"],
    }
    for figure, expected in numbers.items():
        alt = drawn(figure).alt
        assert not [number for number in expected if number not in alt], alt
    assert "through 0 of its 3 bars" in figures.spreads(SIZES, OBSERVED, (0.9, 1.1), np.zeros(3)).alt


@pytest.mark.parametrize("start", [-0.6, 0.3, 0.88, 1.0])
def test_the_name_of_the_lopsided_curve_does_not_meet_it(start):
    log_n = np.log(10) * np.geomspace(3, 100, 60)
    flat = {
        name: np.full(60, value)
        for name, value in (("by score", 0.1), ("random", 0.0), ("upside down", -0.1))
    }
    limits = {name: float(values[0]) for name, values in flat.items()}
    dots = {name: np.full(3, 0.05) for name in flat}
    lopsided = 1.0 - (1.0 - start) * log_n[0] / log_n
    (axes,) = figures.signed_labels(log_n, flat, limits, SIZES, dots, lopsided).axes
    (box,) = [box for text, box in labels_of(axes).items() if text.startswith("labels 1")]
    exponents = np.geomspace(3, 100, 5000)
    curve = axes.transData.transform(
        np.column_stack([exponents, np.interp(exponents, log_n / np.log(10), lopsided)])
    )
    assert not box.count_contains(curve)
    assert axes.get_window_extent().x0 < box.x0 and box.x1 < axes.get_window_extent().x1


def test_rankings_that_are_nearly_perfect_fill_the_picture():
    close = {name: 1.0 - 0.01 * kappa / LOG_N for name, kappa in KAPPAS.items()}
    dots = {name: 1.0 - 0.01 * kappa / np.log(SIZES) for name, kappa in KAPPAS.items()}
    for axes in (
        figures.squeeze(LOG_N, close, SIZES, dots).axes[0],
        figures.short_lists(SIZES, dots).axes[0],
    ):
        low, high = axes.get_ylim()
        assert low < 1.0 - 0.01 * 1.91 / np.log(100) and 1.0 < high
        assert high - low < 1.5 * 0.01 * 1.91 / np.log(100)
