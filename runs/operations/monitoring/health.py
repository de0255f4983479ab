"""The parts without which queued runs do not start. The texts are public: no addresses and no details."""

from __future__ import annotations

from django.core.cache import cache

from harness.sandbox import open_engine
from harness.sandbox.base import EngineStatus
from runs.jobs.disk_space import no_space
from runs.operations.monitoring.live_workers import worker_status

CACHE_SECONDS = 3
NO_REDIS = "Redis does not respond: queued runs wait, and go on when it is back."
NO_ENGINE = "No container engine responds on this host: queued runs wait, and go on when it is back."
NO_WORKER = "No worker is running: queued runs wait until one starts."
NO_SWEEPER = "No sweeper is running: failed and lost tries are not repeated until one starts."
NO_SPACE = "The disk of run directories is full or read-only: queued runs wait until it can be written to."


def engine_status() -> EngineStatus:
    """Whether the container engine of this host responds; if not, why, and what to do. Never raises."""
    return open_engine().status()


def problems() -> tuple[str, ...]:
    """One sentence for each part that is down; empty if everything works. Cached for a few seconds."""
    found: tuple[str, ...] | None = cache.get("health")
    if found is None:
        workers = worker_status()
        down = {
            NO_REDIS: workers is None,
            NO_WORKER: workers is not None and not workers.count,
            NO_SWEEPER: workers is not None and not workers.sweepers,
            NO_ENGINE: not engine_status().available,
            NO_SPACE: bool(no_space()),
        }
        found = tuple(sentence for sentence, is_down in down.items() if is_down)
        cache.set("health", found, CACHE_SECONDS)
    return found
