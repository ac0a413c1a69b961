"""What a ranking scores: discounts, gains, cut-offs, ties, and the measures made of them."""

from .correlation import kendall_tau
from .discounts import Geometric, Linear, Log, Power, Zipf, parse_discount
from .linear import linear_ndcg, pairwise_loss
from .ndcg import dcg, ideal_dcg, ndcg
from .precision import average_precision, f_measure, mean_average_precision
from .rankdcg import rankdcg
from .values import (
    DCG,
    NDCG,
    AveragePrecision,
    FMeasure,
    IdealDCG,
    KendallTau,
    LinearNDCG,
    MeanAveragePrecision,
    PairwiseLoss,
    RankDCG,
)

__all__ = [
    "DCG",
    "NDCG",
    "AveragePrecision",
    "FMeasure",
    "Geometric",
    "IdealDCG",
    "KendallTau",
    "Linear",
    "LinearNDCG",
    "Log",
    "MeanAveragePrecision",
    "PairwiseLoss",
    "Power",
    "RankDCG",
    "Zipf",
    "average_precision",
    "dcg",
    "f_measure",
    "ideal_dcg",
    "kendall_tau",
    "linear_ndcg",
    "mean_average_precision",
    "ndcg",
    "pairwise_loss",
    "parse_discount",
    "rankdcg",
]
