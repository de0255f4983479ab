"""One request of a person, and its answer if it comes soon."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redis import RedisError

from harness.agents.mailbox import RequestKind
from runs.models import PlaySession
from runs.play.redis_mailbox import PersonMailbox

# No web worker is held for longer.
WAIT_SECONDS = 3.5
NO_REDIS = "Redis does not respond, so nothing was sent. Try again in a moment."


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a request. `refused`: why, as a sentence; '' if it was done, or `pending`: not answered yet."""

    refused: str = ""
    pending: bool = False
    results: tuple[Mapping[str, Any], ...] = ()


def ask(
    session: PlaySession,
    kind: RequestKind,
    calls: Sequence[Mapping[str, Any]] = (),
    *,
    seconds: float = WAIT_SECONDS,
) -> Asked:
    """Sends a request, and waits a few seconds for its answer. Later, the record says what came of it."""
    mailbox = PersonMailbox(session)
    identifier = secrets.token_hex(8)
    ends = time.monotonic() + seconds
    try:
        mailbox.ask({"id": identifier, "kind": kind.value, "message": "", "calls": list(calls)})
    except RedisError:
        return Asked(NO_REDIS)
    try:
        answer = mailbox.hear(max(0.0, ends - time.monotonic()), identifier)
    except RedisError:
        answer = None
    if answer is None:
        return Asked(pending=True)
    if not answer["ok"]:
        return Asked(str(answer["reason"]))
    return Asked(results=tuple(answer["results"]))
