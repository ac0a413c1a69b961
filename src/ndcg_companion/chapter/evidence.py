"""Evidence: a prediction, what was observed, the rule that compares them, a control that shows it can fail.

A verdict is never typed. ``Finding`` holds the claim and its control, the nearest statement one misprint
away, under the same rule; what they do together decides:

====================  =====================  ===============================================================
the claim             its control            verdict
====================  =====================  ===============================================================
holds                 is rejected            *proved here* (exhaustive or exact), *consistent* (sampled),
                                             *not testable* (only the mechanism could be shown)
is rejected           holds                  *contradicted*: the control is then the corrected statement
holds                 holds                  *undecided*, if the finding can say how large the run must be
they behave alike                            *void*: the finding shows nothing, and no build passes with it
====================  =====================  ===============================================================
"""

from dataclasses import dataclass

import numpy as np

from ndcg_companion.chapter.parameters import nearest
from ndcg_companion.chapter.registry import registry

SHAPES = {
    "proved here": "■",
    "consistent": "●",
    "contradicted": "✕",
    "undecided": "?",
    "not testable": "○",
    "void": "!",
}
BASES = {"proof": "proved here", "sample": "consistent", "mechanism": "not testable"}
RISK_BUDGET = 1e-3  # the probability that a build of the whole book raises a false verdict


def _within(observed, predicted, tolerance):
    return np.abs(np.asarray(observed, float) - np.asarray(predicted, float)) <= tolerance


RULES = {
    "equals": lambda observed, predicted, _: np.asarray(observed) == np.asarray(predicted),
    "within": _within,
    "at most": lambda observed, predicted, tolerance: (
        np.asarray(observed) <= np.asarray(predicted) + tolerance
    ),
    "at least": lambda observed, predicted, tolerance: (
        np.asarray(observed) >= np.asarray(predicted) - tolerance
    ),
}


def slug(statement):
    """The statement's id as a label, an anchor or a CSS class.

    >>> slug("wang/theorem-4")
    'wang-theorem-4'
    """
    return statement.replace("/", "-")


@dataclass(frozen=True)
class Case:
    """A claim or its control: what it says, predicts, was observed, and how far the two may differ."""

    says: str
    predicted: object
    observed: object
    tolerance: object = 0

    def holds(self, rule):
        """Whether every observation agrees with its prediction (NaN agrees with nothing)."""
        return bool(np.all(RULES[rule](self.observed, self.predicted, self.tolerance)))


@dataclass(frozen=True)
class Finding:
    """Evidence on one statement of the registry.

    Parameters
    ----------
    statement : str
        Id of the registry.
    rule : {"equals", "within", "at most", "at least"}
        Compares what was observed with what was predicted, up to the tolerance; of arrays, every entry.
    claim, control : Case
    basis : {"sample", "proof", "mechanism"}
        What supports the verdict: a run that could have come out otherwise, an exhaustive or exact check, or
        a mechanism shown where the statement itself needs data that nobody has.
    risk : float
        Probability that chance alone overturns the verdict: this finding's share of ``RISK_BUDGET``.
    needs : str
        How large the run must be to decide, where a smaller one cannot tell claim and control apart.
    """

    statement: str
    rule: str
    claim: Case
    control: Case
    basis: str = "sample"
    risk: float = 0.0
    needs: str = ""

    def __post_init__(self):
        if self.statement not in registry():
            hint = nearest(self.statement, registry())
            raise ValueError(f"statement={self.statement!r}: not in the registry{hint}")
        for name, value, known in (("rule", self.rule, RULES), ("basis", self.basis, BASES)):
            if value not in known:
                raise ValueError(
                    f"{name}={value!r}: expected one of {', '.join(known)}{nearest(value, known)}"
                )
        if not 0 <= self.risk <= RISK_BUDGET:
            raise ValueError(
                f"risk={self.risk!r}: expected a probability of at most {RISK_BUDGET:g}, the whole book's"
            )

    @property
    def verdict(self):
        claim, control = self.claim.holds(self.rule), self.control.holds(self.rule)
        if claim and not control:
            return BASES[self.basis]
        if control and not claim:
            return "contradicted"
        return "undecided" if claim and self.needs else "void"

    @property
    def control_rejected(self):
        """Whether claim and control came out differently, so that the rule has been seen to fail."""
        return self.claim.holds(self.rule) != self.control.holds(self.rule)

    def as_json(self):
        """The finding as plain types, ready for ``json``."""
        return {
            "statement": self.statement,
            "verdict": self.verdict,
            "expected": registry()[self.statement].expected,
            "control_rejected": self.control_rejected,
            "rule": self.rule,
            "claim": _plain_case(self.claim),
            "control": _plain_case(self.control),
            "basis": self.basis,
            "risk": self.risk,
            "needs": self.needs,
        }


def combined(verdicts):
    """The verdict on a statement from those of its findings: the weakest, one that settles nothing first.

    >>> combined(["proved here", "consistent"])
    'consistent'
    """
    for verdict in ("void", "undecided", "contradicted", "not testable", "consistent", "proved here"):
        if verdict in verdicts:
            return verdict
    return None


def _plain_case(case):
    return {
        "says": case.says,
        "predicted": _plain(case.predicted),
        "observed": _plain(case.observed),
        "tolerance": _plain(case.tolerance),
    }


def _plain(value):
    if isinstance(value, (str, bool, int)):
        return value
    array = np.asarray(value)
    if array.dtype == object:  # fractions and the like: exact, so kept as written
        return [str(entry) for entry in array.ravel()] if array.ndim else str(value)
    return array.tolist()
