"""Reading paths: the pages on each path, the next page, and a map of all paths.

All paths follow the order of the book. ``paths.csv`` lists the pages on the shorter paths.
"""

from pathlib import Path

from claimbook.evidence import slug
from claimbook.sphinxext.summary import minutes
from claimbook.templates import filled
from claimbook.yaml_files import read_yaml


def reading_paths(project):
    """Return the names of the pages on each path, in the order of the book.

    The last path contains all pages.
    """
    pages, paths = [chapter.name for chapter in chapters_of(project)], list(project.book.paths)
    paths_of = {row.page: row.paths.split() for row in project.book.table("paths.csv", ("page", "paths"))}
    last_path = paths[-1:]
    return {path: [page for page in pages if path in paths_of.get(page, []) + last_path] for path in paths}


def parts_of(project):
    """Return the part of the book to which each page belongs, by the page's name."""
    parts = read_yaml(project.root / "_toc.yml").get("parts", [])
    return {Path(entry["file"]).name: part["caption"] for part in parts for entry in part["chapters"]}


def chapters_of(project):
    """Return the chapters: notebooks, and other pages in the same parts of the book."""
    notebooks = {chapter.file for chapter in project.notebooks}
    parts = read_yaml(project.root / "_toc.yml").get("parts", [])
    files = [[entry["file"] for entry in part["chapters"]] for part in parts]
    chapter_files = notebooks.union(*(part for part in files if notebooks & {*part}))
    return [chapter for chapter in project.chapters if chapter.file in chapter_files]


def next_markdown(project, name):
    """Return hidden links to the next page on each reading path through a page.

    Notes
    -----
    When a reader has chosen a path, ``reading.js`` uses the classes of the links to find the link for *next*.
    """
    chapter_of_name = {chapter.name: chapter for chapter in chapters_of(project)}
    links = []
    for path, pages in reading_paths(project).items():
        next_pages = pages[pages.index(name) + 1 :] if name in pages else []
        if next_pages:
            chapter = chapter_of_name[next_pages[0]]
            links.append(f"[[{project.names[chapter.file]}]({chapter.path.name})]{{.path-{path}}}")
    return "{.reading-path}\n" + " ".join(links) if links else ""


def map_markdown(project, addresses, verdicts):
    """Return the map of all pages, each with its paths and verdicts.

    Parameters
    ----------
    project : Project
        The book.
    addresses : dict
        `Address` by label.
    verdicts : dict
        The verdict on each statement, by its id.

    Raises
    ------
    ValueError
        If the book has no paths, or no table of the pages on its paths.
    """
    if not project.book.paths or not (project.book.content / "paths.csv").is_file():
        raise ValueError("generated='map': expected Book.paths, and their pages in paths.csv (page,paths)")
    chapters = {chapter.file: chapter for chapter in chapters_of(project)}
    toc = read_yaml(project.root / "_toc.yml")
    parts = (
        (part["caption"], [entry["file"] for entry in part["chapters"]]) for part in toc.get("parts", [])
    )
    registry = project.book.registry.values()
    minutes_of_page = {chapter.name: minutes(chapter.prose) for chapter in chapters.values()}
    pages_of_path = reading_paths(project)
    return filled(
        "fragments/map.md",
        names=project.names,
        paths=project.book.paths,
        stops=pages_of_path,
        took=minutes_of_page,
        totals={path: sum(minutes_of_page[page] for page in pages) for path, pages in pages_of_path.items()},
        parts=[
            (caption, [chapters[file] for file in files if file in chapters])
            for caption, files in [("", [toc["root"]]), *parts]
        ],
        rows=[row for row in registry if slug(row.id) in addresses and row.id in verdicts],
        addresses=addresses,
        verdicts=verdicts,
    )
