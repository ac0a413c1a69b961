"""Dials: what a theorem says at each position of one or two of them, all computed before the page is read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import log10

import numpy as np
from IPython.display import HTML

from ndcg_book.widgets import fragment, widget
from ndcg_companion.checks import fail_if

MOST_POSITIONS = 600
_ROWS = 5  # of the table without JavaScript, at most
_RAISED = str.maketrans("-0123456789.", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹·")


@dataclass(frozen=True)
class Dial:
    """One dial.

    Attributes
    ----------
    asks : str
        What it turns, in words.
    positions : sequence of str
        What each of its positions is called, two or more.
    start : int, default 0
        Where it stands at first.
    """

    asks: str
    positions: Sequence[str]
    start: int = 0


def raised(value: float, form: str = "g") -> str:
    """An exponent as superscript text, which needs no markup.

    >>> "10" + raised(12), "r" + raised(-0.5)
    ('10¹²', 'r⁻⁰·⁵')
    """
    return format(value, form).translate(_RAISED)


def dials(
    turned: Sequence[Dial],
    lines: Mapping[str, np.ndarray],
    says: Callable[..., str],
    *,
    axis: str,
    ticks: Mapping[float, str],
    log: bool = False,
) -> HTML:
    """Dials with a picture and a sentence, for the last line of a cell.

    Parameters
    ----------
    turned : sequence of one or two Dial
        The first runs along the picture.
    lines : mapping of str to array
        By name, up to three, in the shape of the positions; NaN where there is nothing to draw.
    says : callable
        The sentence at a place of each dial; plain text.
    axis : str
        What the heights are.
    ticks : mapping of float to str
        Heights with what stands beside them, from the lowest to the highest.
    log : bool, default False
        Whether heights are drawn by their logarithms.

    Raises
    ------
    ValueError
        For other shapes, and for more positions than a page should hold.
    """
    shape = tuple(len(dial.positions) for dial in turned)
    fail_if(len(turned) not in (1, 2), f"turned: expected one or two dials, got {len(turned)}")
    fail_if(
        min(shape) < 2 or np.prod(shape) > MOST_POSITIONS,
        f"turned: expected at most {MOST_POSITIONS} positions, two or more of each dial, got {shape}",
    )
    arrays = {name: np.asarray(values, dtype=float) for name, values in lines.items()}
    fail_if(not 1 <= len(arrays) <= 3, f"lines: expected one to three, got {len(arrays)}")
    for name, values in arrays.items():
        fail_if(values.shape != shape, f"lines[{name!r}]: expected the shape {shape}, got {values.shape}")
    told = [says(*place) for place in product(*map(range, shape))]
    low, *_, high = map(log10, ticks) if log else ticks

    def height(values):
        """Heights between 0 and 1; None where there is nothing, as JSON has no NaN."""
        with np.errstate(divide="ignore"):
            found = ((np.log10(values) if log else values) - low) / (high - low)
        return [round(float(one), 4) if np.isfinite(one) else None for one in np.ravel(found)]

    data = {
        "dials": [
            {"asks": dial.asks, "positions": [*dial.positions], "start": dial.start} for dial in turned
        ],
        "lines": [[name, height(values)] for name, values in arrays.items()],
        "ticks": [[*height(np.array([value])), words] for value, words in ticks.items()],
        "axis": axis,
        "told": told,
    }
    first, *others = turned
    chosen = np.unique(np.linspace(0, len(first.positions) - 1, _ROWS).round().astype(int))
    other_starts = [dial.start for dial in others]
    rows = [
        (first.positions[at], told[int(np.ravel_multi_index((at, *other_starts), shape))])
        for at in chosen.tolist()
    ]
    fixed = [(dial.asks, dial.positions[dial.start]) for dial in others]
    return widget(
        "dial",
        data,
        fallback=fragment("dial-fallback.html", {"asks": first.asks, "rows": rows, "fixed": fixed}),
    )
