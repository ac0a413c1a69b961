"""Common parts of figures: axes and their scales, curves, dots, cells and labels."""

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
_LINE_HEIGHT = 0.18  # height of a line of type in inches, with the gap to the next line
_GRID_OPTIONS = {"sharex", "sharey", "squeeze", "height_ratios", "width_ratios"}


def power_of_ten(exponent):
    """Return the label of a power of ten.

    >>> power_of_ten(6)
    '$10^{6}$'
    """
    return f"$10^{{{exponent:g}}}$"


def powers_of_ten(axis):
    """Label an axis of exponents with powers of ten."""
    axis.set_major_formatter(FuncFormatter(lambda exponent, _: power_of_ten(exponent)))


def powers_on_log(axis):
    """Label a logarithmic axis with powers of ten and nothing else."""
    label = FuncFormatter(lambda number, _: power_of_ten(round(np.log10(number))))
    axis.set(major_formatter=label, minor_locator=NullLocator())


def plain_numbers(axis):
    """Label the major ticks of an axis with plain numbers, such as 0.01, instead of powers."""
    axis.set(major_formatter=FuncFormatter("{:g}".format), minor_locator=NullLocator())


def set_axis_to_infinity(axes, exponents, log_shortest, room=1.03):
    """Prepare a horizontal axis on which n is at 1/log n, with infinity on the right.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    exponents : sequence of int
        Exponents of the powers of ten that may be labelled.
    log_shortest : float
        The value of log n for the shortest list. Powers of ten below the length of this list are not
        labelled.
    room : float
        Width of the axis, as a multiple of the width that the lists need.
    """
    labelled = [exponent for exponent in exponents if exponent * np.log(10) >= log_shortest - 1e-9]
    positions = [1.0 / (exponent * np.log(10)) for exponent in labelled]
    axes.set_xticks([*positions, 0.0], [*map(power_of_ten, labelled), "∞"])
    axes.set(xlabel="items, n (placed at 1/log n)", xlim=(room / log_shortest, 0.0))


def draw_simulated(axes, x, values, low, high, colour, marker="o", face_colour=None, width=1.2):
    """Draw simulated values as small marks, each with a bar for its interval."""
    axes.vlines(x, low, high, color=colour, linewidth=width)
    axes.plot(x, values, marker, color=colour, markersize=4, markerfacecolor=face_colour)


def draw_shares(axes, marks, colours, place_of=lambda x: x, marker="o", face_colour=None):
    """Draw proportions of simulated lists, with x, proportions and the ends of intervals given by name.

    The horizontal position of a mark is ``place_of(x)``.
    """
    for name, (x, *values) in marks.items():
        draw_simulated(axes, place_of(x), *values, colours[name], marker, face_colour)


def true_runs(flags, edges):
    """Return the start and the width of every run of true values, where each value fills one cell.

    >>> true_runs([True, False, True, True], [0, 1, 2, 4, 8])
    [(0, 1), (2, 6)]
    """
    # Between zeros, the changes are the start and the stop of each run in turn.
    changes = np.flatnonzero(np.diff(np.r_[0, flags, 0]))
    return [(edges[start], edges[stop] - edges[start]) for start, stop in changes.reshape(-1, 2)]


def draw_strips(axes, leaders, edges, bars):
    """Draw which ranker is ahead on many growing lists, with one strip for each list.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    leaders : sequence of arrays of shape (m,)
        The leader at each size, for each list.
    edges : array of shape (m + 1,)
        Edges of the cells, one cell for each size.
    bars : mapping from a leader to the colour and the height of its bar; others leave a gap
    """
    for row, strip in enumerate(leaders):
        for leader, (colour, height) in bars.items():
            band = row + 0.5 - height / 2, height
            axes.broken_barh(true_runs(strip == leader, edges), band, facecolor=colour, linewidth=0)
    axes.set_xlim(edges[0], edges[-1])


