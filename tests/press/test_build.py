"""What the renderer says when it fails, and what is left then; whole books are built in test_extension."""

import pytest

from ndcg_companion.press import build

RENDERER = """
import pathlib, sys
folder = pathlib.Path(sys.argv[sys.argv.index("--path-output") + 1])
folder.mkdir()
folder.joinpath("half.html").write_text("half")
print({said!r})
sys.exit({code})
"""
WARNED, FAILED = "first.md:1: WARNING: no such page", "TypeError: no text"
SAID = f"\x1b[31mreading\x1b[0m\n{WARNED}\n{FAILED}\nlast words"


@pytest.mark.parametrize(
    ("code", "said", "strict", "troubles"),
    [
        (0, SAID, False, []),
        (0, SAID, True, []),  # the renderer's own -W makes a warning a failure
        (1, SAID, True, [WARNED]),
        (2, SAID, False, [FAILED]),  # not its warnings, which are no trouble here
        (2, "one\ntwo\nkilled", False, ["one", "two", "killed"]),
    ],
)
def test_a_page_that_cannot_be_rendered_is_a_failure(code, said, strict, troubles, small_book, monkeypatch):
    monkeypatch.setattr(build, "_START", RENDERER.format(said=said, code=code))
    folder, log = small_book.root / "work", small_book.root / "log"
    assert build.render(small_book, small_book.root, folder, log, strict) == troubles
    assert (
        log.read_text(encoding="utf-8").splitlines()
        == said.replace("\x1b[31m", "").replace("\x1b[0m", "").splitlines()
    )
    assert folder.exists() == (code == 0)  # half a site would be passed over the next time


@pytest.mark.parametrize("strict", [True, False])
def test_warnings_count_only_where_that_is_asked_for(strict, small_book, monkeypatch):
    monkeypatch.setattr(build, "_START", "import sys; print(sys.argv)")
    build.render(small_book, small_book.root, small_book.root / "work", small_book.root / "log", strict)
    assert ("'-W'" in (small_book.root / "log").read_text(encoding="utf-8")) == strict


def test_a_run_whose_page_fails_writes_nothing(small_book, monkeypatch):
    monkeypatch.setattr(build, "_START", RENDERER.format(said=FAILED, code=1))
    chapter = small_book.chapter("second")
    folder, _, troubles = build.run(small_book, chapter, {"seed": 2}, output=small_book.root / "new")
    assert troubles == [FAILED] and not folder.exists()
