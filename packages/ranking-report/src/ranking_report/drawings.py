"""Compute the numbers that the SVG templates draw in the figures of pages and plans."""

from math import isfinite, log10

import numpy as np

from ndcg_companion.significance.planning import smallest_effect
from ndcg_companion.text import escaped
from ranking_report.moved import main_pair
from ranking_report.wording import signed

_MOST_BARS = 400  # the most bars or points of a figure, which are then less than two pixels apart


class Scale:
    """A scale from numbers to pixels with about five round ticks.

    Parameters
    ----------
    low, high : float
        The ends of the scale.
    width : float
        The length of the scale in pixels, which is negative if the scale runs upwards or to the left.
    start : float
        The pixel at ``low``.

    Examples
    --------
    >>> scale = Scale(0.12, 0.48, 100)
    >>> [round(tick, 10) for tick in scale.ticks], round(scale(0.3))
    ([0.2, 0.3, 0.4], 50)
    """

    def __init__(self, low, high, width, start=0):
        low, high = (low, high) if high > low else (low - 0.5, high + 0.5)
        # The smallest of the round steps 1, 2 and 5, times a power of ten, that fits at most six times.
        step = 10.0 ** np.floor(np.log10((high - low) / 3))
        step = next(step * factor for factor in (1, 2, 5) if (high - low) / (step * factor) <= 6)
        self.low, self.high, self.width, self.start = low, high, width, start
        self.digits = max(0, -int(np.floor(np.log10(step))))
        self.ticks = (np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step).tolist()

    def __call__(self, value):
        return round(self.start + (value - self.low) / (self.high - self.low) * self.width, 1)

    def write(self, value):
        return f"{value + 0.0:.{self.digits}f}".replace("-", "−")


def leaders(board):
    """Return the figure of the means with their intervals."""
    values = [row[name] for row in board for name in ("low", "high", "mean") if isfinite(row[name])]
    # The figure is as narrow as names and letters permit, so that a small screen shows all of it. All sizes
    # are in pixels: a character is 7 or 8 wide, a row is 22 high, and the axis is 340 wide.
    left = 20 + 7 * max(len(escaped(row["system"], 24)) for row in board)
    return {
        "scale": Scale(min(values), max(values), 340, left),
        "left": left,
        "grouped": len({row["group"] for row in board}) > 1,
        "width": left + 365 + 8 * max(len(row["group"]) for row in board),
        "height": 22 * len(board) + 46,
        "alt": f"A dot with an interval for each of {len(board)} systems, from a mean of "
        f"{board[0]['mean']:.3f} at the top to {board[-1]['mean']:.3f} at the bottom.",
    }


