"""The figure of the chapter on sampled negatives and missing labels: two rankers among ever more items."""

from claimbook.style import FIRST, SECOND, drawing
from ndcg_book.axes import draw, label_ends, powers_on_log, sheet, write_in_corner

COLOURS = {"A": FIRST, "B": SECOND}


@drawing
def among_negatives(negatives, ndcg, hits):
    """Draw expected NDCG@10 and HR@10 of two rankers by the number of negatives.

    Parameters
    ----------
    negatives : array of shape (m,)
        Numbers of negatives, from 1 to the whole catalogue.
    ndcg, hits : mapping of "A" and "B" to an array of shape (m,)
        Expected NDCG@10 and HR@10 of each ranker.
    """
    figure, axes = sheet(
        figsize=(7.4, 3.5),
        xscale="log",
        xlim=(negatives[0], negatives[-1]),
        ylim=(-0.02, 1.06),
        xlabel="sampled negatives, m (log scale; right end: the whole catalogue)",
        ylabel="expected score",
        x_labels=powers_on_log,
    )
    draw(axes, negatives, hits, COLOURS, "--")
    draw(axes, negatives, ndcg, COLOURS)
    label_ends(axes, {name: values[-1] for name, values in ndcg.items()}, COLOURS)
    write_in_corner(axes, "solid: NDCG@10\ndashed: HR@10", (0.02, 0.05))
    return figure, (
        f"Four curves cover 1 to {negatives[-1]:,} negatives. NDCG@10 falls from {ndcg['A'][0]:.2f} to "
        f"{ndcg['A'][-1]:.2f} for A and from {ndcg['B'][0]:.2f} to {ndcg['B'][-1]:.2f} for B. HR@10 falls "
        f"from {hits['A'][0]:.2f} to {hits['A'][-1]:.2f} for A and from {hits['B'][0]:.2f} to "
        f"{hits['B'][-1]:.2f} for B. The curves of A begin above those of B, or level with them, and end "
        "below."
    )
