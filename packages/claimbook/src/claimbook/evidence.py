"""Define the evidence for a statement: a claim, an observation, a rule and a control.

Verdicts are computed, never typed. A ``Finding`` checks a claim and its control under the same rule. The
control is the nearest statement that differs from the claim by a single misprint. The two results determine
the verdict:

=========  ===========  =================================================================================
the claim  its control  verdict
=========  ===========  =================================================================================
passes     fails        *proved here* (exhaustive, or a proof), *consistent* (sampled), *not testable* (only
                        the mechanism could be shown). A definition has no proof: it is *checked* instead of
                        *proved here*.
fails      passes       *contradicted*: the control is then the corrected statement
passes     passes       *undecided* if the finding says how large the run must be, otherwise *inconclusive*
fails      fails        *inconclusive*: nothing shows what is true instead, and no build accepts this
=========  ===========  =================================================================================

The `Margin` of claim and control, in tolerances, shows how close the result was. A control that fails by more
than ``NEAR`` tolerances shows little, so the finding must then give a reason why there is no nearer control.
"""

from dataclasses import asdict, dataclass

import numpy as np

from claimbook.parameters import check_word
from claimbook.text import minus

SHAPES = {
    "proved here": "■",
    "checked": "□",
    "consistent": "●",
    "contradicted": "✕",
    "undecided": "?",
    "not testable": "○",
    "inconclusive": "!",
}
BASES = {
    "exhaustive": "proved here",
    "proof": "proved here",
    "sample": "consistent",
    "mechanism": "not testable",
}
CHECKED = "checked"  # replaces "proved here" for a definition, because there is nothing to prove
RISK_BUDGET = 1e-3  # upper limit of the probability that a build of the whole book contains a false verdict
NEAR = 10  # a control that fails by more tolerances needs a reason
NEARLY_EXACT = 1e-9  # a tolerance up to this value only covers rounding errors, so the check counts as exact


# For each rule, whether an observation agrees with a prediction; arrays are compared entry by entry.
RULES = {
    "equals": lambda observed, predicted, _: np.asarray(observed) == np.asarray(predicted),
    "within": lambda observed, predicted, tolerance: (
        np.abs(np.asarray(observed, float) - np.asarray(predicted, float)) <= tolerance
    ),
    "at most": lambda observed, predicted, tolerance: (
        np.asarray(observed) <= np.asarray(predicted) + tolerance
    ),
    "at least": lambda observed, predicted, tolerance: (
        np.asarray(observed) >= np.asarray(predicted) - tolerance
    ),
}


def slug(statement):
    """Return the id of a statement as a label, an anchor or a CSS class.

    >>> slug("newton/law-2")
    'newton-law-2'
    """
    return statement.replace("/", "-")


@dataclass(frozen=True)
class Margin:
    """The margin of a case, which is its deviation at the decisive entry.

    Attributes
    ----------
    worst : float or None
        The largest deviation from the prediction, in tolerances. The deviation is at most 1 exactly if the
        case passes, and negative on the safe side of a bound. If a bound has no tolerance, the bound itself
        is the scale: the value is 1 plus the excess as a proportion of the bound (or of the finding's
        ``near``). The value is None for an exact check, in which entries either agree or differ.
    entry : int
        The index of the decisive entry: the one with the largest deviation, or the first one that differs.
    entries, outside : int
        The number of entries, and the number of entries that differ.
    predicted, observed, tolerance
        The values at that entry.
    """

    worst: float | None
    entry: int
    entries: int
    outside: int
    predicted: object
    observed: object
    tolerance: object

    def __str__(self):
        if self.worst is None and self.entries > 1:
            return f"{self.outside:,} of {self.entries:,} differ"
        if self.worst is None:
            return "differs" if self.outside else "agrees"
        if abs(self.worst) > 1e6:
            return "over a million" if self.worst > 0 else "under minus a million"
        return minus(self.worst, ".3g" if abs(self.worst) < 100 else ",.0f")


