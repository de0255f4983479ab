"""Words for a database that does not answer just now: locked by others, restarted, out of reach."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

from harness.errors import InfrastructureError

log = logging.getLogger(__name__)

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 15.0

Result = TypeVar("Result")


class DatabaseSilent(InfrastructureError):
    """The database did not answer for as long as this project is patient."""

    kind = "database"


def patiently(work: Callable[[], Result], what: str) -> Result:
    """`work()`, which may be repeated safely, begun anew until the database takes it.

    Each time on a connection of its own, with growing pauses, for DATABASE_PATIENCE_SECONDS; then raises
    DatabaseSilent. `what` says for the log what is at stake. Not for the inside of a transaction.
    """
    pause = FIRST_PAUSE
    deadline = time.monotonic() + settings.DATABASE_PATIENCE_SECONDS
    while True:
        try:
            return work()
        except (OperationalError, InterfaceError) as error:
            connection.close()
            if time.monotonic() + pause > deadline:
                raise DatabaseSilent(f"the database did not take {what}: {_line(error)}") from error
            log.warning("the database did not take %s (%s); again in %.1f s", what, _line(error), pause)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
