"""The typeface of pages and figures."""

from fontTools.ttLib import TTFont

from claimbook.fonts import FACES, WEB_FAMILY, families, web_fonts


def test_subsets_are_small_have_the_letters_of_the_book_and_not_the_reserved_name(tmp_path):
    rules = web_fonts(tmp_path)
    written = sorted(tmp_path.glob("*.woff2"))
    assert len(written) == len(FACES) and sum(path.stat().st_size for path in written) < 200_000
    for path in written:
        font = TTFont(path)
        letters = "Aé0–“" if path.name.startswith("it-") else "Aé0–“βΔ→≤√"  # no others in the original
        assert all(ord(letter) in font.getBestCmap() for letter in letters)
        assert {str(font["name"].getDebugName(record)) for record in (1, 4, 6)} == {WEB_FAMILY}
        assert f"fonts/{path.name}" in rules


def test_subsets_are_made_once(tmp_path):
    web_fonts(tmp_path)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    web_fonts(tmp_path)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_figures_are_drawn_with_the_typeface():
    from matplotlib.font_manager import findfont

    assert "SourceSansPro" in findfont(families()[0], fallback_to_default=False)


def test_bold_in_a_figure_is_the_semibold_face_without_a_warning(caplog):
    from matplotlib.font_manager import FontProperties, findfont

    bold = FontProperties(family=families()[0], weight="bold")
    assert "SourceSansPro-Semibold" in findfont(bold, fallback_to_default=False)
    assert not caplog.records
