"""The page that 'ranking-report compare' writes, under the rules of every page: what scrolls shows it."""

import gates
import numpy as np
import pytest

from ranking_report import compare

pytestmark = pytest.mark.browser

# A browser alone finds what is wider than a phone, and what the keyboard does not reach.
NAMES = [
    "dense-retriever-with-a-cross-encoder_v2 & 10% #3",
    "bm25+rm3_k1:0.9_b:0.4_fbTerms:10_fbDocs:10",
    "c",
]
MEASURES = ["nDCG@10", "AP", "P@5", "RR", "nDCG(discount=power:0.5)@100"]


@pytest.fixture(scope="module")
def given():
    """Judgments and runs, each with a document that nobody judged."""
    rng = np.random.default_rng(1)
    qrels = {f"q{q}": {f"d{d}": int(rng.integers(0, 3)) for d in range(20)} | {"d": 1} for q in range(40)}
    runs = {
        name: {
            q: {d: label + noise * rng.normal() for d, label in (docs | {"u": 0}).items()}
            for q, docs in qrels.items()
        }
        for name, noise in zip(NAMES, (0.5, 1, 4))
    }
    return qrels, runs


@pytest.fixture(scope="module")
def page(given, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "out"
    compare(*given, measures=MEASURES).save(folder)
    return folder / "index.html"


@pytest.fixture
def visit(browser, page):
    contexts = []

    def opened(scheme, width):
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme))
        return gates.Visit(contexts[-1], page.as_uri())

    yield opened
    for context in contexts:
        context.close()


def test_the_rules_of_every_page_hold(visit, page):
    seen = visit("light", gates.WIDE)
    assert [*gates.wrong(seen, page.parent, themed=False), *gates.invalid(gates.read(page))] == []


def test_a_table_that_is_cut_has_a_shadow_at_its_side_until_its_end(visit):
    seen = visit("light", 390).page
    table = seen.locator(".wide:has(table)").first
    table.evaluate("box => scrollTo(0, scrollY + box.getBoundingClientRect().bottom - 400)")
    side = table.evaluate("""box => {
      const {right, bottom} = box.getBoundingClientRect();
      return {x: right - 6, y: bottom - 60, width: 6, height: 50};
    }""")

    def is_shaded():
        """Whether the right side looks different without the background of the box."""
        looks = []
        for background in ("", "none"):
            table.evaluate("(box, background) => box.style.background = background", background)
            looks.append(seen.screenshot(clip=side))
        return looks[0] != looks[1]

    assert is_shaded()
    table.evaluate("box => box.scrollLeft = box.scrollWidth")
    assert not is_shaded()


def test_any_two_lists_are_shown_side_by_side_for_any_query(visit, given):
    """Against lists that are sorted here: the ten highest scores, each with its grade, or a dash."""
    qrels, runs = given
    seen = visit("light", gates.WIDE).page
    for name, label in (("first", NAMES[2]), ("second", NAMES[0])):
        seen.locator(f"#{name}").select_option(label=label)
    options = seen.locator("#query option").all_inner_texts()
    differences = [abs(float(text.rpartition(": ")[2].replace("−", "-"))) for text in options]
    assert len(options) == len(qrels) and differences == sorted(differences, reverse=True)
    seen.locator("#query").select_option(index=3)
    query = options[3].partition(":")[0]
    first, second = (
        sorted(runs[name][query], key=lambda d, name=name: -runs[name][query][d])[:10]
        for name in (NAMES[2], NAMES[0])
    )
    rows = seen.locator("#side-by-side tbody tr").all()
    for row, *documents in zip(rows, first, second, strict=True):
        for cell, document, others in zip(row.locator("td.name").all(), documents, (second, first)):
            expected = f"{document} ({qrels[query].get(document, '–')})"
            assert cell.inner_text() == expected + " only here" * (document not in others)
