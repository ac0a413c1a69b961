"""A headless browser; without one, what needs it is skipped, counted and said."""

import pytest

from ndcg_companion.press import pdf


@pytest.fixture(scope="session")
def browser():
    path = pdf.browser()
    if path is None:
        pytest.skip("no Chromium on this machine: no page was looked at")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
