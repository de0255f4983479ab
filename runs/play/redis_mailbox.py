"""The mailbox of a session in Redis: a list of requests and a list of answers, as JSON."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone
from redis import Redis, RedisError

from harness.agents.mailbox import Answer, InvalidRequest, Request
from runs import queue
from runs.models import PlaySession

log = logging.getLogger(__name__)

KEEP_SECONDS = 3600
MOST_ENTRIES = 100
_LEAST_SECONDS = 0.01  # Redis takes 0 as "for ever"


class _Lists:
    """The two lists of a session."""

    def __init__(self, session: PlaySession) -> None:
        self.requests = f"play:{session.pk}:requests"
        self.answers = f"play:{session.pk}:answers"


class ProcessMailbox:
    """The side of the process; see `harness.agents.mailbox.Mailbox`. What was sent before it is dropped.

    While Redis does not respond, there is no request, and answers are lost: whoever waits for one reads the record.
    """

    def __init__(self, session: PlaySession, redis: Redis | None = None) -> None:
        self._session = session
        self._lists = _Lists(session)
        self._redis = redis or queue.connection()
        try:
            self._redis.delete(self._lists.requests, self._lists.answers)
        except RedisError as error:
            log.warning("%s: %s", session, error)

    def receive(self, timeout: float) -> Request | None:
        """The next request, or None. An invalid one is answered with the reason."""
        try:
            found = self._redis.blpop([self._lists.requests], timeout=max(_LEAST_SECONDS, timeout))
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
        """Sends an answer."""
        self._push(answer.to_json())

    def _seen(self) -> None:
        try:
            PlaySession.objects.filter(pk=self._session.pk).update(last_seen_at=timezone.now())
        except DatabaseError as error:
            log.warning("%s: its last request was not noted: %s", self._session.pk, error)
            connection.close()

    def _push(self, stored: Mapping[str, Any]) -> None:
        try:
            with self._redis.pipeline() as pipeline:
                pipeline.rpush(self._lists.answers, json.dumps(stored))
                pipeline.ltrim(self._lists.answers, -MOST_ENTRIES, -1)
                pipeline.expire(self._lists.answers, KEEP_SECONDS)
                pipeline.execute()
        except RedisError as error:
            log.warning("%s: an answer was lost: %s", self._session, error)


class PersonMailbox:
    """The side of the person. Its methods raise RedisError."""

    def __init__(self, session: PlaySession, redis: Redis | None = None) -> None:
        self._lists = _Lists(session)
        self._redis = redis or queue.connection()

    def ask(self, request: Mapping[str, Any]) -> None:
        """Sends a request. Nothing is checked here: the process answers an invalid one with the reason."""
        with self._redis.pipeline() as pipeline:
            pipeline.rpush(self._lists.requests, json.dumps(request))
            pipeline.ltrim(self._lists.requests, -MOST_ENTRIES, -1)
            pipeline.expire(self._lists.requests, KEEP_SECONDS)
            pipeline.execute()

    def hear(self, timeout: float) -> dict[str, Any] | None:
        """The next answer, as `Answer.to_json` gives it; None after `timeout` seconds, at most 4, without one."""
        found = self._redis.blpop([self._lists.answers], timeout=min(4.0, max(_LEAST_SECONDS, timeout)))
        return None if found is None else dict(json.loads(found[1]))
