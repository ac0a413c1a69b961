import math
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from ndcg_companion import measures
from ndcg_companion.measures import *  # noqa: F403  the reprs are typed back
from ndcg_companion.measures import DCG, NDCG, FMeasure, KendallTau, Power, Zipf, f_measure, ndcg

PAIRS = [
    ("DCG", "dcg"),
    ("IdealDCG", "ideal_dcg"),
    ("NDCG", "ndcg"),
    ("RankDCG", "rankdcg"),
    ("LinearNDCG", "linear_ndcg"),
    ("PairwiseLoss", "pairwise_loss"),
    ("AveragePrecision", "average_precision"),
    ("MeanAveragePrecision", "mean_average_precision"),
    ("KendallTau", "kendall_tau"),
    ("RPrecision", "r_precision"),
    ("RBP", "rbp"),
    ("RR", "rr"),
    ("ERR", "err"),
    ("AUC", "auc"),
]


@pytest.mark.parametrize("value, function", PAIRS)
def test_a_measure_without_parameters_is_its_function(value, function):
    measure, function = getattr(measures, value)(), getattr(measures, function)
    labels, scores = [3, 0, 2, 1, 0], [0.1, 0.4, 0.4, 0.2, 0.3]
    assert measure(labels, scores) == function(labels, scores)
    assert np.all(measure(labels, scores, offsets=[0, 3, 5]) == function(labels, scores, offsets=[0, 3, 5]))
    assert repr(measure) == f"{value}()"


def test_help_on_a_measure_names_and_describes_its_function():
    assert NDCG.__doc__ == (
        "`ndcg` as a callable value that stores its parameters.\n\n"
        "Return the normalised discounted cumulative gain, DCG divided by ideal DCG."
    )


@pytest.mark.parametrize(
    "typed",
    [
        "NDCG(discount=Power(beta=0.5), k=10)",
        "NDCG(k=1.0, ties='worst', empty=0)",
        "DCG(empty=float('nan'))",
        "NDCG(gain='exponential')",
        "KendallTau(variant='a')",
        "FMeasure(k=5)",
        "FMeasure(k=5, beta=2.0)",
        "RankDCG(ties='best')",
        "AveragePrecision(threshold=2, empty='raise')",
        "LinearNDCG()",
        "PairwiseLoss(ties='best')",
        "RBP(p=0.95, k=10)",
        "ERR(max_grade=1)",
        "RR(k=10, threshold=2)",
    ],
)
def test_a_measure_is_printed_as_it_is_typed(typed):
    measure = eval(typed)
    assert repr(measure) == typed
    assert eval(repr(measure)) == measure and hash(eval(repr(measure))) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure


def test_parameters_reach_the_function():
    labels, scores = [3, 0, 2, 1], [0.1, 0.4, 0.4, 0.2]
    measure = NDCG(discount=Power(0.5), k=2, gain="exponential", ties="worst")
    assert measure(labels, scores) == ndcg(
        labels, scores, discount=Power(0.5), k=2, gain="exponential", ties="worst"
    )
    assert FMeasure(k=3, threshold=2)(labels, scores) == f_measure(labels, scores, k=3, threshold=2)


def test_measures_are_equal_when_they_mean_the_same():
    assert NDCG() == NDCG(empty=float("nan")) == NDCG(empty=np.float64("nan"))
    assert hash(NDCG()) == hash(NDCG(empty=float("nan")))
    assert NDCG(k=10) == NDCG(k=np.int64(10)) != NDCG(k=9)
    assert NDCG(k=1) != NDCG(k=1.0)
    assert FMeasure(k=5, beta=1) == FMeasure(k=5)
    assert NDCG() != DCG(empty=math.nan) and NDCG(discount=Zipf()) != NDCG()
    assert len({NDCG(), NDCG(k=10), NDCG(k=10), DCG()}) == 3


def test_measures_are_frozen():
    with pytest.raises(FrozenInstanceError):
        NDCG().k = 3


@pytest.mark.parametrize(
    "make, name",
    [
        (lambda: NDCG(k=0), "k"),
        (lambda: NDCG(ties="mean"), "ties"),
        (lambda: DCG(gain="cubic"), "gain"),
        (lambda: NDCG(discount="log"), "discount"),
        (lambda: NDCG(empty=3), "empty"),
        (lambda: FMeasure(k=1, beta=-1), "beta"),
        (lambda: KendallTau(variant="d"), "variant"),
    ],
)
def test_bad_parameters_are_rejected_when_the_measure_is_made(make, name):
    with pytest.raises(ValueError, match=f"^{name}="):
        make()


def test_callables_are_not_called_before_there_is_a_list():
    never = NDCG(k=lambda n: n - 1, gain=lambda y: y / y.max(), discount=lambda r: r[0] / r)
    assert never([1, 2], [2, 1]) == 0.5


def test_a_required_parameter_is_required():
    with pytest.raises(TypeError, match="k"):
        FMeasure()
