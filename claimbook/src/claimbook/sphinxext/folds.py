"""What the renderer is taught: to fold.

Code is in one fold for consecutive cells. The first says in its metadata what the fold is called,
``"fold": "Draw 400 lists"``; the cells that follow belong to it, up to the next that has a name, or to the
next text. A cell with ``"in-sight": true`` stays open. Whatever stands in a ``fold`` directive is folded
too. A fold is a plain ``details``: it needs no script, and a link into it opens it.
"""

from html import escape

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

UNNAMED, AGAIN = "Code", ", continued"  # after a box that the engine put between two cells


class Folded(nodes.General, nodes.Element):
    """Its children are seen once it is open; ``title`` is what it is called."""


class Fold(SphinxDirective):
    """Folds what it holds under the title that it is given."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"class": directives.class_option}

    def run(self):
        folded = Folded(title=self.arguments[0], classes=self.options.get("class", []))
        folded += self.parse_content_to_nodes()
        return [folded]


def setup(app):
    """Teach Sphinx to fold."""
    app.add_node(Folded, html=(_open, _close))
    app.add_directive("fold", Fold)
    app.connect("doctree-read", fold_code)


def _open(translator, node):
    translator.body.append(translator.starttag(node, "details", CLASS="fold"))
    translator.body.append(f"<summary>{escape(node['title'])}</summary>\n")


def _close(translator, node):
    translator.body.append("</details>\n")


def fold_code(app, doctree):
    """Give sources of cells their addresses, and put those of consecutive cells into one fold."""
    last, name = None, UNNAMED  # the fold that consecutive cells belong to; what an unnamed one is called
    before = None  # the cell before this one
    for cell in list(doctree.findall(_is_cell)):
        metadata, sources = cell["cell_metadata"], [one for one in cell if _is_source(one)]
        if cell.previous_sibling() is not before:
            last = None
        for source in sources:
            source["ids"].append(metadata.get("anchor", ""))
            if metadata.get("in-sight"):
                last = None
                continue
            if last is None or "fold" in metadata:
                last = Folded(title=metadata.get("fold", name), classes=["code"])
                name = last["title"].removesuffix(AGAIN) + AGAIN
                cell.replace(source, last)
            else:
                cell.remove(source)
            last += source
        before = cell
    for cell in list(doctree.findall(_is_cell)):
        if not cell.children:
            cell.parent.remove(cell)


def _is_cell(node):
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def _is_source(node):
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code_source"
