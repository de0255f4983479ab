"""Our ranking beside others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from runs.analysis.scores.rankings import board_gaps, rank_correlation

boards = st.dictionaries(st.sampled_from("abcdefgh"), st.none() | st.integers(0, 5).map(float))


def test_rank_correlation_by_hand() -> None:
    # Common: a to e with ranks 1 2 3 4 5 here and 2 1 3 4 5 there: 1 − 6 · (1 + 1) ÷ (5 · 24) = 0.9
    ours = {"a": 90.0, "b": 80, "c": 70, "d": 60, "e": 50, "f": 40, "g": None}
    theirs = {"a": 0.5, "b": 0.6, "c": 0.4, "d": 0.3, "e": 0.2, "f": math.nan, "x": 0.9}
    found = rank_correlation(ours, theirs)
    assert found.rho.value == pytest.approx(0.9)
    assert (found.rho.n, found.common) == (5, ("a", "b", "c", "d", "e"))
    assert (found.only_ours, found.only_theirs) == (("f",), ("x",))
    # artanh 0.9 ± 1.96 · √(1.405 ÷ 2) = 1.4722 ± 1.6428
    assert found.rho.interval is not None
    assert found.rho.interval.low == pytest.approx(math.tanh(1.4722 - 1.6428), abs=1e-4)


def test_ties_share_their_ranks() -> None:
    # Ranks 1 2.5 2.5 4 5 against 1 2 3 4 5: Σ of products of deviations 9.5, over √(9.5 · 10)
    found = rank_correlation(
        {"a": 4, "b": 2, "c": 2, "d": 1, "e": 0}, {"a": 9, "b": 8, "c": 7, "d": 6, "e": 5}
    )
    assert found.rho.value == pytest.approx(9.5 / math.sqrt(9.5 * 10))


def test_too_few_or_all_tied() -> None:
    two = rank_correlation({"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3})
    assert two.rho.reason == "2 agents are in both, and a correlation needs 5"
    assert rank_correlation({}, {}).rho.n == 0
    tied = rank_correlation(dict.fromkeys("abcde", 1), dict(zip("abcde", range(5), strict=True)))
    assert tied.rho.reason == "our ranking is the same in all 5 rows"


@given(boards, boards)
@settings(max_examples=50)
def test_scipy_says_the_same(ours: dict[str, float | None], theirs: dict[str, float | None]) -> None:
    found = rank_correlation(ours, theirs)
    if found.rho.value is not None:
        pairs = np.array([(ours[name], theirs[name]) for name in found.common], dtype=float)
        assert found.rho.value == pytest.approx(spearmanr(pairs[:, 0], pairs[:, 1]).statistic)


def test_rank_gaps_are_places_with_intervals_over_our_tasks() -> None:
    tasks = [f"task-{number}" for number in range(20)]
    rates = {"sure": 1.0, "half": 0.5, "rare": 0.1, "only here": 0.7}
    ours = {
        agent: {task: float(number < 20 * rate) for number, task in enumerate(tasks)}
        for agent, rate in rates.items()
    }
    gaps = board_gaps(ours, {"sure": 40.0, "half": 60.0, "rare": 90.0, "only there": 99.0, "unknown": None})
    # Ours: sure, half, rare; theirs the other way round.
    assert [(gap.agent, gap.ours, gap.theirs, gap.gap.value) for gap in gaps] == [
        ("rare", 3, 1, 2),
        ("half", 2, 2, 0),
        ("sure", 1, 3, -2),
    ]
    assert gaps[0].gap.n == 20
    assert gaps[0].gap.interval is not None
    assert (gaps[0].gap.interval.low, gaps[0].gap.interval.high) == (2, 2)


def test_agents_that_hardly_differ_have_wide_gaps_and_equal_ones_share_a_rank() -> None:
    ours = {"a": {"x": 1.0, "y": 0.0, "z": 1.0}, "b": {"x": 0.0, "y": 1.0, "z": 0.0}, "c": {"x": 0.5}}
    (first, second) = board_gaps({name: ours[name] for name in "ab"}, {"a": 1.0, "b": 2.0})
    assert (first.agent, first.gap.value, second.gap.value) == ("b", 1, -1)
    assert first.gap.interval is not None
    assert (first.gap.interval.low, first.gap.interval.high) == (0, 1)
    # Only x is common to all three.
    three = board_gaps(ours, {"a": 3.0, "b": 2.0, "c": 2.0})
    assert [(gap.agent, gap.ours, gap.theirs) for gap in three] == [("b", 3, 2.5), ("a", 1, 1), ("c", 2, 2.5)]
    assert three[0].gap.interval is None


def test_without_common_agents_or_tasks_there_is_no_gap() -> None:
    assert board_gaps({}, {"a": 1.0}) == ()
    assert board_gaps({"a": {"x": 1.0}}, {"a": 1.0}) == ()
    assert board_gaps({"a": {"x": 1.0}, "b": {"y": 1.0}}, {"a": 1.0, "b": 2.0}) == ()
    with pytest.raises(ValueError, match="a scored nan on x"):
        board_gaps({"a": {"x": math.nan}}, {})
