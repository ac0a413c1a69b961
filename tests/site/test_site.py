"""The built site, opened from the file system: every page passes every gate."""

import json
import re
from urllib.parse import quote

import gates
import pytest
from gates import NO_FORMULAS
from support import PROJECT, ROOT

from claimbook.evidence import slug
from claimbook.reports.ledger import read_findings, verdicts
from ndcg_book import BOOK

PAGES = [chapter.name for chapter in PROJECT.chapters]
# Looked at in every way on each push, as together they hold one of everything; the others at night.
DAILY = {"index", "when-may-i-stop", "your-own-rankings"}


@pytest.fixture(scope="session")
def pages(site):
    return sorted(path for path in site.rglob("*.html") if "_static" not in path.relative_to(site).parts)


# ---- in the file ----


# What writes the pages is the same for all, and its errors are on those of each push as on the others.
@pytest.mark.parametrize("some", [DAILY, pytest.param(None, marks=pytest.mark.nightly)], ids=["daily", "all"])
def test_pages_are_valid_html(pages, site, some):
    errors = {
        path.relative_to(site).as_posix(): gates.invalid(gates.read(path))
        for path in pages
        if some is None or path.stem in some
    }
    assert {name: messages for name, messages in errors.items() if messages} == {} and len(errors) >= len(
        DAILY
    )


def test_links_headings_images_and_weight_of_every_page_are_sound(pages, site):
    """One test, because a link is judged by the page that it leads to."""
    parsed = {path: gates.read(path, strict=False) for path in pages}
    moved = [site / f"{name}.html" for name in ("index", *BOOK.moved)]
    findings = {
        path.relative_to(site).as_posix(): [
            *gates.broken_links(path, page, parsed, site),
            *(gates.disordered_headings(page) if path not in moved else ()),
            *gates.speechless_images(page),
            *gates.too_heavy(path, page, site),
        ]
        for path, page in parsed.items()
    }
    assert {name: messages for name, messages in findings.items() if messages} == {}


def test_no_page_names_a_repository_that_is_not_configured(pages):
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"github\.com|mybinder\.org|colab\.research", text), path.name


# ---- in a browser ----


@pytest.fixture(scope="module")
def phone(browser, site):
    """One narrow window for all pages; formulas, which take longest, are drawn where all is looked at."""
    size = {"width": gates.NARROW, "height": 900}
    with browser.new_context(viewport=size, color_scheme="light", reduced_motion="reduce") as context:
        context.route("**/mathjax/**", lambda route: route.fulfill(body=NO_FORMULAS))
        yield gates.Visit(context)


@pytest.mark.browser
@pytest.mark.parametrize("name", sorted({*PAGES} - DAILY))
def test_a_page_is_silent_and_fits_on_a_phone_and_shows_the_focus(phone, site, name):
    phone.open(f"{site.as_uri()}/chapters/{name}.html")
    assert gates.wrong_on_a_phone(phone, site) == []


@pytest.mark.browser
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in DAILY else pytest.mark.nightly) for name in sorted(PAGES)],
)
def test_a_page_is_sound_in_light_and_dark_on_a_desktop_and_on_a_phone(visit, site, name):
    assert gates.wrong(visit(f"chapters/{name}.html"), site) == []


@pytest.mark.nightly
@pytest.mark.browser
def test_pages_made_by_sphinx_are_sound_too(visit, site, pages):
    """The index, the search, and of the sources of modules, which are alike, one in four."""
    others = [
        path.relative_to(site).as_posix()
        for path in pages
        if path.parent.name != "chapters" and path != site / "index.html"
    ]
    sources = [name for name in others if name.startswith("_modules/ndcg")]
    names = [name for name in others if name not in sources] + sources[::4]
    assert len(names) > 8
    findings = {name: gates.wrong(visit(name), site) for name in names}
    assert {name: messages for name, messages in findings.items() if messages} == {}


@pytest.mark.browser
def test_the_top_leads_to_the_first_page(browser, site):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto((site / "index.html").as_uri())
        page.wait_for_url("**/chapters/index.html")
        assert "ranker" in page.locator("article h1").inner_text()


