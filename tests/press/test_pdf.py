from ndcg_companion.press import build as building
from ndcg_companion.press.pdf import unfolded

PAGE = """<html data-theme="auto"><head></head><body><details class="hide"><summary>code</summary>x</details>
<div class="admonition dropdown">proof</div></body></html>"""


def test_nothing_stays_folded_on_paper():
    page = unfolded(PAGE)
    assert '<details class="hide" open="">' in page and 'class="admonition"' in page
    assert 'data-theme="light"' in page and "@page" in page


def test_without_a_browser_that_is_said_and_no_failure(small_book, monkeypatch):
    said = []
    monkeypatch.setattr(building, "build", lambda *arguments: [])
    monkeypatch.setattr(building, "browser", lambda: None)
    assert building.print_edition(small_book, say=said.append) == []
    assert said == [f"no PDF: found none of {', '.join(building.BROWSERS)} on this machine"]


def test_a_book_that_does_not_stand_is_not_printed(small_book, monkeypatch):
    monkeypatch.setattr(building, "build", lambda *arguments: ["trouble"])
    monkeypatch.setattr(building, "print_book", None)
    assert building.print_edition(small_book, say=None) == ["trouble"]
