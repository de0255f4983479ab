"""The rows of reported results."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from runs.intake.reported.storing import store
from runs.models import ReportedTests, Run
from tests.runs.intake.reported.made_results import reported, result

pytestmark = pytest.mark.django_db


def test_what_a_result_does_not_say_is_unknown_in_its_row() -> None:
    store(reported([result("Ada", "task-1")]))
    run = Run.objects.get()
    unknown = (
        "steps",
        "failed_calls",
        "prepare_seconds",
        "grade_seconds",
        "files_changed",
        "lines_added",
        "cost_usd",
    )
    assert {name: getattr(run, name) for name in unknown} == dict.fromkeys(unknown)
    assert (run.directory, run.outcome, run.failure) == ("", "resolved", "")


def test_what_it_says_is_in_its_row() -> None:
    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    one = result(
        *("Ada", "task-1", 3),
        won=False,
        prompt_tokens=100,
        completion_tokens=20,
        seconds=1.5,
        started_at=noon,
        tests_total=2,
        tests_passed=1,
        failed_tests=("b",),
    )
    store(reported([one]))
    run = Run.objects.get()
    assert (run.attempt, run.tokens, run.act_seconds, run.started_at) == (3, 120, 1.5, noon)
    assert ReportedTests.objects.get().failed == ["b"]


def test_an_unknown_outcome_is_a_run_without_a_cell() -> None:
    store(reported([result("Ada", "task-1", outcome=""), result("Ada", "task-2")]))
    assert set(Run.objects.values_list("outcome", "task__title")) == {("", "task-1"), ("resolved", "task-2")}
    assert [cell.task.title for cell in Run.objects.first().agent.cells.all()] == ["task-2"]  # type: ignore[union-attr]
