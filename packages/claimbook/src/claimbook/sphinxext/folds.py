"""Folds: all are drop-downs of sphinx-design, which need no script, and which a link into them opens.

Authors fold with the directive ``dropdown``. Code is folded by itself, consecutive cells in one fold: the
first says in its metadata what the fold is called, ``"fold": "Draw 400 lists"``; the cells that follow belong
to it, up to the next that has a name, or to the next text. A cell with ``"in-sight": true`` stays open. A
solution with the class ``dropdown`` is folded under its own title.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_design.shared import create_component, is_component
from sphinx_exercise.nodes import solution_node

UNNAMED, AGAIN = "Code", ", continued"  # after a box that the engine put between two cells


def folded(title, content, classes, ids=()):
    """A drop-down with the nodes of its title and of its content, as sphinx-design's directive makes one."""
    return create_component(
        "dropdown",
        opened=False,
        type="dropdown",
        has_title=True,
        icon=None,
        chevron=None,
        container_classes=classes,
        title_classes=[],
        body_classes=[],
        children=[nodes.rubric("", "", *title, ids=ids), *content],
    )


def is_fold(node):
    """Whether what a node of a page that was read holds is folded when the page is written."""
    return is_component(node, "dropdown") or _is_folded_solution(node)


class _Solutions(SphinxPostTransform):
    """Solutions as drop-downs, once they have their titles and before sphinx-design writes drop-downs."""

    default_priority = 100

    def run(self, **kwargs):
        for solution in list(self.document.findall(_is_folded_solution)):
            title, *content = solution.children
            for link in list(title.findall(nodes.reference)):  # what opens a fold may not hold a link
                link.replace_self(link.children)
            classes = [name for name in solution["classes"] if name != "dropdown"]
            solution.replace_self(folded(title.children, content, classes, solution["ids"]))


def _is_folded_solution(node):
    return isinstance(node, solution_node) and "dropdown" in node["classes"]


def setup(app):
    """Teach Sphinx to fold."""
    app.setup_extension("sphinx_design")
    app.add_post_transform(_Solutions)
    app.connect("doctree-read", fold_code)


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
                title = metadata.get("fold", name)
                name = title.removesuffix(AGAIN) + AGAIN
                last = folded([nodes.Text(title)], [], ["code"])
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
