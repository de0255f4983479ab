"""Our ranking beside others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from runs.analysis.estimate import Interval
from runs.analysis.scores.rankings import rank_correlation, rank_gaps

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
    assert two.rho.reason == "2 agents are in both, and it takes 3"
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


def test_gaps_by_hand() -> None:
    # Over the two shared tasks: a ½, b ¾, c ¼, so ranks 2, 1, 3; there 1, 3, 2: gaps +1, −2, +1.
    scores: dict[str, dict[str, float]] = {
        "a": {"t": 1.0, "u": 0.0, "v": 1},
        "b": {"t": 0.5, "u": 1.0},
        "c": {"t": 0.5, "u": 0.0},
        "z": {"t": 1},
    }
    found = rank_gaps(scores, {"a": 90, "b": 10, "c": 50, "x": 70})
    assert [(gap.agent, gap.ours, gap.theirs, gap.gap.value) for gap in found.gaps] == [
        ("b", 1, 3, -2),
        ("a", 2, 1, 1),
        ("c", 3, 2, 1),
    ]
    assert (found.tasks, found.left_out) == (("t", "u"), ("v",))
    assert found.agreement.common == ("a", "b", "c")
    assert (found.agreement.only_ours, found.agreement.only_theirs) == (("z",), ("x",))
    assert all(gap.gap.n == 2 for gap in found.gaps)


def test_intervals_hold_the_middle_of_all_samples() -> None:
    # Two tasks: tt and uu each with a chance of ¼, tu with ½. Ranks of a: tt 1; tu 1.5 (tied with b); uu 2. There: 2.
    # So its gaps are −1, −½ and 0, and the expanded 90 % run from −1 to 0. At 20 %: t with one degree is
    # tan(0.1 π) = 0.3249, and Φ(−√2 · 0.3249) = 0.323 lies within the middle half, which is −½ alone.
    scores = {"a": {"t": 1.0, "u": 0.0}, "b": {"t": 0.0, "u": 1.0}}
    theirs = {"a": 1.0, "b": 2.0}
    (a, b) = rank_gaps(scores, theirs).gaps
    assert (a.gap.value, a.gap.interval) == (-0.5, Interval(-1, 0))
    assert (b.gap.value, b.gap.interval) == (0.5, Interval(0, 1))
    assert rank_gaps(scores, theirs, level=0.2).gaps[0].gap.interval == Interval(-0.5, -0.5)


def test_no_gaps() -> None:
    assert rank_gaps({}, {}).reason == "0 agents are in both, and it takes 2"
    apart = rank_gaps({"a": {"t": 1}, "b": {"u": 1}}, {"a": 1, "b": 2})
    assert apart.reason == "no task has a score of every common agent"
    assert apart.left_out == ("t", "u")
    assert apart.agreement.rho.reason == apart.reason
    one = rank_gaps({"a": {"t": 1}, "b": {"t": 0}}, {"a": 1, "b": 2})
    assert [gap.gap.interval for gap in one.gaps] == [None, None]
    assert rank_gaps({"a": {"t": 1}, "b": {}}, {"a": 1, "b": 2}).agreement.only_theirs == ("b",)


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="0 draws"):
        rank_gaps({}, {}, draws=0)
    with pytest.raises(ValueError, match="a level of 90"):
        rank_gaps({}, {}, level=90)
    with pytest.raises(ValueError, match="a scored inf on t"):
        rank_gaps({"a": {"t": math.inf}}, {})


@given(st.integers(0, 1000), st.permutations("vwxyz"))
@settings(max_examples=20, deadline=None)
def test_names_do_not_matter_and_gaps_sum_to_nothing(seed: int, names: list[str]) -> None:
    random = np.random.default_rng(seed)
    scores = {
        name: {str(task): float(value) for task, value in enumerate(random.integers(0, 3, 6) / 2)}
        for name in "abcde"
    }
    theirs: dict[str, float | None] = {name: float(random.integers(0, 4)) for name in "abcde"}
    renamed = dict(zip("abcde", names, strict=True))
    before = rank_gaps(scores, theirs, draws=50).gaps
    after = rank_gaps(
        {renamed[name]: scores[name] for name in reversed("abcde")},
        {renamed[name]: theirs[name] for name in "abcde"},
        draws=50,
    ).gaps
    assert {renamed[gap.agent]: gap.gap for gap in before} == {gap.agent: gap.gap for gap in after}
    assert math.fsum(gap.gap.value or 0 for gap in before) == pytest.approx(0)
