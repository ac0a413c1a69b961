"""The built site, opened from the file system."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

from ndcg_companion.book.evidence import slug
from ndcg_companion.book.ledger import verdicts
from ndcg_companion.book.project import Project
from ndcg_companion.book.site import read_findings
from support import ROOT

PAGES = [chapter.name for chapter in Project(ROOT).chapters]
LOOKS = [("light", 1280), ("dark", 390), ("dark", 1280), ("light", 390)]


class Page(HTMLParser):
    """The links, ids, images and headings of an HTML page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.images, self.headings = [], set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.add(attributes["id"])
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag == "img":
            self.images.append(attributes)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))


@pytest.fixture(scope="session")
def pages(site):
    return {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if "_static" not in path.parts}


@pytest.mark.browser
@pytest.mark.parametrize(("place", "name"), list(enumerate(PAGES)), ids=PAGES)
def test_a_page_needs_no_network_says_nothing_and_fits(browser, site, place, name):
    """One way for each page, light or dark, wide or narrow, in turn."""
    scheme, width = LOOKS[place % len(LOOKS)]
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    requests, told = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: told.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: told.append(str(error)))
    page.goto((site / "chapters" / f"{name}.html").as_uri(), wait_until="load")
    if page.locator(".math").count():
        page.wait_for_selector(".math mjx-container svg", state="attached")
    assert not [url for url in requests if not url.startswith(("file:", "data:"))]
    assert told == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), "scrolls sideways"
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    assert page.locator("mjx-merror").count() == 0, "a formula could not be read"
    for image in page.locator("article img").all():
        assert image.evaluate("node => node.complete && node.naturalWidth > 0")
        assert scheme == "light" or image.evaluate("node => getComputedStyle(node).backgroundColor") == "rgb(255, 255, 255)"
    context.close()


@pytest.mark.browser
def test_search_finds_what_the_book_is_about(browser, site):
    context = browser.new_context()
    page = context.new_page()
    page.goto((site / "search.html").as_uri() + "?q=Zipf")
    page.wait_for_selector("#search-results li a")
    found = page.locator("#search-results li a").all_inner_texts()
    assert any("scor" in title.lower() or "notation" in title.lower() or "fraction" in title.lower() for title in found), found
    context.close()


def test_links_and_anchors_inside_the_site_resolve(site, pages):
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                broken.append(f"{path.relative_to(site)} -> {link}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                broken.append(f"{path.relative_to(site)} -> {link} (no such anchor)")
    assert not broken


def test_figures_have_sentences_for_those_who_do_not_see_them(pages):
    for path, page in pages.items():
        for image in page.images:
            alt = image.get("alt", "")
            assert len(alt.split()) >= 5 and alt.endswith("."), f"{path.name}: {alt!r}"


def test_headings_step_down_one_at_a_time(pages):
    for path, page in pages.items():
        for above, below in zip(page.headings, page.headings[1:], strict=False):
            assert below <= above + 1, f"{path.name}: h{below} after h{above}"


def test_no_page_names_a_repository_that_is_not_configured(site):
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"github\.com|mybinder\.org|colab\.research", text), path.name


def test_a_chapter_can_be_downloaded_as_it_was_executed(site):
    for name in PAGES:
        if (ROOT / "chapters" / f"{name}.ipynb").exists():
            source = site / "_sources" / "chapters" / f"{name}.ipynb"
            assert '"outputs": [' in source.read_text(encoding="utf-8")


def test_each_page_is_small(site):
    """Its own HTML and images, under one megabyte; the theme's shared files are counted once, elsewhere."""
    for name in PAGES:
        page = site / "chapters" / f"{name}.html"
        text = page.read_text(encoding="utf-8")
        images = {(page.parent / unquote(source)).resolve() for source in re.findall(r'<img[^>]*src="([^"]+)"', text)}
        assert page.stat().st_size + sum(path.stat().st_size for path in images) < 1_000_000, name


@pytest.mark.browser
def test_a_linked_theorem_is_shown_on_hover_and_on_focus_and_escape_closes_it(browser, site):
    page = browser.new_page()
    page.goto((site / "chapters" / "everything-tends-to-one.html").as_uri(), wait_until="load")
    link = page.locator('article a[href="#theorem-4-rate"]').first
    link.hover()
    preview = page.locator(".preview")
    preview.wait_for()
    assert "The rate of theorem 4" in preview.inner_text()
    page.keyboard.press("Escape")
    assert preview.count() == 0
    page.locator('article a[href^="references.html#"]').first.focus()
    preview.wait_for()
    assert page.evaluate("document.activeElement.getAttribute('aria-describedby')") == "preview"


@pytest.mark.parametrize("name", [chapter.name for chapter in Project(ROOT).notebooks])
def test_a_box_and_the_ledger_lead_to_each_other(site, quick_build, name):
    """Every statement that has a box of its own shows the verdict that the ledger has."""
    found = verdicts(read_findings(quick_build / "findings.json")[1])
    page = BeautifulSoup((site / "chapters" / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
    ledger = BeautifulSoup((site / "chapters" / "ledger.html").read_text(encoding="utf-8"), "html.parser")
    known = {slug(statement): verdict for statement, verdict in found.items()}
    for box in page.select("div.proof[id]"):
        shown = box.select_one("a.verdict")
        assert (shown is not None) == (box["id"] in known), box["id"]
        if shown:
            assert shown["href"] == f"ledger.html#{box['id']}" and known[box["id"]] in shown.get_text()
            row = ledger.find(id=box["id"]).find_parent("tr")
            assert row.find("a", href=f"{name}.html#{box['id']}")
