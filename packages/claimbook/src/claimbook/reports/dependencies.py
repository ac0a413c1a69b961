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
from claimbook.sphinxext.reading import BOX, PROOF_OR_FOLD, each, options_of
from claimbook.templates import filled

_LINK = re.compile(r"\{prf:ref\}`(?:[^`<]*<)?([\w-]+)>?`")
_MARKS = re.compile(r"[$*`\\]|\{[\w:]+\}")  # signs of Markdown, which a picture does not interpret
_COLUMNS = 5  # the number of columns that fit on a page; a longer chain of proofs needs more
# Sizes in pixels: the width and height of a box, the gaps between columns and between rows, and the height of
# the caption above a group.
_WIDTH, _HEIGHT, _COLUMN_GAP, _ROW_GAP, _CAPTION_HEIGHT = 121, 45, 19, 8, 30
_CHARACTERS = 15  # the number of characters in a line of a box
_UNCROWDED = 2  # a column is filled with up to this many boxes before the next one is used
_ROUNDS = 8  # the order of the boxes hardly changes after this many rounds


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
    links = {}  # each value is a dict without values, which keeps the order and drops repetitions
    for text in texts:
        boxes = [
            (box.start(), box["title"].strip(), label)
            for box in BOX.finditer(text)
            if (label := options_of(box).get("label"))
        ]
        for fold in each(PROOF_OR_FOLD, text):
            if fold["kind"] == "dropdown" and not fold["title"].startswith("Proof"):
                continue
            labels_above = [label for start, _, label in boxes if start < fold.start()]
            named_labels = [label for _, title, label in boxes if title and f"“{title}”" in fold["title"]]
            for owner in named_labels[:1] or labels_above[-1:]:  # none, if no box is above the proof
                links.setdefault(owner, {}).update(dict.fromkeys(_LINK.findall(fold["text"])))
    return {
        label: [target for target in targets if target != label]
        for label, targets in links.items()
        if targets.keys() - {label}
    }


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
    corrected = {slug(row.statement): row.proof.partition("#")[2] for row in errata(book) if row.statement}
    refuted = [slug(row.id) for row in book.registry.values() if row.expected == "contradicted"]
    return {label: corrected[label] for label in refuted if corrected.get(label, label) != label}


def without_implied_links(links):
    """Return the links, by label, without those that follow from other links.

    >>> without_implied_links({"end": ["middle", "start"], "middle": ["start"]})
    {'end': ['middle'], 'middle': ['start']}
    """
    reachable = {}  # for each label, the labels to which its links lead in one or more steps
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
    ordered_labels = []

    def visit(label, path):
        """Append a label, after its targets. A path of labels led to it."""
        if label in path:
            raise ValueError(f"expected proofs without a circle, got {' on '.join([*path, label])}")
        if label not in ordered_labels:
            for target in links.get(label, []):
                visit(target, [*path, label])
            ordered_labels.append(label)

    for label in links:
        visit(label, [])
    return ordered_labels


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
    ordered_labels, column_of, box_counts = in_order(links), {}, Counter()
    columns_to_right = dict.fromkeys(ordered_labels, 0)  # columns that the statements after it need
    for label in reversed(ordered_labels):
        for target in links.get(label, []):
            columns_to_right[target] = max(columns_to_right[target], columns_to_right[label] + 1)
    last_column = max(_COLUMNS - 1, *columns_to_right.values(), 0)
    for label in ordered_labels:
        first_column = max((column_of[target] + 1 for target in links.get(label, [])), default=0)
        candidates = range(first_column, last_column - columns_to_right[label] + 1)
        # Of columns with equally many boxes, `min` takes the leftmost.
        column_of[label] = min(
            candidates, key=lambda column: max(_UNCROWDED, box_counts[groups[label], column])
        )
        box_counts[groups[label], column_of[label]] += 1
    return column_of


