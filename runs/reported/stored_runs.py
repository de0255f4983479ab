"""The rows of reported results in the database: runs, the names of their tests, the sources of their trajectories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from runs.analysis.facts import INFRASTRUCTURE_FAILED
from runs.models import Evaluation, ReportedTests, Run, TrajectorySource
from runs.reported.bulk_rows import insert_rows
from runs.reported.reported_result import ReportedResult, SettledResult
from runs.reported.staged_records import StagedRecords

_LONGEST_PLACE, _LONGEST_PART = 1000, 300
_FAILURE = Run._meta.get_field("failure").max_length or 40
# Of a run, beside the ids: the fields that differ between results, in the order of _values and _recorded.
_VARYING = (
    *("key", "agent_id", "task_id", "attempt", "outcome", "ending", "detail", "failure"),
    *("tests_total", "tests_passed", "iterations", "tool_calls", "prompt_tokens", "completion_tokens"),
    *("cached_tokens", "cost_usd", "act_seconds", "started_at", "finished_at"),
    *("directory", "steps", "failed_calls", "reasoning_tokens"),
    *("files_changed", "lines_added", "lines_removed"),
)
_UNKNOWN = ("prepare_seconds", "grade_seconds")


def store_runs(
    evaluation: Evaluation,
    results: Sequence[ReportedResult],
    agents: Mapping[str, int],
    tasks: Mapping[str, int],
    records: StagedRecords,
) -> list[SettledResult]:
    """Stores the runs of an evaluation, with names of tests, and where their trajectories come from."""
    fixed = {
        "evaluation_id": evaluation.pk,
        "state": Run.State.FINISHED,
        "queued_at": evaluation.imported_at,
        **dict.fromkeys(_UNKNOWN),
    }
    adapt = connection.ops.adapt_datetimefield_value  # looking it up for each row takes as long as its work
    rows = (
        (*_values(evaluation, one, agents, tasks, adapt), *_recorded(evaluation, one, records))
        for one in results
    )
    insert_rows(Run, fixed, _VARYING, rows)
    numbers = {
        (agent, task, attempt): pk
        for agent, task, attempt, pk in evaluation.runs.order_by().values_list(
            "agent_id", "task_id", "attempt", "pk"
        )
    }
    stored = [SettledResult(numbers[agents[one.agent], tasks[one.task], one.attempt], one) for one in results]
    named = [one for one in stored if one.result.failed_tests or one.result.passed_tests]
    names = ReportedTests._meta.get_field("failed").get_db_prep_save
    tests = (
        (one.pk, names(one.result.failed_tests, connection), names(passed, connection))
        for one, passed in _passed(named)
    )
    insert_rows(ReportedTests, {}, ("run_id", "failed", "passed"), tests)
    _store_sources(stored)
    return stored


def _values(
    evaluation: Evaluation,
    one: ReportedResult,
    agents: Mapping[str, int],
    tasks: Mapping[str, int],
    adapt: Callable[[datetime], Any],
) -> tuple[Any, ...]:
    agent, task = agents[one.agent], tasks[one.task]
    failed = one.outcome == INFRASTRUCTURE_FAILED
    return (
        f"{evaluation.slug}/{agent}/{task}/{one.attempt}",
        *(agent, task, one.attempt, one.outcome, one.ending, one.detail),
        (one.detail or "reported")[:_FAILURE] if failed else "",
        *(one.tests_total, one.tests_passed, one.iterations, one.tool_calls),
        *(one.prompt_tokens, one.completion_tokens, one.cached_tokens, one.cost_usd, one.seconds),
        # They are in UTC already; Django would convert each, which takes longer than the rest of this row.
        one.started_at and adapt(one.started_at.replace(tzinfo=None)),
        one.finished_at and adapt(one.finished_at.replace(tzinfo=None)),
    )


def _store_sources(stored: Sequence[SettledResult]) -> None:
    TrajectorySource.objects.bulk_create(
        (
            TrajectorySource(
                run_id=one.pk,
                form=found.form,
                file=found.place[:_LONGEST_PLACE],
                part=found.part[:_LONGEST_PART],
                digest=found.key,
            )
            for one in stored
            if (found := one.result.trajectory) is not None
        ),
        batch_size=500,
    )


def _recorded(evaluation: Evaluation, one: ReportedResult, records: StagedRecords) -> tuple[Any, ...]:
    """What only a trajectory says, in the order of the last fields of _VARYING."""
    found = records.of(one)
    if found is None:
        return "", None, None, None, None, None, None
    return (
        *(records.directory(evaluation.slug, one), found.steps, found.failed_calls, found.reasoning_tokens),
        *(found.files_changed, found.lines_added, found.lines_removed),
    )


def _passed(named: Sequence[SettledResult]) -> Iterator[tuple[SettledResult, Sequence[str]]]:
    """The names of passed tests. Where a source names failed ones only, they come from other attempts at the task.

    A test that another attempt failed, and that is not among all named failures of this one, passed in it.
    """
    by_task: dict[str, dict[str, None]] = defaultdict(dict)
    for one in named:
        by_task[one.result.task].update(dict.fromkeys(one.result.failed_tests))
    for one in named:
        result = one.result
        total, passed = result.tests_total or 0, result.tests_passed or 0
        if result.passed_tests or len(result.failed_tests) != total - passed:
            yield one, result.passed_tests
        else:
            failed = set(result.failed_tests)
            others = [test for test in by_task[result.task] if test not in failed]
            yield one, others if len(others) <= passed else ()
