"""The look of the figures: colours that colour-blind readers can distinguish, type for a phone too."""

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
    # Labels of the two axes meet in the corner when they stand closer than this.
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
    """Draw inside this context to get the book's look."""
    look = {"axes.prop_cycle": matplotlib.cycler(color=OTHERS), "font.family": families()}
    with matplotlib.rc_context(_RC | look):
        yield


def as_svg(figure):
    """The figure as SVG, light for pages with many: paths rounded to hundredths, no indentation."""
    written = io.StringIO()
    with style():
        figure.savefig(written, format="svg", metadata=_NO_METADATA)
    # `svg` escapes what would break the markup: words in the figure may come from outside.
    text = re.sub(r"\s*\n\s*", "\n", svg(written.getvalue()))
    return re.sub(r'(?<= d=")[^"]*', _in_hundredths, text)  # the space: else id="..." were a path, too


def _in_hundredths(found):
    return re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), found[0])


def drawing(function):
    """Decorate a function that returns a figure, and in words what is seen in it.

    It draws in the book's look; the figure knows what drew it (``drawn_by``) and what it shows (``alt``): a
    sentence or more, computed from the data, for those who do not see it.
    """

    @wraps(function)
    def drawn(*arguments, **options):
        with style():
            figure, alt = function(*arguments, **options)
        figure.drawn_by, figure.alt = f"{function.__module__}.{function.__qualname__}", alt
        return figure

    return drawn
