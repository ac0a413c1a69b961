"""The race in a browser draws the same lists as the package, obeys the keyboard, and keeps its address."""

import json
import re
from functools import partial

import numpy as np
import pytest
from gates import widen

from ndcg_book.widgets.race import BETS, CUTOFFS, DISCOUNTS, QUERIES, RANKERS, rivals
from ndcg_companion.measures import Log
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.theory import ahead_probability

pytestmark = pytest.mark.browser

STATE = {"a": "clear", "b": "random", "discount": "root", "k": "0.2", "n": 1000, "queries": 1}
RUN = """([state, seeds]) => seeds.map(seed => {
  const one = document.getElementById("race").race({...state, seed}, seed);
  return one.scores.map(scores => scores.at(-1));
})"""

GO = """hash => new Promise(done => {
  if (location.hash === hash) return done();
  addEventListener("hashchange", () => setTimeout(done), {once: true});
  location.hash = hash;
})"""
ELSEWHERE = "#a=tied&b=slight&discount=zipf&k=10&n=100&races=2&seed=99"


@pytest.fixture
def open_page(open_chapter):
    return partial(open_chapter, "index")


@pytest.fixture(scope="module")
def window(keep_chapter):
    return keep_chapter("index", reduced_motion="reduce")


@pytest.fixture
def race(window):
    """The window of all tests that need none of their own, at an address, with motion or without."""

    def open_at(address, motion="reduce"):
        window.set_viewport_size({"width": 1280, "height": 900})
        window.emulate_media(reduced_motion=motion)
        for each in (ELSEWHERE, address):
            window.evaluate(GO, each)
        return window

    return open_at


@pytest.fixture(scope="module")
def phone(keep_chapter):
    """The page as it opens on a phone."""
    return keep_chapter("index", width=390, reduced_motion="reduce")


@pytest.fixture(scope="module")
def data(parsed):
    """What was computed, as the page holds it."""
    return json.loads(parsed("index").select_one("#race-data").string)


def result_text(page):
    """The result, once the strips have run to their ends."""
    page.wait_for_function("document.querySelector('#race .told').textContent.includes('The newest')")
    return page.locator("#race .told").inner_text()


def tally(page):
    """How often A was ahead, of how many races, as the sentence says."""
    return tuple(map(int, re.search(r"at the end of (\d+) of these (\d+) races", result_text(page)).groups()))


def scores_at_the_end(page, state, seeds):
    """NDCG of A and of B on one list for each seed: array (lists, 2)."""
    return np.array(page.evaluate(RUN, [state, list(seeds)]))


def chance_at(data, state):
    rankers = [name for name, *_ in data["rankers"]]
    pairs = [(a, b) for i, a in enumerate(rankers) for b in rankers[i + 1 :]]
    row = data["chances"][pairs.index((state["a"], state["b"]))][list(DISCOUNTS).index(state["discount"])]
    averaged = row[list(CUTOFFS).index(state["k"])][QUERIES.index(state["queries"])]
    return averaged[data["sizes"].index(state["n"])]


# One discount shows that lists are drawn and scored as in the package; the other formulas are a line each.
@pytest.mark.parametrize(
    "discount",
    [pytest.param(name, marks=() if name == "root" else pytest.mark.nightly) for name in DISCOUNTS],
)
def test_lists_drawn_in_the_page_are_won_as_often_as_the_package_says(window, data, discount):
    for k in CUTOFFS:
        state = STATE | {"discount": discount, "k": k}
        scores = scores_at_the_end(window, state, range(1, 401))
        share = np.mean(np.sign((scores[:, 0] - scores[:, 1]).round(12)) + 1) / 2
        assert share == pytest.approx(chance_at(data, state), abs=5 * 0.5 / 20 + 0.02), (discount, k)


