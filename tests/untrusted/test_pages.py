"""Untrusted text on complete pages in a browser is shown as text and never acts as markup or code."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import called, write_notebook

from claimbook.cli.diff import Difference, Picture
from claimbook.cli.sweep import Run, Sweep, _findings_csv, _numbers_csv, _page
from claimbook.execute.notebooks import Job
from claimbook.project import Project
from claimbook.text import is_plain, markdown
from untrusted.strings import PRINTABLE, printable
from untrusted.test_markdown import PLACES, rendered

pytestmark = pytest.mark.browser


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page and returns it with all the text in it; fails if anything of it ran or asked."""
    context = browser.new_context()

    def visit(path):
        page, trouble = context.new_page(), []
        page.on("dialog", lambda dialog: (trouble.append(dialog.message), dialog.dismiss()))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda request: trouble.append(request.url) if "http" in request.url[:4] else None)
        page.goto(path.as_uri())
        page.wait_for_function("document.readyState === 'complete'")
        assert page.evaluate("window.ran") is None and not trouble, trouble
        assert page.locator("#made:not(section), .made, [made], main script, main img[onerror]").count() == 0
        return page

    yield visit
    context.close()


def seen(page):
    return page.evaluate("document.documentElement.textContent")


def swept(project, values):
    """The page and the tables of a sweep over values of a text, each of which names a number too."""
    chapter = project.chapter("first")
    jobs = [
        Job(chapter, {"text": value}, project.root / "first.ipynb", f"run-{index}")
        for index, value in enumerate(values)
    ]
    finding = {
        "statement": "wang/theorem-7",
        "expected": "consistent",
        "verdict": "inconclusive",
        "rule": "within",
        "basis": "sample",
        "seconds": 1,
        "control_rejected": True,
        "control_differs": True,
    }
    runs = []
    for index, value in enumerate(values):
        sides = {
            side: {"says": value, "predicted": 0, "observed": index, "tolerance": 1}
            for side in ("claim", "control")
        }
        numbers = {value: ("1", 1.0), "words": (value, None)}
        runs.append(Run(f"run-{index}", {"text": value, "seed": 1}, [finding | sides], numbers, 1.0))
    sweep = Sweep(chapter, project.root, {"text": list(values)}, jobs)
    return _page(sweep, runs), _findings_csv(["text", "seed"], runs) + _numbers_csv(["text", "seed"], runs)


@settings(max_examples=5)
@given(values=st.lists(printable, min_size=3, max_size=12, unique=True))
def test_values_of_a_sweep(opened_once, values):
    check_sweep(*opened_once, values)


@pytest.fixture(scope="module")
def opened_once(browser, tmp_path_factory):
    """The same for a search, which takes one fixture for all it tries."""
    root = tmp_path_factory.mktemp("book")
    write_notebook(root / "chapters" / "first.ipynb", "1")
    (root / "_toc.yml").write_text("format: jb-book\nroot: chapters/first\n")
    (root / "_config.yml").write_text("book: ndcg_book:BOOK\n")
    context = browser.new_context()
    yield context.new_page(), Project(root)
    context.close()


def check_sweep(page, project, values):
    text, tables = swept(project, values)
    data = text.partition('id="data">')[2].partition("</script>")[0]
    assert data.isascii() and not set("<>&") & set(data)
    path = project.root / "index.html"
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())
    assert page.evaluate("window.ran") is None
    options = page.locator("[name=quantity] option").all_inner_texts()
    assert {" ".join(value.split()) for value in values} <= {" ".join(option.split()) for option in options}
    # It opens on what varies: the observed number, of which each run has one.
    assert page.locator("svg circle").count() == len(values)
    assert page.locator("#made, main script, main img").count() == 0
    for line in tables.splitlines():
        assert line[:1] not in "=+-@"


def test_all_known_values_of_a_sweep(opened_once):
    check_sweep(*opened_once, PRINTABLE)


