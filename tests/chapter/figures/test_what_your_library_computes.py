"""The figure of what libraries compute has a number for each, and marks what departs."""

from ndcg_companion.book.figures import what_your_library_computes as figures


def test_libraries_stand_in_order_and_what_departs_has_another_colour():
    figure = figures.one_set_of_lists({"high": 0.8, "as usual": 0.7, "low": 0.6}, 0.7)
    assert figure.alt.endswith("low 0.600, as usual 0.700, high 0.800.")
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["low", "as usual", "high"]
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [*(float(dot.get_xdata()[0]) for dot in dots)] == [0.6, 0.7, 0.8]
    low, same, high = (dot.get_color() for dot in dots)
    assert low == high != same
