"""The folds on a page that Sphinx renders."""

import pytest
from bs4 import BeautifulSoup
from example_book import page
from support import PROJECT


@pytest.fixture(scope="module")
def article(example):
    """The page with a cell of each kind."""
    return BeautifulSoup(page(example / "kept", "folded"), "html.parser").article


def test_cells_are_one_fold_up_to_the_next_that_has_a_name(article):
    folds = {
        fold.summary.get_text(strip=True): [cell["id"] for cell in fold.select(".cell_input")]
        for fold in article.select("details.code")
    }
    assert folds == {
        "Set <up>": ["cell-parameters", "cell-cell-0"],
        "Draw 400 lists": ["cell-draw", "cell-count"],
        "Draw others": ["cell-other"],
        "Halve them": ["cell-half", "cell-show-half", "cell-unnamed"],
        "Find": ["cell-find"],
        "Draw a line": ["cell-line"],
    }
    assert article.select_one("#cell-shown").find_parent("details") is None


def test_every_fold_has_a_name_of_its_own():
    """In the chapters, the first of consecutive code cells names what they do, unless it is visible."""
    for chapter in PROJECT.notebooks:
        names = names_of_folds(chapter)
        assert len(set(names)) == len(names) and all(len(name) <= 60 for name in names), chapter.name


def names_of_folds(chapter):
    names, follows = [], False
    for cell in chapter.notebook.cells:
        if "remove-input" in cell.metadata.get("tags", []):
            continue
        if cell.cell_type == "code" and not cell.metadata.get("in-sight"):
            assert follows or cell.metadata.get("fold"), f"{chapter.name}, {cell.id}"
            names += filter(None, [cell.metadata.get("fold")])
            follows = True
        else:
            follows = False
    return names


def test_outputs_of_cells_stay_visible_and_in_order(article):
    shown = [output for output in article.select(".cell_output")]
    assert ["an output" in shown[0].get_text(), "another" in shown[1].get_text()] == [True, True]
    assert all(output.find_parent("details") is None for output in shown)
    assert all(cell.find() for cell in article.select("div.cell"))


def test_a_number_is_a_link_to_its_cell(article):
    links = article.select("a[href='#cell-draw'] > span.pasted-text")
    assert [link.get_text() for link in links] == ["400", "400"]


def test_a_number_leads_to_the_cell_that_reports_it(article):
    in_text, in_caption = article.select("a[href='#cell-show-half'] > span.pasted-text")
    assert in_text.get_text() == in_caption.get_text() == "200" and article.select_one("#cell-show-half")


def test_a_figure_has_its_alternative_text_and_a_caption_that_leads_to_its_code(article):
    figure = article.select_one("figure#figure-line")
    assert figure.img["alt"] == "A 'line': it <rises>." and "in-both" in figure["class"]
    assert figure.figcaption.select_one("em").get_text() == "rises"
    assert figure.figcaption.select_one("a[href='#cell-show-half']").get_text() == "200"
    assert figure.figcaption.select_one("a.to-foot")["href"] == "#cell-line"
    assert "not installed" not in article.get_text()  # of the figure that was not drawn


def test_visible_numbers_have_no_gaps_and_folded_items_have_numbers_of_their_own(article):
    def heads(selector):
        return [tag.get_text(" ", strip=True).removesuffix("#").strip() for tag in article.select(selector)]

    assert heads(".exercise .admonition-title") == [
        "Exercise 1 (Of a)",
        "Exercise A1 (Of b)",
        "Exercise 2 (Of c)",
    ]
    assert heads("figcaption .caption-number") == ["Figure 1", "Figure A1", "Figure 2", "Figure 3"]
    assert heads(".eqno") == ["(1)", "(A1)", "(2)", "(A2)"]
    (links,) = [p.get_text() for p in article.select("p") if p.get_text().startswith("See ")]
    assert links.split(";") == [
        "See Exercise A1, (A1), Figure A1, (A2)",
        " Exercise 2, (2),\nFigure 2.",
    ]