def test_names_and_numbers_of_a_diff(opened, tmp_path):
    rows = [(text, text, text, f"{text}.") for text in PRINTABLE]
    pictures = [(text, text, Picture("", text), None) for text in PRINTABLE]
    difference = Difference(rows, rows, rows, rows, pictures, 1)
    (tmp_path / "diff.html").write_text(difference.as_html(PRINTABLE[3], PRINTABLE[4]), encoding="utf-8")
    page = opened(tmp_path / "diff.html")
    assert [text for text in PRINTABLE if seen(page).count(text) < 13] == []
    alts = page.locator("img").evaluate_all("images => images.map(image => image.alt)")
    assert alts == PRINTABLE
    assert all(is_plain(line) for line in difference.as_text().splitlines())


def test_a_page_of_markdown(opened, tmp_path):
    text = "\n\n".join(template.format(markdown(string)) for string in PRINTABLE for template in PLACES)
    body = rendered(text).replace('src="x.png"', "")
    (tmp_path / "page.html").write_text(
        f"<!DOCTYPE html><meta charset=utf-8><main>{body}</main>", encoding="utf-8"
    )
    page = opened(tmp_path / "page.html")
    assert [string for string in PRINTABLE if seen(page).count(string) < len(PLACES)] == []


TEXT = 'text: str = "none"  # shown [any text]\nseed: int = 1  # seed [0 ..]'
SOURCE = """\
from IPython.display import Markdown, display
from ndcg_book import Page
from claimbook.text import is_plain, markdown
page = Page("first")
display(Markdown(f"{markdown(text)}\\n\\n| a | b |\\n|--|--|\\n| {markdown(text)} | b |"))
page.finding("wang/theorem-7", claim=("low", 0.0, 0.1, 0.6), control=("high", 2.0, 0.1, 0.6), risk=0);"""


@pytest.mark.nightly
@pytest.mark.parametrize("text", ["".join(PRINTABLE[i::3]) for i in range(3)])
def test_a_page_of_the_book_with_a_text_of_the_callers(small_book, monkeypatch, opened, text):
    """Through the cell of parameters, the line to copy and the cells' own output."""
    write_notebook(small_book.root / "chapters" / "first.ipynb", SOURCE, parameters=TEXT)
    monkeypatch.chdir(small_book.root)
    done = called("run", "first", f"text={text}", "--output", "out")
    assert done.returncode == 0, done.stderr
    page = opened(small_book.root / "out" / "chapters" / "first.html")
    assert " ".join(seen(page).split()).count(" ".join(text.split())) >= 2
    assert not list(small_book.root.rglob("PWNED"))


@pytest.mark.nightly
@settings(max_examples=10)
@given(names=st.lists(printable.filter(str.strip), min_size=2, max_size=2, unique=True))
def test_a_report_on_hostile_names(tmp_path_factory, browser, names):
    """Names of systems in a table: refused in one line, or seen on the page as text."""
    root = tmp_path_factory.mktemp("report")
    rows = [
        [str(query), f"d{item}", item % 2, item * query % 7, item * query % 5]
        for query in range(1, 9)
        for item in range(9)
    ]
    header = ["query", "item", "label", *(f"score_{name}" for name in names)]
    quoted = [",".join('"' + str(value).replace('"', '""') + '"' for value in row) for row in [header, *rows]]
    (root / "table.csv").write_text("\n".join(quoted), encoding="utf-8")
    done = called("compare", root / "table.csv", "--output", root / "out")
    if done.returncode == 2:
        assert len(done.stderr.splitlines()) == 1 and not (root / "out").exists()
        return
    assert done.returncode == 0, done.stderr
    context = browser.new_context()
    pages = [*(root / "out").glob("*.html")]
    assert pages
    for path in pages:
        page = context.new_page()
        page.goto(path.as_uri())
        assert page.evaluate("window.ran") is None and page.locator("#made, main img[onerror]").count() == 0
    context.close()