# Questions of readers, and where the answer is.
ANSWERED = {
    "Theorem 8": "when-limits-tie#wang-theorem-8-1",
    "theorem 8 (2)": "when-limits-tie#wang-theorem-8-2",
    "theorem 7": "polynomial-discounts-keep-the-difference#wang-theorem-7",
    "figure 3": "the-papers-experiment#wang-figure-3",
    "lemma 34": "when-limits-tie#wang-lemma-34",
    "RankDCG": "rankdcg",
    "linear NDCG": "linear-ndcg",
    "Zipf": "the-zipfian-border",
    "pandas": "your-own-rankings",
    "significance": "your-own-rankings",
    "statistical significance": "your-own-rankings",
    "definition of told apart": "what-telling-apart-means",
    "ties": "conventions",
    "NDCG@10": "how-many-queries-are-enough",
    "MAP": "classical-metrics",
    "nDCG formula": "scoring-a-ranking#wang-definition-1",
    "how many queries": "how-many-queries-are-enough",
    "feasible": "which-discounts-are-feasible",
    "errata": "statements",
    "ledger": "statements#for-programs-and-for-corrections",
    "sklearn": "conventions",
    "log discount": "everything-tends-to-one",
    "rank correlation": "classical-metrics#rankdcg-definition-tau",
    "playground": "playground",
    "explorer": "explorer",
    "trec_eval": "what-your-library-computes",
    "cite": "get-it#cite-it",
    "how to cite": "get-it#cite-it",
    "API": "api-measures",
    "bootstrap": "your-own-rankings",
    "t-test": "your-own-rankings",
    "p-value": "your-own-rankings",
    "p-values": "your-own-rankings",
    "confidence interval": "your-own-rankings",
    "LightGBM": "what-your-library-computes",
    "click data": "the-papers-experiment",
    "install": "get-it",
    "download": "get-it",
    "license": "get-it#licence",
    "MRR": "classical-metrics#when-to-use-which",
    "discount": "glossary#term-discount",
    "bias": "short-cutoffs#why-a-larger-cut-off-limits-the-noise-a-larger-proportion-can-bring-bias",
    "Table 1": "rankdcg#rankdcg-table-tests",
    "theorem 4": "everything-tends-to-one#wang-theorem-4",
    "proof of theorem 4": "everything-tends-to-one#wang-theorem-4",
    "A/B test": "how-many-queries-are-enough",
    "power analysis": "how-many-queries-are-enough",
    "effect size": "how-many-queries-are-enough",
    "minimum detectable effect": "how-many-queries-are-enough",
    "what is NDCG": "scoring-a-ranking",
    "NDCG": "scoring-a-ranking",
    "map": "map",
    "early stopping": "when-may-i-stop",
    "unjudged": "judged-and-sampled",
    "sampled metrics": "judged-and-sampled",
    "peeking": "when-may-i-stop",
    "when to stop": "when-may-i-stop",
    "own data": "your-own-rankings",
    "my runs": "your-own-rankings",
    "own rankings": "your-own-rankings",
    "bonferroni": "your-own-rankings",
    "multiple comparisons": "your-own-rankings",
    "sklearn ndcg_score": "what-your-library-computes",
    "scikit-learn ndcg_score": "what-your-library-computes",
    "cutoff": "glossary#term-cut-off",
    "cut-off": "glossary#term-cut-off",
    "lambdamart": "other-data-other-pictures#boosted-trees-a-ranker-that-is-not-linear",
}


# The page's own script asks again on the page that is open: its megabyte need not be read for each question.
ASK_AGAIN = """([script, question]) => {
  document.getElementById("search-results").replaceChildren();
  new Function("location", script)({search: question});
}"""


@pytest.fixture(scope="module")
def search_page(browser, site):
    """One window for all questions; what formulas look like in it is looked at in another."""
    with browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") as context:
        context.route("**/mathjax/**", lambda route: route.fulfill(body=NO_FORMULAS))
        yield context.new_page()


@pytest.fixture(scope="module")
def search_for(search_page, site):
    """Asks a question: what was found, as page#anchor, in order."""
    page, said = search_page, []
    script = (site / "search.js").read_text(encoding="utf-8")
    page.on("pageerror", lambda error: said.append(str(error)))

    def asked(words, load=False):
        question = f"?q={quote(words)}"
        if load or page.url == "about:blank":
            page.goto(f"{(site / 'search.html').as_uri()}{question}")
        else:
            page.evaluate(ASK_AGAIN, [script, question])
        links = page.locator("#search-results li a").evaluate_all(
            "all => all.map(one => one.getAttribute('href'))"
        )
        assert said == []
        return [re.sub(r".*/|\.html", "", link) for link in links]

    asked.page = page
    return asked


