import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from claimbook.sphinxext import search
from claimbook.sphinxext.search import entries_of, with_order

PAGE = r"""<nav class="bd-links"><li class="current active"><a>Theorem 8, <b>in short</b></a></li></nav>
<article class="bd-article"><section id="top"><h1>When limits tie<a class="headerlink">#</a></h1>
<p>Two laws.</p><div class="cell_input"><pre>import this</pre></div>
<div class="proof theorem" id="newton-law-8-1"><p class="admonition-title">
<span class="caption-number">Newton, Law 8 (1): </span>Limits</p><p>Let \(\beta\)&lt;1.</p></div>
<div class="proof lemma own" id="lemma-own"><p class="admonition-title">C12: Ours</p></div>
<section id="why"><h2>Why<a class="headerlink">#</a></h2><p>Because.</p><p>Noise.</p>
<details class="sd-dropdown code"><summary>Draw lists</summary><pre>import this</pre></details>
<div class="math">\\[x\\]</div>
<details class="evidence">The predicted value is 1.</details><div class="solution admonition">Take two.</div>
<figure id="figure-x"><img alt="x"/><figcaption><p><span class="caption-number">Figure 3.1 </span>
<span>It rises.</span></p></figcaption></figure></section>
<section id="code-of-this-page">
<h2>Code of this page</h2><p>claimbook run</p></section>
<dl class="glossary"><dt id="term-gain">gain</dt><dd><p>Worth.</p></dd></dl></section></article>"""


def entries(html, address="chapters/page.html"):
    return entries_of(BeautifulSoup(html, "html.parser"), address)


def test_each_part_with_an_address_is_an_entry_with_its_own_text():
    address, named, parts = entries(PAGE)
    assert (address, named) == ("chapters/page.html", "Theorem 8, in short")
    assert [part[1] for part in parts if part[3] == "#-"] == ["Why", "Code of this page"]
    assert {part[3]: tuple(part[:2]) for part in parts} == {
        "": ("page", "When limits tie"),
        "#newton-law-8-1": ("statement", "Newton, Law 8 (1): Limits"),
        "#lemma-own": ("result", "C12: Ours"),
        "#-": ("section", "Code of this page"),
        "#figure-x": ("figure", "Figure 3.1"),
        "#term-gain": ("term", "gain"),
    }
    texts = {anchor if anchor != "#-" else title: text for _, title, text, anchor in parts}
    assert texts[""] == "Two laws."
    assert texts["#newton-law-8-1"] == r"Let `\beta`<1."
    assert "It rises." in texts["#figure-x"] and texts["#term-gain"].endswith("Worth.")
    assert texts["Why"] == "Because. Noise."


def test_a_row_of_the_table_of_statements_is_found_by_what_it_says_and_by_its_errata():
    row = "<tr><th>Claim 1</th><td>It rises.</td><td>as printed</td><td>consistent</td></tr>"
    check, erratum = "<div class='check'>Check: 0.5</div>", "<div class='erratum'>Instead: it falls.</div>"
    opened = f"<tr><td colspan='4'><details><summary>1 check</summary>{check}{erratum}</details></td></tr>"
    table = f"<table class='statements'><tbody>{row}{opened}</tbody></table>"
    ((_, _, text, _),) = entries(f'<article class="bd-article"><h1>All</h1>{table}</article>')[2]
    assert text == "It rises. Instead: it falls."


def test_what_only_describes_the_package_is_marked():
    html = '<article class="bd-article"><h1>api</h1><dl><dt class="sig" id="a.b">b(x)</dt>'
    _, named, parts = entries(f"{html}<dd>{'word ' * 99}</dd></dl></article>", "chapters/what-it-offers.html")
    assert named == "API: " and [part[0] for part in parts] == ["package", "package"]
    assert parts[1][2].startswith("b(x) word ") and 30 < len(parts[1][2]) < 80
    assert parts[1][1] == "a.b" and parts[1][3] == "#"  # the title is the rest of the address


def test_a_long_formula_is_left_out_as_displayed_ones_are():
    formulas = r'<span class="math">\(h>0\)</span>, <span class="math">\(\sum_{r\le k}D(r)^2\le2v+b\)</span>.'
    (page,) = entries(f'<article class="bd-article"><h1>x</h1><p>If {formulas}</p></article>')[2]
    assert page[2] == "If `h>0`, …."


@pytest.mark.parametrize("html", ["<p>No article.</p>", '<article class="bd-article">No title.</article>'])
def test_html_that_is_not_a_page_has_no_entries(html):
    assert entries(html) is None


def test_statements_go_in_the_order_of_their_sources_and_only_the_first_page_says_how_to_cite():
    first, second = with_order([entries(PAGE), entries(PAGE)], ["lemma-own", "newton-law-8-1"])
    order = {title: position for _, title, *_, position in first[2]}
    title_of_ours, printed = "C12: Ours", "Newton, Law 8 (1): Limits"
    assert (order[title_of_ours], order[printed], order["Why"]) == (0, 1, 2)
    assert order.keys() - {part[1] for part in second[2]} == {"Code of this page"}


def test_the_map_which_names_every_page_is_found_by_its_title_alone():
    with_map = PAGE.replace("<p>Two laws.</p>", '<p>Two laws.</p><table class="map"></table>')
    assert {part[2] for part in entries(with_map)[2]} == {""}
    assert {part[2] for part in entries(PAGE)[2]} != {""}


def test_the_script_knows_the_kinds_by_their_places():
    script = Path(search.__file__).with_suffix(".js").read_text(encoding="utf-8")
    listed = re.search(r"const kinds = (\[.*?\]);", script)[1]
    assert tuple(json.loads(listed)) == search.KINDS
    ((_, _, rows),) = with_order([entries(PAGE)], [])
    assert search.KINDS[rows[0][0]] == "page" and {search.KINDS[row[0]] for row in rows} <= {*search.KINDS}
