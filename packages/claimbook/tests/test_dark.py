"""Drawings for light and dark pages: conversion, fallback and contrast."""

import io
import re

import pytest
from matplotlib.figure import Figure

from claimbook.palette import DARK, GROUND, PAGE, SITE, WHITE, on_dark, schemes
from claimbook.sphinxext.dark import in_both_schemes
from claimbook.style import GREY, PALETTE, drawing


def luminance(colour):
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(first_colour, other):
    low, high = sorted((luminance(first_colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [*PALETTE, GREY])
def test_words_in_any_colour_of_the_book_can_be_read_on_both_grounds(colour):
    assert contrast(colour, WHITE) >= 4.5 and contrast(on_dark(colour), GROUND) >= 4.5


def test_a_page_without_a_theme_has_light_colours_and_replaces_each_on_dark_displays():
    light, dark = schemes().split("@media (prefers-color-scheme: dark)")
    assert re.findall("#[0-9a-f]{6}", light) == [*PAGE.values()]
    assert re.findall("#[0-9a-f]{6}", dark) == [on_dark(colour) for colour in PAGE.values()]


# Of the theme, under the numbers of a widget.
@pytest.mark.parametrize(("colours", "card"), [(PALETTE, "#f3f4f5"), (DARK, "#29313d")])
def test_the_first_two_colours_can_be_read_on_the_cards_of_a_page(colours, card):
    assert min(contrast(colour, card) for colour in colours[:2]) >= 4.5


# Of the theme, under the titles of boxes.
@pytest.mark.parametrize(
    ("light", "dark"), [("#dce7fc", "#06245d"), ("#d0ecf1", "#042c33"), ("#f8dff5", "#46123f")]
)
def test_links_can_be_read_on_coloured_boxes(light, dark):
    links = SITE["link"], SITE["link-hover"]
    assert min(contrast(colour, light) for colour in links) >= 4.5
    assert min(contrast(on_dark(colour), dark) for colour in links) >= 4.5


def test_partners_are_different_and_as_many():
    assert len(set(DARK)) == len(DARK) == len(PALETTE)


def test_every_colour_of_a_drawing_has_a_value_for_light_and_one_for_dark():
    @drawing
    def line():
        figure = Figure()
        figure.subplots().plot([1, 2], color=PALETTE[0])
        return figure, "A line."

    image = io.StringIO()
    line().savefig(image, format="svg")
    turned = in_both_schemes(image.getvalue())
    used = set(re.findall(r"var\(--(\w+)\)", turned))
    light, dark = re.findall(r":root\{(.*?)\}", turned)
    assert used and all(f"--{name}:#{name};" in light for name in used)
    assert f"--{PALETTE[0][1:]}:{DARK[0]};" in dark and all(f"--{name}:" in dark for name in used)
    assert not re.search("#[0-9a-f]{6}", turned.partition("</style>")[2])


@pytest.mark.parametrize("part", ["<image/>", '<path style="fill: #2070b4"/>'])
def test_a_drawing_that_cannot_be_turned_keeps_its_card(part):
    assert in_both_schemes(f"<svg><style></style>{part}</svg>") is None
