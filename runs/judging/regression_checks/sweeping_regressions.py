"""What the sweeper does for schedules: it starts what is due, takes the next step of checks, and sends messages."""

from __future__ import annotations

import logging
from threading import Thread

from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from runs.jobs.swept_work import SweptWork
from runs.judging.regression_checks.delivering import deliver_due
from runs.judging.regression_checks.starting_checks import start_due
from runs.judging.regression_checks.stepping import open_checks, take_step
from runs.models import RegressionCheck

log = logging.getLogger(__name__)


class RegressionSweep(SweptWork[RegressionCheck]):
    """Checks have no jobs: the sweeper takes their steps. A step that a dead process left is taken again."""

    beats = False

    def __init__(self) -> None:
        self._sender: Thread | None = None

    def take_steps(self, *, alone: bool) -> None:
        """Starts due checks, takes one step of each open one, and sends due messages."""
        start_due(timezone.now())
        for check in open_checks():
            try:
                take_step(check)
            except OSError as error:
                log.error("%s waits: %s", check, error)
        self._send(alone=alone)

    def _send(self, *, alone: bool) -> None:
        """In a thread, so that a server that does not answer does not hold up the sweeper."""
        if alone:
            deliver_due()
        elif self._sender is None or not self._sender.is_alive():
            self._sender = Thread(target=_send_and_close, name="deliveries", daemon=True)
            self._sender.start()


def _send_and_close() -> None:
    """A thread has a connection of its own."""
    close_old_connections()
    try:
        deliver_due()
    except DatabaseError as error:
        log.error("messages wait: the database does not work: %s", error)
    finally:
        connection.close()