@pytest.mark.browser
@pytest.mark.parametrize("words", ["sklearn ndcg_score", "<img src=x onerror=alert(1)>"])
def test_a_question_in_the_address_is_answered_as_on_the_open_page(search_for, words):
    shown = """() => [document.getElementById("search-results").innerHTML,
      document.querySelector(".bd-search-container input[name=q]").value]"""
    loaded, then = search_for(words, load=True), search_for.page.evaluate(shown)
    assert search_for("significance") != loaded
    assert search_for(words) == loaded and search_for.page.evaluate(shown) == then and then[1] == words
    assert search_for.page.locator(".bd-article-container img").count() == 0


# One question in four on each push: all are answered by one script from one index.
@pytest.mark.browser
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, marks=pytest.mark.nightly if index % 4 else ())
        for index, words in enumerate(ANSWERED)
    ],
)
def test_search_finds_the_answer_first_and_the_package_last(search_for, words):
    places = search_for(words)
    assert places[0] == ANSWERED[words]
    assert "map" not in places[:1] or words == "map"
    packages = [address.startswith("api-") for address in places]
    assert packages == sorted(packages)
    quoted = search_for.page.locator("#search-results li .context").first.inner_text().strip()
    assert quoted or words == "map"  # which its title alone finds


@pytest.mark.browser
def test_search_finds_words_with_accents_numbers_and_parts_and_nothing_else(visit, site, search_for):
    places = search_for("Hölder")
    assert places == search_for("holder") and "Holder-continuous" in places[0]
    assert any("the-log-discount-still-decides" in address for address in places)
    assert any(address.startswith("api-theory") for address in search_for("expected_gap"))
    assert any(address.startswith("glossary") for address in search_for("kappa"))
    assert all(address.startswith("api-measures#") for address in search_for("rankdcg ties scores")[-1:])
    assert (
        search_for("xyzzy") == []
        and "did not match" in search_for.page.locator(".search-summary").inner_text()
    )
    assert search_for("bootstrap") == search_for("significance") != []
    assert "“significance”" in search_for.page.locator(".search-summary").inner_text()
    search_for("<img src=x onerror=alert(1)>")
    assert search_for.page.locator(".bd-article-container img").count() == 0
    opened = visit("search.html?q=Theorem+8", width=390)
    opened.page.locator("#search-results li mjx-container").first.wait_for()
    for width in (390, 1280):
        gates.widen(opened.page, width)
        assert gates.inaccessible(opened.page) == [] and gates.scrolls_sideways(opened) == []
        assert opened.said == [] and gates.asks_elsewhere(opened, site) == []


@pytest.mark.browser
def test_a_linked_theorem_is_shown_on_hover_and_on_focus_and_escape_closes_it(visit):
    page = visit("chapters/everything-tends-to-one.html").page
    link = page.locator('article a[href="#theorem-4-rate"]').first
    link.hover()
    preview = page.locator(".preview")
    preview.wait_for()
    assert "The rate of theorem 4" in preview.inner_text()
    page.keyboard.press("Escape")
    assert preview.count() == 0
    page.locator('article a[href^="references.html#"]').first.focus()
    preview.wait_for()
    assert page.evaluate("document.activeElement.getAttribute('aria-describedby')") == "preview"
    page.locator("article summary").first.focus()
    assert preview.count() == 0


# ---- what the site shows of the build ----


def test_a_chapter_can_be_downloaded_as_it_was_executed(site):
    for name in PAGES:
        if (ROOT / "chapters" / f"{name}.ipynb").exists():
            source = site / "_sources" / "chapters" / f"{name}.ipynb"
            assert '"output_type": ' in source.read_text(encoding="utf-8"), name


@pytest.fixture(scope="session")
def found_verdicts(build):
    """The verdict on each statement that the build found."""
    return verdicts(read_findings(BOOK, build / "findings.json")[1])


@pytest.fixture(scope="session")
def chapter(parsed):
    """The pages of the table of contents by name, parsed."""
    return {name: parsed(name) for name in PAGES}


