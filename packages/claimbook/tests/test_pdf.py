"""The pages of a site, joined for printing. tests/site checks the browser's result."""

import re
from types import SimpleNamespace

import pikepdf
import pytest
from bs4 import BeautifulSoup
from samples import called

from claimbook.publish import pdf
from claimbook.publish.pdf import clear_repeated_titles, divisions, fields_for_paper, for_paper
from claimbook.writing import checksum

PAGE = """<html><head><title>One — The book</title><link rel="stylesheet" href="../_static/book.css"></head>
<body><nav class="bd-docs-nav"><ul><li><a href="#">One</a></li></ul>
<details><summary class="caption">A part</summary><ul><li><a href="two.html">1. Two</a></li></ul></details>
<details><summary>The package</summary><ul><li><a href="sums.html">Sums</a></li></ul></details>
</nav>
<article><section id="top"><h1>{title}<a class="headerlink" href="#top">#</a></h1>
<section id="evidence"><h2>Evidence</h2><h3 id="claim">The claim</h3><p><a href="#top">Up</a></p></section>
<section id="code-of-this-page"><h2>Code</h2><button>Show all code</button></section>
<details class="code"><summary>Draw</summary><div class="cell_input" id="cell-1">import numpy</div></details>
<div class="cell">
</div>
<details class="evidence"><summary>Verdict</summary>
<p>It <a class="traced" href="#cell-1">holds</a>.</p></details>
<figure id="figure"><img src="../_images/a.svg"></figure><h2>More</h2>
<fieldset class="filters" hidden><input id="false" type="radio"></fieldset>
<p><a href="{other}.html#false">The false rows</a>,
<a href="{other}.html#figure">The figure</a>, <a href="{other}.html">the page</a>,
<a href="sums.html#total">a function</a>, <a href="https://example.org/x#y">elsewhere</a></p>
<script>alert(1)</script></section></article></body></html>"""

SIGNATURE = '</h1><dl><dt class="sig" id="total">total(values)</dt></dl><h1>'


@pytest.fixture
def site(tmp_path):
    chapters = tmp_path / "site" / "chapters"
    chapters.mkdir(parents=True)
    for name, title, other in (("one", "One", "two"), ("two", "Two", "one"), ("sums", SIGNATURE, "one")):
        (chapters / f"{name}.html").write_text(PAGE.format(title=title, other=other), encoding="utf-8")
    return tmp_path / "site"


@pytest.fixture
def article(site):
    """Return the second page as it is printed."""
    return BeautifulSoup(printed_chapters(site)["two"], "html.parser")


def printed_chapters(site):
    """Return the printed text of each chapter, and of its evidence, by name."""
    whole = fields_for_paper(site, "chapters/one.html")["divisions"]
    return {name: text for _, parts in whole for _, chapters in parts for name, _, text in chapters}


def test_pages_follow_the_order_of_the_side_bar_without_the_package(site):
    fields = fields_for_paper(site, "chapters/one.html")
    whole = [
        (division, [(part, [row[:2] for row in chapters]) for part, chapters in parts])
        for division, parts in fields["divisions"]
    ]
    assert whole == [
        ("Main line", [(None, [("one", "One")]), ("A part", [("two", "1. Two")])]),
        ("Evidence", [(None, [("one--evidence", "One"), ("two--evidence", "1. Two")])]),
    ]
    assert fields["title"] == "The book"


@pytest.mark.parametrize(
    ("headings", "main"), [(["One", "1. Two", "Three"], 2), (["One", "Two"], 2), (["1. One"], 1)]
)
def test_the_main_line_ends_with_the_last_part_that_has_numbers(headings, main):
    parts = [(heading, [(heading.lower(), heading, "")]) for heading in headings]
    whole = dict(divisions(parts, []))
    assert whole.pop("Main line") == parts[:main]
    assert whole == ({"Appendix": parts[main:]} if parts[main:] else {})


def test_the_evidence_is_printed_in_a_part_of_its_own_and_linked(site, article):
    evidence = BeautifulSoup(printed_chapters(site)["two--evidence"], "html.parser")
    assert [(tag.name, tag.get_text()) for tag in evidence.select("h2, h3, h4")] == [
        ("h2", "1. Two: evidence"),
        ("h4", "The claim"),
    ]
    assert evidence.a["href"] == "#two--top" and evidence.h4["id"] == "two--claim"
    assert "The claim" not in article.get_text()
    link = article.find("a", string="Evidence of this chapter")
    assert link["href"] == "#two--evidence"
    # At the end of the chapter, the link could be alone on a page.
    assert link.find_previous(re.compile("h[1-6]")) == article.find("h2")


def test_nothing_is_left_of_code_buttons_and_scripts(article):
    assert not article.select("button, script, .headerlink, .cell, .cell_input, details")
    assert "numpy" not in article.get_text() and "alert" not in article.get_text()
    assert "Code" not in article.get_text()


LEADS = {  # a paragraph and what stands below it, to what of it is printed
    "<p>One call of <code>f</code>:</p>{python}": [],
    "<p>It is 0.8. Or 1!\nOne call of <code>f</code>:</p>{python}": ["It is 0.8. Or 1!"],
    "<p>Is it <em>so</em>? Then <b>call</b>\n<code>f</code>:</p>{python}<p>It is.</p>": [
        "Is it so?",
        "It is.",
    ],
    "<p>It stands alone.</p>{python}": ["It stands alone."],
    "<p>First this. Then <b>that</b>:</p>{cell}<p>After.</p>": ["First this. Then that.", "After."],
    "<p>It falls:</p>{cell}{cell}<p>After.</p>": ["It falls.", "After."],
    "<p>It falls:</p>{cell}<figure></figure>": ["It falls:"],
    '<p>It prints:</p><div class="cell"><p>1</p></div>': ["It prints:", "1"],
    '<p>In a shell:</p><div class="highlight-bash">ls</div>': ["In a shell:"],
    "<p>As a list:</p><ul><li>one</li></ul>{python}": ["As a list:"],
}


