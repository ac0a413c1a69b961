"""Everything that the mouse can do, the keyboard can also do, and the parts that open are accessible."""

from functools import cache

import gates
import pytest
from gates import NARROW, WIDE

pytestmark = pytest.mark.browser
# What all pages have is looked at on the lightest that has it: the second has code to download.
LIGHT, NOTEBOOK = "chapters/get-it.html", "chapters/your-own-rankings.html"
WITH_TERMS = "genindex.html"
FOCUSED = "document.activeElement"


def press(page, key, selector):
    """Press a key on the first element of a selector, focused as the keyboard does it."""
    page.locator(selector).first.focus()
    page.keyboard.press(key)


@pytest.fixture(scope="module")
def window(browser, site):
    """Opens pages in one window, which each test leaves as it found it."""
    with browser.new_context(
        viewport={"width": WIDE, "height": 900}, color_scheme="light", reduced_motion="reduce"
    ) as context:
        yield cache(lambda name: gates.Visit(context, f"{site.as_uri()}/{name}"))


def test_the_first_stop_skips_to_the_text(visit):
    page = visit(LIGHT).page
    page.keyboard.press("Tab")
    assert page.evaluate(f"{FOCUSED}.textContent.trim()") == "Skip to main content"
    assert page.locator(":focus").bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(f"!!{FOCUSED}.closest('main')")


def test_folds_and_solutions_open_and_close(window):
    opened = window(NOTEBOOK)
    solution = opened.page.locator("details.solution").first
    for fold in ("details.code > summary", "details.solution > summary"):
        for key, expected in (("Enter", True), ("Enter", False), ("Space", True), ("Space", False)):
            press(opened.page, key, fold)
            assert opened.page.evaluate(f"document.querySelector('{fold}').parentElement.open") is expected
    press(opened.page, "Enter", "details.solution > summary")
    assert solution.locator("section p").first.is_visible()
    press(opened.page, "Enter", "details.solution > summary")
    assert not solution.locator("section p").first.is_visible() and opened.said == []


def test_the_colours_change_and_stay(visit):
    page = visit(LIGHT).page
    seen = []
    for _ in range(3):
        press(page, "Enter", ".theme-switch-button")
        seen.append(page.evaluate("document.documentElement.dataset.mode"))
    assert {*seen} == {"auto", "light", "dark"}
    page.reload()
    assert page.evaluate("document.documentElement.dataset.mode") == seen[-1]


def test_search_opens_finds_and_closes(visit):
    opened = visit(LIGHT)
    page = opened.page
    press(page, "Enter", ".search-button-field")
    assert page.evaluate(f"{FOCUSED}.name") == "q"
    for scheme in ("light", "dark"):
        gates.recolour(page, scheme)
        assert gates.inaccessible(opened.page, "dialog[open]") == []
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    page.keyboard.press("Control+k")
    page.keyboard.type("trec_eval")
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-results li a")
    assert "/search.html?q=trec_eval" in page.url
    assert opened.said == []


def test_the_download_menu_opens_and_closes(window):
    opened = window(NOTEBOOK)
    page = opened.page
    press(page, "Enter", ".dropdown-download-buttons button")
    assert page.locator(".dropdown-menu").is_visible()
    for scheme in ("dark", "light"):
        gates.recolour(page, scheme)
        assert gates.inaccessible(opened.page, ".bd-header-article") == []
    page.keyboard.press("ArrowDown")
    assert ".ipynb" in page.evaluate(f"{FOCUSED}.textContent")
    page.keyboard.press("Escape")
    assert not page.locator(".dropdown-menu").is_visible()


