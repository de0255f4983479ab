"""One request of a person, and its answer."""

from __future__ import annotations

import time
from typing import Any

import pytest

from harness.agents.mailbox import Answer, Remaining, RequestKind
from runs.models import PlaySession
from runs.play.asking import NO_REDIS, Asked, ask
from runs.play.redis_mailbox import PersonMailbox, ProcessMailbox
from tests.conftest import RedisServer
from tests.runs.cast import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture
def session(redis: RedisServer) -> PlaySession:
    cast = Cast()
    return PlaySession.objects.create(run=cast.add_run(cast.alice(), cast.add_tasks(1)[0]), pseudonym="p")


def answered(session: PlaySession, monkeypatch: pytest.MonkeyPatch, **more: Any) -> Asked:
    """What comes of a request that is answered at once."""
    process, usual = ProcessMailbox(session), PersonMailbox.ask

    def ask_and_answer(person: PersonMailbox, request: dict[str, Any]) -> None:
        usual(person, request)
        received = process.receive(1)
        assert received is not None
        process.send(Answer(received.id, 1, Remaining(1.0, 1, 1, 1), paused=False, **more))

    monkeypatch.setattr(PersonMailbox, "ask", ask_and_answer)
    return ask(session, RequestKind.PAUSE)


def test_an_answer_that_comes_soon_is_returned(session: PlaySession, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(session, monkeypatch) == Asked()


def test_a_refusal_is_returned_with_its_reason(session: PlaySession, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(session, monkeypatch, ok=False, reason="Resume first.") == Asked("Resume first.")


def test_without_an_answer_in_time_the_request_is_pending(session: PlaySession) -> None:
    began = time.monotonic()
    assert ask(session, RequestKind.FINISH, seconds=0.2) == Asked(pending=True)
    assert time.monotonic() - began < 3
    assert PersonMailbox(session).heard().pending is not None


def test_without_redis_nothing_is_sent(session: PlaySession, settings: Any) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    assert ask(session, RequestKind.LEAVE) == Asked(NO_REDIS)
