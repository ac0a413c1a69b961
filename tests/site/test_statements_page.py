"""The table of statements in a browser: filters by mouse, by keyboard and by address, and old addresses."""

import json

import pytest

from claimbook.evidence import slug
from ndcg_book import BOOK

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def verdicts(site):
    """The verdict on each statement, by its anchor, as programs get it."""
    rows = json.loads((site / "statements.json").read_text(encoding="utf-8"))["statements"]
    return {slug(row["id"]): row["verdict"] for row in rows}


def shown(page):
    """The anchors of the rows that are seen."""
    return page.locator(".statements tbody:visible details").evaluate_all("all => all.map(({id}) => id)")


def opened(page):
    """The anchors of the open rows. A row opens only after the browser has followed the address."""
    page.locator(".statements details[open]").first.wait_for()
    return page.locator(".statements details[open]").evaluate_all("all => all.map(({id}) => id)")


def test_one_link_shows_what_is_false_and_the_address_keeps_what_is_chosen(open_chapter, verdicts):
    page = open_chapter("statements", "#false")
    false = shown(page)
    assert false and {verdicts[anchor] for anchor in false} == {"contradicted"}
    assert page.locator("#false").is_checked() and page.locator(".filters").is_visible()
    total = page.locator(".statements tbody").count()
    assert page.get_by_role("status").inner_text() == f"{len(false)} of {total} rows"

    page.get_by_label("Source").select_option(label=BOOK.sources[0].name)
    assert page.url.endswith(f"#show&false&source-{BOOK.sources[0].key}")
    both = shown(page)
    assert both and set(both) < set(false) and all(BOOK.sources[0].key in anchor for anchor in both)
    page.reload()
    assert shown(page) == both
    page.go_back()
    assert shown(page) == false

    page.locator("#false").focus()
    page.keyboard.press("ArrowLeft")  # to "all"
    assert len(shown(page)) == total and page.url.endswith("#show")
    page.keyboard.press("ArrowRight")
    assert shown(page) == false and page.locator("#false").evaluate("one => one.matches(':focus')")


def test_a_box_of_the_picture_and_an_old_address_open_a_row_whatever_was_filtered(open_chapter):
    page = open_chapter("statements", "#left-open", width=390)
    box = page.locator('.dependencies a[href="#wang-theorem-8-2"]')
    assert "wang-theorem-8-2" not in shown(page)
    box.focus()
    page.keyboard.press("Enter")
    assert opened(page) == ["wang-theorem-8-2"] and "wang-theorem-8-2" in shown(page)
    assert page.locator("#wang-theorem-8-2 summary").is_visible()
    for old, anchor in (("ledger", "wang-theorem-7"), ("errata", "erratum-wang-lemma-34")):
        page = open_chapter(old, f"#{anchor}")
        page.wait_for_url(f"**/chapters/statements.html#{anchor}")
        assert opened(page) == [anchor.removeprefix("erratum-")]


def test_without_scripts_all_rows_are_shown_and_an_old_address_leads_on(open_chapter, verdicts):
    page = open_chapter("errata", java_script_enabled=False)
    page.wait_for_url("**/chapters/statements.html")
    rows = page.locator(".statements details")
    assert rows.count() == page.locator(".statements tbody:visible").count() > len(verdicts)
    assert not page.locator(".filters").is_visible()
