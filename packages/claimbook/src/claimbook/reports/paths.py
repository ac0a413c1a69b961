"""Reading paths: the pages on each path, the next page, and a map of all paths.

All paths follow the order of the book. ``paths.csv`` lists the pages on the shorter paths.
"""

from pathlib import Path

from claimbook.evidence import slug
from claimbook.sphinxext.summary import minutes
from claimbook.templates import filled


def reading_paths(project):
    """Return the names of the pages on each path, in the order of the book.

    The last path contains all pages.
    """
    pages, path_names = [chapter.name for chapter in chapters_of(project)], list(project.book.paths)
    table = project.book.table("paths.csv", ("page", "paths"))
    paths_of_page = {row.page: row.paths.split() for row in table}
    # The table does not list the last path. A book may have no paths.
    shorter_paths = {
        path: [page for page in pages if path in paths_of_page.get(page, [])] for path in path_names[:-1]
    }
    return shorter_paths | dict.fromkeys(path_names[-1:], pages)


def parts_of(project):
    """Return the part of the book to which each page belongs, by the page's name."""
    parts = project.whole_toc.get("parts", [])
    return {Path(entry["file"]).name: part["caption"] for part in parts for entry in part["chapters"]}


def chapters_of(project):
    """Return the chapters: notebooks, and other pages in the same parts of the book."""
    notebooks = {chapter.file for chapter in project.notebooks}
    parts = project.whole_toc.get("parts", [])
    files_of_parts = [{entry["file"] for entry in part["chapters"]} for part in parts]
    chapter_files = notebooks.union(*(files for files in files_of_parts if notebooks & files))
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
        if name in pages[:-1]:
            chapter = chapter_of_name[pages[pages.index(name) + 1]]
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
    chapter_of_file = {chapter.file: chapter for chapter in chapters_of(project)}
    toc = project.whole_toc
    files_of_parts = [("", [toc["root"]])]  # the root belongs to a part without a caption
    for part in toc.get("parts", []):
        files_of_parts.append((part["caption"], [entry["file"] for entry in part["chapters"]]))
    minutes_of_page = {chapter.name: minutes(chapter.prose) for chapter in chapter_of_file.values()}
    pages_of_path = reading_paths(project)
    statements = project.book.registry.values()
    return filled(
        "fragments/map.md",
        names=project.names,
        paths=project.book.paths,
        pages_of_path=pages_of_path,
        minutes_of_page=minutes_of_page,
        totals={path: sum(minutes_of_page[page] for page in pages) for path, pages in pages_of_path.items()},
        parts=[
            (caption, [chapter_of_file[file] for file in files if file in chapter_of_file])
            for caption, files in files_of_parts
        ],
        rows=[row for row in statements if slug(row.id) in addresses and row.id in verdicts],
        addresses=addresses,
        verdicts=verdicts,
    )