@dataclass(frozen=True)
class Case:
    """A claim or control: a sentence, a prediction, an observation, a tolerance."""

    says: str
    predicted: object
    observed: object
    tolerance: object = 0

    def holds(self, rule):
        """Return whether every observation agrees with its prediction; NaN never agrees."""
        return bool(np.all(RULES[rule](self.observed, self.predicted, self.tolerance)))

    def margin(self, rule, near=0.0):
        """Return the `Margin` of this case under a rule.

        Parameters
        ----------
        rule : str
            One of `RULES`.
        near : float
            The scale of a bound without a tolerance. Without ``near`` the scale is the bound itself.
        """
        agrees = RULES[rule](self.observed, self.predicted, self.tolerance)
        arrays = np.broadcast_arrays(agrees, self.predicted, self.observed, self.tolerance)
        agrees, predicted, observed, tolerance = map(np.ravel, arrays)
        units = _units(rule, predicted, tolerance, near)
        if np.any(units > 0):
            margins = _margins(rule, agrees, predicted, observed, tolerance, units)
            entry = int(np.argmax(margins))
            worst = float(margins[entry])
        else:  # all entries are exact, and the first that differs (or else the first) is decisive
            entry, worst = int(np.argmin(agrees)), None
        values = [_plain(array[entry]) for array in (predicted, observed, tolerance)]
        return Margin(worst, entry, agrees.size, int(agrees.size - agrees.sum()), *values)


@dataclass(frozen=True)
class Finding:
    """Evidence on one statement of the registry.

    Parameters
    ----------
    statement : str
        The id of the statement in the registry.
    rule : {"equals", "within", "at most", "at least"}
        The comparison between observation and prediction, up to the tolerance. For arrays, the comparison
        must hold at every entry.
    claim, control : Case
        The claim and its control.
    basis : {"sample", "exhaustive", "proof", "mechanism"}
        What supports the verdict. ``"sample"``: cases that could have come out otherwise. ``"exhaustive"``:
        every case of a finite range; a page requires exact numbers or a tolerance for rounding. ``"proof"``:
        a proof on the page, which the numbers only illustrate. ``"mechanism"``: a demonstration of the
        mechanism, if the statement itself needs data that nobody has.
    risk : float
        The probability that noise alone reverses the verdict. The risks of all findings together must not
        exceed ``RISK_BUDGET``. A page requires a risk if the basis is a sample. The risk is 0 if nothing is
        random.
    needs : str
        The size that a run needs to settle the statement, if a smaller run cannot separate claim and control.
    near : float
        The scale of a bound without a tolerance (`Case.margin`).
    far : str
        The reason why there is no nearer control, if the control fails by more than ``NEAR`` tolerances.
    unequal : str
        The reason why the control has a different tolerance from the claim.
    defines : bool
        Whether the statement is a definition. Code that agrees with a definition proves nothing, so its
        verdict is "checked".

    Raises
    ------
    ValueError
        If a word is unknown, if the risk exceeds the budget of the book, if a tolerance is negative or not
        finite, or if the control has a tolerance that the claim does not have and ``unequal`` is empty.
    """

    statement: str
    rule: str
    claim: Case
    control: Case
    basis: str = "sample"
    risk: float = 0.0
    needs: str = ""
    near: float = 0.0
    far: str = ""
    unequal: str = ""
    defines: bool = False

    def __post_init__(self):
        check_word("rule", self.rule, RULES)
        check_word("basis", self.basis, BASES)
        if not 0 <= self.risk <= RISK_BUDGET:
            limit = f"a probability of at most {RISK_BUDGET:g}, the whole book's"
            raise ValueError(f"risk={self.risk!r}: expected {limit}")
        claim_tolerances = _tolerances("claim", self.claim)
        control_tolerances = _tolerances("control", self.control)
        other_tolerances = sorted(control_tolerances - claim_tolerances)
        if other_tolerances and not self.unequal:  # the author's reason for different tolerances
            expectation = f"a tolerance of the claim's, such as {min(claim_tolerances):.6g}"
            reason = "give both the same, or page.finding(unequal=...) a reason"
            raise ValueError(f"control: expected {expectation}, got {other_tolerances[0]:.6g}; {reason}")

    @property
    def verdict(self):
        """Return the verdict that follows from the results of claim and control."""
        claim_passes, control_passes = self.claim.holds(self.rule), self.control.holds(self.rule)
        if claim_passes and control_passes and self.needs:
            return "undecided"
        if claim_passes == control_passes:
            return "inconclusive"
        if not claim_passes:
            return "contradicted"
        verdict = BASES[self.basis]
        return CHECKED if self.defines and verdict == "proved here" else verdict

    def as_plain(self, expected):
        """Return the finding as plain types for ``json``.

        Parameters
        ----------
        expected : str
            The verdict that the registry expects.
        """
        return {
            "statement": self.statement,
            "verdict": self.verdict,
            "expected": expected,
            # The control of a contradicted claim passes. It came out differently from the claim but is not
            # rejected.
            "control_rejected": not self.control.holds(self.rule),
            "control_differs": self.claim.holds(self.rule) != self.control.holds(self.rule),
            "rule": self.rule,
            "claim": self._plain_case(self.claim),
            "control": self._plain_case(self.control),
            "basis": self.basis,
            "risk": self.risk,
            "needs": self.needs,
            "far": self.far,
            "unequal": self.unequal,
        }

    def _plain_case(self, case):
        """Return a case with its margin as plain types for ``json``."""
        plain = {field: _plain(getattr(case, field)) for field in ("predicted", "observed", "tolerance")}
        return {"says": case.says, **plain, "margin": asdict(case.margin(self.rule, self.near))}