def test_ndcg_of_a_list_is_a_ratio_and_averages_to_the_theory(window):
    """A ranker at random: its mean DCG is half of what all items would give, whatever the discount."""
    state = STATE | {"a": "random", "k": "all", "discount": "zipf"}
    scores = scores_at_the_end(window, state, range(1, 201))
    assert scores.min() > 0 and scores.max() < 1
    weights = DISCOUNTS["zipf"][1](np.arange(1, cutoff(None, 1000) + 1))
    assert scores.mean() == pytest.approx(0.5 * weights.sum() / weights[:500].sum(), abs=0.02)


@pytest.mark.parametrize("queries, k, a", [(10, "all", "tied"), (50, "10", "fiftieth")])
def test_a_mean_over_queries_is_ahead_as_often_as_the_package_says(window, data, queries, k, a):
    state = STATE | {"a": a, "queries": queries, "k": k, "n": 100}
    scores = scores_at_the_end(window, state, range(1, 401))
    share = np.mean(np.sign((scores[:, 0] - scores[:, 1]).round(12)) + 1) / 2
    assert share == pytest.approx(chance_at(data, state), abs=5 * 0.5 / 20 + 0.02)
    alone = scores_at_the_end(window, state | {"queries": 1}, range(1, 401))
    assert np.std(scores[:, 0]) < 1.5 * np.std(alone[:, 0]) / np.sqrt(queries)


def test_nothing_runs_before_a_bet_and_the_keyboard_bets(open_page):
    page = open_page(reduced_motion="reduce")  # 100 races without a picture of each
    assert page.locator("#race .told").inner_text().startswith("Nothing has run yet.")
    assert (
        page.locator("#race rect:not(.none)").count() == 0
        and "chance" not in page.locator("#race .tally").inner_text()
    )
    for number, bet in enumerate(BETS, 1):
        page.focus(f"#race-bet-{number}")
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        ended = "document.querySelector('#race .told').textContent.includes('100 races')"
        page.wait_for_function(ended, timeout=120_000)
        computed = int(re.search(r"chance is (\d+) in 100", result_text(page)).group(1))
        assert (
            f"You bet on 99, {99 - computed} off that chance." in result_text(page) and tally(page)[1] == 100
        )
        shown = {name: page.locator(f"#race-{name}").input_value() for name in bet.state}
        assert shown == {name: str(value) for name, value in bet.state.items()}
    page.select_option("#race-n", "1000")
    assert "You bet" not in result_text(page)


def test_it_plays_once_when_it_is_seen_and_keeps_the_answer_to_the_bet(open_page):
    page = open_page(reduced_motion="no-preference")
    strips = page.locator("#race svg g:has(rect:not(.none))")
    page.locator("#race .picture").first.scroll_into_view_if_needed()
    assert "Now bet: how often is A ahead?" in result_text(page) and "chance" not in result_text(page)
    assert strips.count() == 12 and page.locator("#race .tally").inner_text().strip() == ""
    assert not page.locator("#race .picture").last.is_visible()
    assert page.evaluate("location.hash") == ""
    page.locator("#race [data-bet]").first.click()
    page.wait_for_function("document.querySelector('#race .told').textContent.includes('You bet on 50')")
    assert tally(page)[1] == 100 and "chance" in page.locator("#race .tally").inner_text()
    assert page.locator("#race .picture").last.is_visible()


@pytest.mark.parametrize("address, motion", [("#a=clear", "no-preference"), ("", "reduce")])
def test_it_does_not_play_by_itself_at_an_address_or_where_motion_is_not_wanted(open_page, address, motion):
    page = open_page(address, reduced_motion=motion)
    page.locator("#race .tally").scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    assert page.locator("#race .told").inner_text().startswith("Nothing has run yet.")


