"""The state of the whole site."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from runs.data.queries.visibility import ANONYMOUS
from runs.jobs import queue
from runs.jobs.job_kinds import EXECUTE, try_id
from runs.models import Run, Try
from runs.operations.monitoring.health import NO_ENGINE, NO_REDIS
from runs.operations.monitoring.live_supervisors import SessionPlaces, store_places
from runs.operations.monitoring.live_workers import store_sweeper_heartbeat
from runs.operations.monitoring.site_status import SiteState, site_state, workers_seen_by
from runs.work.execution.rq_workers import RunWorker
from tests.conftest import RedisServer
from tests.runs.cast import Cast, add_try

pytestmark = pytest.mark.django_db

OPEN: dict[str, Any] = {"outcome": "", "ending": ""}


def summaries(state: SiteState) -> dict[str, str]:
    """Each part with its trouble or its summary."""
    return {part.name: part.trouble or part.summary for part in state.parts}


@pytest.mark.usefixtures("all_down")
def test_a_site_without_services_says_what_is_down_and_what_is_unknown() -> None:
    found = site_state(ANONYMOUS, operator=False)
    parts = summaries(found)
    assert (parts["Redis"], parts["Container engine"]) == (NO_REDIS, NO_ENGINE)
    assert (parts["Workers"], parts["Analysis"], parts["Sweeper"]) == ("unknown", "unknown", "unknown")
    assert found.troubles == (NO_REDIS, NO_ENGINE)
    assert (found.worker_status, found.workers) == (None, ())


@pytest.mark.usefixtures("all_down")
def test_runs_are_counted_by_state_and_the_oldest_of_the_ready_ones_is_named() -> None:
    cast = Cast()
    alice, task = cast.alice(), cast.add_tasks(1)[0]
    states = (Run.State.PREPARING, Run.State.RUNNING, Run.State.QUEUED, Run.State.QUEUED, Run.State.QUEUED)
    for attempt, state in enumerate(states, 1):
        cast.add_run(alice, task, attempt, state=state, **OPEN)
    cast.add_run(alice, task, 6)
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    Run.objects.filter(attempt=4).update(queued_at=noon)
    Run.objects.filter(attempt=5).update(queued_at=noon - timedelta(hours=1), not_before=timezone.now())

    found = site_state(ANONYMOUS, operator=False)

    assert found.states == {"preparing": 1, "running": 1, "queued": 3}
    assert (found.active, found.queued, found.later, found.oldest) == (2, 3, 1, noon)


@pytest.mark.redis
def test_workers_come_with_the_try_that_a_reader_may_see(redis: RedisServer, admin_user: User) -> None:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], state=Run.State.RUNNING, **OPEN)
    live = add_try(run, 1, Try.State.LIVE)
    for number, job in enumerate((try_id(run, 1), "")):
        worker = RunWorker(["runs"], connection=queue.connection())
        worker.hostname = f"tide-{number}"
        worker.register_birth()
        worker.set_current_job_id(job)
    store_sweeper_heartbeat()

    shown = site_state(ANONYMOUS, operator=False)
    assert [(row.number, row.worker.host, row.live) for row in shown.workers] == [
        (1, "tide-0", live),
        (2, "tide-1", None),
    ]
    parts = summaries(shown)
    assert (parts["Workers"], parts["Sweeper"], parts["Redis"]) == ("2 alive, 1 at work", "works", "responds")

    cast.dataset.hidden = True
    cast.dataset.save()
    assert [row.live for row in site_state(ANONYMOUS, operator=False).workers] == [None, None]
    assert [row.live for row in site_state(admin_user, operator=True).workers] == [live, None]


@pytest.mark.redis
def test_jobs_of_hidden_runs_are_neither_shown_nor_counted(redis: RedisServer, admin_user: User) -> None:
    cast = Cast()
    alice = cast.alice()
    run = cast.add_run(alice, cast.add_hidden_task(), state=Run.State.RUNNING, **OPEN)
    waiting = cast.add_run(alice, run.task, 2, state=Run.State.QUEUED, **OPEN)
    add_try(run, 1, Try.State.LIVE)
    worker = RunWorker(["runs"], connection=queue.connection())
    worker.register_birth()
    worker.set_current_job_id(try_id(run, 1))
    queue.enqueue(EXECUTE, [waiting])

    public, whole = site_state(ANONYMOUS, operator=False), site_state(admin_user, operator=True)

    assert public.worker_status is not None
    assert (public.worker_status.busy, public.worker_status.jobs) == (0, 0)
    assert [row.worker.busy for row in public.workers] == [False]
    assert summaries(public)["Workers"] == "1 alive, 0 at work"
    assert workers_seen_by(ANONYMOUS) == public.worker_status
    assert whole.worker_status is not None
    assert (whole.worker_status.busy, whole.worker_status.jobs) == (1, 1)
    assert workers_seen_by(admin_user) == whole.worker_status


@pytest.mark.usefixtures("all_down")
def test_only_operators_see_the_engine(admin_user: User) -> None:
    def engine(state: SiteState) -> str:
        return next(part.detail for part in state.parts if part.name == "Container engine")

    assert engine(site_state(ANONYMOUS, operator=False)) == ""
    assert engine(site_state(admin_user, operator=True)) != ""


@pytest.mark.usefixtures("all_down")
def test_runs_of_hidden_datasets_are_counted_for_those_alone_who_may_see_them(admin_user: User) -> None:
    cast = Cast()
    cast.add_run(cast.alice(), cast.add_hidden_task(), state=Run.State.QUEUED, **OPEN)

    public, whole = site_state(ANONYMOUS, operator=False), site_state(admin_user, operator=True)

    assert (public.states, public.oldest) == ({}, None)
    assert whole.states == {"queued": 1}
    assert whole.oldest is not None


@pytest.mark.redis
def test_the_places_for_sessions_of_people_are_a_part(redis: RedisServer) -> None:
    assert summaries(site_state(ANONYMOUS, operator=False))["Sessions of people"] == "unknown"
    store_places(SessionPlaces(1, 3))
    assert summaries(site_state(ANONYMOUS, operator=False))["Sessions of people"] == "1 of 3 executed"
