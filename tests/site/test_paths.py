"""The reading path that a reader chooses on the map. *Next* follows the path or, without one, the book."""

from itertools import pairwise

import pytest
from gates import SHOWN
from playwright.sync_api import expect
from support import PROJECT

from claimbook.reports.paths import reading_paths

pytestmark = pytest.mark.browser
ROUTES = reading_paths(PROJECT)


def next_page(page):
    """Where the arrow below a page leads."""
    return page.locator("a.right-next").evaluate("link => link.href").rpartition("/")[2].partition(".")[0]


def test_next_follows_the_path_that_was_chosen_and_the_choice_can_be_taken_back(open_chapter):
    page = open_chapter("map")
    after = dict(pairwise(ROUTES["all"]))
    first, second = next(pair for pair in pairwise(ROUTES["day"]) if after[pair[0]] != pair[1])
    there = page.url.replace("map.html", f"{first}.html")
    assert page.locator(".choice button").all_inner_texts() == ["an hour", "a day", "everything"]
    for key, pressed, leads in (("Enter", "true", second), ("Space", "false", None)):
        button = page.locator(".choice.path-day button")
        button.press(key)
        expect(button).to_have_attribute("aria-pressed", pressed)
        page.goto(there)
        assert next_page(page) == (leads or after[first])
        title = page.locator(f'.reading-path a[href="{next_page(page)}.html"]').first.text_content()
        assert page.locator(".right-next .prev-next-title").inner_text().startswith(title)
        page.goto(page.url.replace(f"{first}.html", "map.html"))
        page.evaluate(SHOWN)


def test_a_page_that_the_path_does_not_pass_goes_on_in_the_book(open_chapter):
    missed = next(page for page in ROUTES["all"][:-1] if page not in ROUTES["hour"])
    page = open_chapter(missed, before="localStorage.setItem('path', 'hour')")
    assert next_page(page) == ROUTES["all"][ROUTES["all"].index(missed) + 1]
