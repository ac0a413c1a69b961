"""The race in a browser: it draws what the package draws, obeys the keyboard, and keeps its address."""

import json
from functools import partial

import numpy as np
import pytest

from ndcg_companion.chapter.interactive.race import CUTOFFS, DISCOUNTS, RANKERS, Race
from ndcg_companion.measures.cutoffs import cutoff

pytestmark = pytest.mark.browser

STATE = {"a": "clear", "b": "random", "discount": "root", "k": "0.2", "n": 1000}
RUN = """([state, seeds]) => seeds.map(seed => {
  const one = document.getElementById("race").race({...state, seed}, seed);
  return one.scores.map(scores => scores.at(-1));
})"""


@pytest.fixture
def open_page(open_chapter):
    return partial(open_chapter, "index")


def told(page):
    return page.locator("#race .told").inner_text()


def chance_at(data, state):
    rankers = [name for name, *_ in data["rankers"]]
    pairs = [(a, b) for i, a in enumerate(rankers) for b in rankers[i + 1 :]]
    row = data["chances"][pairs.index((state["a"], state["b"]))][list(DISCOUNTS).index(state["discount"])]
    return row[list(CUTOFFS).index(state["k"])][data["sizes"].index(state["n"])]


def test_lists_drawn_in_the_page_are_won_as_often_as_the_package_says(open_page):
    page = open_page()
    data = json.loads(page.locator("#race-data").text_content())
    for discount in DISCOUNTS:
        for k in CUTOFFS:
            state = STATE | {"discount": discount, "k": k}
            scores = np.array(page.evaluate(RUN, [state, list(range(1, 401))]))
            share = np.mean(np.sign((scores[:, 0] - scores[:, 1]).round(12)) + 1) / 2
            assert share == pytest.approx(chance_at(data, state), abs=5 * 0.5 / 20 + 0.02), (discount, k)


def test_ndcg_of_a_list_is_a_ratio_and_averages_to_the_theory(open_page):
    """A ranker at random: its mean DCG is half of what all items would give, whatever the discount."""
    page = open_page()
    state = STATE | {"a": "random", "k": "all", "discount": "zipf"}
    scores = np.array(page.evaluate(RUN, [state, list(range(1, 201))]))
    assert scores.min() > 0 and scores.max() < 1
    weights = DISCOUNTS["zipf"][1](np.arange(1, cutoff(None, 1000) + 1))
    assert scores.mean() == pytest.approx(0.5 * weights.sum() / weights[:500].sum(), abs=0.02)


def test_the_keyboard_runs_it_and_hears_who_is_ahead(open_page):
    page = open_page()
    before = told(page)
    page.focus('#race button[value="1"]')
    page.keyboard.press("Enter")
    assert "Of these 9 races" in told(page) and told(page) != before
    page.focus("#race-b")
    page.keyboard.press("ArrowUp")
    assert page.locator("#race-b").input_value() == list(RANKERS)[-2]
    assert page.locator("#race .told").get_attribute("role") == "status"


def test_an_address_brings_back_what_was_seen(open_page):
    hash = "#a=tied&b=random&discount=root&k=all&n=1000&races=5&seed=3"
    page, again = open_page(hash), open_page(hash)
    assert told(page) == told(again) and "Of these 5 races" in told(page)
    page.locator('#race button[value="10"]').click()
    page.wait_for_function("location.hash.includes('races=12')")
    assert told(open_page(page.evaluate("location.hash"))) == told(page)


@pytest.mark.parametrize(
    "hash", ["#a=nobody&n=7&races=99&seed=-1", "#<img src=x onerror=alert(1)>", "#races=1e9"]
)
def test_a_strange_address_changes_nothing(open_page, hash):
    assert told(open_page(hash)) == told(open_page())


def test_a_stop_of_the_grid_is_read_off_as_it_was_computed(open_page):
    page = open_page("#a=slight&b=random&discount=log&k=10&n=1000&races=1&seed=1")
    data = json.loads(page.locator("#race-data").text_content())
    chance = chance_at(data, STATE | {"a": "slight", "discount": "log", "k": "10"})
    assert f"ahead on {round(100 * chance)} in 100" in told(page)
    computed = Race(sizes=(1000,)).chances[list(range(6))[4], 0, 1, 0]
    assert chance == pytest.approx(computed, abs=1e-4)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits(open_page, scheme, width):
    page = open_page(scheme=scheme, width=width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.locator("#race svg").bounding_box()
    assert 250 < box["width"] <= width
    form = page.locator("#race form").bounding_box()
    for control in page.locator("#race :is(select, button)").all():
        at = control.bounding_box()
        assert form["x"] <= at["x"] and at["x"] + at["width"] <= form["x"] + form["width"] + 1
        assert at["height"] >= 24


def test_the_picture_begins_in_the_first_screen(open_page):
    page = open_page()
    assert page.locator("#race svg").bounding_box()["y"] < 700
    last = page.locator("#race svg g").nth(7).bounding_box()
    assert last["y"] + last["height"] < 850


def test_one_fold_stands_above_the_race_and_one_below(open_page):
    page = open_page()
    folds = page.evaluate(
        "[...document.querySelectorAll('#race, details.code > summary')].map(one => one.id || one.innerText)"
    )
    assert folds.index("race") == 1 and "race" in folds[0] and "chances" in folds[2]


def test_a_run_is_still_drawn_while_the_address_follows(open_page):
    page = open_page(reduced_motion="no-preference")
    page.locator('#race button[value="1"]').click()
    page.wait_for_function("location.hash.includes('races=9')")
    assert page.locator("#race .fresh").count() == 2
    page.evaluate("location.hash = '#n=1000&races=1'")
    page.wait_for_function("document.querySelector('#race .told').textContent.includes('at 1,000 items')")


def test_without_javascript_there_is_a_table(open_page):
    page = open_page(java_script_enabled=False)
    assert page.locator("#race table tbody tr").count() == len(DISCOUNTS)
