"""``jupyter-book build .`` on a small book: what is executed, what is rendered, what fails."""

import json
import os
import re
import subprocess
import sys
from time import monotonic, sleep
from types import SimpleNamespace

import gates
import nbformat
import psutil
import pytest
from bs4 import BeautifulSoup
from example_book import FINDING, OURS, PLACE, SOMEWHERE, add, page
from support import called, companion, jupyter_book, small_book_in, write_notebook

from claimbook.sphinxext.extension import BookError, _Build
from claimbook.writing import hold
from ndcg_book import BOOK


def article(text):
    """What a page says, without what is made anew each time: seconds, and the file's place."""
    return re.sub(r"[\d.]+ s ·", "", text[text.index("<article") : text.index("</article>")])


@pytest.fixture
def linked(small_book):
    """The small book with a link from its second chapter into its first."""
    add(small_book.root, "first", PLACE)
    add(small_book.root, "second", "See [](#a-place). {{ 7 * 7 }}")
    return small_book.root


# Seven more calls, for changes that are rarer than a word of prose.
@pytest.mark.nightly
def test_the_plain_command_writes_anew_what_a_change_shows_on(linked):
    root = linked
    site = root / "_build" / "html"
    assert jupyter_book(root).returncode == 0

    # A word of prose: no other page is written.
    before = (site / "chapters" / "second.html").stat().st_mtime_ns
    add(root, "first", "A word.", "word")
    jupyter_book(root)
    assert "A word." in page(root, "first")
    assert (site / "chapters" / "second.html").stat().st_mtime_ns == before

    # Another title: the page that shows it is written anew.
    add(root, "first", "(a-place)=\n## Elsewhere\n\nThe seed is {glue:text}`seed`.")
    jupyter_book(root)
    assert "Elsewhere" in article(page(root, "second"))

    # A style sheet: every page has its checksum.
    (root / "_static" / "own.css").write_text("p { color: #111 }")
    jupyter_book(root)
    (root / "_static" / "own.css").write_text("p { color: #222 }")
    jupyter_book(root)
    assert "#222" in (site / "_static" / "own.css").read_text()

    # A page left by a build that was stopped is post-processed by the next call.
    stopped = page(root, "first").replace("<!-- post-processed", "<!-- not")
    (site / "chapters" / "first.html").write_text(stopped)
    jupyter_book(root)
    assert page(root, "first").endswith("<!-- post-processed -->\n")

    # The other profile has its own parameters and its own executed notebooks.
    (root / "parameters" / "quick.yml").write_text("first: {seed: 3}\n")
    done = jupyter_book(root, COMPANION_PROFILE="quick")
    assert "2 of 2 chapters to execute at profile 'quick'" in done.stdout
    assert "companion run first seed=3" in re.sub(r"<[^>]+>", "", page(root, "first"))


# The engine's tests refuse all three on each push; here they are refused in this book, by the plain command.
@pytest.mark.nightly
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("1 / 0", 'chapters/first.ipynb, cell 3 of 3, "1 / 0": ZeroDivisionError'),
        (
            FINDING.format(name="wang/theorem-7", observed=1.0, tolerance=1.8),
            "wang/theorem-7: expected consistent, got contradicted",
        ),
        (
            FINDING.format(name="wang/theorem-7", observed=1.0, tolerance=0.8),
            "got inconclusive (claim and control both",
        ),
    ],
)
def test_what_must_not_be_published_fails_it_with_the_reason(source, reason, tmp_path):
    root = small_book_in(tmp_path, "wang/theorem-7")
    write_notebook(root / "chapters" / "first.ipynb", source)
    done = jupyter_book(root)
    assert done.returncode != 0 and reason in done.stderr, done.stderr
    assert not (root / "_build" / "html" / "chapters").exists()


@pytest.fixture(scope="module")
def kept(example):
    """The example as it was built first."""
    return example / "kept"


