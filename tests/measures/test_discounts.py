import numpy as np
import pytest

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf, dcg, ndcg, parse_discount
from ndcg_companion.measures.discounts import discount_table
from ndcg_companion.simulation import ndcg_curve

NAMED = [Log(), Power(0.5), Power(0), Power(2.5), Zipf(), Geometric(), Geometric(0.9), Linear()]


@pytest.mark.parametrize("discount", NAMED)
@pytest.mark.parametrize("n", [1, 2, 5, 100])
def test_tables_hold_the_discount_of_each_rank(discount, n):
    table, decreasing = discount_table(discount, n, n)
    formula = {
        Log: lambda r: 1 / np.log(1 + r),
        Power: lambda r: r**-discount.beta,
        Zipf: lambda r: 1 / r,
        Geometric: lambda r: discount.ratio**r,
        Linear: lambda r: n - r,
    }[type(discount)]
    assert table == pytest.approx([formula(float(r)) for r in range(n, 0, -1)], rel=1e-14)
    assert decreasing


@pytest.mark.parametrize("discount", NAMED)
def test_reprs_can_be_typed_back(discount):
    assert eval(repr(discount)) == discount
    assert hash(eval(repr(discount))) == hash(discount)


@pytest.mark.parametrize(
    "text, discount",
    [
        ("log", Log()),
        ("power:0.5", Power(0.5)),
        ("zipf", Zipf()),
        ("geometric", Geometric(0.5)),
        ("geometric:0.9", Geometric(0.9)),
        (" linear ", Linear()),
    ],
)
def test_reads_discounts_from_text(text, discount):
    assert parse_discount(text) == discount


def test_suggests_the_nearest_name():
    with pytest.raises(ValueError, match="did you mean 'power'"):
        parse_discount("powr:0.5")


@pytest.mark.parametrize(
    "text", ["", "power", "power:x", "power:-1", "power:nan", "log:2", "geometric:1", "linear:3"]
)
def test_rejects_text_that_is_no_discount(text):
    with pytest.raises(ValueError, match="^discount="):
        parse_discount(text)


@pytest.mark.parametrize("make, value", [(Power, -0.1), (Power, np.inf), (Geometric, 0), (Geometric, 1)])
def test_rejects_inadmissible_parameters(make, value):
    with pytest.raises(ValueError, match="expected"):
        make(value)


@pytest.mark.parametrize(
    "discount",
    [
        "log",
        None,
        Log,
        0.5,
        lambda r: 1.0,
        lambda r: r[1:],
        lambda r: r * np.nan,
        lambda r: 1 / (r - 2),
        lambda r: r * 1j,
    ],
)
def test_rejects_invalid_discounts(discount):
    with pytest.raises(ValueError, match="^discount="):
        discount_table(discount, 3, 3)


@pytest.mark.parametrize("discount", ["log", None, Log])
def test_invalid_discounts_are_rejected_even_for_an_empty_list(discount):
    for function in (ndcg, dcg):
        with pytest.raises(ValueError, match="^discount=.*: expected a callable of ranks"):
            function([], [], discount=discount, empty=0)
    with pytest.raises(ValueError, match="^discount=.*: expected a callable of ranks"):
        ndcg_curve([1], [1], discount=discount)


def test_knows_whether_any_callable_decreases():
    for discount, decreasing in [
        (lambda r: 1 / r, True),
        (lambda r: r * 0 + 2, True),
        (lambda r: r, False),
        (lambda r: -r, False),
        (lambda r: np.cos(r), False),
        (lambda r: 3 - r, True),
        (lambda r: 2 - r, False),
    ]:
        assert discount_table(discount, 3, 3)[1] == decreasing


def test_a_callable_may_be_integer_valued_and_gets_ranks_it_can_raise_to_negative_powers():
    assert discount_table(lambda r: r**-1, 2, 2)[0].tolist() == [0.5, 1]
    assert discount_table(lambda r: (r < 2).astype(int), 2, 2)[0].tolist() == [0, 1]
    with pytest.raises(ValueError, match="got inf at rank 2"):
        discount_table(lambda r: 1 / (r - 2), 5, 5)


def test_tables_that_are_kept_cannot_be_written_to():
    table, _ = discount_table(Log(), 10, 10)
    with pytest.raises(ValueError):
        table[0] = 0


def test_no_rank_has_no_discount():
    values, decreasing = discount_table(lambda r: 1 / r, 4, 0)
    assert values.shape == (0,) and decreasing


def test_a_discount_that_rises_below_the_first_rank_is_not_decreasing():
    _, decreasing = discount_table(lambda ranks: np.array([3.0, 1.0, 2.0]), 3, 3)
    assert not decreasing
