"""The state of the whole site: what works, who works on what, what waits."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import django
from django.db import connection
from django.db.models import Count, Min

from harness import __version__
from runs.formatting.numbers import gigabytes
from runs.models import Run, Try
from runs.monitoring.disk_space import free_bytes
from runs.monitoring.engine_status import engine_status
from runs.monitoring.health import NO_ENGINE, NO_REDIS, NO_SPACE, NO_SWEEPER, NO_WORKER, troubles
from runs.monitoring.live_workers import Crew, Worker, crew
from runs.queries.visibility import Reader, visible_tries
from runs.queue import job_id


@dataclass(frozen=True, slots=True)
class Component:
    """Something that must work. `trouble` is empty while it does; `detail` is for operators."""

    name: str
    trouble: str
    told: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class AtWork:
    """A worker and the try in its hands. `live` is None for one that waits for work, or whose run is not shown."""

    number: int
    worker: Worker
    live: Try | None


@dataclass(frozen=True, slots=True)
class SiteState:
    """What the page says. `oldest`: since when the run that waits longest waits, of those that could be taken."""

    troubles: tuple[str, ...]
    parts: tuple[Component, ...]
    states: Mapping[str, int]
    later: int
    oldest: datetime | None
    crew: Crew | None
    workers: tuple[AtWork, ...]

    @property
    def active(self) -> int:
        """Runs under way."""
        return sum(self.states.get(state, 0) for state in Run.ACTIVE)

    @property
    def queued(self) -> int:
        """Runs that nobody works on yet."""
        return self.states.get(Run.State.QUEUED, 0)


def site_state(reader: Reader, *, operator: bool) -> SiteState:
    """Everything, in three queries."""
    found = crew()
    queued = Run.objects.filter(state=Run.State.QUEUED)
    ready = queued.filter(not_before__isnull=True).aggregate(oldest=Min("queued_at"), n=Count("pk"))
    open_runs = Run.objects.filter(state__in=Run.OPEN).order_by().values_list("state")
    states = dict(open_runs.annotate(n=Count("pk")))
    return SiteState(
        troubles=troubles(),
        parts=_parts(found, operator=operator),
        states=states,
        later=states.get(Run.State.QUEUED, 0) - ready["n"],
        oldest=ready["oldest"],
        crew=found,
        workers=_at_work(found, reader),
    )


def _at_work(found: Crew | None, reader: Reader) -> tuple[AtWork, ...]:
    if found is None:
        return ()
    live = visible_tries(Try.objects.filter(state=Try.State.LIVE), reader)
    shown = live.select_related("run__agent", "run__task__repository", "run__evaluation")
    by_job = {job_id(one.run, one.number): one for one in shown}
    return tuple(
        AtWork(number, worker, by_job.get(worker.job)) for number, worker in enumerate(found.workers, 1)
    )


def _parts(found: Crew | None, *, operator: bool) -> tuple[Component, ...]:
    down = set(troubles())
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
            "Database", "", "answers at once" if took < 1 else f"answers in {took:.0f} ms", connection.vendor
        ),
        Component("Redis", NO_REDIS if NO_REDIS in down else "", "answers" if found else "does not answer"),
        Component("Workers", NO_WORKER if NO_WORKER in down else "", workers),
        Component("Analysis", "", "a worker answers" if found and found.answerers else "unknown"),
        Component(
            "Sweeper", NO_SWEEPER if NO_SWEEPER in down else "", "works" if sweepers else "unknown", sweepers
        ),
        Component(
            "Container engine",
            NO_ENGINE if NO_ENGINE in down else "",
            "none answers" if NO_ENGINE in down else "answers",
            (engine.description or f"{engine.reason} {engine.remedy}") if engine else "",
        ),
        Component("Disk", NO_SPACE if NO_SPACE in down else "", space),
    )
