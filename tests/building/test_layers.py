"""The two layers of a page that Sphinx renders: the story, and the evidence and code at the foot."""

import pytest
from bs4 import BeautifulSoup
from example_book import LONG, page


@pytest.fixture(scope="module")
def article(example):
    """The page with a cell of each kind."""
    return BeautifulSoup(page(example / "kept", "folded"), "html.parser").article


def titles(section):
    return [" ".join(fold.summary.get_text().split()) for fold in section.select("details")]


def test_the_story_keeps_no_fold_but_tasks_and_code_and_evidence_come_last(article):
    sections = [section["id"] for section in article.select(":scope > section > section")]
    assert sections[-2:] == ["evidence", "code-of-this-page"] and sections.count("evidence") == 1
    for section in article.select("#evidence, #code-of-this-page"):
        section["data-foot"] = ""
    story = [fold for fold in article.select("details") if not fold.find_parent(attrs={"data-foot": True})]
    assert all(fold.select_one(".exercise") for fold in story)


def test_evidence_is_grouped_by_statement_and_what_is_of_none_by_section(article):
    groups = {group["id"]: titles(group) for group in article.select("#evidence .about-one")}
    assert [*groups][0] == "evidence-wang-theorem-7"  # the only one in the registry
    assert groups == {
        "evidence-wang-theorem-7": ["The core of it that a machine has checked", "● consistent: low"],
        "evidence-theorem-x": ["Symbols"],
        "evidence-lemma-first": ["An example of the first"],
        "evidence-lemma-second": ["Proof of the second"],
        "evidence-two-lemmas": ["What both rest on"],
        "evidence-more": ["Proof"],
    }


def test_what_the_author_wrote_as_evidence_begins_it(article):
    first, second = article.select_one("#evidence").find_all(["p", "details"], recursive=False)[:2]
    assert first.get_text() == "What is checked is short." and titles(second.parent)[0] == "How it is checked"


def test_a_group_has_the_name_of_its_statement_and_its_verdict(article):
    head = article.select_one("#evidence-wang-theorem-7 .rubric")
    name, verdict = head.select("a")
    assert (name["href"], name.get_text()) == ("#wang-theorem-7", "Wang et al., Theorem 7")
    assert (verdict["href"], verdict.get_text()) == ("evidence.html#wang-theorem-7", "● consistent")
    assert head.name == "h3"


def test_the_story_leads_to_its_evidence(article):
    assert article.select_one("#wang-theorem-7 a.verdict")["href"] == "#evidence-wang-theorem-7"
    assert article.select_one("#theorem-x .verdict") is None
    (before,) = [text for text in article.select("p") if text.get_text().startswith("The second is easy.")]
    links = {link.get_text(): link["href"][1:] for link in before.select("a.to-foot")}
    assert [*links] == ["proof", "details"]
    assert "Proof of the second" in article.find(id=links["proof"]).get_text()


def test_symbols_are_listed_with_what_they_mean(article):
    texts = [node.decode_contents().strip() for node in article.select("#evidence-theorem-x :is(dt, dd)")]
    assert [text.replace("<p>", "").replace("</p>", "") for text in texts] == [
        r'<span class="math notranslate nohighlight">\(n\)</span>',
        "<em>number</em>",
        r'<span class="math notranslate nohighlight">\(g_0\)</span>',
        "curve of the <em>first</em>",
    ]


def test_code_is_in_order_each_fold_with_what_drew_its_figures(article):
    code = article.select_one("#code-of-this-page")
    named = ["Set <up>", "Draw 400 lists", "Draw others", "Halve them", "Find", "Draw a line"]
    assert titles(code) == ["Parameters: defaults and ranges", "How to cite this page", *named]
    (line,) = code.select(".stamp")
    assert line.find_parent("details").select_one("#cell-line")
    assert line.get_text().strip() == f"Figure 3 is drawn by {LONG} of mine."
    assert code.select_one("button.all-code").has_attr("hidden")


def test_the_first_screen_is_name_title_and_a_line_with_verdicts(article):
    title = article.select_one("h1")
    status = title.find_next_sibling()
    assert "status" in status["class"]
    assert status.get_text() == "● consistent Theorem 7 · 1 minute"
    assert [link["href"] for link in status.select("a")] == ["#evidence", "#evidence-wang-theorem-7"]
    box = article.select_one(".admonition.in-short")
    assert box.select_one(".facts").get_text() == "Read first: The chapter second"
    assert box.select_one(".facts a")["href"] == "second.html"


def test_a_page_and_the_links_to_it_have_its_name(example):
    folded = BeautifulSoup(page(example / "kept", "folded"), "html.parser")
    assert folded.select_one("article > .page-name").get_text() == "Every kind of cell"
    assert folded.title.get_text().startswith("Every kind of cell: The chapter folded")
    before = BeautifulSoup(page(example / "kept", "second"), "html.parser").select_one(".right-next")
    named, claim = before.select_one(".prev-next-title").find_all(string=True)
    assert (named, claim) == ("Every kind of cell", "The chapter folded")
    assert not BeautifulSoup(page(example / "kept", "third"), "html.parser").select(".page-name")
