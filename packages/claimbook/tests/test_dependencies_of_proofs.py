"""Dependencies: the links of proofs, and the positions in their picture."""

import re
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimbook.reports.dependencies import columns, in_order, links_of_proofs, picture, without_implied_links

BOX = "```{{prf:lemma}} {label}\n:label: {label}\n```\n"


def statement(label):
    return SimpleNamespace(
        number=label, title="A $title$ of words", name=label, state="consistent", shape="●"
    )


@st.composite
def graphs(draw):
    """Draw links without a circle, which lead to smaller numbers, and groups."""
    count = draw(st.integers(2, 12))
    links = {
        f"s{number}": [f"s{to}" for to in draw(st.sets(st.integers(0, number - 1), min_size=1, max_size=4))]
        for number in range(1, count)
        if draw(st.booleans())
    }
    return links, {f"s{number}": draw(st.sampled_from("ab")) for number in range(count)}


def reached(links, label):
    """Return all statements that a statement depends on, by following every path."""
    return {below for to in links.get(label, []) for below in (to, *reached(links, to))}


@given(graphs())
def test_a_statement_is_to_the_right_of_all_that_its_proof_rests_on(graph):
    links, groups = graph
    column = columns(links, groups)
    assert all(column[label] > column[to] >= 0 for label, linked in links.items() for to in linked)


@given(graphs())
def test_links_that_follow_from_others_are_left_out_and_no_dependency_is_lost(graph):
    links, _ = graph
    kept = without_implied_links(links)
    for label in links:
        assert reached(kept, label) == reached(links, label)
        for to in kept[label]:
            assert not any(to in reached(kept, other) for other in kept[label] if other != to)


@given(graphs())
def test_no_two_boxes_overlap_and_every_line_begins_and_ends_at_a_box(graph):
    links, groups = graph
    shown = picture(links, {}, {label: statement(label) for label in groups}, groups)
    boxes = re.findall(r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', shown)
    boxes = [tuple(map(int, box)) for box in boxes]
    for number, (x, y, width, height) in enumerate(boxes):
        for other_x, other_y, *_ in boxes[:number]:
            assert abs(x - other_x) >= width or abs(y - other_y) >= height
    starts = {(x + width, y + height // 2) for x, y, width, height in boxes}
    arrow_ends = {(x, y + height // 2) for x, y, _, height in boxes}
    for line in re.findall(r'\n<path d="([^"]*)"', shown):
        numbers = [*map(int, re.findall(r"\d+", line))]
        assert tuple(numbers[:2]) in starts and tuple(numbers[-2:]) in arrow_ends
    assert not shown or "\n\n" not in shown  # which would end the HTML within Markdown


def test_a_circle_of_proofs_is_rejected_with_its_labels():
    with pytest.raises(ValueError, match="expected proofs without a circle, got a on b on a"):
        in_order({"a": ["b"], "b": ["a"]})


def test_a_proof_within_a_fold_belongs_to_the_last_box_above_it_or_to_the_one_that_it_names():
    inner = ":::{dropdown} Proof\nBy {prf:ref}`b`.\n:::\n"
    named = ":::{dropdown} Proof of “a”\nBy {prf:ref}`c`, {prf:ref}`again <b>`.\n:::\n"
    page = f"::::{{dropdown}} More\n{BOX.format(label='a')}{inner}::::\n{BOX.format(label='c')}"
    assert links_of_proofs([page]) == {"a": ["b"]}
    assert links_of_proofs([page + named]) == {"a": ["b", "c"]}
    assert links_of_proofs([page + "```{prf:proof}\nBy {prf:ref}`a`.\n```\n"]) == {"a": ["b"], "c": ["a"]}


def test_markup_in_a_title_does_not_act():
    bad = SimpleNamespace(**vars(statement("a")) | {"name": "<script>", "title": "<b>&"})
    shown = picture({"b": ["a"]}, {}, {"a": bad, "b": statement("b")}, dict.fromkeys("ab", "<i>"))
    assert not {"<script>", "<b>", "<i>"} & set(re.findall(r"<[^>]*>", shown)) and "&lt;i&gt;" in shown
