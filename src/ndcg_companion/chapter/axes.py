"""What several figures share: powers of ten, places for endless lists, names at the ends of curves, lists."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

_LINE = 0.165  # height of a line of type in inches, with the gap to the next


def power_of_ten(exponent):
    """The label of a power of ten.

    >>> power_of_ten(6)
    '$10^{6}$'
    """
    return f"$10^{{{exponent:g}}}$"


def powers_of_ten(*several):
    """Label each axis on which exponents are drawn with the powers of ten that they stand for."""
    for axis in several:
        axis.set_major_formatter(FuncFormatter(lambda exponent, _: power_of_ten(exponent)))


def plain_numbers(axis):
    """Label an axis with numbers as they are said (0.01, not a power), and only its large ticks."""
    axis.set_major_formatter(FuncFormatter("{:g}".format))
    axis.set_minor_locator(NullLocator())


def towards_infinity(axes, exponents, first):
    """Label a horizontal axis on which n is drawn at 1/log n, so that endless lists stand at 0, on the right.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    exponents : sequence of int
        Powers of ten that may be labelled.
    first : float
        log n of the shortest list: shorter ones are not labelled.
    """
    kept = [exponent for exponent in exponents if exponent * np.log(10) >= first - 1e-9]
    places = [1.0 / (exponent * np.log(10)) for exponent in kept]
    axes.set_xticks([*places, 0.0], [*map(power_of_ten, kept), "∞"])
    axes.set_xlabel("items, n (placed at 1/log n)")


def simulated(axes, places, shares, low, high, colour, marker="o", face=None, width=1.2):
    """Shares of simulated lists as small marks, each on a bar for its interval."""
    axes.vlines(places, low, high, color=colour, linewidth=width)
    axes.plot(places, shares, marker, color=colour, markersize=4, markerfacecolor=face)


def spoken(name):
    """A name in a figure as an alternative text has it: without TeX's marks.

    >>> spoken(r"discount $1/\\log^{1/2}r$")
    'discount 1/log^(1/2)r'
    """
    return name.translate(str.maketrans("{}", "()", "$\\\\"))


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
    """The heights, moved down until they are ``apart`` from one another and none is above ``highest``.

    >>> [round(height, 2) for height in spread([0.98, 0.2, 1.0], 0.1, 1.0)]
    [0.9, 0.2, 1.0]
    """
    moved, ceiling = [0.0] * len(heights), highest
    for place in sorted(range(len(heights)), key=lambda place: -heights[place]):
        moved[place] = min(heights[place], ceiling)
        ceiling = moved[place] - apart
    return moved


def squaring(axes, last):
    """Make the horizontal axis one of powers of ten whose exponent doubles from tick to tick."""
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator([2.0**power for power in range(1, 7)]))
    powers_of_ten(axes.xaxis)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlim(right=last)


def thinned(first, last, most):
    """At most so many whole numbers from ``first`` to ``last``, both among them, dense where they begin.

    Half are equally far apart, half in equal proportions: for curves that move fast before they settle.

    >>> print(thinned(10, 1000, 8))
    [  10   46  215  340  670 1000]
    """
    some = [*np.linspace(first, last, most // 2), *np.geomspace(first, last, most // 2)]
    return np.unique(np.round(some).astype(int))


def sheet(*shape, figsize=None, **options):
    """A figure and its axes, as ``pyplot.subplots`` makes them, but of which pyplot knows nothing."""
    figure = Figure(figsize=figsize)
    return figure, figure.subplots(*shape, **options)


def bare(axes, axis="both"):
    """Take grid, ticks and frame away, or those of the vertical axis ("y"); the labels stay."""
    axes.grid(visible=False, axis=axis)
    axes.tick_params(axis=axis, length=0)
    axes.spines[["left"] if axis == "y" else list(axes.spines)].set_visible(False)


def listed(values, form):
    """Numbers with their names, as a sentence lists them.

    >>> listed({"by score": 0.51, "random": 0.25}, ".1f")
    '0.5 (by score), 0.2 (random)'
    """
    return ", ".join(f"{value:{form}} ({name})" for name, value in values.items())


def at_ends(curves):
    """The last value of each curve, by its name."""
    return {name: values[-1] for name, values in curves.items()}
