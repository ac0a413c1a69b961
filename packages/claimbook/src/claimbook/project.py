"""Read a book from disk: its folder, its chapters, and the parameters of each profile."""

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

from claimbook.book import Book
from claimbook.execute.fingerprints import folders_of
from claimbook.execute.limits import read_limits
from claimbook.parameters import PROFILES, check_values, check_word, parse_parameters
from claimbook.text import escaped, nearest
from claimbook.yaml_files import read_yaml


def read_notebook(path):
    """Return the notebook in a file, in which each cell has an id of its own.

    Raises
    ------
    ValueError
        If the file is not a notebook of nbformat 4. The message is one line that names the file.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        if (version := content.get("nbformat", 4)) != 4:
            raise ValueError(f"nbformat={version}: expected 4; open it in Jupyter and save it")
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
    """Return a notebook whose cells all have different ids.

    Cells without an id (from before nbformat 4.5), and cells with the id of an earlier cell (copied in an
    editor), get an id from their number.
    """
    ids, earlier_ids = {cell.get("id") for cell in notebook.cells}, set()
    for number, cell in enumerate(notebook.cells, 1):
        if "id" not in cell or cell["id"] in earlier_ids:
            new_id = f"cell-{number}"
            while new_id in ids:
                new_id += "-"
            ids.add(new_id)
            cell["id"] = new_id
        earlier_ids.add(cell["id"])
    notebook.nbformat_minor = max(notebook.nbformat_minor, 5)
    return notebook


def book_of(setting, root):
    """Return the book that a setting of the form ``MODULE:NAME`` names.

    Parameters
    ----------
    setting : str
        The setting ``book`` of ``_config.yml``.
    root : path
        The folder of the book. The modules in this folder can then be imported here and in kernels.

    Raises
    ------
    ValueError
        If the module does not exist or has no `Book` of that name.
    """
    module, _, name = str(setting).partition(":")
    _make_importable(str(root))
    try:
        book = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"book={setting!r}: expected MODULE:NAME, such as 'my_book:BOOK' ({error})"
        ) from None
    if not isinstance(book, Book):
        raise ValueError(f"book={setting!r}: expected a Book, got {type(book).__name__}")
    return book


def _make_importable(folder):
    """Make the modules of a folder importable in this process and its children."""
    if folder not in sys.path:
        sys.path.append(folder)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), folder]))


@dataclass(frozen=True)
class Chapter:
    """A page of the book: a notebook, or a Markdown file without code.

    Attributes
    ----------
    root : Path
        The folder of the book.
    file : str
        The page's file as in ``_toc.yml``, without a suffix.
    book : Book
        The book.
    """

    root: Path
    file: str
    book: object

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
        """Return all Markdown of the page."""
        if not self.is_notebook:
            try:
                return self.path.read_text(encoding="utf-8-sig")
            except UnicodeDecodeError as error:
                raise ValueError(f"{self.path}: expected UTF-8 text ({error.reason})") from None
        return "\n\n".join(cell.source for cell in self.notebook.cells if cell.cell_type == "markdown")

    @cached_property
    def title(self):
        """Return the heading with which the page opens."""
        first_text = self.notebook.cells[0].source if self.is_notebook else self.prose
        if not (title := re.search("^# (.*)$", first_text, re.M)):
            raise ValueError(f"{self.path}: expected a title ('# …') in its first cell")
        return title[1]

    @cached_property
    def parameters(self):
        """Return the parameters that the chapter declares; a page without code has none."""
        source = next((source for source, tags in self.code if "parameters" in tags), "")
        try:
            return parse_parameters(source, self.book.values)
        except (SyntaxError, ValueError) as error:
            raise ValueError(f"{self.path}: {error}") from None

    @cached_property
    def code(self):
        """Return the source and the tags of each code cell, as pairs."""
        cells = self.notebook.cells if self.is_notebook else []
        code_cells = [cell for cell in cells if cell.cell_type == "code"]
        return [(cell.source, sorted(cell.metadata.get("tags", []))) for cell in code_cells]


@dataclass(frozen=True)
class Project:
    """A book on disk.

    Attributes
    ----------
    root : Path
        The folder of the book.
    toc : Path, optional
        A table of contents instead of the book's own ``_toc.yml``.
    """

    root: Path
    toc: Path | None = None

    @classmethod
    def find(cls, start="."):
        """Return the book whose ``_toc.yml`` is in ``start`` or the nearest folder above.

        Raises
        ------
        ValueError
            If no such folder exists.
        """
        start_folder = Path(start).resolve()
        for folder in (start_folder, *start_folder.parents):
            if (folder / "_toc.yml").is_file():
                return cls(folder)
        raise ValueError(
            f"{start_folder}: expected a _toc.yml here or above; call this from inside the book's folder"
        )

    @cached_property
    def book(self):
        """Return the `Book` that ``book: MODULE:NAME`` in ``_config.yml`` names."""
        path = self.root / "_config.yml"
        if not path.exists():
            raise ValueError(f"{path}: expected a file that names the book ('book: MODULE:NAME'), got none")
        setting = read_yaml(path).get("book", "")
        try:
            return book_of(setting, self.root)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    @cached_property
    def limits(self):
        """Return the `Limits` that ``_config.yml`` sets for a chapter."""
        return read_limits(read_yaml(self.root / "_config.yml"))

    @cached_property
    def chapters(self):
        """Return all pages, in the order of the table of contents."""
        path = self.toc or self.root / "_toc.yml"
        chapters = [Chapter(self.root, file, self.book) for file in files_of(read_yaml(path))]
        if not chapters:
            raise ValueError(f"{path}: expected a 'root', the first page")
        for chapter in chapters:
            if not chapter.path.is_file():
                expectation = "expected the file of a notebook or a Markdown page, without a suffix"
                raise ValueError(f"{path}: {escaped(chapter.file)}: {expectation}")
        return chapters

    @cached_property
    def whole_toc(self):
        """Return the contents of the book's ``_toc.yml``, even if this project is a part of the book."""
        return read_yaml(self.root / "_toc.yml")

    @cached_property
    def names(self):
        """Return the name of each page, by its file.

        The name is the ``title`` in the table of contents or, without one, the page's own title.
        """
        return {page.file: self.given_names.get(page.file, page.title) for page in self.chapters}

    @cached_property
    def given_names(self):
        """Return the ``title`` of each page that has one in ``_toc.yml``, by file."""
        entries = _entries_of(read_yaml(self.toc or self.root / "_toc.yml"))
        return {str(entry["file"]): str(entry["title"]) for entry in entries if {"file", "title"} <= {*entry}}

    @property
    def drafts(self):
        """Return notebooks and Markdown files that the table of contents does not list.

        Only the folders of listed pages are searched.
        """
        listed_paths = {chapter.path for chapter in self.chapters}
        folders = sorted({path.parent for path in listed_paths} - {self.root})
        other_paths = sorted(
            path for folder in folders for path in folder.iterdir() if path not in listed_paths
        )
        return [str(path.relative_to(self.root)) for path in other_paths if path.suffix in (".ipynb", ".md")]

    @cached_property
    def commit(self):
        """Return the checked-out commit, or an empty text outside a repository.

        ``-edited`` is appended if files differ from the commit.
        """
        try:
            command = ["git", "-C", str(self.root), "describe", "--always", "--dirty=-edited", "--exclude=*"]
            return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return ""

    @property
    def notebooks(self):
        return [chapter for chapter in self.chapters if chapter.is_notebook]

    def chapter(self, name):
        """Return the chapter with a given name, which must be a notebook.

        Raises
        ------
        ValueError
            If no notebook has that name. The message suggests the nearest one.
        """
        by_name = {chapter.name: chapter for chapter in self.notebooks}
        if name not in by_name:
            raise ValueError(
                f"chapter={name!r}: expected the name of a chapter{nearest(name, by_name)} "
                f"(see '{self.book.command} list')"
            )
        return by_name[name]

    def check_output(self, folder):
        """Raise ValueError if an output folder is inside sources or build output.

        Notes
        -----
        For example, files in ``_static`` are copied into every site, so a run with its output there would be
        copied into itself.
        """
        protected_folders = [
            *({chapter.path.parent for chapter in self.chapters} - {self.root}),
            *(self.root / name for name in ("_static", "parameters", "_build")),
            *folders_of(self.book).values(),
        ]
        output_folder = Path(folder).resolve()
        for path in (output_folder, *output_folder.parents):
            for protected_folder in protected_folders:
                if _is_same(path, protected_folder):
                    expectation = f"expected a folder outside of the book's own {protected_folder.name}"
                    raise ValueError(f"{escaped(str(folder))}: {expectation}")

    def overrides(self, profile):
        """Return the checked values that a profile sets, by chapter name.

        Parameters
        ----------
        profile : str
            The name of the profile, one of `PROFILES`. The profile ``book`` needs no file, because it
            consists of the chapters' defaults.

        Raises
        ------
        ValueError
            If the profile is unknown or has no file, or if its file sets an unknown parameter or a wrong
            value.
        """
        check_word("profile", profile, PROFILES)
        path = self.root / "parameters" / f"{profile}.yml"
        file = path.relative_to(self.root).as_posix()
        if not path.exists() and profile == "book":
            return {}
        if not path.exists():
            raise ValueError(f"profile={profile!r}: expected the file {file}, which says what it sets")
        overrides = {}
        for name, values in read_yaml(path).items():
            location = file  # an error of the chapter itself names the chapter
            try:
                parameters = self.chapter(name).parameters
                location = f"{file}: {escaped(name)}"
                if not isinstance(values, dict):
                    raise ValueError(f"expected {{parameter: value}}, got {escaped(values)}")
                overrides[name] = check_values(parameters, values)
            except ValueError as error:
                raise ValueError(f"{location}: {error}") from None
        return overrides

    def check_profiles(self):
        """Raise ValueError if any profile's file sets an unknown name or a wrong value."""
        for profile in PROFILES:
            if (self.root / "parameters" / f"{profile}.yml").exists():
                self.overrides(profile)


def _is_same(path, folder):
    """Return whether two paths lead to the same folder.

    The folders are compared, not the names, because some disks ignore the case of names.
    """
    return path == folder.resolve() or (path.exists() and folder.exists() and path.samefile(folder))


def files_of(toc):
    """Return every 'root' and 'file' of a table of contents, depth first."""
    return [str(entry[key]) for entry in _entries_of(toc) for key in ("root", "file") if key in entry]


def _entries_of(toc):
    """Return every mapping of a table of contents, depth first."""
    if isinstance(toc, list):
        return [entry for part in toc for entry in _entries_of(part)]
    if not isinstance(toc, dict):
        return []
    return [toc, *_entries_of([toc[key] for key in ("parts", "chapters", "sections") if key in toc])]
