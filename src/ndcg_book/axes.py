"""What the figures share: sheets of axes and their scales, curves, dots and cells, words beside them."""

from itertools import cycle

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from claimbook.style import FIRST, GREY, OTHERS, SECOND, mixed

# The colour of a ranking on every page.
RANKINGS = {
    "ideal": "black",
    "by score": FIRST,
    "random": OTHERS[0],
    "upside down": OTHERS[2],
    "reverse-ideal": OTHERS[1],
}
_LINE = 0.18  # height of a line of type in inches, with the gap to the next
_OF_GRIDS = {"sharex", "sharey", "squeeze", "height_ratios", "width_ratios"}


def power_of_ten(exponent):
    """The label of a power of ten.

    >>> power_of_ten(6)
    '$10^{6}$'
    """
    return f"$10^{{{exponent:g}}}$"


def powers_of_ten(axis):
    """Label an axis on which exponents are drawn with the powers of ten that they stand for."""
    axis.set_major_formatter(FuncFormatter(lambda exponent, _: power_of_ten(exponent)))


def powers_on_log(axis):
    """Label a logarithmic axis with powers of ten, and only these."""
    label = FuncFormatter(lambda number, _: power_of_ten(round(np.log10(number))))
    axis.set(major_formatter=label, minor_locator=NullLocator())


def plain_numbers(axis):
    """Label an axis with numbers as they are said (0.01, not a power), and only its large ticks."""
    axis.set(major_formatter=FuncFormatter("{:g}".format), minor_locator=NullLocator())


def towards_infinity(axes, exponents, first, room=1.03):
    """Make the horizontal axis one on which n is drawn at 1/log n: endless lists stand at 0, on the right.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    exponents : sequence of int
        Powers of ten that may be labelled.
    first : float
        log n of the shortest list: shorter ones are not labelled.
    room : float
        How wide the axis is, as a multiple of what the lists need.
    """
    labelled = [exponent for exponent in exponents if exponent * np.log(10) >= first - 1e-9]
    places = [1.0 / (exponent * np.log(10)) for exponent in labelled]
    axes.set_xticks([*places, 0.0], [*map(power_of_ten, labelled), "∞"])
    axes.set(xlabel="items, n (placed at 1/log n)", xlim=(room / first, 0.0))


def simulated(axes, places, shares, low, high, colour, marker="o", face=None, width=1.2):
    """What was simulated as small marks, each on a bar for its interval."""
    axes.vlines(places, low, high, color=colour, linewidth=width)
    axes.plot(places, shares, marker, color=colour, markersize=4, markerfacecolor=face)


def draw_shares(axes, marks, colours, aside=lambda x: x, marker="o", face=None):
    """Draw shares of simulated lists: of each name, where they are, the shares, low and high ends."""
    for name, (x, *shares) in marks.items():
        simulated(axes, aside(x), *shares, colours[name], marker, face)


def spans(holds, edges):
    """Start and width of every run of true values; each value stands for a cell between two edges.

    >>> spans([True, False, True, True], [0, 1, 2, 4, 8])
    [(0, 1), (2, 6)]
    """
    turns = np.flatnonzero(np.diff(np.r_[0, holds, 0]))
    return [(edges[start], edges[stop] - edges[start]) for start, stop in turns.reshape(-1, 2)]


def draw_strips(axes, leaders, edges, bars):
    """Draw who is ahead on many growing lists, one to a strip.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    leaders : sequence of arrays of shape (m,)
    edges : array of shape (m + 1,)
        Of the cells that the sizes stand for.
    bars : mapping from a leader to a colour and the height of the bar; what is not among them leaves a gap
    """
    for row, strip in enumerate(leaders):
        for leader, (colour, height) in bars.items():
            band = row + 0.5 - height / 2, height
            axes.broken_barh(spans(strip == leader, edges), band, facecolor=colour, linewidth=0)
    axes.set_xlim(edges[0], edges[-1])


def draw_cell(axes, corner, face, words="", ink="black", size=(1, 1), **look):
    """Draw a cell of a table, its middle at a place, with words in it."""
    (x, y), (width, height) = corner, size
    axes.add_patch(Rectangle((x - width / 2, y - height / 2), width, height, facecolor=face, **look))
    if words:
        axes.text(x, y, words, ha="center", va="center", color=ink)


def spoken(name):
    """A name in a figure as an alternative text has it: without TeX's marks.

    >>> spoken(r"discount $1/\\log^{1/2}r$")
    'discount 1/log^(1/2)r'
    """
    return str(name).translate(str.maketrans("{}", "()", "$\\\\"))


