"""The book on disk: where it is, its chapters in reading order, and the parameters of each profile."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path

import nbformat
import yaml

from claimbook.book import Book
from claimbook.execute.fingerprints import folders_of
from claimbook.execute.limits import read_limits
from claimbook.parameters import PROFILES, check_values, check_word, parse_parameters
from claimbook.text import escaped, nearest


class _Loader(yaml.SafeLoader):
    """YAML in which names are text, none is given twice, and nothing refers to something else.

    What refers to itself has no end, and what refers to twice as much ten times has none that is waited for.
    """

    def compose_node(self, parent, index):
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()
            raise _refusal(f"*{event.anchor}: expected what it refers to written out", event)
        return super().compose_node(parent, index)

    def construct_mapping(self, node, deep=False):
        """A mapping; refused if a key is no text or is given twice."""
        given = set()
        for key, _ in node.value:
            if key.tag != "tag:yaml.org,2002:str":
                raise _refusal(
                    f"{_words(key)}: expected a name; text that looks like another value in quotes", key
                )
            if key.value in given:
                raise _refusal(f"{key.value} is given twice", key)
            given.add(key.value)
        return super().construct_mapping(node, deep)


def _refusal(problem, where):
    return yaml.MarkedYAMLError(problem=problem, problem_mark=where.start_mark)


def _words(node):
    """A key for a message: its text, or its kind."""
    return node.value if isinstance(node, yaml.ScalarNode) else f"a {node.id} as a key"


def read_yaml(path):
    """The contents of a YAML file, by name; ValueError in one line that names a file it cannot read so."""
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise ValueError(f"{path}: expected a file")
    try:
        document = yaml.load(path.read_text(encoding="utf-8-sig"), _Loader)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise ValueError(f"{path}{line}: {escaped(getattr(error, 'problem', None) or error, 200)}") from None
    if not isinstance(document, dict):
        raise ValueError(f"{path}: expected names with values, got {escaped(document)}")
    return document


def read_notebook(path):
    """A notebook; ValueError in one line that names the file if it is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        if (version := content.get("nbformat", 4)) != 4:
            raise ValueError(f"of nbformat 4, got {version}; open it in Jupyter and save it")
        notebook = _with_ids(nbformat.v4.to_notebook(content))
        nbformat.validate(notebook)
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
        nbformat.ValidationError,
    ) as error:
        problem = str(error).strip().partition("\n")[0]
        raise ValueError(f"{path}: expected a notebook ({escaped(problem, 200)})") from None
    return notebook


def _with_ids(notebook):
    """A notebook whose cells all have ids of their own.

    One without, as all were before nbformat 4.5, and one with the id of a cell above, as after copying in an
    editor, get their numbers.
    """
    taken, above = {cell.get("id") for cell in notebook.cells}, set()
    for number, cell in enumerate(notebook.cells, 1):
        if "id" not in cell or cell["id"] in above:
            name = f"cell-{number}"
            while name in taken:
                name += "-"
            taken.add(name)
            cell["id"] = name
        above.add(cell["id"])
    notebook.nbformat_minor = max(notebook.nbformat_minor, 5)
    return notebook


def book_of(setting, root):
    """The book that ``MODULE:NAME`` leads to, of a module that is installed or stands in ``root``.

    Kernels, which are processes of their own, look there too.

    Raises
    ------
    ValueError
        If there is no such module, or it has no `Book` of that name.
    """
    module, _, name = str(setting).partition(":")
    _look_in(str(root))
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"book={setting!r}: expected MODULE:NAME, such as 'my_book:BOOK' ({error})"
        ) from None
    if not isinstance(found, Book):
        raise ValueError(f"book={setting!r}: expected a Book, got {type(found).__name__}")
    return found


def _look_in(folder):
    """Let this process and those that it starts import what stands in a folder and nowhere else."""
    if folder not in sys.path:
        sys.path.append(folder)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), folder]))


