import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from claimbook.style import GREY, PALETTE
from ndcg_companion.book.figures.conventions import one_list_many_numbers

CHOICES = {
    "logarithm": {"natural": 0.7, "base 2": 0.7},
    "tied scores": {"average": 0.7, "best": 0.82, "worst": 0.66},
    "cut at 5": {"both sums": 0.55, "upper sum": 0.52},
}
COMBINED = [0.4, 0.52, 0.7, 0.82, 1.0]


def drawn():
    figure = one_list_many_numbers(CHOICES, 0.7, COMBINED)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return figure, canvas.get_renderer()


def test_each_choice_has_a_dot_a_name_and_its_number():
    (axes,) = drawn()[0].axes
    values = [value for one in CHOICES.values() for value in one.values()]
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [line.get_xdata()[0] for line in dots] == values
    assert [line.get_ydata()[0] for line in dots] == axes.get_yticks().tolist()
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        name for one in CHOICES.values() for name in one
    ]
    written = [text.get_text() for text in axes.texts]
    assert [text for text in written if text[0] == "0"] == [f"{value:.3f}" for value in values]
    assert [text for text in written if text[0] != "0"] == [*CHOICES, "all 5 combinations"]


def test_what_changes_nothing_is_grey_and_stands_on_the_line():
    (axes,) = drawn()[0].axes
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    for dot in dots:
        usual = dot.get_xdata()[0] == 0.7
        assert to_hex(dot.get_color()) == (GREY if usual else PALETTE[1])
    assert axes.lines[0].get_xdata() == [0.7, 0.7]


def test_the_last_row_has_a_stroke_for_each_combination():
    (axes,) = drawn()[0].axes
    (strokes,) = [line for line in axes.lines if line.get_marker() == "|"]
    assert strokes.get_xdata().tolist() == COMBINED
    assert (strokes.get_ydata() > max(axes.get_yticks())).all()


def test_numbers_stand_clear_of_dots_names_and_each_other():
    figure, renderer = drawn()
    (axes,) = figure.axes
    boxes = [text.get_window_extent(renderer) for text in (*axes.texts, *axes.get_yticklabels())]
    for place, box in enumerate(boxes):
        assert figure.bbox.contains(*box.min) and figure.bbox.contains(*box.max)
        assert not any(box.overlaps(other) for other in boxes[place + 1 :])
    dots = axes.transData.transform([line.get_xydata()[0] for line in axes.lines if line.get_marker() == "o"])
    assert not any(box.contains(*dot) for box in boxes for dot in dots)


@pytest.mark.parametrize(
    "choices, usual, combined",
    [
        ({}, 0.5, [0.5]),
        ({"a": {}}, 0.5, [0.5]),
        ({"a": {"b": np.nan}}, 0.5, [0.5]),
        ({"a": {"b": 0.5}}, 0.5, []),
        ({"a": {"b": 0.5}}, np.nan, [0.5]),
        ({"a": {"b": 0.5}}, 0.5, [np.inf]),
    ],
)
def test_refuses_what_cannot_be_drawn(choices, usual, combined):
    with pytest.raises(ValueError, match="choices"):
        one_list_many_numbers(choices, usual, combined)


def test_one_choice_that_changes_nothing_can_be_drawn():
    assert one_list_many_numbers({"a": {"b": 0.5}}, 0.5, [0.5]).axes


def test_the_alternative_text_says_every_number():
    alt = drawn()[0].alt
    assert alt.startswith("Dots along the NDCG axis: logarithm: natural 0.700, base 2 0.700; tied scores: ")
    assert alt.endswith("cut at 5: both sums 0.550, upper sum 0.520.")
