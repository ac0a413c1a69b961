"""The explorer in a browser shows the theory's values, obeys the keyboard, and keeps its address."""

import json
import re
from functools import partial

import numpy as np
import pytest
from gates import recolour, widen

from ndcg_book.widgets.numbers import PAGE
from ndcg_companion.measures import Log, Power, Zipf
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.theory import (
    Population,
    discount_integral,
    expected_dcg,
    expected_ideal_dcg,
    limit,
    pseudo_dcg,
)

pytestmark = pytest.mark.browser

HALF_A_DIGIT = (
    0.5e-3 + 2.5e-6
)  # the page prints three decimals of differences of numbers known to a millionth
GO = """hash => new Promise(done => {
  if (location.hash === hash) return done();
  addEventListener("hashchange", () => requestAnimationFrame(done), {once: true});
  location.hash = hash;
})"""
ELSEWHERE = "#a=cosine:-0.1&b=step:0.75&beta=0.2&n=1e4&cut=0.5"
COLOURS = """nodes => nodes.map(node => {
  let behind = node;
  while (getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
  const ink = getComputedStyle(node)[node.ownerSVGElement ? "fill" : "color"];
  return [node.textContent, ink, getComputedStyle(behind).backgroundColor];
})"""


@pytest.fixture
def open_page(open_chapter):
    return partial(open_chapter, "explorer")


@pytest.fixture(scope="module")
def window(keep_chapter):
    return keep_chapter("explorer")


@pytest.fixture
def explore(window):
    """The window of all tests that need none of their own, at an address."""

    def open_at(address="#a=power:2&b=step:0.5&beta=0.5&n=1e6&cut=1"):
        window.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        for each in (ELSEWHERE, address):
            window.evaluate(GO, each)
        return window

    return open_at


def data_of(page):
    return json.loads(page.locator("#explorer-data").text_content())


def text(page, selector):
    return page.locator(f"#explorer {selector}").inner_text().replace("−", "-")


def table(page):
    """The numbers of A, B and A - B: log discount at n and in the limit, then the power discount."""
    return np.array(
        [
            [float(number) for number in re.findall(r"-?\d\.\d{3}", row.replace("−", "-"))]
            for row in page.locator("#explorer tbody tr").all_inner_texts()
        ]
    )


def population(family, a, p, share=1.0):
    """The items as the ranker sees them; below the share that counts, nothing is relevant."""
    curve = {
        "constant": lambda s: p + 0 * s,
        "power": lambda s: p * (1 + a) * s**a,
        "reversed": lambda s: p * (1 + a) * (1 - s) ** a,
        "step": lambda s: np.where(s > 1 - p, a, p * (1 - a) / (1 - p)),
        "cosine": lambda s: p - a * np.cos(np.pi * s),
        "poly": lambda s: p + a * (2 - 10 * s + 9 * s**2),
    }[family]
    return Population(
        lambda s: np.where(s >= 1 - share, np.clip(curve(s), 0, 1), 0.0), breaks=(1 - p, 1 - share)
    )


def ndcg(family, a, p, discount, share, n):
    """The exact ratio of expectations for short lists, the pseudo-expectation for long ones, the limit for n
    = None.
    """
    whole = population(family, a, p)
    if share == PAGE:
        if n is None:
            return float(limit(whole, Zipf()))  # the relevance at the top
        return expected_dcg(whole, discount, n, k=PAGE) / expected_ideal_dcg(whole, discount, n, k=PAGE)
    if n is None:
        return float(limit(whole, discount, k=share))
    if n <= 1e4:
        positions = cutoff(share, int(n))
        counted = lambda r: discount(r) * (r <= positions)
        return expected_dcg(whole, counted, n) / expected_ideal_dcg(whole, counted, n)
    return pseudo_dcg(population(family, a, p, share), discount, n) / discount_integral(
        discount, n * min(p, share)
    )


