"""The three reading paths, with their order, requirements and times, the map, and links between pages."""

import re

import pytest
from support import PROJECT, ROOT, small_book_in

from claimbook.project import Project
from claimbook.reports.paths import chapters_of, map_markdown, next_markdown, reading_paths
from claimbook.sphinxext.labels import addresses
from claimbook.sphinxext.summary import minutes
from claimbook.yaml_files import read_yaml
from ndcg_book import BOOK

ROUTES = reading_paths(PROJECT)
MAP = map_markdown(PROJECT, addresses(PROJECT), {row.id: row.expected for row in BOOK.registry.values()})
SHORT = {row.page: row.paths.split() for row in BOOK.table("paths.csv", ("page", "paths"))}
CHAPTERS = {chapter.name: chapter for chapter in chapters_of(PROJECT)}
FILES = {name: chapter.path.name for name, chapter in CHAPTERS.items()}
TOOK = {name: minutes(chapter.prose) for name, chapter in CHAPTERS.items()}


def first(name):
    """The pages that a page says to read before it."""
    asked = re.search(r"^:first: *(.*)$", CHAPTERS[name].prose, re.M)
    return asked[1].split() if asked else []


@pytest.mark.parametrize("path", BOOK.paths)
def test_a_path_asks_for_nothing_that_it_has_not_passed(path):
    passed = set()
    for page in ROUTES[path]:
        assert set(first(page)) <= passed, page
        passed.add(page)


def test_every_stop_is_a_page_and_everything_is_every_page():
    assert SHORT.keys() <= TOOK.keys() and ROUTES["all"] == list(TOOK)
    assert {path for paths in SHORT.values() for path in paths} == {"hour", "day"}


def test_an_hour_is_about_an_hour_and_a_day_leaves_time_for_proofs():
    assert 45 <= sum(TOOK[page] for page in ROUTES["hour"]) <= 75
    assert 120 <= sum(TOOK[page] for page in ROUTES["day"]) <= 300


def test_the_map_has_every_page_once_with_its_stops_in_the_order_of_the_book():
    rows = [row for row in MAP.splitlines() if re.search(r"\.(?:ipynb|md)\)", row)]
    assert re.findall(r"\]\(([\w-]+\.(?:ipynb|md))\)", MAP) == list(FILES.values())
    for page, row in zip(TOOK, rows, strict=True):
        cells = [cell.strip() for cell in row.split("|")[1:4]]
        assert cells == [f"[{TOOK[page]}]{{.stop}}" if page in ROUTES[path] else "" for path in BOOK.paths]
    assert f"| {sum(TOOK[page] for page in ROUTES['hour'])} min | " in MAP


def test_every_numbered_chapter_is_on_the_map_and_leads_on():
    """A page without code also has a place on the map and links to the next page."""
    numbered = [part for part in read_yaml(ROOT / "_toc.yml")["parts"] if part.get("numbered", True)]
    names = [entry["file"].partition("/")[2] for part in numbered for entry in part["chapters"]]
    assert names == [name for name in FILES if name in names] and "run-it-yourself" in FILES
    for name in FILES:
        if FILES[name].endswith(".md"):
            assert "```{generated} next\n" in CHAPTERS[name].prose


def test_the_map_shows_the_verdict_of_every_statement_beside_the_link_to_its_box():
    assert MAP.count('class="judged"') == len(BOOK.registry)
    assert 'href="when-limits-tie.html#wang-theorem-8-2" aria-label="Theorem 8 (2): contradicted"' in MAP
    held = map_markdown(PROJECT, addresses(PROJECT), {"wang/theorem-8-2": "consistent"})
    assert held.count('class="judged"') == 1 and "Theorem 8 (2): consistent" in held


@pytest.mark.parametrize("path", BOOK.paths)
def test_each_page_links_to_the_next_on_its_paths_and_the_last_to_none(path):
    for page, following in zip(ROUTES[path], [*ROUTES[path][1:], None], strict=True):
        links = re.findall(rf"\[\[([^]]*)\]\(([^)]*)\)\]\{{\.path-{path}\}}", next_markdown(PROJECT, page))
        if following is None:
            assert links == []
        else:
            assert links == [(PROJECT.names[CHAPTERS[following].file], FILES[following])]


def test_a_page_that_is_on_no_path_leads_to_nothing():
    assert next_markdown(PROJECT, "glossary") == ""


def test_a_book_without_these_pages_has_one_path(tmp_path):
    project = Project(small_book_in(tmp_path).absolute())
    assert reading_paths(project) == {"hour": [], "day": [], "all": ["first", "second"]}
    assert (
        next_markdown(project, "first") == "{.reading-path}\n[[The chapter second](second.ipynb)]{.path-all}"
    )
