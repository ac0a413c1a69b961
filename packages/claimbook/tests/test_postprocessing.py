import json

import pytest
from bs4 import BeautifulSoup

from claimbook.sphinxext.postprocessing import post_process, repair

PAGE = r"""<article><div class="proof theorem" id="theorem-x"><section id="proof-content"><p>Let
<span class="math">\(\bar y\le 1_{n}\)</span>, <span class="math">\(\mathrm{cut}=\kappa\)</span>.</p>
</section></div>
<div class="proof lemma" id="lemma-x"><section id="proof-content"><p>No formula.</p></section></div>
<dl class="glossary"><dt id="term-gain">gain<a class="headerlink">#</a></dt>
<dd><p>What a label is worth.</p></dd></dl>
<div class="citation" id="id1"><span>[W]</span><p>A work.</p></div></article>"""


PLACES = ["chapters/page.html", "chapters/other.html"]


@pytest.fixture
def site(tmp_path):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "page.html").write_text(PAGE)
    return tmp_path


@pytest.fixture
def page_data(site):
    """Return the data of a page that was processed."""
    page_data = {}
    assert post_process(site, {}, PLACES, page_data) == {PLACES[0]}
    return page_data


def test_boxes_of_a_page_share_no_name(site, page_data):
    assert 'id="proof-content"' not in (site / "chapters" / "page.html").read_text()


def test_code_keeps_its_text_and_only_the_tags_that_give_it_a_colour(site):
    page = site / "chapters" / "page.html"
    names = '<span class="w"> </span><span class="n">x</span><span class="p">:</span>'
    page.write_text(f'<pre><span class="k">if</span>{names}</pre>')
    post_process(site, {}, PLACES, {})
    assert '<pre><span class="k">if</span> x:</pre>' in page.read_text()


def test_previews_hold_boxes_terms_and_references_under_the_address_of_their_links(site, page_data):
    text = (site / "previews.js").read_text()
    previews = json.loads(text.removeprefix("window.bookPreviews = ").rstrip(";\n"))
    assert set(previews) == {
        f"chapters/page.html#{key}" for key in ("theorem-x", "lemma-x", "term-gain", "id1")
    }
    assert (
        previews["chapters/page.html#term-gain"]
        == "<p><strong>gain</strong></p><p>What a label is worth.</p>"
    )
    assert previews["chapters/page.html#id1"] == "<p>A work.</p>"


def test_only_pages_that_were_written_since_are_post_processed(site, page_data):
    old, page = site / "chapters" / "other.html", site / "chapters" / "page.html"
    old.write_text(PAGE.replace("theorem-x", "theorem-y"))
    before = page.read_bytes()
    assert post_process(site, {}, PLACES, page_data) == {PLACES[1]} and page.read_bytes() == before
    previews = (site / "previews.js").read_text()
    assert "page.html#theorem-x" in previews and "other.html#theorem-y" in previews
    assert post_process(site, {}, PLACES[:1], page_data) == set()  # the other left the book
    assert "other.html" not in (site / "previews.js").read_text()


def test_no_text_of_a_page_ends_the_script_that_holds_it(site):
    page = '<article class="bd-article"><h1>A</h1><p>It is &lt;/script&gt; to stay.</p></article>'
    (site / "chapters" / "other.html").write_text(page)
    post_process(site, {}, PLACES, {})
    text = (site / "search-entries.js").read_text()
    assert text.startswith("window.bookSearch = {") and "</script>" not in text
    (entry,) = json.loads(text.removeprefix("window.bookSearch = ").rstrip(";\n"))["entries"]
    assert entry == [PLACES[1], "", [[0, "A", "It is </script> to stay.", "", 0]]]


