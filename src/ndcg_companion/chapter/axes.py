"""What the figures share: sheets of axes and their scales, curves, dots and cells, words beside them."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

_LINE = 0.165  # height of a line of type in inches, with the gap to the next
_OF_GRIDS = {"sharex", "sharey", "squeeze", "height_ratios", "width_ratios"}


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


def powers_on_log(axis):
    """Label a logarithmic axis with powers of ten, and only these."""
    label = FuncFormatter(lambda number, _: power_of_ten(round(np.log10(number))))
    axis.set(major_formatter=label, minor_locator=NullLocator())


def plain_numbers(*several):
    """Label each axis with numbers as they are said (0.01, not a power), and only its large ticks."""
    for axis in several:
        axis.set(major_formatter=FuncFormatter("{:g}".format), minor_locator=NullLocator())


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
    """What was simulated as small marks, each on a bar for its interval."""
    axes.vlines(places, low, high, color=colour, linewidth=width)
    axes.plot(places, shares, marker, color=colour, markersize=4, markerfacecolor=face)


def draw_shares(axes, marks, colours, aside=lambda x: x, marker="o", face=None):
    """Draw shares of simulated lists: of each name, where they are, the shares, low and high ends."""
    for name, (x, *shares) in marks.items():
        simulated(axes, aside(x), *shares, colours[name], marker, face)


def stretches(holds, edges):
    """Start and width of every stretch where it holds; its cells lie between neighbouring edges.

    >>> stretches([True, False, True, True], [0, 1, 2, 4, 8])
    [(0, 1), (2, 6)]
    """
    turns = np.flatnonzero(np.diff(np.r_[0, holds, 0]))
    return [(edges[start], edges[stop] - edges[start]) for start, stop in turns.reshape(-1, 2)]


def draw_strips(axes, leaders, edges, colours, height=0.9):
    """Draw who is ahead on many growing lists, one to a strip, the first on top.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    leaders : sequence of arrays of shape (m,)
    edges : array of shape (m + 1,)
        Of the cells that the sizes stand for.
    colours : mapping from a leader to a colour; what is not among them leaves a gap
    """
    for row, strip in enumerate(leaders):
        for leader, colour in colours.items():
            axes.broken_barh(stretches(strip == leader, edges), (row, height), facecolor=colour, linewidth=0)
    axes.grid(False)
    axes.set(yticks=[], xlim=(edges[0], edges[-1]), ylim=(len(leaders), 0))


def draw_cell(axes, place, face, words="", ink="black", size=(1, 1), **look):
    """Draw a cell of a table, its middle at a place, with words in it."""
    (x, y), (width, height) = place, size
    axes.add_patch(Rectangle((x - width / 2, y - height / 2), width, height, facecolor=face, **look))
    if words:
        axes.text(x, y, words, ha="center", va="center", color=ink, family="DejaVu Sans")


def spoken(name):
    """A name in a figure as an alternative text has it: without TeX's marks.

    >>> spoken(r"discount $1/\\log^{1/2}r$")
    'discount 1/log^(1/2)r'
    """
    return str(name).translate(str.maketrans("{}", "()", "$\\\\"))


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
    powers_of_ten(axes.xaxis)
    axes.xaxis.set(major_locator=FixedLocator(2.0 ** np.arange(1, 7)), minor_locator=NullLocator())
    axes.set(xlabel="items, n: every step to the right squares n", xlim=(None, last))


def thinned(first, last, most):
    """At most so many whole numbers from ``first`` to ``last``, both among them, dense where they begin.

    Half are equally far apart, half in equal proportions: for curves that move fast before they settle.

    >>> print(thinned(10, 1000, 8))
    [  10   46  215  340  670 1000]
    """
    some = [*np.linspace(first, last, most // 2), *np.geomspace(first, last, most // 2)]
    return np.unique(np.round(some).astype(int))


def sheet(*shape, figsize=None, titles=(), **options):
    """A figure and its axes, as ``pyplot.subplots`` makes them, but of which pyplot knows nothing.

    What ``subplots`` does not know of the options is set of all the axes: labels, scales, limits, ticks.
    Where panels share their horizontal axis only the lowest have its label.
    """
    grid = {name: options.pop(name) for name in _OF_GRIDS & options.keys()}
    figure = Figure(figsize=figsize)
    axes = figure.subplots(*shape, **grid)
    for panel in np.ravel(axes):
        panel.set(**options)
        if "sharex" in grid:
            panel.label_outer()
    for panel, title in zip(np.ravel(axes), titles):
        panel.set_title(title)
    return figure, axes


def over_items(sizes, what="items, n"):
    """Of axes with numbers of items on a logarithmic scale, from the first of the sizes to the last."""
    return {"xscale": "log", "xlim": (sizes[0], sizes[-1]), "xlabel": f"{what} (log scale)"}


def draw(axes, x, values, colours, style="-", **look):
    """Draw values over one x, each in the colour of its name."""
    draw_pairs(axes, {name: (x, y) for name, y in values.items()}, colours, style, **look)


def draw_pairs(axes, pairs, colours, style="-", **look):
    """Draw curves of which each has an x of its own: y over x, whatever else comes after the two."""
    for name, (x, y, *_) in pairs.items():
        axes.plot(x, y, style, color=colours[name], **look)


def draw_dots(axes, x, values, colours, **look):
    """Draw values over one x as dots: what was simulated."""
    draw(axes, x, values, colours, "o", **{"markersize": 4} | look)


def draw_with_dots(axes, x, values, places, seen, colours, **look):
    """Draw what theory says over x, and over places of its own what was seen of it."""
    draw(axes, x, values, colours, **look)
    draw_dots(axes, places, {name: seen[name] for name in values}, colours)


def draw_diamonds(axes, values, colours):
    """Draw limits at 0, on the edge of the axes."""
    draw(axes, 0.0, values, colours, "D", markersize=6, clip_on=False)


def draw_levels(axes, values, colours, width=1.2):
    """Draw limits as dotted lines from edge to edge."""
    for name, value in values.items():
        axes.axhline(value, color=colours[name], linestyle=":", linewidth=width)


def draw_intervals(axes, x, values, margins, colours):
    """Draw values over one x as dots, each on a bar that reaches as far as it may be off."""
    for name, y in values.items():
        axes.errorbar(x, y, margins[name], fmt="o", color=colours[name], markersize=4, elinewidth=1.2)


def draw_contours(axes, x, y, values):
    """Shade values from 0 to 1 in steps of a twentieth, with a line and its number at each."""
    steps = np.linspace(0.0, 1.0, 21)
    axes.contourf(x, y, values, steps, cmap="Blues_r", extend="both")
    # Along an edge of the picture a contour would follow the rounding errors.
    inside = steps[(steps > values.min() + 1e-9) & (steps < values.max() - 1e-9)]
    if inside.size:
        lines = axes.contour(x, y, values, inside, colors="black", linewidths=0.7)
        axes.clabel(lines, fmt="%.2f", fontsize=9)
    axes.grid(visible=False)


def note(axes, words, place, offset=(0, 0), colour="black", **look):
    """Words beside a place in units of the data, points away from it."""
    axes.annotate(words, place, offset, textcoords="offset points", color=colour, **look)


def corner(axes, words, place, colour="black", **look):
    """Words at a place in fractions of the axes: right of the middle they end there, above it they hang."""
    x, y = place
    sides = {"ha": "right" if x > 0.5 else "left", "va": "top" if y > 0.5 else "bottom"}
    axes.text(x, y, words, color=colour, transform=axes.transAxes, **sides | look)


def bare(axes, axis="both"):
    """Take grid, ticks and frame away, or those of the vertical axis ("y"); the labels stay."""
    axes.grid(visible=False, axis=axis)
    axes.tick_params(axis=axis, length=0)
    axes.spines[["left"] if axis == "y" else list(axes.spines)].set_visible(False)


def listed(values, form):
    """Numbers with their names, as a sentence lists them.

    >>> listed({"by score": 0.51, "$1/r$": 0.25}, ".1f")
    '0.5 (by score), 0.2 (1/r)'
    """
    return ", ".join(f"{value:{form}} ({spoken(name)})" for name, value in values.items())


def at_ends(values):
    """The last value of each curve, by its name."""
    return {name: y[-1] for name, y in values.items()}


def ends_of(pairs):
    """The last value of each curve that has an x of its own, by its name."""
    return {name: y[-1] for name, (_, y, *_) in pairs.items()}
