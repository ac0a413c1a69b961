"""Three walks through the book: which pages they pass, where they go on from each, and one map of them.

All follow the order of the book; ``walks.csv`` says which pages are on the shorter two.
"""

import csv
from functools import cache
from importlib.resources import files

from ndcg_companion.chapter.evidence import SHAPES, slug
from ndcg_companion.chapter.registry import registry
from ndcg_companion.press.in_short import minutes
from ndcg_companion.press.project import read_yaml

# What heads the column of a walk, and what it takes.
WALKS = {"hour": "an hour", "day": "a day", "all": "everything"}


@cache
def _chosen():
    """Page to the short walks that pass it."""
    with files("ndcg_companion.press").joinpath("walks.csv").open(encoding="utf-8", newline="") as file:
        return {row["page"]: row["walks"].split() for row in csv.DictReader(file)}


def walks(project):
    """The names of the pages on each walk, in the order of the book."""
    pages = [chapter.name for chapter in project.notebooks]
    return {walk: [page for page in pages if walk in [*_chosen().get(page, []), "all"]] for walk in WALKS}


def next_markdown(project, name):
    """Where each walk that passes a page goes on from it, as a paragraph of Markdown."""
    onward = {}
    for walk, pages in walks(project).items():
        if name in pages:
            after = [*pages, None][pages.index(name) + 1]
            onward.setdefault(after, []).append(WALKS[walk])
    titles = {chapter.name: chapter.title for chapter in project.notebooks}
    steps = [
        f"[{titles[page]}]({page}.ipynb) ({', '.join(names)})" if page else f"here ends: {', '.join(names)}"
        for page, names in onward.items()
    ]
    return f"{{.walk}}\n*Next, on [three walks](map.md):* {' · '.join(steps)}"


def map_markdown(project, addresses, verdicts):
    """All pages from top to bottom, the walks beside them as lines with stops, and what each page judges.

    Parameters
    ----------
    project : Project
    addresses : dict
        `Address` by label.
    verdicts : dict
        Statement id to verdict.
    """
    stops, chapters = walks(project), {chapter.name: chapter for chapter in project.notebooks}
    took = {name: minutes(chapter.prose) for name, chapter in chapters.items()}
    totals = [f"{sum(took[page] for page in stops[walk])} min" for walk in WALKS]
    rows = [f"| {' | '.join(WALKS)} | the pages, from top to bottom |", "|:-:|:-:|:-:|:--|"]
    rows += [f"| {' | '.join(totals)} | *minutes to read, folds closed* |"]
    toc = read_yaml(project.root / "_toc.yml")
    for part in [{"chapters": [{"file": toc["root"]}]}, *toc["parts"]]:
        names = [entry["file"].rpartition("/")[2] for entry in part["chapters"]]
        if chapters.keys() & set(names) and "caption" in part:
            rows.append(f"| | | | **{part['caption']}** |")
        for name in [name for name in names if name in chapters]:
            marks = [f"[{took[name]}]{{.stop}}" if name in stops[walk] else "" for walk in WALKS]
            judged = " ".join(_judged(name, addresses, verdicts))
            says = f"[{chapters[name].title}]({name}.ipynb)" + f" <br> {judged}" * bool(judged)
            rows.append(f"| {' | '.join(marks)} | {says} |")
    return "\n".join(rows) + "\n"


def _judged(page, addresses, verdicts):
    """The statements of a page: the verdict's shape, and the number that leads to the box."""
    for row in registry().values():
        address = addresses.get(slug(row.id))
        if row.page == page and address and row.id in verdicts:
            number = address.name.partition(" (")[0] if address.ours else address.number
            number = "slides, " * row.id.startswith("deck/") + number
            where = f'href="{address.page}.html#{address.label}" aria-label="{number}: {verdicts[row.id]}"'
            told = f'<span aria-hidden="true">{SHAPES[verdicts[row.id]]}</span> {number}'
            yield f'<a class="judged" {where}>{told}</a>'
