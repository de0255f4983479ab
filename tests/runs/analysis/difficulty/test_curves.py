"""Success by difficulty, correlations of measures, and shifts between agents."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runs.analysis.difficulty.curves import SUCCESS, difficulty_correlations, success_curve
from runs.analysis.difficulty.shift import Shift, difficulty_shift
from runs.analysis.estimate import Exclusion
from runs.analysis.facts import RunFacts
from runs.analysis.statistics.intervals import wilson


def run(number: int, task: str, resolved: bool, agent: str = "alice") -> RunFacts:
    return RunFacts(number, agent, task, "harbour", 1, "resolved" if resolved else "unresolved")


SIZES = {name: {"size": float(size)} for name, size in zip("abcdef", (10, 20, 30, 40, 40, 40), strict=True)}
# Success rates: a 1, b ½, c 1, d 0, e 0, f ½.
RUNS = (
    run(1, "a", True),
    run(2, "b", True),
    run(3, "b", False),
    run(4, "c", True),
    run(5, "d", False),
    run(6, "e", False),
    run(7, "f", True),
    run(8, "f", False),
)


def test_a_curve_by_hand() -> None:
    # Of six values the third is the median: 10, 20, 30 below it, three times 40 above.
    # Rates (1 + ½ + 1) ÷ 3 and (0 + 0 + ½) ÷ 3.
    low, high = success_curve(RUNS, SIZES, "size", bins=2).bins
    assert (low.low, low.high, low.runs, low.rate.n) == (10, 30, 4, 3)
    assert low.rate.value == pytest.approx(2.5 / 3)
    assert (high.low, high.high, high.runs, high.rate.n) == (40, 40, 4, 3)
    assert high.rate.value == pytest.approx(0.5 / 3)
    assert low.rate.interval is not None
    assert low.rate.interval.low < 2.5 / 3 < low.rate.interval.high


def test_equal_tasks_are_never_parted() -> None:
    # Cuts at 10, 20, 30, 40, 40: the last two are one.
    found = success_curve(RUNS, SIZES, "size", bins=6)
    assert [(group.low, group.rate.n) for group in found.bins] == [(10, 1), (20, 1), (30, 1), (40, 3)]
    assert (found.asked, len(found.bins)) == (6, 4)
    same = success_curve(RUNS, {task: {"size": 1.0} for task in SIZES}, "size")
    assert [group.rate.n for group in same.bins] == [6]


def test_one_attempt_each_has_wilsons_interval() -> None:
    (only,) = success_curve([RUNS[0], RUNS[3], RUNS[4]], SIZES, "size", bins=1).bins
    assert only.rate.interval == wilson(2 / 3, 3)


def test_runs_without_a_measure_are_named() -> None:
    odd: dict[str, dict[str, float | None]] = {
        "a": {"size": math.nan},
        "b": {"size": None},
        "c": {"lines": 3.0},
        "d": {"size": 1.0},
    }
    found = success_curve([*RUNS, replace(RUNS[0], run=9, outcome="infrastructure_failed")], odd, "size")
    assert [group.rate.n for group in found.bins] == [1]
    assert found.excluded == (
        Exclusion("the infrastructure failed", (9,)),
        Exclusion("the task's size is unknown", (1, 2, 3, 4, 6, 7, 8)),
    )
    assert success_curve([], {}, "size").bins == ()
    with pytest.raises(ValueError, match="0 bins"):
        success_curve([], {}, "size", bins=0)


def test_measures_correlate_with_success() -> None:
    measures = {
        "a": {"size": 1.0, "depth": 3.0},
        "b": {"size": 2.0},
        "c": {"size": 3.0, "depth": 1.0},
        "d": {"size": 4.0},
    }
    found = difficulty_correlations(RUNS[:5], measures)
    assert found.names == ("depth", "size", SUCCESS)
    # Rates 1, ½, 1, 0 against 1, 2, 3, 4: deviations (3, −1, 3, −5)/8 and (−3, −1, 1, 3)/2: Σ = −20/16; √(44/64 · 5)
    assert found.of("size", SUCCESS).value == pytest.approx(-1.25 / math.sqrt(44 / 64 * 5))
    assert found.of("size", SUCCESS).n == 4
    assert found.of("depth", "size").reason == "2 rows have both, and it takes 3"
    assert found.missing == {"depth": 2, "size": 0, SUCCESS: 0}
    assert difficulty_correlations([], measures).names == (SUCCESS,)


def shift(first: list[float], second: list[float]) -> Shift:
    """Alice solves tasks of the first sizes, bob those of the second; both try all."""
    sizes = {
        f"{who}{place}": {"size": size}
        for who, list_ in (("a", first), ("b", second))
        for place, size in enumerate(list_)
    }
    runs = [
        run(number, task, task.startswith(agent[0]), agent)
        for number, (agent, task) in enumerate((agent, task) for agent in ("alice", "bob") for task in sizes)
    ]
    return difficulty_shift(runs, sizes, "size", "alice", "bob")


def test_a_shift_by_hand() -> None:
    # 3 and 5 against 1, 2 and 4: of six pairs the first is higher in 2 + 3 = 5, so U = 5 and δ = 10 ÷ 6 − 1 = ⅔.
    # Means 4 and 7/3; squares 2 and 14/3, over 2 + 3 − 2 = 3: pooled variance 20/9, d = (5/3) ÷ (√20 ÷ 3) = √5 ÷ 2.
    # Exact p: of the 10 ways to choose ranks for two, two give U ≥ 5 (5 and 6), so 2 · 2 ÷ 10 = 0.4.
    found = shift([3, 5], [1, 2, 4])
    assert (found.u.value, found.u.n) == (5, 5)
    assert found.cliffs_delta.value == pytest.approx(2 / 3)
    assert found.cohens_d.value == pytest.approx(math.sqrt(5) / 2)
    assert found.p.value == pytest.approx(0.4)
    assert (found.first_median.value, found.second_median.value) == (4, 2)
    assert (found.common, found.both) == (5, 0)


def test_only_tasks_that_both_tried_count() -> None:
    sizes = {name: {"size": float(place)} for place, name in enumerate("abcd")}
    runs = [
        run(1, "a", True),
        run(2, "b", False),
        run(3, "b", True),
        run(4, "c", True),  # bob never tried c
        run(5, "a", True, "bob"),
        run(6, "b", False, "bob"),
        run(7, "d", True, "bob"),
        run(8, "z", True, "carol"),
    ]
    found = difficulty_shift(runs, sizes, "size", "alice", "bob")
    assert (found.common, found.both) == (2, 1)
    assert (found.first_median.n, found.second_median.n) == (2, 1)
    assert found.first_median.value == 0.5
    assert found.excluded == ()


def test_no_shift_to_speak_of() -> None:
    none = shift([1, 2], [])
    assert none.u.reason == none.cohens_d.reason == "bob solved no task that both tried"
    assert none.second_median.reason == "bob solved no task that both tried"
    assert shift([], []).p.reason == "alice solved no task that both tried"
    equal = shift([2, 2], [2, 2])
    assert (equal.u.value, equal.cliffs_delta.value) == (2, 0)
    assert equal.p.reason == "all values are equal"
    assert equal.cohens_d.reason == "neither agent's values differ among themselves"
    assert shift([1], [2]).cohens_d.reason == "two values have no deviation"
    with pytest.raises(ValueError, match="alice against itself"):
        difficulty_shift([], {}, "size", "alice", "alice")


values = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=12)


@given(values, values)
@settings(max_examples=40, deadline=None)
def test_scipy_says_the_same_and_turning_round_changes_signs(first: list[float], second: list[float]) -> None:
    found, turned = shift(first, second), shift(second, first)
    theirs = stats.mannwhitneyu(first, second)
    assert found.u.value == theirs.statistic
    if found.p.value is not None:
        assert found.p.value == pytest.approx(theirs.pvalue)
        assert turned.p.value == pytest.approx(found.p.value)
    assert found.cliffs_delta.value == pytest.approx(
        np.sign(np.subtract.outer(first, second)).mean(), abs=1e-12
    )
    assert found.cliffs_delta.value == pytest.approx(-(turned.cliffs_delta.value or 0))
    if found.cohens_d.value is not None:
        assert turned.cohens_d.value == pytest.approx(-found.cohens_d.value)


@given(st.permutations(range(8)))
@settings(max_examples=10, deadline=None)
def test_the_order_of_runs_does_not_matter(order: list[int]) -> None:
    mixed = [RUNS[place] for place in order]
    assert success_curve(mixed, SIZES, "size") == success_curve(RUNS, SIZES, "size")
    assert difficulty_correlations(mixed, SIZES) == difficulty_correlations(RUNS, SIZES)
