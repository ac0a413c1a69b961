"""Directives and roles that supplement those of MyST or replace those of MyST-NB.

`ask` records each question that a directive asks about the book. A page is read again when one of its answers
changes.
"""

from docutils import nodes
from docutils.parsers.rst import directives
from myst_nb._compat import get_env_app
from myst_nb.core.variables import RetrievalError
from myst_nb.ext.glue.directives import PasteFigureDirective
from myst_nb.ext.glue.roles import PasteTextRole
from myst_nb.ext.glue.utils import retrieve_glue_data
from sphinx.util.docutils import SphinxDirective
from sphinx.util.parsing import nested_parse_to_nodes

from claimbook.evidence import SHAPES, slug
from claimbook.output_metadata import FIGURE
from claimbook.sphinxext.summary import minutes_in_words, without_source
from claimbook.writing import digest

MEANINGS = {
    "proved here": "a proof, or every case",
    "checked": "a definition, and code that agrees with it",
    "consistent": "numbers agree",
    "contradicted": "false in this interpretation",
    "undecided": "too small a run",
    "not testable": "only a mechanism is shown",
    "inconclusive": "nothing is shown",
}
_LONG = 16  # characters of a name; longer names are cut if the line with the verdicts is too long


def page_sources_of(env):
    """Return the `PageSources` of the Sphinx application behind an environment."""
    return get_env_app(env).claimbook


def ask(directive, method, *arguments):
    """Return the answer of a `PageSources` method, and record it for the page.

    Notes
    -----
    A ValueError raised by the method becomes an error of the directive.
    """
    env = directive.state.document.settings.env
    try:
        answer = getattr(page_sources_of(env), method)(*arguments)
    except ValueError as error:
        raise directive.error(str(error)) from None
    env.claimbook_asked.setdefault(env.docname, {})[method, *arguments] = digest(repr(answer))
    return answer


def outdated(env, sources):
    """Return the documents with an answer that has changed or is no longer possible.

    If an answer is no longer possible, the error appears when the document is read.
    """

    def has_changed(question, recorded_digest):
        method, *arguments = question
        try:
            return digest(repr(getattr(sources, method)(*arguments))) != recorded_digest
        except ValueError:
            return True

    return [
        name
        for name, recorded_digests in env.claimbook_asked.items()
        if any(has_changed(question, recorded) for question, recorded in recorded_digests.items())
    ]


def verdict_link(verdict, **target):
    """Return a link with the shape and the word of a verdict, and its meaning as title."""
    html = f'<span aria-hidden="true">{SHAPES[verdict]}</span> {verdict}'
    label = nodes.raw("", html, format="html")
    attributes = {"reftitle": MEANINGS[verdict], "classes": ["verdict"], **target}
    return nodes.reference("", "", label, internal=True, **attributes)


class InShort(SphinxDirective):
    """The summary of a page, with a status line below the page's title.

    The author writes

        :::{in-short}
        :statements: newton/law-1 newton/law-2
        :first: falling-bodies

        *Question.* …

        *Answer.* …
        :::

    The engine adds a line with the verdicts on the statements, linked to their evidence, and with the reading
    time of the page. The engine also adds links to the pages that should be read first. Both options may be
    left out.
    """

    has_content = True
    option_spec = {"statements": directives.unchanged, "first": directives.unchanged}  # noqa: RUF012

    def run(self):
        """Return the line with the verdicts, and the box with the summary."""
        statements = self.options.get("statements", "").split()
        verdicts = {statement: ask(self, "verdict", statement) for statement in statements}
        verdict_of_label = {slug(statement): verdict for statement, verdict in verdicts.items() if verdict}
        names = without_source([ask(self, "brief", label) for label in verdict_of_label])
        name_of_label = dict(zip(verdict_of_label, names, strict=True))
        status = nodes.paragraph("", "", classes=["status"])
        # Each verdict is followed by a link to its first statement and by the number of its other statements.
        for verdict in dict.fromkeys(verdict_of_label.values()):
            label, *other_labels = [label for label in verdict_of_label if verdict_of_label[label] == verdict]
            status += [verdict_link(verdict, refid="evidence"), nodes.Text(" ")]
            name = name_of_label[label]
            attributes = {"classes": ["long"], "reftitle": name} if len(name) > _LONG else {}
            status += nodes.reference("", name, internal=True, evidence_of=label, **attributes)
            if other_labels:
                other_names = ", ".join(name_of_label[label] for label in other_labels)
                count = f"{len(other_labels)} more"
                more_link = nodes.reference("", count, internal=True, refid="evidence", reftitle=other_names)
                status += [nodes.Text(" and "), more_link]
            status += nodes.Text(" · ")
        status += nodes.Text(minutes_in_words(page_sources_of(self.env).pages[self.env.docname].prose))
        summary_box = nodes.admonition("", nodes.title("", "In short"), classes=["in-short"])
        summary_box += self.parse_content_to_nodes()
        if page_names := self.options.get("first", "").split():
            links = " · ".join(ask(self, "page", name) for name in page_names)
            summary_box += self.parse_text_to_nodes(f"{{.facts}}\nRead first: {links}")
        return [status, summary_box]


