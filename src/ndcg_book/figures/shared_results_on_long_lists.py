"""The figure of the appendix on shared results on long lists."""

from claimbook.style import OTHERS, drawing
from ndcg_book.axes import as_text, draw, draw_simulated, final_values, sheet

SAME, ALIKE = OTHERS[:2]


@drawing
def ahead_by_sharing(chances, curves, places, seen):
    """Draw how often the better system is ahead, by the shared proportion of the top.

    Parameters
    ----------
    chances : array of shape (m,)
        Proportions of the top that both systems share.
    curves : mapping from a name to an array of shape (m,)
    places : array of shape (j,)
        Proportions at which lists were simulated, under the model of the second curve.
    seen : array of shape (3, j)
        Proportions of lists, with the ends of their intervals.
    """
    figure, axes = sheet(
        xlim=(0, 1),
        ylim=(0.45, 1.02),
        xlabel="proportion of the top that is shared",
        ylabel="lists with the better system ahead",
        y_labels="{x:.0%}",
        hlines=(0.5,),
    )
    draw_simulated(axes, places, *seen, ALIKE)
    draw(axes, chances, curves, (SAME, ALIKE), names=str)
    return figure, (
        f"Two curves depend on the shared proportion of the top. At {chances[-1]:.2f} they are at "
        f"{as_text(final_values(curves), '.2f')}. On simulated lists, the proportions are "
        f"{', '.join(f'{value:.2f}' for value in seen[0])}."
    )
