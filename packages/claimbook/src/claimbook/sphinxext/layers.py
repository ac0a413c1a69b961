"""The two layers of a page: the story above, and the evidence and the code below.

In a notebook, proofs, checks and cells are where they are needed. On the page, the story keeps only what is
read from top to bottom. Folded parts move to two sections at the foot, *Evidence* and *Code of this page*, to
which the story links. Nothing is executed, and nothing is removed.

The transform runs after `folds.fold_code` and before Sphinx collects titles, labels and numbers. The sections
therefore appear in the page's table of contents without further work.
"""

# Written by hand, because MyST-NB can show outputs only at their cells or, if they are glued, at a directive.

from collections import defaultdict

from docutils import nodes
from sphinx import addnodes
from sphinx_exercise.nodes import exercise_enumerable_node, exercise_node, solution_node

from claimbook.sphinxext.directives import verdict_link
from claimbook.sphinxext.folds import is_fold
from claimbook.sphinxext.theorems import Box

EVIDENCE, CODE = "Evidence", "Code of this page"
_TASKS = (exercise_node, exercise_enumerable_node, solution_node)
_CLASS_PREFIX = "of-"  # of a class by which an author names the statement that a fold belongs to
# The kinds of parts in the evidence on a statement, in order.
_KINDS = ("stated", "symbols", "proof", "formal", "evidence")


def setup(app):
    """Make Sphinx arrange each page after reading it."""
    # Code is folded at priority 450, and Sphinx's collectors run at 500.
    app.connect("doctree-read", arrange, 460)


def arrange(app, doctree):
    """Move evidence and code to a page's foot, and the summary below its first figure."""
    page = next(doctree.findall(nodes.section), None)
    source = app.claimbook.pages.get(app.env.docname)
    if page is None or source is None or not source.is_notebook:
        return
    code = _take_section(page, CODE)
    _move_code(page, code)
    evidence = _take_section(page, EVIDENCE)
    labels_with_evidence = _move_evidence(page, evidence, app.claimbook)
    page.extend(section for section in (evidence, code) if len(section) > 1)  # those with more than a title
    labels_on_page = {box["label"] for box in doctree.findall(Box)}
    _lead_to_evidence(page, labels_with_evidence, labels_on_page, app.claimbook)
    _arrange_first_screen(page)


def _take_section(page, title):
    """Remove and return the section with this title; return an empty one if absent."""
    anchor = nodes.make_id(title)
    for section in page:
        if isinstance(section, nodes.section) and anchor in section["ids"]:
            page.remove(section)
            section.parent = None  # docutils does not reset this attribute
            return section
    return nodes.section("", nodes.title("", title), ids=[anchor], names=[anchor])


def _move_code(page, code):
    """Append the folds of cells to the code section, with the lines about their figures."""
    figure_lines = [part for part in page.findall(nodes.container) if "stamp" in part["classes"]]
    for line in figure_lines:
        line.parent.remove(line)
    for fold in _folds_in(page):
        if "code" in fold["container_classes"]:
            _detach(fold)
            anchors = {anchor for part in fold for anchor in part["ids"]}
            # Insert the lines below the title.
            fold[1:1] = [line for line in figure_lines if line["code"] in anchors]
            code += fold


def _move_evidence(page, evidence, sources):
    """Move folds of the story to the evidence, grouped by statement or section.

    The function returns the labels and anchors of these groups.
    """
    boxes = [box for box in page.findall(Box) if not _nearest_ancestor(box, is_fold)]
    position = {id(node): rank for rank, node in enumerate(page.findall())}
    # The parts of each group with their kinds, by the statement's label or the section's anchor.
    groups, section_titles = defaultdict(list), {}
    for box in boxes:
        _title, content, *_ = box
        groups[box["label"]] += [("stated", part) for part in content if is_fold(part) or _is_formal(part)]
    for fold in [*_folds_in(page), *_folds_in(evidence)]:
        if _nearest_ancestor(fold, lambda node: isinstance(node, Box)) or _is_task(fold):
            continue
        section = _top_section(fold, page)  # None if the author placed the fold below the heading Evidence
        nearby_boxes = [box for box in boxes if section is not None and _top_section(box, page) is section]
        if _is_proof(fold):  # a proof belongs to the statement before it
            nearby_boxes = [box for box in nearby_boxes if position[id(box)] < position[id(fold)]][-1:]
        label = _label_of(fold, nearby_boxes)
        if label is None and section is None:
            continue
        if section is not None and "evidence" not in fold["container_classes"]:
            _leave_link(fold)
        if label is None:
            label = section["ids"][0]
            section_titles[label] = section[0].astext()
        groups[label].append(("proof", fold))
    labels = [label for label in sorted(groups, key=sources.rank) if groups[label]]
    for label in labels:
        parts = [part for _, part in sorted(groups[label], key=_rank_of_part)]
        for part in parts:
            _detach(part)
        evidence += _evidence_group(label, parts, section_titles.get(label), sources)
    return set(labels)


def _label_of(fold, nearby_boxes):
    """Return the label of the statement to which a fold belongs, or None.

    Parameters
    ----------
    fold : Node
        The fold.
    nearby_boxes : list of Box
        The boxes near the fold. The fold may also belong to a statement in another box.
    """
    for name in fold["container_classes"]:
        if name.startswith(_CLASS_PREFIX):
            return name.removeprefix(_CLASS_PREFIX)
    inner_boxes = [*fold.findall(Box)]
    labels = [box["label"] for box in inner_boxes[:1] or nearby_boxes]
    return labels[0] if len(labels) == 1 else None


