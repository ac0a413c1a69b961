"""What refutes a sentence, computed a second time, item by item and in exact fractions where it can be.

And the conditions that the pairs here lack: no plain sentence may leave them out.
"""

import re
from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import factorial, log, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import nnls
from scipy.special import erfc, expi
from scipy.stats import binom
from scipy.stats import t as student
from support import PROJECT, ROOT

from claimbook.reports.highlights import sentences
from ndcg_book import BOOK
from ndcg_companion.measures import DCG, Power, err, ndcg, rr

CHAPTERS = {chapter.name: chapter for chapter in PROJECT.notebooks}


def defined_by(page, *ids):
    """The names that some cells of a page define."""
    names = {"np": np, "Fraction": Fraction, "accumulate": accumulate, "ndcg": ndcg}
    sources = {cell.id: cell.source for cell in CHAPTERS[page].notebook.cells}
    for cell in ids:
        exec(sources[cell], names)
    return names


PAGE = defined_by("which-discounts-are-feasible", "iterated", "strict", "strict-leads")
# Where an item of the pair is, with equal chances: above, the same for both rankers, or below.
KINDS = UPPER_RELEVANT, UPPER_NOT, LOWER_RELEVANT, LOWER_NOT = range(4)


def failing(discount, n):
    """The chance that f0 is not ahead on n items, from all worlds by their numbers of items of each kind."""
    failed = Fraction(0)
    for relevant, irrelevant in product(range(n + 1), repeat=2):
        upper = n - relevant - irrelevant
        if upper >= 0 and PAGE["exact_lead"](discount, upper, relevant, irrelevant) <= 0:
            ways = factorial(n) // (factorial(upper) * factorial(relevant) * factorial(irrelevant))
            failed += Fraction(ways * 2**upper, 4**n)
    return failed


def item_by_item(discount, kinds):
    """h of the two lists themselves: both order the upper items alike, f1 turns the lower ones around."""
    labels = [kind in (UPPER_RELEVANT, LOWER_RELEVANT) for kind in kinds]
    upper = [i for i, kind in enumerate(kinds) if kind in (UPPER_RELEVANT, UPPER_NOT)]
    lower = sorted(set(range(len(kinds))) - set(upper), key=lambda i: not labels[i])
    first, second = (
        sum(discount(rank) for rank, i in enumerate(order, start=1) if labels[i])
        for order in (upper + lower, upper + lower[::-1])
    )
    return first - second


def test_the_lead_of_the_shared_tops_is_that_of_the_lists():
    for kinds in product(KINDS, repeat=5):
        relevant, irrelevant = kinds.count(LOWER_RELEVANT), kinds.count(LOWER_NOT)
        lead = PAGE["exact_lead"](PAGE["strict_discount"], 5 - relevant - irrelevant, relevant, irrelevant)
        assert lead == item_by_item(PAGE["strict_discount"], kinds)


def test_a_strictly_decreasing_discount_distinguishes_rankers_that_share_a_noisy_top():
    """So "it tells apart no pair with noisy tops" is false: shared tops cancel, failures are negligible."""
    for n in (1, 4, 20, 40):
        assert failing(PAGE["strict_discount"], n) == 2 * Fraction(3, 4) ** n - Fraction(1, 2) ** n
    assert failing(PAGE["strict_discount"], 40) < Fraction(1, 40) ** 2
    # With its level steps the two tie as soon as sixteen items are shared, on all but few lists of 64.
    assert failing(PAGE["exact_log_star_discount"], 64) > Fraction(999, 1000)


