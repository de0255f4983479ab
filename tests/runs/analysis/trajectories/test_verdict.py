"""The verdict of a run, and the iteration limit that it had."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.limits import Ending
from harness.records import Identity, Outcome, RunSummary, TestResult, TestStatus
from runs.analysis.trajectories.verdict import RunVerdict, iteration_limit_of


def summary(**more: Any) -> RunSummary:
    identity = Identity("1", "e", "d", "1", "harbour", "tide", "0", "alice", "Alice", "ide", 1)
    values: dict[str, Any] = {
        "identity": replace(identity, effective=more.pop("effective", {})),
        "outcome": Outcome.UNRESOLVED,
        "ending": Ending.COMPLETED,
        "started_at": "",
        "finished_at": "",
        "detail": "",
        **dict.fromkeys(
            ("prepare_seconds", "act_seconds", "grade_seconds", "steps", "iterations", "tool_calls", "failed_calls",
             "prompt_tokens", "completion_tokens", "cached_tokens", "tests_total", "tests_passed", "files_changed",
             "lines_added", "lines_removed"), 0,
        ),
        "cost_usd": None,
        **more,
    }  # fmt: skip
    return RunSummary(**values)


@pytest.mark.parametrize(
    ("effective", "environment", "limit"),
    [
        ({"iterations": 6}, {"limits": {"iterations": 100}}, 6),
        ({"iterations": 200}, {"limits": {"iterations": 100}}, 100),
        ({}, {"limits": {"iterations": None}}, None),
        ({}, {}, None),
        ({"iterations": "many"}, {"limits": "none"}, None),
    ],
)
def test_the_smaller_limit_held(
    effective: dict[str, object], environment: dict[str, object], limit: int | None
) -> None:
    assert iteration_limit_of(summary(effective=effective, environment=environment)) == limit


def test_without_a_summary_no_limit_is_known() -> None:
    assert iteration_limit_of(None) is None


def test_completion_is_an_ending_and_failed_tests_are_those_that_ran() -> None:
    tests = tuple(TestResult(status, status) for status in TestStatus)
    verdict = RunVerdict(False, "completed", tests)
    assert verdict.reports_completion
    assert [test.id for test in verdict.failed_tests] == ["failed"]
    assert not RunVerdict(False, "time_limit").reports_completion


@pytest.mark.parametrize(
    ("floor", "gain"), [(0, 0.5), (1, 1 / 3), (2, 0.0), (3, -1.0), (4, None), (-1, None), (None, None)]
)
def test_the_gain_is_measured_from_the_tests_that_pass_on_untouched_code(
    floor: int | None, gain: float | None
) -> None:
    tests = tuple(TestResult(str(n), TestStatus.PASSED if n < 2 else TestStatus.FAILED) for n in range(4))
    assert RunVerdict(False, "completed", tests, floor_passed=floor).gain == gain
