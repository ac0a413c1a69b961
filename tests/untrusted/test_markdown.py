"""Untrusted text in Markdown, as the book reads it. Every character is visible and has no effect."""

import io
import shlex
import unicodedata
import warnings
from collections import Counter
from xml.etree import ElementTree

import pytest
import yaml
from bs4 import BeautifulSoup
from docutils.core import publish_parts
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import rc_context
from matplotlib.figure import Figure
from myst_parser.parsers.docutils_ import Parser
from support import ROOT

from claimbook.templates import _environment
from claimbook.text import (
    cell,
    check_plain,
    escaped,
    figure,
    is_plain,
    markdown,
    shell,
    svg,
)
from ndcg_companion.data.names import check_names, folded
from ndcg_companion.text import escaped as library_escaped
from untrusted.strings import CONTROLS, JOINERS, PRINTABLE, controlled, printable

CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
# Where chapters and pages put names.
PLACES = [
    "{0}",
    "before {0} after {0}",
    "{{.stamp}}\n{0} · {0}",
    "- {0}\n- {0}",
    "# {0}",
    "| {0} | b |\n|--|--|\n| {0} | {0} |",
    "> {0}",
    "[{0}](https://example.org)",
    "*{0}* and **{0}**",
    "{0}\n: {0}",
    "```{{figure}} x.png\n:alt: a\n\n{0}\n```",
    ":::{{note}}\n{0}\n:::",
]


def rendered(text):
    """The page of a Markdown text, as HTML."""
    options = {
        "myst_enable_extensions": CONFIG["parse"]["myst_enable_extensions"],
        "smart_quotes": CONFIG["sphinx"]["config"]["smartquotes"],
        "report_level": 5,
        "doctitle_xform": False,
    }
    return publish_parts(text, parser=Parser(), writer_name="html5", settings_overrides=options)["body"]


def elements(page):
    """How often each element stands there, with the names of its attributes."""
    return Counter(
        (tag.name, *sorted(tag.attrs)) for tag in BeautifulSoup(page, "html.parser").find_all(True)
    )


def test_no_template_is_filled_in_and_no_quote_is_turned():
    assert "substitution" not in CONFIG["parse"]["myst_enable_extensions"]
    assert CONFIG["sphinx"]["config"]["smartquotes"] is False


@pytest.mark.parametrize("code", [True, False])
@settings(max_examples=15)
@given(strings=st.lists(printable, min_size=4, max_size=4))
def test_a_name_is_shown_unchanged_wherever_it_appears(code, strings):
    """A page of many names has the elements of the same page with a harmless name, and their text."""
    for template in PLACES:
        named = "\n\n".join(template.format(markdown(f"x{string}x", code)) for string in strings)
        harmless = "\n\n".join(template.format(markdown("name", code)) for _ in strings)
        page, plain = rendered(named), rendered(harmless)
        assert elements(page) == elements(plain), template
        seen = BeautifulSoup(page, "html.parser").get_text()
        assert all(f"x{string}x" in seen for string in strings), template


def test_each_known_string_is_seen_as_it_is():
    for code in (True, False):
        names = [markdown(string, code) for string in PRINTABLE]
        for template in PLACES:
            soup = BeautifulSoup(
                rendered("\n\n".join(template.format(name) for name in names)), "html.parser"
            )
            assert not soup.select("#made:not(section), .made, [made]")
            seen = soup.get_text()
            assert [string for string in PRINTABLE if string not in seen] == []


def test_the_test_can_fail():
    assert BeautifulSoup(rendered("<b id=made>x</b>"), "html.parser").find(id="made")
    assert elements(rendered("`` ` ``")) != elements(rendered("`"))


def in_html(string):
    """As a page made of a template has it."""
    return _environment().from_string("{{ string }}").render(string=string)


@given(controlled)
def test_what_cannot_be_shown_is_escaped_everywhere_and_rejected_as_a_name(string):
    assert not is_plain(string)
    with pytest.raises(ValueError) as refusal:
        check_plain(string, "name")
    for text in (str(refusal.value), escaped(string), in_html(string), markdown(string), cell(string)):
        assert is_plain(text)
    assert len(escaped("x" * 500_000)) <= 80


