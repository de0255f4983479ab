"""Retries for a database that is locked, restarting or out of reach."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

from harness.errors import InfrastructureError
from runs.jobs.disk_space import no_space

log = logging.getLogger(__name__)

FIRST_PAUSE = 0.5
MAX_PAUSE = 15.0

Result = TypeVar("Result")


class DatabaseUnavailable(InfrastructureError):
    """The database did not respond within DATABASE_PATIENCE_SECONDS."""

    kind = "database"


def with_retries(work: Callable[[], Result], what: str) -> Result:
    """Calls `work` until the database accepts it. `work` must be safe to repeat and outside of a transaction.

    Each call has a new connection, with growing pauses between calls, for DATABASE_PATIENCE_SECONDS. Then raises
    DatabaseUnavailable. The time in which this host's disk is full does not count. `what` names the work in the log.
    """
    pause = FIRST_PAUSE
    deadline = time.monotonic() + settings.DATABASE_PATIENCE_SECONDS
    while True:
        try:
            return work()
        except (OperationalError, InterfaceError) as error:
            connection.close()
            if no_space():
                deadline = time.monotonic() + settings.DATABASE_PATIENCE_SECONDS
            elif time.monotonic() + pause > deadline:
                raise DatabaseUnavailable(f"the database did not accept {what}: {_line(error)}") from error
            log.warning(
                "the database did not accept %s (%s); trying again in %.1f s", what, _line(error), pause
            )
        time.sleep(pause)
        pause = min(2 * pause, MAX_PAUSE)


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
