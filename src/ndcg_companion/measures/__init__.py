"""Ranking measures and their parts: discounts, gains, cut-offs and the treatment of ties."""

from .cascade import err, rr
from .correlation import auc, kendall_tau
from .discounts import Geometric, Linear, Log, Power, Zipf, parse_discount
from .linear import linear_ndcg, pairwise_loss
from .ndcg import dcg, ideal_dcg, ndcg
from .precision import ap, average_precision, f_measure, mean_average_precision, r_precision, rbp
from .rankdcg import rankdcg
from .values import (
    AUC,
    DCG,
    ERR,
    NDCG,
    RBP,
    RR,
    AveragePrecision,
    FMeasure,
    IdealDCG,
    KendallTau,
    LinearNDCG,
    MeanAveragePrecision,
    PairwiseLoss,
    RankDCG,
    RPrecision,
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
    "AUC",
    "ERR",
    "RBP",
    "RR",
    "RPrecision",
    "ap",
    "auc",
    "err",
    "r_precision",
    "rbp",
    "rr",
]