@given(printable)
def test_in_a_shell_it_is_one_word_and_in_a_table_no_formula(string):
    assert shlex.split(shell("companion", string)) == ["companion", string]
    assert unicodedata.normalize("NFKC", cell(string)[:1]) not in ("=", "+", "-", "@")
    page = BeautifulSoup(f"<p title='{in_html(string)}'>x{in_html(string)}x</p>", "html.parser")
    assert page.p.get_text() == f"x{string}x" and page.p["title"] == string


@pytest.mark.parametrize("control", [control for control in CONTROLS if control.isascii()])
def test_a_figure_with_untrusted_words_is_well_formed(control):
    drawn, image = Figure(), io.StringIO()
    drawn.suptitle(f"a{control}--><script>b")
    with warnings.catch_warnings(action="ignore"):  # of glyphs that the font does not have
        drawn.savefig(image, format="svg")
    tree = ElementTree.fromstring(svg(image.getvalue()))
    assert not [element for element in tree.iter() if element.tag.endswith("script")]


def test_a_name_in_a_figure_is_no_formula():
    for string in [*PRINTABLE, *CONTROLS, r"\$x$", "$x$ costs $5", r"$\frac{"]:
        drawn, image = Figure(), io.StringIO()
        drawn.text(0, 0, figure(string))
        with rc_context({"svg.fonttype": "none"}), warnings.catch_warnings(action="ignore"):
            drawn.savefig(image, format="svg")
        tree = ElementTree.fromstring(svg(image.getvalue()))
        (seen,) = [element.text for element in tree.iter() if element.tag.endswith("}text")]
        assert seen == escaped(string)


def test_joiners_of_letters_are_letters():
    assert all(is_plain(string) for string in PRINTABLE)
    assert not any(map(is_plain, CONTROLS))


def test_the_library_escapes_the_same_characters_as_the_book():
    selectors = ["a\ufe0f", "\u2764\ufe0f", "\u2764\ufe0f\ufe0f", "\u2764\ufe0f\u200d\U0001f525"]
    strings = [*selectors, *JOINERS, *CONTROLS, *PRINTABLE]
    assert [library_escaped(string) for string in strings] == [escaped(string) for string in strings]


@pytest.mark.parametrize("escape", [escaped, library_escaped])
def test_a_long_text_ends_with_an_ellipsis_at_the_largest_length(escape):
    assert [escape(length * "x", most=9) for length in (9, 10)] == [9 * "x", 8 * "x" + "…"]


@pytest.mark.parametrize("joiner", JOINERS, ids=ascii)
@pytest.mark.parametrize("name", ["a{0}b", "{0}", "{0}a", "a{0}", " {0} ", "é {0}é", "{0}{0}", "a{0}é"])
def test_a_joiner_that_joins_nothing_is_escaped(joiner, name):
    name = name.format(joiner)
    assert not is_plain(name) and is_plain(escaped(name)) and joiner not in escaped(name)


@given(st.text(max_size=6), st.text(max_size=6))
def test_no_two_texts_are_one_cell(first, second):
    if is_plain(first) and is_plain(second) and first != second:
        for left, other in ((first, second), (f"={first}", f"'={first}"), (f"'{first}", first)):
            assert cell(left) != cell(other)


@given(printable, st.sampled_from(["\u3000", " ", "\xa0", ""]))
def test_names_that_look_alike_are_rejected(string, blank):
    composed, apart = (unicodedata.normalize(form, f"é{string}") for form in ("NFC", "NFD"))
    with pytest.raises(ValueError, match="expected a name that does not look like"):
        check_names([composed, "other", apart if apart != composed else f"{composed} "], "system")
    with pytest.raises(ValueError, match="not blank"):
        check_names(["other", blank], "system")
    with pytest.raises(ValueError, match="expected a text as a name"):
        check_names(["other", 7], "system")
    check_names([f"{string}A", f"{string}a", f"{string}b"], "system")


@given(st.lists(st.text(max_size=5), max_size=8))
def test_texts_are_folded_together_as_they_are_one_by_one(texts):
    assert folded(texts) == [folded([text])[0] for text in texts]
    assert folded([text.swapcase() for text in texts if text.isascii()]) == folded(
        [text for text in texts if text.isascii()]
    )