def test_the_plain_command_executes_chapters_and_writes_all_that_the_site_needs(example, kept):
    assert "3 of 3 chapters to execute" in (example / "plain").read_text(encoding="utf-8")
    assert "The seed is" in page(kept, "first") and "{{ 7 * 7 }}" in page(kept, "second")
    site = kept / "_build" / "html"
    assert "chapters/first.html" in (site / "index.html").read_text() and (site / "previews.js").exists()
    assert (site / "vendor" / "mathjax" / "tex-svg-full.js").stat().st_size > 1e6
    source = nbformat.read(site / "_sources" / "chapters" / "first.ipynb", as_version=4)
    assert any(cell.get("outputs") for cell in source.cells) and "About" not in source.cells[0].source


def test_companion_build_writes_the_same_pages_and_executes_nothing_again(example, kept):
    assert "0 of 3 chapters to execute" in (example / "own").read_text(encoding="utf-8")
    for name in ("first", "second", "folded"):
        assert article(page(kept, name)) == article(page(kept, name, "_build/book/html"))


@pytest.mark.parametrize("name", ["first", "second"])
def test_an_address_gives_buttons_that_lead_where_they_should(kept, name):
    links = {link["href"] for link in parsed(kept, name).select(".article-header-buttons a[href]")}
    path = f"chapters/{name}.ipynb"
    assert links >= {
        SOMEWHERE,
        f"{SOMEWHERE}/edit/main/{path}",
        f"https://mybinder.org/v2/gh/someone/book/main?urlpath=tree/{path}",
        f"https://colab.research.google.com/github/someone/book/blob/main/{path}",
    }
    issue = f"{SOMEWHERE}/issues/new?title=Issue%20on%20page%20%2Fchapters/{name}.html"
    assert any(link.startswith(issue) for link in links)


def test_pages_that_moved_lead_on_and_data_are_where_pages_link_to(example, kept):
    assert "ndcg_companion.measures.rankdcg" in (example / "plain").read_text(encoding="utf-8")
    assert "url=second.html#lemma-last" in page(kept, "old")
    site = kept / "_build" / "html"
    files = [*BOOK.folders["ndcg_conformance"].glob("*.json")]
    assert files
    for file in files:
        assert (site / "conformance" / file.name).read_bytes() == file.read_bytes()
    linking = site / "chapters" / "what-your-library-computes.html"
    assert gates.broken_links(linking, gates.read(linking), {}, site) == []

    # What would make each later call slow: Sphinx in the saved pages.
    saved = kept / "_build" / ".doctrees" / "chapters" / "api-chapter.doctree"
    assert b"BuildEnvironment" not in saved.read_bytes()


# A second build of a page that shows sources, which are the same.
@pytest.mark.nightly
def test_sources_of_a_package_that_is_the_same_are_not_shown_anew(small_book):
    root = small_book.root
    reference = "```{eval-rst}\n.. autofunction:: ndcg_companion.measures.rankdcg\n```"
    (root / "chapters" / "api-chapter.md").write_text(f"# The page\n\n{reference}\n")
    with open(root / "_toc.yml", "a") as toc:
        toc.write("- file: chapters/api-chapter\n")
    assert jupyter_book(root).returncode == 0
    shown = root / "_build" / "html" / "_modules" / "ndcg_companion" / "measures" / "rankdcg.html"
    before = shown.stat().st_mtime_ns
    add(root, "first", "A word.")
    jupyter_book(root)
    assert "A word." in page(root, "first") and shown.stat().st_mtime_ns == before


def parsed(root, name):
    return BeautifulSoup(page(root, name), "lxml")


def heads(root, name):
    return [title.get_text() for title in parsed(root, name).select("div.proof > p.admonition-title")]


def links(root, name):
    story = "article a:is([href*='#lemma'], [href*='#wang']):not(.headerlink, .verdict, .rubric > a)"
    return [(link["href"], link.get_text()) for link in parsed(root, name).select(story)]


