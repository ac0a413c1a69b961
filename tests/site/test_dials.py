"""The dials in a browser: the keyboard turns them, and what was computed for a position is said and drawn."""

import json
from itertools import pairwise

import pytest
from gates import widen

pytestmark = pytest.mark.browser
PAGES = (
    "everything-tends-to-one",
    "how-many-queries-are-enough",
    "polynomial-discounts-keep-the-difference",
    "short-cutoffs",
    "when-limits-tie",
    "which-discounts-are-feasible",
)


@pytest.mark.parametrize("name", PAGES)
def test_the_keyboard_turns_each_dial_to_what_was_computed_there_at_both_widths(open_chapter, name):
    page = open_chapter(name)
    data = json.loads(page.locator("#dial-data").text_content())
    many, at = [len(dial["positions"]) for dial in data["dials"]], [dial["start"] for dial in data["dials"]]
    for place in range(len(many)):
        for key, now in (("End", many[place] - 1), ("Home", 0), ("ArrowRight", 1)):
            page.focus(f"#dial-{place + 1}")
            page.keyboard.press(key)
            at[place] = now
            index = at[0] * many[1] + at[1] if len(many) > 1 else at[0]
            assert page.locator("#dial .told").inner_text() == data["told"][index]
            said = page.locator(f"#dial-{place + 1}").get_attribute("aria-valuetext")
            assert said == data["dials"][place]["positions"][now]
    assert page.locator("#dial .told").get_attribute("role") == "status"
    assert page.locator("#dial svg[role=img]").get_attribute("aria-label") == data["told"][index]

    # On a phone a point of each line stands at the position.
    widen(page, 390)
    lines = len(data["lines"])
    page.focus("#dial-1")
    page.keyboard.press("End")
    points = page.locator("#dial svg circle").evaluate_all("all => all.map(one => one.cx.baseVal.value)")
    assert len(points) == lines and len(set(points)) == 1
    page.keyboard.press("ArrowLeft")
    moved = page.locator("#dial svg circle").evaluate_all("all => all.map(one => one.cx.baseVal.value)")
    assert moved[0] < points[0]
    wide = page.locator("#dial svg").bounding_box()
    assert wide["x"] >= 0 and wide["x"] + wide["width"] <= 390


# Beside which dot each name is, as far as its height goes: the names in their order from above.
NAMES = """all => all.map(one => {
  const { y, height } = one.getBoundingClientRect();
  return { y, height, which: [...one.classList].find(name => name !== "end") };
})"""


@pytest.mark.parametrize("name", PAGES)
def test_names_of_a_dial_are_apart_and_in_the_order_of_their_lines(open_chapter, name):
    page = open_chapter(name)
    for key in ("Home", "ArrowRight", "End"):
        page.focus("#dial-1")
        page.keyboard.press(key)
        dots = page.locator("#dial svg circle").evaluate_all(
            "all => all.map(one => [one.cy.baseVal.value, one.classList[0]])"
        )
        names = sorted(page.locator("#dial svg text.end").evaluate_all(NAMES), key=lambda one: one["y"])
        heights = dict((which, height) for height, which in dots)
        drawn = [heights[one["which"]] for one in names]
        assert drawn == sorted(drawn)
        for above, below in pairwise(names):
            assert below["y"] - above["y"] >= 14.9
        gaps = [second - first for first, second in pairwise(sorted(heights.values()))]
        if gaps and min(gaps) < 15:  # the dots are crowded: no name is among them
            circles = page.locator("#dial svg circle").evaluate_all(NAMES)
            lowest = max(one["y"] + one["height"] for one in circles)
            highest = min(one["y"] for one in circles)
            assert names[0]["y"] >= lowest or names[-1]["y"] + names[-1]["height"] <= highest + 2
