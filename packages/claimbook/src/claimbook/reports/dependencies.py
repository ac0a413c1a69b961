"""What rests on what: the links between the proofs of a book, and a picture of them.

A proof rests on the statements that it links to. A statement that is refuted leads to what is true instead,
which its erratum names. Nothing of this is written down by hand.
"""

# Drawn by hand, because Graphviz is a program that a reader of the README would have to install.

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
_MARKS = re.compile(r"[$*`\\]|\{[\w:]+\}")  # of Markdown, which a picture does not typeset
_COLUMNS = 5  # which fill the width of a page; more only where proofs rest on more in a row
_WIDE, _HIGH, _ACROSS, _DOWN, _CAPTION = 121, 45, 19, 8, 30  # pixels, of boxes, between them, above a group
_LETTERS = 15  # of a line in a box
_FEW = 2  # boxes below each other, for which no other column is begun
_SWEEPS = 8  # after which the order of the boxes hardly changes


def links_of_proofs(texts):
    """Labels that the proof of each statement links to, by the statement's label.

    A ``{prf:proof}``, or a fold whose title begins with *Proof*, belongs to the box that its title quotes, or
    else to the last one above it on its page.

    Parameters
    ----------
    texts : iterable of str
        The Markdown of each page.

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
                above = [label for start, _, label in boxes if start < fold.start()]
                named = [label for _, title, label in boxes if title and f"“{title}”" in fold["title"]]
                if owner := (named or above[-1:] or [None])[0]:
                    linked = links.setdefault(owner, [])
                    linked += [
                        to for to in dict.fromkeys(_LINK.findall(fold["text"])) if to not in (owner, *linked)
                    ]
    return {label: linked for label, linked in links.items() if linked}


def links_between(known, texts):
    """`links_of_proofs`, but only those between statements whose labels are known."""
    links = {
        label: [to for to in linked if to in known]
        for label, linked in links_of_proofs(texts).items()
        if label in known
    }
    return {label: linked for label, linked in links.items() if linked}


def corrections(book):
    """The label of what is true instead, by the label of each refuted statement whose erratum names it.

    That is where the erratum says that it is proved, if this is another statement.
    """
    proved = {slug(row.statement): row.proof.partition("#")[2] for row in errata(book) if row.statement}
    refuted = [slug(row.id) for row in book.registry.values() if row.expected == "contradicted"]
    return {label: proved[label] for label in refuted if proved.get(label, label) != label}


def direct(links):
    """The links without those that follow from others.

    >>> direct({"end": ["middle", "start"], "middle": ["start"]})
    {'end': ['middle'], 'middle': ['start']}
    """
    below = {}
    for label in in_order(links):
        near = links.get(label, [])
        below[label] = {*near}.union(*(below[to] for to in near))
    return {
        label: [to for to in near if not any(to in below[other] for other in near)]
        for label, near in links.items()
    }


def in_order(links):
    """All labels, each after those that it is linked to.

    Raises
    ------
    ValueError
        For a proof that rests on itself, with the labels in a circle.

    Examples
    --------
    >>> in_order({"end": ["tool", "middle"], "middle": ["start"]})
    ['tool', 'start', 'middle', 'end']
    """
    ordered = {}

    def put(label, above):
        if label in above:
            raise ValueError(f"proofs rest on one another: {' on '.join([*above, label])}")
        if label not in ordered:
            for to in links.get(label, []):
                put(to, [*above, label])
            ordered[label] = None

    for label in links:
        put(label, [])
    return [*ordered]


def columns(links, groups):
    """The column of each statement: right of all that it is linked to, in the least filled one of its group.

    Parameters
    ----------
    links : dict
        Label to the labels that are to the left of it.
    groups : dict
        Label to the group whose boxes are drawn below each other.

    Examples
    --------
    >>> groups = dict.fromkeys(["start", "middle", "tool", "end"], "a part")
    >>> columns({"end": ["middle", "tool"], "middle": ["start"]}, groups)
    {'start': 0, 'middle': 1, 'tool': 0, 'end': 2}
    """
    order, column, filled_by = in_order(links), {}, Counter()
    after = {}  # how many columns are needed to the right
    for label in reversed(order):
        after.setdefault(label, 0)
        for to in links.get(label, []):
            after[to] = max(after.get(to, 0), after[label] + 1)
    last = max(_COLUMNS - 1, *after.values(), 0)
    for label in order:
        first = max((column[to] + 1 for to in links.get(label, [])), default=0)
        allowed = range(first, last - after[label] + 1)
        column[label] = min(allowed, key=lambda place: max(_FEW, filled_by[groups[label], place]))
        filled_by[groups[label], column[label]] += 1
    return column


def _cells(links, column, groups):
    """The labels of each cell of the picture, by group and column, from top to bottom.

    Linked ones are brought to the same height: each is moved to the mean height of those that it is linked
    with, again and again.
    """
    cells, near = {}, {label: [*links.get(label, [])] for label in column}
    for label in column:
        cells.setdefault((groups[label], column[label]), []).append(label)
    for label, linked in links.items():
        for to in linked:
            near[to].append(label)
    rows = _rows_above(cells, groups)
    for _ in range(_SWEEPS):
        height = {
            label: rows[group] + place
            for (group, _), cell in cells.items()
            for place, label in enumerate(cell)
        }
        mean = {label: sum(height[to] for to in linked) / len(linked) for label, linked in near.items()}
        for cell in cells.values():
            cell.sort(key=mean.get)
    return cells


def _rows_above(cells, groups):
    """The number of rows above each group; under None that of all rows."""
    rows = dict.fromkeys(groups.values(), 0)
    for (group, _), cell in cells.items():
        rows[group] = max(rows[group], len(cell))
    return dict(zip([*rows, None], accumulate(rows.values(), initial=0), strict=True))


@dataclass(frozen=True)
class Box:
    """A statement in the picture: the corner of its box, its lines of text, and the lines that meet it.

    Each line of text has a part in bold, the number, and the rest.
    """

    statement: object
    x: int
    y: int
    text: list
    lines: list = field(default_factory=list)

    @property
    def middle(self):
        return self.y + _HIGH // 2


def picture(links, refuted, statements, groups):
    """The picture as HTML, which holds no empty line; empty without a link.

    Parameters
    ----------
    links : dict
        Label of each statement to the labels that its proof rests on.
    refuted : dict
        Label of each refuted statement to that of what is true instead.
    statements : dict
        By label what has a ``number``, a ``title``, a ``name``, and a ``state`` with its ``shape``.
    groups : dict
        Label to the part of the book, in the order of the book.
    """
    joined = {label: [*linked] for label, linked in links.items()}
    for label, instead in refuted.items():
        joined.setdefault(instead, []).append(label)
    joined = direct(joined)
    labels = {*joined}.union(*joined.values())
    groups = {label: group for label, group in groups.items() if label in labels}
    cells = _cells(joined, columns(joined, groups), groups)
    rows = _rows_above(cells, groups)
    tops = {group: rows[group] * (_HIGH + _DOWN) + number * _CAPTION for number, group in enumerate(rows, 1)}
    boxes = {}
    for (group, column), cell in cells.items():
        for row, label in enumerate(cell):
            corner = column * (_WIDE + _ACROSS), tops[group] + row * (_HIGH + _DOWN)
            boxes[label] = Box(statements[label], *corner, _text_of(statements[label]))
    lines = {(to, label): _line(boxes[to], boxes[label]) for label, linked in joined.items() for to in linked}
    for pair, line in lines.items():
        for label in pair:
            boxes[label].lines.append(line)
    return filled(
        "fragments/dependencies.html",
        boxes=boxes,
        lines=[(line, refuted.get(to) == label) for (to, label), line in lines.items()],
        captions=[(group, tops[group]) for group in rows if group],
        size=(max((box.x for box in boxes.values()), default=0) + _WIDE, tops[None] - _CAPTION),
        box=(_WIDE, _HIGH),
    )


def _text_of(statement):
    """The text in a box, in at most three lines of two parts: words of the number, and words of the title."""
    text, left = f"{statement.number} {_MARKS.sub('', statement.title)}", len(statement.number.split())
    lines = []
    for line in textwrap.wrap(text, _LETTERS, max_lines=3, placeholder="…"):
        words = line.split()
        lines.append((" ".join(words[:left]), " ".join(words[left:])))
        left = max(left - len(words), 0)
    return lines


def _line(start, end):
    """A line from a box to one on its right, as a path of SVG: around the boxes between the two."""
    x, y, path = start.x + _WIDE, start.middle, f"M{start.x + _WIDE} {start.middle}"
    if end.x - x > _ACROSS:  # along the space between two rows, above or below the end
        level = end.middle + (_HIGH + _DOWN) // 2 * (1 if start.y > end.y else -1)
        path += f"C{x + _ACROSS // 2} {y} {x + _ACROSS // 2} {level} {x + _ACROSS} {level}H{end.x - _ACROSS}"
        x, y = end.x - _ACROSS, level
    return path + f"C{x + _ACROSS // 2} {y} {x + _ACROSS // 2} {end.middle} {end.x} {end.middle}"
