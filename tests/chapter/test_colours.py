"""Pages and widgets take their colours from the palette of the figures."""

from support import ROOT

from claimbook.palette import DARK, PALETTE
from ndcg_companion.book.widgets import widget

SOURCES = (".py", ".css", ".js", ".html")


def test_no_page_or_widget_names_a_colour_of_the_figures_itself():
    """They take it from the palette, so that the better ranker looks the same everywhere."""
    folders = [ROOT / "src" / "ndcg_companion", ROOT / "claimbook" / "src" / "claimbook"]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in SOURCES]
    assert len(files) > 100
    for path in files:
        text = path.read_text(encoding="utf-8").lower()
        named = [colour for colour in (*PALETTE[:6], *DARK) if colour in text]
        assert not named or path.name == "palette.py", f"{path.name}: {named}"


def test_widgets_colour_two_rankers_as_figures_do():
    style = widget(
        "race",
        dict.fromkeys(("rankers", "discounts", "cutoffs", "lengths", "bets", "queries"), ()) | {"apart": ""},
        fallback="",
    ).data
    assert f"--a: {PALETTE[0]}; --b: {PALETTE[1]};" in style and f"--a: {DARK[0]}; --b: {DARK[1]};" in style
