"""The sources of a book's pages: its executed chapters, and the text of each page as the renderer gets it.

A page is what stands in the checkout: its prose, with the outputs that its code had when it was executed,
transformed, and with the fragments that are generated from all findings in the place of the directives that
include them.
"""

import sys
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import nbformat

from claimbook.evidence import slug
from claimbook.execute.fingerprints import digest_of, engine_folder, files_in, folders_of
from claimbook.output_metadata import METADATA_KEY
from claimbook.project import Project, read_notebook, read_yaml
from claimbook.proofs import proof_badge, proof_fold
from claimbook.publish import metadata
from claimbook.reports import highlights, ledger, paths, proofs, statements
from claimbook.sphinxext import api
from claimbook.sphinxext.labels import addresses, with_boxes
from claimbook.sphinxext.outputs import about, transform
from claimbook.sphinxext.reading import holders
from claimbook.sphinxext.summary import brief_names
from claimbook.sphinxext.symbols import bare, notation
from claimbook.text import nearest
from claimbook.writing import checksum, digest

_NEXT = "```{generated} next\n```\n\n"


@dataclass(frozen=True)
class PageSources:
    """A book and the folder of its executed chapters.

    Attributes
    ----------
    project : Project
    executed : Path
    """

    project: Project
    executed: Path

    @property
    def whole(self):
        """Whether this is the book with all that its pages link to, and not one chapter by itself."""
        return self.project.toc is None

    @cached_property
    def pages(self):
        """The pages by their names for Sphinx."""
        return {page.file: page for page in self.project.chapters}

    @cached_property
    def own_findings(self):
        """The findings of the executed chapters."""
        return ledger.read_findings(self.project.book, self.executed.parent / "findings.json")[1]

    @cached_property
    def findings(self):
        """The findings that generated fragments tell of; for a chapter alone those of the last book."""
        if self.whole:
            return self.own_findings
        try:
            path = self.project.root / "_build" / "book" / "findings.json"
            return ledger.read_findings(self.project.book, path)[1]
        except ValueError:
            return []

    @cached_property
    def frame(self):
        """A digest of what all pages are made with: the engine, the book's files, the pages all lead to."""
        root = self.project.root
        names = ["_config.yml", "_toc.yml", "requirements.lock"]
        names += read_yaml(root / "_config.yml").get("bibtex_bibfiles", [])
        files = [
            *(root / name for name in names),
            *files_in(engine_folder()),
            self.project.book.content / "registry.csv",
        ]
        homes = [self.home(name) for name in ("map", "statements")]  # to which other pages lead
        made_of = [sys.version, self.project.book.version, self.whole, homes]
        return digest([*made_of, *(checksum(path) for path in files if path.is_file())])

    @cached_property
    def verdicts(self):
        """Statement id to verdict, in the executed chapters."""
        return ledger.verdicts(self.own_findings)

    @cached_property
    def whole_project(self):
        """The whole book, of which this may be one chapter."""
        return self.project if self.whole else Project(self.project.root)

    @cached_property
    def addresses(self):
        """The place and the name of each statement in the whole book."""
        return addresses(self.whole_project)

    @cached_property
    def names(self):
        """The names of all pages of the book, by their files."""
        return self.whole_project.names

    @cached_property
    def generated(self):
        """The page that holds each directive ``generated``, by the directive's argument."""
        return holders(self.project.chapters, "generated")

    def home(self, name):
        """The name of the page that holds such a directive; empty if none does."""
        return self.generated[name].name if name in self.generated else ""

    @cached_property
    def digests(self):
        """The digest of each page, by its name."""
        return {name: self.digest(name) for name in self.pages}

    @property
    def made_of(self):
        """A digest of all that the site is made of."""
        parts = [self.findings, repr(self.project.book.checked)]
        parts += [checksum(page.path) for page in self.whole_project.chapters]
        return digest([self.frame, self.static, self.digests, parts, self.packages])

    @cached_property
    def packages(self):
        """A digest of the code and the tables of the book's packages."""
        return digest_of(folders_of(self.project.book))

    @cached_property
    def static(self):
        """A digest of linked data, and of style sheets and scripts, whose checksums are on every page."""
        files = [*files_in(self.project.root / "_static"), *self.data.values()]
        return digest([(path.name, checksum(path)) for path in files])

    @cached_property
    def data(self):
        """The data files of the book that pages link to, by their places on the site."""
        book = self.project.book
        linked = [where for name, where in book.links.items() if name in self.pages]
        return {
            f"{place}/{path.name}": path
            for package, place in linked
            for path in sorted(book.folders[package].glob("*.json"))
        }

    def digest(self, name):
        """A digest of what stands on a page, without what its directives ask for."""
        page = self.pages[name]
        paths = [page.path, *([self.executed / f"{page.name}.ipynb"] if page.is_notebook else [])]
        return digest([self.frame, *map(checksum, paths)])

    def text(self, name):
        """The text of a page, as the renderer gets it; made once, as the page offers it for download too."""
        if name not in self._texts:
            self._texts[name] = self._make_text(name)
        return self._texts[name]

    @cached_property
    def _texts(self):
        return {}

    def _make_text(self, name):
        page, commit = self.pages[name], self.project.commit
        if not page.is_notebook:
            return page.prose
        executed = read_notebook(self.executed / f"{page.name}.ipynb")
        notebook = with_boxes(joined(page.notebook, executed), page.name, self.project.book.registry)
        values = executed.metadata[METADATA_KEY]["parameters"]
        ending = about(page, values, read_yaml(self.project.root / "_config.yml"), commit, self.whole)
        ending = _NEXT * ("map" in self.generated) + ending
        figures = self.project.book.figures if self.whole else ""
        self.drawn[name] = transform(notebook, ending, figures)
        return nbformat.writes(notebook)

    @cached_property
    def drawn(self):
        """The names of the figures that pages drew, by the names of those whose text was made."""
        return {}

    def verdict(self, statement):
        """The verdict on a statement of the registry; None while nothing was found on it."""
        return self.verdicts.get(self.project.book.statement(statement).id)

    def verdict_on(self, label):
        """The verdict on the statement with this label; None without one, or without such a statement."""
        return next((verdict for known, verdict in self.verdicts.items() if slug(known) == label), None)

    def row(self, label):
        """The address of a statement's row in the table of statements; empty if no page has the table."""
        return f"{self.home('statements')}.html#{label}" if self.home("statements") else ""

    def place(self, label):
        """The address of a statement on its own page; empty if this book does not have that page."""
        page = self.addresses[label].page
        return f"{page}.html#{label}" if page in {one.name for one in self.pages.values()} else ""

    def rank(self, label):
        """The place of a statement in the registry, by its label; after all of these for another label."""
        return self._ranks.get(label, len(self._ranks))

    @cached_property
    def _ranks(self):
        return {slug(row.id): rank for rank, row in enumerate(statements.in_order(self.project.book))}

    def proof(self, label):
        """The badge and the fold, as HTML, of a proof that a machine has checked; nothing without one."""
        checked = self.project.book.checked.items()
        proof = next((proof for statement, proof in checked if slug(statement) == label), None)
        return (proof_badge(proof), proof_fold(proof)) if proof else ()

    def brief(self, label):
        """The short name of a statement, by its label."""
        return self._brief_names[label]

    @cached_property
    def _brief_names(self):
        return brief_names(self.addresses)

    def page(self, name):
        """What a page of the book is called, as a link if this book has the page."""
        called = {page.name: self.names[page.file] for page in self.whole_project.chapters}
        if name not in called:
            raise ValueError(f"page={name!r}: no page has that name{nearest(name, called)}")
        linked = {page.name: page.path.name for page in self.project.chapters}
        return f"[{called[name]}]({linked[name]})" if name in linked else called[name]

    def meaning(self, symbol):
        """The meaning of a symbol by the table of notation, as Markdown."""
        if bare(symbol) not in self._symbols:
            raise ValueError(f"symbol={symbol!r}: not in the table of notation; expected 'symbol = meaning'")
        return self._symbols[bare(symbol)]

    @cached_property
    def _symbols(self):
        return notation("\n".join(page.prose for page in self.whole_project.chapters))

    def basis(self, name, page):
        """A value that changes with a fragment: itself, or, sooner computed, the code that it describes."""
        makers = self.fragments(page)
        if name not in makers:
            raise ValueError(f"generated={name!r}: expected one of {', '.join(makers)}")
        return self.packages if name.startswith("api-") else makers[name]()

    def fragments(self, page):
        """Functions that make the Markdown of the directives ``generated`` on a page, by their names."""
        book, findings, known = self.project.book, self.findings, self.addresses
        verdicts = ledger.verdicts(findings)
        texts = {chapter.name: chapter.prose for chapter in self.project.notebooks}
        standing = {page.name for page in self.project.chapters}
        titles = {chapter.name: chapter.title for chapter in self.project.notebooks}
        return {
            "next": lambda: paths.next_markdown(self.project, self.pages[page].name),
            "statements": lambda: statements.statements_markdown(
                book, findings, known, titles, texts, paths.parts_of(self.whole_project)
            ),
            "proofs": lambda: proofs.proofs_markdown(book, known, verdicts, titles, texts),
            "where": lambda: metadata.where_markdown(self.project.root),
            "cite": lambda: metadata.cite_markdown(self.project.root),
            "map": lambda: paths.map_markdown(self.project, known, verdicts),
            "highlights": lambda: highlights.highlights_markdown(
                book, findings, known, standing, self.home("statements")
            ),
            "count": lambda: highlights.count_markdown(book, findings),
            "totals": lambda: highlights.totals_markdown(book, findings),
            "api-figures": lambda: api.figures_markdown(book.figures),
            **{f"api-{key}": partial(api.package_markdown, own) for key, own in book.reference.items()},
        }


def joined(chapter, executed):
    """A chapter as it stands, with what its code showed when it ran, and the cell that papermill added.

    Parameters
    ----------
    chapter, executed : NotebookNode
        With the same code, cell by cell.
    """
    notebook, cells = deepcopy(chapter), []
    ran = [cell for cell in deepcopy(executed).cells if cell.cell_type == "code"]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            made = ran.pop(0)
            cell.outputs, cell.execution_count = made.outputs, made.execution_count
        cells.append(cell)
        while ran and "injected-parameters" in ran[0].metadata.get("tags", []):
            cells.append(ran.pop(0))
    notebook.cells = cells
    return notebook
