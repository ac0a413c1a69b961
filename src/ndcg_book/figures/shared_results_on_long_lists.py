"""The figure of the appendix on shared results and long lists: who is ahead."""

from claimbook.style import OTHERS, drawing
from ndcg_book.axes import at_ends, draw, listed, sheet, simulated

SAME, ALIKE = OTHERS[:2]


@drawing
def ahead_by_sharing(chances, curves, places, seen):
    """How often the better system is ahead on long lists, by the share of its top that both have.

    Parameters
    ----------
    chances : array of shape (m,)
    curves : mapping from a name to an array of shape (m,)
    places : array of shape (j,)
        Where lists were drawn, by the rule of the second curve.
    seen : array of shape (3, j)
        Shares of lists with the ends of their intervals.
    """
    figure, axes = sheet(
        xlim=(0, 1),
        ylim=(0.45, 1.02),
        xlabel="share of the top that both have",
        ylabel="lists on which the better is ahead",
        y="{x:.0%}",
        across=(0.5,),
    )
    simulated(axes, places, *seen, ALIKE)
    draw(axes, chances, curves, (SAME, ALIKE), names=str)
    return figure, (
        f"Two curves over the share that both have. At {chances[-1]:.2f} they are at "
        f"{listed(at_ends(curves), '.2f')}; lists that were drawn: "
        f"{', '.join(f'{value:.2f}' for value in seen[0])}."
    )