def test_the_keyboard_runs_it_and_hears_who_is_ahead(race):
    page = race("#a=clear&b=random&discount=root&k=0.2&n=1000&races=8&seed=1")
    before = result_text(page)
    page.focus('#race button[value="1"]')
    page.keyboard.press("Enter")
    assert tally(page)[1] == 9 and result_text(page) != before
    page.focus("#race-b")
    page.keyboard.press("ArrowUp")
    assert page.locator("#race-b").input_value() == list(RANKERS)[-2]
    assert page.locator("#race .told").get_attribute("role") == "status"


def test_the_number_of_who_leads_comes_first(race):
    page = race("#a=clear&b=random&discount=root&k=0.2&n=1000&races=1&seed=1", motion="reduce")
    leaders = set()
    for a, b in scores_at_the_end(page, STATE, range(1, 13)):
        leader, first, second = re.search(
            r"([AB]) is ahead, NDCG ([\d.]+) against ([\d.]+)\. ", result_text(page)
        ).groups()
        assert leader == ("A" if a > b else "B")
        assert (first, second) == (f"{max(a, b):.3f}", f"{min(a, b):.3f}")
        leaders.add(leader)
        page.get_by_role("button", name="Clear").click()  # which draws the list of the next seed
    assert leaders == {"A", "B"}, "each must lead on some list, or half of the words is not tried"


def test_the_tally_grows_with_each_press_and_counts_every_list(race, data):
    page = race("#a=clear&b=random&discount=root&k=0.2&n=1000&races=5&seed=3")
    for pressed in range(1, 4):
        page.locator('#race button[value="10"]').click()
        assert tally(page)[1] == 5 + 10 * pressed
    page.locator('#race button[value="100"]').click()
    scores = scores_at_the_end(page, STATE, range(3, 138))
    won = np.count_nonzero(scores[:, 0] > scores[:, 1])
    assert tally(page) == (won, 135)
    seen = page.locator("#race .tally").inner_text()
    assert f"A ahead: {won} of 135" in seen and f"{round(100 * chance_at(data, STATE))} in 100" in seen
    assert page.locator("#race svg g:has(rect)").count() == 12
    page.select_option("#race-n", "10000")
    page.wait_for_function("document.querySelector('#race .told').textContent.includes('at 10,000 items')")
    assert tally(page)[1] == 12


