"""The dependencies between the proofs of a book, and a picture of these dependencies.

A proof depends on the statements to which it links. A refuted statement is linked to the true statement that
its erratum names. All dependencies are read from the pages and tables.
"""

# The picture is drawn by hand, because otherwise readers of the README would have to install Graphviz.

import re
import textwrap
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate

from claimbook.evidence import slug
from claimbook.reports.errata import errata
from claimbook.sphinxext.reading import BOX, directive, each, options_of
from claimbook.templates import filled

_PROOF = directive(r"(?P<kind>dropdown|prf:proof)")
_LINK = re.compile(r"\{prf:ref\}`(?:[^`<]*<)?([\w-]+)>?`")
_MARKS = re.compile(r"[$*`\\]|\{[\w:]+\}")  # signs of Markdown, which a picture does not interpret
_COLUMNS = 5  # the number of columns that fit on a page; a longer chain of proofs needs more
# Sizes in pixels: the width and height of a box, the gaps between columns and between rows, and the height of
# the caption above a group.
_WIDTH, _HEIGHT, _COLUMN_GAP, _ROW_GAP, _CAPTION = 121, 45, 19, 8, 30
_LETTERS = 15  # the number of characters in a line of a box
_UNCROWDED = 2  # a column is filled with up to this many boxes before the next one is used
_SWEEPS = 8  # the order of the boxes hardly changes after this many rounds


def links_of_proofs(texts):
    """Return the labels to which each statement's proof links, by statement label.

    A proof is a ``{prf:proof}``, or a fold whose title begins with *Proof*. A proof belongs to the box that
    the proof's title names or, if the title names none, to the last box above the proof.

    Parameters
    ----------
    texts : iterable of str
        The Markdown of each page.

    Returns
    -------
    dict of str to list of str

    Examples
    --------
    >>> page = "```{prf:lemma} Small\\n:label: a\\n```\\n:::{dropdown} Proof\\nBy {prf:ref}`b`.\\n:::\\n"
    >>> links_of_proofs([page])
    {'a': ['b']}
    """
    links = {}
    for text in texts:
        boxes = [
            (box.start(), box["title"].strip(), label)
            for box in BOX.finditer(text)
            if (label := options_of(box).get("label"))
        ]
        for fold in each(_PROOF, text):
            if fold["kind"] == "prf:proof" or fold["title"].startswith("Proof"):
                labels_above = [label for start, _, label in boxes if start < fold.start()]
                quoted = [label for _, title, label in boxes if title and f"“{title}”" in fold["title"]]
                if owner := (quoted or labels_above[-1:] or [None])[0]:
                    targets = links.setdefault(owner, [])
                    targets += [
                        target
                        for target in dict.fromkeys(_LINK.findall(fold["text"]))
                        if target not in (owner, *targets)
                    ]
    return {label: targets for label, targets in links.items() if targets}


def links_between(labels, texts):
    """Return the links of `links_of_proofs` that connect statements with these labels."""
    links = {
        label: [target for target in targets if target in labels]
        for label, targets in links_of_proofs(texts).items()
        if label in labels
    }
    return {label: targets for label, targets in links.items() if targets}


def corrections(book):
    """Return, for each refuted statement, the label of the statement that corrects it.

    The erratum of the refuted statement says where the correction is proved. If the correction is proved in
    the box of the refuted statement itself, there is no entry.
    """
    proved = {slug(row.statement): row.proof.partition("#")[2] for row in errata(book) if row.statement}
    refuted = [slug(row.id) for row in book.registry.values() if row.expected == "contradicted"]
    return {label: proved[label] for label in refuted if proved.get(label, label) != label}


def without_implied_links(links):
    """Return the links without those that follow from other links.

    >>> without_implied_links({"end": ["middle", "start"], "middle": ["start"]})
    {'end': ['middle'], 'middle': ['start']}
    """
    reachable = {}
    for label in in_order(links):
        targets = links.get(label, [])
        reachable[label] = {*targets}.union(*(reachable[target] for target in targets))
    return {
        label: [target for target in targets if not any(target in reachable[other] for other in targets)]
        for label, targets in links.items()
    }


def in_order(links):
    """Return all labels, each after the labels to which its statement links.

    Raises
    ------
    ValueError
        If proofs depend on each other in a circle. The message names the labels of the circle.

    Examples
    --------
    >>> in_order({"end": ["tool", "middle"], "middle": ["start"]})
    ['tool', 'start', 'middle', 'end']
    """
    visited = {}

    def visit(label, path):
        if label in path:
            raise ValueError(f"expected proofs without a circle, got {' on '.join([*path, label])}")
        if label not in visited:
            for target in links.get(label, []):
                visit(target, [*path, label])
            visited[label] = None

    for label in links:
        visit(label, [])
    return [*visited]


def columns(links, groups):
    """Return, for each statement, a column to the right of all its dependencies.

    Parameters
    ----------
    links : dict
        For each label, the labels that must be to its left.
    groups : dict
        The group of each label. The boxes of a group are drawn in adjacent rows.

    Notes
    -----
    Of the possible columns, each statement gets the one that contains the fewest boxes of its group.

    Examples
    --------
    >>> groups = dict.fromkeys(["start", "middle", "tool", "end"], "a part")
    >>> columns({"end": ["middle", "tool"], "middle": ["start"]}, groups)
    {'start': 0, 'middle': 1, 'tool': 0, 'end': 2}
    """
    order, column, box_counts = in_order(links), {}, Counter()
    columns_needed = {}  # to the right of each label
    for label in reversed(order):
        columns_needed.setdefault(label, 0)
        for target in links.get(label, []):
            columns_needed[target] = max(columns_needed.get(target, 0), columns_needed[label] + 1)
    last_column = max(_COLUMNS - 1, *columns_needed.values(), 0)
    for label in order:
        first_column = max((column[target] + 1 for target in links.get(label, [])), default=0)
        candidates = range(first_column, last_column - columns_needed[label] + 1)
        column[label] = min(candidates, key=lambda index: max(_UNCROWDED, box_counts[groups[label], index]))
        box_counts[groups[label], column[label]] += 1
    return column