def _cells(links, column_of, groups):
    """Return the labels in each cell of the picture, from top to bottom.

    The keys are pairs of a group and a column, whose intersection is the cell.

    Notes
    -----
    To bring linked boxes to the same height, each box is moved repeatedly to the mean height of the boxes to
    which it is linked.
    """
    cells, neighbours = {}, {label: [*links.get(label, [])] for label in column_of}
    for label, column in column_of.items():
        cells.setdefault((groups[label], column), []).append(label)
    for label, targets in links.items():
        for target in targets:
            neighbours[target].append(label)
    rows_above, _ = _rows_above(cells, groups)
    for _ in range(_ROUNDS):
        row_of_label = {
            label: rows_above[group] + row
            for (group, _), labels in cells.items()
            for row, label in enumerate(labels)
        }
        mean_rows = {
            label: sum(row_of_label[neighbour] for neighbour in linked) / len(linked)
            for label, linked in neighbours.items()
        }
        for labels in cells.values():
            labels.sort(key=mean_rows.get)
    return cells


def _rows_above(cells, groups):
    """Return the number of rows above each group, by group, and the total number of rows."""
    row_counts = dict.fromkeys(groups.values(), 0)
    for (group, _), labels in cells.items():
        row_counts[group] = max(row_counts[group], len(labels))
    *rows_above, total = accumulate(row_counts.values(), initial=0)
    return dict(zip(row_counts, rows_above, strict=True)), total


@dataclass(frozen=True)
class Box:
    """A statement in the picture, with its corner, its text and its lines to other boxes.

    Each line of ``text`` has two parts: words of the number, in bold, and words of the title. Each of the
    ``lines`` to other boxes is an SVG path.
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
    rows_above, total_rows = _rows_above(cells, groups)
    row_height = _HEIGHT + _ROW_GAP
    tops = {
        group: rows * row_height + captions * _CAPTION_HEIGHT
        for captions, (group, rows) in enumerate(rows_above.items(), 1)
    }
    boxes = {}
    for (group, column), labels_in_cell in cells.items():
        for row, label in enumerate(labels_in_cell):
            statement = statements[label]
            x, y = column * (_WIDTH + _COLUMN_GAP), tops[group] + row * row_height
            boxes[label] = Box(statement, x, y, _lines_of_text(statement))
    lines = []  # SVG paths, each with whether it leads from a refuted statement to its correction
    for label, targets in all_links.items():
        for target in dict.fromkeys(targets):  # a correction may be linked twice to what it corrects
            path = _path_between(boxes[target], boxes[label])
            lines.append((path, refuted.get(target) == label))
            boxes[target].lines.append(path)
            boxes[label].lines.append(path)
    width = max((box.x for box in boxes.values()), default=0) + _WIDTH
    return filled(
        "fragments/dependencies.html",
        boxes=boxes,
        lines=lines,
        captions=[(group, top) for group, top in tops.items() if group],
        size=(width, total_rows * row_height + len(tops) * _CAPTION_HEIGHT),
        box=(_WIDTH, _HEIGHT),
    )


def _lines_of_text(statement):
    """Return the text of a box as at most three lines, each with number and title words."""
    text = f"{statement.number} {_MARKS.sub('', statement.title)}"
    bold_words = len(statement.number.split())  # words of the number that have no line yet
    lines = []
    for line in textwrap.wrap(text, _CHARACTERS, max_lines=3, placeholder="…"):
        words = line.split()
        lines.append((" ".join(words[:bold_words]), " ".join(words[bold_words:])))
        bold_words = max(bold_words - len(words), 0)
    return lines


def _path_between(start, end):
    """Return a line between two boxes as an SVG path that avoids the boxes in between.

    In an SVG path, ``M`` moves to a point, ``C`` draws a bend with two control points, and ``H`` draws a
    horizontal line.
    """
    x, y = start.x + _WIDTH, start.middle
    path, half_gap = f"M{x} {y}", _COLUMN_GAP // 2
    if end.x - x > _COLUMN_GAP:  # follow the gap between two rows, above or below the end
        gap_y = end.middle + (_HEIGHT + _ROW_GAP) // 2 * (1 if start.y > end.y else -1)
        path += f"C{x + half_gap} {y} {x + half_gap} {gap_y} {x + _COLUMN_GAP} {gap_y}"
        x, y = end.x - _COLUMN_GAP, gap_y
        path += f"H{x}"
    return path + f"C{x + half_gap} {y} {x + half_gap} {end.middle} {end.x} {end.middle}"