@dataclass(frozen=True)
class Chapter:
    """A page of the book: a notebook, or a Markdown file that has nothing to execute."""

    root: Path
    file: str  # as in _toc.yml, without a suffix
    book: object  # `Book`

    @property
    def name(self):
        return Path(self.file).name

    @cached_property
    def path(self):
        notebook = self.root / f"{self.file}.ipynb"
        return notebook if notebook.exists() else self.root / f"{self.file}.md"

    @property
    def is_notebook(self):
        return self.path.suffix == ".ipynb"

    @cached_property
    def notebook(self):
        return read_notebook(self.path)

    @cached_property
    def prose(self):
        """All Markdown of the page."""
        if not self.is_notebook:
            try:
                return self.path.read_text(encoding="utf-8-sig")
            except UnicodeDecodeError as error:
                raise ValueError(f"{self.path}: expected UTF-8 text ({error.reason})") from None
        return "\n\n".join(cell.source for cell in self.notebook.cells if cell.cell_type == "markdown")

    @cached_property
    def title(self):
        first = self.notebook.cells[0].source if self.is_notebook else self.prose
        if not (title := re.search("^# (.*)$", first, re.M)):
            raise ValueError(f"{self.path}: expected a title ('# …') in its first cell")
        return title[1]

    @cached_property
    def parameters(self):
        """The typed parameters that the chapter's parameters cell declares; none for a page without one."""
        declared = [source for source, tags in self.code if "parameters" in tags]
        try:
            return parse_parameters(declared[0], self.book.values) if declared else []
        except (SyntaxError, ValueError) as error:
            raise ValueError(f"{self.path}: {error}") from None

    @cached_property
    def code(self):
        """Source and tags of the code cells: what is executed."""
        cells = self.notebook.cells if self.is_notebook else []
        cells = [cell for cell in cells if cell.cell_type == "code"]
        return [(cell.source, sorted(cell.metadata.get("tags", []))) for cell in cells]