def _cells(links, column, groups):
    """Return the labels in each cell of the picture, from top to bottom.

    Notes
    -----
    Each cell is the intersection of a group and a column. To bring linked boxes to the same height, each box
    is moved repeatedly to the mean height of the boxes to which it is linked.
    """
    cells, neighbours = {}, {label: [*links.get(label, [])] for label in column}
    for label in column:
        cells.setdefault((groups[label], column[label]), []).append(label)
    for label, targets in links.items():
        for target in targets:
            neighbours[target].append(label)
    rows_above = _rows_above(cells, groups)
    for _ in range(_SWEEPS):
        row_of_label = {
            label: rows_above[group] + row
            for (group, _), cell in cells.items()
            for row, label in enumerate(cell)
        }
        mean_row = {
            label: sum(row_of_label[other] for other in others) / len(others)
            for label, others in neighbours.items()
        }
        for cell in cells.values():
            cell.sort(key=mean_row.get)
    return cells


def _rows_above(cells, groups):
    """Return the number of rows above each group.

    The value for the key None is the total number of rows.
    """
    rows = dict.fromkeys(groups.values(), 0)
    for (group, _), cell in cells.items():
        rows[group] = max(rows[group], len(cell))
    return dict(zip([*rows, None], accumulate(rows.values(), initial=0), strict=True))


@dataclass(frozen=True)
class Box:
    """A statement in the picture, with its corner, its text and its lines to other boxes.

    Each line of the text has two parts: words of the number, in bold, and words of the title.
    """

    statement: object
    x: int
    y: int
    text: list
    lines: list = field(default_factory=list)

    @property
    def middle(self):
        return self.y + _HEIGHT // 2


def picture(links, refuted, statements, groups):
    """Return the picture as HTML without empty lines, or an empty text without links.

    Parameters
    ----------
    links : dict
        For each label, the labels of the statements on which its proof depends.
    refuted : dict
        For the label of each refuted statement, the label of the true statement.
    statements : dict
        For each label, an object with ``number``, ``title``, ``name``, ``state`` and the ``shape`` of the
        state.
    groups : dict
        For each label, the part of the book that contains the statement, in the order of the book.
    """
    all_links = {label: [*targets] for label, targets in links.items()}
    for label, correction in refuted.items():
        all_links.setdefault(correction, []).append(label)
    all_links = without_implied_links(all_links)
    labels = {*all_links}.union(*all_links.values())
    groups = {label: group for label, group in groups.items() if label in labels}
    cells = _cells(all_links, columns(all_links, groups), groups)
    rows_above = _rows_above(cells, groups)  # its last key is None, for the end of the picture
    tops = {
        group: rows * (_HEIGHT + _ROW_GAP) + number * _CAPTION
        for number, (group, rows) in enumerate(rows_above.items(), 1)
    }
    boxes = {}
    for (group, column), cell in cells.items():
        for row, label in enumerate(cell):
            corner = column * (_WIDTH + _COLUMN_GAP), tops[group] + row * (_HEIGHT + _ROW_GAP)
            boxes[label] = Box(statements[label], *corner, _text_of(statements[label]))
    lines = {
        (target, label): _line(boxes[target], boxes[label])
        for label, targets in all_links.items()
        for target in targets
    }
    for pair, line in lines.items():
        for label in pair:
            boxes[label].lines.append(line)
    return filled(
        "fragments/dependencies.html",
        boxes=boxes,
        lines=[(line, refuted.get(target) == label) for (target, label), line in lines.items()],
        captions=[(group, tops[group]) for group in rows_above if group],
        size=(max((box.x for box in boxes.values()), default=0) + _WIDTH, tops[None] - _CAPTION),
        box=(_WIDTH, _HEIGHT),
    )


def _text_of(statement):
    """Return the text of a box as at most three lines, each with number and title words."""
    text = f"{statement.number} {_MARKS.sub('', statement.title)}"
    bold_words = len(statement.number.split())
    lines = []
    for line in textwrap.wrap(text, _LETTERS, max_lines=3, placeholder="…"):
        words = line.split()
        lines.append((" ".join(words[:bold_words]), " ".join(words[bold_words:])))
        bold_words = max(bold_words - len(words), 0)
    return lines


def _line(start, end):
    """Return a line between two boxes as an SVG path that avoids the boxes in between."""
    x, y, path = start.x + _WIDTH, start.middle, f"M{start.x + _WIDTH} {start.middle}"
    half_gap = _COLUMN_GAP // 2
    if end.x - x > _COLUMN_GAP:  # follow the gap between two rows, above or below the end
        level = end.middle + (_HEIGHT + _ROW_GAP) // 2 * (1 if start.y > end.y else -1)
        path += f"C{x + half_gap} {y} {x + half_gap} {level} {x + _COLUMN_GAP} {level}"
        x, y = end.x - _COLUMN_GAP, level
        path += f"H{x}"
    return path + f"C{x + half_gap} {y} {x + half_gap} {end.middle} {end.x} {end.middle}"
