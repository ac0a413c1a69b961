"""The pages that 'companion sweep' and 'companion diff' write: what is drawn is what was found, under the
rules of every page.
"""

import gates
import pytest
from samples import DRAWING
from support import companion, write_notebook

from claimbook.project import Project

# Six runs and their pages in the browser, which change seldom; what is in them is tested with the command.
pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PARAMETERS = "beta: float = 0.5  # exponent [0 < beta < 1]\nseed: int = 1  # seed [0 ..]"
SOURCE = (
    DRAWING
    + """\
from ndcg_book import Page
page = Page("first")
page.numbers({"sum": beta + seed, "still": 0.1})  # the mean of six is another number
page.numbers({"itself": beta, "count": 1 + seed})
seen = beta / 1.01
page.finding("wang/theorem-7", claim=("low", 0.0, seen, 0.6), control=("high", 2.0, seen, 0.6), risk=0)
page.figure(line(beta), "figure-line")"""
)


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A sweep of six runs, two of which have a verdict that is not the expected one, and the difference of
    two runs.
    """
    root = tmp_path_factory.mktemp("swept")
    title = "The chapter first\n\nExponent and seed make {glue:text}`sum` together."
    write_notebook(root / "chapters" / "first.ipynb", SOURCE, parameters=PARAMETERS, title=title)
    (root / "_config.yml").write_text("book: ndcg_book:BOOK\n")
    (root / "_toc.yml").write_text("format: jb-book\nroot: chapters/first\n")
    assert Project(root).chapters
    done = companion("sweep", "first", "beta=0.2,0.5,0.7", "seed=1,2", "--output", "out", cwd=root)
    assert "6 of 6 runs are finished" in done.stdout, done.stderr
    companion("diff", "out/beta=0.2,seed=1", "out/beta=0.7,seed=1", "--output", "out/diff.html", cwd=root)
    return root / "out"


@pytest.fixture
def visit(browser, swept):
    """Opens a page of the sweep, in a window of its own."""
    contexts = []

    def opened(name, scheme="light", width=1280):
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme))
        return gates.Visit(contexts[-1], (swept / name).as_uri())

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", ["index.html", "diff.html"])
def test_the_rules_of_every_page_hold(visit, swept, name, tmp_path):
    seen = visit(name)
    (tmp_path / name).write_text(seen.page.content(), encoding="utf-8")
    faults = gates.wrong(seen, swept, themed=False)
    written, shown = gates.read(swept / name), gates.read(tmp_path / name)
    faults += [*gates.invalid(written), *gates.disordered_headings(shown), *gates.speechless_images(shown)]
    assert faults == []


def test_it_opens_on_what_goes_with_the_parameter_and_says_it_in_words(visit):
    page = visit("index.html").page
    assert page.locator("[name=parameter]").input_value() == "beta"
    options = page.locator("[name=quantity] option")
    assert page.locator("[name=quantity]").input_value() == "wang/theorem-7, check 1: observed for the claim"
    assert options.first.inner_text() == "sum: Exponent and seed make ▢ together."
    last = options.evaluate_all("all => all.map(one => one.value)")[-3:]
    assert last == ["still", "itself", "seconds"]  # a constant, the parameter, the clock
    page.locator("[name=quantity]").select_option("count")
    ticks = page.locator("text[text-anchor=end]").all_text_contents()
    assert ticks == ["2", "3"]  # no fraction where all are whole
    page.locator("[name=quantity]").select_option("sum")
    assert "“Exponent and seed make ▢ together.”" in page.locator("figcaption").inner_text()


def test_any_quantity_is_drawn_against_any_parameter(visit):
    page = visit("index.html").page
    page.locator("[name=quantity]").select_option("sum")
    page.locator("[name=parameter]").select_option("seed")
    page.locator("[name=colour]").select_option("beta")
    assert page.locator("svg circle").count() == 6 and page.locator("svg polyline").count() == 3
    assert page.locator("svg").get_attribute("aria-label") == "sum against seed: 6 runs, from 1.2 to 2.7."
    rows = [row.split("\t") for row in page.locator("figure ~ .scroll tbody tr").all_inner_texts()]
    assert sorted(rows) == sorted(
        [f"beta={beta},seed={seed}", str(beta + seed)] for beta in (0.2, 0.5, 0.7) for seed in (1, 2)
    )
    assert page.locator("[name=log]").is_enabled()
    page.locator("[name=quantity]").select_option("wang/theorem-7, check 1: observed for the claim")
    page.locator("[name=parameter]").select_option("beta")
    heights = [float(dot.get_attribute("cy")) for dot in page.locator("svg circle").all()]
    assert len(set(heights)) == 3


def test_verdicts_that_changed_lead_to_their_runs(visit, swept):
    page = visit("index.html").page
    assert page.locator("table").first.locator("tbody tr").all_inner_texts() != []
    links = page.locator("table").first.locator("a").all()
    assert {link.inner_text() for link in links} >= {"beta=0.7,seed=1", "beta=0.7,seed=2"}
    for link in links:
        target = link.evaluate("one => decodeURIComponent(one.getAttribute('href'))")
        assert (swept / target).is_file()