@dataclass(frozen=True)
class Project:
    """A checkout of the book, of which ``toc`` lists the pages, where it is not the book's own _toc.yml."""

    root: Path
    toc: Path | None = None

    @classmethod
    def find(cls, start="."):
        """The book in the nearest folder at or above ``start`` that holds a ``_toc.yml``."""
        here = Path(start).resolve()
        for folder in (here, *here.parents):
            if (folder / "_toc.yml").is_file():
                return cls(folder)
        raise ValueError(
            f"no _toc.yml in {here} or any folder above it: call this from inside the book's folder"
        )

    @cached_property
    def book(self):
        """The `Book` that ``book: MODULE:NAME`` of ``_config.yml`` leads to."""
        path = self.root / "_config.yml"
        if not path.exists():
            raise ValueError(
                f"{path}: there is no such file; it says which book this is ('book: MODULE:NAME')"
            )
        setting = read_yaml(path).get("book", "")
        try:
            return book_of(setting, self.root)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    @cached_property
    def limits(self):
        """The `Limits` of a chapter that ``_config.yml`` sets."""
        return read_limits(read_yaml(self.root / "_config.yml"))

    @cached_property
    def chapters(self):
        """All pages, in the order of the table of contents."""
        path = self.toc or self.root / "_toc.yml"
        chapters = [Chapter(self.root, file, self.book) for file in files_of(read_yaml(path))]
        if not chapters:
            raise ValueError(f"{path}: expected a 'root', the first page")
        for chapter in chapters:
            if not chapter.path.is_file():
                raise ValueError(f"{path}: {escaped(chapter.file)}: no such notebook or Markdown file")
        return chapters

    @cached_property
    def names(self):
        """The name of each page, by its file: the ``title`` in the table of contents, else its own title."""
        return {page.file: self.given_names.get(page.file, page.title) for page in self.chapters}

    @cached_property
    def given_names(self):
        """The ``title`` of each page that has one in the table of contents, by its file."""
        entries = _entries_of(read_yaml(self.toc or self.root / "_toc.yml"))
        return {str(entry["file"]): str(entry["title"]) for entry in entries if {"file", "title"} <= {*entry}}

    @property
    def drafts(self):
        """The notebooks and Markdown files beside the pages that the table of contents does not list."""
        listed = {chapter.path for chapter in self.chapters}
        folders = sorted({path.parent for path in listed} - {self.root})
        beside = sorted(path for folder in folders for path in folder.iterdir() if path not in listed)
        return [str(path.relative_to(self.root)) for path in beside if path.suffix in (".ipynb", ".md")]

    @cached_property
    def commit(self):
        """The commit that is checked out, marked if files differ from it; nothing outside a repository."""
        try:
            command = ["git", "-C", str(self.root), "describe", "--always", "--dirty=-edited", "--exclude=*"]
            return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return ""

    @property
    def notebooks(self):
        return [chapter for chapter in self.chapters if chapter.is_notebook]

    def chapter(self, name):
        """The notebook of that name; ValueError with the nearest known name if there is none."""
        known = {chapter.name: chapter for chapter in self.notebooks}
        if name not in known:
            raise ValueError(
                f"{name}: no chapter has that name{nearest(name, known)} (see '{self.book.command} list')"
            )
        return known[name]

    def check_output(self, folder):
        """Raise ValueError for a folder inside what the book is made of, or inside what builds replace.

        What lies in ``_static``, for one, is copied into every site: a run there would be copied into itself.
        """
        pages = {chapter.path.parent for chapter in self.chapters} - {self.root}
        known = [
            *pages,
            *(self.root / name for name in ("_static", "parameters", "_build")),
            *folders_of(self.book).values(),
        ]
        where = Path(folder).resolve()
        if inside := [own.name for path in [where, *where.parents] for own in known if _is_same(path, own)]:
            raise ValueError(
                f"{escaped(str(folder))}: expected a folder outside of the book's own {inside[0]}"
            )

    def overrides(self, profile):
        """The values of a profile in place of the chapters' own defaults: chapter name to checked values.

        The profile ``book`` needs no file, as it is those defaults.

        Raises
        ------
        ValueError
            For an unknown profile, for one without its file, and for a file that sets what cannot be set.
        """
        check_word("profile", profile, PROFILES)
        path = self.root / "parameters" / f"{profile}.yml"
        if not path.exists():
            if profile != "book":
                wanted = f"the file {path.relative_to(self.root).as_posix()}, which says what it sets"
                raise ValueError(f"profile={profile!r}: expected {wanted}")
            return {}
        where, overrides = path.relative_to(self.root).as_posix(), {}
        for name, values in read_yaml(path).items():
            about = where
            try:
                parameters = self.chapter(name).parameters
                about = f"{where}: {escaped(name)}"
                if not isinstance(values, dict):
                    raise ValueError(f"expected {{parameter: value}}, got {escaped(values)}")
                overrides[name] = check_values(parameters, values)
            except ValueError as error:
                raise ValueError(f"{about}: {error}") from None
        return overrides

    def check_profiles(self):
        """Raise ValueError for a file of a profile that sets what cannot be set, built now or not."""
        for profile in PROFILES:
            if (self.root / "parameters" / f"{profile}.yml").exists():
                self.overrides(profile)


def _is_same(path, own):
    """Whether two paths are of one folder, which some disks have under names that differ in case."""
    return path == own.resolve() or path.exists() and own.exists() and path.samefile(own)


def files_of(toc):
    """Every 'root' and 'file' of a table of contents, depth first."""
    return [str(entry[key]) for entry in _entries_of(toc) for key in ("root", "file") if key in entry]


def _entries_of(toc):
    """Every mapping of a table of contents, depth first."""
    if isinstance(toc, list):
        return [entry for part in toc for entry in _entries_of(part)]
    if not isinstance(toc, dict):
        return []
    return [toc, *_entries_of([toc[key] for key in ("parts", "chapters", "sections") if key in toc])]
