"""What the sweeper does for each kind of background work."""

from __future__ import annotations

import logging
from typing import Any

from runs.jobs import queue
from runs.jobs.disk_space import no_space
from runs.jobs.heartbeats import Watch, silent_by_clock
from runs.jobs.job_kinds import Kind, swept_kinds

log = logging.getLogger(__name__)


class KindSweep:
    """Looks after one kind. `watched`: False for a single pass, by the database's clock."""

    def __init__(self, kind: Kind, *, watched: bool = True) -> None:
        self.kind = kind
        self._work = kind.swept_work()
        self.watch: Watch[Any] | None = Watch(self._work.running) if watched else None

    def give_up_lost(self) -> int:
        """Ends the tries whose worker gives no sign of life. Returns how many.

        On a full disk none is lost: neither heartbeats nor failures can be stored there, and its worker reports the
        failure as soon as there is space.
        """
        if not self._work.beats:
            return 0
        if no_space():
            if self.watch:
                self.watch.forget()
            return 0
        silent = self.watch.silent() if self.watch else silent_by_clock(self._work.running())
        return sum(self._work.lose(dead) for dead in silent)

    def enqueue_waiting(self) -> int:
        """Takes the steps that need no job, and enqueues what is queued, due and has none. Raises RedisError.

        Returns how many were enqueued.
        """
        self._work.take_steps(alone=self.watch is None)
        count = queue.enqueue(self.kind, self._work.waiting())
        if count:
            log.info("enqueued %d %s that had no job", count, self._work.plural)
        return count


def hand_back_here() -> list[str]:
    """Queues again what workers of this host had when they ended. Returns the labels of their containers."""
    return [label for kind in swept_kinds() for label in kind.swept_work().hand_back_here()]
