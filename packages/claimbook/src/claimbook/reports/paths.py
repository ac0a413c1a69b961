"""Reading paths: the pages on each, the next one from a page, and one map of all.

All follow the order of the book; ``paths.csv`` says which pages are on the shorter ones.
"""

from pathlib import Path

from claimbook.evidence import slug
from claimbook.project import read_yaml
from claimbook.sphinxext.summary import minutes
from claimbook.templates import filled


def reading_paths(project):
    """The names of the pages on each path, in the order of the book; the last path has all pages."""
    pages, paths = [chapter.name for chapter in chapters_of(project)], list(project.book.paths)
    paths_of = {row.page: row.paths.split() for row in project.book.table("paths.csv", ("page", "paths"))}
    everything = paths[-1:]
    return {path: [page for page in pages if path in paths_of.get(page, []) + everything] for path in paths}


def parts_of(project):
    """The part of the book that each page belongs to, by the page's name, in the order of the book."""
    parts = read_yaml(project.root / "_toc.yml").get("parts", [])
    return {Path(entry["file"]).name: part["caption"] for part in parts for entry in part["chapters"]}


def chapters_of(project):
    """The chapters in the order of the book: notebooks, and other pages of the parts that have notebooks."""
    notebooks = {chapter.file for chapter in project.notebooks}
    parts = read_yaml(project.root / "_toc.yml").get("parts", [])
    files = [[entry["file"] for entry in part["chapters"]] for part in parts]
    among = notebooks.union(*(part for part in files if notebooks & {*part}))
    return [chapter for chapter in project.chapters if chapter.file in among]


def next_markdown(project, name):
    """The next page on each reading path that passes a page, as links that are not shown.

    By the class of a path ``reading.js`` finds the page to which *next* leads once the path was chosen.
    """
    files = {chapter.name: chapter for chapter in chapters_of(project)}
    links = []
    for path, pages in reading_paths(project).items():
        following = pages[pages.index(name) + 1 :] if name in pages else []
        if following:
            chapter = files[following[0]]
            links.append(f"[[{project.names[chapter.file]}]({chapter.path.name})]{{.path-{path}}}")
    return "{.reading-path}\n" + " ".join(links) if links else ""


def map_markdown(project, addresses, verdicts):
    """All pages from top to bottom, the paths beside them as lines with stops, and what each page judges.

    Parameters
    ----------
    project : Project
    addresses : dict
        `Address` by label.
    verdicts : dict
        Statement id to verdict.
    """
    if not project.book.paths or not (project.book.content / "paths.csv").is_file():
        raise ValueError("generated='map': expected Book.paths, and their pages in paths.csv (page,paths)")
    chapters = {chapter.file: chapter for chapter in chapters_of(project)}
    toc = read_yaml(project.root / "_toc.yml")
    parts = (
        (part["caption"], [entry["file"] for entry in part["chapters"]]) for part in toc.get("parts", [])
    )
    registry = project.book.registry.values()
    took = {chapter.name: minutes(chapter.prose) for chapter in chapters.values()}
    stops = reading_paths(project)
    return filled(
        "fragments/map.md",
        names=project.names,
        paths=project.book.paths,
        stops=stops,
        took=took,
        totals={path: sum(took[page] for page in pages) for path, pages in stops.items()},
        parts=[
            (caption, [chapters[file] for file in files if file in chapters])
            for caption, files in [("", [toc["root"]]), *parts]
        ],
        rows=[row for row in registry if slug(row.id) in addresses and row.id in verdicts],
        addresses=addresses,
        verdicts=verdicts,
    )
