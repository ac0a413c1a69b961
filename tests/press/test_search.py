import json

import pytest
from bs4 import BeautifulSoup

from ndcg_companion.press.search import ENTRIES, entries_of, read_entries, write_entries

PAGE = r"""<nav class="bd-links"><li class="current active"><a>Theorem 8, <b>in short</b></a></li></nav>
<article class="bd-article"><section id="top"><h1>When limits tie<a class="headerlink">#</a></h1>
<p>Two rankers.</p><div class="cell_input"><pre>import this</pre></div>
<div class="proof theorem" id="wang-theorem-8-1"><p class="admonition-title">
<span class="caption-number">Wang et al., Theorem 8 (1): </span>Limits</p><p>Let \(\beta\)&lt;1.</p></div>
<div class="proof lemma" id="lemma-own"><p class="admonition-title">C12: Ours</p></div>
<section id="why"><h2>Why<a class="headerlink">#</a></h2><p>Because.</p><p>Noise.</p>
<div class="math">\\[x\\]</div>
<details class="evidence">Predicted 1.</details><div class="solution admonition">Take two.</div>
<figure id="figure-x"><img alt="x"/><figcaption><p><span class="caption-number">Figure 3.1 </span>
<span>It rises.</span></p></figcaption></figure></section>
<section id="this-page-run-it-again-cite-it"><h2>Run it again</h2><p>companion run</p></section>
<dl class="glossary"><dt id="term-gain">gain</dt><dd><p>Worth.</p></dd></dl></section></article>"""


def entries(html, place="chapters/page.html"):
    return entries_of(BeautifulSoup(html, "html.parser"), place)


def test_each_part_with_an_address_is_an_entry_with_its_own_text():
    found = {entry["url"].partition("#")[2]: entry for entry in entries(PAGE)}
    assert {anchor: (entry["kind"], entry["title"]) for anchor, entry in found.items()} == {
        "": ("page", "When limits tie"),
        "wang-theorem-8-1": ("statement", "Wang et al., Theorem 8 (1): Limits"),
        "lemma-own": ("result", "C12: Ours"),
        "why": ("section", "Why"),
        "figure-x": ("figure", "Figure 3.1"),
        "this-page-run-it-again-cite-it": ("section", "Run it again"),
        "term-gain": ("term", "gain"),
    }
    assert found[""]["page"] == "Theorem 8, in short" and found["why"]["page"] == "When limits tie"
    assert found[""]["text"] == "Two rankers."
    assert found["wang-theorem-8-1"]["text"] == r"Let \(\beta\)<1."
    assert "It rises." in found["figure-x"]["text"] and found["term-gain"]["text"].endswith("Worth.")
    assert found["why"]["text"] == "Because. Noise."


def test_what_only_describes_the_package_is_marked():
    html = '<article class="bd-article"><h1>api</h1><dl><dt class="sig" id="a.b">b(x)</dt>'
    found = entries(f"{html}<dd>{'word ' * 99}</dd></dl></article>", "chapters/api-data.html")
    assert [entry["kind"] for entry in found] == ["package", "package"]
    assert found[0]["page"] == "API: "
    assert found[1]["text"].startswith("b(x) word ") and 100 < len(found[1]["text"]) < 200


@pytest.mark.parametrize("html", ["<p>No article.</p>", '<article class="bd-article">No title.</article>'])
def test_a_page_that_is_none_has_no_entries(html):
    assert entries(html) == []


def test_entries_are_kept_for_pages_that_are_not_written_again(tmp_path):
    hostile = {"url": "chapters/b.html", "kind": "page", "title": "</script>", "page": "", "text": ""}
    of_page = {"chapters/a.html": entries(PAGE, "chapters/a.html"), "chapters/b.html": [hostile]}
    write_entries(tmp_path, of_page, ["lemma-own", "wang-theorem-8-1"])
    text = (tmp_path / ENTRIES).read_text(encoding="utf-8")
    assert text.startswith("window.companionEntries = [") and "</script>" not in text
    read = read_entries(tmp_path)
    assert list(read) == list(of_page) and read["chapters/b.html"][0]["title"] == "</script>"
    order = {entry["url"].partition("#")[2]: entry["order"] for entry in read["chapters/a.html"]}
    assert (order["lemma-own"], order["wang-theorem-8-1"], order["why"]) == (0, 1, 2)
    assert "chapters/a.html#this-page-run-it-again-cite-it" in [
        entry["url"] for entry in read["chapters/a.html"]
    ]
    write_entries(tmp_path, {"chapters/b.html": [hostile], **of_page}, [])
    assert "cite-it" not in (tmp_path / ENTRIES).read_text(encoding="utf-8")  # it ends the first page alone
    write_entries(tmp_path, {"chapters/b.html": read["chapters/b.html"]}, [])
    assert read["chapters/a.html"][1]["page"] == "When limits tie"
    assert json.dumps("chapters/a.html") not in (tmp_path / ENTRIES).read_text(encoding="utf-8")
    assert read_entries(tmp_path / "nowhere") == {}