def test_the_price_of_two_tilted_halves_is_about_that_of_the_binomial_law():
    tilted = defined_by("when-limits-tie", "tilted-halves")["tilted"]
    for b, a in ((0.25, 1.225), (0.4, 1.3)):
        for n in (10**4, 10**5, 10**6):
            delta = 2 * 0.5 ** (1 - b) / (2**b - 1) * n ** (-a / 3)
            exact = -2 * binom.logsf(np.ceil((0.5 + delta) * n / 2) - 1, n // 2, 0.5)
            assert exact <= tilted(b, a, n) <= 1.05 * exact


def test_the_critical_exponent_of_lemma_34_up_to_one_half_is_below_five_quarters():
    """That price rises too slowly for the lemma just above 1 + beta / 2, and not just below."""
    tilted = defined_by("when-limits-tie", "tilted-halves")["tilted"]
    exponents = np.array([0.1, 0.25, 0.4])

    def rises(smoothness):
        return np.log(tilted(exponents, smoothness, 1e18) / tilted(exponents, smoothness, 1e12)) / np.log(1e6)

    border, printed = 1 + exponents / 2, (1 - exponents) / 3
    assert (rises(border + 0.04) < printed).all() and (border + 0.04 < 1.25).all()
    assert (rises(border - 0.04) > printed).all()


# ---- under 1/r equal limits are not enough: the mean difference has to stay bounded ----


class Steep:
    """Equal tops in doubt, from which the curves part like c / sqrt(log(e / u)); constant below the middle.

    The depths of an item are independent given its label, and the difference of the curves is split evenly.
    """

    c, middle = 0.45, 0.5

    def area(self, u):
        """The integral of the difference of the two curves from 0 to u; 0 at both ends."""
        near = np.minimum(u, self.middle)
        to_there = self.c * np.e * sqrt(np.pi) * erfc(np.sqrt(np.log(np.e / near)))
        return np.where(u <= self.middle, to_there, to_there * (1 - u) / (1 - self.middle))

    def steepness(self, log_n):
        """Zipf's sum of the difference from depth 1 / n to the bottom, by the logarithm of n."""
        below = self.area(self.middle) / (1 - self.middle)
        near = sqrt(1 + log_n) - sqrt(log(np.e / self.middle))
        return 2 * self.c * near - below * log(1 / self.middle)

    def ahead(self, n, lists, rng):
        """How often the first ranker is ahead under 1/r."""
        grid = np.geomspace(1e-12, 1, 20_000)
        good, poor = (grid + sign * self.area(grid) for sign in (1, -1))  # of relevant items, and of others
        labels, first, second = rng.random((3, lists, n))
        labels = labels < 0.5
        depths = (
            np.where(labels, np.interp(first, good, grid), np.interp(first, poor, grid)),
            np.where(labels, np.interp(second, poor, grid), np.interp(second, good, grid)),
        )
        weights = 1 / np.arange(1, n + 1)
        sums = [np.take_along_axis(labels, np.argsort(u, axis=1), axis=1) @ weights for u in depths]
        return (sums[0] > sums[1]).mean()


def test_under_one_over_r_rankers_with_equal_limits_can_be_distinguished():
    """Their steepness outgrows log log n, and on lists the lead gets surer with the length."""
    pair = Steep()
    assert pair.area(np.array([1.0, 1e-300])) == pytest.approx([0, 0], abs=1e-12)
    over = [pair.steepness(log_n) - log(log_n) for log_n in (1e2, 1e4, 1e6)]
    assert over[0] > 3 and over[1] > 70 and over[2] > 800
    rng = np.random.default_rng(11)
    short, long = pair.ahead(100, 1_000, rng), pair.ahead(3_000, 1_000, rng)
    assert abs(short - 0.84) < 0.05 and long > short + 0.04 and long > 0.9


# ---- measures of the first page: both tops have to be in doubt ----


@pytest.mark.parametrize(
    "measure", [DCG(discount=Power(0), k=10), rr, lambda y, scores: err(y, scores, max_grade=1)]
)
def test_measures_of_the_first_page_distinguish_certain_tops(measure):
    """Relevant exactly if X > 1/2, ranked by X and by -X: only lists of one label alone are no wins."""
    n, failed = 40, Fraction(0)
    for relevant in range(n + 1):
        upwards = np.repeat([1, 0], [relevant, n - relevant])
        lists = np.stack([upwards, upwards[::-1]])
        by_x, by_minus_x = measure(lists, np.broadcast_to(-np.arange(n), lists.shape)) if relevant else (0, 0)
        failed += Fraction(binom_coefficient(n, relevant), 2**n) * (not by_x > by_minus_x)
    assert failed == Fraction(2, 2**n)


def binom_coefficient(n, k):
    return factorial(n) // (factorial(k) * factorial(n - k))


# ---- measures of the first page: the lists have to show different items, too ----


def test_uncut_err_names_the_ranker_that_is_better_below_a_top_that_both_share():
    """Both share the upper m of 2m items; below, f0 has the relevant items first and f1 has them last."""
    for m in (1, 3, 6):
        failed = Fraction(0)
        for upper in product((0, 1), repeat=m):
            for relevant in range(m + 1):
                lower = np.repeat([1, 0], [relevant, m - relevant])
                lists = np.stack([[*upper, *lower], [*upper, *lower[::-1]]])
                first, last = err(lists, np.broadcast_to(-np.arange(2.0 * m), lists.shape), max_grade=1)
                failed += Fraction(binom_coefficient(m, relevant), 4**m) * (not first > last)
        assert failed == Fraction(2, 2**m)


# ---- what a query is worth: the difference has to be small ----


def queries_needed(values, chances):
    """Up to a factor, the queries that show a difference by a function of the number of ten labels."""
    laws = [binom.pmf(range(11), 10, q) for q in chances]
    means = [law @ values for law in laws]
    spread = sum(law @ (values - mean) ** 2 for law, mean in zip(laws, means, strict=True))
    return spread / (means[0] - means[1]) ** 2


def best_monotone(chances):
    """The monotone function of the number of labels that needs the fewest: a quadratic program."""
    laws = [binom.pmf(range(11), 10, q) for q in chances]
    steps = np.tril(np.ones((11, 11)))[:, 1:]
    noise = steps.T @ sum(np.diag(law) - np.outer(law, law) for law in laws) @ steps
    root = np.linalg.cholesky(noise).T
    return steps @ nnls(root, np.linalg.solve(root.T, steps.T @ (laws[0] - laws[1])))[0]


def test_for_a_large_difference_other_functions_of_ten_labels_need_fewer_queries_than_p_at_10():
    hits = np.arange(11.0)

    def saved(values, *chances):
        return 1 - queries_needed(values, chances) / queries_needed(hits, chances)

    assert saved(best_monotone((0.55, 0.45)), 0.55, 0.45) == pytest.approx(0.004, abs=0.0005)
    assert saved(hits**2, 0.9, 0.5) == pytest.approx(0.16, abs=0.005)
    assert saved(best_monotone((0.9, 0.5)), 0.9, 0.5) == pytest.approx(0.43, abs=0.005)
    assert abs(saved(best_monotone((0.501, 0.499)), 0.501, 0.499)) < 1e-5  # as the theorem has it


def test_how_many_times_the_queries_rr_needs_depends_on_how_many_results_are_relevant():
    def times(q):
        def moments(q):
            chances, values = q * (1 - q) ** np.arange(10), 1 / np.arange(1, 11)
            return chances @ values, chances @ values**2

        slope = (moments(q + 1e-6)[0] - moments(q - 1e-6)[0]) / 2e-6
        mean, square = moments(q)
        return (square - mean**2) / slope**2 / (q * (1 - q) / 10)

    assert times(0.5) == pytest.approx(6.8, abs=0.05)
    assert times(0.05) == pytest.approx(2.2, abs=0.05) and 1.8 < times(0.001) < times(0.01) < 2


# ---- looking with a t test: the data have to be like those of the studies ----


def alarms(share, queries=50, looks_from=6):
    """How often a t test at 5 % after every query names a system; d is 1 or -1 on a share, else 0."""
    going, alarm = {(0, 0): 1.0}, 0.0
    for n in range(1, queries + 1):
        after = {}
        for (plus, minus), chance in going.items():
            ways = ((1, 0), share / 2), ((0, 1), share / 2), ((0, 0), 1 - share)
            for (up, down), part in ways:
                state = plus + up, minus + down
                after[state] = after.get(state, 0) + chance * part
        border = student.isf(0.025, n - 1) if n >= looks_from else np.inf
        for plus, minus in list(after):
            # t^2 = n m^2 / v, where v = (plus + minus - n m^2) / (n - 1)
            square = (plus - minus) ** 2 / n
            if square and square * (n - 1) >= border**2 * (plus + minus - square):
                alarm += after.pop((plus, minus))
        going = after
    return alarm


def test_systems_that_differ_on_few_queries_have_few_false_alarms_at_first():
    assert alarms(1) > 0.15  # as in the studies of the page
    assert alarms(0.02) < 0.05  # below the level, though somebody looks after every query


# ---- what fifty queries show: labels have to be independent ----


def test_labels_that_are_one_and_the_same_make_more_noise_than_the_most_of_independent_ones():
    weights = 1 / np.log2(np.arange(2.0, 12))
    weights /= weights.sum()
    one_label = np.sqrt(2 * 0.25)
    independent = np.sqrt(2 * 0.25 * weights @ weights)
    assert independent == pytest.approx(0.246, abs=0.001) and one_label == pytest.approx(0.707, abs=0.001)
    assert one_label / independent == pytest.approx(2.88, abs=0.005)


# ---- what stopping costs: a bound for a given law, and for some laws none ----


def wald(law):
    """The bound on the mean number of queries at 5 %, for differences with a law of values and chances."""
    values, chances = map(np.array, zip(*law.items(), strict=True))
    rates = {stake: chances @ np.log1p(stake * values) for stake in (0.1, 0.2, 0.4, 0.7)}  # all can be lost
    bounds = [(log(200) + np.log1p(stake)) / rate for stake, rate in rates.items() if rate > 0]
    return min(bounds, default=np.inf)


def test_the_bound_on_the_mean_number_of_queries_depends_on_the_unknown_law():
    level, coin = {0.1: 1.0}, {1: 0.55, -1: 0.45}  # both have the mean 0.1
    assert wald(level) < 100 < 800 < wald(coin) < np.inf
    assert wald({1: 0.51, -1: 0.49}) == np.inf  # better by 0.02, and every purse shrinks


# ---- shared labels: they cancel in DCG, not in a mean of NDCG ----


def test_a_label_at_one_rank_on_both_pages_can_change_who_is_ahead_in_mean_ndcg():
    """Two queries with four documents, by hand: only the ideal DCG of the first depends on the label."""
    d1, d2, d3, d4 = 1 / np.log2([2, 3, 4, 5])
    second = (d1 + d4 - (d1 + d2)) / (d1 + d2)
    by_hand = {"": ((d2 - d3) / d1 + second) / 2, "c": ((d2 - d3) / (d1 + d2) + second) / 2}
    mean_lead = defined_by("systems-that-share-results", "shared-label")["mean_lead"]
    for also_relevant, lead in by_hand.items():
        assert mean_lead(also_relevant) == pytest.approx(lead, abs=1e-12)
    assert by_hand[""] == pytest.approx(0.0041, abs=5e-5) and by_hand["c"] == pytest.approx(-0.0213, abs=5e-5)


# ---- planted items: the bound is that of a pair ----


def log_area(x):
    """The integral of log(1 / u) from 0 to x."""
    return x * (1 - log(x)) if x else 0.0


def lead_after(planted, near=0.01, apart=0.2):
    """Under the log discount, of a pair that is apart on a thin top only, with items planted at their worst.

    Half of them are irrelevant on top of the first list and last in the second, half the other way round.
    """
    below, top = apart * near / (1 - near), planted / 2
    edges = [0, top, top + (1 - planted) * near, 1 - top, 1]
    parts = [log_area(end) - log_area(start) for start, end in zip(edges, edges[1:], strict=False)]
    return np.dot([-1, apart, -below, 1], parts)


def test_another_pair_with_tops_as_far_apart_is_turned_by_fewer_planted_items():
    """So a number for the pair of the page is none for all pairs whose tops are 0.2 apart."""
    cell = next(c.source for c in CHAPTERS["beyond-the-model"].notebook.cells if c.id == "planted")
    names = {"np": np, "log": log, "quad": quad}
    exec(cell.partition("page.numbers")[0], names)
    assert names["safe_share"] == pytest.approx(0.017, abs=0.0005)
    assert lead_after(0) == pytest.approx(0.0093, abs=5e-5)
    assert lead_after(0.0148) < 0 and lead_after(0.003) < 0 < lead_after(0.002)
    assert names["safe_share"] > 0.0148


# ---- planted items: the lead has to be in proportion to n / log(n)^2 ----


def lead_per_item(curve, log_n, share=0.0):
    """The mean lead times log(n)^2 / n under the log discount, with a share of items planted at their worst.

    Half of them are irrelevant, on top of the first list and last in the second; half are relevant, the other
    way round. ``curve`` is the difference of the two curves, which adds up to 0.
    """
    top = share / 2

    def paid(part):
        """What the first ranks are paid together, a part of n, over n."""
        return np.exp(-log_n) * expi(log_n + log(part)) if part else 0.0

    def extra(u):
        log_depth = log(u + top)
        return -curve(u) * log_depth / ((log_n + log_depth) * log_n)

    others = sum(
        quad(extra, *interval)[0] for interval in ((np.exp(-20), 1e-6), (1e-6, 1e-3), (1e-3, 0.1), (0.1, 1))
    )
    return log_n**2 * (others - (paid(top) - (paid(1 + share) - paid(1 + top))))


def test_a_lead_that_grows_more_slowly_is_turned_by_a_share_that_tends_to_0():
    def slower(u):
        return 0.15 - 1.2 * u + 1.35 * u**2

    moments = [quad(lambda u, k=k: slower(u) * log(1 / u) ** k, 0, 1)[0] for k in range(3)]
    assert moments == pytest.approx([0, 0, 0.1], abs=1e-9)
    for log_n, share in ((40, 1e-3), (100, 2e-4), (300, 8e-5)):
        assert log_n * lead_per_item(slower, log_n) == pytest.approx(0.1, rel=8 / log_n)  # n / log(n)^3
        assert lead_per_item(slower, log_n, share) < 0
        assert lead_per_item(lambda u: 0.2 - 0.4 * u, log_n, share) > 0.08  # of which the sentence is true


# ---- the softmax loss: for rare relevant items there is a better factor ----


def test_what_is_lost_is_at_most_a_factor_like_the_logarithm_of_one_over_the_share_of_relevant_items():
    """On endless lists of few kinds of items: the smaller of both bounds of the fold, and which it is."""
    rng = np.random.default_rng(8)
    kinds, nearest = 40, 0.0
    edges = np.linspace(0, 1, kinds + 1)
    pay = np.array([log_area(end) - log_area(start) for start, end in pairwise(edges)])  # of log(1 / u)
    for p in np.repeat([0.5, 0.1, 0.01], 200):
        relevance = np.minimum(rng.pareto(0.7, kinds) + 1e-9, 1e3)
        relevance = np.sort(np.minimum(p * relevance / relevance.mean(), 1))[::-1]
        p = relevance.mean()
        scores = rng.choice([0.01, 0.3, 1]) * rng.standard_normal(kinds) + np.log(relevance) * rng.integers(2)
        softmax = np.exp(scores) / np.exp(scores).mean()
        ratio = relevance / p
        excess = np.mean(ratio * np.log(ratio / softmax))
        order = np.argsort(-scores)
        lost = ratio @ pay - ratio[order] @ pay
        root = sqrt(2 * excess)
        bounds = root * (2 + (1 + sqrt(2)) * log(1 / p)), np.pi * root / sqrt(3 * p)
        assert lost <= min(bounds) + 1e-12
        nearest = max(nearest, lost / min(bounds))
    assert nearest > 0.3  # a third of the bound would not do
    assert 2 + (1 + sqrt(2)) * log(100) < np.pi / sqrt(3 / 100)


# ---- the conditions that these pairs lack are in the plain sentences ----

CONDITIONS = {
    "beyond/shared-tops-never": "mean difference stays bounded",
    "beyond/measures-of-the-top": "both tops are uncertain",
    "beyond/what-a-query-is-worth": "for a small difference",
    "beyond/what-stopping-costs": (
        "independent (differences with the same|and have one given) distribution.* grows"
    ),
    "beyond/noise-is-unshared-weight": (
        "independent(, given the two pages,)? and .*relevant with the same probability"
    ),
    "beyond/log-beats-power-above-half": "may be far down the other,? and may then be relevant or not",
    "beyond/drift": "independent items.* full lists",
    "beyond/softmax-calibrated": "a score without ties",
}


@pytest.mark.parametrize("statement", CONDITIONS)
def test_the_plain_sentences_keep_the_condition_that_a_pair_lacks(statement):
    for sentence in (BOOK.registry[statement].statement, sentences(BOOK)[statement]):
        assert re.search(CONDITIONS[statement], sentence), sentence


FINDINGS = {
    "wang/theorem-10-pairs": "all rankers that do not look at labels, as long as every label is uncertain",
    "beyond/linear-ndcg-limit": "relevance times the proportion of items ranked below",
    "beyond/five-purses": (
        "In the long run, a t test used in this way raises far more false alarms than its level says, and"
        " in our simulated studies it does so by query 50 already"
    ),
    "beyond/what-a-query-is-worth": "if half of the results are relevant, and about twice as many if few are",
    "beyond/drift": "where it favours one ranker by a fixed amount",
}


@pytest.mark.parametrize("statement", FINDINGS)
def test_the_sentences_of_the_findings_keep_it(statement):
    assert FINDINGS[statement] in sentences(BOOK)[statement]


def test_what_is_shared_is_said_to_cancel_in_dcg_on_one_query():
    page = ROOT / "packages" / "ranking-report" / "src" / "ranking_report" / "templates" / "page.html"
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert "On one query, results at the same rank cancel in the difference of the two DCGs" in text


PLACES = {
    ("beyond-the-model", "planted-caption"): [
        "straight line",
        "log-weighted difference of the curves is not 0",
    ],
    ("beyond-the-model", "planted-box"): ["in proportion to $n/\\log^2n$, as it is where"],
    ("beyond-the-model", "in-short"): ["in proportion to $n/\\log^2n$, as it is where", "by a fixed amount"],
    ("systems-that-share-results", "in-short"): [
        "labels are independent and every result is relevant with the same probability",
        "the variance of this difference is proportional",
    ],
    ("systems-that-share-results", "overlap-told"): ["{glue:text}`turned-percent`% of the variance"],
    ("shared-results-on-long-lists", "in-short"): ["mean difference stays bounded"],
    ("judged-and-sampled", "in-short"): ["With gains between 0 and 1", "about the first tenth"],
    ("judged-and-sampled", "sampled-told"): [
        "with replacement",
        "drawn without repetition",
        "$k\\le m\\le n-2$",
    ],
    ("judged-and-sampled", "pool-told"): [
        "On average, this scales every DCG",
        "With labels 0 and 1, it also scales",
        "if the ideal list is made from the labels kept",
    ],
    ("which-measures-tell-rankers-apart", "title"): ["independent items with labels 0 and 1"],
    ("which-measures-tell-rankers-apart", "in-short"): [
        "independent items with labels 0 and 1",
        "if the first results of both rankers remain uncertain, however long the lists",
        "rarely begin with the same items",
        "if at least ten documents are relevant",
    ],
    ("when-may-i-stop", "in-short"): [
        "simulated studies of two equally good systems",
        "independently relevant with probability ½",
        "if queries are independent random draws",
    ],
    ("when-may-i-stop", "alarm-told"): ["far fewer false alarms at first"],
    ("index", "title"): [
        "share no results",
        "for similar queries",
        "results that are relevant independently",
    ],
    ("how-many-queries-are-enough", "in-short"): [
        "share no results",
        "labels are independent",
        "if the systems differ as much on ranks 11 to 20",
    ],
    ("how-many-queries-are-enough", "table-asked"): [
        "labels are independent",
        "the same on all queries",
    ],
    ("how-many-queries-are-enough", "evidence"): [
        "the largest noise of alike queries with independent labels"
    ],
    ("which-order", "title"): ["independently of each other", "can be better"],
    ("which-order", "in-short"): ["labels are 0 or 1 and independent", "by least squares"],
    ("which-order", "conditions"): ["labels 0 and 1", "only two documents, or for the cut-off 1"],
    ("conventions", "conditions"): ["share no results", "relevant, independently of each other"],
    ("what-your-library-computes", "ten-told"): ["share no results", "relevant, independently of each other"],
    ("when-limits-tie", "title"): [
        "need not settle",
        "the first results stay uncertain and are rarely shared",
    ],
    ("when-limits-tie", "in-short"): ["stay uncertain and are rarely shared"],
    ("the-zipfian-question", "in-short"): ["equally relevant, uncertain and rarely shared", "smooth curves"],
    ("how-many-items-are-enough", "title"): ["as a rule"],
}


@pytest.mark.parametrize("page_and_cell", PLACES, ids=" ".join)
def test_the_captions_and_answers_on_the_pages_keep_it_too(page_and_cell):
    page, cell = page_and_cell
    (text,) = (code_cell.source for code_cell in CHAPTERS[page].notebook.cells if code_cell.id == cell)
    for condition in PLACES[page_and_cell]:
        assert condition in text
