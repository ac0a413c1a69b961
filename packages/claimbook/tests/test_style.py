import io
import itertools
import re

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

from claimbook.style import GREY, PALETTE, as_svg, drawing, style

# Linear RGB as dichromats see it (Viénot, Brettel and Mollon 1999).
SEEN_BY = {
    "everyone else": np.eye(3),
    "protanopes": np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
    "deuteranopes": np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]),
}


def linear(colour):
    channels = np.array(matplotlib.colors.to_rgb(colour))
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast_with_white(colour):
    """Return the contrast with white by the definition of WCAG 2."""
    return 1.05 / (linear(colour) @ [0.2126, 0.7152, 0.0722] + 0.05)


def lab(rgb):
    """Return CIE L*a*b* of linear sRGB, for daylight white."""
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(
        rgb, 0, 1
    )
    t = xyz / [0.9505, 1.0, 1.089]
    x, y, z = np.where(t > (6 / 29) ** 3, np.cbrt(t), t * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def closest(colours, seen):
    """Return the smallest difference between two of the colours, in CIE76 units.

    A just noticeable difference is about 2.3.
    """
    return min(
        np.linalg.norm(lab(seen @ linear(a)) - lab(seen @ linear(b)))
        for a, b in itertools.combinations(colours, 2)
    )


@pytest.mark.parametrize("colour", [*PALETTE, GREY])
def test_a_word_in_any_colour_stands_out_from_the_page(colour):
    assert contrast_with_white(colour) >= 4.5


def test_contrast_is_the_one_of_the_standard():
    assert contrast_with_white("#000000") == pytest.approx(21)
    assert contrast_with_white("#777777") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("who", SEEN_BY)
def test_colours_stay_apart_for_colour_blind_readers(who):
    assert closest(PALETTE, SEEN_BY[who]) >= 20


def test_a_palette_of_red_and_green_would_be_found():
    pair = ("#c04040", "#6f7a30")
    assert closest(pair, SEEN_BY["everyone else"]) > 40
    assert closest(pair, SEEN_BY["deuteranopes"]) < 20


def test_a_drawing_has_the_look_of_the_book_and_knows_who_drew_it():
    @drawing
    def two_dots(count):
        """Dots."""
        figure = Figure()
        figure.subplots().plot(range(count), "o")
        return figure, "Dots."

    before = dict(matplotlib.rcParams)
    figure = two_dots(2)
    assert dict(matplotlib.rcParams) == before
    assert not figure.axes[0].spines["top"].get_visible()
    assert figure.drawn_by == f"{__name__}.{two_dots.__qualname__}"
    assert two_dots.__doc__ == "Dots."


def test_paths_of_a_figure_are_written_in_hundredths_of_a_point_and_nothing_is_lost():
    @drawing
    def wave():
        depths = np.linspace(0, 1, 300)
        figure = Figure()
        figure.subplots().plot(depths, np.sin(40 * depths))
        return figure, "A wave."

    figure, by_matplotlib = wave(), io.BytesIO()
    with style():
        figure.savefig(
            by_matplotlib, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
        )
    numbers = re.compile(r"-?\d+\.?\d*")
    exact, written = by_matplotlib.getvalue().decode(), as_svg(figure)
    assert len(written) < 0.85 * len(exact)
    rounded, precise = (np.array(numbers.findall(text), float) for text in (written, exact))
    assert np.abs(rounded - precise).max() < 0.00501
    assert re.sub(r"[\d.\s]", "", written) == re.sub(r"[\d.\s]", "", exact)