@pytest.mark.parametrize("rankers", ["a=clear&b=random", "a=random&b=clear"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_triangle_is_under_the_mark_of_the_chance(race, rankers, width):
    page = race(f"#{rankers}&discount=root&k=0.2&n=1000&races=5&seed=3")
    widen(page, width)
    result_text(page)
    mark = page.locator("#race .tally b").bounding_box()
    words = page.locator("#race .tally span").last
    box, late = words.bounding_box(), words.inner_text().endswith("▲")
    assert late or words.inner_text().startswith("▲")
    end = box["x"] + box["width"] if late else box["x"]
    assert abs(end - mark["x"] - mark["width"] / 2) < 9  # half of a triangle and of a mark
    assert box["x"] >= 0 and box["x"] + box["width"] <= width


def test_the_result_is_stated_when_the_strips_have_run_to_their_ends(race):
    page = race("#a=clear&b=random&discount=root&k=0.2&n=1000&races=8&seed=1", motion="no-preference")
    result_text(page)
    running = (
        "[...document.querySelectorAll('#race .picture')]"
        ".flatMap(one => one.getAnimations({subtree: true})).length"
    )
    said = "[document.querySelector('#race .told').textContent, " + running + "]"
    press = "document.querySelector('#race button[value=\"1\"]').click()"
    before, count = page.evaluate(f"() => {{ {press}; return {said}; }}")
    assert count == 2 and not re.search("ahead|NDCG", before)
    assert "NDCG" not in page.locator("#race svg").first.get_attribute("aria-label")
    assert tally(page)[1] == 9 and page.evaluate(running) == 0


def test_an_address_brings_back_what_was_seen(open_page):
    hash = "#a=tied&b=random&discount=root&k=all&n=1000&races=5&seed=3"  # from before there were queries
    page, again = open_page(hash), open_page(hash)
    assert result_text(page) == result_text(again) and tally(page)[1] == 5
    assert page.locator("#race-queries").input_value() == "1"
    page.locator('#race button[value="1"]').click()
    page.wait_for_function("location.hash.includes('races=6')")
    assert result_text(open_page(page.evaluate("location.hash"))) == result_text(page)
    page.locator('#race button[value="10"]').click()
    page.wait_for_function("location.hash.includes('races=12')")
    strips, again = (
        [strip.inner_html() for strip in opened.locator("#race svg g:has(rect)").all()]
        for opened in (page, open_page(page.evaluate("location.hash")))
        if result_text(opened)
    )
    assert len(strips) == 12 and strips == again


def test_lists_that_would_be_too_long_for_so_many_queries_are_cut(race):
    page = race("#a=clear&b=random&discount=log&k=10&n=100000&queries=200&races=1&seed=1")
    assert "at 1,000 items" in result_text(page) and page.locator("#race-n").input_value() == "1000"
    assert page.locator("#race-n option:disabled").count() == 2


def test_a_strange_address_changes_nothing(open_page):
    page = open_page("#a=nobody&n=7&queries=3&races=99&seed=-1")
    for address in (page.evaluate("location.hash"), "#<img src=x onerror=alert(1)>", "#races=1e9"):
        page.evaluate(GO, address)
        assert page.locator("#race .told").inner_text().startswith("Nothing has run yet.")


def test_a_stop_of_the_grid_is_read_off_as_it_was_computed(race, data):
    page = race("#a=slight&b=random&discount=log&k=10&n=1000&races=1&seed=1")
    chance = chance_at(data, STATE | {"a": "slight", "discount": "log", "k": "10"})
    assert f"computed chance is {round(100 * chance)} in 100" in result_text(page)
    computed = ahead_probability(rivals("slight", "random"), Log(), 1000, 10)
    assert chance == pytest.approx(computed, abs=1e-3)


def test_it_fits_when_it_opens_on_a_phone_and_when_the_window_is_widened(phone):
    for width in (390, 1280):
        widen(phone, width)
        fits(phone, width)


def fits(page, width):
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.locator("#race svg").first.bounding_box()
    assert 250 < box["width"] <= width
    form = page.locator("#race form").bounding_box()
    controls = page.locator("#race :is(select, button, input)").all()
    assert len(controls) == 6 + 4 + 2 * len(BETS)
    for control in controls:
        control_box = control.bounding_box()
        assert (
            form["x"] <= control_box["x"]
            and control_box["x"] + control_box["width"] <= form["x"] + form["width"] + 1
        )
        assert control_box["height"] >= 24


def test_bet_tally_and_strips_are_on_the_first_screen_of_a_desktop(phone):
    widen(phone, 1280)
    phone.set_viewport_size({"width": 1280, "height": 800})
    for part in ("#race .bets", "#race .tally"):
        box = phone.locator(part).bounding_box()
        assert box["y"] + box["height"] < 700
    strips = [strip.bounding_box() for strip in phone.locator("#race svg g:has(rect)").all()]
    assert len(strips) == 12 and sum(box["y"] + box["height"] < 800 for box in strips) >= 10


def test_a_run_is_still_drawn_while_the_address_follows(race):
    page = race("#a=clear&b=random&discount=root&k=0.2&n=1000&races=8&seed=1", motion="no-preference")
    result_text(page)
    page.locator('#race button[value="1"]').click()
    page.wait_for_function("location.hash.includes('races=9')")
    assert page.locator("#race .fresh").count() == 2
    page.evaluate("location.hash = '#n=10000&races=1'")
    page.wait_for_function("document.querySelector('#race .told').textContent.includes('at 10,000 items')")


def test_without_javascript_there_is_a_table(open_page):
    page = open_page(java_script_enabled=False)
    assert page.locator("#race table tbody tr").count() == len(BETS) + len(DISCOUNTS) - 1