@pytest.mark.parametrize(("html", "left"), LEADS.items())
def test_no_sentence_leads_to_code_that_is_left_out(html, left, site):
    cell = '<div class="cell"><details class="code">f(1)</details></div>'
    html = html.format(python='<div class="highlight-python">f(1)</div>', cell=cell)
    page = BeautifulSoup(f"<article>{html}</article>", "html.parser")
    printed = for_paper(page, "one.html", {"one.html": "one"}, site)
    assert [" ".join(text.get_text().split()) for text in printed.select("p")] == left


def test_nothing_stays_folded_and_headings_go_below_their_part(article):
    assert article.select_one("div.evidence > p.fold-title").get_text() == "Verdict"
    assert [(heading.name, heading.get_text()) for heading in article.select("h1, h2, h3")] == [
        ("h2", "Two"),
        ("h3", "More"),
    ]


def test_links_lead_within_the_book_or_out_of_it_or_nowhere(article):
    links = {link.get_text(): link["href"] for link in article.select("a")}
    assert links.pop("Evidence of this chapter") == "#two--evidence"
    assert links == {"The figure": "#one--figure", "the page": "#one", "elsewhere": "https://example.org/x#y"}
    assert "It holds." in article.get_text() and "a function" in article.get_text()


def test_anchors_are_unique_and_image_addresses_are_complete(site, article):
    about = fields_for_paper(site, "chapters/one.html")
    anchors = re.findall(r' id="([^"]+)"', "".join(printed_chapters(site).values()))
    assert sorted(anchors) == [
        f"{page}--{name}" for page in ("one", "two") for name in ("claim", "figure", "top")
    ]
    assert article.img["src"] == (site / "_images" / "a.svg").as_uri()
    assert about["sheets"] == [(site / "_static" / "book.css").as_uri()]


def test_without_a_browser_nothing_is_built_and_no_earlier_pdf_is_left(small_book, monkeypatch):
    monkeypatch.setattr(pdf, "browser", lambda: None)
    monkeypatch.chdir(small_book.root)
    home = small_book.root / "_build" / "book"
    home.mkdir(parents=True)
    for name in ("plain-book.pdf", "printed"):
        (home / name).write_text("of an earlier build", encoding="utf-8")
    done = called("pdf")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert f"a PDF needs a browser: expected one of {', '.join(pdf.BROWSERS)} on this machine" in done.stderr
    assert not [*home.iterdir()]


def test_a_printed_book_is_recorded_with_the_digests_of_its_site(small_book, monkeypatch):
    home = small_book.root / "_build" / "book"
    (home / "executed").mkdir(parents=True)
    (home / "rendered").write_text("frame all", encoding="utf-8")
    monkeypatch.setattr(pdf, "browser", lambda: "chromium")
    monkeypatch.setattr(pdf, "build", lambda *given: given[-1](home / "executed"))
    monkeypatch.setattr(pdf, "print_book", lambda *given: given[2].write_bytes(b"printed") and [])
    assert pdf.build_and_print(small_book) == []
    assert (home / "printed").read_text().split() == ["frame", "all", checksum(home / "plain-book.pdf")]


def test_no_bookmark_has_its_words_twice():
    document = pikepdf.new()
    document.add_blank_page()
    with document.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("Main lineMain line", 0))
        outline.root[0].children += [pikepdf.OutlineItem("C1C1", 0), pikepdf.OutlineItem("Bonbon", 0)]
    clear_repeated_titles(document)
    with document.open_outline() as outline:
        (part,) = outline.root
        assert [part.title, *(entry.title for entry in part.children)] == ["Main line", "C1", "Bonbon"]


def test_the_printed_book_has_no_bookmark_with_its_words_twice(site, tmp_path, monkeypatch):
    def print_repeated_words(_, printed_pdf):
        document = pikepdf.new()
        document.add_blank_page()
        document.Root.Dests = pikepdf.Dictionary()
        with document.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem("Main lineMain line", 0))
        document.save(printed_pdf)

    monkeypatch.setattr(pdf, "_print", print_repeated_words)
    assert pdf.print_book(site, "chapters/one", tmp_path / "book.pdf", "c") == []
    with pikepdf.open(tmp_path / "book.pdf") as document, document.open_outline() as outline:
        assert [bookmark.title for bookmark in outline.root] == ["Main line"]


@pytest.mark.parametrize(("user", "sandboxed"), [(0, False), (1000, True)])
def test_chromium_leaves_its_sandbox_only_for_root(user, sandboxed, site, tmp_path, monkeypatch):
    called = []
    monkeypatch.setattr(pdf, "browser", lambda: "chromium")
    monkeypatch.setattr("os.geteuid", lambda: user)
    done = SimpleNamespace(returncode=1, stderr="no display")
    monkeypatch.setattr("subprocess.run", lambda command, **_: called.append(command) or done)
    output = tmp_path / "book.pdf"
    assert pdf.print_book(site, "chapters/one", output, "c") == ["Chromium printed nothing:", "no display"]
    assert ("--no-sandbox" in called[0]) != sandboxed
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
