"""Requests and answers in Redis."""

from __future__ import annotations

import time

import pytest
from redis import Redis

from harness.agents.mailbox import Answer, Remaining, RequestKind
from runs.models import PlaySession
from runs.play.redis_mailbox import MAX_ENTRIES, Heard, PersonMailbox, ProcessMailbox
from tests.conftest import RedisServer
from tests.runs.cast import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.redis]
ANSWER = Answer("1", 3, Remaining(1.0, None, None, None), paused=True)


@pytest.fixture
def session(redis: RedisServer) -> PlaySession:
    cast = Cast()
    return PlaySession.objects.create(run=cast.add_run(cast.alice(), cast.add_tasks(1)[0]), pseudonym="p")


def test_requests_and_answers_arrive_in_order(session: PlaySession) -> None:
    process, person = ProcessMailbox(session), PersonMailbox(session)
    for kind in ("resume", "pause"):
        person.ask({"id": kind, "kind": kind})
    received = [process.receive(1), process.receive(1)]
    assert [request and request.kind for request in received] == [RequestKind.RESUME, RequestKind.PAUSE]
    assert process.receive(0) is None
    process.send(ANSWER)
    assert person.hear(1, "another") is None
    assert person.hear(1, "1") == ANSWER.to_json() | {
        "remaining": ANSWER.to_json()["remaining"] | {"reserved_for": []}
    }
    assert person.hear(0.05, "1") is None
    session.refresh_from_db()
    assert session.last_seen_at is not None


def test_the_latest_state_and_the_open_request_are_known_at_any_time(session: PlaySession) -> None:
    process, person = ProcessMailbox(session), PersonMailbox(session)
    assert person.heard() == Heard(None, None)
    person.ask({"id": "1", "kind": "act", "calls": ["a call"]})
    assert person.heard().pending == {"id": "1", "kind": "act"}
    process.send(ANSWER)
    heard = person.heard()
    assert heard.pending is None
    assert heard.latest is not None
    assert "results" not in heard.latest
    assert (heard.latest["step_id"], heard.latest["paused"], heard.latest["remaining"]["seconds"]) == (
        3,
        True,
        1.0,
    )
    assert abs(heard.latest["at"] - time.time()) < 60
    ProcessMailbox(session)
    assert person.heard() == Heard(None, None)


def test_an_invalid_request_is_answered_with_the_reason(session: PlaySession) -> None:
    process, person = ProcessMailbox(session), PersonMailbox(session)
    person.ask({"id": "7", "kind": "win"})
    assert process.receive(1) is None
    answer = person.hear(1, "7")
    assert answer is not None
    assert person.heard().pending is None
    assert (answer["id"], answer["ok"], answer["reason"][:22]) == ("7", False, "kind: expected one of ")


def test_what_was_sent_to_an_earlier_process_is_dropped(session: PlaySession) -> None:
    person = PersonMailbox(session)
    person.ask({"id": "1", "kind": "finish"})
    assert ProcessMailbox(session).receive(0.05) is None


def test_lists_do_not_grow_without_end(session: PlaySession) -> None:
    process, person = ProcessMailbox(session), PersonMailbox(session)
    for _ in range(MAX_ENTRIES + 10):
        process.send(ANSWER)
    heard = 0
    while person.hear(0.01, "1"):
        heard += 1
    assert heard == MAX_ENTRIES


def test_without_redis_there_is_no_request_and_no_error(session: PlaySession) -> None:
    process = ProcessMailbox(session, Redis.from_url("unix:///nowhere/redis.sock"))
    began = time.monotonic()
    assert process.receive(0.2) is None
    assert time.monotonic() - began >= 0.2
    process.send(ANSWER)