def test_a_page_that_moved_leads_on(tmp_path):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "new.html").write_text(
        "<html><head><title>A & B — The book</title></head></html>"
    )
    moved = {"index": "chapters/new", "chapters/old": "chapters/new", "chapters/part": "chapters/new#part"}
    post_process(tmp_path, moved, [], {})
    for name, page, anchor in (
        ("index", "chapters/new.html", ""),
        ("chapters/old", "new.html", ""),
        ("chapters/part", "new.html", "#part"),
    ):
        text = (tmp_path / f"{name}.html").read_text()
        assert text.startswith("<!DOCTYPE html>") and "<title>A &amp; B</title>" in text
        assert f'content="0; url={page}{anchor}"' in text and f'<a href="{page}{anchor}">' in text
        assert f'location.replace("{page}" + (location.hash || "{anchor}"))' in text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<table><th></th><th>a</th></table>", "<table><td></td><th>a</th></table>"),
        ("<dd><p><ul><li>a</li></ul></p></dd>", "<dd><ul><li>a</li></ul></dd>"),
        (
            '<div class="citation" role="doc-biblioentry">a</div>',
            '<div class="citation" role="listitem">a</div>',
        ),
        (
            '<dt class="sig">f(<dl><dd>x</dd></dl>)</dt>',
            '<dt class="sig">f(<span class="sig-lines"><span class="sig-line">x</span></span>)</dt>',
        ),
        (
            r'<th><span class="math">\(\bar y_n\)</span></th>',
            r'<th><span class="math" aria-hidden="true">\(\bar y_n\)</span>'
            r'<span class="visually-hidden">bar y _ n</span></th>',
        ),
        (r'<th>at <span class="math">\(k\)</span></th>', r'<th>at <span class="math">\(k\)</span></th>'),
        (
            r'<p>a (<span class="math">\(k\)</span>-th). Or <span class="math">\(n\)</span> b</p>',
            r'<p>a <span class="math">(\(k\)-th).</span> Or <span class="math">\(n\)</span> b</p>',
        ),
        (
            r'<p><span class="math">\(k\)</span>, <b>“</b><span class="math">\(n\)</span><b>.</b></p>',
            r'<p><span class="math">\(k\),</span> <b>“</b><span class="math">\(n\)</span><b>.</b></p>',
        ),
        (
            '<div class="admonition" id="a"><p class="admonition-title" id="a">A</p></div>',
            '<div class="admonition" id="a"><p class="admonition-title">A</p></div>',
        ),
        ("<summary><p>More</p></summary>", "<summary><span>More</span></summary>"),
        (
            '<pre>a <div class="viewcode-block">b <div class="viewcode-block">c</div></div></pre>',
            '<pre>a <span class="viewcode-block">b <span class="viewcode-block">c</span></span></pre>',
        ),
        (
            '<div class="onlyprint"><h1></h1></div><div class="onlyprint"><h1>A</h1></div>',
            '<div class="onlyprint"><h1>A</h1></div>',
        ),
        ("<article><h1>Source of a.b</h1></article>", "<article><h1>Source of a<wbr/>.b</h1></article>"),
        ('<input autocorrect="off" type="search"/>', '<input type="search"/>'),
        (
            '<div class="bd-sidebar-primary"></div>',
            '<div aria-label="The book" class="bd-sidebar-primary" role="complementary"></div>',
        ),
    ],
)
def test_repairs(before, after):
    page = BeautifulSoup(before, "html.parser")
    repair(page)
    assert page == BeautifulSoup(after, "html.parser")


def test_an_answer_outside_the_search_index_is_rejected_with_the_nearest_address(site):
    def processed(section):
        heading = f'<section id="{section}"><h2>The gain</h2></section>'
        html = f'<article class="bd-article"><h1>Weights</h1>{heading}</article>'
        (site / "chapters" / "page.html").write_text(html)
        answers = {"gains?": "chapters/page.html#the-gain", "weights": "chapters/page.html"}
        post_process(site, {}, PLACES, {}, answers=answers)

    processed("the-gain")
    assert '["gains?","chapters/page.html#the-gain"]' in (site / "search-entries.js").read_text()
    message = r"answers: 'gains\?': expected .*, got '.*#the-gain'; did you mean '.*#a-gain'\?"
    with pytest.raises(ValueError, match=message):
        processed("a-gain")
