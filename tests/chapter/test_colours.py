"""Pages and widgets take their colours from the palette of the figures."""

import re

import pytest
from support import ROOT

from claimbook.palette import DARK, PALETTE, on_dark
from ndcg_book.widgets import widget
from ranking_report.colours import DARK as REPORT_DARK
from ranking_report.colours import LIGHT

FOLDERS = [ROOT / "src", *(ROOT / "packages" / name / "src" for name in ("claimbook", "ranking-report"))]
SOURCES = (".py", ".css", ".css_t", ".js", ".html", ".svg")
A_COLOUR = re.compile(r"(?<![&\w])#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgb|hsl)a?\(", re.I)
# What stands for no colour of the book.
NAMED = {
    ("book.html", "#fff"),  # paper
    ("claimbook.css", "#fff"),  # the card under a figure that stays light
    ("claimbook.css", "#000"),  # all of what is behind a mask
    ("dark.py", "#000000"),  # what Matplotlib writes for black and white
    ("dark.py", "#ffffff"),
    ("diff.html", "#fff"),  # under figures that stay light
}


def test_every_colour_is_from_the_palette():
    """No figure, widget, page or style sheet has its own colours, so rankers look the same everywhere."""
    files = [path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in SOURCES]
    assert len(files) > 100 and {path.suffix for path in files} == set(SOURCES)
    colours = [
        (path.name, colour)
        for path in files
        for colour in A_COLOUR.findall(path.read_text(encoding="utf-8"))
        if path.name not in ("palette.py", "colours.py")
    ]
    assert set(colours) == NAMED


def test_a_report_has_the_colours_of_the_book():
    for colours, palette in ((LIGHT, PALETTE), (REPORT_DARK, DARK)):
        assert [colours["ahead"], colours["behind"]] == [*palette[:2]]
    assert LIGHT.keys() == REPORT_DARK.keys()
    assert all(REPORT_DARK[name] == on_dark(colour) for name, colour in LIGHT.items())


@pytest.mark.parametrize(
    "text", ["color: #abc;", "#0005", "'#1A66D6'", "#1a66d680", "rgba(0, 0, 0, 0.5)", "hsl(1"]
)
def test_a_colour_is_seen_as_one(text):
    assert A_COLOUR.search(text)


@pytest.mark.parametrize("text", ["a&#124;b", "page.html#dec-ade", "f(#1)", "{#- x", "#include", "# 124"])
def test_text_without_a_colour_is_not_found(text):
    assert not A_COLOUR.search(text)


def test_widgets_colour_two_rankers_as_figures_do():
    style = widget(
        "race",
        dict.fromkeys(("rankers", "discounts", "cutoffs", "lengths", "bets", "queries"), ()) | {"apart": ""},
        fallback="",
    ).data
    assert f"--a: {PALETTE[0]}; --b: {PALETTE[1]};" in style and f"--a: {DARK[0]}; --b: {DARK[1]};" in style