def label_ends(axes, last_values, colours=OTHERS, text=str):
    """Write each name at the right end of its curve, lines of type apart on whatever scale the axis has.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        With its final scale and limits.
    ends : mapping from a name to the height at which its curve ends, in units of the data
    colours : mapping from a name to a colour, or colours in the order of the names
    text : callable
        What to write for a name.
    """
    to_fraction = axes.transData + axes.transAxes.inverted()
    right = axes.get_xlim()[1]
    # A curve that leaves the picture is named at the edge.
    heights = [max(0.0, to_fraction.transform((right, height))[1]) for height in last_values.values()]
    lines = max((text(name).count("\n") + 1 for name in last_values), default=1)
    distance = lines * _LINE / (axes.get_position().height * axes.figure.get_figheight())
    colours = by_name(last_values, colours)
    moved = spread(heights, distance, 1.0)
    # Names of low ends would stand below the axis: from there they are moved up again.
    moved = [1.0 - depth for depth in spread([1.0 - height for height in moved], distance, 1.0)]
    for name, height in zip(last_values, moved, strict=True):
        note(
            axes,
            text(name),
            (1, height),
            (6, 0),
            colours[name],
            xycoords="axes fraction",
            va="center",
            annotation_clip=False,
            linespacing=1.0,
        )


def by_name(names, colours):
    """Colours by name: as they are, or in the order of the names, again from the first after the last.

    >>> by_name(["above", "below"], ["red", "blue", "green"])
    {'above': 'red', 'below': 'blue'}
    """
    return colours if isinstance(colours, dict) else dict(zip(names, cycle(colours)))


def spread(heights, distance, highest):
    """The heights, moved down until they are ``apart`` from one another and none is above ``highest``.

    >>> [round(height, 2) for height in spread([0.98, 0.2, 1.0], 0.1, 1.0)]
    [0.9, 0.2, 1.0]
    """
    moved, ceiling = [0.0] * len(heights), highest
    for index in sorted(range(len(heights)), key=lambda index: -heights[index]):
        moved[index] = min(heights[index], ceiling)
        ceiling = moved[index] - distance
    return moved


def squaring(axes, last):
    """Make the horizontal axis one of powers of ten whose exponent doubles from tick to tick."""
    axes.set_xscale("log", base=2)
    powers_of_ten(axes.xaxis)
    axes.xaxis.set(major_locator=FixedLocator(2.0 ** np.arange(1, 7)), minor_locator=NullLocator())
    axes.set(xlabel="items, n: every step to the right squares n", xlim=(None, last))


