"""The look of the figures: one palette, told apart by colour-blind readers, and type that survives a phone."""

from contextlib import contextmanager
from functools import wraps

import matplotlib
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

# Blue, orange, green, purple, brown, indigo, black: found by a search for the largest distance between any two as seen
# with and without red-green blindness, all of them dark enough on white for a word.
PALETTE = ("#1a66d6", "#b95b00", "#1f8070", "#961388", "#634921", "#3a10c8", "#000000")
GREY = "#5f6368"
_LINE = 0.165  # height of a line of type in inches, with the gap to the next

_RC = {
    "figure.figsize": (5.6, 3.6),
    "figure.dpi": 144,
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e6e8",
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "lines.linewidth": 1.8,
    "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "ndcg-companion",
}


@contextmanager
def style():
    """Draw inside this context to get the book's look."""
    with matplotlib.rc_context(_RC | {"axes.prop_cycle": matplotlib.cycler(color=PALETTE)}):
        yield


def drawing(function):
    """Decorate a function that returns a figure, and in words what is seen in it.

    It draws in the book's look; the figure knows what drew it (``drawn_by``) and what it shows (``alt``): a sentence or
    more, computed from the data, for those who do not see it.
    """

    @wraps(function)
    def drawn(*arguments, **options):
        with style():
            made = function(*arguments, **options)
        figure, alt = made if isinstance(made, tuple) else (made, "")
        figure.drawn_by, figure.alt = f"{function.__module__}.{function.__qualname__}", alt
        return figure

    return drawn


def label_ends(axes, ends, colours, text=str, lines=1):
    """Write each name at the right end of its curve, lines of type apart on whatever scale the axis has.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        With its final scale and limits.
    ends : mapping from a name to the height at which its curve ends, in units of the data
    colours : mapping from a name to a colour
    text : callable
        What to write for a name.
    lines : int
        How many lines of type that is.
    """
    to_fraction = axes.transData + axes.transAxes.inverted()
    right = axes.get_xlim()[1]
    heights = [to_fraction.transform((right, height))[1] for height in ends.values()]
    apart = lines * _LINE / (axes.get_position().height * axes.figure.get_figheight())
    for name, height in zip(ends, spread(heights, apart, 1.0), strict=True):
        axes.annotate(
            text(name),
            (1, height),
            (6, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            va="center",
            color=colours[name],
            annotation_clip=False,
            linespacing=1.0,
        )


def spread(heights, apart, highest):
    """The heights, moved down where they must be at least ``apart`` from one another and none above ``highest``.

    >>> [round(height, 2) for height in spread([0.98, 0.2, 1.0], 0.1, 1.0)]
    [0.9, 0.2, 1.0]
    """
    moved, ceiling = [0.0] * len(heights), highest
    for place in sorted(range(len(heights)), key=lambda place: -heights[place]):
        moved[place] = min(heights[place], ceiling)
        ceiling = moved[place] - apart
    return moved


def squaring(axes, last):
    """Make the horizontal axis one of powers of ten, up to ``10**last``, on which the exponent doubles from tick to tick."""
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator([2.0**power for power in range(1, 7)]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda exponent, _: f"$10^{{{exponent:g}}}$"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlim(right=last)
