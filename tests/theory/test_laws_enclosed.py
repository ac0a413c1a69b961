"""Two hundred answers of the limit laws, against intervals that are known to hold the truth.

`DiscountedSum` estimates its error. Here the same probabilities are enclosed in ball arithmetic
(python-flint), by other means: every rounding, every cut of a series and every tail is bounded. What cannot
be enclosed in seconds is left out: powers above 3/2 and geometric discounts of a ratio above 1/2, whose laws
are too rough for a Fourier series with a bound, and labels that are nearly certain.
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from flint import acb, arb, ctx

from ndcg_companion.measures import Geometric, Power, Zipf
from ndcg_companion.theory import DiscountedSum

PROMISED = 1e-9
CUMULANTS = 24
# A characteristic function is within 1/2 of 1, and its logarithm analytic and below log 2, as far as
# exp(y) - 1 - y < 1/2, where y is the argument times the largest value: up to 0.85.
RADIUS = 0.85

BINARY, DIFFERENCE = (0.0, 1.0), (-1.0, 0.0, 1.0)
# Chances are multiples of 1/64, which sum to one without rounding.
POWERS = [
    DiscountedSum(Power(0.625), DIFFERENCE, (0.25, 0.5, 0.25), -0.25),
    DiscountedSum(Power(0.75), DIFFERENCE, (0.25, 0.5, 0.25), -0.375),
    DiscountedSum(Power(0.75), DIFFERENCE, (0.125, 0.5, 0.375), 0.5),
    DiscountedSum(Power(0.75), BINARY, (0.25, 0.75), 0.0),
    DiscountedSum(Power(0.875), DIFFERENCE, (0.0625, 0.75, 0.1875), 1.0),
    DiscountedSum(Zipf(), DIFFERENCE, (0.25, 0.5, 0.25), 0.0),
    DiscountedSum(Zipf(), BINARY, (0.5, 0.5), 1.5),
    DiscountedSum(Power(1.25), BINARY, (0.625, 0.375)),
    DiscountedSum(Power(1.5), DIFFERENCE, (0.25, 0.5, 0.25)),
    DiscountedSum(Power(1.125), DIFFERENCE, (0.125, 0.5, 0.375)),
]
DIGITS = [
    DiscountedSum(Geometric(0.5), BINARY, (0.25, 0.75)),
    DiscountedSum(Geometric(0.5), DIFFERENCE, (0.125, 0.5, 0.375)),
    DiscountedSum(Geometric(0.375), BINARY, (0.625, 0.375)),
    DiscountedSum(Geometric(0.25), DIFFERENCE, (0.0625, 0.75, 0.1875)),
]


@pytest.fixture(autouse=True)
def precision():
    before, ctx.prec = ctx.prec, 100
    yield
    ctx.prec = before


def exponent(law):
    return arb(law.discount.beta) if isinstance(law.discount, Power) else arb(1)


def variable(law):
    """Values less their mean, and their chances."""
    values, chances = ([arb(x) for x in row] for row in (law.values, law.probabilities))
    mean = sum((v * p for v, p in zip(values, chances)), arb(0))
    return [v - mean for v in values], chances, mean


def cumulants(values, chances):
    """Coefficients of ``log E exp(z X)`` in powers of z, X centred."""
    moments, powers = [arb(1)], [arb(1)] * len(values)
    for j in range(1, CUMULANTS):
        powers = [w * v / j for w, v in zip(powers, values)]
        moments.append(sum((w * p for w, p in zip(powers, chances)), arb(0)))
    coefficients = [arb(0)] * CUMULANTS
    for j in range(1, CUMULANTS):
        lower_terms = sum((i * coefficients[i] * moments[j - i] for i in range(1, j)), arb(0))
        coefficients[j] = moments[j] - lower_terms / j
    return coefficients


def tail(s, after):
    """``sum of r**-s over r > after``: small, so that it takes more digits to know some of it."""
    before = ctx.prec
    ctx.prec += int(1.1 * float(s) * np.log2(after + 1))
    total = s.zeta(arb(after + 1))
    ctx.prec = before
    return +total


def characteristic(t, beta, values, chances, series):
    """``E exp(i t sum of r**-beta X_r)``: a product, and for the rest its cumulants with Cauchy's bound."""
    largest = max(float(abs(v).upper()) for v in values)
    last = int((float(t.upper()) * 4 * largest / RADIUS) ** (1 / float(beta))) + 2
    product = acb(1)
    for r in range(1, last + 1):
        scaled = t * arb(r) ** -beta
        product *= sum((p * acb(0, scaled * v).exp() for v, p in zip(values, chances)), acb(0))
    rest = acb(0)
    for j in range(2, CUMULANTS):
        rest += series[j] * acb(0, t) ** j * tail(beta * j, last)
    ratio = t * arb(last + 1) ** -beta * largest / RADIUS
    assert ratio < 0.26
    # Terms from CUMULANTS on: log 2 times powers of the ratio at each rank, the first of them the largest.
    beyond = arb(2).log() * (t * largest / RADIUS) ** CUMULANTS * tail(beta * CUMULANTS, last)
    beyond /= 1 - ratio
    return product * rest.exp() * (acb(1) + acb(arb(0, beyond.exp() - 1), arb(0, beyond.exp() - 1)))


