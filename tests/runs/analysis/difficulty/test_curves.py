"""Success by difficulty, and correlations of measures."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.difficulty.curves import SUCCESS, difficulty_correlations, success_curve
from runs.analysis.estimate import Exclusion
from runs.analysis.facts import RunFacts
from runs.analysis.statistics.intervals import wilson
from tests.runs.analysis.personas import PERSONAS, ends, with_twins


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
        "e": {"size": 2.5},
    }
    found = difficulty_correlations([*RUNS[:5], replace(RUNS[0], run=99, task="e")], measures)
    assert found.names == ("depth", "size", SUCCESS)
    # Rates 1, ½, 1, 0, 1 against 1, 2, 3, 4, 2½: deviations (3, −2, 3, −7, 3)/10 and (−3, −1, 1, 3, 0)/2: Σ = −25/20;
    # √(80/100 · 5)
    assert found.of("size", SUCCESS).value == pytest.approx(-1.25 / math.sqrt(0.8 * 5))
    assert found.of("size", SUCCESS).n == 5
    assert found.of("depth", "size").reason == "2 rows have both, and a correlation needs 5"
    assert found.missing == {"depth": 3, "size": 0, SUCCESS: 0}
    assert difficulty_correlations([], measures).names == (SUCCESS,)


def test_two_equal_personas_of_each_scenario_count_as_one_task() -> None:
    twice = {f"{task}.{persona}": sizes for task, sizes in SIZES.items() for persona in PERSONAS}
    (alone,) = success_curve(RUNS, SIZES, "size", bins=1).bins
    (twin,) = success_curve(with_twins(RUNS), twice, "size", bins=1).bins
    assert (twin.rate.value, twin.rate.n) == pytest.approx((alone.rate.value, 12))
    assert ends(twin.rate) == pytest.approx(ends(alone.rate))
    assert (
        difficulty_correlations(with_twins(RUNS), twice).cells == difficulty_correlations(RUNS, SIZES).cells
    )


values = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=12)


@given(st.permutations(range(8)))
@settings(max_examples=10)
def test_the_order_of_runs_does_not_matter(order: list[int]) -> None:
    mixed = [RUNS[place] for place in order]
    assert success_curve(mixed, SIZES, "size") == success_curve(RUNS, SIZES, "size")
    assert difficulty_correlations(mixed, SIZES) == difficulty_correlations(RUNS, SIZES)
