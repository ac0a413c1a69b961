"""The look of the figures: one palette, told apart by colour-blind readers, and type that survives a phone."""

from contextlib import contextmanager

import matplotlib

# Okabe and Ito's palette without its yellow, darkened where a thin line on white would fade.
PALETTE = ("#0072b2", "#d55e00", "#00795c", "#a8487e", "#946400", "#2b83c6", "#000000")
GREY = "#5f6368"

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