def matrix(comparison, board):
    """Return the figure of all pairs, as row minus column, best system first."""
    names = [row["system"] for row in board]
    order = [comparison.systems.index(name) for name in names]
    means, is_significant = comparison.values[0].mean(axis=1)[order], comparison.apart()[np.ix_(order, order)]
    differences = means[:, None] - means[None, :]
    size = len(board)
    side = 26 if size <= 20 else max(6, 520 // size)  # in pixels; a table of up to 20 systems is 520 wide
    largest = np.abs(differences).max() or 1.0
    return {
        "side": side,
        "apart": is_significant,
        "tested": [
            [
                not comparison.baselines or (row in comparison.baselines) != (column in comparison.baselines)
                for column in names
            ]
            for row in names
        ],
        "gaps": differences,
        "largest": largest,
        "strength": np.round(np.abs(differences) / largest * 0.85, 2),  # the opacity, of at most 0.85
        "alt": f"A square table of {size} by {size} systems, best first; {int(is_significant.sum()) // 2} of "
        f"{size * (size - 1) // 2} pairs are marked as significantly different.",
    }


def ladder(comparison, board):
    """Return the figure of two systems' differences by query, sorted."""
    first, second = main_pair([row["system"] for row in board], comparison.baselines)
    rows = dict(zip(comparison.systems, comparison.values[0]))
    differences = np.sort(rows[first] - rows[second])[::-1]
    bars = differences
    if len(differences) > _MOST_BARS:
        bars = np.quantile(differences, np.linspace(1, 0, _MOST_BARS))
    largest = np.abs(differences).max() or 1.0
    ahead, behind = int((differences > 0).sum()), int((differences < 0).sum())
    return {
        "first": first,
        "second": second,
        "scale": Scale(-largest, largest, -180, 190),
        "width": round(540 / len(bars), 2),
        "gaps": bars.tolist(),
        "ahead": ahead,
        "behind": behind,
        "same": len(differences) - ahead - behind,
        "alt": f"Bars for {len(differences)} queries, sorted from {signed(differences[0], '.3f')} to "
        f"{signed(differences[-1], '.3f')}: {ahead} above zero and {behind} below.",
    }


def bets(comparison, board, tests):
    """Return the figure of a sequential test, with wealth and interval by query."""
    pair = main_pair([row["system"] for row in board], comparison.baselines)
    first, second = pair if pair in tests else pair[::-1]  # the tests have one of both orders
    test = tests[first, second]
    q = test.differences.size
    query_numbers = np.unique(np.linspace(0, q - 1, min(q, _MOST_BARS)).round().astype(int))
    highest = 3 * test.needed  # the largest wealth that the figure shows
    log_wealth = np.log10(test.wealth.clip(1 / highest, highest))
    query_axis = Scale(1, max(q, 2), 520, 70)
    wealth_axis = Scale(-np.log10(highest), np.log10(highest), -170, 190)
    difference_axis = Scale(min(test.low.min(), -0.1), max(test.high.max(), 0.1), -170, 190)
    points = lambda axis, values: " ".join(
        f"{query_axis(query + 1)},{axis(values[query])}" for query in query_numbers
    )
    # A polygon along the lower ends, and then back along the upper ends.
    upper_points = points(difference_axis, test.high).split()
    band = " ".join([points(difference_axis, test.low), *reversed(upper_points)])
    means = np.cumsum(test.differences) / np.arange(1, q + 1)
    outcome = "neither system is named"
    if test.winner:  # 1 or -1
        winner = first if test.winner > 0 else second
        outcome = f"{escaped(winner)} is named after {test.stopped_at} queries"
    return {
        "first": first,
        "second": second,
        "test": test,
        "query_axis": query_axis,
        "wealth_axis": wealth_axis,
        "amounts": [amount for amount in (0.01, 0.1, 1, 10, 100, 1000) if 1 / highest < amount < highest],
        "needed": wealth_axis(np.log10(test.needed)),
        "wealth": [points(wealth_axis, row) for row in log_wealth],
        "difference_axis": difference_axis,
        "band": band,
        "means": points(difference_axis, means),
        "rows": [(*pair, test) for pair, test in tests.items()],
        "alt": f"Two panels over {q} queries show the wealth of bets on each system and the interval of the "
        f"mean difference, which ends at {signed(test.low[-1], '.3f')} to {signed(test.high[-1], '.3f')}; "
        f"{outcome}.",
    }


def detected(noises, critical):
    """Return the figure of the smallest difference that a paired test detects.

    Parameters
    ----------
    noises : mapping of str to float
        For each measure, the standard deviation of the difference from query to query.
    critical : float
        The critical value of the test's statistic.
    """
    queries = np.geomspace(max(10, critical**2), 10_000, 61)
    effects_detected = smallest_effect(queries, critical)
    heights = {name: np.log10(noise * effects_detected) for name, noise in noises.items() if noise > 0}
    query_axis = Scale(1, 4, 490, 70)
    difference_axis = Scale(min(map(min, heights.values())), max(map(max, heights.values())), -300, 330)
    # Both axes are logarithmic. If the vertical one spans three powers of ten, only these have a label.
    digits = (1, 2, 5) if difference_axis.high - difference_axis.low < 3 else (1,)
    amounts = [digit * 10.0**exponent for exponent in range(-20, 9) for digit in digits]
    return {
        "query_axis": query_axis,
        "amounts": [
            (amount, difference_axis(log10(amount)))
            for amount in amounts
            if difference_axis.low <= log10(amount) <= difference_axis.high
        ],
        "lines": [
            (name, " ".join(f"{query_axis(log10(x))},{difference_axis(y)}" for x, y in zip(queries, height)))
            for name, height in heights.items()
        ],
    }
