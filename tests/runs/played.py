"""Sessions that a thread of the test executes."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import Permission, User
from django.db import connection

from runs.models import PlaySession
from runs.play.play_process import play
from runs.play.redis_mailbox import PersonMailbox


def player(name: str) -> User:
    """Active staff who may play tasks, and nothing else."""
    made = User.objects.create_user(name, is_staff=True)
    made.user_permissions.add(Permission.objects.get(codename="play"))
    return made


class Process:
    """`play` in a thread. The first answer is that it is ready."""

    def __init__(self, session: PlaySession) -> None:
        self.person = PersonMailbox(session)
        self.result = ""
        self._run = session.run_id
        self.thread = threading.Thread(target=self._play)

    def _play(self) -> None:
        try:
            self.result = play(self._run)
        finally:
            connection.close()

    def hear(self, request: str = "") -> Mapping[str, Any]:
        for _ in range(10):
            if (answer := self.person.hear(2, request)) is not None:
                return answer
        raise AssertionError("no answer")

    def ask(self, kind: str, *calls: Mapping[str, Any]) -> Mapping[str, Any]:
        self.person.ask({"id": kind, "kind": kind, "calls": list(calls)})
        return self.hear(kind)


@contextmanager
def playing(session: PlaySession) -> Iterator[Process]:
    """A process of the session; it has ended when the context ends."""
    process = Process(session)
    process.thread.start()
    try:
        assert process.hear()["paused"]
        yield process
    finally:
        if process.thread.is_alive():
            process.person.ask({"kind": "leave"})
        process.thread.join(60)
