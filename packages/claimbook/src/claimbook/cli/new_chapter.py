"""``new-chapter``: add a chapter with one statement and its finding to this book, which builds at once.

Writes the notebook, its line in _toc.yml, its row of the registry and, if the book has a highlights.csv, its
sentence there; replace their words by your own.

  claimbook new-chapter my-question
  claimbook run my-question
"""

import csv
import io
import json
import os
import re
from pathlib import Path

from claimbook.cli.options import find_project
from claimbook.csv_tables import separator
from claimbook.evidence import slug
from claimbook.text import escaped, nearest, shell
from claimbook.writing import write_whole

OPTIONS = {
    "name": {"metavar": "NAME", "help": "of the page: words of small letters and digits, with - between"},
    "--after": {"metavar": "CHAPTER", "help": "the page that it follows (the last chapter)"},
}
TEMPLATE = Path(__file__).with_name("chapter.ipynb")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_TAKEN = ("index", "search", "genindex")  # pages that Sphinx writes itself, or that lead to the first


def call(options):
    project, name = find_project(), options.name
    book, pages = project.book, {page.name: page for page in project.chapters}
    if not _NAME.fullmatch(name) or len(name) > 60:
        wanted = "expected words of small letters and digits, with - between, 60 characters at most"
        raise ValueError(f"{escaped(name)}: {wanted}")
    after = options.after or ([page.name for page in project.notebooks] or [*pages])[-1]
    if after not in pages:
        raise ValueError(f"--after {escaped(after)}: no page has that name{nearest(after, pages)}")
    statement = f"{book.itself.key}/{name}"
    file = Path(pages[after].file).with_name(name).as_posix()
    there = [project.root / f"{file}{suffix}" for suffix in (".ipynb", ".md")]
    if name in pages or name in _TAKEN or any(map(os.path.lexists, there)):
        raise ValueError(f"{name}: there is a page of that name; expected a new name")
    if slug(statement) in map(slug, book.registry):
        raise ValueError(f"{name}: {statement} is in the registry; expected a new name")
    contents, registry = project.root / "_toc.yml", book.content / "registry.csv"
    listed = with_entry(_read(contents), pages[after].file, file)
    says = "The numbers from 1 to n, in any order, add up to n(n + 1)/2"
    row = {
        "page": name,
        "expected": "proved here",
        "reading": "ours",
        "place": "This book",
        "statement": says,
    }
    tables = {registry: with_row(_read(registry), {"id": statement} | row)}
    if (highlights := book.content / "highlights.csv").is_file():
        tables[highlights] = with_row(_read(highlights), {"id": statement, "sentence": f"{says}."})
    with open(there[0], "x", encoding="utf-8", newline="\n") as notebook:
        notebook.write(chapter(project, name, statement))
    for path, text in (tables | {contents: listed}).items():
        write_whole(path.resolve(), text)
    print(f"wrote {there[0].relative_to(project.root).as_posix()}, its line in _toc.yml")
    written = " and ".join(escaped(os.path.relpath(table)) for table in tables)
    print(f"and {statement} in {written}; next: {shell(book.command, 'run', name)}")
    return 0


def chapter(project, name, statement):
    """The notebook of a new chapter as text: the template, with the cell that fetches the book's package."""
    from claimbook.project import read_yaml  # here, for help is shown where no YAML can be read

    module = read_yaml(project.root / "_config.yml")["book"].partition(":")[0]
    text = TEMPLATE.read_text(encoding="utf-8").replace("my_book", module)
    text = text.replace("own/my-chapter", statement).replace("own-my-chapter", slug(statement))
    text = text.replace("my-chapter", name).replace("My chapter", name.replace("-", " ").capitalize())
    notebook = json.loads(text)
    if project.book.install:
        tags = ["remove-input", "skip-execution"]  # papermill passes over it
        about = {"execution_count": None, "metadata": {"tags": tags}, "outputs": []}
        source = project.book.install.splitlines(keepends=True)
        cell = {"cell_type": "code", "id": "install", **about, "source": source}
        parameters = [one["id"] for one in notebook["cells"]].index("parameters")
        notebook["cells"].insert(parameters + 1, dict(sorted(cell.items())))
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def with_row(table, row):
    """The text of a CSV table with one row more, which has the columns and the form of the others.

    >>> with_row("id,page\\nnote/a,index", {"id": "note/b", "page": "index"})
    'id,page\\nnote/a,index\\nnote/b,index\\n'
    """
    between = separator(table)
    columns = next(csv.reader(io.StringIO(table.removeprefix("\ufeff")), delimiter=between))
    end, made = "\r\n" if "\r\n" in table else "\n", io.StringIO()
    csv.DictWriter(made, columns, restval="", delimiter=between, lineterminator=end).writerow(row)
    return table + ("" if table.endswith("\n") else end) + made.getvalue()


def with_entry(toc, after, file):
    """The text of a table of contents with one page more, below another; all else stays as it is written.

    Parameters
    ----------
    toc : str
    after, file : str
        As they stand there, without suffixes; behind the root the new page begins the first list of pages,
        or a part of its own before the others.

    Raises
    ------
    ValueError
        If it is written in another way than with a line for each page.

    Examples
    --------
    >>> print(with_entry("root: a\\nchapters:\\n- file: b  # first\\n  title: B\\n- file: d", "b", "c"))
    root: a
    chapters:
    - file: b  # first
      title: B
    - file: c
    - file: d
    """
    lines, end = toc.splitlines(), "\r\n" if "\r\n" in toc else "\n"
    place, new = _place(lines, after, f"- file: {file}")
    made = end.join([*lines[:place], *new, *lines[place:]]) + (end if toc.endswith("\n") else "")
    if not _is_listed(file, toc, made):
        raise ValueError(f"_toc.yml: expected a line '- file: {after}'; write '- file: {file}' there by hand")
    return made


def _place(lines, after, entry):
    """The place of the new lines in a table of contents, and these lines."""
    for at, line in enumerate(lines):
        if found := re.fullmatch(rf"( *)- file: *(['\"]?){re.escape(after)}\2 *(#.*)?", line):
            deeper = rf" {{{len(found[1]) + 1}}}.*"
            while at + 1 < len(lines) and re.fullmatch(deeper, lines[at + 1]):
                at += 1
            return at + 1, [f"{found[1]}{entry}"]
    for at, line in enumerate(lines):
        if found := re.fullmatch(r"(chapters|sections|parts): *(#.*)?", line):
            indent = re.match(" *", lines[at + 1])[0] if at + 1 < len(lines) else "  "
            part = [f"{indent}- caption: Chapters", f"{indent}  chapters:", f"{indent}    {entry}"]
            return at + 1, part if found[1] == "parts" else [f"{indent}{entry}"]
    return len(lines), ["chapters:", f"  {entry}"]


def _is_listed(file, toc, made):
    """Whether a table of contents lists a page once, and all others as another does."""
    import yaml

    from claimbook.project import files_of

    try:
        before, now = (files_of(yaml.safe_load(text)) for text in (toc, made))
    except yaml.YAMLError:
        return False
    return now.count(file) == 1 and [other for other in now if other != file] == before


def _read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()
