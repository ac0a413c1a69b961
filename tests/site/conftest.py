"""A headless browser on the built site. Without a browser, these checks are skipped and reported."""

from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from gates import NO_FORMULAS, SHOWN, Visit


@pytest.fixture(scope="session")
def build(build_of, request) -> Path:
    """The build to look at: the quick one, or that of --site-profile."""
    return build_of(request.config.getoption("--site-profile"))


@pytest.fixture(scope="session")
def site(build) -> Path:
    return build / "html"


@pytest.fixture(scope="session")
def parsed(site):
    """Function from the name of a chapter to its page, to be read: parsed once for all tests of a process."""

    @cache
    def page_of(name):
        return BeautifulSoup((site / "chapters" / f"{name}.html").read_text(encoding="utf-8"), "lxml")

    return page_of


@pytest.fixture
def visit(browser, site):
    """Opens pages of the site, named from its top, each in a window of its own."""
    contexts = []

    def opened(name, scheme="light", width=1280):
        size = {"width": width, "height": 900}
        contexts.append(browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce"))
        return Visit(contexts[-1], f"{site.as_uri()}/{name}")

    yield opened
    for context in contexts:
        context.close()


@contextmanager
def chapters(browser, site):
    """Opens a chapter by its name; at the end, it must not have asked for anything nor complained.

    What formulas look like is seen on the visit of each page; here they are not drawn, which takes longest.
    """
    contexts, requests, complaints = [], [], []

    def opened(name, hash="", scheme="light", width=1280, before="", **options):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **options
        )
        contexts.append(context)
        context.route("**/mathjax/**", lambda route: route.fulfill(body=NO_FORMULAS))
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on(
            "console",
            lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if before:  # a script that runs before those of the page
            page.add_init_script(before)
        page.goto((site / "chapters" / f"{name}.html").as_uri() + hash, wait_until="load")
        if options.get("java_script_enabled", True):
            page.evaluate(SHOWN)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not [url for url in requests if not url.startswith(("file:", "data:"))] and not complaints


@pytest.fixture
def open_chapter(browser, site):
    """Opens a chapter for a test alone."""
    with chapters(browser, site) as opened:
        yield opened


@pytest.fixture(scope="module")
def keep_chapter(browser, site):
    """Opens a chapter for tests of a module that leave it as it was, or set it back before they begin."""
    with chapters(browser, site) as opened:
        yield opened
