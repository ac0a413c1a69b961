"""Folds: all are drop-downs of sphinx-design, which need no script, and which a link into them opens.

Authors fold with the directive ``dropdown``. Code is folded by itself: a cell that says in its metadata what
its fold is called, ``"fold": "Draw 400 lists"``, begins one, to which the cells up to the next name belong. A
cell with ``"in-sight": true`` stays open. A solution with the class ``dropdown`` is folded under its title.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_design.shared import create_component, is_component
from sphinx_exercise.nodes import solution_node

UNNAMED = "Code"


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
    app.connect("doctree-read", fold_code, 450)  # before `layers.arrange`


def fold_code(app, doctree):
    """Give sources of cells their addresses, and put each into the last fold that a cell begins.

    What a cell with the tag ``hide-output`` shows is a fold, too, which its ``code_prompt_show`` names.
    """
    fold = None
    for cell in list(doctree.findall(_is_cell)):
        if "output" in cell.get("hide_mode", ""):
            del cell["hide_mode"]
            outputs = [part for part in cell if not _is_source(part)]
            title = cell["prompt_show"].replace("{type}", "output")
            cell[:] = [*filter(_is_source, cell), folded([nodes.Text(title)], outputs, ["output"])]
        metadata = cell["cell_metadata"]
        for source in filter(_is_source, list(cell)):
            source["ids"].append(metadata.get("anchor", ""))
            if metadata.get("in-sight"):
                continue
            cell.remove(source)
            if fold is None or "fold" in metadata:
                fold = folded([nodes.Text(metadata.get("fold", UNNAMED))], [], ["code"])
                cell.insert(0, fold)
            fold += source
        if not cell.children:
            cell.parent.remove(cell)


def _is_cell(node):
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def _is_source(node):
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code_source"
