"""Our ranking beside others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from runs.analysis.scores.rankings import rank_correlation

boards = st.dictionaries(st.sampled_from("abcdefgh"), st.none() | st.integers(0, 5).map(float))


def test_rank_correlation_by_hand() -> None:
    # Common: a, b, c, d with ranks 1 2 3 4 here and 2 1 3 4 there: 1 − 6 · (1 + 1) ÷ (4 · 15) = 0.8
    ours = {"a": 90.0, "b": 80, "c": 70, "d": 60, "e": 50, "f": None}
    theirs = {"a": 0.5, "b": 0.6, "c": 0.4, "d": 0.3, "e": math.nan, "x": 0.9}
    found = rank_correlation(ours, theirs)
    assert found.rho.value == pytest.approx(0.8)
    assert (found.rho.n, found.common) == (4, ("a", "b", "c", "d"))
    assert (found.only_ours, found.only_theirs) == (("e",), ("x",))
    # artanh 0.8 ± 1.96 · √(1.32 ÷ 1) = 1.0986 ± 2.2519
    assert found.rho.interval is not None
    assert found.rho.interval.low == pytest.approx(math.tanh(1.0986 - 2.2519), abs=1e-4)


def test_ties_share_their_ranks() -> None:
    # Ranks 1 2.5 2.5 4 against 1 2 3 4: Σ of products of deviations 4.5, over √(4.5 · 5)
    found = rank_correlation({"a": 4, "b": 2, "c": 2, "d": 1}, {"a": 9, "b": 8, "c": 7, "d": 6})
    assert found.rho.value == pytest.approx(4.5 / math.sqrt(4.5 * 5))


def test_too_few_or_all_tied() -> None:
    two = rank_correlation({"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3})
    assert two.rho.reason == "2 agents are in both, and a correlation needs 3"
    assert rank_correlation({}, {}).rho.n == 0
    tied = rank_correlation(dict.fromkeys("abc", 1), {"a": 1, "b": 2, "c": 3})
    assert tied.rho.reason == "our ranking is the same in all 3 rows"
    assert rank_correlation({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2, "c": 3}).rho.interval is None


@given(boards, boards)
@settings(max_examples=50, deadline=None)
def test_scipy_says_the_same(ours: dict[str, float | None], theirs: dict[str, float | None]) -> None:
    found = rank_correlation(ours, theirs)
    if found.rho.value is not None:
        pairs = np.array([(ours[name], theirs[name]) for name in found.common], dtype=float)
        assert found.rho.value == pytest.approx(spearmanr(pairs[:, 0], pairs[:, 1]).statistic)
