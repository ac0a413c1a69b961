from types import SimpleNamespace

import pytest

from ndcg_companion.press import pdf
from ndcg_companion.press.pdf import unfolded

PAGE = """<html data-theme="auto"><head></head><body><details class="hide"><summary>code</summary>x</details>
<div class="admonition dropdown">proof</div></body></html>"""


def test_nothing_stays_folded_on_paper():
    page = unfolded(PAGE)
    assert '<details class="hide" open="">' in page and 'class="admonition"' in page
    assert 'data-theme="light"' in page and "@page" in page


def test_without_a_browser_that_is_said_and_no_failure(small_book, monkeypatch):
    said = []
    monkeypatch.setattr(pdf, "build", lambda *given: given[-1](small_book.root))
    monkeypatch.setattr(pdf, "browser", lambda: None)
    assert pdf.print_edition(small_book, say=said.append) == []
    assert said == [f"no PDF: found none of {', '.join(pdf.BROWSERS)} on this machine"]


@pytest.mark.parametrize(("user", "sandboxed"), [(0, False), (1000, True)])
def test_chromium_leaves_its_sandbox_only_for_root(user, sandboxed, small_book, monkeypatch):
    called = []
    monkeypatch.setattr(pdf, "render", lambda project, executed, folder, log, builder: page(folder))
    monkeypatch.setattr(pdf, "browser", lambda: "chromium")
    monkeypatch.setattr("os.geteuid", lambda: user)
    done = SimpleNamespace(returncode=1, stderr="no display")
    monkeypatch.setattr("subprocess.run", lambda command, **_: called.append(command) or done)
    (small_book.root / "_build").mkdir()

    def page(folder):
        (folder / "_build" / "singlehtml" / "chapters").mkdir(parents=True)
        (folder / "_build" / "singlehtml" / "chapters" / "first.html").write_text(PAGE)

    told = pdf.print_book(small_book, small_book.root, small_book.root / "_build" / "companion.pdf")
    assert told == ["Chromium printed nothing:", "no display"]
    assert ("--no-sandbox" in called[0]) != sandboxed
    assert not (small_book.root / "_build" / "companion.pdf").exists()