def test_on_a_phone_the_contents_open_and_close(visit):
    opened = visit(LIGHT, width=NARROW)
    page = opened.page
    for toggle, link in (("primary", "The package"), ("secondary", "Cite it")):
        press(page, "Enter", f".{toggle}-toggle")
        dialog = page.locator("dialog[open]")
        assert dialog.is_visible() and gates.scrolls_sideways(opened) == []
        for scheme in ("dark", "light"):
            gates.recolour(page, scheme)
            assert gates.inaccessible(opened.page, "dialog[open]") == []
        reached = []
        while not reached or reached[-1] != link:
            page.keyboard.press("Tab")
            assert page.evaluate(f"!!{FOCUSED}.closest('dialog[open]') || {FOCUSED} === document.body")
            reached.append(page.evaluate(f"{FOCUSED}.textContent.trim()"))
            assert len(reached) < 80, reached
        page.keyboard.press("Escape")
        assert dialog.count() == 0


def test_on_a_desktop_a_hidden_sidebar_is_no_stop(window):
    page = window(LIGHT).page
    press(page, "Enter", ".primary-toggle")
    assert not page.locator(".bd-sidebar-primary a").first.is_visible()
    page.evaluate(gates.STOPS)
    assert page.evaluate("[...stops.keys()].every(one => !one.closest('.bd-sidebar-primary'))")
    press(page, "Enter", ".primary-toggle")
    assert page.locator(".bd-sidebar-primary a").first.is_visible()


def test_a_formula_is_a_stop_only_if_it_scrolls(visit):
    page = visit("chapters/glossary.html").page
    assert page.locator("mjx-container[tabindex]").count() == 0
    page.evaluate("""async () => {
      const formula = `<div class="math">\\\\[${"x + ".repeat(99)} x\\\\]</div>`;
      document.querySelector("article").insertAdjacentHTML("beforeend", formula);
      await MathJax.typesetPromise();
      dispatchEvent(new Event("resize"));
    }""")
    press(page, "ArrowRight", "mjx-container[tabindex='0']")
    page.wait_for_function("document.querySelector('mjx-container[tabindex]').scrollLeft > 0")


def test_what_scrolls_on_a_phone_shows_it_until_its_end(visit):
    """A formula in a line, which the theme cuts, and a table; a short formula neither scrolls nor fades."""
    opened = visit("chapters/glossary.html", width=NARROW)
    opened.page.evaluate("""async () => {
      const sum = (terms) => `(\\\\(${"x + ".repeat(terms)} x\\\\)).`;
      const formula = (id, terms) => `<span class="math" id="${id}">${sum(terms)}</span>`;
      const table = `<div class="pst-scrollable-table-container" id="table" style="overflow: auto"
        tabindex="0"><p style="width: 2000px">wide</p></div>`;
      document.querySelector("article").insertAdjacentHTML(
        "beforeend", `<p id="line">A ${formula("long", 40)} B ${formula("short", 1)}</p>${table}`);
      await MathJax.typesetPromise();
      dispatchEvent(new Event("resize"));
    }""")
    faded = lambda name: opened.page.evaluate(
        "name => getComputedStyle(document.getElementById(name)).maskImage !== 'none'", name
    )
    assert [name for name in ("long", "short", "table") if faded(name)] == ["long", "table"]
    assert opened.page.locator("#line [tabindex='0']").evaluate_all("found => found.map(one => one.id)") == [
        "long"
    ]
    assert gates.scrolls_sideways(opened) == [] and gates.inaccessible(opened.page) == []
    for name in ("long", "table"):
        opened.page.evaluate("name => document.getElementById(name).scrollBy(9999, 0)", name)
        opened.page.wait_for_function("name => !document.getElementById(name).matches('.more')", arg=name)
        assert not faded(name)


def test_a_preview_is_accessible_and_gives_way(visit):
    opened = visit(WITH_TERMS, width=NARROW)
    terms = opened.page.locator('article a[href*="glossary.html#term"]')
    terms.first.focus()
    opened.page.locator(".preview").wait_for()
    for scheme in ("light", "dark"):
        gates.recolour(opened.page, scheme)
        assert gates.inaccessible(opened.page) == [] and gates.scrolls_sideways(opened) == []
    opened.page.locator("article a:not([href*=term])").first.focus()
    assert opened.page.locator(".preview").count() == 0
