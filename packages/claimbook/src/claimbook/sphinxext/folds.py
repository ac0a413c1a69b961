"""Folds are drop-downs of sphinx-design that open when a link leads into them.

Folds work without a script. Authors fold text with the directive ``dropdown``. Code is folded automatically.
A cell with the metadata ``"fold": "Draw 400 lists"`` starts a fold with this name, which contains all cells
up to the next named one. A cell with the metadata ``"in-sight": true`` is not folded. A solution with the
class ``dropdown`` is folded under its title.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_design.shared import create_component, is_component
from sphinx_exercise.nodes import solution_node

_TITLE_OF_UNNAMED_FOLD = "Code"


def folded(title, content, classes, ids=()):
    """Return a drop-down with a title and content, built like those of sphinx-design."""
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
    """Return whether the contents of a node are folded when the page is written."""
    return is_component(node, "dropdown") or _is_folded_solution(node)


class _Solutions(SphinxPostTransform):
    """Turn solutions into drop-downs once the titles of the solutions are known.

    This transform must run before sphinx-design renders drop-downs.
    """

    default_priority = 100

    def run(self, **kwargs):
        for solution in list(self.document.findall(_is_folded_solution)):
            title, *content = solution.children
            for link in list(title.findall(nodes.reference)):  # the title of a fold must not contain a link
                link.replace_self(link.children)
            classes = [name for name in solution["classes"] if name != "dropdown"]  # the fold adds it again
            solution.replace_self(folded(title.children, content, classes, solution["ids"]))


def _is_folded_solution(node):
    return isinstance(node, solution_node) and "dropdown" in node["classes"]


def setup(app):
    """Connect the folds to a Sphinx application."""
    app.setup_extension("sphinx_design")
    app.add_post_transform(_Solutions)
    app.connect("doctree-read", fold_code, 450)  # before `layers.arrange`


def fold_code(app, doctree):
    """Give each cell's source its anchor, and move the source into the current fold.

    Notes
    -----
    A cell with the metadata ``fold`` starts a fold, and later sources go into the last fold. A fold is at the
    place of its first cell. The output of a cell with the tag ``hide-output`` is also folded, under the title
    that ``code_prompt_show`` sets.
    """
    current_fold = None
    for cell in list(doctree.findall(_is_cell)):
        if "output" in cell.get("hide_mode", ""):
            del cell["hide_mode"]
            outputs = [part for part in cell if not _is_source(part)]
            title = nodes.Text(cell["prompt_show"].replace("{type}", "output"))
            cell[:] = [*filter(_is_source, cell), folded([title], outputs, ["output"])]
        metadata = cell["cell_metadata"]
        for source in filter(_is_source, list(cell)):
            source["ids"].append(metadata.get("anchor", ""))
            if metadata.get("in-sight"):
                continue
            cell.remove(source)
            if current_fold is None or "fold" in metadata:
                title = nodes.Text(metadata.get("fold", _TITLE_OF_UNNAMED_FOLD))
                current_fold = folded([title], [], ["code"])
                cell.insert(0, current_fold)
            current_fold += source
        if not cell.children:  # all its sources are in the fold of an earlier cell
            cell.parent.remove(cell)


def _is_cell(node):
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def _is_source(node):
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code_source"
