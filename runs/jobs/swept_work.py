"""What a kind of background work says of itself: which rows wait, which are lost, and what a job does with one."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any, ClassVar, Generic, TypeVar

from django.conf import settings
from django.db.models import Model, QuerySet
from django.utils import timezone

from harness.sandbox import open_engine
from harness.sandbox.base import Engine
from runs.jobs.claims import LEAVING, Row, claim, first_heartbeat, silence, this_try
from runs.jobs.disk_space import no_space
from runs.jobs.heartbeats import Heartbeat
from runs.models import BackgroundWork

log = logging.getLogger(__name__)

Beating = TypeVar("Beating", bound=Model)


class SweptWork(Generic[Beating]):
    """How the sweeper looks after one kind of work. Each method is safe at any time, in several processes at once."""

    plural: ClassVar[str]  # the rows that wait, in the log
    beats: ClassVar[bool] = True  # whether it sends heartbeats, so that it can be lost

    def running(self) -> QuerySet[Beating]:
        """The rows that send heartbeats."""
        raise NotImplementedError

    def lose(self, dead: Beating) -> bool:
        """Ends a try without heartbeats. False if it has ended by itself, or if another try began."""
        raise NotImplementedError

    def waiting(self) -> Iterable[Any]:
        """What is queued and due, in the form of which the kind makes jobs."""
        return ()

    def take_steps(self, *, alone: bool) -> None:
        """What the sweeper itself does in each pass. `alone`: no other pass follows this one."""

    def hand_back_here(self) -> list[str]:
        """Queues the running rows of this host again, whose workers ended. Returns the labels of their containers."""
        return []


class RowWork(SweptWork[Row]):
    """Work of which each job takes one row."""

    model: type[Row]
    called: ClassVar[str]  # a row, in the log, before its number
    ended: ClassVar[str]  # what became of a row whose job comes too late, in the log
    why: ClassVar[str] = "message"  # the field that says why a row waits or has failed
    related: ClassVar[tuple[str, ...]] = ()
    goes_on: ClassVar[str]  # what follows when a worker was lost
    remedy: ClassVar[str]  # what operators can do when too many were

    def running(self) -> QuerySet[Row]:
        """All in this state."""
        return self.model._default_manager.filter(**{"state": BackgroundWork.RUNNING})

    def waiting(self) -> QuerySet[Row]:
        """All that are queued."""
        return self.model._default_manager.filter(**{"state": BackgroundWork.QUEUED})

    def take(
        self,
        number: int,
        try_number: int,
        work: Callable[[Row, Heartbeat], None],
        trouble: str,
        **fresh: Any,
    ) -> None:
        """Claims a row for its next try, and calls `work` with it. A second or late call does nothing.

        `trouble`: why this worker cannot begin; then the row stays queued and says so, and the sweeper enqueues it
        again. `fresh`: the fields of a row whose try begins.
        """
        if LEAVING.is_set():
            return
        name = f"{self.called} {number}"
        if trouble:
            log.error("%s stays queued: %s", name, trouble)
            self.waiting().filter(pk=number).update(**{self.why: self.plain(trouble)})
            return
        queued = self.waiting().filter(pk=number, **{"tries": try_number})
        if not claim(queued, **{self.why: ""}, **first_heartbeat(), **fresh):
            log.info("%s, try %d was %s or claimed before", name, try_number, self.ended)
            return
        related = self.related or (None,)  # without a name, Django would select all that there is
        row = self.model._default_manager.select_related(*related).get(pk=number)
        with Heartbeat(this_try(row), name) as heartbeat:
            work(row, heartbeat)

    def plain(self, reason: str) -> str:
        """A reason as the row's readers may see it."""
        return reason

    def after_loss(self, losses: int) -> dict[str, Any]:
        """The fields of a row that has lost so many workers: at first it is queued again at once."""
        if losses < settings.MAX_TRIES:
            return {"state": BackgroundWork.QUEUED, self.why: f"{silence()}; {self.goes_on}."}
        reason = f"{silence()}, {settings.MAX_TRIES} times. Read the log of the workers, then {self.remedy}."
        return {"state": "failed", self.why: reason, "finished_at": timezone.now()}


class ContainerWork(RowWork[Row]):
    """Work in containers that have a label of their own for each row.

    No two processes work on a row, so one that begins may remove all of them.
    """

    label: ClassVar[str]
    stopped: ClassVar[str]  # why a row is queued again when the site stops

    def take_with_engine(
        self,
        number: int,
        try_number: int,
        work: Callable[[Row, Engine, Heartbeat], None],
        **fresh: Any,
    ) -> None:
        """As `take`. Without a container engine, or without space, the row stays queued."""
        with closing(open_engine()) as engine:
            trouble = self.trouble(engine)
            self.take(number, try_number, lambda row, beat: work(row, engine, beat), trouble, **fresh)

    def trouble(self, engine: Engine) -> str:
        """Why work cannot begin here, for operators; '' if nothing is in the way."""
        return engine_trouble(engine)

    def instance_of(self, number: int) -> str:
        """The label of a row's containers."""
        return f"{settings.INSTANCE}-{self.label}-{number}"

    def remove_containers(self, number: int) -> None:
        """Removes what a dead worker left, if the engine responds."""
        engine = open_engine()
        if engine.status().available:
            engine.sweep(self.instance_of(number))

    def hand_back_here(self) -> list[str]:
        """No loss is counted."""
        here = self.running().filter(worker__startswith=f"{socket.gethostname()}:")
        queued = {"state": BackgroundWork.QUEUED, "worker": "", self.why: self.stopped}
        return [self.instance_of(row.pk) for row in here if this_try(row).update(**queued)]


def engine_trouble(engine: Engine) -> str:
    """Why no container can be started here, for operators; '' if nothing is in the way."""
    status = engine.status()
    return no_space() if status.available else f"{status.reason} {status.remedy}"
