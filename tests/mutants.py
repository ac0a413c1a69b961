"""Random mutants of the packages with formulas, each tried against the tests of its own module.

    python tests/mutants.py [--number 200] [--seed 1] [--seconds 300] [NAME ...]

An operator, a comparison or a number of a module is changed in a copy of the package, and the module's
examples and the tests named for it run on it, the quickest first, until one fails. Mutants that survive are
printed as `LISTED` would list them and make the exit code 1; NAME picks modules, such as ``measures/ties``.
"""

import argparse
import ast
import doctest
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from importlib import import_module
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ndcg_companion"
PACKAGES = ("measures", "theory", "simulation", "evaluation")
OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
OTHER |= {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
OTHER |= {
    ast.FloorDiv: ast.Div,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
# Tests of modules that have no test file of their own name, or more than one.
ELSEWHERE = {
    "checks": "test_checks.py untrusted/test_library_calls.py",
    "measures/discounts": "test_discounts.py test_decay.py",
    "measures/ndcg": "test_ndcg.py test_ideal.py",
    "measures/sums": "test_sums.py test_ndcg.py",
    "measures/ties": "test_ties.py test_ndcg.py",
    "theory/bounds": "test_bounds.py test_exponents.py test_winning.py",
    "theory/laws": "test_laws.py test_laws_enclosed.py",
    "theory/limits": "test_limits.py test_decay.py",
    "theory/odds": "test_odds.py test_queries.py",
    "simulation/prefixes": "test_curves.py",
    "simulation/replication": "test_replication.py test_cluster.py",
    "evaluation/cluster": "test_comparison.py",
    "evaluation/kinds": "test_scoring.py test_measure_names.py test_comparison.py test_ir_measures.py",
    "evaluation/family": "test_family.py test_comparison.py",
    "evaluation/nights": "test_history.py",
    "evaluation/scale": "test_page.py",
    "evaluation/scoring": "test_scoring.py test_comparison.py test_ir_measures.py",
    "evaluation/sentences": "test_comparison.py test_page.py",
    "evaluation/tie_orders": "test_comparison.py",
}
# Changes that cannot matter, by the reason: the function, and parts of the changed statement in their order.
LISTED: dict[str, tuple[str, ...]] = {
    "only time: a search that goes on beyond the part in a thousand that is promised": (
        "items_needed: while high - low > max(1.0, -0.001 * high)",
    ),
    "no sum reaches the bound of its own rounding, to which the smallest float times n is added": (
        "_Gap.sign: if abs(h) < error",
    ),
    "what is inserted past the end is cut off at once": ("_item_by_item: if rank <= width",),
    "only time: items that tie right behind the end, of which there is none to be averaged": (
        "_item_by_item: if equal and rank - equal <= width",
    ),
    "a grade more than there is: the code of no item, and a margin that is only wider": (
        "grade_codes: return (range(int(gains.max()) + 2)",
    ),
    "of no item that is left none has a grade": ("sample_top: if n >= k",),
    "a seed below zero is refused by numpy as well": ("_sequence: return ... check_int('seed', seed, -1)",),
    "between the last of a range and one more step it may end anywhere": (
        "_block_by_block: for start, stop in ... gains.size + 2, _BLOCK",
    ),
    "what has no remainder by 1 has none by -1": ("_by_ir_measures: fail_if((grades % -1 != 0)",),
    "no uniform number is an edge to the last digit": (
        "sample_pair: apart = np.flatnonzero(scores0 <= edge)",
        "sample_pair: return ... rng.random(n) <= chance",
        "_labels: return (uniform <= ",
        "_labels: place += uniform > cumulative",
        "sample_top: breaks = ... if depth >= edge",
    ),
    "only memory: rows that are not there": ("_sums_of_parts: sums = np.zeros((edges.size - -1,",),
    "at least one replicate is asked for, whatever is finished": ("_finished: enough = ... default=-1)",),
    "only time: how much is done at once, and from where on": (
        ": _ROWS = 17",
        ": _ROWS = 32",
        ": _BLOCK = ",
        ": _BLOCK, _LONG = (193, 2 ** 13)",
        ": _BLOCK, _LONG = (384, 2 ** 13)",
        ": _BLOCK, _LONG = (192, 3 ** 13)",
        ": _BLOCK, _LONG = (192, 4 ** 13)",
        ": _BLOCK, _LONG = (192, 2 ** 14)",
        ": _BLOCK, _LONG = (192, 2 ** 26)",
    ),
    "only time: where interpolation is not as good, that is computed before, and it is not used": (
        ": _TOP = 5 * _BLOCK",
        ": _TOP = 8 * _BLOCK",
        ": _ZONES = ",
        "_zone: shifts = ",
    ),
    "only time: either way gives the same, and this picks the quicker": (
        "is_short: ... 4 * top < n",
        "is_short: ... 8 * top <= n",
        ": _FEW_GRADES = ",
        "grade_codes: if gains.max() <= _FEW_GRADES",
        "_labels: if population.grades == (2, 0)",
        "_labels: if population.grades == (-1, 0)",
        "_labels: if population.grades == (1, 1)",
        "_curves: ideal = ... len(grades) < _FEW_GRADES",
        ": _SMALLEST, _LARGEST = (3.0 ** (-500)",
        ": _SMALLEST, _LARGEST = (4.0 ** (-500)",
        ": _SMALLEST, _LARGEST = (2.0 ** (-501)",
        ": _SMALLEST, _LARGEST = (2.0 ** (-1000)",
        ": _SMALLEST, _LARGEST = (2.0 ** (--500)",
        ": _SMALLEST, _LARGEST = (2.0 ** (-500), ",
        "ndcg_curve: extreme = ... _SMALLEST <= gains.max()",
        "ndcg_curve: extreme = ... gains.max() <= _LARGEST",
        ": _LARGEST_KEPT = ",
        ": _SMALLEST, _LARGEST = (2.0 ** (-900), 2.0 ** -900)",
        "sort_packed: if np.bitwise_or.reduce(flat) | lowest",
        "Lists.order: if order.size >= self.n",
        "actual_sum: if lists.n and gains.size ... lists.sizes.size > 2",
        "ndcg: in_range = (ideal_sum > _SMALLEST)",
        "ndcg: in_range = ... ideal_sum < _LARGEST",
        "discount_table: if ... m < _LARGEST_KEPT",
        "check_fits: if array.size >= 2 ** 27",
        "check_fits: if array.size > 2 * 27",
        "check_fits: if array.size > -2 ** 27",
        "check_fits: if array.size > 2 ** -27",
        "Lists.number: ... self.sizes.size < 2 ** 16",
        "Lists.number: ... self.sizes.size <= 2 * 16",
        "Lists.number: ... self.sizes.size <= -2 ** 16",
        "Lists.number: ... self.sizes.size <= 2 ** -16",
        "actual_sum: if lists.n and gains.size >= 2 * _BLOCK",
        "actual_sum: if lists.n and gains.size > 3 * _BLOCK",
        "actual_sum: if lists.n and gains.size > 4 * _BLOCK",
        "actual_sum: if decreasing and lists.n and (lists.sizes.size == -1) and is_short",
        "_quickest: return 'stable' if values.dtype != np.uint8",
        "Lists.sort: if ... values.dtype == np.uint8",
        "ndcg: if not ordinary or not (in_range | no_gain",
        ": _SMALLEST, _LARGEST = (2.0 ** (-901), 2.0 ** 900)",
        ": _SMALLEST, _LARGEST = (2.0 ** (--900), 2.0 ** 900)",
        ": _SMALLEST, _LARGEST = (2.0 ** (-900), 2.0 * 900)",
        ": _SMALLEST, _LARGEST = (2.0 ** (-900), 2.0 ** 901)",
        ": _SMALLEST, _LARGEST = (2.0 ** (-900), -2.0 ** 900)",
        "dcg: return ... if empty != -1 else None, empty)",
        "ideal_dcg: return ... if empty != -1 else None, empty)",
        "ndcg: if not ordinary and (not (in_range & no_gain",
        ": _FEW = 513",
        ": _FEW = 1024",
        "ranked: fits = ... gains.size >= _FEW",
    ),
    "only time: what is checked of large numbers holds for all": (
        "real_array: ... >= -2 ** 53",
        "_may_round: wide = labels.size or",
        "_may_round: wide = labels.size and labels.dtype.itemsize >= -8",
        "_may_round: return wide or",
        "_may_round: return ... labels.max() >= 2 ** 53",
        "_may_round: return ... labels.max() > 2 * 53",
        "_may_round: return ... labels.max() > -2 ** 53",
        "_may_round: return ... labels.max() > 2 ** -53",
        "_may_round: return ... labels.min() <= -2 ** 53",
        "_may_round: return ... labels.min() < -(2 * 53)",
        "_may_round: return ... labels.min() < --2 ** 53",
        "_may_round: return ... labels.min() < -2 ** -53",
        "real_array: ... >= 2 * 53",
        "real_array: ... >= 2 ** -53",
    ),
    "the last axis of a matrix is its second, the last of a pair the other, the last of one the first": (
        "sort_packed: n = scores.shape[-1]",
        "_tau: ranks = ... return_inverse=True)[-1]",
        "_tau: m = ... ranks[-1]",
        "rows_of: return read_file(value, kind)[-1]",
        "Curve.__post_init__: raise_if(name in ('power', 'reversed') and parameters[-1] < 0",
        "ndcg_curve: return ... else curves[-1]",
        "Comparison.leaderboard: return ... 'rank_high': ranges[:, -1]",
        "flip_signs: rows, q = ... shape[-1]",
        "_flip_batch: q = exact.rows.shape[-1]",
        "_ideal_by_grade: return ... steps, axes=(1, -1))",
        "binomial_mean: within = np.minimum(ranks[-1]",
        "binomial_mean: return ... weights[-1]",
        "LimitLaw.cdf: low, high = ... self.support[-1][-1])",
        "LimitLaw.cdf: return ... else values[-1]",
        "DiscountedSum._evaluate: value, error = ... attempt[-1])",
        "pseudo_expectation: width = rectangles[0][-1]",
        "ndcg_standard_deviation: width = steps[0][-1]",
        "Pair.__post_init__: object.__setattr__(self, 'ybar1', curves[-1])",
        "Pair.__post_init__: i, j = ... pick(values[-1]))",
        "Pair.__post_init__: joint = ... values[-1][j]",
        "Pair.__post_init__: gap = ... - values[-1])",
        "Pair.rho: return parse_coupling(self.coupling)[-1]",
        "_unknown: hint = ... near[-1]",
        "Lists.dot: return ... rows.shape[-1]",
        "group_means: starts = first.nonzero()[-1]",
    ),
    "how much is shown of what is long, and what is near to a name that is none": (
        "value_error: ... most=121",
        "value_error: ... most=501",
        "_from_ir_measures: reason = ",
        "compare: known = ... 301",
        "compare: known = ... 600",
        "_by_ir_measures: reason = ... 301",
        "_by_ir_measures: reason = ... 600",
        "templates: environment.filters |= ... most=201",
        "templates: environment.filters |= ... most=400",
        "latex: text = ... escaped(text, 201)",
        "templates: environment.filters |= ... escaped(text, 25)",
        "templates: environment.filters |= ... escaped(text, 48)",
        "latex: text = ... escaped(text, 400)",
        ": _MOST_ROWS = 301",
        ": _MOST_ROWS = 600",
        "_unknown: near = get_close_matches(word.lower(), known, n=2",
    ),
    "a frame with scores has a third column": ("_by_name: ... {'query', 'item'} < set(systems.columns)",),
    "how many letters nobody reads": (": _MOST = ",),
    "bits of systems that are not there, in every group": (
        "letters: groups = [4 ** size - 1]",
        "letters: groups = [-2 ** size - 1]",
    ),
    "two systems with the same mean are not told apart": (
        "rank_ranges: better = means[:, None] <= means",
        "rank_ranges: worse = means[:, None] >= means",
    ),
    "a list without items has no discount": (
        "ndcg_curve: most = ... cuts.max(initial=",
        "position_weights: ... cuts.max(initial=",
    ),
    "a largest label that is compared with 1024": ("_exponential: highest = labels.max(initial=",),
    "at the first size nothing is left to be proved": ("_Gap._reach: return ",),
    "a type that nothing evaluates": ("certify_sign: changes: list[tuple[int, int & None]]",),
    "depths of 1e-15, where 1 % is promised of what lists of 1e15 items would have": (
        "Pair.depths_given_label: ... np.geomspace(2e-15",
    ),
    "more panels than needed, or one of no width": (
        "_scaled_integral.panels: ... max(1.0, np.log2(half)",
        "Pair.depths_between: ... start <= depth",
        "Pair.depths_between: ... depth <= stop",
        "log_moment: inner = ... depth <= cutoff",
        "log_moment: points = ... start + 3.0 ** np.arange(8.0)",
        "log_moment: points = ... start + 4.0 ** np.arange(8.0)",
        "log_moment: points = ... 2.0 ** np.arange(9.0)",
        "log_moment: points = ... 2.0 ** np.arange(16.0)",
        "pseudo_expectation: depths = ... depth <= log(cutoff)",
        "mean_dcg: doubling = 2.0 ** np.arange(-3.0",
        "mean_dcg: doubling = 2.0 ** np.arange(-4.0",
        "cutoff_points: points = ... np.arange(-10.0",
        "cutoff_points: points = ... np.arange(-18.0",
        "cutoff_points: points = ... np.arange(-9.0, 11.0)",
        "cutoff_points: points = ... np.arange(-9.0, 20.0)",
        "cutoff_points: return ... 0.0 <= point",
        "cutoff_points: return ... point <= 1.0",
    ),
    "only time: a jump is closed in on, and a function that is too rough refused, a step later": (
        ": _DEEPEST = 65",
        ": _DEEPEST = 128",
        ": _MOST_PANELS = 2 << 13",
        ": _MOST_PANELS = 1 << 14",
        "integrate: fail_if(rough.sum() >= _MOST_PANELS",
        "_panels: hidden = ... NODES[1]",
        "_panels: hidden = ... (1.0 - NODES[0])",
        "_panels: hidden = ... (2.0 + NODES[0])",
        "_panels: hidden = ... NODES[-1]",
    ),
    "how far beside the ends of a panel, and how much of the promised digits one of many panels may take": (
        ": _BESIDE_ENDS = np.array([-1.0, 1.0]) * (1.0 - 2e-10)",
        "integrate: def integrate(function, points, tolerance=2e-14)",
        ": _NOISE = 2e-16",
    ),
    "a size below zero is left to numpy, whichever": (
        "integrate: halves, hidden = ... reshape(2, -2)",
        "DiscountedSum._table: k = ... reshape(-2, ",
    ),
    "a grid that is a little finer": (
        "grid: return ... 4098)",
        "grid: return ... 8194)",
        "check_variance: raise_if( ... np.linspace(0.0, 1.0, 258)",
        "check_variance: raise_if( ... np.linspace(0.0, 1.0, 514)",
        "Pair.depths_given_label: ... 0.05, 3000)",
        "Pair.depths_given_label: ... 3001)",
        "Pair.depths_given_label: ... 6000)",
        "Pair.depths_given_label: ... 4002)",
        "Pair.depths_given_label: ... 8002)",
    ),
    "an even power has no sign": (
        "fourier_table: damping, stronger = ... for share in (-1, 8)",
        "fourier_table: damping, stronger = ... for share in (1, -8)",
        "smallest_errors: chosen[ ... budget / -3.0) ** 2",
        "DiscountedSum._attempt: settled = ... (-0.03 if ratio",
        "DiscountedSum._attempt: settled = ... else -0.1)",
    ),
    "no node of a rule lies on the edge of its panel": (
        "_moments: ideal = ... u <= pair.p",
        "_moments: shared, unshared = (du * (u <= share)",
        "_moments: shared, unshared = ... du * (u >= share)",
        "ndcg_standard_deviation: ideal = ... u <= width",
    ),
    "the sign of what is not zero": (
        "winning_probability: return float(gap >= 0.0)",
        "_summable: return float(gap >= 0.0)",
        "_growing_cutoff: return float(gap >= 0.0)",
        "_zipf: return float(at_top >= 0.0)",
        "_zipf: return float(gap >= 0.0)",
    ),
    "a scale has no sign": ("_summable: gap = ... (u * shared) ** (-beta)",),
    "a coin is never sure, whichever side is up": ("items_needed: ahead = ... >= 0.5",),
    "for Zipf's discount both ends weigh the same, and where one weighs little more either is the unit": (
        "_heaviest: return log_n if ... >= 0.0",
        "_heaviest: return log_n if ... > 1 ",
        "_heaviest: return log_n if ... > 1.0 ",
        "_heaviest: return log_n if ... > -1 ",
        "_heaviest: return log_n if known_decay(discount).log_change(1",
        "_heaviest: return log_n if known_decay(discount).log_change(-1",
    ),
    "only time: integrals halve what is rough": (
        "_scaled_integral.panels: doubling = ",
        "_scaled_integral: upper = ... log_width + depth",
        "_scaled_integral: lower = ... log_n - depth",
        "mean_dcg: doubling = 3.0 **",
        "mean_dcg: doubling = 4.0 **",
        "mean_dcg: doubling = 2.0 ** np.arange(--2.0",
        "mean_dcg: points += [*1.0 + doubling]",
        "mean_dcg: points += [*2.0 - doubling]",
    ),
    "only time: how binomial distributions are put together, how far out and with how many nodes": (
        ": _SUMMED = (5.0,",
        ": _SUMMED = (8.0,",
        ": _SUMMED = (-4.0,",
        ": _SUMMED = (4.0, 13.0,",
        ": _SUMMED = (4.0, 24.0,",
        ": _SUMMED = (4.0, -12.0,",
        ": _SUMMED = (4.0, 12.0, 31.0)",
        ": _SUMMED = (4.0, 12.0, 60.0)",
        ": _NODES, _WEIGHTS = np.polynomial.legendre.leggauss(41)",
        ": _NODES, _WEIGHTS = np.polynomial.legendre.leggauss(80)",
        "_summed: reach = (10.0 *",
        "_summed: reach = (18.0 *",
        "_summed: reach = (9.0 * deviation + 41.0)",
        "_summed: reach = (9.0 * deviation + 80.0)",
        "_summed: count = first + np.arange(np.ceil(3.0 *",
        "_summed: count = first + np.arange(np.ceil(4.0 *",
        "_integrated: reach = 10.0 *",
    ),
    "a series that ends a little earlier: its terms are below the promised digits": (
        ": _NEGLIGIBLE = 2e-12",
        "GeometricDecay.log_change: return ... np.minimum(log_rank + offset, 701.0)",
        ": _OUTSIDE, _NOTHING = (2e-15, 1e-17)",
        ": _OUTSIDE, _NOTHING = (1e-15, 2e-17)",
        "DiscountedSum._transform: radius = ... 2e-300",
    ),
    "how small a moment may be that is no rounding, and how many are tried": (
        ": ZERO = 2e-11",
        ": _HIGHEST_ORDER = 21",
        ": _HIGHEST_ORDER = 40",
    ),
    "a tie on paper is off by some 1e-16 of the sum": ("_constant_cutoff: beaten = ... 2e-12 *",),
    "shares that are apart by what no grade has": (
        "ndcg_standard_deviation: filled = ... share - 2e-09",
        "ndcg_standard_deviation: filled = ... width >= share",
    ),
    "far from the cut-off no kink is left": (
        "ideal_kink: if abs(z) <= 9.0",
        "ideal_kink: if abs(z) < 10.0",
        "ideal_kink: if abs(z) < 18.0",
    ),
    "only memory: how many ranks more than needed are kept": (
        "discount_table: size = 2 << max(m - 1, 0)",
        "discount_table: size = 1 << max(m + 1, 0)",
        "discount_table: size = 1 << max(m - -1, 0)",
        "discount_table: size = 1 << max(m - 1, 1)",
        "discount_table: size = 1 << max(m - 1, -1)",
        "_kept: def _kept(discount, size):",
    ),
    "only time: which series are tried, how many branches before, and where products give way to sums": (
        ": _GEOMETRIC_ATTEMPTS = ",
        ": _POWER_ATTEMPTS = ",
        ": _FEW, _CROWD = ",
        ": _CUMULANTS = 25",
        ": _CUMULANTS = 48",
        "DiscountedSum._transform: while ... >= radius / 4.0",
        "DiscountedSum._transform: while ... > radius / 5.0",
        "DiscountedSum._transform: while ... > radius / 8.0",
        "DiscountedSum._evaluate: if error <= _ACCURACY or (error >= 0.05",
        "DiscountedSum._evaluate: if error <= _ACCURACY or (error > 1.05",
        "DiscountedSum._evaluate: if error <= _ACCURACY or (error > 0.1 and",
        "DiscountedSum._evaluate: if error <= _ACCURACY or (error > 0.05 and terms > 2 << 12",
        "DiscountedSum._evaluate: if error <= _ACCURACY or (error > 0.05 and terms > 1 << 13",
        "DiscountedSum._evaluate: if error <= _ACCURACY or (error > 0.05 and terms > 1 << 24",
        "DiscountedSum._attempt: pause = max(9,",
        "DiscountedSum._attempt: pause = max(16,",
        "DiscountedSum._attempt: pause = max(-8,",
        "DiscountedSum._attempt: pause = max(8, int(2.6",
        "DiscountedSum._attempt: pause = max(8, int(3.2",
        "DiscountedSum._attempt: pause = max(8, int(-1.6",
        "DiscountedSum._attempt: decided, ... pause = (0.0, 0.0, -1, 0.0, 0, 0, 0)",
        "DiscountedSum._attempt: decided, ... pause = (0.0, 0.0, 0.0, 0.0, 0, 1, 0)",
        "DiscountedSum._attempt: decided, ... pause = (0.0, 0.0, 0.0, 0.0, 0, -1, 0)",
        "DiscountedSum._attempt: decided, ... pause = (0.0, 0.0, 0.0, 0.0, 0, 0, 1)",
        "DiscountedSum._attempt: decided, ... pause = (0.0, 0.0, 0.0, 0.0, 0, 0, -1)",
        "DiscountedSum._attempt: if len(positions) >= _FEW",
        "DiscountedSum._attempt: if ... rank > pause",
        "DiscountedSum._attempt: if ... rank >= pause and",
        "DiscountedSum._attempt: if ... len(positions) >= _CROWD",
        "DiscountedSum._attempt: if branches > most",
        "DiscountedSum._attempt: if ... spare < 0.0",
        "DiscountedSum._attempt: if ... spare <= -1",
        "DiscountedSum._attempt: if ... total_error(errors, waves) < spare",
        "DiscountedSum._attempt: settled = ... 0.06 if ratio",
        "DiscountedSum._attempt: settled = ... else 0.2)",
        "DiscountedSum._attempt: settled = ... else 1.1)",
        "DiscountedSum._table: if ... <= _NOTHING * known",
        "DiscountedSum._table: if ... < _NOTHING / known",
        "DiscountedSum._table: table = ... 17 * len(phi)",
        "DiscountedSum._table: table = ... 32 * len(phi)",
        "DiscountedSum._table: k = ... known // 128), 64)",
        "DiscountedSum._table: k = ... known // -64), 64)",
        "DiscountedSum._table: k = ... known // 64), 128)",
    ),
    "which slopes Chernoff's bound tries: a window is as good if it is a little wider": (
        "DiscountedSum._window: slopes = np.geomspace(1.001,",
        "DiscountedSum._window: slopes = np.geomspace(0.002,",
        "DiscountedSum._window: slopes = np.geomspace(0.001, 51.0,",
        "DiscountedSum._window: slopes = np.geomspace(0.001, 100.0,",
        "DiscountedSum._window: slopes = np.geomspace(0.001, 50.0, 61)",
        "DiscountedSum._window: slopes = np.geomspace(0.001, 50.0, 120)",
        "DiscountedSum._window: slopes = ... self.discount(after + 2.0)",
    ),
    "an error is an estimate, of which three deviations are held against the promised digits": (
        ": _ACCURACY = 2e-09",
    ),
    "a rounding is a few units in the last place": (": _ROUNDED = 4e-16",),
    "at the lower end of its support a law has no probability unless that is the upper end": (
        "LimitLaw.cdf: ... low < point < high",
    ),
    "an infinite sum times what is below and what is above 0": (
        "DiscountedSum._range: if decay_exponent(self.discount) < 1.0",
    ),
    "near the mean both formulas are as good, and what the other gives is not used": (
        "_excess: near = np.abs(relative) <= 0.03",
        "_excess: near = np.abs(relative) < 0.06",
        "_excess: series = ... np.where(near, relative, 1",
        "_excess: series = ... np.where(near, relative, -1",
    ),
    "terms, window and damping of a series that is right to 3e-7, where 1e-5 are promised": (
        ": _TERMS, _WINDOW, _MOST, _DAMPING = (2 << 14",
        ": _TERMS, _WINDOW, _MOST, _DAMPING = (1 << 15",
        ": _TERMS, _WINDOW, _MOST, _DAMPING = (1 << 14, 7.5",
        ": _TERMS, _WINDOW, _MOST, _DAMPING = (1 << 14, 13.0",
        ": _TERMS, _WINDOW, _MOST, _DAMPING = (1 << 14, 6.5, 2.01",
        ": _TERMS, _WINDOW, _MOST, _DAMPING = (1 << 14, 6.5, 2.02",
        ": _TERMS, _WINDOW, _MOST, _DAMPING = (1 << 14, 6.5, 1.01, 4.0)",
        ": _TERMS, _WINDOW, _MOST, _DAMPING = (1 << 14, 6.5, 1.01, 6.0)",
        ": _TERMS, _WINDOW, _MOST, _DAMPING = (1 << 14, 6.5, 1.01, -3.0)",
        "ahead_on_average: damped = ... odd[-2]",
        "ahead_on_average: damped = ... odd[-1]) ** 3",
        "ahead_on_average: damped = ... odd[-1]) ** 4",
    ),
    "a sum of what is not negative: coarse panels tell as well whether it is 0": (
        "agree: ... integrate( ... tolerance=1.000000001",
        "agree: ... integrate( ... tolerance=2e-09",
        "_coin_flip: noise = ... tolerance=1.000000001",
        "_coin_flip: noise = ... tolerance=2e-09",
    ),
    "only time: how far the next step looks": (
        "_Gap._reach: self.window = 2 * reached + 17",
        "_Gap._reach: self.window = 3 * reached",
        "_Gap._reach: self.window = 4 * reached",
        "_Gap._reach: self.window = 2 * reached + 32",
    ),
    "only time: more batches wait at the scheduler instead of here": (
        "_cluster: ... islice(run, ... 2 * run.slots + pending.count()",
        "_cluster: for batch in islice(run, max(1, ",
        "_cluster: for batch in islice(run, max(0, 2 / run.slots",
        "_cluster: for batch in islice(run, max(0, 3 * run.slots",
        "_cluster: for batch in islice(run, max(0, 4 * run.slots",
        "_cluster: run.slots, no_workers = (max(threads, 2)",
        "_processes: parallel = Parallel(batch_size=2",
    ),
    "only time: how many replicates the first batch has": ("_Run.__init__: self.size, self.slots = (2, 1)",),
    "only time: in one process a batch has one replicate": ("_Run.__init__: self.size, self.slots = (1, 2)",),
    "only time: how often is looked": (
        "_cluster: look_again = ",
        "_cluster: while not pending.has_ready() and monotonic() <= look_again",
        "_cluster: sleep(1.01)",
        "_cluster: sleep(0.02)",
        "_Run.pace: self.size = ... max(seconds, 2e-09)",
    ),
    "the first that is missing is not among what is done": (
        "_Run.result: later = ... if i >= first_missing",
    ),
    "a few units in the last place: nine are as few as eight": (": _TERM = 9 * _EPS",),
    "at the upper end of its support the law is 1 by the other branch as well": (
        "LimitLaw.cdf: ... low <= point <= high",
    ),
    "a normal noise is as often added as taken away": (
        "_correlated: ... pair.rho * normal - np.sqrt(1.0 - pair.rho ** 2)",
    ),
    "Gauss's rule is symmetric": (
        "_integrated: distance, weights = (middle - half * _NODES",
        "_panels: points = middle[:, None] - half",
    ),
    "at its pole the zeta function is infinite as well": (
        "KnownDecay.tail_sum: return ... exponent >= 1.0 else inf",
    ),
    "of the whole list the other formula gives 1 as well": ("_geometric_mean: within = 1.0 if k > n",),
    "a sum of probabilities that is off by 1e-9 to the last digit": (
        "_check_law: ... abs(sum(probabilities) - 1.0) >= 1e-09",
    ),
    "only time: how many sizes are tried on the way down": (
        "items_needed: ... np.log10(most * _FEWEST)",
        ": _PER_DECADE = 4",
        "items_needed: sizes = ... decades)) + 2)",
    ),
    "only time: a series that ends a few terms later": ("_products: while abs(weight) / share > _NEGL",),
    "a scale that is taken out and put back": (
        "_scaled_integral: largest = log_weight(log_width) if heaviest else ",
    ),
    "a normal score of 8.1 or 8.2 at depths below which are no such items": (
        "_normal_score: ... 1e-300, 1.0 - 2e-16",
    ),
    "a division by a power of two is exact, and what follows takes the whole part": (
        "ShrinkingRanking.latest: ... self.items[ranks] / self.base",
    ),
    "the last of very many items, where the chance to be found is below exp(-900)": (
        "_integrated: edge = ... if k < trials else reach",
        "_integrated: if k < trials",
    ),
    "twice an error of 2e-12, where some 1e-10 are promised": (": _FLOOR, _MOST_POINTS = (4e-12",),
    "only memory: how fine the finest table may be": (
        ": _FLOOR, _MOST_POINTS = (2e-12, 2 << 22",
        ": _FLOOR, _MOST_POINTS = (2e-12, 1 << 23",
        ": _FLOOR, _MOST_POINTS = (2e-12, 1 << 44",
    ),
    "where a damping that falls to nothing is steepest: what it leaves out is in the errors": (
        "fourier_table: damping, stronger = (np.exp(-37.0",
        "fourier_table: damping, stronger = (np.exp(-72.0",
        "fourier_table: damping, stronger = (np.exp(-36.0 * (share * k / last) ** 9)",
        "fourier_table: damping, stronger = (np.exp(-36.0 * (share * k / last) ** 16)",
    ),
    "two grid points less of four waves, each of which has many": (
        "fourier_table: ... 4 * size // last - 1, mode",
    ),
    "what lies beyond the upper end is 1 whatever the cubic says": (
        "Table.__call__: right = ... len(self.values) + 1.0)",
        "Table.__call__: right = ... len(self.values) - -1.0)",
    ),
    "either formula is right at one half": (
        "_exponential: ... np.abs(labels) <= 0.5",
        "_summable: if discount.ratio and discount.ratio < 0.5",
        "_summed: rare, swapped = ... u >= 0.5",
    ),
    "only time: how many ranks are summed one by one": (": _FIRST = ",),
    "the first of very many sums": (
        "failure_bound: sums = ... np.append(1",
        "failure_bound: sums = ... np.append(-1",
    ),
    "where the first rank has more than an eighth of the gap, the bound is 1 but for a few short lists": (
        "failure_bound: m = max(2,",
    ),
    "a number that is off by exactly the tolerance": (
        "check_range: ... values < 1.0 + ROUNDING",
        "Contrasts.standard_deviations: return np.where(deviations >= 1e-12",
        "_flip_batch: alone[which] = ... statistic > threshold",
        "sentences: return ... np.ptp(comparison.values, axis=1).max(axis=1) <= EQUAL",
        "_carried_by_few: few = ... carriers(found.differences(which)) <= fewest",
        "_Gap.__init__: self.equal_means_are_equal = ... <= 0.5",
        "pseudo_expectation: ... log_n + log(width) < ROUNDING",
        "_top_law: if mean is None and abs(probabilities[0] - probabilities[2]) < ROUNDING",
        "_summable: _refuse_certainty(ahead + behind < ROUNDING",
        "check_range: ... values > -ROUNDING",
        "Population.__post_init__: fail_if(abs(sums[worst] - 1.0) >= ROUNDING",
        "Population.rankings: ends = np.where(ends <= ROUNDING",
        "Population.rankings: ends = ... ends >= 1.0 - ROUNDING",
        "Population.ideal_steps: ... self._shares[grade] >= ROUNDING",
        "integrate: rough = ... + hidden >= tolerance",
        "Pair.__post_init__: fail_if(abs(p0 - p1) >= 1e-09",
        "Pair.__post_init__: fail_if(not -ROUNDING < joint <= 1.0 + ROUNDING",
        "Pair.__post_init__: fail_if(not -ROUNDING <= joint < 1.0 + ROUNDING",
        "Pair.__post_init__: gap = ... s >= 1.0 - self.share + ROUNDING",
        "Pair.__post_init__: fail_if(gap[worst] >= ROUNDING",
        "limit: if abs(population.expected_label) >= ROUNDING",
        "swap_rate: one, other = (np.where(np.abs(gap) < small",
        "failure_bound: if sums[-1] < gap / 8.0",
        "discount_moments: ... variance >= ROUNDING * square",
        "_coin_flip: _refuse_certainty(noise < ROUNDING",
        "_top_law: _refuse_certainty(probabilities[1] >= 1.0 - ROUNDING",
        "_top_law: _refuse_certainty(probabilities[1] > 1.0 - ROUNDING and abs(mean or 0.0) < ROUNDING",
        "winning_probability: certain = all((q * (1.0 - q) < ROUNDING",
        "winning_probability: certain = ... abs(pair.gap_at_depth(0.0)) >= ROUNDING",
        "_significant: return ... abs(value) >= max(",
        "_growing_cutoff: if abs(gap) >= ROUNDING",
        "_zipf: if abs(at_top) >= ROUNDING",
        "agree: return ... < ROUNDING",
        "kappa: fail_if(abs(population.expected_label) < ROUNDING",
        "first_log_moment: if abs(moment) >= ZERO * size",
        "items_needed.suffices: return ... > certainty",
        "discounts: raise_if(count >= _MOST_SUMMED",
        "_check_law: raise_if(len(values) != len(probabilities) or min(probabilities) <= -ROUNDING",
        "DiscountedSum._law: values, probabilities = (values[probabilities >= ROUNDING]",
        "DiscountedSum._law: values, probabilities = ... probabilities[probabilities >= ROUNDING])",
        "DiscountedSum.cdf: fail_if(not error < _ACCURACY",
        "DiscountedSum._evaluate: if error < _ACCURACY",
        "DiscountedSum._attempt: above, below = (positions > high - doubts",
        "DiscountedSum._attempt: above, below = ... positions < low + doubts",
        "DiscountedSum._attempt: back = ... np.abs(positions) < doubts",
        "_products: while abs(weight) * share >= _NEGLIGIBLE",
        "LimitLaw.support: begins_anew = ... >= high[:-1] + 1e-14",
        "LimitLaw.support: begins_anew = ... 2e-14",
        "_lead: top = means >= means.max() - EQUAL",
        "_opposed: found_pairs = ... abs() >= EQUAL",
        "Comparison._hold: systems = ... np.abs(row) >= 1e-12",
        "Comparison._hold: passed = ends[lowest] >= margin",
        "Comparison._hold: below = ... found['high'] <= margin",
        "_Gap._reach: used_up = ... > usable",
    ),
    "a scale for what is zero everywhere": (
        "mean_dcg: size = ... or -1.0",
        "mean_dcg: size = ... or 2.0",
        "_matrix: largest = ... or ",
        "_ladder: largest = ... or 2.0",
    ),
    "both are there, with either sign": ("cutoff_points: points = share - ",),
    "panels near the bottom that are finer than any of these curves needs": (
        "depth_grid: halving = 1.0 - 2.0 ** (-np.arange(12.0",
    ),
    "sizes that are compared only where all are equal": (
        "_laid_out: equal = ... sizes[-1] > 0",
        "_laid_out: equal = ... sizes == sizes[-1]",
        "_laid_out: return ... int(sizes[-1]) if equal",
    ),
    "only precision: how many random numbers are drawn": (
        "swap_rate: splits = ",
        ": _DRAWS = 20001",
        ": _DRAWS = 40000",
        "weighted_bound: draws = ",
        ": _WORK = 20000000001.0",
        ": _WORK = 40000000000.0",
    ),
    "another stream of random numbers": (
        "_stretches: alone = n < _STRETCH",
        "swap_rate: ... default_rng([seed, ",
        "weighted_bound: lengths = np.random.default_rng(",
        "flip_signs: seeds = np.random.SeedSequence([seed, ",
    ),
    "only time: how much is done at once, and the stream of random numbers is cut elsewhere": (
        ": _BATCH = ",
        "flip_signs: batch = ",
    ),
    "more random bits than are used": (
        "_flip_batch: drawn = ... (q + 8) // 8",
        "_flip_batch: drawn = ... (q + 14) // 8",
    ),
    "a finer grid, on which sums round by less than a threshold leaves": (
        ": _GRID = 2.0 ** (-31)",
        ": _GRID = 3.0 ** (-30)",
    ),
    "a grid that counts down": (
        ": _GRID = -2.0 ** (-30)",
        "flip_signs: grid = _GRID * -2.0 ** np.ceil",
    ),
    "a difference of one unit of a grid of 2**30": ("flip_signs: scale = 1 / np.sqrt(np.where(squares > 1",),
    "no p-value is below zero": ("in_turn: least, adjusted, how = (-1",),
    "what is left out of an odd number is its larger half": (
        "swap_rate: half = ... rng.permutation(q)[:q // -2]",
    ),
    "twice what is taken for rounding": (
        "swap_rate: small = 2e-12",
        ": EQUAL = 2e-12",
        "Comparison._hold: systems = ... np.abs(row) > 2e-12",
        "Contrasts.standard_deviations: return np.where(deviations > 2e-12",
        "flip_signs: centred_scale = ... centred > 2e-20",
        "ndcg: if ideal is not None and (actual > ideal_sum + 2e-09 *",
        ": _ROUNDING = 2e-14",
    ),
    "only time: ids are sorted that stand in order already": (
        "retrieved: if ((items[1:] > items[:-1]) | (query[1:] == query[:-1])).any()",
        "retrieved: if ((items[1:] >= items[:-1])",
    ),
    "only memory: an item leaves room for codes that are not there": (
        "ShrinkingRanking.__init__: self.base = 1 << (len(grades) + 1)",
        "ShrinkingRanking.__init__: self.base = 1 << (len(grades) - -1)",
        "ShrinkingRanking.__init__: self.base = 2 <<",
        "ShrinkingRanking.__init__: kind = np.min_scalar_type((self.last + 2)",
    ),
    "either formula is right between one half and one and a half": (
        "_exponential: return np.where(np.abs(labels) < 1.",
    ),
    "a scale of all weights, which a share of their sums does not see": (
        "rankdcg: weights = 2 / ",
        "rankdcg: weights = -1 / ",
    ),
    "what is divided by where there is no result": (
        "rankdcg: return ... np.where(grades < 2, 2,",
        "rankdcg: return ... np.where(grades < 2, -1,",
        "ndcg: return ... np.where(ideal_sum == 0, -1,",
        "ndcg: return ... np.where(ideal_sum == 0, 2,",
        "f_measure: return ... np.where(blank, -1,",
        "f_measure: return ... np.where(blank, 2,",
    ),
    "of 400 numbers the 400 quantiles are these numbers": ("_ladder: drawn = gaps if len(gaps) < 400",),
    "discounts that are all zero give zero over one rank or over none": (
        "_item_by_item: width = ... initial=-1)",
    ),
    "only memory: of which width the numbers of queries are": (
        "_numbers: kind = ... < 2 ** 16",
        "_numbers: kind = ... <= 2 * 16",
        "_numbers: kind = ... <= -2 ** 16",
        "_numbers: kind = ... <= 2 ** -16",
    ),
    "where label 0 is worth nothing either way gives the same": (
        "_NDCG.earned: if not judged.all() and gains_of(np.zeros(1), gain)[0] >= 0",
        "_NDCG.earned: if not judged.all() and gains_of(np.zeros(1), gain)[0] > -1",
    ),
    "the last of the worths of one label is the first, and of several that are the same": (
        "_NDCG.earned: if not judged.all() and gains_of(np.zeros(2), gain)[0]",
        "_NDCG.earned: if not judged.all() and gains_of(np.zeros(1), gain)[-1]",
    ),
    "how far JSON is indented": (
        "files: return ... as_record(comparison), indent=2,",
        "files: return ... as_record(comparison), indent=-1,",
    ),
    "times no relevant item": ("_AveragePrecision.earned: precision = ... threshold=measure.rel, empty=",),
    "two neighbours that tie lie in one list": (
        "_where_they_differ: return np.unique(np.searchsorted(offsets, pairs[first != second, 1]",
        "_where_they_differ: return np.unique(np.searchsorted(offsets, pairs[first != second, -1]",
    ),
    "of one system, and of a name with what is said of it, the last": (
        "changed_means: theirs[:, turning] = ... [:, -1]",
        "changed_means: by_change = ... in item[-1]",
    ),
    "no tail of Student's distribution is a share of sign patterns to the last digit": (
        "flip_signs: beyond = ... tail * size <= p_family",
    ),
    "no share of sign patterns is 0.05 to the last digit": (
        "_against_baseline: found_pairs = ... < LEVEL",
        "_opposed: found_pairs = ... ['p_family'] < LEVEL",
        "_carried_by_few: numbers = ... < LEVEL",
        "Comparison.apart: return ... < LEVEL",
        "Comparison.pairs: may_be_0 = np.where(p_family >= LEVEL",
        "Comparison.measures: rows.append( ... (part['p_family'] < LEVEL)",
    ),
    "what is told apart differs, and whether by a times or a divided sign": (
        "Comparison._beside_baseline: words = np.where(means >= means[base]",
        "_against_baseline: return ... sign >= 0",
        "_against_baseline: return ... / sign > 0",
        "_against_baseline: return ... in (2, -1)",
        "_against_baseline: return ... in (1, -2)",
        "_opposed: over, under = ... sign >= 0",
        "_opposed: measured_first = rows['difference'].iloc[0] >= 0",
        "_opposed: over, under = ... / sign > 0",
        "_opposed: over, under = ... in (2, -1)",
        "_opposed: over, under = ... in (1, -2)",
    ),
    "a hundred has two digits either way": (
        "count: return ... number <= 100 else",
        "count: return ... number < 101 else",
    ),
    "only time: how much of a file is looked at for its format": (
        "_recognised: data = ... 3 ** 20",
        "_recognised: data = ... 4 ** 20",
        "_recognised: data = ... 2 ** 21",
        "_recognised: data = ... 2 ** 40",
    ),
    "a prime, which no number of systems divides": ("_matrix: side = ... 521 // size",),
    "only time: on how many cores": (
        "sample: if n < _STRETCH",
        "flip_signs: with threadpool_limits(",
        ": _MOST_THREADS = 5",
        ": _MOST_THREADS = 8",
        "mapping: with ThreadPoolExecutor(min(os.cpu_count() ",
    ),
    "the margin of what is infinite": ("effect_interval: size = np.where(np.isfinite(effect), effect, ",),
    "a product of a rounded width": (
        "ndcg_standard_deviation: fail_if(not n * width >= 1.0",
        "gap_standard_deviation: fail_if(not ... * pair.p >= 1.0",
    ),
    "one item is refused for the next reason": (
        "ndcg_standard_deviation: n = whole_number('n', n, 2)",
        "failure_bound: n = whole_number('n', n, -1)",
    ),
}


def sites(tree):
    """The nodes that can be changed, what to change in them, the functions and the statement around them."""

    def visit(node, names, statement):
        if isinstance(node, ast.stmt):
            statement = node
        if isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in OTHER:
            yield node, "op", None, names, statement
        elif isinstance(node, ast.Compare):
            yield from (
                (node, "ops", i, names, statement) for i, op in enumerate(node.ops) if type(op) in OTHER
            )
        elif isinstance(node, ast.keyword) and node.arg == "axis" and isinstance(node.value, ast.Constant):
            yield node.value, "axis", None, names, statement
            return
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node, "value", None, names, statement
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = (*names, node.name)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, names, statement)

    yield from visit(tree, (), None)


def changes(site):
    """Each change of a site, made while its name is asked for: function and changed statement."""
    node, what, place, names, statement = site
    if what == "axis":  # the last axis of a matrix is its second
        what, others = "value", [1 if node.value == 0 else 0]
    elif what == "value":
        # One more than 1e100 is the same number.
        others = [
            other for other in (node.value + 1, node.value * 2 or -1, -node.value or 1) if other != node.value
        ]
    else:
        now = node.op if what == "op" else node.ops[place]
        others = [OTHER[type(now)]()]
    for other in others:
        before, kept = ast.unparse(node), node.ops[:] if what == "ops" else getattr(node, what)
        setattr(node, what, other if place is None else [*kept[:place], other, *kept[place + 1 :]])
        # Of a statement with a body the first line is enough.
        changed = next(line for line in ast.unparse(statement).splitlines() if not line.startswith("@"))
        yield f"{'.'.join(names)}: {changed}", before
        setattr(node, what, kept)


def mutate(source, number, chance):
    """The source with its site of this number changed; the change's name; where and what was there before."""
    tree = ast.parse(source)
    site = list(sites(tree))[number]
    wanted = chance.randrange(sum(1 for _ in changes(site)))
    name, before = next(islice(changes(site), wanted, None))  # and is not asked to take it back
    return ast.unparse(tree), name, f"line {site[0].lineno}: {before}"


def matches(listed, name):
    return re.fullmatch(".*".join(map(re.escape, listed.split(" ... "))) + ".*", name)


def is_listed(name):
    return any(matches(listed, name) for names in LISTED.values() for listed in names)


def stale(sources):
    """What is listed and no change of the sources any more."""
    possible = [name for source in sources for site in sites(ast.parse(source)) for name, _ in changes(site)]
    listed = [listed for names in LISTED.values() for listed in names]
    return [name for name in listed if not any(matches(name, change) for change in possible)]


def tests_of(module):
    """The test files of a module, such as ``measures/ties`` or ``checks``."""
    package, _, name = module.rpartition("/")
    return [ROOT / "tests" / package / file for file in ELSEWHERE.get(module, f"test_{name}.py").split()]


def all_modules():
    packages = [
        f"{package}/{path.stem}"
        for package in PACKAGES
        for path in sorted((PACKAGE / package).glob("[a-z]*.py"))
    ]
    return ["checks", "packing", *packages]


class QuickestFirst:
    """Orders the tests by how long they took on the unchanged package, once that is known."""

    def __init__(self):
        self.seconds = {}

    def pytest_collection_modifyitems(self, items):
        items.sort(key=lambda item: self.seconds.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration


class Trial:
    """Runs the tests of a module on a copy of the package, in a child of a process that has the libraries."""

    def __init__(self):
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        sys.path.append(str(ROOT / "claimbook" / "tests"))  # of which support takes some
        for name in (
            "pytest",
            "hypothesis",
            "support",
            *(f"ndcg_companion.{package}" for package in PACKAGES),
        ):
            import_module(name)
        import_module("claimbook.project")
        for name in [name for name in sys.modules if name.split(".")[0] in ("ndcg_companion", "support")]:
            del sys.modules[name]
        self.times, self.limits = {}, {}

    def passes(self, module, source, limit, nightly=False):
        """Whether the tests pass on the source, those of the night or the others.

        An endless loop counts as noticed: more seconds of a core than the limit, as a busy machine is no
        loop; or three times as many of the clock, for those that wait.
        """
        with tempfile.TemporaryDirectory() as folder:
            copied = Path(folder, "ndcg_companion")
            shutil.copytree(PACKAGE, copied)
            copied.joinpath(module).with_suffix(".py").write_text(source, encoding="utf-8")
            before, child = self._used(), os.fork()
            if not child:
                os.setsid()
                # Twice what the unchanged module takes by day.
                most = limit if nightly else self.limits.get(module, limit)
                resource.setrlimit(resource.RLIMIT_CPU, (most, most))
                code = 1
                try:
                    code = self._run(module, folder, nightly)
                finally:
                    os._exit(code)
            ends = time.monotonic() + 3 * limit
            while not (ended := os.waitpid(child, os.WNOHANG))[0]:
                if time.monotonic() > ends:
                    os.killpg(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                    return False
                time.sleep(0.05)
            if module not in self.times:
                self.times[module] = json.loads(Path(folder, "times").read_text(encoding="utf-8"))
                self.limits[module] = int(5 + 2 * (self._used() - before))
            # 5 where a module has no tests for the night.
            return os.waitstatus_to_exitcode(ended[1]) in ((0, 5) if nightly else (0,))

    def _used(self):
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime

    def _run(self, module, folder, nightly):
        import pytest
        from hypothesis import Phase, settings

        os.environ |= {"PYTHONPATH": folder, "HYPOTHESIS_STORAGE_DIRECTORY": folder}
        sys.path.insert(0, folder)
        os.chdir(ROOT)
        with open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
        # Nobody looks at the smallest counterexample; and what is listed must not depend on the day.
        settings.register_profile(
            "mutants", deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate]
        )
        if (
            not nightly
            and doctest.testmod(import_module(f"ndcg_companion.{module.replace('/', '.')}")).failed
        ):
            return 1
        files = map(str, tests_of(module))
        order = QuickestFirst()
        order.seconds |= self.times.get(module, {})
        options = "-x -q -p no:cacheprovider -p no:xdist --hypothesis-profile=mutants".split()
        options += ["-m", "nightly" if nightly else "not nightly"]
        # The libraries are in memory before pytest could rewrite their assertions, which nobody reads.
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        code = pytest.main([*options, *files], plugins=[order])
        if module not in self.times:
            Path(folder, "times").write_text(json.dumps(order.seconds), encoding="utf-8")
        return int(code)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=300, help="of a core, after which a mutant is noticed")
    parser.add_argument("modules", nargs="*", metavar="NAME")
    options = parser.parse_args()
    modules = options.modules or all_modules()
    sources = {module: PACKAGE.joinpath(module).with_suffix(".py").read_text("utf-8") for module in modules}
    chance, trial, listed, survived = random.Random(options.seed), Trial(), 0, 0
    all_sites = [(module, i) for module in modules for i, _ in enumerate(sites(ast.parse(sources[module])))]
    chosen = chance.sample(range(len(all_sites)), min(options.number, len(all_sites)))
    for module, number in (all_sites[i] for i in sorted(chosen)):
        source, name, before = mutate(sources[module], number, chance)
        if is_listed(name):
            listed += 1
            continue
        if module not in trial.times and not trial.passes(module, sources[module], options.seconds):
            sys.exit(f"the tests of {module} fail on the unchanged module")
        if all(trial.passes(module, source, options.seconds, nightly) for nightly in (False, True)):
            survived += 1
            print(f"{module}: {name}  # {before}", flush=True)
    noticed = len(chosen) - listed - survived
    print(f"{len(chosen)} mutants: {noticed} noticed, {listed} listed, {survived} unknown")
    old = [] if options.modules else stale(sources.values())
    for name in old:
        print(f"listed, and no change any more: {name}")
    return bool(survived or old)


if __name__ == "__main__":
    sys.exit(main())
