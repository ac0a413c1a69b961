"""Read a book's record of machine-checked proofs, and write their badges and folds.

A statement may have a formal version whose proof was accepted by a program such as Coq. Such a proof does not
change the verdict but is shown beside it. The badge shows whether the proof is complete or covers only a core
or a part.
"""

import json
import re
from dataclasses import dataclass
from html import escape

from claimbook.templates import filled

#: The extent of a proof, each with the shape on the badge.
COVERS = {"whole": "✓", "core": "◐", "part": "◔"}
#: What is proved: the statement, its refutation, or what its condition requires.
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
    """A machine-checked proof of a statement, or of something related to it.

    Attributes
    ----------
    by, version : str
        The program that accepted the proof, and its version.
    covers : {"whole", "core", "part"}
        The extent of the proof.
    of : {"statement", "refutation", "condition"}
        What is proved: the statement, its refutation, or what its condition requires.
    words : str
        The formal statement in words.
    leaves_out : str
        The part of the printed statement that the formal one leaves out. The text is empty for a complete
        proof.
    theorems : tuple of pair of str
        The place and the text of each formal theorem.
    assumptions : tuple of str
        The assumptions of the proof, in words.
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
        """Return the text on the badge.

        >>> Proof("Coq", "8.16.1", "core", "statement", "", "chance", (), ()).name
        'core checked by Coq'
        >>> Proof("Coq", "8.16.1", "whole", "refutation", "", "", (), ()).name
        'refutation checked by Coq'
        """
        words = [] if self.covers == "whole" else [self.covers]
        if self.of != "statement":
            words.append(f"of the {self.of}" if words else self.of)
        return " ".join([*words, "checked by", self.by])

    @property
    def shape(self):
        return COVERS[self.covers]


def read_proofs(path):
    """Return the `Proof` of each statement that has one, by the statement's id.

    Parameters
    ----------
    path : Path or None
        The file that a checker wrote. Without a file there are no proofs.

    Raises
    ------
    ValueError
        If ``covers`` or ``of`` is unknown, if a complete proof leaves something out, or if an incomplete one
        leaves nothing out.
    """
    if path is None or not path.is_file():
        return {}
    record = json.loads(path.read_text(encoding="utf-8"))
    proofs = {}
    for row in record["statements"]:
        if row["covers"] not in COVERS or (row["covers"] == "whole") == bool(row["leaves out"]):
            raise ValueError(
                f"{path.name}: {row['id']}: covers={row['covers']!r}, leaves out={row['leaves out']!r}:"
                f" expected one of {', '.join(COVERS)}, and nothing left out exactly if 'whole'"
            )
        if row["of"] not in OF:
            raise ValueError(f"{path.name}: {row['id']}: of={row['of']!r}: expected one of {', '.join(OF)}")
        theorems = tuple(
            (f"{theorem['file']}.{theorem['theorem']}", theorem["statement"]) for theorem in row["theorems"]
        )
        assumptions = tuple(record["assumptions"][name] for name in row["assumptions"])
        proofs[row["id"]] = Proof(
            record["by"],
            record["version"],
            row["covers"],
            row["of"],
            row["in words"],
            row["leaves out"],
            theorems,
            assumptions,
        )
    return proofs


def in_signs(formal):
    """Return a formal statement in mathematical signs, as HTML.

    Keywords and connectives are bold. The scope mark ``%nat`` is removed.

    >>> in_signs("forall n : nat, (2 <= n)%nat -> 0 <= f n")
    '<b>∀</b> n : ℕ, (2 ≤ n) <b>→</b> 0 ≤ f n'
    """
    formal = formal.replace("%nat", "")
    html, end_of_last_token = "", 0
    for token in _TOKEN.finditer(formal):
        word = token[0]
        sign = escape(_SIGNS.get(word, word))
        is_keyword_or_connective = word not in ("R", "nat", "<=", ">=", "<>")
        html += escape(formal[end_of_last_token : token.start()])
        html += f"<b>{sign}</b>" if is_keyword_or_connective else sign
        end_of_last_token = token.end()
    return html + escape(formal[end_of_last_token:])


def proof_badge(proof):
    """Return the badge of a proof as HTML, to be shown beside the verdict."""
    return filled("fragments/proof-badge.md", proof=proof)


def proof_fold(proof):
    """Return the fold with the formal statement and what it leaves out, as HTML."""
    theorems = [(name, in_signs(formal)) for name, formal in proof.theorems]
    return filled("fragments/proof-fold.md", proof=proof, theorems=theorems)
