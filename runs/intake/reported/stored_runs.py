"""The rows of reported results in the database: runs, the names of their tests, the sources of their trajectories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from runs.analysis.facts import INFRASTRUCTURE_FAILED
from runs.analysis.outcomes.corrected import corrected_outcome
from runs.data.run_facts.count_trajectory import store_new_counts
from runs.intake.reported.bulk_rows import insert_rows
from runs.intake.reported.reported_result import ReportedResult, SettledResult
from runs.intake.reported.staged_records import StagedRecords
from runs.models import Counts, Evaluation, ReportedTests, Run, RunExploit, RunSign, TrajectorySource

_MAX_PLACE_LENGTH, _MAX_PART_LENGTH = 1000, 300
_FAILURE = Run._meta.get_field("failure").max_length or 40
# Of a run, beside what identifies it: the fields that differ between results, in the order of _values and _recorded.
_SAID = (
    *("outcome", "corrected_outcome", "ending", "detail", "failure"),
    *("tests_total", "tests_passed", "iterations", "tool_calls", "prompt_tokens", "completion_tokens"),
    *("cached_tokens", "cost_usd", "act_seconds", "started_at", "finished_at"),
    "trajectory_url",
    *("directory", "steps", "failed_calls", "reasoning_tokens"),
    *("files_changed", "lines_added", "lines_removed"),
)
_IDENTITY = ("key", "tries", "agent_id", "task_id", "attempt")
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
    # They are in UTC already; Django would convert each, which takes longer than the rest of its row.
    adapt = _in_sqlite if connection.vendor == "sqlite" else _unchanged
    rows = (
        (
            *_identity(evaluation, one, agents, tasks, records),
            *_values(one, adapt),
            *_recorded(evaluation.slug, one, records),
        )
        for one in results
    )
    insert_rows(Run, fixed, (*_IDENTITY, *_SAID), rows)
    numbers = {
        (agent, task, attempt): pk
        for agent, task, attempt, pk in evaluation.runs.order_by().values_list(
            "agent_id", "task_id", "attempt", "pk"
        )
    }
    stored = []
    for one in results:
        recorded = records.of(one)
        number = numbers[agents[one.agent], tasks[one.task], one.attempt]
        stored.append(SettledResult(number, one, recorded.steps if recorded else None))
    _store_tests(stored)
    _store_sources(stored)
    return stored


def update_runs(grown: Sequence[tuple[Run, ReportedResult]], records: StagedRecords, home: str) -> None:
    """Stores what longer trajectories say about these runs. Call it in a transaction.

    `home`: the directory of the import in which their run directories will be.
    """
    for run, result in grown:
        values = (*_values(result, _unchanged), *_recorded(home, result, records))
        for name, value in zip(_SAID, values, strict=True):
            setattr(run, name, value)
        run.save(update_fields=[*_SAID, "tries"])
    stored = [SettledResult(run.pk, result) for run, result in grown]
    numbers = [run.pk for run, _ in grown]
    for model in (ReportedTests, TrajectorySource, Counts, RunSign, RunExploit):
        model._default_manager.filter(run__in=numbers).delete()
    _store_tests(stored)
    _store_sources(stored)
    counted = ((run.pk, records.count_of(result)) for run, result in grown)
    store_new_counts({pk: one for pk, one in counted if one is not None})


def attach_records(
    attached: Sequence[tuple[Run, ReportedResult, Mapping[str, Any]]], records: StagedRecords, home: str
) -> None:
    """Gives runs of a board the records of their trajectories, whose results say what the runs say. In a transaction.

    Only what is a fact of the record is stored; what the trajectory says of the attempt itself is beside its source.
    `home`: the directory of the import in which their run directories will be.
    """
    names = ("directory", "steps", "failed_calls", "files_changed", "lines_added", "lines_removed")
    for run, result, _ in attached:
        recorded = records.of(result)
        assert recorded is not None
        run.key, run.tries, run.directory = recorded.key, recorded.tries, records.directory(home, result)
        for name in names[1:]:
            setattr(run, name, getattr(recorded, name))
    Run.objects.bulk_update([run for run, *_ in attached], ("key", "tries", *names), batch_size=100)
    _store_sources(
        [SettledResult(run.pk, result) for run, result, _ in attached],
        {run.pk: stated for run, _, stated in attached},
    )
    counted = ((run.pk, records.count_of(result)) for run, result, _ in attached)
    store_new_counts({pk: one for pk, one in counted if one is not None})


def _store_tests(stored: Sequence[SettledResult]) -> None:
    """Stores the names of tests."""
    named = [one for one in stored if one.result.failed_tests or one.result.passed_tests]
    names = ReportedTests._meta.get_field("failed").get_db_prep_save
    tests = (
        (one.pk, names(one.result.failed_tests, connection), names(passed, connection))
        for one, passed in _passed(named)
    )
    insert_rows(ReportedTests, {}, ("run_id", "failed", "passed"), tests)


def _identity(
    evaluation: Evaluation,
    one: ReportedResult,
    agents: Mapping[str, int],
    tasks: Mapping[str, int],
    records: StagedRecords,
) -> tuple[Any, ...]:
    agent, task, recorded = agents[one.agent], tasks[one.task], records.of(one)
    key = recorded.key if recorded else ""
    tries = recorded.tries if recorded else 0
    return key or f"{evaluation.slug}/{agent}/{task}/{one.attempt}", tries, agent, task, one.attempt


def _in_sqlite(moment: datetime) -> str:
    """A time in UTC as SQLite stores it."""
    return str(moment.replace(tzinfo=None))


def _unchanged(moment: datetime) -> datetime:
    return moment


def _values(one: ReportedResult, adapt: Callable[[datetime], Any]) -> tuple[Any, ...]:
    failed = one.outcome == INFRASTRUCTURE_FAILED
    return (
        *(one.outcome, corrected_outcome(one.outcome, one.judged), one.ending, one.detail),
        (one.detail or "reported")[:_FAILURE] if failed else "",
        *(one.tests_total, one.tests_passed, one.iterations, one.tool_calls),
        *(one.prompt_tokens, one.completion_tokens, one.cached_tokens, one.cost_usd, one.seconds),
        one.started_at and adapt(one.started_at),
        one.finished_at and adapt(one.finished_at),
        one.trajectory_url,
    )


def _store_sources(
    stored: Sequence[SettledResult], stated: Mapping[int, Mapping[str, Any]] | None = None
) -> None:
    """`stated`: by run of a board, what its trajectory says of it."""
    TrajectorySource.objects.bulk_create(
        (
            TrajectorySource(
                run_id=one.pk,
                form=found.form,
                file=found.place[:_MAX_PLACE_LENGTH],
                part=found.part[:_MAX_PART_LENGTH],
                digest=found.key,
                session=found.stored_session,
                stated=dict(stated[one.pk]) if stated else None,
            )
            for one in stored
            if (found := one.result.trajectory) is not None
        ),
        batch_size=500,
    )


def _recorded(home: str, one: ReportedResult, records: StagedRecords) -> tuple[Any, ...]:
    """What only a trajectory says, in the order of the last fields of _SAID."""
    found = records.of(one)
    if found is None:
        return "", None, None, None, None, None, None
    return (
        *(records.directory(home, one), found.steps, found.failed_calls, found.reasoning_tokens),
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
