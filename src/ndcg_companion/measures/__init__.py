"""What a ranking scores: discounts, gains, cut-offs, ties, and the measures made of them."""

from .discounts import Log, Power, Zipf, Geometric, Linear, parse_discount
from .ndcg import dcg, ideal_dcg, ndcg
from .rankdcg import rankdcg
from .linear import linear_ndcg, pairwise_loss
from .precision import average_precision, f_measure, mean_average_precision
from .correlation import kendall_tau
from .values import (
    DCG, IdealDCG, NDCG, RankDCG, LinearNDCG, PairwiseLoss, AveragePrecision, MeanAveragePrecision, FMeasure,
    KendallTau,
)  # fmt: skip

__all__ = [
    "DCG", "NDCG", "AveragePrecision", "FMeasure", "Geometric", "IdealDCG", "KendallTau", "Linear", "LinearNDCG", "Log",
    "MeanAveragePrecision", "PairwiseLoss", "Power", "RankDCG", "Zipf", "average_precision", "dcg", "f_measure",
    "ideal_dcg", "kendall_tau", "linear_ndcg", "mean_average_precision", "ndcg", "pairwise_loss", "parse_discount",
    "rankdcg",
]  # fmt: skip
