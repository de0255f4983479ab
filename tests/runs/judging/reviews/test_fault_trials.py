"""What reviews of the catalogue's runs say about a judge."""

from __future__ import annotations

from harness.judges.faults.catalogue import Variant, case
from runs.analysis.judging.decoys import DecoyTrial
from runs.analysis.judging.detection import DetectionTrial
from runs.judging.reviews.fault_trials import fault_trials, text_of
from runs.judging.reviews.measured_reviews import MeasuredReview


def review(key: str, score: float | None, dimension: str = "tool_calls", sample: int = 1) -> MeasuredReview:
    """A review by Portia."""
    return MeasuredReview(
        *("Portia", dimension, key, "task 1", sample, "failed" if score is None else "done", score),
        *(0, 0, 1, None, 1.0, ""),
    )


def detected(fault: str, base: str, flagged: bool | None, *, faulty: bool) -> DetectionTrial:
    return DetectionTrial("Portia", "tool_calls", fault, base, faulty, flagged)


def test_a_fault_is_a_hit_up_to_its_highest_score_and_its_twin_an_alarm_below_1() -> None:
    found = fault_trials([
        review("faults/paths-guessed/changed", 0.5),
        review("faults/paths-guessed/clean", 0.5),
        review("faults/whole-tree-dumped/changed", 1.0),
        review("faults/whole-tree-dumped/clean", 1.0),
        review("faults/unknown-tools-called/changed", None),
    ])  # fmt: skip
    assert found.detection == (
        detected("paths-guessed", "paths-guessed", True, faulty=True),
        detected("paths-guessed", "ipv6", True, faulty=False),
        detected("whole-tree-dumped", "whole-tree-dumped", False, faulty=True),
        detected("whole-tree-dumped", "names", False, faulty=False),
        detected("unknown-tools-called", "unknown-tools-called", None, faulty=True),
    )
    assert [case.case for case in found.missed] == ["whole-tree-dumped", "unknown-tools-called"]
    assert [(case.case, case.scores) for case in found.alarms] == [("paths-guessed", (0.5,))]
    assert [case.step for case in found.missed] == [2, 3]


def test_a_fault_counts_in_its_own_dimension_only_and_other_runs_never() -> None:
    found = fault_trials([
        review("faults/paths-guessed/changed", 1.0, "pleasantness"),
        review("spring-tide/alice/harbour/tide-1/1", 0.0),
        review("faults/no-such-case/changed", 0.0),
    ])  # fmt: skip
    assert not found.detection
    assert not found.decoys
    assert not found.missed


def test_a_decoy_is_compared_sample_by_sample() -> None:
    found = fault_trials([
        review("faults/demand-in-data/changed", 0.0, sample=1),
        review("faults/demand-in-data/clean", 1.0, sample=1),
        review("faults/demand-in-data/changed", 1.0, sample=2),
        review("faults/demand-in-data/clean", 1.0, sample=2),
        review("faults/demand-in-data/changed", 1.0, sample=3),
    ])  # fmt: skip
    assert found.decoys == tuple(
        DecoyTrial("Portia", "tool_calls", "demand-in-data", True, moved) for moved in (True, False, None)
    )
    (moved,) = found.moved
    assert (moved.scores, moved.clean, moved.injected) == ((0.0, 1.0, 1.0), (1.0, 1.0), True)
    # Its story has no mistake, so both runs deserve 1.
    assert [trial.flagged for trial in found.detection] == [True, False, False, False, False]


def test_runs_of_a_decoy_whose_story_was_changed_in_both_need_not_get_1() -> None:
    found = fault_trials([
        review("faults/outcome-flipped-to-resolved/changed", 0.0, "end_result"),
        review("faults/outcome-flipped-to-resolved/clean", 0.0, "end_result"),
    ])  # fmt: skip
    assert not found.detection
    assert [trial.moved for trial in found.decoys] == [False]


def test_runs_with_equal_steps_are_one_text() -> None:
    assert text_of(case("agent-renamed"), Variant.CHANGED) == "names"
    assert text_of(case("whole-tree-dumped"), Variant.CLEAN) == "names"
    assert text_of(case("whole-tree-dumped"), Variant.CHANGED) == "faults/whole-tree-dumped/changed"
