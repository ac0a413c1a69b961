"""What is folded, and what shows when it is opened: the code of every page, at both widths."""

import pytest
from gates import widen
from support import PROJECT

CHAPTERS = {chapter.name: chapter for chapter in PROJECT.notebooks}
# Lines of code are short on all pages, as their sources show; so a few pages are opened on each push.
DAILY = {"conventions", "everything-tends-to-one", "rankdcg"}
CUT_OFF = """() => [...document.querySelectorAll(".cell_input pre")]
  .filter(code => code.scrollWidth > code.clientWidth + 1)
  .map(code => `${code.textContent.slice(0, 60)}: ${code.scrollWidth} in ${code.clientWidth}`)"""


@pytest.fixture(scope="module", params=CHAPTERS)
def chapter(request):
    return CHAPTERS[request.param]


@pytest.fixture(scope="module")
def article(chapter, parsed):
    return parsed(chapter.name).article


def test_no_code_is_in_sight_but_the_cells_that_say_so(article, chapter):
    shown = [code["id"] for code in article.select(".cell_input") if not code.find_parent("details")]
    cells = chapter.notebook.cells
    assert shown == [f"cell-{cell.id}" for cell in cells if cell.metadata.get("in-sight")]


def test_folds_say_what_they_do(article):
    names = [fold.get_text(strip=True) for fold in article.select("details.code > summary")]
    assert names and "Code" not in names


def test_a_strip_below_a_figure_is_one_short_line(article):
    lines = [" ".join(strip.get_text().split()) for strip in article.select(".stamp")]
    assert [line for line in lines if len(line) > 88 or not line.endswith("its code")] == []


def test_every_number_leads_to_a_fold_with_its_code(article):
    numbers = [number.parent for number in article.select("span.pasted-text") if number.get_text()]
    loose = [number.get_text() for number in numbers if not number.get("href", "").startswith("#cell-")]
    assert numbers and loose == []
    assert {number["href"][1:] for number in numbers} <= {
        code["id"] for code in article.select(".cell_input")
    }


@pytest.mark.browser
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in DAILY else pytest.mark.nightly) for name in CHAPTERS]
)
def test_no_code_is_cut_off(visit, name):
    page = visit(f"chapters/{name}.html").page
    page.evaluate("document.querySelectorAll('details.code').forEach(fold => fold.open = true)")
    for width in (1280, 390):
        widen(page, width)
        assert page.evaluate(CUT_OFF) == [], width


@pytest.mark.browser
def test_an_address_that_ends_within_a_letter_names_nothing_and_is_no_error(open_chapter):
    page = open_chapter("conventions", "#%E0%A4%A")
    page.evaluate("location.hash = '#%E0%A4'")
    page.wait_for_timeout(100)  # for what a script complains of after the change


@pytest.mark.browser
def test_a_number_opens_the_fold_of_its_code(visit):
    page = visit("chapters/conventions.html").page
    number = page.locator("a.traced").first
    code = page.locator(number.get_attribute("href"))
    assert not code.is_visible()
    number.click()
    code.wait_for()
    assert 0 <= code.bounding_box()["y"] < 900


@pytest.mark.browser
def test_one_button_shows_all_code_on_all_pages_until_it_is_pressed_again(browser, site):
    with browser.new_context() as context:
        page = context.new_page()
        opened = "[...document.querySelectorAll('details.code')].every(fold => fold.open)"
        for name, now, then in (
            ("conventions", False, True),
            ("rankdcg", True, False),
            ("conventions", False, True),
        ):
            page.goto((site / "chapters" / f"{name}.html").as_uri())
            button = page.locator("button.all-code")
            assert page.evaluate(opened) is now and button.get_attribute("aria-pressed") == str(now).lower()
            button.press("Enter")
            assert page.evaluate(opened) is then and button.inner_text() == (
                "Fold all code" if then else "Show all code"
            )
