"""What the sweeper does for schedules: it starts what is due, takes the next step of checks, and sends messages."""

from __future__ import annotations

import logging
from threading import Thread

from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from runs.judging.regression_checks.delivering import deliver_due
from runs.judging.regression_checks.starting_checks import start_due
from runs.judging.regression_checks.stepping import open_checks, take_step

log = logging.getLogger(__name__)


class RegressionSweep:
    """Each of its methods is safe at any time, in several processes at once.

    `background`: messages are sent in a thread, so that a server that does not answer does not hold up the sweeper.
    """

    def __init__(self, *, background: bool = True) -> None:
        self._background = background
        self._sender: Thread | None = None

    def give_up_lost(self) -> None:
        """Nothing: a step that a dead process left is taken again."""

    def enqueue_waiting(self) -> None:
        """Starts due checks, takes one step of each open one, and sends due messages."""
        start_due(timezone.now())
        for check in open_checks():
            try:
                take_step(check)
            except OSError as error:
                log.error("%s waits: %s", check, error)
        self._send()

    def _send(self) -> None:
        if not self._background:
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
