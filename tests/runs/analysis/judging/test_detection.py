"""Hits and false alarms of judges on planted faults."""

from __future__ import annotations

import pytest

from runs.analysis.judging.detection import Detection, DetectionTrial, detection
from runs.analysis.statistics.intervals import wilson


def trials(
    hits: int, of: int, false_alarms: int, clean: int, fault: str = "false success"
) -> list[DetectionTrial]:
    """Trials with one review of each twin."""
    return [
        DetectionTrial("haiku", "pitfalls", fault, f"{fault} {number}", faulty, number < flagged)
        for faulty, flagged, count in ((True, hits, of), (False, false_alarms, clean))
        for number in range(count)
    ]


def overall(given: list[DetectionTrial]) -> Detection:
    """The row of all faults together."""
    return detection(given)[0]


def test_rates_have_wilson_intervals_over_base_trajectories() -> None:
    found = overall(trials(9, 10, 1, 20))
    assert (found.hits.value, found.hits.n, found.hits.interval) == (0.9, 10, wilson(0.9, 10))
    assert (found.false_alarms.value, found.false_alarms.interval) == (0.05, wilson(0.05, 20))


def test_a_judge_is_usable_only_if_both_bounds_show_it() -> None:
    assert overall(trials(6, 6, 0, 9)).verdict == "usable"
    late = overall(trials(5, 6, 0, 8))
    assert late.verdict == "not shown usable"
    assert late.reason == (
        "its hit rate may be 0.44, and 0.6 is needed; its false-alarm rate may be 0.32, and 0.3 is the most"
    )


def test_a_judge_that_flags_everything_is_not_usable() -> None:
    found = overall(trials(20, 20, 20, 20))
    assert (found.hits.value, found.verdict) == (1, "not shown usable")
    assert found.reason == "its false-alarm rate may be 1.00, and 0.3 is the most"


def test_each_fault_has_a_row_after_the_one_of_all() -> None:
    found = detection([*trials(6, 6, 0, 9), *trials(0, 6, 0, 9, fault="skipped step")])
    assert [(row.fault, row.hits.value, row.verdict) for row in found] == [
        (None, 0.5, "not shown usable"),
        ("false success", 1, "usable"),
        ("skipped step", 0, "not shown usable"),
    ]


def test_a_review_that_was_not_finished_is_a_miss_and_no_false_alarm() -> None:
    lost = [
        DetectionTrial("haiku", "pitfalls", "f", str(n), faulty, None)
        for n, faulty in ((0, True), (1, False))
    ]
    found = overall([*trials(9, 9, 0, 9), *lost])
    assert (found.hits.value, found.hits.n) == (0.9, 10)
    assert (found.false_alarms.n, found.trials, found.unanswered) == (9, 20, 2)


def test_several_reviews_of_one_base_count_once() -> None:
    several = [
        DetectionTrial("haiku", "pitfalls", "f", base, True, flagged)
        for base, flags in (("tide", (True, True, True)), ("moon", (False,)))
        for flagged in flags
    ]
    assert (overall(several).hits.value, overall(several).hits.n) == (0.5, 2)


def test_without_trials_of_one_kind_nothing_is_shown() -> None:
    found = overall(trials(20, 20, 0, 0))
    assert found.false_alarms.reason == found.reason == "no trajectory without a fault was reviewed"
    assert detection([]) == ()
    assert wilson(1, 6).low == pytest.approx(0.61, abs=0.001)  # type: ignore[union-attr]
