"""Reading paths (walks): the pages on each, the next one from a page, and one map of all.

All follow the order of the book; ``walks.csv`` says which pages are on the shorter ones.
"""

from claimbook.evidence import slug
from claimbook.project import read_yaml
from claimbook.sphinxext.summary import minutes
from claimbook.templates import filled


def walks(project):
    """The names of the pages on each walk, in the order of the book."""
    pages, names = [chapter.name for chapter in project.notebooks], list(project.book.walks)
    short = {row.page: row.walks.split() for row in project.book.table("walks.csv", ("page", "walks"))}
    return {walk: [page for page in pages if walk in [*short.get(page, []), names[-1]]] for walk in names}


def next_markdown(project, name, home):
    """The next page on each reading path that passes a page, as a paragraph of Markdown.

    ``home`` is the name of the page that has the map.
    """
    onward = {}
    for walk, pages in walks(project).items():
        if name in pages:
            after = [*pages, None][pages.index(name) + 1]
            onward.setdefault(after, []).append(walk)
    titles = {chapter.name: chapter.title for chapter in project.notebooks}
    takes, steps = project.book.walks, []
    for page, names in onward.items():
        # By their classes reading.js finds the link of the walk that was chosen on the map.
        marked = ", ".join(f"[{takes[walk]}]{{.walk-{walk}}}" for walk in names)
        ends = f"here ends: {', '.join(takes[walk] for walk in names)}"
        steps.append(f"[{titles[page]}]({page}.ipynb) ({marked})" if page else ends)
    return f"{{.walk}}\n*Next, on the {{doc}}`walks <{home}>`:* {' · '.join(steps)}"


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
    if not project.book.walks or not (project.book.content / "walks.csv").is_file():
        raise ValueError("generated='map': expected Book.walks, and their pages in walks.csv (page,walks)")
    chapters = {chapter.file: chapter for chapter in project.notebooks}
    toc = read_yaml(project.root / "_toc.yml")
    parts = (
        (part["caption"], [entry["file"] for entry in part["chapters"]]) for part in toc.get("parts", [])
    )
    registry = project.book.registry.values()
    took = {chapter.name: minutes(chapter.prose) for chapter in project.notebooks}
    stops = walks(project)
    return filled(
        "fragments/map.md",
        walks=project.book.walks,
        stops=stops,
        took=took,
        totals={walk: sum(took[page] for page in pages) for walk, pages in stops.items()},
        parts=[
            (caption, [chapters[file] for file in files if file in chapters])
            for caption, files in [("", [toc["root"]]), *parts]
        ],
        rows=[row for row in registry if slug(row.id) in addresses and row.id in verdicts],
        addresses=addresses,
        verdicts=verdicts,
    )