@pytest.mark.parametrize("number", [10, pytest.param(30, marks=pytest.mark.nightly)])
def test_random_states_are_read_out_as_the_theory_has_them(explore, number):
    page, rng = explore(), np.random.default_rng(7)
    data = data_of(page)
    p = data["curves"][0][1]
    lengths = sorted({*data["short"], *data["long"]})
    for _ in range(number):
        curves = [data["curves"][index][:2] for index in rng.choice(len(data["curves"]), 2, replace=False)]
        beta, n, share = (
            rng.choice(data["betas"]),
            float(rng.choice(lengths)),
            float(rng.choice(data["cutoffs"])),
        )
        named = [f"{family}:{parameter:.6g}" for family, parameter in curves]
        page.evaluate(GO, f"a={named[0]}&b={named[1]}&beta={beta:g}&n={n:g}&cut={share:g}")
        power = Zipf() if beta == 1 else Power(float(beta))
        read = [(discount, share, length) for discount in (Log(), power) for length in (n, None)]
        expected = [[ndcg(*curve, p, *each) for each in read] for curve in curves]
        expected.append(np.subtract(*expected))
        np.testing.assert_allclose(
            table(page), expected, atol=HALF_A_DIGIT, err_msg=f"{named} {beta} {n} {share}"
        )
        for gap, words in zip(
            expected[2][::2], re.findall(r"puts .*? by \d\.\d{3}", text(page, ".told")), strict=True
        ):
            if words.startswith("puts neither"):
                assert abs(gap) < HALF_A_DIGIT
            else:
                assert words.startswith(f"puts {'A' if gap > 0 else 'B'} ahead")
                assert float(words[-5:]) == pytest.approx(abs(gap), abs=HALF_A_DIGIT)
        left = re.findall(r"leaves (nothing|less than 0\.001|\d\.\d{3})", text(page, ".told"))
        for gap, words in zip(expected[2][1::2], left, strict=True):
            assert abs(gap) == pytest.approx(float(words) if words[0].isdigit() else 0.0, abs=HALF_A_DIGIT)


def test_the_pictures_say_what_the_table_says(explore):
    page = explore("#a=power:2&b=constant&beta=0.5&n=1e6&cut=1")
    labels = [
        svg.get_attribute("aria-label").replace("−", "-")
        for svg in page.locator("#explorer figure svg").all()
    ]
    numbers = [re.findall(r"[AB] (\d\.\d{3})", label) for label in labels]
    log, log_limit, power, power_limit = table(page)[:2].T
    shown = [[], [power_limit, log_limit], [log, log_limit], [power, power_limit]]
    for texts, pairs in zip(numbers, shown, strict=True):
        assert texts == [f"{value:.3f}" for pair in pairs for value in pair]
    # The mark of the present state stands at the height of its value, on the scale of the ticks.
    svg = page.locator("[data-panel=power] svg")
    labels = [float(label) for label in svg.locator("text[text-anchor=end]").all_text_contents()]
    levels = svg.locator("line.grid").evaluate_all("lines => lines.map(line => line.y1.baseVal.value)")[
        : len(labels)
    ]
    height = float(svg.locator("circle.a[r='4']").get_attribute("cy"))
    assert np.polyval(np.polyfit(levels, labels, 1), height) == pytest.approx(power[0], abs=0.003)


def test_the_keyboard_reaches_and_moves_everything(explore):
    page = explore("#a=power:2&b=step:0.5&beta=0.5&n=1e6&cut=1")
    page.locator("#explorer a").last.focus()
    reached = []
    while not reached or reached[-1] != "cut":
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.name"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        assert len(reached) < 9
    assert reached == ["family-a", "shape-a", "family-b", "shape-b", "beta", "n", "cut"]

    def pressed(name, key):
        before = text(page, ".told")
        page.locator(f"#explorer [name={name}]:is(select, [type=range], :checked)").focus()
        page.keyboard.press(key)
        assert text(page, ".told") != before, name

    for name in ("shape-a", "shape-b", "beta", "n", "cut"):
        pressed(name, "ArrowRight")
    pressed("family-a", "ArrowDown")
    pressed("n", "Home")
    assert text(page, "#explorer-n-now") == "10" and "n = 10 " in text(page, ".told")
    pressed("n", "End")
    assert page.locator("#explorer-n").get_attribute("aria-valuetext") == "10^100"
    pressed("beta", "End")
    assert text(page, "#explorer-beta-now") == "1/r"


def test_an_address_brings_back_what_was_seen(explore, open_page):
    page = explore("#a=cosine:-0.1&b=step:0.5&beta=0.2&n=1e4&cut=0.5")
    page.locator("#explorer-n").focus()
    page.keyboard.press("ArrowRight")
    page.locator("#explorer-family-b").select_option("poly")
    page.wait_for_function("location.hash.includes('b=poly')")
    other = open_page(page.evaluate("location.hash"))
    assert "n=1e5" in other.evaluate("location.hash")
    for selector in (".told", "table", "output.of-a", "output.of-b", ".panels"):
        assert text(other, selector) == text(page, selector)
    controls = (
        "[...document.querySelector('#explorer form').elements].map(each => each.checked ?? each.value)"
    )
    assert other.evaluate(controls) == page.evaluate(controls)


