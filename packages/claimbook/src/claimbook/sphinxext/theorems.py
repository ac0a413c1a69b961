"""Theorem boxes for Sphinx: headed by what `addresses` call them, and links to them that say the same.

Built on sphinx-proof, which counts boxes of one kind on each page. Names are written when a page is, not when
it is read, so that a new box renumbers the results after it without their pages being read again.
"""

# Built on sphinx-proof. By hand are the names, which are those of the sources.

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
    """A theorem box without a number of its own."""


class _Directive(ElementDirective):
    r"""A theorem box with the verdict on the statement whose slug is its label, and the symbols listed.

    Of ``:symbols: \Delta; g_0 = weight of the first; p`` what stands alone means what it means in the table
    of notation. The list is folded at the end of the box.
    """

    option_spec = ElementDirective.option_spec | {"symbols": directives.unchanged}

    def run(self):
        if "label" not in self.options:
            raise self.error(f"expected ':label:', the address of this {self.name.partition(':')[2]}")
        self.options["nonumber"] = None
        (made,) = super().run()
        title, content = made.children
        title["ids"].clear()  # the box has the same
        label = self.options["label"]
        proof = ask(self, "proof", label)
        badges = [*map(_html, proof[:1])]
        if verdict := ask(self, "verdict_on", label):
            badges.insert(0, verdict_link(verdict, evidence_of=label))
        content.insert(0, [nodes.paragraph("", "", badge) for badge in badges])
        content += map(_html, proof[1:])
        if symbols := symbols_of(self.options.get("symbols", "")):
            meant = {symbol: meaning or ask(self, "meaning", symbol) for symbol, meaning in symbols.items()}
            meanings = "\n".join(f"${symbol}$\n: {meaning}\n" for symbol, meaning in meant.items())
            content += folded([nodes.Text("Symbols")], self.parse_text_to_nodes(meanings), ["symbols"])
        return [Box("", *made.children, **made.attributes)]


def _html(text):
    return nodes.raw("", text, format="html")


class _Domain(ProofDomain):
    """Boxes, and links that call them by their names; without sphinx-proof's index, a list of labels."""

    directives = {**ProofDomain.directives, **dict.fromkeys(PROOF_TYPES, _Directive)}
    indices: list = []

    def merge_domaindata(self, docnames, otherdata):
        """Take over nothing from another process: sphinx-proof notes its boxes in the environment."""

    def resolve_xref(self, env, fromdocname, builder, typ, target, node, contnode):
        """A link to a box, with the text that was written for it or the box's name."""
        known = getattr(env, "proof_list", {}).get(target)
        if not known or node.get("refdomain") not in (self.name, "", None):
            return None
        text = contnode.astext() if node.get("refexplicit") else name_of(env, target)
        return make_refnode(builder, fromdocname, known["docname"], target, nodes.inline("", text))

    def resolve_any_xref(self, env, fromdocname, builder, target, node, contnode):
        """The link to a box of a Markdown link, ``[](#newton-law-2)``, in a list; empty if there is none."""
        found = self.resolve_xref(env, fromdocname, builder, "ref", target, node, contnode)
        return [("prf:ref", found)] if found else []


class _Heads(SphinxPostTransform):
    """Names at the head of boxes."""

    default_priority = 8

    def run(self, **kwargs):
        for box in self.document.findall(Box):
            title = box[0]
            head = name_of(self.env, box["label"]) + (": " if title.children else "")
            title.insert(0, nodes.inline("", head, classes=["caption-number"]))
            if box["label"] in self.env.claimbook_own:
                box["classes"].append("own")


def name_of(env, label):
    """The name of a box; its kind, if it stands outside the book."""
    return env.claimbook_names.get(label) or env.proof_list[label]["realtype"].title()


def setup(app):
    """Put our boxes in the place of sphinx-proof's."""
    app.add_node(Box, html=(_open, _close))
    app.add_domain(_Domain, override=True)
    app.add_post_transform(_Heads)


def _open(writer, box):
    writer.body.append(writer.starttag(box, "div", CLASS="admonition"))


def _close(writer, box):
    writer.body.append("</div>")
