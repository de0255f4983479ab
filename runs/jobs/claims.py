"""Who works on what: the name of a worker, the claim of a row, and when failed work is tried again."""

from __future__ import annotations

import os
import random
import socket
import threading

from django.conf import settings

# Set when this process has to end: its work goes back to the queue after the current step.
LEAVING = threading.Event()


def worker_name() -> str:
    """The host and process that work on a try."""
    return f"{socket.gethostname()}:{os.getpid()}"


def retry_delay(failures: int) -> float:
    """Seconds until the next try: four times as long after each failure, and up to a quarter more.

    The random part spreads out runs that failed together.
    """
    return float(settings.RETRY_SECONDS * 4 ** (failures - 1) * random.uniform(1.0, 1.25))
