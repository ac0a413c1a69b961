"""The description of a book for the engine: one value with everything that is this book's own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

from claimbook.csv_tables import read_table
from claimbook.registry import EXPECTED, KINDS, READINGS, Statement, check_filled, check_row
from claimbook.text import nearest

COLUMNS = ("id", "page", "expected", "reading", "place", "statement", "note")  # of the registry


@dataclass(frozen=True)
class Source:
    """A source whose statements the book treats, or the book itself.

    Parameters
    ----------
    key : str
        What the ids of its statements begin with: ``"newton"`` of ``"newton/law-2"``.
    name : str
        In lists: "Newton 1687".
    short : str
        At the head of its statements' boxes, before their numbers: "Newton"; empty for the book itself.
    title : str
        Heads its table on the page of all statements.
    own : bool
        Whether its statements are results of this book, which numbers them: what it adds, and its answers to
        what a source leaves open.
    division : str
        How the places of its statements begin if it has no sections: "Letter".
    parts : sequence of str
        Beginnings of the places within that division, in their order, where numbers do not tell it.
    prefix : str
        Comes before its numbers on the map, where they could be taken for another source's.
    """

    key: str
    name: str
    short: str = ""
    title: str = ""
    own: bool = False
    division: str = ""
    parts: Sequence[str] = ()
    prefix: str = ""


@dataclass(frozen=True)
class Book:
    """A book, as the engine sees it.

    Parameters
    ----------
    name, version : str
        Of the distribution that holds the book's code; the PDF has this name, too.
    command : str
        What the command line is called.
    packages : sequence of str
        Names of the packages with code of the book's own: a chapter is executed again when a module of them
        changes that it imports, also by way of others.
    content : Path
        The folder of the tables ``registry.csv``, ``errata.csv``, ``highlights.csv`` and ``paths.csv``.
    sources : sequence of Source
        In the order in which they are listed; the book itself is the last.
    own : str
        What the numbers of the book's own results begin with: C1, C2, …
    kinds : mapping of str
        Kinds of errata to what they mean, from grave to light. What is false begins with "false"; of
        "informal", "left open" and "withdrawn" the highlights have parts of their own.
    values : mapping of str
        Kinds of parameters, as their declarations name them, to a function that takes a text of that kind,
        and raises ValueError for, or returns something false for, what is none.
    preload : sequence of str
        Modules that all chapters import: kernels begin with them.
    data : mapping of str
        Names that bring data which a chapter did not draw itself, to what the end of its page says of them.
    extras : str
        A module whose functions ``installed_extras()`` and ``lacking(name)`` tell of packages that only some
        install; without imports of its own package, because it is run by itself.
    install : str
        A cell of code that brings the book's package where it is missing, which new chapters get.
    links : mapping of str
        Pages to the package whose JSON files they link to, and the folder of the site that gets these.
    moved : mapping of str
        Pages of earlier editions, as ``chapters/old``, to what took their place: ``chapters/new``, or a
        place on it, ``chapters/new#place``. The old address leads there, and its anchor goes along.
    reference : mapping of str
        Packages whose public names have a page, by what follows ``generated} api-`` there.
    figures : str
        The package of the functions that draw, one module for a chapter.
    synonyms : mapping of str
        Regular expressions for words of a search, to what the book says instead; ``$1`` stands for a group.
    answers : mapping of str
        Regular expressions for whole searches, in small letters and without signs between the words, to the
        address of the page, or of the place on it, that is to be found first: ``"page#place"``.
    paths : mapping of str
        Reading paths, by their names in ``paths.csv``, to the time that they take; the last has all pages.
    proofs : Path, optional
        What a machine has checked of the statements, in the form that ``claimbook.proofs`` reads.
    """

    name: str
    version: str
    command: str
    packages: Sequence[str]
    content: Path
    sources: Sequence[Source]
    own: str = "C"
    kinds: Mapping[str, str] = field(default_factory=KINDS.copy)
    values: Mapping[str, Callable] = field(default_factory=dict)
    preload: Sequence[str] = ()
    data: Mapping[str, str] = field(default_factory=dict)
    extras: str = ""
    install: str = ""
    links: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    reference: Mapping[str, str] = field(default_factory=dict)
    figures: str = ""
    synonyms: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    paths: Mapping[str, str] = field(default_factory=dict)
    proofs: Path | None = None

    def page(self, name):
        """The `Page` of a running chapter of this book.

        A book calls this ``Page``, for its chapters to begin with ``page = Page("its-name")``.
        """
        from claimbook.page import Page  # here, for commands read a book without Matplotlib and IPython

        return Page(name, self)

    @cached_property
    def checked(self):
        """`Proof` by the id of its statement: what a machine has checked."""
        from claimbook.proofs import read_proofs  # here, for it brings the templates

        return read_proofs(self.proofs)

    @cached_property
    def registry(self):
        """`Statement` by id, in the order of the book; ValueError that names a row with a wrong word."""
        found = {}
        for row in self.table("registry.csv", COLUMNS):
            check_row("registry.csv", row, expected=EXPECTED, reading=READINGS)
            check_filled("registry.csv", row, ("id", "place", "statement"))
            if row.id in found:
                raise ValueError(f"registry.csv, {row.id}: given twice")
            found[row.id] = Statement(**vars(row), source=self.source(row.id))
        return found

    def statement(self, name):
        """The `Statement` of that id; ValueError with the nearest known one if there is none."""
        if name not in self.registry:
            raise ValueError(f"statement={name!r}: not in the registry{nearest(name, self.registry)}")
        return self.registry[name]

    def source(self, statement):
        """The `Source` of a statement, by its id; ValueError if none has the key before the slash."""
        key = statement.partition("/")[0]
        if key not in self._by_key:
            raise ValueError(f"{statement}: no source has the key {key!r}{nearest(key, self._by_key)}")
        return self._by_key[key]

    @cached_property
    def _by_key(self):
        return {source.key: source for source in self.sources}

    def table(self, name, columns):
        """The rows of a table of the content, with its columns as attributes; none if it is not there."""
        path = self.content / name
        if not path.is_file():
            return []
        return [SimpleNamespace(**row) for row in read_table(path, columns)]

    @property
    def pdf(self):
        """The name of the book as one file."""
        return f"{self.name}.pdf"

    @property
    def itself(self):
        """The book as a source of its own results and errata."""
        return self.sources[-1]

    @cached_property
    def folders(self):
        """The folder of each package, by its name."""
        specs = {name: find_spec(name) for name in self.packages}
        return {name: Path(spec.origin).resolve().parent for name, spec in specs.items()}

    @property
    def folder(self):
        """The folder of the first package."""
        return self.folders[self.packages[0]]
