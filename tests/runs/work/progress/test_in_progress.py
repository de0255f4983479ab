"""Active runs and those that wait."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from runs.data.queries.visibility import ANONYMOUS
from runs.models import Run, Try
from runs.work.progress.in_progress import ActiveRun, Waiting, active_runs, last_step, runs_ahead, waiting_of
from tests.runs.cast import Cast, act, add_try, recorder_of

pytestmark = pytest.mark.django_db

RUNNING: dict[str, Any] = {"state": Run.State.RUNNING, "outcome": "", "ending": ""}
QUEUED: dict[str, Any] = {"state": Run.State.QUEUED, "outcome": "", "ending": "", "directory": ""}


def test_the_last_step_is_the_last_whole_line(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    assert last_step(run.path) is None
    recorder = recorder_of(run)
    assert last_step(run.path) is None  # a header alone
    act(recorder, "read_file", {"path": "a"})
    with (run.path / "trajectory.jsonl").open("a") as file:
        file.write('{"step_id": 2, "mess')
    assert last_step(run.path) == 1


def test_a_step_longer_than_the_end_that_is_read_is_unknown(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    recorder = recorder_of(run)
    act(recorder, "read_file", {"path": "a"})
    act(recorder, "read_file", {"path": "b"}, "x" * 256 * 1024)
    assert last_step(run.path) is None
    act(recorder, "read_file", {"path": "c"})
    assert last_step(run.path) == 3


def test_active_runs_come_with_their_live_try_oldest_first(cast: Cast) -> None:
    agent, task = cast.alice(), cast.add_tasks(1)[0]
    now = timezone.now()
    late = cast.add_run(agent, task, 1, **{**RUNNING, "started_at": now, "directory": ""})
    early = cast.add_run(agent, task, 2, **{**RUNNING, "started_at": now - timedelta(hours=1)})
    cast.add_run(agent, task, 3)
    cast.add_run(agent, task, 4, **QUEUED)
    add_try(early, 1, Try.State.LOST, worker="old")
    live = add_try(early, 2, Try.State.LIVE, worker="new")
    act(recorder_of(early), "read_file", {"path": "a"})

    first, second = active_runs(Run.objects.all(), ANONYMOUS)

    assert (first.run, first.since, first.step, first.worker) == (early, live.started_at, 1, "new")
    assert second == ActiveRun(late, since=now, step=None, worker="", silent=0.0)


def test_a_run_may_be_lost_after_half_of_the_time_without_a_heartbeat(cast: Cast, settings: Any) -> None:
    settings.LOST_AFTER_SECONDS = 60
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    assert not ActiveRun(run, None, None, "", silent=30.0).may_be_lost
    assert ActiveRun(run, None, None, "", silent=30.1).may_be_lost


def test_of_queued_runs_those_that_wait_for_a_retry_are_named(cast: Cast) -> None:
    agent, task = cast.alice(), cast.add_tasks(1)[0]
    now = timezone.now()
    cast.add_run(agent, task, 1, **QUEUED)
    later = cast.add_run(agent, task, 2, not_before=now + timedelta(minutes=2), **QUEUED)
    sooner = cast.add_run(agent, task, 3, not_before=now + timedelta(minutes=1), **QUEUED)

    found = waiting_of(cast.evaluation, Run.objects.all(), queued=3, active=1, shown=9, reader=ANONYMOUS)

    assert found == Waiting(queued=3, again=2, first=(sooner, later), ahead=0)
    assert found.ready == 1
    assert waiting_of(cast.evaluation, Run.objects.all(), 3, 1, shown=1, reader=ANONYMOUS).first == (sooner,)
    assert waiting_of(cast.evaluation, Run.objects.all(), 0, 0, shown=9, reader=ANONYMOUS) == Waiting(
        0, 0, (), 0
    )


def test_runs_of_others_are_ahead_if_they_are_active_or_were_queued_before(
    cast: Cast, admin_user: User
) -> None:
    agent, task = cast.alice(), cast.add_tasks(1)[0]
    others: dict[str, Any] = {"evaluation": cast.add_evaluation("neap", "Neap")}
    cast.add_run(agent, task, 1, **QUEUED, **others)
    cast.add_run(agent, task, 2, not_before=timezone.now(), **QUEUED, **others)
    cast.add_run(agent, task, 3, **others)
    assert runs_ahead(cast.evaluation.pk, ANONYMOUS) == 0  # nothing of it waits
    cast.add_run(agent, task, 1, **QUEUED)
    cast.add_run(agent, task, 4, **QUEUED, **others)
    assert runs_ahead(cast.evaluation.pk, ANONYMOUS) == 1
    cast.add_run(agent, task, 5, **RUNNING, **others)
    assert runs_ahead(cast.evaluation.pk, ANONYMOUS) == 2
    cast.add_run(agent, cast.add_hidden_task(), 1, **RUNNING, **others)
    assert runs_ahead(cast.evaluation.pk, ANONYMOUS) == 2
    assert runs_ahead(cast.evaluation.pk, admin_user) == 3
