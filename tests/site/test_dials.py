"""The dials in a browser: the keyboard turns them, and the computed values are shown in words and marks."""

import json

import pytest
from gates import NARROW, widen

pytestmark = pytest.mark.browser
# The page with most lines and one with two dials on each push; one script turns them all.
DAILY = ("everything-tends-to-one", "how-many-queries-are-enough")
NIGHTLY = (
    "judged-and-sampled",
    "polynomial-discounts-keep-the-difference",
    "short-cutoffs",
    "the-zipfian-border",
    "when-limits-tie",
    "which-order",
    "which-discounts-are-feasible",
)
CENTRES = "all => all.map(({ cx, cy }) => [cx.baseVal.value, cy.baseVal.value])"


@pytest.mark.parametrize(
    "name", [*DAILY, *(pytest.param(name, marks=pytest.mark.nightly) for name in NIGHTLY)]
)
def test_the_keyboard_turns_a_dial_to_what_was_computed_there(open_chapter, name):
    page = open_chapter(name)
    data = json.loads(page.locator("#dial-data").text_content())
    assert_the_marks_cover_the_figure(page)
    assert_turns_to_what_was_computed(page, data)
    widen(page, NARROW)
    assert_the_marks_cover_the_figure(page)
    box = page.locator("figure #dial").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= NARROW


def test_without_javascript_there_is_the_figure_alone(open_chapter):
    page = open_chapter(DAILY[0], java_script_enabled=False)
    assert page.locator("figure #dial img").is_visible()
    assert page.locator("#dial :is(svg, input)").count() == 0


def assert_the_marks_cover_the_figure(page):
    """The figure is there once, and what is drawn over it has its place and its size."""
    images = page.locator("figure:has(#dial) img")
    assert images.count() == 1 and images.get_attribute("alt").strip()
    figure, marks = images.bounding_box(), page.locator("#dial svg").bounding_box()
    assert figure["height"] > 100 and marks == pytest.approx(figure, abs=1)


def assert_turns_to_what_was_computed(page, data):
    sizes = [len(dial["positions"]) for dial in data["dials"]]
    positions = [dial["start"] for dial in data["dials"]]
    for dial, size in enumerate(sizes):
        for key, position in (("End", size - 1), ("Home", 0), ("ArrowRight", 1)):
            page.focus(f"#dial-{dial + 1}")
            page.keyboard.press(key)
            positions[dial] = position
            index = positions[0] * sizes[1] + positions[1] if len(sizes) > 1 else positions[0]
            assert page.locator("#dial .told").inner_text() == data["told"][index]
            spoken = page.locator(f"#dial-{dial + 1}").get_attribute("aria-valuetext")
            assert spoken == data["dials"][dial]["positions"][position]
            x = data["x"][positions[0]]
            heights = [line[index] for _, line in data["lines"] if line[index] is not None]
            marks = page.locator("#dial svg circle").evaluate_all(CENTRES)
            assert marks == [pytest.approx([x, height], abs=1e-3) for height in heights]
    assert page.locator("#dial .told").get_attribute("role") == "status"
