"""``new-chapter``: add a chapter that builds at once, with one statement and its finding.

The command writes the notebook, a line in _toc.yml, a row of the registry and, if the book has a
highlights.csv, a sentence in that file. Replace the placeholder words with your own.

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
    "name": {"metavar": "NAME", "help": "the name of the page, in lower-case words and digits, joined by -"},
    "--after": {"metavar": "CHAPTER", "help": "the page that the chapter follows (the last chapter)"},
}
TEMPLATE = Path(__file__).with_name("chapter.ipynb")
_PAGE_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# Sphinx writes pages of these names itself, or they redirect to the first page.
_RESERVED_NAMES = ("index", "search", "genindex")


def call(options):
    """Write a new chapter with its line in each table, and return the exit code."""
    project, name = find_project(), options.name
    book, pages = project.book, {page.name: page for page in project.chapters}
    if not _PAGE_NAME.fullmatch(name) or len(name) > 60:
        expectation = "expected words of small letters and digits, with - between, 60 characters at most"
        raise ValueError(f"{escaped(name)}: {expectation}")
    *_, last_page = [page.name for page in project.notebooks] or pages  # the last chapter, if there is one
    previous_page = options.after or last_page
    if previous_page not in pages:
        raise ValueError(
            f"--after={escaped(previous_page)}: expected the name of a page{nearest(previous_page, pages)}"
        )
    statement = f"{book.itself.key}/{name}"
    file = Path(pages[previous_page].file).with_name(name).as_posix()
    notebook_path, markdown_path = (project.root / f"{file}{suffix}" for suffix in (".ipynb", ".md"))
    files_exist = os.path.lexists(notebook_path) or os.path.lexists(markdown_path)
    if name in pages or name in _RESERVED_NAMES or files_exist:
        raise ValueError(f"{name}: expected a new name; another page has this name")
    if slug(statement) in map(slug, book.registry):
        raise ValueError(f"{name}: expected a new name; {statement} is in the registry")
    toc, registry = project.root / "_toc.yml", book.content / "registry.csv"
    new_toc = with_entry(_read_text(toc), pages[previous_page].file, file)
    sentence = "The numbers from 1 to n, in any order, add up to n(n + 1)/2"
    row = {
        "page": name,
        "expected": "proved here",
        "reading": "ours",
        "place": "This book",
        "statement": sentence,
    }
    tables = {registry: with_row(_read_text(registry), {"id": statement} | row)}
    if (highlights := book.content / "highlights.csv").is_file():
        tables[highlights] = with_row(_read_text(highlights), {"id": statement, "sentence": f"{sentence}."})
    with open(notebook_path, "x", encoding="utf-8", newline="\n") as notebook:
        notebook.write(_notebook_text(project, name, statement))
    for path, text in (tables | {toc: new_toc}).items():
        write_whole(path.resolve(), text)
    print(f"wrote {notebook_path.relative_to(project.root).as_posix()}, its line in _toc.yml")
    table_names = " and ".join(escaped(os.path.relpath(table)) for table in tables)
    print(f"and {statement} in {table_names}; next: {shell(book.command, 'run', name)}")
    return 0


def _notebook_text(project, name, statement):
    """Return the notebook of a new chapter as text.

    The text is the template with the names filled in and with the cell that installs the book's package.
    """
    from claimbook.yaml_files import read_yaml  # here, because --help works without a YAML reader

    module = read_yaml(project.root / "_config.yml")["book"].partition(":")[0]
    text = TEMPLATE.read_text(encoding="utf-8").replace("my_book", module)
    text = text.replace("own/my-chapter", statement).replace("own-my-chapter", slug(statement))
    text = text.replace("my-chapter", name).replace("My chapter", name.replace("-", " ").capitalize())
    notebook = json.loads(text)
    if project.book.install:
        tags = ["remove-input", "skip-execution"]  # papermill skips this cell
        cell_fields = {"execution_count": None, "metadata": {"tags": tags}, "outputs": []}
        source = project.book.install.splitlines(keepends=True)
        cell = {"cell_type": "code", "id": "install", **cell_fields, "source": source}
        ids = [template_cell["id"] for template_cell in notebook["cells"]]
        notebook["cells"].insert(ids.index("parameters") + 1, dict(sorted(cell.items())))
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def with_row(table, row):
    """Return the text of a CSV table with one more row, formatted like the others.

    Parameters
    ----------
    table : str
        The text of the table.
    row : dict
        Cells by column. Other columns stay empty.

    Examples
    --------
    >>> with_row("id,page\\nnote/a,index", {"id": "note/b", "page": "index"})
    'id,page\\nnote/a,index\\nnote/b,index\\n'
    """
    delimiter = separator(table)
    columns = next(csv.reader(io.StringIO(table.removeprefix("\ufeff")), delimiter=delimiter))
    line_end, line = "\r\n" if "\r\n" in table else "\n", io.StringIO()
    csv.DictWriter(line, columns, restval="", delimiter=delimiter, lineterminator=line_end).writerow(row)
    return table + ("" if table.endswith("\n") else line_end) + line.getvalue()


def with_entry(toc, after, file):
    """Return a table of contents with one page added and otherwise unchanged.

    Parameters
    ----------
    toc : str
        The text of the table of contents.
    after, file : str
        The page before the new one, and the new page, written as in the table of contents, without suffixes.
        If the page before it is the root, the new page begins the first list of pages, or a new part before
        the other parts.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the table of contents does not have one line for each page.

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
    lines, line_end = toc.splitlines(), "\r\n" if "\r\n" in toc else "\n"
    position, new_lines = _insertion(lines, after, f"- file: {file}")
    extended = line_end.join([*lines[:position], *new_lines, *lines[position:]])
    extended += line_end if toc.endswith("\n") else ""
    if not _is_listed(file, toc, extended):
        raise ValueError(f"_toc.yml: expected a line '- file: {after}'; write '- file: {file}' there by hand")
    return extended


def _insertion(lines, previous_file, entry):
    """Return the position of new lines in a table of contents, and the lines.

    They follow the entry of the previous file, or begin the first list if that file is the root.
    """
    for position, line in enumerate(lines, 1):  # the position after this line
        if match := re.fullmatch(rf"( *)- file: *(['\"]?){re.escape(previous_file)}\2 *(#.*)?", line):
            indent = match[1]
            # The lines below with a larger indent belong to the same entry.
            while position < len(lines) and lines[position].startswith(f"{indent} "):
                position += 1
            return position, [f"{indent}{entry}"]
    for position, line in enumerate(lines, 1):
        if match := re.fullmatch(r"(chapters|sections|parts): *(#.*)?", line):
            indent = re.match(" *", lines[position])[0] if position < len(lines) else "  "
            new_part = [f"{indent}- caption: Chapters", f"{indent}  chapters:", f"{indent}    {entry}"]
            return position, new_part if match[1] == "parts" else [f"{indent}{entry}"]
    return len(lines), ["chapters:", f"  {entry}"]


def _is_listed(file, toc, extended):
    """Return whether the extended table of contents differs only by the new page."""
    import yaml

    from claimbook.project import files_of

    try:
        old_files, new_files = files_of(yaml.safe_load(toc)), files_of(yaml.safe_load(extended))
    except yaml.YAMLError:
        return False
    return new_files.count(file) == 1 and [name for name in new_files if name != file] == old_files


def _read_text(path):
    """Return the text of a file with its own line ends."""
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()
