"""Who works on a row: claims of queued rows, the fence around a try, and when failed work is tried again."""

from __future__ import annotations

import os
import random
import socket
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import F, Model, QuerySet
from django.db.models.functions import Now

from runs.jobs.db_retry import with_retries
from runs.models import BackgroundWork

# Set when this process has to end: its work goes back to the queue after the current step.
LEAVING = threading.Event()

Row = TypeVar("Row", bound=BackgroundWork)
Owned = TypeVar("Owned", bound=Model)


def worker_name() -> str:
    """The host and process that work on a try."""
    return f"{socket.gethostname()}:{os.getpid()}"


def first_heartbeat() -> dict[str, Any]:
    """The fields of a row on which this worker begins to work."""
    return {"worker": worker_name(), "heartbeat_at": Now()}


def claim(row: QuerySet[Any], state: str = BackgroundWork.RUNNING, **values: Any) -> bool:
    """Claims a row for its next try, if it is queued. Of concurrent calls, one returns True.

    `row`: the row, with the number of tries that it must have so far. `values`: its other fields, from then on.
    """
    queued = row.filter(state=BackgroundWork.QUEUED)
    return bool(queued.update(state=state, tries=F("tries") + 1, **values))


def this_try(row: Row) -> QuerySet[Row]:
    """The fence: the row, as long as it is running and its try is the current one."""
    mine = {"pk": row.pk, "tries": row.tries, "state": BackgroundWork.RUNNING}
    return type(row)._default_manager.filter(**mine)


def end_try(row: Row, state: str, what: str, **values: Any) -> bool:
    """Stores how a try ended, also while the database is away for a while. False if another try owns the row.

    `what` names this in the log.
    """
    return with_retries(lambda: bool(this_try(row).update(state=state, worker="", **values)), what)


def settle_owned(owned: Callable[[], Owned | None], change: Callable[[Owned], None]) -> bool:
    """Stores what came of a try in one transaction, where more than its row changes.

    `owned` locks the row and what it belongs to, and returns it if the try is the current one and live, else None.
    Then nothing is changed, and the result is False: so a second call, or a late one, is safe.
    """
    with transaction.atomic():
        row = owned()
        if row is None:
            return False
        change(row)
    return True


def silence() -> str:
    """Why a try without heartbeats is lost, in words."""
    return f"Its worker gave no sign of life for {settings.LOST_AFTER_SECONDS:.0f} s"


def retry_delay(failures: int) -> float:
    """Seconds until the next try: four times as long after each failure, and up to a quarter more.

    The random part spreads out runs that failed together.
    """
    return float(settings.RETRY_SECONDS * 4 ** (failures - 1) * random.uniform(1.0, 1.25))
