"""The folded code of every page, and what is visible when it is opened."""

import pytest
from support import PROJECT

CHAPTERS = {chapter.name: chapter for chapter in PROJECT.notebooks}


@pytest.fixture(scope="module")
def articles(parsed):
    """The text of each chapter's page, by the name of the chapter."""
    return {name: parsed(name).article for name in CHAPTERS}


def test_only_cells_marked_as_visible_show_code(articles):
    for name, article in articles.items():
        shown = [code["id"] for code in article.select(".cell_input") if not code.find_parent("details")]
        cells = CHAPTERS[name].notebook.cells
        assert shown == [f"cell-{cell.id}" for cell in cells if cell.metadata.get("in-sight")], name


def test_folds_say_what_they_do(articles):
    for name, article in articles.items():
        titles = [fold.get_text(strip=True) for fold in article.select("details.code > summary")]
        assert titles and "Code" not in titles, name


def test_every_figure_leads_to_its_code_which_says_what_drew_it(articles):
    for name, article in articles.items():
        for figure in article.select("figure:has(.to-foot)"):
            code = article.find(id=figure.select_one("figcaption a.to-foot")["href"][1:])
            lines = [line.get_text() for line in code.find_parent("details").select(".stamp")]
            number = figure.select_one(".caption-number").get_text().strip()
            assert any(line.strip().startswith(f"{number} is drawn by") for line in lines), (name, number)


def test_the_story_has_no_fold_but_solutions(articles):
    for name, article in articles.items():
        foot = {id(fold) for fold in article.select("#evidence details, #code-of-this-page details")}
        story = [fold for fold in article.select("details") if id(fold) not in foot]
        folds = [fold.summary.get_text(strip=True) for fold in story]
        assert [title for title in folds if not title.startswith("Solution")] == [], name


def test_every_number_leads_to_a_fold_with_its_code(articles):
    for name, article in articles.items():
        numbers = [number.parent for number in article.select("span.pasted-text") if number.get_text()]
        loose = [number.get_text() for number in numbers if not number.get("href", "").startswith("#cell-")]
        assert numbers and loose == [], name
        folds = {code["id"] for code in article.select(".cell_input")}
        assert {number["href"][1:] for number in numbers} <= folds, name


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
def test_one_button_shows_all_code_on_all_pages_until_it_is_pressed_again(open_chapter):
    page = open_chapter("conventions")
    addresses = {name: page.url.replace("conventions", name) for name in ("conventions", "your-own-rankings")}
    opened = "[...document.querySelectorAll('details.code')].every(fold => fold.open)"
    for name, now, then in (
        ("conventions", False, True),
        ("your-own-rankings", True, False),
        ("conventions", False, True),
    ):
        page.goto(addresses[name])
        button = page.locator("button.all-code")
        assert page.evaluate(opened) is now and button.get_attribute("aria-pressed") == str(now).lower()
        button.press("Enter")
        assert page.evaluate(opened) is then and button.inner_text() == (
            "Fold all code" if then else "Show all code"
        )
