"""The figure of the appendix on shared results on long lists."""

from claimbook.style import OTHERS, drawing
from ndcg_book.axes import as_text, draw, draw_simulated, final_values, sheet

_FIRST_COLOUR, _SECOND_COLOUR = OTHERS[:2]  # of the two curves, which are no rankers


@drawing
def ahead_by_sharing(chances, curves, simulated_at, observed_shares):
    """Draw how often the better system is ahead, by the shared proportion of the top.

    Parameters
    ----------
    chances : array of shape (m,)
        Proportions of the top that both systems share.
    curves : mapping from a name to an array of shape (m,)
    simulated_at : array of shape (j,)
        Proportions at which lists were simulated, under the model of the second curve.
    observed_shares : array of shape (3, j)
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
    draw_simulated(axes, simulated_at, *observed_shares, _SECOND_COLOUR)
    draw(axes, chances, curves, (_FIRST_COLOUR, _SECOND_COLOUR), label_of=str)
    simulated_shares, *_ = observed_shares
    return figure, (
        f"Two curves depend on the shared proportion of the top. At {chances[-1]:.2f} they are at "
        f"{as_text(final_values(curves), '.2f')}. On simulated lists, the proportions are "
        f"{', '.join(f'{share:.2f}' for share in simulated_shares)}."
    )
