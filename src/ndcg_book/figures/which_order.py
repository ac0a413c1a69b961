"""The figure of the chapter on the order that maximises NDCG: the best order of three documents."""

from claimbook.style import FIRST, OTHERS, SECOND, drawing, mixed
from ndcg_book.axes import draw_cell, sheet, write_near

# The librarian's order, the clerk's order, and a third one.
COLOURS = {"a b c": FIRST, "c a b": SECOND, "a c b": OTHERS[0]}
_GAP = 1.0  # rows between the two groups


@drawing
def best_orders(measures, targets):
    """Draw the best order by the probability of the second meaning.

    Parameters
    ----------
    measures, targets : mapping from a name to a sequence of (start, end, order)
        Intervals of probability from 0 to 1, each with the order that is best there.
    """
    rows = {name: row for row, name in enumerate(measures)}
    rows |= {name: len(measures) + _GAP + row for row, name in enumerate(targets)}
    figure, axes = sheet(
        figsize=(6.4, 4.2),
        xlim=(0, 1),
        ylim=(max(rows.values()) + 0.6, -1.2),
        xlabel="probability that the reader means dogs (only c is relevant)",
        x_labels="{x:.0%}",
        no_grid="both",
    )
    axes.set_yticks([*rows.values()], [*rows])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    write_near(axes, "best order for a measure", (0, -0.8), va="center")
    write_near(axes, "order that a model learns from", (0, len(measures) + _GAP - 0.8), va="center")
    for name, intervals in (measures | targets).items():
        for start, end, order in intervals:
            centre, size = ((start + end) / 2, rows[name]), (end - start, 0.8)
            draw_cell(axes, centre, mixed(COLOURS[order], 0.35), order, size=size)
    changes = (
        f"{name}: " + ", ".join(f"{order} up to {end:.2f}" for _, end, order in intervals)
        for name, intervals in (measures | targets).items()
    )
    return figure, (
        f"The bars of {len(measures)} measures and {len(targets)} training targets are divided where the "
        f"best order changes. {'; '.join(changes)}."
    )