def combined(verdicts):
    """Return the weakest of several verdicts on one statement.

    Verdicts that settle nothing are the weakest.

    >>> combined(["proved here", "consistent"])
    'consistent'
    """
    weakest_first = (
        "inconclusive",
        "undecided",
        "contradicted",
        "not testable",
        "consistent",
        CHECKED,
        "proved here",
    )
    return next((verdict for verdict in weakest_first if verdict in verdicts), None)


def _tolerances(side, case):
    """Return the set of tolerances of a case.

    Raises
    ------
    ValueError
        If a tolerance is negative, not finite or not a number.
    """
    try:
        tolerances = {float(value) for value in np.ravel(case.tolerance)}
    except (TypeError, ValueError):
        tolerances = {np.nan}  # rejected below
    if not all(np.isfinite(value) and value >= 0 for value in tolerances):
        expectation = "finite numbers of at least 0"
        raise ValueError(f"{side}, tolerance={case.tolerance!r}: expected {expectation}")
    return tolerances


def _units(rule, predicted, tolerance, near):
    """Return the unit of deviation of each entry, or 0 where agreement must be exact.

    The unit is the tolerance. A bound without a tolerance has the unit ``near``, or else the bound itself.
    """
    unit = np.where(tolerance > NEARLY_EXACT, tolerance, 0.0)
    if rule in ("equals", "within"):
        return unit
    return np.where(unit > 0, unit, near or np.abs(predicted.astype(float)))


def _margins(rule, agrees, predicted, observed, tolerance, units):
    """Return the margin of each entry, which is at most 1 if the entry agrees.

    All arguments but ``rule`` are arrays with one value for each entry. The margin is the deviation from the
    prediction in units. Above a bound without a tolerance, it is 1 plus the excess in units. Entries without
    a unit count as deviations of zero or infinity.
    """
    deviations = (observed - predicted).astype(float) * (-1 if rule == "at least" else 1)
    is_bare_bound = (tolerance <= NEARLY_EXACT) & (rule != "within")
    # The tolerance of a bare bound only covers rounding errors.
    deviations = np.abs(deviations) if rule == "within" else deviations - is_bare_bound * tolerance
    margins = np.divide(deviations, units, out=np.where(agrees, 0.0, np.inf), where=units > 0)
    margins = margins + is_bare_bound
    return np.nan_to_num(np.where(np.isnan(margins), np.inf, margins))  # JSON has no infinity


def _plain(value):
    """Return a value for ``json``: arrays become lists and fractions become text."""
    if isinstance(value, (str, bool, int)):
        return value
    array = np.asarray(value)
    if array.dtype == object:  # for example fractions, which text keeps exact
        return [str(entry) for entry in array.ravel()] if array.ndim else str(value)
    return array.tolist()
