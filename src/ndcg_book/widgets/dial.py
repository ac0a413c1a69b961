"""Dials: interactive parameters of a figure, with one sentence for each position, computed in advance."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from claimbook.output_metadata import FIGURE
from claimbook.palette import GREY, PALETTE
from claimbook.style import as_svg
from ndcg_book.widgets import widget
from ndcg_companion.checks import fail_if

MOST_POSITIONS = 600
_SUPERSCRIPTS = str.maketrans("-0123456789.", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹·")
_POINTS_PER_INCH = 72


@dataclass(frozen=True)
class Dial:
    """A dial with its positions.

    Attributes
    ----------
    asks : str
        The parameter that the dial changes, in words.
    positions : sequence of str
        Labels of the positions of the dial, of which there are at least two.
    start : int, default 0
        Index of the initial position of the dial.
    """

    asks: str
    positions: Sequence[str]
    start: int = 0


def raised(value: float, form: str = "g") -> str:
    """Return an exponent as superscript text without markup.

    >>> "10" + raised(12), "r" + raised(-0.5)
    ('10¹²', 'r⁻⁰·⁵')
    """
    return format(value, form).translate(_SUPERSCRIPTS)


def dials(
    figure: Figure,
    turned: Sequence[Dial],
    places: Sequence[float],
    lines: Mapping[str, np.ndarray],
    says: Callable[..., str],
    colours: Mapping[str, str],
) -> str:
    """Return dials that mark the curves of a figure, for the widget of ``page.figure``.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        A figure whose axes contain the curves.
    turned : sequence of one or two Dial
        The dials; the first corresponds to the horizontal axis.
    places : sequence of float
        Positions of the first dial on this axis.
    lines : mapping of str to array
        Heights of curves on the vertical axis, by name, as arrays in the shape of the positions, with NaN for
        missing values. A height outside the axes has no mark.
    says : callable
        Returns the sentence for one position of each dial, as plain text.
    colours : mapping of str to str
        Colour of each curve, from the palette.

    Raises
    ------
    ValueError
        If shapes do not match, or if there are too many positions for a page.
    """
    shape = tuple(len(dial.positions) for dial in turned)  # numbers of positions
    fail_if(len(turned) not in (1, 2), f"turned: expected one or two dials, got {len(turned)}")
    fail_if(
        min(shape) < 2 or np.prod(shape) > MOST_POSITIONS,
        f"turned: expected at most {MOST_POSITIONS} positions and at least two for each dial, got {shape}",
    )
    fail_if(len(places) != shape[0], f"places: expected {shape[0]}, one for each position, got {len(places)}")
    arrays = {name: np.asarray(values, dtype=float) for name, values in lines.items()}
    for name, values in arrays.items():
        fail_if(values.shape != shape, f"lines[{name!r}]: expected the shape {shape}, got {values.shape}")
    as_svg(figure)  # now the position of the axes is final
    x, _ = _in_points(figure, places, np.ones(len(places)))  # the height 1 is on every scale
    width, height = figure.get_size_inches() * _POINTS_PER_INCH
    data = {
        "dials": [
            {"asks": dial.asks, "positions": [*dial.positions], "start": dial.start} for dial in turned
        ],
        "width": round(width, 1),
        "height": round(height, 1),
        "span": [round(height * (1.0 - edge), 1) for edge in figure.axes[0].get_position().intervaly],
        "x": x,
        "lines": [
            [_property(colours[name]), _heights(figure, places, values)] for name, values in arrays.items()
        ],
        "told": [says(*positions) for positions in product(*map(range, shape))],
    }
    return widget("dial", data, fallback=FIGURE).data


def _in_points(figure, x, y):
    """Return data coordinates of the first axes in points from the left and top of the figure."""
    pixels = figure.axes[0].transData.transform(np.column_stack([x, y]).astype(float))
    from_left, from_bottom = (pixels * _POINTS_PER_INCH / figure.dpi).T
    from_top = figure.get_figheight() * _POINTS_PER_INCH - from_bottom
    return from_left.round(1).tolist(), from_top.round(1).tolist()


def _heights(figure, places, values):
    """Return the heights of a curve at all positions, with None outside the axes."""
    # The first axis of the values is that of the first dial, whose positions are the places.
    x = np.repeat(np.asarray(places, dtype=float), values.size // len(places))
    values = values.ravel()
    # NaN cannot be transformed; the height of its substitute is not returned.
    _, heights = _in_points(figure, x, np.where(np.isfinite(values), values, 1.0))
    low, high = sorted(figure.axes[0].get_ylim())
    is_inside = (low <= values) & (values <= high)  # this is False for NaN
    return [height if visible else None for height, visible in zip(heights, is_inside.tolist())]


def _property(colour):
    """Return the CSS property of a palette colour, which differs between light and dark pages."""
    return "pst-color-text-muted" if colour == GREY else f"colour-{PALETTE.index(to_hex(colour))}"
