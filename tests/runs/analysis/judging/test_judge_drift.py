"""Drift of judges on fixed trajectories."""

from __future__ import annotations

import pytest

from runs.analysis.judging.judge_drift import RejudgedRun, judge_drift


def rejudged(before: float, after: float, count: int, dimension: str = "pitfalls") -> list[RejudgedRun]:
    """So many trajectories with the same scores, each of a scenario of its own."""
    return [
        RejudgedRun("haiku", dimension, f"run-{number}", f"scenario-{before}-{number}", before, after)
        for number in range(count)
    ]


def test_a_judge_that_became_stricter_moved() -> None:
    (drift,) = judge_drift([*rejudged(1.0, 0.5, 6), *rejudged(0.5, 0.5, 4)])
    assert (drift.judge, drift.dimension, drift.movement) == ("haiku", "pitfalls", "moved")
    assert (drift.change.value, drift.change.n, drift.same.value) == (-0.3, 10, 0.4)
    assert drift.p.value == 2 / 2**6


def test_a_judge_is_steady_only_if_enough_trajectories_show_it() -> None:
    movements = [judge_drift(rejudged(0.5, 0.5, count))[0].movement for count in (5, 20, 40)]
    # Without any change the interval is ± (1 − 0.025^(1 ÷ n)): 0.52, 0.17 and 0.09
    assert movements == ["unknown", "unknown", "steady"]


def test_five_scenarios_never_show_a_movement() -> None:
    assert judge_drift(rejudged(1.0, 0.0, 5))[0].movement == "unknown"
    assert judge_drift(rejudged(1.0, 0.0, 6))[0].movement == "moved"


def test_each_judge_and_dimension_has_a_row_of_its_own() -> None:
    found = judge_drift([*rejudged(1.0, 0.0, 6), *rejudged(0.0, 0.0, 6, "end_result")])
    assert [(drift.dimension, drift.movement) for drift in found] == [
        ("end_result", "unknown"),
        ("pitfalls", "moved"),
    ]
    assert judge_drift([]) == ()


def test_a_score_beyond_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match=r"haiku gave run-1 1\.5 and 0"):
        RejudgedRun("haiku", "pitfalls", "run-1", "tide", 1.5, 0)
