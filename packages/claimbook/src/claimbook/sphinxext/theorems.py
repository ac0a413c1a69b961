"""Theorem boxes for Sphinx, with the names from `addresses` in headings and links.

The boxes build on sphinx-proof, which counts the boxes of one kind on each page. Names are added when a page
is written, not when it is read. After a new box, all later results are therefore renumbered, but their pages
are not read again.
"""

# sphinx-proof provides the boxes. Only the names are added by hand, because they come from the sources.

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode
from sphinx_proof.directive import ElementDirective
from sphinx_proof.domain import ProofDomain
from sphinx_proof.proof_type import PROOF_TYPES

from claimbook.sphinxext.directives import ask, verdict_link
from claimbook.sphinxext.folds import folded
from claimbook.sphinxext.symbols import symbols_of


class Box(nodes.Admonition, nodes.Element):
    """A theorem box without a number from sphinx-proof."""


class _Directive(ElementDirective):
    r"""A theorem box with the verdict on its statement and a list of its symbols.

    The label of the box is the slug of the statement's id. In a list such as ``:symbols: \Delta; g_0 = weight
    of the first; p``, a symbol without a meaning gets its meaning from the table of notation. The list
    appears, folded, at the end of the box.
    """

    option_spec = ElementDirective.option_spec | {"symbols": directives.unchanged}

    def run(self):
        """Return the box, with the badges, proof and symbols that the book has for its label."""
        # `ask` asks the book's sources, and records the answer so that the page is read again if it changes.
        if "label" not in self.options:
            raise self.error(f"expected ':label:', the address of this {self.name.partition(':')[2]}")
        self.options["nonumber"] = None
        (element,) = super().run()
        title, content = element.children
        title["ids"].clear()  # because the box has the same ids
        label, badges = self.options["label"], []
        if verdict := ask(self, "verdict_on", label):
            badges.append(verdict_link(verdict, evidence_of=label))
        if badge_and_fold := ask(self, "proof", label):
            proof_badge, proof_fold = (nodes.raw("", html, format="html") for html in badge_and_fold)
            badges.append(proof_badge)
            content += proof_fold
        content.insert(0, [nodes.paragraph("", "", badge) for badge in badges])
        if symbols := symbols_of(self.options.get("symbols", "")):
            meanings = {
                symbol: meaning or ask(self, "meaning", symbol) for symbol, meaning in symbols.items()
            }
            text = "\n".join(f"${symbol}$\n: {meaning}\n" for symbol, meaning in meanings.items())
            content += folded([nodes.Text("Symbols")], self.parse_text_to_nodes(text), ["symbols"])
        return [Box("", *element.children, **element.attributes)]


class _Domain(ProofDomain):
    """The Sphinx domain of boxes and links to boxes, without sphinx-proof's index of labels."""

    directives = {**ProofDomain.directives, **dict.fromkeys(PROOF_TYPES, _Directive)}
    indices: list = []

    def merge_domaindata(self, docnames, otherdata):
        """Add nothing, because sphinx-proof stores its boxes in the environment."""

    def resolve_xref(self, env, fromdocname, builder, typ, target, node, contnode):
        """Return a link to a box, with the author's text or the box's name."""
        box = getattr(env, "proof_list", {}).get(target)  # as sphinx-proof recorded it
        if not box or node.get("refdomain") not in (self.name, "", None):
            return None
        text = contnode.astext() if node.get("refexplicit") else name_of(env, target)
        return make_refnode(builder, fromdocname, box["docname"], target, nodes.inline("", text))

    def resolve_any_xref(self, env, fromdocname, builder, target, node, contnode):
        """Return a list with the target of a Markdown link such as ``[](#newton-law-2)``.

        The list is empty if there is no such box.
        """
        link = self.resolve_xref(env, fromdocname, builder, "ref", target, node, contnode)
        return [("prf:ref", link)] if link else []


class _Headings(SphinxPostTransform):
    """Add the names of statements to the headings of boxes."""

    default_priority = 8

    def run(self, **kwargs):
        for box in self.document.findall(Box):
            title, *_ = box
            caption = name_of(self.env, box["label"]) + (": " if title.children else "")
            title.insert(0, nodes.inline("", caption, classes=["caption-number"]))
            if box["label"] in self.env.claimbook_own:
                box["classes"].append("own")


def name_of(env, label):
    """Return the name of a box, or its kind if the box is not in the book."""
    return env.claimbook_names.get(label) or env.proof_list[label]["realtype"].title()


def setup(app):
    """Replace sphinx-proof's boxes in a Sphinx application."""
    app.add_node(Box, html=(_open, _close))
    app.add_domain(_Domain, override=True)
    app.add_post_transform(_Headings)


def _open(writer, box):
    writer.body.append(writer.starttag(box, "div", CLASS="admonition"))


def _close(writer, box):
    writer.body.append("</div>")
