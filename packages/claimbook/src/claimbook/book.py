"""Describe a book: everything that the engine needs to know about it."""

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
    """A source whose statements the book examines, or the book itself.

    Parameters
    ----------
    key : str
        The beginning of the ids of the source's statements, such as ``"newton"`` in ``"newton/law-2"``.
    name : str
        The name of the source in lists, such as "Newton 1687".
    short : str
        The name of the source before a number in the heading of a box, such as "Newton". It is empty for the
        book itself.
    title : str
        The heading of the source's table on the page of all statements.
    own : bool
        Whether the source's statements are results of this book, that is, new results or answers to open
        questions of a source. The book numbers such statements itself.
    division : str
        The first word of the place of each statement if the source has no sections, such as "Letter".
    parts : sequence of str
        The words with which places within a division begin, in the order of the source. These are needed only
        if numbers do not give that order.
    prefix : str
        A prefix for the source's numbers on the map. It is needed if readers could mistake these numbers for
        those of another source.
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
    """The description of a book for the engine.

    Parameters
    ----------
    name, version : str
        The name and the version of the distribution with the book's code. The PDF has the same name.
    command : str
        The name of the command line.
    packages : sequence of str
        Names of the packages with the book's own code. If a module of these packages changes, every chapter
        that imports it, directly or indirectly, is executed again.
    content : Path
        The folder with the tables ``registry.csv``, ``errata.csv``, ``highlights.csv`` and ``paths.csv``.
    sources : sequence of Source
        The sources, in the order in which lists show them. The book itself is the last source.
    own : str
        The letter before the numbers of the book's own results, such as "C" in C1, C2, …
    kinds : mapping of str
        The meaning of each kind of erratum, the most serious first. Kinds of false statements begin with
        "false". The highlights show "informal", "left open" and "withdrawn" separately.
    values : mapping of str
        The kinds of parameters that chapters may declare, each with a function that checks a text. The
        function takes a text and raises ValueError or returns a false value if the text is not of this kind.
    preload : sequence of str
        Modules that all chapters import. Kernels start with these modules loaded.
    data : mapping of str
        Names in a chapter's code that load existing data. Each name maps to a sentence about these data,
        which appears at the end of the page.
    extras : str
        A module with the functions ``installed_extras()`` and ``lacking(name)`` about optional packages. It
        must not import from its own package, because the engine runs it alone.
    install : str
        The code of a cell that installs the book's package if it is missing. New chapters get this cell.
    links : mapping of str
        Pages that link to JSON files. Each page maps to the package with these files and to their folder on
        the site.
    moved : mapping of str
        Old addresses such as ``chapters/old``, each with its new address: ``chapters/new``, or
        ``chapters/new#label`` for a part of a page. The old address redirects to the new one, and an anchor
        of the old address is kept.
    reference : mapping of str
        Packages whose public names are listed on a page. The key is the name after ``generated} api-`` on
        that page.
    figures : str
        The package with the functions that draw figures. The package has one module for each chapter.
    synonyms : mapping of str
        Regular expressions for words in a search, each with the book's own term. ``$1`` stands for a group.
    answers : mapping of str
        Regular expressions for complete searches, as typed or in lower case without punctuation. Each
        expression maps to the address (``"page#label"``) that the search shows first. The address must be in
        the search index.
    paths : mapping of str
        The names of the reading paths in ``paths.csv``, each with its reading time. The last path contains
        all pages.
    proofs : Path, optional
        The file that describes the machine-checked proofs. ``claimbook.proofs`` explains its format.
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
        """Return the `Page` of a running chapter of this book.

        Notes
        -----
        A book exports this method as ``Page``: its chapters begin with ``page = Page("its-name")``.
        """
        from claimbook.page import Page  # here, because commands read a book without Matplotlib

        return Page(name, self)

    @cached_property
    def checked(self):
        """Return the machine-checked `Proof` of each statement that has one, by id."""
        from claimbook.proofs import read_proofs  # here, because it imports the templates

        return read_proofs(self.proofs)

    @cached_property
    def registry(self):
        """Return the statements by id, each as a `Statement`, in the order of the table.

        Raises
        ------
        ValueError
            If a row has an unknown word, an empty cell or the id of another row. The message names the row.
        """
        statements = {}
        for row in self.table("registry.csv", COLUMNS):
            check_row("registry.csv", row, expected=EXPECTED, reading=READINGS)
            check_filled("registry.csv", row, ("id", "place", "statement"))
            if row.id in statements:
                raise ValueError(f"registry.csv, {row.id}: expected one row of this id, got two")
            statements[row.id] = Statement(**vars(row), source=self.source(row.id))
        return statements

    def statement(self, name):
        """Return the `Statement` with a given id.

        Raises
        ------
        ValueError
            If the registry has no such id. The message suggests the nearest one.
        """
        if name not in self.registry:
            expectation = f"expected a statement of the registry{nearest(name, self.registry)}"
            raise ValueError(f"statement={name!r}: {expectation}")
        return self.registry[name]

    def source(self, statement):
        """Return the `Source` of a statement.

        Parameters
        ----------
        statement : str
            The id of the statement, which begins with the key of its source and a slash.

        Raises
        ------
        ValueError
            If no source has that key.
        """
        key = statement.partition("/")[0]
        if key not in self._source_by_key:
            expectation = (
                f"expected an id that begins with the key of a source{nearest(key, self._source_by_key)}"
            )
            raise ValueError(f"statement={statement!r}: {expectation}")
        return self._source_by_key[key]

    @cached_property
    def _source_by_key(self):
        return {source.key: source for source in self.sources}

    def table(self, name, columns):
        """Return the rows of a content table, or an empty list if there is no file.

        Parameters
        ----------
        name : str
            The name of the file.
        columns : sequence of str
            The columns that the file must have. Each row has them as attributes.
        """
        path = self.content / name
        if not path.is_file():
            return []
        return [SimpleNamespace(**row) for row in read_table(path, columns)]

    @property
    def pdf(self):
        """Return the file name of the book's PDF."""
        return f"{self.name}.pdf"

    @property
    def itself(self):
        """Return the book as the source of its own results and errata."""
        return self.sources[-1]

    @cached_property
    def folders(self):
        """Return the folder of each package, by the package's name."""
        specs = {name: find_spec(name) for name in self.packages}
        return {name: Path(spec.origin).resolve().parent for name, spec in specs.items()}

    @property
    def folder(self):
        """Return the folder of the first package."""
        return self.folders[self.packages[0]]