def draw_cell(axes, centre, face_colour, words="", text_colour="black", size=(1, 1), **rectangle_options):
    """Draw a cell of a table around a centre, with words inside."""
    (x, y), (width, height) = centre, size
    lower_left = x - width / 2, y - height / 2
    axes.add_patch(Rectangle(lower_left, width, height, facecolor=face_colour, **rectangle_options))
    if words:
        axes.text(x, y, words, ha="center", va="center", color=text_colour)


def without_tex(name):
    """Return a name from a figure for use in an alternative text, without TeX markup.

    >>> without_tex(r"discount $1/\\log^{1/2}r$")
    'discount 1/log^(1/2)r'
    """
    return str(name).translate(str.maketrans("{}", "()", "$\\\\"))


def label_ends(axes, last_values, colours=OTHERS, text=str):
    """Write each name at the right end of its curve, without overlaps on any scale.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Axes with their final scale and limits.
    last_values : mapping from a name to the height at which its curve ends, in units of the data
    colours : mapping from a name to a colour, or colours in the order of the names
    text : callable
        Returns the label of a name.
    """
    data_to_fraction = axes.transData + axes.transAxes.inverted()
    _, right_edge = axes.get_xlim()
    right_ends = [(right_edge, height) for height in last_values.values()]
    # A curve that leaves the axes is labelled at the edge.
    heights = [max(0.0, height) for _, height in map(data_to_fraction.transform, right_ends)]
    most_lines = max((text(name).count("\n") + 1 for name in last_values), default=1)
    distance = most_lines * _LINE_HEIGHT / (axes.get_position().height * axes.figure.get_figheight())
    colours = colours_by_name(last_values, colours)
    label_heights = spread(heights, distance, 1.0)
    # Names of low curves that are now below the axis are moved up again.
    depths = spread([1.0 - height for height in label_heights], distance, 1.0)
    label_heights = [1.0 - depth for depth in depths]
    for name, height in zip(last_values, label_heights, strict=True):
        write_near(
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


def colours_by_name(names, colours):
    """Return colours by name: a dict unchanged, or other colours repeated in order.

    >>> colours_by_name(["above", "below"], ["red", "blue", "green"])
    {'above': 'red', 'below': 'blue'}
    """
    return colours if isinstance(colours, dict) else dict(zip(names, cycle(colours)))


def spread(heights, distance, highest):
    """Return heights moved down until all are ``distance`` apart and none is above ``highest``.

    >>> [round(height, 2) for height in spread([0.98, 0.2, 1.0], 0.1, 1.0)]
    [0.9, 0.2, 1.0]
    """
    moved_heights, ceiling = [0.0] * len(heights), highest
    for index in sorted(range(len(heights)), key=lambda index: -heights[index]):
        moved_heights[index] = min(heights[index], ceiling)
        ceiling = moved_heights[index] - distance
    return moved_heights


def set_squaring_axis(axes, last_exponent):
    """Prepare a horizontal axis of powers of ten whose exponent doubles from tick to tick."""
    axes.set_xscale("log", base=2)
    powers_of_ten(axes.xaxis)
    axes.xaxis.set(major_locator=FixedLocator(2.0 ** np.arange(1, 7)), minor_locator=NullLocator())
    axes.set(xlabel="items, n: every step to the right squares n", xlim=(None, last_exponent))


def thinned_sizes(first, last, most):
    """Return at most ``most`` whole numbers from ``first`` to ``last``, dense at the start.

    Both ends are included. Half of the numbers are equally spaced, and half have equal ratios, which suits
    curves that change fast at first.

    >>> print(thinned_sizes(10, 1000, 8))
    [  10   46  215  340  670 1000]
    """
    candidates = [*np.linspace(first, last, most // 2), *np.geomspace(first, last, most // 2)]
    return np.unique(np.round(candidates).astype(int))


def sheet(
    *shape,
    figsize=None,
    titles=(),
    panel_options=(),
    x_labels=None,
    y_labels=None,
    no_grid=None,
    frameless=None,
    hlines=(),
    vlines=(),
    line_style="-",
    **options,
):
    """Return a figure and its axes, as ``pyplot.subplots`` does, without registering them in pyplot.

    Options that ``subplots`` does not know, such as labels, scales, limits and ticks, are set on all axes. If
    panels share their horizontal axis, only the lowest panels have its label.

    Parameters
    ----------
    *shape : int
        Numbers of rows and columns.
    figsize : (float, float), optional
        Width and height in inches.
    titles : iterable of str
        Titles of the panels in order.
    panel_options : iterable of dict
        Further options of each panel, in order.
    x_labels, y_labels : callable or str, optional
        Labels of either axis: `powers_of_ten`, `powers_on_log`, `plain_numbers`, or a format ("{x:.0%}").
    no_grid, frameless : {"both", "x", "y"}, optional
        The axis without a grid (``no_grid``), or the axis without grid, tick marks and frame
        (``frameless``). Tick labels remain.
    hlines, vlines : sequence of float
        Positions of horizontal and vertical grey reference lines from edge to edge.
    line_style : str
        Style of these lines.
    **options
        Options of ``pyplot.subplots`` or of ``Axes.set``.
    """
    grid_options = {name: options.pop(name) for name in _GRID_OPTIONS & options.keys()}
    figure = Figure(figsize=figsize)
    panels = figure.subplots(*shape, **grid_options)
    for axes in figure.axes:
        axes.set(**options)
        if no_grid or frameless:
            axes.grid(visible=False, axis=no_grid or frameless)
        if frameless:
            axes.tick_params(axis=frameless, length=0)
            hidden_edges = ["left"] if frameless == "y" else list(axes.spines)
            axes.spines[hidden_edges].set_visible(False)
        if "sharex" in grid_options:
            axes.label_outer()
        for height in hlines:
            axes.axhline(height, color=GREY, linewidth=1, linestyle=line_style)
        for position in vlines:
            axes.axvline(position, color=GREY, linewidth=1, linestyle=line_style)
    for axes, title in zip(figure.axes, titles):
        axes.set_title(title)
    for axes, settings in zip(figure.axes, panel_options):
        axes.set(**settings)
    for axes in figure.axes:
        for axis, labels in ((axes.xaxis, x_labels), (axes.yaxis, y_labels)):
            if callable(labels):
                labels(axis)
            elif labels:
                axis.set_major_formatter(labels)
    return figure, panels


def items_axis(sizes, quantity="items, n"):
    """Return the arguments of `sheet` for numbers of items on a logarithmic axis."""
    return {"xscale": "log", "xlim": (sizes[0], sizes[-1]), "xlabel": f"{quantity} (log scale)"}


def draw(axes, x, values, colours=OTHERS, style="-", label_of=None, **plot_options):
    """Draw curves over a common x, each in the colour of its name; see `draw_xy`."""
    draw_xy(axes, {name: (x, y) for name, y in values.items()}, colours, style, label_of, **plot_options)


def draw_xy(axes, pairs, colours=OTHERS, style="-", label_of=None, **plot_options):
    """Draw curves with separate x, each in the colour of its name.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    pairs : mapping from a name to a sequence that begins with x and y
    colours : mapping from a name to a colour, or colours in the order of the names
    style : str
    label_of : callable, optional
        A function that returns the label at the right end of the curve with a name, such as ``str``. If it is
        given, the axes must already have their final scale and limits, so everything else must be drawn
        first.
    **plot_options
        Options of ``Axes.plot``.
    """
    colours = colours_by_name(pairs, colours)
    for name, (x, y, *_) in pairs.items():
        axes.plot(x, y, style, color=colours[name], **plot_options)
    if label_of:
        label_ends(axes, final_heights(pairs), colours, label_of)


def draw_with_dots(axes, x, values, dots_x, observed, colours, **plot_options):
    """Draw theoretical curves over x, and observed values as dots over their own x."""
    dots = {name: observed[name] for name in values}
    draw(axes, dots_x, dots, colours, "o", markersize=4, zorder=2.1)
    draw(axes, x, values, colours, **plot_options)


def draw_diamonds(axes, values, colours=OTHERS, **plot_options):
    """Draw limits as diamonds at 0, on the edge of the axes."""
    draw(axes, 0.0, values, colours, "D", markersize=6, clip_on=False, **plot_options)


def draw_levels(axes, values, colours=OTHERS, label_of=None, width=1.2):
    """Draw limits as dotted lines from edge to edge, behind all curves."""
    colours = colours_by_name(values, colours)
    for name, value in values.items():
        axes.axhline(value, color=colours[name], linestyle=":", linewidth=width, zorder=1.9)
    if label_of:
        label_ends(axes, values, colours, label_of)


def draw_intervals(axes, x, values, margins, colours):
    """Draw values over a common x as dots, each with a bar for its margin."""
    for name, y in values.items():
        axes.errorbar(x, y, margins[name], fmt="o", color=colours[name], markersize=4, elinewidth=1.2)


def shades(start, end, number):
    """Return ``number`` equally spaced shades of green, with strengths from ``start`` to ``end``."""
    return [mixed(OTHERS[0], strength) for strength in np.linspace(start, end, number).round(3)]


def two_colour_scale(blue=1.0, orange=1.0):
    """Return a colour scale from the first colour through white to the second, with given strengths."""
    blue_tints, orange_tints = (
        [mixed(colour, strength) for strength in np.linspace(0.0, strongest, 101).round(3)]
        for colour, strongest in ((FIRST, blue), (SECOND, orange))
    )
    # Both begin with white, which the scale contains once.
    return ListedColormap([*blue_tints[::-1], *orange_tints[1:]])


def draw_contours(axes, x, y, values):
    """Shade values from 0 to 1 in steps of 0.05, with a labelled line at each step."""
    steps = np.linspace(0.0, 1.0, 21)
    # There is a shade between neighbouring steps, and one on either side for values off by rounding.
    axes.contourf(x, y, values, steps, colors=shades(1.0, 0.0, len(steps) + 1), extend="both")
    # Along an edge of the axes a contour would follow rounding errors.
    inner_steps = steps[(steps > values.min() + 1e-9) & (steps < values.max() - 1e-9)]
    if inner_steps.size:
        lines = axes.contour(x, y, values, inner_steps, colors="black", linewidths=0.7)
        axes.clabel(lines, fmt="%.2f", fontsize=9)
    axes.grid(visible=False)


def write_near(axes, words, point, offset=(0, 0), colour="black", **text_options):
    """Write words at an offset in points from a point in units of the data."""
    axes.annotate(words, point, offset, textcoords="offset points", color=colour, **text_options)


def write_in_corner(axes, words, fractions, colour="black", **text_options):
    """Write words at a position in fractions of the axes, aligned towards the middle."""
    x, y = fractions
    alignment = {"ha": "right" if x > 0.5 else "left", "va": "top" if y > 0.5 else "bottom"}
    axes.text(x, y, words, color=colour, transform=axes.transAxes, **alignment | text_options)


def as_text(values, form):
    """Return numbers with their names, as they are listed in a sentence.

    >>> as_text({"by score": 0.51, "$1/r$": 0.25}, ".1f")
    '0.5 (by score), 0.2 (1/r)'
    """
    return ", ".join(f"{value:{form}} ({without_tex(name)})" for name, value in values.items())


def final_values(values):
    """Return the last value of each curve by name."""
    return {name: y[-1] for name, y in values.items()}


def final_heights(pairs):
    """Return the last value of each curve by name, for curves or points with separate x."""
    return {name: np.ravel(y)[-1] for name, (_, y, *_) in pairs.items()}
