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
        if self.worst is None:
            count_text = f"{self.outside:,} of {self.entries:,} differ"
            return count_text if self.entries > 1 else "differs" if self.outside else "agrees"
        if abs(self.worst) > 1e6:
            return "over a million" if self.worst > 0 else "under minus a million"
        return (f"{self.worst:.3g}" if abs(self.worst) < 100 else f"{self.worst:,.0f}").replace("-", "−")


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
        agrees, predicted, observed, tolerance = map(
            np.ravel, np.broadcast_arrays(agrees, self.predicted, self.observed, self.tolerance)
        )
        worst, entry = None, int(np.argmin(agrees))
        if np.any((units := _scale(rule, predicted, tolerance, near)) > 0):
            deviations = (observed - predicted).astype(float) * (-1 if rule == "at least" else 1)
            without_tolerance = (tolerance <= NEARLY_EXACT) & (rule != "within")
            deviations = (
                np.abs(deviations) if rule == "within" else deviations - without_tolerance * tolerance
            )
            # A margin of 1 is the border of agreement. Without a tolerance, the border is a deviation of 0,
            # so that 1 is added.
            margins = (
                np.divide(deviations, units, out=np.where(agrees, 0.0, np.inf), where=units > 0)
                + without_tolerance
            )
            margins = np.nan_to_num(np.where(np.isnan(margins), np.inf, margins))  # JSON has no infinity
            entry = int(np.argmax(margins))
            worst = float(margins[entry])
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
        # The field `unequal` is the author's reason for different tolerances.
        claim_tolerances = _tolerances("claim", self.claim)
        control_tolerances = _tolerances("control", self.control)
        if (other_tolerances := sorted(control_tolerances - claim_tolerances)) and not self.unequal:
            expectation = f"a tolerance of the claim's, such as {min(claim_tolerances):.6g}"
            reason = "give both the same, or page.finding(unequal=...) a reason"
            raise ValueError(f"control: expected {expectation}, got {other_tolerances[0]:.6g}; {reason}")

    @property
    def verdict(self):
        claim, control = self.claim.holds(self.rule), self.control.holds(self.rule)
        if claim == control:
            return "undecided" if claim and self.needs else "inconclusive"
        supported = BASES[self.basis]
        if self.defines and supported == "proved here":
            supported = CHECKED
        return supported if claim else "contradicted"

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
        tolerances = {np.nan}
    if not all(np.isfinite(value) and value >= 0 for value in tolerances):
        expectation = "finite numbers of at least 0"
        raise ValueError(f"{side}, tolerance={case.tolerance!r}: expected {expectation}")
    return tolerances


def _scale(rule, predicted, tolerance, near):
    """Return the unit of deviation for each entry, or 0 for exact agreement."""
    unit = np.where(tolerance > NEARLY_EXACT, tolerance, 0.0)
    if rule in ("equals", "within"):
        return unit
    return np.where(unit > 0, unit, near or np.abs(predicted.astype(float)))


def _plain(value):
    """Return a value for ``json``: arrays become lists and fractions become text."""
    if isinstance(value, (str, bool, int)):
        return value
    array = np.asarray(value)
    if array.dtype == object:  # for example fractions, which text keeps exact
        return [str(entry) for entry in array.ravel()] if array.ndim else str(value)
    return array.tolist()