def test_boxes_say_whose_they_are_and_links_say_the_same(kept):
    assert heads(kept, "first") == [r"Wang et al., Theorem 8 (2): Limits \(r^{-1}\)"]
    box = parsed(kept, "first").select_one("#wang-theorem-8-2")
    shown = box.get_text()
    assert box.select_one(".checked") and "They tie." in shown and "Read aloud" not in shown
    formal, check = parsed(kept, "first").select("#evidence-wang-theorem-8-2 > details")
    assert "Read aloud" in formal.get_text() and "evidence" in check["class"]
    assert heads(kept, "second") == ["C1: Last"]
    assert links(kept, "first") == [
        ("#wang-theorem-8-2", "Wang et al., Theorem 8 (2)"),
        ("#wang-theorem-8-2", "a word"),
        ("second.html#lemma-last", "C1"),
    ]
    assert [text for _, text in links(kept, "second")] == ["Wang et al., Theorem 8 (2)", "a word", "C1"]
    site = kept / "_build" / "html"
    assert not (site / "prf-prf.html").exists()
    rows = json.loads((site / "statements.json").read_text(encoding="utf-8"))["statements"]
    assert {row["id"]: row["url"] for row in rows} == {
        "wang/theorem-8-2": "chapters/first.html#wang-theorem-8-2",
        "wang/theorem-7": "chapters/folded.html#wang-theorem-7",
    }


def test_a_later_call_reads_what_changed_and_writes_anew_what_shows_it(example):
    """A word of prose; and a result before another, whose page and those that link to it have new numbers.

    Two pages are read: this one, and the one that lists all results.
    """
    root = example / "book"
    add(root, "first", PLACE.replace("The seed", "In other words, the seed"))
    add(root, "first", OURS.format(title="New", name="new"), "new")
    done = jupyter_book(root)
    assert "0 of 3 chapters to execute" in done.stdout
    assert "0 added, 2 changed, 0 removed" in done.stdout, done.stderr
    assert "lemma-new" in page(root, "evidence")
    assert "In other words" in page(root, "first") and heads(root, "second") == ["C2: Last"]
    assert [text for _, text in links(root, "first")] == ["Wang et al., Theorem 8 (2)", "a word", "C2"]
    assert page(root, "first").count("<!-- post-processed -->") == 1


# A whole build for one message, which no page of the book can pass without.
@pytest.mark.nightly
def test_a_box_without_an_address_is_an_error(small_book):
    add(small_book.root, "first", "```{prf:theorem} Lost\n\nIt holds.\n```")
    done = jupyter_book(small_book.root, "-W", "-n", "--keep-going")
    assert done.returncode != 0 and "expected ':label:', the address of this theorem" in done.stderr


def test_one_build_at_a_time_whichever_command_makes_it(small_book, monkeypatch):
    monkeypatch.chdir(small_book.root)
    sphinx = SimpleNamespace(srcdir=small_book.root)
    with hold(small_book.root / "_build", "building"):
        with pytest.raises(BookError, match="another process is building there"):
            _Build().begin(sphinx, SimpleNamespace(external_toc_path="_toc.yml"))
        done = called("build")
        assert done.returncode == 2 and "another process is building there" in done.stderr


def is_renderer(process):
    try:
        return "jupyter_book" in " ".join(process.cmdline())
    except psutil.Error:  # one that has ended meanwhile
        return False


@pytest.mark.nightly
@pytest.mark.skipif(os.name == "nt", reason="kills without a chance to tidy up")
def test_the_renderer_of_a_killed_build_ends_with_it(small_book):
    command = [sys.executable, "-m", "ndcg_book", "build"]
    build = psutil.Popen(command, cwd=small_book.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = monotonic() + 300
    while not (renderers := [process for process in build.children() if is_renderer(process)]):
        assert build.is_running() and monotonic() < until
        sleep(0.05)
    build.kill()
    build.wait()
    assert not psutil.wait_procs(renderers, timeout=30)[1]
    assert companion("build", cwd=small_book.root).returncode == 0
