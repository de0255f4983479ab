"""The mailbox of a session in Redis: a list of requests, and for each request a list with its answer, as JSON.

Beside them stand what the process said last, and the request that the person sent last.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone
from redis import Redis, RedisError

from harness.agents.mailbox import Answer, InvalidRequest, Request
from runs.jobs import queue
from runs.models import PlaySession

log = logging.getLogger(__name__)

KEEP_SECONDS = 3600
MAX_ENTRIES = 100
MAX_WAIT_SECONDS = 4.0  # of one call on the side of the person
_MIN_SECONDS = 0.01  # Redis takes 0 as "for ever"


class _Keys:
    """The names of what a session has in Redis."""

    def __init__(self, session: PlaySession) -> None:
        self._session = f"play:{session.pk}"
        self.requests = f"{self._session}:requests"
        self.latest = f"{self._session}:latest"
        self.asked = f"{self._session}:asked"

    def answers(self, request: str) -> str:
        """Where the answer to a request is; with '', what the process says by itself."""
        return f"{self._session}:answers:{request}"


class ProcessMailbox:
    """The side of the process; see `harness.agents.mailbox.Mailbox`. What was sent before it is dropped.

    While Redis does not respond, there is no request, and answers are lost: whoever waits for one reads the record.
    """

    def __init__(self, session: PlaySession, redis: Redis | None = None) -> None:
        self._session = session
        self._keys = _Keys(session)
        self._redis = redis or queue.connection()
        try:
            keys = self._keys
            self._redis.delete(keys.requests, keys.latest, keys.asked, keys.answers(""))
        except RedisError as error:
            log.warning("%s: %s", session, error)

    def receive(self, timeout: float) -> Request | None:
        """The next request, or None. An invalid one is answered with the reason."""
        try:
            found = self._redis.blpop([self._keys.requests], timeout=max(_MIN_SECONDS, timeout))
        except RedisError as error:
            log.warning("%s: no request could be read: %s", self._session, error)
            time.sleep(timeout)
            return None
        if found is None:
            return None
        self._seen()
        stored: object = None
        try:
            stored = json.loads(found[1])
            return Request.from_json(stored)
        except (ValueError, RecursionError, InvalidRequest) as error:
            identifier = stored.get("id") if isinstance(stored, Mapping) else ""
            self._push({"id": identifier, "ok": False, "reason": str(error)})
            return None

    def send(self, answer: Answer) -> None:
        """Sends an answer, and stores it as the latest state of the session."""
        stored = answer.to_json()
        latest = {name: value for name, value in stored.items() if name != "results"}
        self._push(stored, latest={**latest, "at": time.time()})

    def _seen(self) -> None:
        try:
            PlaySession.objects.filter(pk=self._session.pk).update(last_seen_at=timezone.now())
        except DatabaseError as error:
            log.warning("%s: its last request was not noted: %s", self._session.pk, error)
            connection.close()

    def _push(self, stored: Mapping[str, Any], latest: Mapping[str, Any] | None = None) -> None:
        name = self._keys.answers(str(stored.get("id") or ""))
        try:
            with self._redis.pipeline() as pipeline:
                pipeline.rpush(name, json.dumps(stored))
                pipeline.ltrim(name, -MAX_ENTRIES, -1)
                pipeline.expire(name, KEEP_SECONDS)
                if latest is None:  # an invalid request: nothing is open any more
                    pipeline.delete(self._keys.asked)
                else:
                    pipeline.set(self._keys.latest, json.dumps(latest), ex=KEEP_SECONDS)
                pipeline.execute()
        except RedisError as error:
            log.warning("%s: an answer was lost: %s", self._session, error)


@dataclass(frozen=True, slots=True)
class Heard:
    """What the process said last, without results and with the time `at` which; None: nothing since it began.

    `pending`: the request that it has not answered yet; None if there is none.
    """

    latest: Mapping[str, Any] | None
    pending: Mapping[str, Any] | None


class PersonMailbox:
    """The side of the person. Its methods raise RedisError."""

    def __init__(self, session: PlaySession, redis: Redis | None = None) -> None:
        self._keys = _Keys(session)
        self._redis = redis or queue.connection(queue.AT_ONCE)
        self._waiting = redis or queue.connection()

    def ask(self, request: Mapping[str, Any]) -> None:
        """Sends a request. Nothing is checked here: the process answers an invalid one with the reason."""
        asked = {"id": request.get("id"), "kind": request.get("kind")}
        with self._redis.pipeline() as pipeline:
            pipeline.rpush(self._keys.requests, json.dumps(request))
            pipeline.ltrim(self._keys.requests, -MAX_ENTRIES, -1)
            pipeline.expire(self._keys.requests, KEEP_SECONDS)
            pipeline.set(self._keys.asked, json.dumps(asked), ex=KEEP_SECONDS)
            pipeline.execute()

    def hear(self, timeout: float, request: str = "") -> dict[str, Any] | None:
        """The answer to a request, as `Answer.to_json` gives it; with '', what the process says next by itself.

        None after `timeout` seconds, at most MAX_WAIT_SECONDS, without one.
        """
        wait = min(MAX_WAIT_SECONDS, max(_MIN_SECONDS, timeout))
        found = self._waiting.blpop([self._keys.answers(request)], timeout=wait)
        return None if found is None else dict(json.loads(found[1]))

    def heard(self) -> Heard:
        """What is known of the process now."""
        latest, asked = map(_loaded, self._redis.mget(self._keys.latest, self._keys.asked))
        is_open = asked is not None and (latest is None or latest["id"] != asked["id"])
        return Heard(latest, asked if is_open else None)


def _loaded(stored: Any) -> dict[str, Any] | None:
    return None if stored is None else dict(json.loads(stored))
