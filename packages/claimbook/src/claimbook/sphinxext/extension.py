"""The book as a Sphinx extension: ``jupyter-book build .`` builds it completely.

When the configuration is read, chapters that are not current are executed. If `RENDERED` names a folder, the
executed chapters in that folder are used instead. Sphinx then asks which documents are outdated, and gets
their texts from the `PageSources`. At the end, the pages that were written are post-processed. Only executed
notebooks are written outside Sphinx's own folders.
"""

import gc
import json
import os
import shutil
from contextlib import ExitStack, suppress
from glob import escape
from importlib.metadata import distribution
from pathlib import Path

from sphinx.errors import SphinxError

from claimbook.build import REFUSAL, RENDERED, bring_up_to_date
from claimbook.evidence import slug
from claimbook.fonts import web_fonts
from claimbook.palette import SITE, variables
from claimbook.project import Project
from claimbook.publish.hosts import buttons
from claimbook.reports import errata, ledger, statements
from claimbook.sphinxext import api, directives, folds, layers, naming, numbering, theorems
from claimbook.sphinxext.postprocessing import post_process
from claimbook.sphinxext.sources import PageSources
from claimbook.writing import digest, hold, write_whole
from claimbook.yaml_files import read_yaml

_HERE = Path(__file__).parent
# Attributes of Sphinx's environment with notes on each page: the questions of its directives, its folded
# items, and its figures with errors.
_ATTRIBUTES_WITH_NOTES = ("claimbook_asked", "claimbook_folded", "claimbook_wrong")
_FIGURE_ERRORS = {
    "not shown": "drawn, but no {{glue:figure}} below its cell has a caption for it",
    "not drawn": (
        "no cell drew it: expected page.figure(..., '{figure}') above, "
        "or ':optional: why' in its {{glue:figure}}"
    ),
    "no caption": "expected a caption, the text of its {{glue:figure}}",
}


class BookError(SphinxError):
    """An error that prevents the book from being published."""

    category = REFUSAL


def setup(app):
    """Connect a build of the book to the events of Sphinx."""
    build = _Build()
    directives.setup(app)
    theorems.setup(app)
    folds.setup(app)
    layers.setup(app)
    naming.setup(app)
    numbering.setup(app)
    api.setup(app)
    # Sphinx's default priority is 500: 100 runs before other extensions, 900 after them.
    for event, listener, priority in (
        ("config-inited", build.begin, 100),
        ("builder-inited", build.prepare, 500),
        ("env-purge-doc", build.purge, 500),
        ("env-merge-info", build.merge, 500),
        ("env-before-read-docs", build.start, 500),
        ("env-get-outdated", build.outdated, 500),
        ("source-read", build.read, 500),
        ("doctree-read", build.check_figures, 500),
        ("doctree-read", _attach_nodes, 500),
        ("env-updated", build.check, 100),
        ("env-updated", build.rewritten, 500),
        ("builder-inited", _collect_less_garbage, 900),
        ("write-started", _collect_less_garbage, 900),
        ("build-finished", build.end, 900),
    ):
        app.connect(event, listener, priority)
    # Increase env_version when the form of the `_ATTRIBUTES_WITH_NOTES` changes, or what a page records in
    # them, so that all documents are read again.
    return {"parallel_read_safe": True, "parallel_write_safe": True, "version": "1", "env_version": 5}


