"""The book as a Sphinx extension: ``jupyter-book build .`` makes all of it.

When the configuration is read, what is stale is executed (or, if `RENDERED` names a folder, what was
executed there is taken). Sphinx asks which documents are outdated and gets the text of each from the
`PageSources`. At the end the pages that were written are post-processed. Nothing but executed notebooks is
written outside Sphinx's own folders.
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
from claimbook.project import Project, read_yaml
from claimbook.publish.hosts import buttons
from claimbook.reports import errata, ledger, statements
from claimbook.sphinxext import api, directives, folds, layers, naming, numbering, theorems
from claimbook.sphinxext.postprocessing import post_process
from claimbook.sphinxext.sources import PageSources
from claimbook.writing import digest, hold, write_whole

_HERE = Path(__file__).parent
# What is noted of each page in the environment of Sphinx: what it asked, what it folds, its wrong figures.
_NOTES = ("claimbook_asked", "claimbook_folded", "claimbook_wrong")
_FIGURES = {
    "not shown": "drawn, but no {{glue:figure}} below its cell has a caption for it",
    "not drawn": (
        "no cell drew it: expected page.figure(..., '{figure}') above, "
        "or ':optional: why' in its {{glue:figure}}"
    ),
    "no caption": "expected a caption, the text of its {{glue:figure}}",
}


class BookError(SphinxError):
    """Why there is no book."""

    category = REFUSAL


def setup(app):
    """Connect one build of the book to what Sphinx does."""
    build = _Build()
    directives.setup(app)
    theorems.setup(app)
    folds.setup(app)
    layers.setup(app)
    naming.setup(app)
    numbering.setup(app)
    api.setup(app)
    for event, listener, priority in (
        ("config-inited", build.begin, 100),
        ("builder-inited", build.prepare, 500),
        ("env-purge-doc", build.purge, 500),
        ("env-merge-info", build.merge, 500),
        ("env-before-read-docs", build.start, 500),
        ("env-get-outdated", build.outdated, 500),
        ("source-read", build.read, 500),
        ("doctree-read", build.check_figures, 500),
        ("doctree-read", _adopt, 500),
        ("env-updated", build.check, 100),
        ("env-updated", build.rewritten, 500),
        ("build-finished", build.end, 900),
    ):
        app.connect(event, listener, priority)
    # Documents that were read before something is noted are read again: count up what is noted then.
    return {"parallel_read_safe": True, "parallel_write_safe": True, "version": "1", "env_version": 5}


class _Build:
    """One build: what it does at each event of Sphinx, from the configuration to the finished site."""

    def begin(self, app, config):
        """Execute what is stale, and show buttons that lead to the repository if its address is there."""
        root, toc = Path(app.srcdir), Path(app.srcdir, config.external_toc_path)
        project = Project(root, None if toc == root / "_toc.yml" else toc)
        self.lock = ExitStack()
        try:
            executed = os.environ.get(RENDERED)
            if not executed:
                self.lock.enter_context(hold(root / "_build", "building"))
                # Of the plain command, which has no option for it.
                profile = os.environ.get(f"{project.book.command.upper()}_PROFILE", "book")
                executed, troubles = bring_up_to_date(project, profile, os.cpu_count() or 1)
                if troubles:
                    raise BookError("\n".join(troubles))
            app.claimbook = self.sources = PageSources(project, Path(executed))
            self.digests = self.sources.digests
        except ValueError as error:
            raise BookError(str(error)) from None
        app.parallel = max(app.parallel, os.cpu_count() or 1)  # for Jupyter Book has no option for it
        if numbers := app.extensions.get("sphinx_multitoc_numbering"):
            numbers.parallel_read_safe = True  # it numbers chapters when all are read, and does not say so
        # Sphinx looks for more than the table of contents lists, and would wait for a pipe that ends in .md.
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
        app.add_js_file("statements.js", priority=899)  # shows a row before reading.js leads to it
        app.add_js_file("reading.js", priority=900)  # after what configures MathJax
        _add_buttons(config, read_yaml(root / "_config.yml").get("repository") or {})

    def prepare(self, app):
        """Give pages the names of statements, and read what the last build noted."""
        env, addresses = app.env, self.sources.addresses.items()
        env.claimbook_names = {label: address.name for label, address in addresses}
        env.claimbook_own = {label for label, address in addresses if address.ours}
        for notes in _NOTES:
            vars(env).setdefault(notes, {})
        self.mark = Path(app.doctreedir, f"claimbook-{app.builder.name}.json")
        self.finished = {}
        with suppress(OSError, ValueError, TypeError):
            self.finished = dict(json.loads(self.mark.read_text(encoding="utf-8")))
        gc.freeze()  # else everything is looked through again for each document that is loaded

    def start(self, app, env, names):
        """Mark the site as not finished, from here to the end of the build."""
        self.mark.unlink(missing_ok=True)

    def outdated(self, app, env, added, changed, removed):
        """The documents whose text is not what it was when they were written; dates of files do not tell."""
        before = self.finished.get("pages", {})
        answered_anew = directives.outdated(env, self.sources)
        return [
            name
            for name, digest in self.digests.items()
            if before.get(name) != digest or name in answered_anew
        ]

    def read(self, app, name, source):
        """Hand over the text of a page."""
        if name in self.digests:
            source[0] = self.sources.text(name)

    def check_figures(self, app, doctree):
        """Note a figure that no directive shows, one that no cell drew, and one without a caption."""
        name = app.env.docname
        notes = app.env.temp_data.get("claimbook_figures", {})
        notes |= dict.fromkeys(self.sources.drawn.get(name, set()) - notes.keys(), "not shown")
        app.env.claimbook_wrong[name] = [
            f"{self.sources.pages[name].path}: {figure}: {_FIGURES[note].format(figure=figure)}"
            for figure, note in sorted(notes.items())
            if note != "shown"
        ]

    def merge(self, app, env, names, other):
        """Take over what pages noted that another process read."""
        for notes in _NOTES:
            theirs = getattr(other, notes)
            getattr(env, notes).update({name: theirs[name] for name in names if name in theirs})

    def purge(self, app, env, name):
        """Forget what a page noted before it is read again."""
        for notes in _NOTES:
            getattr(env, notes).pop(name, None)

    def check(self, app, env):
        """Refuse a book with a figure that `check_figures` noted."""
        # In one process viewcode forgets modules of which it shows nothing as soon as a next page is read.
        app.emit("env-purge-doc", env, "")
        for wrong in env.claimbook_wrong.values():
            if wrong:
                raise BookError(wrong[0])

    def rewritten(self, app, env):
        """The documents to write again: all, if something changed that any page may show or refer to.

        That is a style sheet, a script, a linked file, a label, a title, the name of a statement, or whether
        a numbered item stands in a fold.
        """
        objects = [sorted(map(repr, domain.get_objects())) for _, domain in sorted(env.domains.items())]
        titles = sorted((name, title.astext()) for name, title in env.titles.items())
        names = sorted(env.claimbook_names.items())
        known = digest([objects, titles, names, sorted(env.claimbook_folded.items()), self.sources.static])
        before, env.claimbook_known = getattr(env, "claimbook_known", known), known
        return env.found_docs if known != before else []

    def end(self, app, exception):
        """Post-process the pages that were written, and remember what the site is made of."""
        if exception is None:
            found = self.finished.get("found", {})
            if app.builder.format == "html":
                self.post_process(Path(app.outdir), app.config.master_doc, found)
            write_whole(self.mark, json.dumps({"pages": self.digests, "found": found}))
        self.lock.close()

    def post_process(self, site, home, found):
        """Post-process all pages, and put the files for downloads and programs beside them."""
        sources, book = self.sources, self.sources.project.book
        moved = {"index": home, Path(home).name: home, **(book.moved if sources.whole else {})}
        moved = {old: new for old, new in moved.items() if old not in sources.pages}
        labels = [slug(row.id) for row in statements.in_order(book)]
        places = {page.name: f"{name}.html" for name, page in sources.pages.items()}
        answers = {
            asked: "#".join([places[page], *anchor])
            for asked, (page, *anchor) in ((asked, to.split("#")) for asked, to in book.answers.items())
            if page in places
        }
        written = post_process(site, moved, [*places.values()], found, labels, book.synonyms, answers)
        executed = [page.file for page in sources.project.notebooks if f"{page.file}.html" in written]
        texts = {
            "statements.json": statements.as_json(book, sources.addresses, ledger.verdicts(sources.findings)),
            "errata.json": errata.as_json(book, sources.findings, sources.home("statements")),
            **{f"_sources/{file}.ipynb": sources.text(file) for file in executed},
        }
        for place, text in texts.items():
            write_whole(site / place, text)
        files = distribution("sphinx-mathjax-offline").files
        mathjax = next(file.locate() for file in files if file.name == "tex-svg-full.js")
        copies = {
            "search.js": _HERE / "search.js",
            f"vendor/mathjax/{mathjax.name}": mathjax,
            **sources.data,
        }
        for place, path in copies.items():
            (site / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, site / place)


def _add_buttons(config, repository):
    """Let the buttons of the theme lead to the book's repository, if its address is known."""
    options, context = buttons(repository.get("url"), repository.get("branch") or "main")
    config.html_theme_options |= options
    config.html_context |= context
    # Without an address of the book's own Jupyter Book takes that of its own repository.
    if not config.html_theme_options["repository_url"]:
        del config.html_theme_options["repository_url"]


def _adopt(app, doctree):
    """Let all nodes belong to their page: those from docstrings would take all of Sphinx along.

    Spare Sphinx its own index for searching, which takes seconds and is not used: see `search`.
    """
    app.env.metadata[app.env.docname]["nosearch"] = True
    for node in doctree.findall():
        node.document = doctree
