"""Simulation of rankings: samplers, NDCG of growing lists, certificates and Monte Carlo experiments."""

from ndcg_companion.simulation.certificates import Certificate, certify_sign
from ndcg_companion.simulation.curves import ndcg_curve
from ndcg_companion.simulation.gaps import gap_experiment
from ndcg_companion.simulation.intervals import bernstein_interval, proportion_interval, student_interval
from ndcg_companion.simulation.replication import MonteCarlo, ReplicateError, monte_carlo
from ndcg_companion.simulation.sampling import (
    PairSample,
    Sample,
    Top,
    sample,
    sample_blocks,
    sample_pair,
    sample_top,
)

__all__ = [
    "Certificate",
    "MonteCarlo",
    "PairSample",
    "ReplicateError",
    "Sample",
    "Top",
    "bernstein_interval",
    "certify_sign",
    "gap_experiment",
    "monte_carlo",
    "ndcg_curve",
    "proportion_interval",
    "sample",
    "sample_blocks",
    "sample_pair",
    "sample_top",
    "student_interval",
]