class _Build:
    """A build with a listener for each Sphinx event."""

    def begin(self, app, config):
        """Execute the chapters that are not current, and configure Sphinx."""
        root, toc = Path(app.srcdir), Path(app.srcdir, config.external_toc_path)
        project = Project(root, None if toc == root / "_toc.yml" else toc)
        self.lock = ExitStack()
        try:
            executed = os.environ.get(RENDERED)
            if not executed:
                self.lock.enter_context(hold(root / "_build", "building"))
                # The command jupyter-book has no option for the profile.
                profile = os.environ.get(f"{project.book.command.upper()}_PROFILE", "book")
                executed, troubles = bring_up_to_date(project, profile, os.cpu_count() or 1)
                if troubles:
                    raise BookError("\n".join(troubles))
            app.claimbook = self.sources = PageSources(project, Path(executed))
            self.digests = self.sources.digests
        except ValueError as error:
            raise BookError(str(error)) from None
        app.parallel = max(app.parallel, os.cpu_count() or 1)  # Jupyter Book has no option for this setting
        if chapter_numbering := app.extensions.get("sphinx_multitoc_numbering"):
            # It numbers the chapters after all of them are read, but does not declare this.
            chapter_numbering.parallel_read_safe = True
        # Sphinx reads more files than the table of contents lists, and a pipe named *.md would block it.
        config.include_patterns = [
            escape(page.path.relative_to(root).as_posix()) for page in project.chapters
        ]
        config.templates_path.append(str(_HERE / "templates"))
        config.html_static_path.append(str(_HERE / "static"))
        typeface = root / "_build" / "typeface"
        config.html_context["fonts"] = web_fonts(typeface / "fonts")
        config.html_static_path.append(str(typeface))
        config.html_context["colours"] = {"light": variables(SITE), "dark": variables(SITE, dark=True)}
        app.add_css_file("palette.css")
        app.add_css_file("claimbook.css")
        # This script must make a row visible before reading.js scrolls to the row.
        app.add_js_file("statements.js", priority=899)
        app.add_js_file("reading.js", priority=900)  # must follow the configuration of MathJax
        _add_buttons(config, read_yaml(root / "_config.yml").get("repository") or {})

    def prepare(self, app):
        """Provide pages with the names of statements, and read the record of the last build."""
        env, addresses = app.env, self.sources.addresses.items()
        env.claimbook_names = {label: address.name for label, address in addresses}
        env.claimbook_own = {label for label, address in addresses if address.ours}
        for attribute in _ATTRIBUTES_WITH_NOTES:
            vars(env).setdefault(attribute, {})
        self.record_file = Path(app.doctreedir, f"claimbook-{app.builder.name}.json")
        self.last_record = {}
        with suppress(OSError, ValueError, TypeError):
            self.last_record = dict(json.loads(self.record_file.read_text(encoding="utf-8")))

    def start(self, app, env, names):
        """Mark the site as unfinished until the end of the build."""
        self.record_file.unlink(missing_ok=True)

    def outdated(self, app, env, added, changed, removed):
        """Return the documents whose text or answers changed, regardless of file dates."""
        last_digests = self.last_record.get("pages", {})
        pages_with_new_answers = directives.outdated(env, self.sources)
        return [
            name
            for name, digest in self.digests.items()
            if last_digests.get(name) != digest or name in pages_with_new_answers
        ]

    def read(self, app, name, source):
        """Pass the text of a page to Sphinx."""
        if name in self.digests:
            source[0] = self.sources.text(name)

    def check_figures(self, app, doctree):
        """Record figures that are not shown, were not drawn, or have no caption."""
        name = app.env.docname
        notes = app.env.temp_data.get("claimbook_figures", {})
        notes |= dict.fromkeys(self.sources.drawn.get(name, set()) - notes.keys(), "not shown")
        app.env.claimbook_wrong[name] = [
            f"{self.sources.pages[name].path}: {figure}: {_FIGURE_ERRORS[note].format(figure=figure)}"
            for figure, note in sorted(notes.items())
            if note != "shown"
        ]

    def merge(self, app, env, names, other):
        """Add the notes on pages that another process read."""
        for attribute in _ATTRIBUTES_WITH_NOTES:
            other_notes = getattr(other, attribute)
            getattr(env, attribute).update({name: other_notes[name] for name in names if name in other_notes})

    def purge(self, app, env, name):
        """Forget the notes on a page before it is read again."""
        for attribute in _ATTRIBUTES_WITH_NOTES:
            getattr(env, attribute).pop(name, None)

    def check(self, app, env):
        """Raise BookError for a figure that `check_figures` recorded."""
        # viewcode forgets modules whose code is not shown only when some page is purged, before it is read.
        # In a single process, the modules of the last page would therefore stay.
        app.emit("env-purge-doc", env, "")
        for problems in env.claimbook_wrong.values():
            if problems:
                raise BookError(problems[0])

    def rewritten(self, app, env):
        """Return the documents to write again: all of them if anything they share changed.

        All pages share the style sheets, scripts, linked files, labels, titles, names of statements, and the
        record of which numbered items are folded.
        """
        objects = [sorted(map(repr, domain.get_objects())) for _, domain in sorted(env.domains.items())]
        titles = sorted((name, title.astext()) for name, title in env.titles.items())
        names = sorted(env.claimbook_names.items())
        folded_items = sorted(env.claimbook_folded.items())
        common_digest = digest([objects, titles, names, folded_items, self.sources.static])
        last_digest = getattr(env, "claimbook_common_digest", common_digest)
        env.claimbook_common_digest = common_digest
        return env.found_docs if common_digest != last_digest else []

    def end(self, app, exception):
        """Post-process the written pages, and record the sources of the site."""
        if exception is None:
            page_data = self.last_record.get("page_data", {})
            if app.builder.format == "html":
                try:
                    self.post_process(Path(app.outdir), app.config.master_doc, page_data)
                except ValueError as error:
                    raise BookError(str(error)) from None
            write_whole(self.record_file, json.dumps({"pages": self.digests, "page_data": page_data}))
        self.lock.close()

    def post_process(self, site, home, page_data):
        """Post-process all pages, and add the files that readers and programs download.

        The data of new pages are added to ``page_data``.
        """
        sources, book = self.sources, self.sources.project.book
        redirects = {"index": home, Path(home).name: home, **(book.moved if sources.whole else {})}
        redirects = {old: new for old, new in redirects.items() if old not in sources.pages}
        labels = [slug(row.id) for row in statements.in_order(book)]
        page_addresses = {page.name: f"{name}.html" for name, page in sources.pages.items()}
        targets = {pattern: target.partition("#") for pattern, target in book.answers.items()}
        answers = {
            pattern: page_addresses[page] + sign + anchor
            for pattern, (page, sign, anchor) in targets.items()
            if page in page_addresses
        }
        new_pages = post_process(
            site, redirects, [*page_addresses.values()], page_data, labels, book.synonyms, answers
        )
        new_notebooks = [page.file for page in sources.project.notebooks if f"{page.file}.html" in new_pages]
        texts = {
            "statements.json": statements.as_json(book, sources.addresses, ledger.verdicts(sources.findings)),
            "errata.json": errata.as_json(book, sources.findings, sources.home("statements")),
            **{f"_sources/{file}.ipynb": sources.text(file) for file in new_notebooks},
        }
        for address, text in texts.items():
            write_whole(site / address, text)
        files = distribution("sphinx-mathjax-offline").files
        mathjax = next(file.locate() for file in files if file.name == "tex-svg-full.js")
        copies = {
            "search.js": _HERE / "search.js",
            f"vendor/mathjax/{mathjax.name}": mathjax,
            **sources.data,
        }
        for address, path in copies.items():
            (site / address).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, site / address)


def _add_buttons(config, repository):
    """Point the buttons of the theme to the book's repository, if there is one."""
    options, context = buttons(repository.get("url"), repository.get("branch") or "main")
    config.html_theme_options |= options
    config.html_context |= context
    # `buttons` gives an empty address if the book has no repository, because otherwise the option would be
    # Jupyter Book's default, which is the address of its own repository.
    if not config.html_theme_options["repository_url"]:
        del config.html_theme_options["repository_url"]


def _collect_less_garbage(app, builder=None):
    """Make the garbage collector run less often, and never examine the present objects again.

    Notes
    -----
    With Python's own settings, the collector takes about a third of the time of rendering, because pages
    have hundreds of thousands of nodes.
    """
    gc.freeze()
    gc.set_threshold(1_000_000)


def _attach_nodes(app, doctree):
    """Attach all nodes to their page, and skip Sphinx's own search index.

    Notes
    -----
    Without the first step, nodes from docstrings would keep all of Sphinx in memory with the page. Sphinx's
    index takes seconds to build and is not used, because the site has its own search (`search`).
    """
    app.env.metadata[app.env.docname]["nosearch"] = True
    for node in doctree.findall():
        node.document = doctree