def least_decay(t, beta, chances, gaps):
    """A lower bound for ``-log |phi(t)|``, increasing in t.

    ``|E exp(i s X)|**2`` is 1 less the sum of ``p q (1 - cos(s d))`` over pairs of values, d apart, of which
    those with d = 1 are enough, and ``1 - cos s`` is at least 0.459 for s from 1 to 5.28 and 0.459 s**2
    below."""
    pairs = sum((chances[i] * chances[j] for i, j in gaps), arb(0))
    first = t ** (1 / beta)
    between = first * (1 - arb(5.28) ** (-1 / beta)) - 1
    below = t**2 * (first + 1) ** (1 - 2 * beta) / (2 * beta - 1)
    return arb(0.459) * pairs * (between + below)


@cache
def coefficients(law):
    """The window of the law, its Fourier coefficients, and a bound for all that is left out."""
    beta, (values, chances, mean) = exponent(law), variable(law)
    if law.mean is None:
        total, centre = beta.zeta(), mean * beta.zeta()
        low, high = min(law.values) * total - arb(2) ** -20, max(law.values) * total + arb(2) ** -20
        outside = arb(0)
    else:
        centre = arb(law.mean)
        # Hoeffding: each term stays in an interval as long as its discount times the range of X.
        scale = (2 * beta).zeta() * (law.values[-1] - law.values[0]) ** 2 / 2
        reach = (scale * 24).sqrt()
        low, high, outside = centre - reach, centre + reach, 2 * arb(-24).exp()
    unit = 2 * arb.pi() / (high - low)
    gaps = [(i, j) for i, v in enumerate(law.values) for j, w in enumerate(law.values) if w - v == 1.0]
    terms, cut = 16, arb(1)
    while not cut < 1e-11:
        terms *= 2
        decays = [least_decay(unit * terms * 2**j, beta, chances, gaps) for j in range(60)]
        assert all(decay > 0 for decay in decays)
        cut = 2 / arb.pi() * sum(((-decay).exp() for decay in decays), arb(0))
    series = cumulants(values, chances)
    phis = [
        characteristic(unit * k, beta, values, chances, series) * acb(0, unit * k * (centre - low)).exp()
        for k in range(1, terms + 1)
    ]
    return low, high - low, phis, outside + cut


def enclosed(law, x):
    """A ball that holds P(T <= x): the Fourier series of the law, wrapped around its window."""
    low, width, phis, error = coefficients(law)
    y = arb(x) - low
    if y <= 0 or y >= width:
        return arb(0.5, 0.5) if law.mean is not None else arb(int(y >= width))
    angle, total = -2 * arb.pi() * y / width, y / width
    for k, phi in enumerate(phis, 1):  # powers of one turn would widen from each to the next
        total += (phi * (1 - acb(0, k * angle).exp())).imag / (arb.pi() * k)
    return total + arb(0, 1) * error


def digits(law, x):
    """The same for a ratio of at most 1/2: branches not yet decided, in fractions, until hardly any is."""
    ratio, values = Fraction(law.discount.ratio), [Fraction(v) for v in law.values]
    chances = [Fraction(p) for p in law.probabilities]
    live, decided, step = {Fraction(x): Fraction(1)}, Fraction(0), Fraction(1)
    for _ in range(200):
        step *= ratio
        tail = step / (1 - ratio)
        following = {}
        for point, weight in live.items():
            for value, chance in zip(values, chances):
                left, mass = point - value * step, weight * chance
                if left >= max(values) * tail * ratio:
                    decided += mass
                elif left >= min(values) * tail * ratio:
                    following[left] = following.get(left, Fraction(0)) + mass
        live = following
        undecided = sum(live.values(), Fraction(0))
        if undecided < Fraction(1, 10**12):
            break
    lower = arb(decided.numerator) / arb(decided.denominator)
    return lower + arb(0.5, 0.5) * (arb(undecided.numerator) / arb(undecided.denominator))


def places(law, count):
    """Points at which the law is asked: up to three standard deviations on either side."""
    weights = (
        1.0 / np.arange(1, 10_000.0) ** float(exponent(law))
        if law in POWERS
        else law.discount(np.arange(1, 99.0))
    )
    mean = np.dot(law.values, law.probabilities)
    spread = np.sqrt(np.dot(np.square(law.values), law.probabilities) - mean**2) * np.sqrt(np.sum(weights**2))
    centre = law.mean if law.mean is not None else mean * float(law.discount(1.0) and np.sum(weights))
    return (centre + spread * np.linspace(-2.9, 2.9, count)).tolist()


def assert_enclosed(law, x, enclose):
    ball = enclose(law, x)
    assert ball.rad() < PROMISED / 4, f"the enclosure is too wide: {ball}"
    assert abs(arb(law.cdf(x)) - ball) < PROMISED
    assert not abs(arb(law.cdf(x)) + 2 * PROMISED - ball) < PROMISED


@pytest.mark.parametrize("law", [POWERS[1], POWERS[3]], ids=repr)
def test_some_laws_of_powers_are_where_they_are_enclosed(law):
    for x in places(law, 4):
        assert_enclosed(law, x, enclosed)


@pytest.mark.parametrize("law", DIGITS, ids=repr)
def test_laws_of_digits_are_where_they_are_enclosed(law):
    for x in places(law, 10):
        assert_enclosed(law, x, digits)


@pytest.mark.nightly
@pytest.mark.parametrize("law", POWERS, ids=repr)
def test_laws_of_powers_are_where_they_are_enclosed(law):
    for x in places(law, 16):
        assert_enclosed(law, x, enclosed)


def test_an_enclosure_holds_what_is_known():
    """Fair bits are uniform; a symmetric law is at one half in its middle."""
    assert digits(DiscountedSum(Geometric(0.5), BINARY, (0.5, 0.5)), 0.3).overlaps(arb(3) / 10)
    assert enclosed(POWERS[5], 0.0).overlaps(arb(1) / 2)