def _evidence_group(label, parts, title, sources):
    """Return the evidence on a statement, headed by the statement's name and verdict.

    For a section, ``label`` is its anchor, and the heading is its ``title``, which is None for a statement.
    """
    if title is None:
        # Sphinx replaces this text with the name of the statement.
        heading = addnodes.pending_xref(
            "", nodes.inline("", label), refdomain="prf", reftype="ref", reftarget=label, refexplicit=False
        )
    else:
        heading = nodes.reference("", title, internal=True, refid=label)
    heading_line = nodes.rubric("", "", heading, level=3)
    if verdict := sources.verdict_on(label):
        heading_line += [nodes.Text(" "), verdict_link(verdict, refuri=sources.row(label))]
    return nodes.container(
        "", heading_line, *parts, is_div=True, classes=["about-one"], ids=[f"evidence-{label}"]
    )


def _lead_to_evidence(page, labels_with_evidence, labels_on_page, sources):
    """Link the verdicts in the story to their evidence, or else to their statement.

    A statement on another page gets a link if this book has the page.
    """
    for link in page.findall(nodes.reference):
        if label := link.get("evidence_of"):
            if label in labels_with_evidence:
                link["refid"] = f"evidence-{label}"
            elif label in labels_on_page:
                link["refid"] = label
            elif address := sources.address(label):
                link["refuri"] = address
            else:
                link["refid"] = nodes.make_id(EVIDENCE)


def _leave_link(fold):
    """Add a link to a moved fold at the end of the paragraph before it, or in a new one."""
    title = fold[0]
    title["ids"] = title["ids"] or [f"fold-{nodes.make_id(title.astext())}"]
    word = "proof" if _is_proof(fold) else "details"
    link = nodes.reference(
        "", word, internal=True, refid=title["ids"][0], reftitle=title.astext(), classes=["to-foot"]
    )
    index = fold.parent.index(fold)
    previous = next((part for part in reversed(fold.parent[:index]) if not is_fold(part)), None)
    if isinstance(previous, nodes.paragraph) and not previous["classes"]:
        previous += [nodes.Text(" "), link]
    else:
        fold.parent.insert(index, nodes.paragraph("", "", link))


def _arrange_first_screen(page):
    """Move the status line below the title, and the summary below the first figure.

    If there is no figure before the first heading, the summary keeps its position.
    """
    for status in [element for element in page if "status" in element.get("classes", ())]:
        page.remove(status)
        page.insert(1, status)
    summary = next((element for element in page if "in-short" in element.get("classes", ())), None)
    if summary is None:
        return
    for element in page[page.index(summary) + 1 :]:
        if isinstance(element, nodes.section):
            return
        if isinstance(element, nodes.figure) or _shows_html(element):
            page.remove(summary)
            page.insert(page.index(element) + 1, summary)
            return


def _shows_html(element):
    return any(output.get("mime_type") == "text/html" for output in element.findall(nodes.container))


def _folds_in(section):
    """Return the outermost folds of a section, in order."""
    folds = section.findall(lambda node: isinstance(node, nodes.container) and is_fold(node))
    return [fold for fold in folds if not _nearest_ancestor(fold, is_fold)]


def _is_formal(node):
    """Return whether a node is the fold of a machine-checked proof, which is raw HTML."""
    return isinstance(node, nodes.raw) and '<details class="formal' in node.astext()


def _is_task(fold):
    """Return whether a fold contains an exercise or a solution, or is inside one."""
    return any(isinstance(node, _TASKS) for node in [*fold.findall(), *_ancestors(fold)])


def _is_proof(fold):
    return fold[0].astext().lower().startswith("proof")


def _rank_of_part(kind_and_node):
    """Return the rank of a part of a group. The classes of a fold may name another kind."""
    kind, node = kind_and_node
    if _is_formal(node):
        return _KINDS.index("formal")
    return _KINDS.index(next((name for name in node["container_classes"] if name in _KINDS), kind))


def _detach(node):
    """Remove a node from its parent, and remove ancestors that become empty.

    An output in Markdown has a plain-text version beside it, which would be shown if only the Markdown were
    removed.
    """
    bundle = _nearest_ancestor(node, lambda node: node.get("nb_element") == "mime_bundle")
    ancestor = bundle or node.parent
    node.parent.remove(node)
    while isinstance(ancestor, nodes.container) and (ancestor is bundle or not ancestor.children):
        parent = ancestor.parent
        parent.remove(ancestor)
        ancestor = parent


def _ancestors(node):
    """Yield the ancestors of a node, the nearest first."""
    while isinstance(node := node.parent, nodes.Element):
        yield node


def _nearest_ancestor(node, condition):
    """Return the nearest ancestor that satisfies a condition, or None."""
    return next(filter(condition, _ancestors(node)), None)


def _top_section(node, page):
    """Return the top-level section that contains a node, or the page itself.

    The value is None if the node is outside the page.
    """
    top_section = page
    for ancestor in _ancestors(node):
        if ancestor is page:
            return top_section
        if isinstance(ancestor, nodes.section):
            top_section = ancestor
    return None
