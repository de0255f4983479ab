"""The supervisors of people's sessions that are alive, as they announce themselves in Redis."""

from __future__ import annotations

import json
import socket
import time
from dataclasses import asdict, dataclass

from runs.jobs import queue

ALIVE_SECONDS = 15.0
SUPERVISORS = "benchbench:play_supervisors"


@dataclass(frozen=True, slots=True)
class SessionPlaces:
    """The sessions that supervisors execute, and how many they may execute at a time."""

    taken: int
    most: int

    @property
    def left(self) -> int:
        """How many more may begin."""
        return max(0, self.most - self.taken)


def store_places(places: SessionPlaces) -> None:
    """Announces the places of this host. Raises RedisError."""
    state = {"at": time.time(), **asdict(places)}
    queue.connection(queue.AT_ONCE).hset(SUPERVISORS, socket.gethostname(), json.dumps(state))


def session_places() -> SessionPlaces | None:
    """The places of all hosts; None if no supervisor is alive. Raises RedisError."""
    found = queue.connection(queue.AT_ONCE).hgetall(SUPERVISORS)
    now = time.time()
    states = [json.loads(state) for state in found.values()]
    alive = [state for state in states if now - state["at"] < ALIVE_SECONDS]
    if not alive:
        return None
    return SessionPlaces(sum(state["taken"] for state in alive), sum(state["most"] for state in alive))
