"""Boxes whose statements have a proof that a machine has checked: its badge, and its fold."""

from claimbook.evidence import slug
from claimbook.proofs import proof_badge, proof_fold
from claimbook.sphinxext.reading import BOX, options_of


def with_proofs(notebook, proofs):
    """The notebook, each box of a checked statement with a badge and, below its text, a fold.

    Parameters
    ----------
    notebook : NotebookNode
        Changed in place.
    proofs : dict of Proof
        By the ids of their statements.
    """
    shown = {slug(statement): proof for statement, proof in proofs.items()}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = BOX.sub(lambda box: _with_proof(box, shown), cell.source)
    return notebook


def _with_proof(box, shown):
    proof = shown.get(options_of(box).get("label"))
    if proof is None:
        return box[0]
    text = f"{box['text'].rstrip()}\n\n{proof_fold(proof)}\n"
    return f"{box['opening']}{box['options']}{proof_badge(proof)}\n{text}{box['fence']}"