def thinned(first, last, most):
    """At most ``most`` whole numbers from ``first`` to ``last``, both among them, dense where they begin.

    Half are equally far apart, half in equal proportions: for curves that move fast before they settle.

    >>> print(thinned(10, 1000, 8))
    [  10   46  215  340  670 1000]
    """
    candidates = [*np.linspace(first, last, most // 2), *np.geomspace(first, last, most // 2)]
    return np.unique(np.round(candidates).astype(int))


def sheet(
    *shape,
    figsize=None,
    titles=(),
    each=(),
    x=None,
    y=None,
    no_grid=None,
    bare=None,
    across=(),
    up=(),
    rule="-",
    **options,
):
    """A figure and its axes, as ``pyplot.subplots`` makes them, but of which pyplot knows nothing.

    What ``subplots`` does not know of the options is set of all the axes: labels, scales, limits, ticks.
    Where panels share their horizontal axis only the lowest have its label.

    Parameters
    ----------
    *shape : int
    figsize : (float, float), optional
    titles : iterable of str
        Of one panel after the other.
    each : iterable of dict
        More options, of one panel after the other.
    x, y : callable or str, optional
        What labels either axis: `powers_of_ten`, `powers_on_log`, `plain_numbers`, or a format ("{x:.0%}").
    no_grid, bare : {"both", "x", "y"}, optional
        The axis without a grid, or without grid, marks at its ticks and frame; the labels stay.
    across, up : sequence of float
        Heights and places of grey lines from edge to edge, to hold curves against.
    rule : str
        Their style.
    **options
        Of ``pyplot.subplots``, or of ``Axes.set``.
    """
    of_grid = {name: options.pop(name) for name in _OF_GRIDS & options.keys()}
    figure = Figure(figsize=figsize)
    panels = figure.subplots(*shape, **of_grid)
    for axes in figure.axes:
        axes.set(**options)
        if no_grid or bare:
            axes.grid(visible=False, axis=no_grid or bare)
        if bare:
            axes.tick_params(axis=bare, length=0)
            axes.spines[["left"] if bare == "y" else list(axes.spines)].set_visible(False)
        if "sharex" in of_grid:
            axes.label_outer()
        for height in across:
            axes.axhline(height, color=GREY, linewidth=1, linestyle=rule)
        for mark in up:
            axes.axvline(mark, color=GREY, linewidth=1, linestyle=rule)
    for axes, title in zip(figure.axes, titles):
        axes.set_title(title)
    for axes, settings in zip(figure.axes, each):
        axes.set(**settings)
    for axes in figure.axes:
        for axis, labels in ((axes.xaxis, x), (axes.yaxis, y)):
            if callable(labels):
                labels(axis)
            elif labels:
                axis.set_major_formatter(labels)
    return figure, panels


def over_items(sizes, quantity="items, n"):
    """Arguments of `sheet` for numbers of items on a logarithmic axis, from the first size to the last."""
    return {"xscale": "log", "xlim": (sizes[0], sizes[-1]), "xlabel": f"{quantity} (log scale)"}


def draw(axes, x, values, colours=OTHERS, style="-", names=None, **look):
    """Draw values over one x, each in the colour of its name; further parameters as for `draw_pairs`."""
    draw_pairs(axes, {name: (x, y) for name, y in values.items()}, colours, style, names, **look)


def draw_pairs(axes, pairs, colours=OTHERS, style="-", names=None, **look):
    """Draw curves of which each has an x of its own: y over x, whatever else comes after the two.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    pairs : mapping from a name to a sequence that begins with x and y
    colours : mapping from a name to a colour, or colours in the order of the names
    style : str
    names : callable, optional
        What to write at the right end of the curve of a name. The axes have their final scale and limits
        then, so what else is drawn comes first.
    **look
        Of ``Axes.plot``.
    """
    colours = by_name(pairs, colours)
    for name, (x, y, *_) in pairs.items():
        axes.plot(x, y, style, color=colours[name], **look)
    if names:
        label_ends(axes, ends_of(pairs), colours, names)


def draw_with_dots(axes, x, values, places, seen, colours, **look):
    """Draw what theory says over x, and over places of its own, as dots, what was seen of it."""
    seen = {name: seen[name] for name in values}
    draw(axes, places, seen, colours, "o", markersize=4, zorder=2.1)
    draw(axes, x, values, colours, **look)


def draw_diamonds(axes, values, colours=OTHERS, **look):
    """Draw limits at 0, on the edge of the axes."""
    draw(axes, 0.0, values, colours, "D", markersize=6, clip_on=False, **look)


def draw_levels(axes, values, colours=OTHERS, names=None, width=1.2):
    """Draw limits as dotted lines from edge to edge, behind all curves."""
    colours = by_name(values, colours)
    for name, value in values.items():
        axes.axhline(value, color=colours[name], linestyle=":", linewidth=width, zorder=1.9)
    if names:
        label_ends(axes, values, colours, names)


def draw_intervals(axes, x, values, margins, colours):
    """Draw values over one x as dots, each on a bar that reaches as far as it may be off."""
    for name, y in values.items():
        axes.errorbar(x, y, margins[name], fmt="o", color=colours[name], markersize=4, elinewidth=1.2)


def shades(start, end, number):
    """That many greens, evenly from one share of the palette's in white to another."""
    return [mixed(OTHERS[0], share) for share in np.linspace(start, end, number).round(3)]


def first_to_second(blue=1.0, orange=1.0):
    """A scale from that share of the first colour over white to that share of the second."""
    first, second = (
        [mixed(colour, share) for share in np.linspace(0.0, most, 101).round(3)]
        for colour, most in ((FIRST, blue), (SECOND, orange))
    )
    return ListedColormap([*first[::-1], *second[1:]])


def draw_contours(axes, x, y, values):
    """Shade values from 0 to 1 in steps of a twentieth, with a line and its number at each."""
    steps = np.linspace(0.0, 1.0, 21)
    axes.contourf(x, y, values, steps, colors=shades(1.0, 0.0, len(steps) + 1), extend="both")
    # Along an edge of the picture a contour would follow the rounding errors.
    inside = steps[(steps > values.min() + 1e-9) & (steps < values.max() - 1e-9)]
    if inside.size:
        lines = axes.contour(x, y, values, inside, colors="black", linewidths=0.7)
        axes.clabel(lines, fmt="%.2f", fontsize=9)
    axes.grid(visible=False)


def note(axes, words, point, offset=(0, 0), colour="black", **look):
    """Words beside a place in units of the data, points away from it."""
    axes.annotate(words, point, offset, textcoords="offset points", color=colour, **look)


def corner(axes, words, fractions, colour="black", **look):
    """Words at a place in fractions of the axes: right of the middle they end there, above it they hang."""
    x, y = fractions
    sides = {"ha": "right" if x > 0.5 else "left", "va": "top" if y > 0.5 else "bottom"}
    axes.text(x, y, words, color=colour, transform=axes.transAxes, **sides | look)


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
    return {name: np.ravel(y)[-1] for name, (_, y, *_) in pairs.items()}