def test_every_statement_has_a_valid_address_and_a_line_on_the_page_of_statements(site, chapter):
    rows = json.loads((site / "statements.json").read_text(encoding="utf-8"))["statements"]
    assert {row["id"] for row in rows} == set(BOOK.registry)
    lines = [link["href"] for link in chapter["statements"].select("th a[href]")]
    for row in rows:
        name, anchor = re.fullmatch(r"chapters/(.*)\.html#(.*)", row["url"]).groups()
        assert anchor == slug(row["id"]) and name == BOOK.registry[row["id"]].page
        (box,) = chapter[name].find_all(id=anchor)
        head = box.select_one(".caption-number").get_text()
        source = BOOK.source(row["id"])
        assert head[0] == "C" if source.own else head.startswith(f"{source.short}, "), head
        assert row["number"] in head and f"{name}.html#{anchor}" in lines
        assert row["verdict"] == BOOK.registry[row["id"]].expected


def test_results_of_this_book_are_numbered_without_a_gap(chapter):
    heads = [head.get_text() for page in chapter.values() for head in page.select(".proof .caption-number")]
    numbers = [int(number[1]) for head in heads if (number := re.match(r"C(\d+)\b", head))]
    assert sorted(numbers) == list(range(1, len(numbers) + 1)) and len(numbers) > 40


def test_no_link_says_only_what_kind_of_statement_it_leads_to(chapter):
    kinds = re.compile(r"(theorem|lemma|definition|remark|proposition|property|observation)[\s.]*", re.I)
    links = [(name, link) for name, page in chapter.items() for link in page.select("article a[href*='#']")]
    assert [f"{name}: {link}" for name, link in links if kinds.fullmatch(link.get_text())] == []


@pytest.mark.parametrize("selector", ["figcaption .caption-number", ".exercise > .admonition-title", ".eqno"])
def test_visible_and_folded_items_are_numbered_separately(chapter, selector):
    """From 1 without a jump, in each chapter; pages that have no number count on from each other."""
    counted = {}
    for page in chapter.values():
        for tag in page.article.select(selector):
            before, folded, last = re.search(r"(\d+\.)?(A?)(\d+)", tag.get_text()).groups()
            # The title of what is closed is in sight itself.
            around = list(tag.parents)[1:] if "admonition-title" in tag["class"] else tag.parents
            closed = any(box.name == "details" for box in around)
            assert closed == bool(folded), tag
            counted.setdefault((before, folded), []).append(int(last))
    jumps = {
        number: numbers for number, numbers in counted.items() if numbers != list(range(1, len(numbers) + 1))
    }
    assert jumps == {} and sum(map(len, counted.values())) > 60
    assert any(folded for _, folded in counted)


def test_no_number_of_the_prose_shows_markup(chapter):
    """A number is pasted as text, in which a formula would stand as it is typed."""
    shown = [
        (name, number.get_text()) for name, page in chapter.items() for number in page.select(".pasted-text")
    ]
    assert [number for number in shown if re.search(r"[$\\]", number[1])] == [] and len(shown) > 1000


def test_no_two_figures_have_the_same_number(chapter):
    numbers = [n.get_text() for page in chapter.values() for n in page.select("figcaption .caption-number")]
    assert len(numbers) > 90 and len(set(numbers)) == len(numbers)


def test_a_box_its_evidence_and_its_row_lead_to_each_other(parsed, found_verdicts):
    """Every statement that has a box of its own shows the verdict that its row has."""
    verdict_of = {slug(statement): verdict for statement, verdict in found_verdicts.items()}
    for name in [chapter.name for chapter in PROJECT.notebooks]:
        for box in parsed(name).select("div.proof[id]"):
            shown = box.select_one("a.verdict")
            assert (shown is not None) == (box["id"] in verdict_of), box["id"]
            if shown:
                assert shown["href"] == f"#evidence-{box['id']}" and verdict_of[box["id"]] in shown.get_text()
                below = parsed(name).find(id=shown["href"][1:]).select_one(".rubric .verdict")
                assert (
                    below["href"] == f"statements.html#{box['id']}" and below.get_text() == shown.get_text()
                )
                row = parsed("statements").find(id=box["id"]).find_parent("tbody")
                assert (
                    verdict_of[box["id"]] in shown.get_text() and verdict_of[box["id"]] in row.tr.get_text()
                )
                assert row.th.find("a", href=f"{name}.html#{box['id']}")
