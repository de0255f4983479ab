"""Runs as flat rows."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.models import Run, TrajectorySource
from runs.transfer.export_columns import COLUMNS, COUNTED, OF_USER
from runs.transfer.run_rows import batches, moment, rows_of
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Agents, tasks and runs to export."""
    return Cast()


def test_batches_have_no_gaps_and_ignore_new_runs(cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    alice = cast.alice()
    known = [cast.add_run(alice, task, attempt).pk for attempt in range(1, 8)]
    found: list[int] = []
    for number, batch in enumerate(batches(Run.objects.all(), 3)):
        found += [row["id"] for row in batch]
        cast.add_run(alice, task, 100 + number)

    assert found == known[::-1]


def test_a_run_without_a_record_has_no_counts(cast: Cast) -> None:
    waiting: dict[str, Any] = {"state": Run.State.QUEUED, "outcome": "", "ending": "", "started_at": None}
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], finished_at=None, **waiting)
    (row,) = rows_of(Run.objects.all())
    assert list(row) == [column.name for column in COLUMNS]
    assert {row[column.name] for column in (*COUNTED, *OF_USER)} == {None}
    assert (row["outcome"], row["ending"], row["detail"], row["failure"]) == (None, None, None, None)
    assert (row["state"], row["flags"], row["odd"], row["grading_reason"]) == ("queued", [], [], None)


def test_steps_make_a_record_even_without_a_verdict(cast: Cast) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], outcome=Run.Outcome.INFRASTRUCTURE_FAILED, steps=3)
    (row,) = rows_of(Run.objects.all())
    assert (row["steps"], row["prompt_tokens"], row["cost_usd"]) == (3, 900, 0.25)


def test_invalid_values_are_named_and_null(cast: Cast) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], odd="act_seconds similarity")
    (row,) = rows_of(Run.objects.all())
    assert (row["odd"], row["act_seconds"], row["prompt_tokens"]) == (
        ["act_seconds", "similarity"],
        None,
        900,
    )
    assert "similarity" not in row


def test_rows_have_the_names_of_what_they_belong_to(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cast.add_run(
        cast.oracle(),
        cast.add_tasks(1)[0],
        flags=[{"kind": "ignored"}, {"kind": "tests"}],
        similarity={"lines": 0.5, "file_recall": 1.0, "tokens": 0.25},
    )
    with django_assert_num_queries(4):
        (row,) = rows_of(Run.objects.all())
    names = ("evaluation", "listed", "dataset", "repository", "task", "agent", "agent_kind", "model")
    assert [row[name] for name in names] == [
        *("spring-tide", True, "ports", "harbour", "tide-1", "oracle", "oracle", None),
    ]
    assert row["flags"] == ["ignored", "tests"]
    similar = [
        row[f"similarity_{name}"] for name in ("lines", "file_precision", "file_recall", "file_f1", "tokens")
    ]
    assert similar == [0.5, None, 1.0, None, 0.25]


def test_no_runs_make_no_batch(cast: Cast) -> None:
    assert list(batches(Run.objects.all())) == []


def test_moments_are_written_in_utc() -> None:
    paris = timezone(timedelta(hours=2))
    assert moment(datetime(2026, 3, 1, 1, 30, tzinfo=paris)) == "2026-02-28T23:30:00Z"
    assert moment(None) is None


def test_a_simulated_user_has_numbers_of_its_own(cast: Cast) -> None:
    alice = cast.alice()
    cast.add_run(alice, cast.add_tasks(1)[0])
    user: dict[str, Any] = {
        "user_turns": 4,
        "user_ending": "message_limit",
        "user_prompt_tokens": 2000,
        "user_completion_tokens": 100,
        "user_cost_usd": 0.5,
    }
    cast.add_run(alice, cast.add_workflow("toxic")[0], **user)
    talk, plain = rows_of(Run.objects.order_by("-pk"))
    assert {column.name: talk[column.name] for column in OF_USER} == user
    assert (talk["prompt_tokens"], talk["cost_usd"]) == (900, 0.25)
    assert {plain[column.name] for column in OF_USER} == {None}


def test_a_run_of_which_no_step_is_known_has_no_counts(cast: Cast) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], outcome=Run.Outcome.INFRASTRUCTURE_FAILED, steps=None)
    (row,) = rows_of(Run.objects.all())
    assert (row["steps"], row["prompt_tokens"]) == (None, None)


def test_a_row_has_budgets_repairs_and_the_tool_that_wrote_the_trajectory(cast: Cast) -> None:
    run = cast.add_run(
        cast.alice(),
        cast.add_tasks(1)[0],
        **{"tool_uses": 4, "submissions": 2, "solved_at_submission": 1, "targets_found": True},
        solved_elsewhere=True,
    )
    TrajectorySource.objects.create(run=run, form="ATIF", file="a.json", digest="d")
    (row,) = rows_of(Run.objects.all())
    assert (row["tool_uses"], row["submissions"], row["solved_at_submission"]) == (4, 2, 1)
    assert (row["targets_found"], row["solved_elsewhere"], row["trajectory_form"]) == (True, True, "ATIF")
