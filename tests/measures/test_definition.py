"""The definition is compared with sums written by hand, and the measures with the definition."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf, dcg, definition, ndcg


def test_the_definition_equals_the_sum_written_by_hand():
    half = lambda r: Fraction(1, 2**r)
    labels, scores = [0, 3, 1, 2], [5, 6, 5, 1]  # of the two with score 5 the first one stays above
    assert definition.dcg(labels, scores, half) == Fraction(3, 2) + Fraction(0, 4) + Fraction(
        1, 8
    ) + Fraction(2, 16)
    assert definition.dcg(labels, scores, half, 1) == Fraction(3, 2)
    assert definition.ndcg(labels, scores, half, 3) == Fraction(13, 8) / (
        Fraction(3, 2) + Fraction(2, 4) + Fraction(1, 8)
    )


@given(
    labels=st.lists(st.integers(0, 4), min_size=1, max_size=12).filter(any),
    discount=st.sampled_from([Log(), Power(0.5), Zipf(), Geometric(0.5), Linear()]),
    k=st.none() | st.integers(1, 14),
    data=st.data(),
)
def test_the_measures_are_the_definition(labels, discount, k, data):
    scores = data.draw(st.permutations(range(len(labels))))
    discount_at_rank = (lambda r: discount(r, len(labels))) if discount == Linear() else discount
    assert dcg(labels, scores, discount=discount, k=k) == pytest.approx(
        definition.dcg(labels, scores, discount_at_rank, k), rel=1e-12
    )
    best = definition.dcg(labels, labels, discount_at_rank, k)
    expected = definition.ndcg(labels, scores, discount_at_rank, k) if best else np.nan
    assert ndcg(labels, scores, discount=discount, k=k) == pytest.approx(expected, rel=1e-12, nan_ok=True)


def test_the_chapter_on_the_definition_shows_its_code():
    page = ROOT / "chapters" / "scoring-a-ranking.ipynb"
    (shown,) = re.findall(r"\{literalinclude\} ([\w./]+)", page.read_text(encoding="utf-8"))
    assert (page.parent / shown).resolve() == Path(definition.__file__).resolve()