class Figure(PasteFigureDirective):
    """A figure with an alternative text and a link to its code.

    The code at the foot of the page gets a line that names the function that drew the figure. A figure with
    ``:optional:`` is left out if the page did not draw it, for example because its data are not installed.
    """

    option_spec = PasteFigureDirective.option_spec | {"optional": directives.unchanged_required}

    def run(self):
        """Return the glued figure with its widget, and the line for its code."""
        name = self.arguments[0]
        # The extension uses these notes to reject a page with a figure that is drawn but not shown, shown but
        # not drawn, or without a caption.
        notes = self.document.settings.env.temp_data.setdefault("claimbook_figures", {})
        notes[name] = "shown" if "".join(self.content).strip() else "no caption"
        reason_to_leave_out = self.options.pop("optional", None)
        try:
            record = retrieve_glue_data(self.document, name).metadata["scrapbook"]
        except RetrievalError:
            if not reason_to_leave_out:
                notes[name] = "not drawn"
            return []
        # The class "in-both" marks a drawing that has colours for light and for dark pages.
        self.options |= {"alt": record["alt"], "figclass": ["in-both"] if record["in_both"] else []}
        label, code_anchor = self.options.get("name"), record["code"]  # run() removes the name
        figure_nodes = super().run()
        attributes = {"refid": code_anchor, "reftitle": "the code of this figure", "classes": ["to-foot"]}
        for caption in [part for node in figure_nodes for part in node.findall(nodes.caption)]:
            caption += [nodes.Text(" "), nodes.reference("", "code", internal=True, **attributes)]
        if record["widget"]:
            figure, *_ = figure_nodes
            put_around(next(figure.findall(nodes.image)), record["widget"])
        # `layers` moves this line to the code that its attribute names.
        code_line = nodes.container("", is_div=True, classes=["stamp"], code=code_anchor)
        if label:
            sentence = f"{{numref}}`{label}` is {record['drawn']}."
            code_line += nested_parse_to_nodes(self.state, sentence, offset=self.content_offset)
        return [*figure_nodes, code_line]


def put_around(image, widget):
    """Put the HTML of a widget around the image of its figure."""
    before, after = (nodes.raw("", html, format="html") for html in widget.split(FIGURE))
    image.replace_self([before, image.deepcopy(), after])


class Number(PasteTextRole):
    """A glued text, linked to the code that computed it if that code is on the page."""

    def run(self):
        content, messages = super().run()
        glued = retrieve_glue_data(self.document, self.text.partition(":")[0]) if content else None
        if content and (code := glued.metadata["scrapbook"].get("code")):
            content = [nodes.reference("", "", *content, internal=True, refid=code, classes=["traced"])]
        return content, messages


class Generated(SphinxDirective):
    """A fragment generated from all findings, rendered at the place of the directive."""

    required_arguments = 1

    def run(self):
        """Insert the generated Markdown that the argument names."""
        name, page = self.arguments[0], self.env.docname
        ask(self, "basis", name, page)  # the page is read again when the fragment changes
        text = page_sources_of(self.env).fragments(page)[name]()
        renderer = self.state._renderer
        # Less 1, because the headings of a fragment begin with ##. MyST includes a file in the same way.
        offset = max(renderer._level_to_section) - 1
        renderer.nested_render_text(text, self.lineno, heading_offset=offset)
        return []


def setup(app):
    """Add the directives and roles to a Sphinx application."""
    app.setup_extension("myst_nb")
    app.add_directive_to_domain("glue", "figure", Figure, override=True)
    app.add_role_to_domain("glue", "text", Number(), override=True)
    app.add_directive("in-short", InShort)
    app.add_directive("generated", Generated)
