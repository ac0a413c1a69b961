"""Number figures, exercises and equations 1, 2, 3, and those in folds A1, A2, A3.

Sphinx counts the items of a page from top to bottom, so the visible numbers would have a gap for every item
in a fold. Folded items form an appendix of the page and are therefore numbered separately. Sphinx keeps its
own numbers, because it compares these numbers with those of the next build to find the pages that must be
written again.
"""

from collections import Counter

from docutils import nodes
from sphinx import addnodes
from sphinx.domains.std import StandardDomain

from claimbook.sphinxext.folds import is_fold


def setup(app):
    """Record folded items when a page is read, and number them when it is written."""
    app.add_domain(_StandardDomain, override=True)
    app.connect("doctree-read", note_folded)
    app.connect("write-started", renumber)


class _StandardDomain(StandardDomain):
    """Sphinx's domain, which refers to figures without loading their pages.

    Notes
    -----
    Sphinx would load the whole page of the figure again for each reference.
    """

    def resolve_xref(self, env, page, builder, kind, target, node, content):
        """Return a reference to the target of a cross-reference, or None if there is no such target."""
        target_page, anchor, _ = self.labels.get(target, ("", "", ""))
        number = env.toc_fignumbers.get(target_page, {}).get("figure", {}).get(anchor)
        if kind != "numref" or number is None or node["refexplicit"]:
            return super().resolve_xref(env, page, builder, kind, target, node, content)
        text = env.config.numfig_format["figure"]
        numbered_text = text % ".".join(map(str, number))
        options = {"nodeclass": addnodes.number_reference, "title": text}
        return self.build_reference_node(
            page, builder, target_page, anchor, numbered_text, "numref", **options
        )


def note_folded(app, doctree):
    """Record the ids of the numbered items inside folds."""
    folded_nodes = (
        node for fold in doctree.findall(is_fold) for part in fold for node in part.findall(nodes.Element)
    )
    numbered_nodes = (node for node in folded_nodes if node["ids"] and _is_numbered(app.env, node))
    app.env.claimbook_folded[app.env.docname] = sorted({node["ids"][0] for node in numbered_nodes})


def renumber(app, builder):
    """Assign separate numbers to visible and folded items, in reading order."""
    env, counts = app.env, Counter()
    for document, numbers_of_kinds in env.toc_fignumbers.items():
        for kind, numbers in numbers_of_kinds.items():
            # A number is a tuple, such as (2, 5) for the fifth figure of chapter 2.
            for item, (*chapter, _) in numbers.items():
                is_folded = item in env.claimbook_folded[document]
                series = kind, *chapter, is_folded
                counts[series] += 1
                numbers[item] = (*chapter, f"A{counts[series]}" if is_folded else counts[series])


def _is_numbered(env, node):
    return any(domain.get_enumerable_node_type(node) for domain in env.domains.values())
