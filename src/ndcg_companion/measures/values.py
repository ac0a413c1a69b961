"""Measures as frozen, comparable values with their parameters and a repr that can be typed back.

``NDCG(discount=Power(0.5), k=10)(labels, scores)`` is ``ndcg(labels, scores, discount=Power(0.5), k=10)``.
Each class is a dataclass whose fields are the keyword arguments of its function, with the same defaults. The
arguments ``offsets``, ``ideal`` and ``ideal_offsets`` are not fields, because they belong to the data. The
classes are generated from the functions, so each parameter is written only once.
"""

from dataclasses import dataclass, field, fields, make_dataclass
from inspect import Parameter, signature
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .cascade import err, rr
from .correlation import auc, kendall_tau
from .linear import linear_ndcg, pairwise_loss
from .ndcg import dcg, ideal_dcg, ndcg
from .precision import average_precision, f_measure, mean_average_precision, r_precision, rbp
from .rankdcg import rankdcg


@dataclass(frozen=True, eq=False, repr=False)
class Measure:
    """A measure with its parameters, called with labels and scores.

    Raises
    ------
    ValueError
        If the function rejects a parameter. The error is raised on construction.

    Examples
    --------
    >>> from ndcg_companion.measures import NDCG, Power
    >>> NDCG(discount=Power(0.5), ties="average", k=10)
    NDCG(discount=Power(beta=0.5), k=10)
    >>> NDCG(k=1)([1, 0, 0], [2, 2, 1])
    0.5
    """

    function: ClassVar[Any]

    def __post_init__(self):
        for name, value in self.parameters.items():
            # The class is frozen. NumPy's numbers would have another repr than Python's.
            object.__setattr__(self, name, value.item() if isinstance(value, np.generic) else value)
        # Scoring an empty batch makes the function check the parameters.
        self([], [], offsets=[0])

    @property
    def parameters(self) -> dict[str, Any]:
        """Keyword arguments that are passed to the function, by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __call__(self, labels: ArrayLike, scores: ArrayLike, **data: Any) -> Any:
        return self.function(labels, scores, **data, **self.parameters)

    def __repr__(self):
        arguments = []
        for parameter, value in zip(fields(self), self.parameters.values()):
            if _meaning(parameter.name, value) != _meaning(parameter.name, parameter.default):
                text = "float('nan')" if value != value else repr(value)  # only NaN differs from itself
                arguments.append(f"{parameter.name}={text}")
        return f"{type(self).__name__}({', '.join(arguments)})"

    def __eq__(self, other):
        return type(other) is type(self) and self._meanings == other._meanings

    def __hash__(self):
        return hash((type(self), *self._meanings))

    @property
    def _meanings(self):
        """The keys by which two measures of one class are compared, one for each parameter."""
        return [_meaning(name, value) for name, value in self.parameters.items()]


def _meaning(name, value):
    """Return a key that is the same for equivalent parameters.

    In this key, NaN equals NaN, but a cut-off of 1, which is a number of positions, differs from the fraction
    1.0.
    """
    return "nan" if value != value else value, name == "k" and isinstance(value, float)


def _measure_class(name, function) -> Any:
    """Return a subclass of `Measure` whose fields are the keyword-only parameters of a function."""
    parameters = [
        parameter
        for parameter in signature(function).parameters.values()
        if parameter.kind is Parameter.KEYWORD_ONLY
        and parameter.name not in ("offsets", "ideal", "ideal_offsets")
    ]
    # A field() without a default makes the parameter required.
    typed_fields = [
        (parameter.name, object, field() if parameter.default is Parameter.empty else parameter.default)
        for parameter in parameters
    ]
    summary = function.__doc__.splitlines()[0]
    return make_dataclass(
        name,
        typed_fields,
        bases=(Measure,),
        namespace={
            "function": staticmethod(function),
            "__doc__": f"`{function.__name__}` as a callable value that stores its parameters.\n\n{summary}",
            "__module__": __name__,
        },
        frozen=True,
        eq=False,
        repr=False,
        kw_only=True,
    )


DCG = _measure_class("DCG", dcg)
IdealDCG = _measure_class("IdealDCG", ideal_dcg)
NDCG = _measure_class("NDCG", ndcg)
RankDCG = _measure_class("RankDCG", rankdcg)
LinearNDCG = _measure_class("LinearNDCG", linear_ndcg)
PairwiseLoss = _measure_class("PairwiseLoss", pairwise_loss)
AveragePrecision = _measure_class("AveragePrecision", average_precision)
MeanAveragePrecision = _measure_class("MeanAveragePrecision", mean_average_precision)
KendallTau = _measure_class("KendallTau", kendall_tau)
FMeasure = _measure_class("FMeasure", f_measure)
RPrecision = _measure_class("RPrecision", r_precision)
RBP = _measure_class("RBP", rbp)
RR = _measure_class("RR", rr)
ERR = _measure_class("ERR", err)
AUC = _measure_class("AUC", auc)
