"""Figures of the chapter on theorem 7: under a polynomial discount every ranking has a limit of its own.

Rankings of the same items come as mappings from the names in `COLOURS` to their values.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ndcg_companion.chapter.axes import label_ends
from ndcg_companion.chapter.style import GREY, PALETTE, drawing

COLOURS = {"by score": PALETTE[0], "random": PALETTE[2], "upside down": PALETTE[1]}
_MARKERS = ("v", "s", "o")
_PLATE = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}


@drawing
def settling(lengths, expected, limits, sizes, observed, margins, predicted, bound):
    """NDCG as the list grows, with its limits, above; how far the expectation is from its limit below.

    Parameters
    ----------
    lengths : array of shape (m,)
        List lengths of the exact expectations.
    expected, predicted : mapping from a ranking's name to an array of shape (m,)
        The expectation, and the leading term of its distance to the limit; a ranking without one is left out
        below.
    limits : mapping from a ranking's name to its limit
    sizes : array of shape (q,)
        List lengths that were simulated.
    observed, margins : mapping from a ranking's name to an array of shape (q,)
        Simulated values and the half-widths of their intervals.
    bound : array of shape (m,)
        What no distance exceeds.
    """
    figure = Figure(figsize=(5.6, 6.4))
    upper, lower = figure.subplots(2, sharex=True)
    for name, values in expected.items():
        colour = COLOURS[name]
        upper.axhline(limits[name], color=colour, linestyle=":", linewidth=1.1)
        upper.plot(lengths, values, color=colour, linewidth=1.4)
        upper.errorbar(
            sizes, observed[name], margins[name], color=colour, fmt="o", markersize=4, elinewidth=1.2
        )
        if name in predicted:
            lower.plot(lengths, np.abs(values - limits[name]), "o", color=colour, markersize=4)
            lower.plot(lengths, np.abs(predicted[name]), color=colour, linewidth=1.2)
    lower.plot(lengths, bound, "--", color=GREY, linewidth=1.2)
    upper.set(ylabel="NDCG", title="dots: simulated, lines: exact, dotted: limits")
    lower.set(xscale="log", yscale="log", xlabel="items, n (log scale)", ylabel="|NDCG − limit| (log scale)")
    lower.set(
        title="dots: exact, lines: predicted, dashed: bound", xlim=(lengths[0] / 1.3, lengths[-1] * 1.3)
    )
    _powers_of_ten(lower.xaxis, lengths)
    label_ends(upper, limits, COLOURS)
    label_ends(lower, {name: abs(values[-1]) for name, values in predicted.items()}, COLOURS)
    levels = ", ".join(f"{limit:.3f} ({name})" for name, limit in limits.items())
    ends = "".join(f", at {abs(expected[name][-1] - limits[name]):.0e} ({name})" for name in predicted)
    return figure, (
        f"{len(limits)} curves from {lengths[0]:,} to {lengths[-1]:,} items run into dotted lines at "
        f"{levels}; below, straight "
        f"falling lines{ends} for the longest lists."
    )


@drawing
def fan(betas, lines, chosen, slope):
    """The limit as a function of the exponent of the discount, one line for each relevance curve.

    Parameters
    ----------
    betas : array of shape (m,)
        From 0, the log discount, to 1, the Zipfian one.
    lines : mapping from a curve's name to an array of shape (m,)
    chosen : str
        The name of the line to be drawn strongest.
    slope : float
        Of the chosen line at 0.
    """
    figure = Figure(figsize=(5.6, 4.2))
    axes = figure.subplots()
    others = [name for name in lines if name != chosen]
    colours = dict(zip(others, PALETTE)) | {chosen: PALETTE[6]}
    for name, values in lines.items():
        axes.plot(betas, values, color=colours[name], linewidth=2.8 if name == chosen else 1.5)
    short = betas[betas <= 0.35]
    axes.plot(short, 1.0 + slope * short, "--", color=colours[chosen], linewidth=1.1)
    axes.set(xlim=(0, 1), ylim=(-0.1, 1.03), xlabel="exponent β of the discount", ylabel="limit of NDCG")
    axes.set_title("β → 0: theorem 4", loc="left")
    axes.set_title("β → 1: theorem 9", loc="right")
    label_ends(axes, {name: values[-1] for name, values in lines.items()}, colours)
    ends = ", ".join(f"{values[-1]:.2f} ({name})" for name, values in lines.items())
    return figure, f"{len(lines)} curves fan out from 1 at β = 0; at β = 1 they are at {ends}."


@drawing
def signal(betas, kept, values):
    """Contours of the limit over the exponent of the discount and over how much of a ranker's scores is kept.

    Parameters
    ----------
    betas : array of shape (m,)
    kept : array of shape (q,)
        Share of the scores that are kept, the others being random; negative for the ranking upside down.
    values : array of shape (q, m)
    """
    figure = Figure(figsize=(5.6, 4.4))
    axes = figure.subplots()
    levels = np.linspace(0.0, 1.0, 21)
    axes.contourf(betas, kept, values, levels, cmap="Blues_r", extend="both")
    # Along an edge of the picture a contour would follow the rounding errors.
    inside = levels[(levels > values.min() + 1e-9) & (levels < values.max() - 1e-9)]
    if inside.size:
        drawn = axes.contour(betas, kept, values, inside, colors="black", linewidths=0.7)
        axes.clabel(drawn, fmt="%.2f", fontsize=9)
    axes.axhline(0.0, color="black", linestyle="--", linewidth=1)
    axes.set(xlabel="exponent β of the discount", xlim=(0, 1), ylim=(-1, 1))
    places = {1.0: "by score", 0.5: "half", 0.0: "random", -0.5: "half", -1.0: "upside down"}
    axes.set_yticks(list(places), list(places.values()))
    axes.get_yticklabels()[-1].set_verticalalignment("bottom")  # it would meet the number below it
    axes.grid(visible=False)
    bottom, middle, top = values[[0, len(kept) // 2, -1], -1]
    return figure, (
        f"Contours of the limit, from {values.min():.2f} to {values.max():.2f}; on the left edge it is "
        f"{values[0, 0]:.2g} "
        f"everywhere, on the right edge it goes from {bottom:.2f} at the bottom over {middle:.2f} in the "
        f"middle to {top:.2f} at "
        "the top."
    )


@drawing
def constants(betas, zetas, measured):
    """The constant of the second-order term over the exponent of the discount, and what lists have.

    Parameters
    ----------
    betas, zetas : array of shape (m,)
        The constant that is predicted.
    measured : mapping from a list length to a pair of arrays
        Exponents, and the constants found there, in the order of growing length.
    """
    figure = Figure()
    axes = figure.subplots()
    axes.axhline(-1.0, color=GREY, linestyle="--", linewidth=1.2)
    axes.plot(betas, zetas, color=PALETTE[0])
    for (length, (places, found)), marker, colour in zip(
        measured.items(), _MARKERS, PALETTE[1:4], strict=False
    ):
        axes.plot(
            places, found, marker, color=colour, markersize=5, label=f"$10^{{{np.log10(length):.0f}}}$ items"
        )
    highest = max(found.max() for _, found in measured.values())
    axes.set(
        xlim=(0, 1),
        ylim=(-1.12, max(-0.3, highest + 0.05)),
        xlabel="exponent β of the discount",
        ylabel="constant",
    )
    axes.annotate(
        "pseudo-expectation: −1", (0.02, -1.0), (0, -4), textcoords="offset points", va="top", color=GREY
    )
    axes.annotate(
        "ζ(β)(1 − β)",
        (0.62, np.interp(0.62, betas, zetas)),
        (-6, -6),
        textcoords="offset points",
        ha="right",
        va="top",
        color=PALETTE[0],
    )
    axes.legend(loc="upper right")
    off = [
        f"those for {length:,} items within {np.abs(found - np.interp(places, betas, zetas)).max():.2f}"
        for length, (places, found) in measured.items()
    ]
    return figure, (
        f"A curve from {zetas[0]:.1f} at β = 0 to {zetas[-1]:.1f} at β = 1, below it a dashed line at −1. "
        "Markers are near the "
        f"curve: {', '.join(off)} of it."
    ).replace("-", "−")


@drawing
def two_noises(steep, places, density, normal, gentle, titles):
    """How far lists stray under two discounts: one beside a law that is not normal, one beside the bell.

    Parameters
    ----------
    steep : array of shape (q,)
        One value for each list, under the steeper discount.
    places, density, normal : array of shape (m,)
        The limit law's density, and that of the normal law with the same mean and standard deviation.
    gentle : array of shape (q,)
        Under the gentler discount, in units of the standard deviation.
    titles : pair of str
    """
    figure = Figure(figsize=(5.6, 6.0))
    upper, lower = figure.subplots(2)
    bins = int(np.clip(2.0 * len(steep) ** (1.0 / 3.0), 15, 60))
    upper.hist(
        steep,
        bins,
        range=(places[0], places[-1]),
        weights=_to_density(steep, bins, places),
        color=PALETTE[0],
        alpha=0.35,
    )
    upper.plot(places, density, color=PALETTE[0])
    upper.plot(places, normal, "--", color=GREY, linewidth=1.3)
    axis = np.linspace(-4.5, 4.5, 181)
    lower.hist(
        gentle,
        bins,
        range=(axis[0], axis[-1]),
        weights=_to_density(gentle, bins, axis),
        color=PALETTE[1],
        alpha=0.35,
    )
    lower.plot(axis, np.exp(-axis * axis / 2.0) / np.sqrt(2.0 * np.pi), "--", color=GREY, linewidth=1.3)
    upper.set(title=titles[0], xlabel="(NDCG − limit) · IDCG", ylabel="density", xlim=(places[0], places[-1]))
    lower.set(title=titles[1], xlabel="(NDCG − limit) · √n / σ", ylabel="density", xlim=(axis[0], axis[-1]))
    return figure, (
        f"Two histograms. The upper one, of {len(steep):,} lists, is drawn over a curve that is not normal: "
        "its peak is at "
        f"{density.max():.2f}, that of the normal law at {normal.max():.2f}. The lower one, beside a bell of "
        "standard deviation 1, "
        f"has the standard deviation {gentle.std():.2f}."
    )


@drawing
def broken(sizes, kinds, levels, wanted, restless, titles):
    """Single growing lists where a hypothesis fails: above they part for two values, below they never rest.

    Parameters
    ----------
    sizes : array of shape (m,)
    kinds : mapping from a kind of list to an array of shape (q, m)
        NDCG of the lists of that kind.
    levels : mapping from a kind of list to the value its lists tend to
    wanted : float
        What the theorem would have for the population of all lists.
    restless : array of shape (q, m)
        NDCG of lists under a discount that decays too fast.
    titles : pair of str
    """
    figure = Figure(figsize=(5.6, 6.0))
    upper, lower = figure.subplots(2, sharex=True)
    colours = dict(zip(kinds, PALETTE))
    for kind, paths in kinds.items():
        upper.plot(sizes, np.transpose(paths), color=colours[kind], linewidth=0.9)
    upper.axhline(wanted, color=GREY, linestyle="--", linewidth=1.3)
    for path, colour in zip(restless, PALETTE):
        lower.plot(sizes, path, color=colour, linewidth=0.9)
    upper.set(title=titles[0], ylabel="NDCG")
    lower.set(
        title=titles[1],
        ylabel="NDCG",
        xlabel="items, n (log scale)",
        xscale="log",
        xlim=(sizes[0], sizes[-1]),
    )
    lower.set_ylim(-0.03, 1.03)
    _powers_of_ten(lower.xaxis, sizes)
    label_ends(upper, levels | {"theorem 7": wanted}, colours | {"theorem 7": GREY})
    ends = ", ".join(f"{np.mean([path[-1] for path in paths]):.3f} ({kind})" for kind, paths in kinds.items())
    late = np.array(restless)[:, sizes >= sizes[-1] / 10]
    return figure, (
        f"Above, curves in two bundles, ending at {ends}, with a dashed line at {wanted:.3f}. Below, "
        f"{len(restless)} curves that "
        f"are between {late.min():.2f} and {late.max():.2f} over the last power of ten."
    )


def _to_density(values, bins, places):
    """Weights with which counts in bins over the range of `places` become a density of all values."""
    return np.full(len(values), bins / (len(values) * (places[-1] - places[0])))


def _powers_of_ten(axis, lengths):
    low, high = np.log10(lengths[0]), np.log10(lengths[-1])
    every = 1 if high - low < 5 else 2
    axis.set_major_locator(
        FixedLocator([10.0**power for power in range(int(np.ceil(low)), int(high + 0.01) + 1, every)])
    )
    axis.set_major_formatter(FuncFormatter(lambda n, _: f"$10^{{{np.log10(n):.0f}}}$"))
    axis.set_minor_locator(NullLocator())
