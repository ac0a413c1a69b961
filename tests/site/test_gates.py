"""Each gate accepts a sound page and rejects a page with the fault that it checks."""

import re
from pathlib import Path
from urllib.parse import unquote

import gates
import pytest

SOUND = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title></head>
<body><main><h1>One</h1><p id="first">Text, <a href="#first">a link</a>,
<label for="q">a field</label> <input id="q"></p>
<h2>Two</h2><ul><li>an item</li></ul><h3>Three</h3><h2>Four</h2>
<img src="a.png" alt="Two curves that fall, one below the other."></main></body></html>"""


def invalid(document, folder):
    return gates.invalid(document)


def broken_links(document, folder):
    return gates.broken_links(
        folder / "page.html", document, {folder / "page.html": document, folder / "b.html": document}, folder
    )


def disordered_headings(document, folder):
    return gates.disordered_headings(document)


def speechless_images(document, folder):
    return gates.speechless_images(document)


def too_heavy(document, folder):
    return gates.too_heavy(folder / "page.html", document, folder)


IN_THE_FILE = [invalid, broken_links, disordered_headings, speechless_images, too_heavy]


@pytest.fixture
def folder(tmp_path):
    for name in ("a.png", "b.html", "page.html"):
        (tmp_path / name).write_bytes(b"x")
    return tmp_path


@pytest.mark.parametrize("gate", IN_THE_FILE)
def test_a_sound_page_passes(gate, folder):
    assert gate(gates.Document(SOUND), folder) == []


@pytest.mark.parametrize(
    ("gate", "before", "after", "says"),
    [
        (invalid, "<!DOCTYPE html>", "", "doctype"),
        (invalid, "</ul>", "", "end-tag-too-early"),
        (invalid, 'id="q"', 'id="first"', "'first' stands 2 times"),
        (invalid, "an item", "<div id='first'></div>", "'first' stands 2 times"),
        (invalid, "<li>an item</li>", "<p>no item</p>", "<p> as a child of <ul>"),
        (invalid, "a link", "<button>a link</button>", "inside a link"),
        (invalid, "an item", "<span><div>an item</div></span>", "inside <span>"),
        (invalid, "an item", "<summary><p>an item</p></summary>", "inside <summary>"),
        (invalid, "an item", "<pre><div>an item</div></pre>", "inside <pre>"),
        (invalid, "an item", "<font>an item</font>", "<font>"),
        (invalid, "<li>", "<li align=right>", "align"),
        (invalid, ' alt="Two curves that fall, one below the other."', "", "without alt"),
        (invalid, 'for="q"', 'for="p"', "refers to 'p'"),
        (invalid, ' lang="en"', "", "no language"),
        (invalid, "A page", " ", "no title"),
        (broken_links, "#first", "#second", "no such anchor"),
        (broken_links, "#first", "c.html", "no such file"),
        (broken_links, "#first", "b.html#second", "no such anchor"),
        (broken_links, "#first", "../outside.html", "no such file"),
        (broken_links, "a.png", "b.png", "no such file"),
        (disordered_headings, "<h2>Two</h2>", "", "h3 after h1"),
        (disordered_headings, "<h1>One</h1>", "", "0 headings of the first level"),
        (disordered_headings, "<h2>Four</h2>", "<h1>Four</h1>", "2 headings of the first level"),
        (disordered_headings, "Four", "<a>#</a>", "an empty h2"),
        (speechless_images, "Two curves that fall, one below the other.", "figure 1", "no sentence"),
        (speechless_images, "other.", "other", "no sentence"),
        (too_heavy, "an item", "x" * gates.LARGEST, "bytes of its own"),
    ],
)
def test_a_broken_page_does_not_pass(gate, before, after, says, folder):
    assert before in SOUND
    messages = gate(gates.Document(SOUND.replace(before, after)), folder)
    assert any(says in message for message in messages), messages


def test_images_and_data_count_and_what_all_pages_share_does_not(folder):
    (folder / "_static").mkdir()
    (folder / "_static" / "theme.js").write_bytes(b"x" * gates.LARGEST)
    page = gates.Document(
        SOUND.replace(
            "</head>", '<script src="_static/theme.js"></script><script src="data.js"></script></head>'
        )
    )
    assert too_heavy(page, folder) == []
    (folder / "data.js").write_bytes(b"x" * gates.LARGEST)
    assert too_heavy(page, folder) != []


def test_links_out_of_the_site_are_found():
    page = gates.Document(
        '<a href="https://example.org/x">x</a><a href="//example.org">y</a>'
        '<a href="z.html">z</a><a href="mailto:a@b">m</a>'
    )
    assert gates.external_links(page) == ["https://example.org/x", "//example.org"]


# ---- in a browser, each on a page of a few lines ----

PAGE = """<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>A page</title>
<style>body {{ color: #222; background: #fff }} {style}</style></head>
<body><main><article><h1>One</h1><p>Text, <a href="#end">a link</a>.</p>{body}
<p id="end"><button>Last</button></p></article></main></body></html>"""


@pytest.fixture(scope="module")
def desktop(browser):
    """One window for these pages, each of which is a page of its own in it."""
    with browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme="light", reduced_motion="reduce"
    ) as context:
        yield context


@pytest.fixture
def findings(desktop, tmp_path):
    """What all gates together say of a page with this in its body."""

    def of(body="", style=""):
        path = Path(tmp_path, "page.html")
        path.write_text(PAGE.format(body=body, style=style), encoding="utf-8")
        return gates.wrong(gates.Visit(desktop, path.as_uri()), tmp_path)

    yield of
    for page in desktop.pages:
        page.close()


@pytest.mark.browser
def test_a_sound_page_passes_in_a_browser(findings):
    follows = """<script>
      const dark = matchMedia("(prefers-color-scheme: dark)");
      const follow = () => { document.documentElement.dataset.theme = dark.matches ? "dark" : "light"; };
      dark.addEventListener("change", follow);
    </script>"""
    assert findings(f"<details><summary>More</summary><p>Folded</p></details>{follows}") == []


WIDE = "<div style='width: 2000px'>wide</div>"
# What has to be said of a page with these faults; no fault of a page hides another of it.
FAULTS = [
    {
        "<script>fetch('http://127.0.0.1:9/x').catch(() => 0)</script>": "asked for http://127.0.0.1:9/x",
        "<script src='file:///elsewhere.js'></script>": "asked for file:///elsewhere.js",
        "<script>console.warn('beware')</script>": "warning: beware",
        "<script>setTimeout(() => { throw new Error('broken') })</script>": "error: broken",
        "<span class=math>\\(x\\)</span>": "not drawn: \\(x\\)",
        "<img src='none.png' alt='Nothing that could be seen.'>": "not shown",
        "<img src='none.png'>": "image-alt (critical)",
        "<p style='background: #888'>same colour, other ground</p>": "color-contrast (serious)",
        "<select><option>one</option></select>": "select-name (critical)",
        "<h3>Three</h3>": "heading-order (moderate)",
        f"<pre style='overflow: auto'>{'wide ' * 99}</pre>": "scrollable-region-focusable (serious)",
        f"<div style='overflow: auto'>{WIDE}</div>": "scrolls sideways, but for the mouse only",
        f"<div class=cell_input><pre style='overflow: auto'>{'x' * 500}</pre></div>": "wide: cut off",
        "<a href='#end' style='position: absolute; left: -999px'>off</a>": "focused outside the window",
        "<div onclick='0'>press</div>": "for the mouse only: <div",
        "<p>in one scheme alone</p>": "dark: light instead of dark",
    },
    {WIDE: "folded: scrolls sideways"},
    {"<div style='width: 900px'>wide</div>": "narrow: scrolls sideways"},
    {f"<details><summary>More</summary>{WIDE}</details>": "wide: scrolls sideways"},
    {"<p>pale</p><p>pale</p><style>p + p { color: #999 }</style>": "color-contrast (serious)"},
    {
        "<details><summary>More</summary><p style='color: #999'>pale</p></details>": "wide: color-contrast",
        "<style>button:focus { outline: none }</style>": "nothing shows that the focus is on <button",
    },
    {
        "<style>@media (prefers-color-scheme: dark) { p { color: #999 } }</style>": "dark: color-contrast",
        "<p style='position: fixed; inset: 0; background: #fff'>Over all</p>": "focused behind <p",
    },
    {"<input aria-label=trap onkeydown='event.preventDefault()'>": "the Tab key does not reach <button"},
]


@pytest.mark.browser
@pytest.mark.parametrize("faults", FAULTS, ids=[[*faults.values()][0] for faults in FAULTS])
def test_each_fault_of_a_page_is_found_in_a_browser(findings, faults):
    messages = findings("".join(faults))
    assert [
        fault for fault, says in faults.items() if not any(says in message for message in messages)
    ] == [], messages


# The same of the gates that every page passes on a phone.
FAULTS_ON_A_PHONE = [
    {
        "<script>fetch('http://127.0.0.1:9/x').catch(() => 0)</script>": "asked for http://127.0.0.1:9/x",
        "<script>console.warn('beware')</script>": "warning: beware",
        "<div style='width: 900px'>wide</div>": "folded: scrolls sideways",
        "<a class=off href='#end' style='position: absolute; left: -999px'>off</a>": "outside the window",
        "<div onclick='0'>press</div>": "for the mouse only: <div",
        f"<div style='overflow: auto'>{WIDE}</div>": "scrolls sideways, but for the mouse only",
        "<style>button:focus { outline: none }</style>": "nothing shows that the focus is on <button",
    },
    {f"<details><summary>More</summary>{WIDE}</details>": "unfolded: scrolls sideways"},
    {"<p style='position: fixed; inset: 0; background: #fff'>Over all</p>": "focused behind <p"},
]


@pytest.mark.browser
def test_each_fault_of_a_page_is_found_on_a_phone(desktop, tmp_path):
    visit = gates.Visit(desktop)
    visit.page.set_viewport_size({"width": gates.NARROW, "height": 900})
    for faults in ({}, *FAULTS_ON_A_PHONE):
        path = tmp_path / "page.html"
        path.write_text(PAGE.format(body="".join(faults), style=""), encoding="utf-8")
        visit.open(path.as_uri())
        messages = gates.wrong_on_a_phone(visit, tmp_path)
        unseen = [fault for fault, says in faults.items() if not any(says in message for message in messages)]
        assert unseen == [] and bool(messages) == bool(faults), messages
    visit.page.close()


@pytest.mark.browser
def test_in_the_dark_a_figure_keeps_its_own_background_only_if_it_has_both_schemes(findings):
    pixel = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='{}' height='9'/%3E"
    figures = [("", "#fff"), ("", "transparent"), ("in-both", "transparent"), ("in-both", "#fff")]
    body = "".join(
        f'<figure class="{kind}"><img alt="Pixels." style="background-color: {ground}" '
        f'src="{pixel.format(width)}"></figure>'
        for width, (kind, ground) in enumerate(figures)
    )
    messages = [line for line in findings(body) if line.startswith("dark: on rgb")]
    assert [re.search(r"width='(\d)'", unquote(line))[1] for line in messages] == ["1", "3"]


@pytest.mark.browser
def test_a_formula_that_cannot_be_read_does_not_pass(visit):
    """MathJax draws such a formula all the same."""
    notation = visit("chapters/glossary.html")
    assert gates.undrawn_formulas(notation) == []
    for formula in ("\\nonsense", "\\frac{1", "x^2^3"):
        notation.page.evaluate(
            """async formula => {
          const span = `<span class="math" id="unread">\\\\(${formula}\\\\)</span>`;
          document.querySelector("article").insertAdjacentHTML("beforeend", span);
          await MathJax.typesetPromise();
        }""",
            formula,
        )
        assert len(gates.undrawn_formulas(notation)) == 1, formula
        notation.page.locator("#unread").evaluate("formula => formula.remove()")
        assert gates.undrawn_formulas(notation) == []
