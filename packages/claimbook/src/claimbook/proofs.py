"""Proofs that a machine has checked: what a book keeps of them, and how a page shows one.

A statement may have a formal twin, whose proof a program such as Coq accepted. That says nothing of the
verdict, and is shown beside it; a proof of a core or of a part never looks like one of the whole statement.
"""

import json
import re
from dataclasses import dataclass
from html import escape

from claimbook.templates import filled

#: What a proof covers, with the shape that its badge shows.
COVERS = {"whole": "✓", "core": "◐", "part": "◔"}
#: What a proof is of: that the statement holds, that it does not, or what its condition asks for.
OF = ("statement", "refutation", "condition")

_SIGNS = {
    "forall": "∀",
    "exists": "∃",
    "<->": "↔",
    "->": "→",
    "=>": "↦",
    "<=": "≤",
    ">=": "≥",
    "<>": "≠",
    "/\\": "∧",
    "\\/": "∨",
    "~": "¬",
    "nat": "ℕ",
    "R": "ℝ",
}
_TOKEN = re.compile(r"<->|->|=>|<=|>=|<>|/\\|\\/|~|\b(?:forall|exists|nat|R|fun|let|in)\b(?!\.)")


@dataclass(frozen=True)
class Proof:
    """A proof that a machine has checked, of a statement or of what is named.

    Attributes
    ----------
    by, version : str
        The program that accepted it.
    covers : {"whole", "core", "part"}
    of : {"statement", "refutation", "condition"}
        Of the statement, of its refutation, or of what its condition asks for.
    words : str
        The formal statement, read aloud.
    leaves_out : str
        What the printed statement says beyond it; empty for the whole.
    theorems : tuple of pair of str
        The place of each formal theorem, and what it says.
    assumptions : tuple of str
        In words.
    """

    by: str
    version: str
    covers: str
    of: str
    words: str
    leaves_out: str
    theorems: tuple
    assumptions: tuple

    @property
    def name(self):
        """The text of the badge.

        >>> Proof("Coq", "8.16.1", "core", "statement", "", "chance", (), ()).name
        'core checked by Coq'
        >>> Proof("Coq", "8.16.1", "whole", "refutation", "", "", (), ()).name
        'refutation checked by Coq'
        """
        if self.of == "statement":
            checked = "" if self.covers == "whole" else f"{self.covers} "
        else:
            checked = f"{self.of} " if self.covers == "whole" else f"{self.covers} of the {self.of} "
        return f"{checked}checked by {self.by}"

    @property
    def shape(self):
        return COVERS[self.covers]


def read_proofs(path):
    """`Proof` by the id of its statement, from the file that a checker wrote; none without a file.

    Raises
    ------
    ValueError
        For a proof that covers none of what `COVERS` names, is of none of `OF`, or is whole and leaves
        something out.
    """
    if path is None or not path.is_file():
        return {}
    record = json.loads(path.read_text(encoding="utf-8"))
    proofs = {}
    for row in record["statements"]:
        if row["covers"] not in COVERS or (row["covers"] == "whole") == bool(row["leaves out"]):
            raise ValueError(
                f"{path.name}: {row['id']} covers {row['covers']!r} and leaves out {row['leaves out']!r};"
                f" expected one of {', '.join(COVERS)}, and nothing left out exactly if whole"
            )
        if row["of"] not in OF:
            raise ValueError(f"{path.name}: {row['id']} is of {row['of']!r}; expected one of {', '.join(OF)}")
        theorems = tuple((f"{one['file']}.{one['theorem']}", one["statement"]) for one in row["theorems"])
        words = tuple(record["assumptions"][name] for name in row["assumptions"])
        proofs[row["id"]] = Proof(
            record["by"],
            record["version"],
            row["covers"],
            row["of"],
            row["in words"],
            row["leaves out"],
            theorems,
            words,
        )
    return proofs


def in_signs(formal):
    """A formal statement in mathematical signs, as HTML; what binds or joins is marked.

    The mark of a number as a natural one goes.

    >>> in_signs("forall n : nat, (2 <= n)%nat -> 0 <= f n")
    '<b>∀</b> n : ℕ, (2 ≤ n) <b>→</b> 0 ≤ f n'
    """
    formal, pieces, at = formal.replace("%nat", ""), [], 0
    for token in _TOKEN.finditer(formal):
        sign = escape(_SIGNS.get(token[0], token[0]))
        bold = token[0] not in ("R", "nat", "<=", ">=", "<>")
        pieces += [escape(formal[at : token.start()]), f"<b>{sign}</b>" if bold else sign]
        at = token.end()
    return "".join(pieces) + escape(formal[at:])


def proof_badge(proof):
    """The neighbour of a verdict, as HTML."""
    return filled("fragments/proof-badge.md", proof=proof)


def proof_fold(proof):
    """The fold below a statement in its box: the formal one, read aloud, and the parts that it leaves out."""
    theorems = [(place, in_signs(formal)) for place, formal in proof.theorems]
    return filled("fragments/proof-fold.md", proof=proof, theorems=theorems)
