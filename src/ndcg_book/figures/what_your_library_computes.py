"""The figure of the chapter on libraries: mean NDCG of the same lists in each library."""

from claimbook import text
from claimbook.style import GREY, OTHERS, drawing
from ndcg_book.axes import sheet, write_near


@drawing
def one_set_of_lists(means, standard):
    """Draw each library's mean NDCG of the same lists, with the standard value.

    Parameters
    ----------
    means : mapping of name to float
    standard : float
        Mean NDCG under the standard convention.
    """
    sorted_names = sorted(means, key=means.get)
    values = [*means.values(), standard]
    margin = 0.25 * (max(values) - min(values)) + 0.01
    figure, axes = sheet(
        figsize=(5.2, 1.0 + 0.27 * len(means)),
        no_grid="y",
        ylim=(len(means) - 0.5, -0.9),
        xlim=(min(values) - margin, max(values) + margin),
        yticks=range(len(means)),
        yticklabels=[text.figure(name) for name in sorted_names],
        xlabel="mean NDCG of the same lists",
    )
    axes.axvline(standard, color=GREY, linewidth=1)
    for row, name in enumerate(sorted_names):
        mean = means[name]
        colour = OTHERS[0] if abs(mean - standard) < 5e-4 else OTHERS[1]  # equal if rounded to 3 decimals
        axes.plot([standard, mean], [row, row], color=colour, linewidth=1.5)
        axes.plot(mean, row, "o", color=colour, markersize=6)
        offset, alignment = ((-7, 0), "right") if mean < standard else ((7, 0), "left")
        write_near(axes, f"{mean:.3f}", (mean, row), offset, colour, ha=alignment, va="center")
    return figure, (
        f"There is a dot for each library, and a line at {standard:.3f}, the value under the standard "
        "convention. "
        "The means are " + ", ".join(f"{name} {means[name]:.3f}" for name in sorted_names) + "."
    )
