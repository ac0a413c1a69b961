"""Numbers of figures, exercises and equations: 1, 2, 3 in sight, A1, A2, A3 in folds.

Sphinx counts a page from top to bottom, so that the numbers in sight would jump wherever a fold holds one.
What is folded is the page's appendix, and is numbered as one. Sphinx keeps its own numbers: it compares them
with those of the next build to know which pages are to be written anew.
"""

from collections import Counter

from docutils import nodes

from claimbook.sphinxext.folds import is_fold


def setup(app):
    """Note what is folded when a page is read, number it when pages are written."""
    app.connect("doctree-read", note_folded)
    app.connect("write-started", renumber)


def note_folded(app, doctree):
    """Remember the ids of what has a number and stands in a fold."""
    inside = (
        node for fold in doctree.findall(is_fold) for part in fold for node in part.findall(nodes.Element)
    )
    counted = (node for node in inside if node["ids"] and _is_numbered(app.env, node))
    app.env.claimbook_folded[app.env.docname] = sorted({node["ids"][0] for node in counted})


def renumber(app, builder):
    """Number what is in sight and what is folded by itself, each in reading order."""
    env, counts = app.env, Counter()
    for document, kinds in env.toc_fignumbers.items():
        folded = env.claimbook_folded[document]
        for kind, numbers in kinds.items():
            for place, (*chapter, _) in numbers.items():
                series = kind, *chapter, place in folded
                counts[series] += 1
                numbers[place] = (*chapter, f"A{counts[series]}" if place in folded else counts[series])


def _is_numbered(env, node):
    return any(domain.get_enumerable_node_type(node) for domain in env.domains.values())
