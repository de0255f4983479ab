"""What keeps queued runs waiting, for pages that anybody may read: no addresses, no details."""

from __future__ import annotations

from django.core.cache import cache

from runs import queue
from runs.engine import engine_status

REMEMBERED_SECONDS = 3
NO_REDIS = "Redis does not answer: queued runs wait, and go on when it is back."
NO_ENGINE = "No container engine answers on this host: queued runs wait, and go on when it is back."


def troubles() -> tuple[str, ...]:
    """One sentence for each part that is down now; empty when all is well. Asks at most every few seconds."""
    found: tuple[str, ...] | None = cache.get("troubles")
    if found is None:
        down = {NO_REDIS: bool(queue.problem()), NO_ENGINE: not engine_status().available}
        found = tuple(sentence for sentence, is_down in down.items() if is_down)
        cache.set("troubles", found, REMEMBERED_SECONDS)
    return found
