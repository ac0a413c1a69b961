"""Style figures for colour-blind readers and for phones."""

import io
import re
from contextlib import contextmanager
from functools import wraps

import matplotlib

from claimbook.fonts import families
from claimbook.palette import FIRST, GREY, LINE, OTHERS, PALETTE, SECOND, mixed
from claimbook.text import svg

__all__ = ["FIRST", "GREY", "OTHERS", "PALETTE", "SECOND", "as_svg", "drawing", "mixed", "style"]

_RC = {
    "figure.figsize": (5.6, 3.6),
    "figure.dpi": 144,
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 12,
    "axes.titlesize": 12,
    # With less padding, the tick labels of the two axes would touch in the corner.
    "xtick.major.pad": 4.5,
    "ytick.major.pad": 4.5,
    "mathtext.fontset": "stixsans",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": LINE,
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "lines.linewidth": 1.8,
    "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "claimbook",
}
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))


@contextmanager
def style():
    """Apply the book's look to figures that are drawn inside this context."""
    look = {"axes.prop_cycle": matplotlib.cycler(color=OTHERS), "font.family": families()}
    with matplotlib.rc_context(_RC | look):
        yield


def as_svg(figure):
    """Return a figure as compact SVG, with rounded coordinates and without indentation."""
    buffer = io.StringIO()
    with style():
        figure.savefig(buffer, format="svg", metadata=_NO_METADATA)
    # `svg` removes what would break the markup, because words in the figure may come from outside.
    text = re.sub(r"\s*\n\s*", "\n", svg(buffer.getvalue()))
    return re.sub(r'(?<= d=")[^"]*', _in_hundredths, text)  # without the space, id="..." would also match


def _in_hundredths(path_match):
    """Return the text of a match with its decimal numbers rounded to hundredths."""
    rounded = lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
    return re.sub(r"\d+\.\d+", rounded, path_match[0])


def drawing(function):
    """Decorate a function that returns a figure and a description of it.

    The decorated function draws in the book's look. The figure's attribute ``drawn_by`` is the name of the
    function, and its attribute ``alt`` is the description. The description consists of one or more sentences,
    computed from the data, for people who cannot see the figure.
    """

    @wraps(function)
    def draw(*arguments, **options):
        with style():
            figure, alt = function(*arguments, **options)
        figure.drawn_by, figure.alt = f"{function.__module__}.{function.__qualname__}", alt
        return figure

    return draw
