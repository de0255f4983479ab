"""The state of the whole site: its parts, its workers, its queue."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import django
from django.db import connection
from django.db.models import Count, Min
from redis import RedisError

from harness import __version__
from runs.data.queries.filters import waits_for_worker
from runs.data.queries.visibility import Reader, sees_hidden, visible
from runs.jobs.disk_space import free_bytes
from runs.jobs.job_kinds import try_id
from runs.models import Run, Try
from runs.operations.monitoring.health import (
    NO_ENGINE,
    NO_REDIS,
    NO_SPACE,
    NO_SWEEPER,
    NO_WORKER,
    engine_status,
    problems,
)
from runs.operations.monitoring.live_supervisors import session_places
from runs.operations.monitoring.live_workers import Worker, WorkerStatus, worker_status
from runs.presentation.formatting.numbers import gigabytes


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the site. `trouble` is empty while it works; `detail` is for operators."""

    name: str
    trouble: str
    summary: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker and the try that it works on. `live` is None if it is idle, or works on something else than a run."""

    number: int
    worker: Worker
    live: Try | None


@dataclass(frozen=True, slots=True)
class SiteState:
    """The content of the page. `oldest`: when the oldest of the runs that could start now was queued.

    `later`: the number of queued runs that wait to be tried again.
    """

    troubles: tuple[str, ...]
    parts: tuple[Component, ...]
    states: Mapping[str, int]
    later: int
    oldest: datetime | None
    worker_status: WorkerStatus | None
    workers: tuple[WorkerRow, ...]

    @property
    def active(self) -> int:
        """The number of runs in progress."""
        return sum(self.states.get(state, 0) for state in Run.ACTIVE)

    @property
    def queued(self) -> int:
        """The number of runs that have not started."""
        return self.states.get(Run.State.QUEUED, 0)


def site_state(reader: Reader, *, operator: bool) -> SiteState:
    """The whole state, with the runs that this reader may see, in three queries."""
    runs = visible(Run.objects.all(), reader)
    ready = runs.filter(waits_for_worker()).aggregate(oldest=Min("queued_at"), n=Count("pk"))
    live = _live_by_job(reader)
    found = _as_seen(worker_status(), live, ready["n"], reader)
    open_runs = runs.filter(state__in=Run.OPEN).order_by().values_list("state")
    states = dict(open_runs.annotate(n=Count("pk")))
    return SiteState(
        troubles=problems(),
        parts=_parts(found, operator=operator),
        states=states,
        later=states.get(Run.State.QUEUED, 0) - ready["n"],
        oldest=ready["oldest"],
        worker_status=found,
        workers=_at_work(found, live),
    )


def workers_seen_by(reader: Reader) -> WorkerStatus | None:
    """The workers, as far as they work on runs that this reader may see. None if Redis does not respond."""
    found = worker_status()
    if found is None or sees_hidden(reader):
        return found
    waiting = visible(Run.objects.filter(waits_for_worker()), reader)
    return _as_seen(found, _live_by_job(reader), waiting.count(), reader)


def _as_seen(
    found: WorkerStatus | None, live: Mapping[str, Try], waiting: int, reader: Reader
) -> WorkerStatus | None:
    """Without the jobs of hidden runs: a busy worker without a run, or a longer queue than there are runs, is one."""
    return found if found is None or sees_hidden(reader) else found.limited_to(live, waiting)


def _live_by_job(reader: Reader) -> Mapping[str, Try]:
    live = visible(Try.objects.filter(state=Try.State.LIVE), reader)
    shown = live.select_related("run__agent", "run__task__repository", "run__evaluation")
    return {try_id(one.run, one.number): one for one in shown}


def _at_work(found: WorkerStatus | None, live: Mapping[str, Try]) -> tuple[WorkerRow, ...]:
    workers = found.workers if found else ()
    return tuple(WorkerRow(number, worker, live.get(worker.job)) for number, worker in enumerate(workers, 1))


def _parts(found: WorkerStatus | None, *, operator: bool) -> tuple[Component, ...]:
    down = set(problems())
    began = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    took = 1000 * (time.perf_counter() - began)
    engine = engine_status() if operator else None
    free = free_bytes()
    space = "unknown" if free is None else f"{gigabytes(free)} free for run directories"
    workers = f"{found.count} alive, {found.busy} at work" if found else "unknown"
    sweepers = ", ".join(host for host, _ in found.sweepers) if found else ""
    return (
        Component(
            "Pages",
            "",
            f"BenchBench {__version__}",
            f"Python {platform.python_version()}, Django {django.__version__}",
        ),
        Component(
            "Database",
            "",
            "responds at once" if took < 1 else f"responds in {took:.0f} ms",
            connection.vendor,
        ),
        Component("Redis", NO_REDIS if NO_REDIS in down else "", "responds" if found else "does not respond"),
        Component("Workers", NO_WORKER if NO_WORKER in down else "", workers),
        Component("Analysis", "", "a worker responds" if found and found.for_analysis else "unknown"),
        Component(
            "Sweeper", NO_SWEEPER if NO_SWEEPER in down else "", "works" if sweepers else "unknown", sweepers
        ),
        Component(
            "Container engine",
            NO_ENGINE if NO_ENGINE in down else "",
            "none responds" if NO_ENGINE in down else "responds",
            (engine.description or f"{engine.reason} {engine.remedy}") if engine else "",
        ),
        Component("Sessions of people", "", _sessions(), "manage.py play --forever"),
        Component("Disk", NO_SPACE if NO_SPACE in down else "", space),
    )


def _sessions() -> str:
    """The sessions that supervisors execute, and how many they may; 'unknown' without a supervisor."""
    try:
        found = session_places()
    except RedisError:
        return "unknown"
    return f"{found.taken} of {found.most} executed" if found else "unknown"
