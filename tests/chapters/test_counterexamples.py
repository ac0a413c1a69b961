"""What a page gives against a sentence, computed a second time, item by item and in exact fractions."""

from fractions import Fraction
from itertools import accumulate, product
from math import factorial

import numpy as np
from scipy.stats import binom
from support import PROJECT

CHAPTERS = {chapter.name: chapter for chapter in PROJECT.notebooks}


def defined_by(page, *ids):
    """The names that some cells of a page define."""
    names = {"np": np, "Fraction": Fraction, "accumulate": accumulate}
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
        if upper >= 0 and PAGE["leads"](discount, upper, relevant, irrelevant) <= 0:
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
        lead = PAGE["leads"](PAGE["strict"], 5 - relevant - irrelevant, relevant, irrelevant)
        assert lead == item_by_item(PAGE["strict"], kinds)


def test_a_discount_that_decreases_strictly_tells_rankers_with_one_noisy_top_apart():
    """So "it tells apart no pair with noisy tops" is false: shared tops cancel, failures are negligible."""
    for n in (1, 4, 20, 40):
        assert failing(PAGE["strict"], n) == 2 * Fraction(3, 4) ** n - Fraction(1, 2) ** n
    assert failing(PAGE["strict"], 40) < Fraction(1, 40) ** 2
    # With its level steps the two tie as soon as sixteen items are shared, on all but few lists of 64.
    assert failing(PAGE["level"], 64) > Fraction(999, 1000)


def test_the_price_of_two_tilted_halves_is_about_that_of_the_binomial_law():
    tilted = defined_by("when-limits-tie", "tilted-halves")["tilted"]
    for b, a in ((0.25, 1.225), (0.4, 1.3)):
        for n in (10**4, 10**5, 10**6):
            delta = 2 * 0.5 ** (1 - b) / (2**b - 1) * n ** (-a / 3)
            exact = -2 * binom.logsf(np.ceil((0.5 + delta) * n / 2) - 1, n // 2, 0.5)
            assert exact <= tilted(b, a, n) <= 1.05 * exact


def test_the_border_of_lemma_34_up_to_one_half_is_below_five_quarters():
    """That price rises too slowly for the lemma just above 1 + beta / 2, and not just below."""
    tilted = defined_by("when-limits-tie", "tilted-halves")["tilted"]
    exponents = np.array([0.1, 0.25, 0.4])

    def rises(smoothness):
        return np.log(tilted(exponents, smoothness, 1e18) / tilted(exponents, smoothness, 1e12)) / np.log(1e6)

    border, printed = 1 + exponents / 2, (1 - exponents) / 3
    assert (rises(border + 0.04) < printed).all() and (border + 0.04 < 1.25).all()
    assert (rises(border - 0.04) > printed).all()
