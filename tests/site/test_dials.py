"""The dials in a browser: the keyboard turns them, and what was computed for a position is said and drawn."""

import json
from itertools import pairwise

import pytest
from gates import NARROW, widen

pytestmark = pytest.mark.browser
# One page with three lines and one with two dials on each push; one script draws them all.
DAILY = ("everything-tends-to-one", "how-many-queries-are-enough")
NIGHTLY = (
    "polynomial-discounts-keep-the-difference",
    "short-cutoffs",
    "when-limits-tie",
    "which-discounts-are-feasible",
)


@pytest.mark.parametrize(
    "name", [*DAILY, *(pytest.param(name, marks=pytest.mark.nightly) for name in NIGHTLY)]
)
def test_the_keyboard_turns_a_dial_to_what_was_computed_there_with_names_apart(open_chapter, name):
    page = open_chapter(name)
    data = json.loads(page.locator("#dial-data").text_content())
    assert_turns_to_what_was_computed(page, data)
    for key in ("Home", "ArrowRight", "End"):
        page.focus("#dial-1")
        page.keyboard.press(key)
        assert_names_are_apart_and_in_the_order_of_their_lines(page)
    widen(page, NARROW)
    assert_a_point_of_each_line_stands_at_the_position(page, len(data["lines"]))


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
    assert page.locator("#dial .told").get_attribute("role") == "status"
    assert page.locator("#dial svg[role=img]").get_attribute("aria-label") == data["told"][index]


def assert_a_point_of_each_line_stands_at_the_position(page, lines):
    centres = "all => all.map(one => one.cx.baseVal.value)"
    page.focus("#dial-1")
    page.keyboard.press("End")
    points = page.locator("#dial svg circle").evaluate_all(centres)
    assert len(points) == lines and len(set(points)) == 1
    page.keyboard.press("ArrowLeft")
    assert page.locator("#dial svg circle").evaluate_all(centres)[0] < points[0]
    box = page.locator("#dial svg").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= NARROW


# Beside which dot each name is, as far as its height goes: the names in their order from above.
NAMES = """all => all.map(one => {
  const { y, height } = one.getBoundingClientRect();
  return { y, height, which: [...one.classList].find(name => name !== "end") };
})"""


def assert_names_are_apart_and_in_the_order_of_their_lines(page):
    dots = page.locator("#dial svg circle").evaluate_all(
        "all => all.map(one => [one.cy.baseVal.value, one.classList[0]])"
    )
    names = sorted(page.locator("#dial svg text.end").evaluate_all(NAMES), key=lambda name: name["y"])
    heights = {which: height for height, which in dots}
    drawn = [heights[name["which"]] for name in names]
    assert drawn == sorted(drawn)
    for above, below in pairwise(names):
        assert below["y"] - above["y"] >= 14.9
    gaps = [second - first for first, second in pairwise(sorted(heights.values()))]
    if gaps and min(gaps) < 15:  # the dots are crowded: no name is among them
        circles = page.locator("#dial svg circle").evaluate_all(NAMES)
        lowest = max(circle["y"] + circle["height"] for circle in circles)
        highest = min(circle["y"] for circle in circles)
        assert names[0]["y"] >= lowest or names[-1]["y"] + names[-1]["height"] <= highest + 2
