"""The sources of a book's pages: executed chapters, and texts for the renderer.

A page consists of its prose in the checkout and of the transformed outputs of its executed code. Each
directive ``generated`` is replaced by a fragment that is generated from all findings.
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
from claimbook.project import Project, read_notebook
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
from claimbook.yaml_files import read_yaml

_NEXT_PAGES = "```{generated} next\n```\n\n"


@dataclass(frozen=True)
class PageSources:
    """A book and the folder of its executed chapters.

    Attributes
    ----------
    project : Project
        The book.
    executed : Path
        The folder of the executed chapters.
    """

    project: Project
    executed: Path

    @property
    def whole(self):
        """Return whether this is the complete book rather than a single chapter."""
        return self.project.toc is None

    @cached_property
    def pages(self):
        """Return the pages by the names that Sphinx gives them."""
        return {page.file: page for page in self.project.chapters}

    @cached_property
    def own_findings(self):
        """Return the findings of the executed chapters."""
        return ledger.read_findings(self.project.book, self.executed.parent / "findings.json")[1]

    @cached_property
    def findings(self):
        """Return the findings on which generated fragments are based.

        For a single chapter, these are the findings of the last build of the book.
        """
        if self.whole:
            return self.own_findings
        try:
            path = self.project.root / "_build" / "book" / "findings.json"
            return ledger.read_findings(self.project.book, path)[1]
        except ValueError:
            return []

    @cached_property
    def frame(self):
        """Return a digest of what all pages have in common.

        The digest covers the engine, the book's files, and the names of the pages to which all other pages
        link.
        """
        root, book = self.project.root, self.project.book
        names = ["_config.yml", "_toc.yml", "requirements.lock"]
        names += read_yaml(root / "_config.yml").get("bibtex_bibfiles", [])
        files = [root / name for name in names]
        files += [*files_in(engine_folder()), book.content / "registry.csv"]
        checksums = [checksum(path) for path in files if path.is_file()]
        linked_pages = [self.home(name) for name in ("map", "statements")]  # other pages link to these pages
        return digest([sys.version, book.version, self.whole, linked_pages, *checksums])

    @cached_property
    def verdicts(self):
        """Return the verdict on each statement in the executed chapters, by id."""
        return ledger.verdicts(self.own_findings)

    @cached_property
    def whole_project(self):
        """Return the complete book, even if this is only a single chapter of it."""
        return self.project if self.whole else Project(self.project.root)

    @cached_property
    def addresses(self):
        """Return the `Address` of each statement in the complete book."""
        return addresses(self.whole_project)

    @cached_property
    def names(self):
        """Return the names of all pages of the book, by file."""
        return self.whole_project.names

    @cached_property
    def generated(self):
        """Return, by argument, the page that contains each directive ``generated``."""
        return holders(self.project.chapters, "generated")

    def home(self, name):
        """Return the name of the page with a ``generated`` directive, or an empty text."""
        return self.generated[name].name if name in self.generated else ""

    @cached_property
    def digests(self):
        """Return the digest of each page, by its name."""
        return {name: self.digest(name) for name in self.pages}

    @property
    def made_of(self):
        """Return a digest of all sources of the site."""
        parts = [self.findings, repr(self.project.book.checked)]
        parts += [checksum(page.path) for page in self.whole_project.chapters]
        return digest([self.frame, self.static, self.digests, parts, self.packages])

    @cached_property
    def packages(self):
        """Return a digest of the code and the tables of the book's packages."""
        return digest_of(folders_of(self.project.book))

    @cached_property
    def static(self):
        """Return a digest of linked data, style sheets and scripts.

        Every page contains the checksums of the style sheets and scripts.
        """
        files = [*files_in(self.project.root / "_static"), *self.data.values()]
        return digest([(path.name, checksum(path)) for path in files])

    @cached_property
    def data(self):
        """Return the data files to which pages link, by address on the site."""
        book = self.project.book
        packages_and_folders = [pair for page, pair in book.links.items() if page in self.pages]
        return {
            f"{folder}/{path.name}": path
            for package, folder in packages_and_folders
            for path in sorted(book.folders[package].glob("*.json"))
        }

    def digest(self, name):
        """Return a digest of a page without the answers to its directives."""
        page = self.pages[name]
        executed = [self.executed / f"{page.name}.ipynb"] if page.is_notebook else []
        return digest([self.frame, *map(checksum, [page.path, *executed])])

    def text(self, name):
        """Return the text of a page for the renderer.

        The text is made only once. The page also offers this text for download.
        """
        if name not in self._texts:
            self._texts[name] = self._make_text(name)
        return self._texts[name]

    @cached_property
    def _texts(self):
        return {}

    def _make_text(self, name):
        """Return the text of a page for the renderer, which for a notebook is JSON."""
        page, commit = self.pages[name], self.project.commit
        if not page.is_notebook:
            return page.prose
        executed = read_notebook(self.executed / f"{page.name}.ipynb")
        notebook = with_boxes(with_outputs(page.notebook, executed), page.name, self.project.book.registry)
        parameters = executed.metadata[METADATA_KEY]["parameters"]
        settings = read_yaml(self.project.root / "_config.yml")
        next_pages = _NEXT_PAGES if "map" in self.generated else ""  # a book with a map has reading paths
        ending = next_pages + about(page, parameters, settings, commit, self.whole)
        figures = self.project.book.figures if self.whole else ""
        self.drawn[name] = transform(notebook, ending, figures)
        return nbformat.writes(notebook)

    @cached_property
    def drawn(self):
        """Return the names of the figures that each page drew, by page.

        Only pages whose text has been made are included.
        """
        return {}

    def verdict(self, statement):
        """Return the verdict on a statement by its id, or None if it has no finding."""
        return self.verdicts.get(self.project.book.statement(statement).id)

    def verdict_on(self, label):
        """Return the verdict on a statement by its label, or None if it has no finding."""
        return next(
            (verdict for statement, verdict in self.verdicts.items() if slug(statement) == label), None
        )

    def row(self, label):
        """Return the address of a statement's row in the table, or an empty text."""
        return f"{self.home('statements')}.html#{label}" if self.home("statements") else ""

    def address(self, label):
        """Return the address of a statement on its own page, or an empty text.

        The text is empty if this book does not have the page.
        """
        page = self.addresses[label].page
        names = {chapter.name for chapter in self.pages.values()}
        return f"{page}.html#{label}" if page in names else ""

    def rank(self, label):
        """Return the position of a statement in the registry, by its label.

        Other labels come after all statements.
        """
        return self._ranks.get(label, len(self._ranks))

    @cached_property
    def _ranks(self):
        return {slug(row.id): rank for rank, row in enumerate(statements.in_order(self.project.book))}

    def proof(self, label):
        """Return the badge and the fold of a machine-checked proof, if any, as HTML."""
        proofs = {slug(statement): proof for statement, proof in self.project.book.checked.items()}
        return (proof_badge(proofs[label]), proof_fold(proofs[label])) if label in proofs else ()

    def brief(self, label):
        """Return the short name of a statement, by its label."""
        return self._brief_names[label]

    @cached_property
    def _brief_names(self):
        return brief_names(self.addresses)

    def page(self, name):
        """Return the name of a page, as a link if this book has the page.

        Raises
        ------
        ValueError
            If no page has that name.
        """
        page_names = {page.name: self.names[page.file] for page in self.whole_project.chapters}
        if name not in page_names:
            raise ValueError(f"page={name!r}: expected the name of a page{nearest(name, page_names)}")
        files = {page.name: page.path.name for page in self.project.chapters}
        return f"[{page_names[name]}]({files[name]})" if name in files else page_names[name]

    def meaning(self, symbol):
        """Return the meaning of a symbol in the table of notation, as Markdown.

        Raises
        ------
        ValueError
            If the table lacks the symbol.
        """
        if bare(symbol) not in self._symbols:
            expectation = "expected 'symbol = meaning', or a row in the table of notation"
            raise ValueError(f"symbol={symbol!r}: {expectation}")
        return self._symbols[bare(symbol)]

    @cached_property
    def _symbols(self):
        return notation("\n".join(page.prose for page in self.whole_project.chapters))

    def basis(self, name, page):
        """Return a value that changes whenever a generated fragment does.

        The value is the fragment itself or, if this is faster, a digest of the code that the fragment
        describes.
        """
        fragments = self.fragments(page)
        if name not in fragments:
            raise ValueError(f"generated={name!r}: expected one of {', '.join(fragments)}")
        return self.packages if name.startswith("api-") else fragments[name]()

    def fragments(self, page):
        """Return, by argument, functions that make the Markdown of ``generated``."""
        book, findings, addresses = self.project.book, self.findings, self.addresses
        verdicts = ledger.verdicts(findings)
        texts = {chapter.name: chapter.prose for chapter in self.project.notebooks}
        page_names = {chapter.name for chapter in self.project.chapters}
        titles = {chapter.name: chapter.title for chapter in self.project.notebooks}
        return {
            "next": lambda: paths.next_markdown(self.project, self.pages[page].name),
            "statements": lambda: statements.statements_markdown(
                book, findings, addresses, titles, texts, paths.parts_of(self.whole_project)
            ),
            "proofs": lambda: proofs.proofs_markdown(book, addresses, verdicts, titles, texts),
            "where": lambda: metadata.where_markdown(self.project.root),
            "cite": lambda: metadata.cite_markdown(self.project.root),
            "map": lambda: paths.map_markdown(self.project, addresses, verdicts),
            "highlights": lambda: highlights.highlights_markdown(
                book, findings, addresses, page_names, self.home("statements")
            ),
            "count": lambda: highlights.count_markdown(book, findings),
            "totals": lambda: highlights.totals_markdown(book, findings),
            "api-figures": lambda: api.figures_markdown(book.figures),
            **{
                f"api-{key}": partial(api.package_markdown, package)
                for key, package in book.reference.items()
            },
        }


def with_outputs(chapter, executed):
    """Return a chapter with the outputs of its executed version.

    The result includes the cell that papermill added to set parameters.

    Parameters
    ----------
    chapter, executed : NotebookNode
        The chapter and its executed version, with the same code in each cell.
    """
    notebook, cells = deepcopy(chapter), []
    # The executed code cells that are still to be used, in order.
    executed_cells = [cell for cell in deepcopy(executed).cells if cell.cell_type == "code"]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            executed_cell = executed_cells.pop(0)
            cell.outputs, cell.execution_count = executed_cell.outputs, executed_cell.execution_count
        cells.append(cell)
        while executed_cells and "injected-parameters" in executed_cells[0].metadata.get("tags", []):
            cells.append(executed_cells.pop(0))
    notebook.cells = cells
    return notebook
