"""The active runs of an evaluation, and the queued ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db.models import Min, QuerySet
from django.utils import timezone

from harness.records import TRAJECTORY
from runs.data.queries.filters import waits_for_worker
from runs.data.queries.visibility import Reader, visible
from runs.data.replay.jsonl import last_lines
from runs.data.run_facts.public_grading import as_shown_to
from runs.models import Evaluation, Run, Try

SHOWN = 50
_TAIL_BYTES = 256 * 1024
_STEP = re.compile(rb'^\{"step_id": (\d{1,9}),')


@dataclass(frozen=True, slots=True)
class ActiveRun:
    """An active run. `since`: when this try began. `step`: the last one on disk, if any.

    `silent`: seconds since the last heartbeat of its worker.
    """

    run: Run
    since: datetime | None
    step: int | None
    worker: str
    silent: float

    @property
    def may_be_lost(self) -> bool:
        """Whether its worker may be dead: the sweeper will soon end the try."""
        return self.silent > settings.LOST_AFTER_SECONDS / 2


def active_runs(runs: QuerySet[Run], reader: Reader) -> tuple[ActiveRun, ...]:
    """The active ones of these runs as this reader may see them, oldest first, at most SHOWN: two queries."""
    active = runs.filter(state__in=Run.ACTIVE).select_related("agent", "task__repository")
    found = [as_shown_to(run, reader) for run in active.order_by("started_at", "pk")[:SHOWN]]
    live = {
        one.run_id: one for one in Try.objects.filter(run__in=[run.pk for run in found], state=Try.State.LIVE)
    }
    return tuple(_active_run(run, live.get(run.pk)) for run in found)


def _active_run(run: Run, live: Try | None) -> ActiveRun:
    silent = (timezone.now() - live.heartbeat_at).total_seconds() if live else 0.0
    return ActiveRun(
        run=run,
        since=live.started_at if live else run.started_at,
        step=last_step(run.path) if run.directory else None,
        worker=live.worker if live else "",
        silent=max(0.0, silent),
    )


def last_step(directory: Path) -> int | None:
    """The number of the last whole step in a run's trajectory, read from the end of the file.

    None if there is none yet, or if the last step is longer than _TAIL_BYTES.
    """
    matches = map(_STEP.match, reversed(last_lines(directory / TRAJECTORY, _TAIL_BYTES)))
    return next((int(match[1]) for match in matches if match), None)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Queued runs. `again` of them wait for a retry, and `first` are the next of these.

    `ahead`: how many runs of other evaluations come first, while none of this one is active.
    """

    queued: int
    again: int
    first: tuple[Run, ...]
    ahead: int

    @property
    def ready(self) -> int:
        """Runs that a worker could take now."""
        return self.queued - self.again


def waiting_of(
    found: Evaluation, runs: QuerySet[Run], queued: int, active: int, *, shown: int, reader: Reader
) -> Waiting:
    """Two queries, four without an active run, none without a queued one."""
    if not queued:
        return Waiting(0, 0, (), 0)
    later = runs.filter(state=Run.State.QUEUED, not_before__isnull=False)
    first = later.order_by("not_before", "pk").select_related("agent", "task__repository")[:shown]
    return Waiting(
        queued,
        later.count(),
        tuple(as_shown_to(run, reader) for run in first),
        0 if active else runs_ahead(found.pk, reader),
    )


def runs_ahead(pk: int, reader: Reader) -> int:
    """How many visible runs of other evaluations are active, or queued before the first run of this one."""
    runs = visible(Run.objects.all(), reader)
    queued = runs.filter(waits_for_worker())
    first = queued.filter(evaluation=pk).aggregate(first=Min("pk"))["first"]
    if first is None:
        return 0
    others = runs.exclude(evaluation=pk).order_by()
    return others.filter(state__in=Run.ACTIVE).count() + queued.filter(pk__lt=first).count()
