"""What can be done with the mouse can be done with the keyboard, and what that opens is accessible, too."""

import gates
import pytest

pytestmark = pytest.mark.browser
# What all pages have is looked at on the lightest that has it: the second has code to download.
LIGHT, NOTEBOOK = "chapters/get-it.html", "chapters/your-own-rankings.html"
FOLDED, WITH_TERMS = "chapters/conventions.html", "genindex.html"
WAYS = pytest.mark.parametrize("scheme", ["light", "dark"])
FOCUSED = "document.activeElement"


def press(page, key, selector):
    """Press a key on the first element of a selector, focused as the keyboard does it."""
    page.locator(selector).first.focus()
    page.keyboard.press(key)


@pytest.fixture(scope="module")
def folded(browser, site):
    """One window for the tests that close what they open."""
    with browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme="light", reduced_motion="reduce"
    ) as context:
        yield gates.Visit(context, f"{site.as_uri()}/{FOLDED}")


def test_the_first_stop_skips_to_the_text(visit):
    page = visit(LIGHT).page
    page.keyboard.press("Tab")
    assert page.evaluate(f"{FOCUSED}.textContent.trim()") == "Skip to main content"
    assert page.locator(":focus").bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(f"!!{FOCUSED}.closest('main')")


def test_folds_open_and_close(folded):
    page = folded.page
    for fold in ("details.code > summary", "details.symbols > summary"):
        for key, expected in (("Enter", True), ("Enter", False), ("Space", True), ("Space", False)):
            press(page, key, fold)
            assert page.evaluate(f"document.querySelector('{fold}').parentElement.open") is expected


def test_a_solution_opens_and_closes(folded):
    opened = folded
    solution = opened.page.locator("details.solution").first
    for key, expected in (("Enter", True), ("Enter", False), ("Space", True), ("Space", False)):
        press(opened.page, key, "details.solution > summary")
        assert solution.evaluate("fold => fold.open") is expected
        assert solution.locator("section p").first.is_visible() is expected
    assert opened.said == []


def test_the_colours_change_and_stay(visit):
    page = visit(LIGHT).page
    seen = set()
    for _ in range(3):
        press(page, "Enter", ".theme-switch-button")
        seen.add(page.evaluate("document.documentElement.dataset.mode"))
    assert seen == {"auto", "light", "dark"}


@WAYS
def test_search_opens_finds_and_closes(visit, scheme):
    opened = visit(LIGHT, scheme)
    page = opened.page
    press(page, "Enter", ".search-button-field")
    assert page.evaluate(f"{FOCUSED}.name") == "q"
    assert gates.inaccessible(opened, "dialog[open]") == []
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    page.keyboard.press("Control+k")
    page.keyboard.type("trec_eval")
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-results li a")
    assert "/search.html?q=trec_eval" in page.url
    assert opened.said == []


@WAYS
def test_the_download_menu_opens_and_closes(visit, scheme):
    opened = visit(NOTEBOOK, scheme)
    page = opened.page
    press(page, "Enter", ".dropdown-download-buttons button")
    assert page.locator(".dropdown-menu").is_visible()
    assert gates.inaccessible(opened, ".bd-header-article") == []
    page.keyboard.press("ArrowDown")
    assert ".ipynb" in page.evaluate(f"{FOCUSED}.textContent")
    page.keyboard.press("Escape")
    assert not page.locator(".dropdown-menu").is_visible()


@WAYS
def test_on_a_phone_the_contents_open_and_close(visit, scheme):
    opened = visit(LIGHT, scheme, 390)
    page = opened.page
    for toggle, link in (("primary", "Glossary"), ("secondary", "Cite it")):
        press(page, "Enter", f".{toggle}-toggle")
        dialog = page.locator("dialog[open]")
        assert (
            dialog.is_visible()
            and gates.inaccessible(opened, "dialog[open]") == []
            and gates.scrolls_sideways(opened) == []
        )
        reached = []
        while not reached or reached[-1] != link:
            page.keyboard.press("Tab")
            assert page.evaluate(f"!!{FOCUSED}.closest('dialog[open]') || {FOCUSED} === document.body")
            reached.append(page.evaluate(f"{FOCUSED}.textContent.trim()"))
            assert len(reached) < 80, reached
        page.keyboard.press("Escape")
        assert dialog.count() == 0


def test_on_a_desktop_a_hidden_sidebar_is_no_stop(visit):
    opened = visit(LIGHT)
    page = opened.page
    press(page, "Enter", ".primary-toggle")
    assert not page.locator(".bd-sidebar-primary a").first.is_visible()
    page.evaluate(gates.STOPS)
    assert page.evaluate("[...stops.keys()].every(one => !one.closest('.bd-sidebar-primary'))")
    press(page, "Enter", ".primary-toggle")
    assert page.locator(".bd-sidebar-primary a").first.is_visible()


def test_a_formula_is_a_stop_only_if_it_scrolls(visit):
    page = visit("chapters/notation.html").page
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
    opened = visit("chapters/notation.html", width=390)
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
    assert gates.scrolls_sideways(opened) == [] and gates.inaccessible(opened) == []
    for name in ("long", "table"):
        opened.page.evaluate("name => document.getElementById(name).scrollBy(9999, 0)", name)
        opened.page.wait_for_function("name => !document.getElementById(name).matches('.more')", arg=name)
        assert not faded(name)


@WAYS
def test_a_preview_is_accessible_and_gives_way(visit, scheme):
    opened = visit(WITH_TERMS, scheme, 390)
    terms = opened.page.locator('article a[href*="glossary.html#term"]')
    terms.first.focus()
    opened.page.locator(".preview").wait_for()
    assert gates.inaccessible(opened) == [] and gates.scrolls_sideways(opened) == []
    opened.page.locator("article a:not([href*=term])").first.focus()
    assert opened.page.locator(".preview").count() == 0