def test_an_address_between_the_stops_snaps_and_a_strange_one_changes_nothing(open_page):
    page = open_page("#a=nonsense&beta=x&n=-1")  # before the widget begins, and later
    strange = text(page, "table"), text(page, ".told")
    page.evaluate(GO, "#what-the-numbers-are")
    assert page.evaluate("location.hash") == "#what-the-numbers-are"
    assert (text(page, "table"), text(page, ".told")) == strange
    between, stop = (
        "#a=power:2.4&b=reversed:99&beta=0.49&n=2e6&cut=0.21",
        "#a=power:2&b=reversed:4&beta=0.5&n=1e6&cut=0.2",
    )
    shown = []
    for address in (ELSEWHERE, between, ELSEWHERE, stop):
        page.evaluate(GO, address)
        shown.append((text(page, "table"), text(page, ".told")))
    assert shown[1] == shown[3] != shown[0]
    fresh = open_page("#what-the-numbers-are")
    assert (text(fresh, "table"), text(fresh, ".told")) == strange
    assert fresh.evaluate("location.hash") == "#what-the-numbers-are"


def test_the_suggestions_to_try_show_what_they_announce(explore):
    page = explore()
    links = page.locator("#explorer .tries li")
    assert links.count() == 3
    for index, column in enumerate(([0], [0, 2], [1])):
        links.nth(index).locator("a").click()
        page.wait_for_selector(f"#explorer .tries li:nth-child({index + 1}) a[aria-current]")
        promised = [float(number) for number in re.findall(r"\d\.\d{3}", links.nth(index).inner_text())]
        np.testing.assert_allclose(np.abs(table(page)[2][column]), promised, atol=1.5e-3)
    assert page.locator("#explorer .tries a[aria-current]").count() == 1


def test_a_click_into_a_picture_chooses_the_nearest_stop(explore):
    page = explore("#n=10&beta=0")
    svg = page.locator("[data-panel=log] svg")
    svg.click(position={"x": svg.bounding_box()["width"] - 21, "y": 60})
    assert text(page, "#explorer-n-now") == "10100"
    svg = page.locator("[data-panel=limits] svg")
    svg.click(position={"x": (36 + svg.bounding_box()["width"] - 20) / 2, "y": 60})
    assert text(page, "#explorer-beta-now") == "r-0.5"


def test_equal_curves_are_called_equal(explore):
    assert "no discount tells them apart" in text(explore("#a=power:2&b=power:2"), ".told")


def luminance(colour):
    """Of a colour as the browser tells it, by the definition of WCAG 2."""
    red, green, blue = (float(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3])
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in (red, green, blue)]
    return np.dot(linear, [0.2126, 0.7152, 0.0722])


def test_it_fits_and_is_readable_in_light_and_dark_on_a_phone_and_in_a_wide_window(open_page):
    page = open_page("#a=poly:0.1&b=step:0.75&beta=1&n=1e100&cut=0.2", width=390)
    for scheme in ("light", "dark"):
        recolour(page, scheme)
        for width in (390, 1280):
            widen(page, width)
            fits_and_can_be_read(page)


def fits_and_can_be_read(page):
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    parts = page.locator("#explorer, #explorer :is(fieldset, figure, table)")
    assert parts.evaluate_all("nodes => nodes.every(node => node.scrollWidth <= node.clientWidth + 1)")
    words = (
        "legend, label, output, select, .told, caption, th, td, figcaption, text, .note, .tries li, .tries a"
    )
    written = page.locator(f"#explorer :is({words})").evaluate_all(COLOURS)
    controls = page.locator("#explorer :is(select, input[type=range])").all()
    assert written and controls
    for said, *colours in written:
        dark, bright = sorted(map(luminance, colours))
        assert (bright + 0.05) / (dark + 0.05) >= 4.5, (said, colours)
    for control in controls:
        assert control.evaluate("node => node.labels.length") == 1 and control.bounding_box()["height"] >= 24


def test_its_numbers_are_small_and_are_part_of_the_page(parsed):
    assert len(parsed("explorer").select_one("#explorer-data").string.encode()) < 200_000


def test_without_javascript_there_is_a_table(open_page):
    page = open_page(java_script_enabled=False)
    cells = page.locator("#explorer tbody td").all_inner_texts()
    assert len(cells) == 24 and all(re.fullmatch(r"−?\d\.\d{3}", cell) for cell in cells)
    assert page.locator("#explorer caption").is_visible() and page.locator("#explorer form").count() == 0
