"""Starts a process for each session whose person asks for one, and notices at once when a process is gone.

Any number of hosts may have a supervisor. Each wish is taken by one of them, in one update of the database; that a
session never has two processes does not depend on it: see `play_process`.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from redis import RedisError

from runs.models import PlaySession, Run, Try
from runs.operations.monitoring.live_supervisors import SessionPlaces, store_places
from runs.play.play_sessions import note_problem
from runs.work.execution.parent_death import die_with_parent
from runs.work.execution.settling import give_up
from runs.work.execution.sweeper import settle_from_directory

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
ANNOUNCE_SECONDS = 3.0
# A process that has to end finishes its current request first. After this time it is killed.
END_SECONDS = 4.0


def play_command(run_id: int) -> list[str]:
    """How the process of a session is started."""
    return [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "play", str(run_id)]


class SessionSupervisor:
    """The processes of one host, `most` at a time. They end when this process ends, however it ends."""

    def __init__(self, most: int, command: Callable[[int], Sequence[str]] = play_command) -> None:
        self._most = most
        self._command = command
        self._children: dict[int, subprocess.Popen[bytes]] = {}  # by the run
        self._announced = 0.0
        self._trouble = ""

    def forever(self, stop: Callable[[], bool]) -> None:
        """Looks every half second until `stop`; then ends its processes."""
        try:
            while not stop():
                close_old_connections()
                self._look_or_log()
                self._announce()
                time.sleep(LOOK_SECONDS)
        finally:
            self.end()

    def look(self) -> int:
        """One pass: ends the tries of processes that are gone, and starts those that are wanted. Returns how many."""
        self._reap()
        started = 0
        wanted = PlaySession.objects.filter(ended_at=None).exclude(asked_at=None)
        for session in wanted.select_related("run").order_by("asked_at"):
            if session.run_id in self._children or len(self._children) >= self._most:
                continue
            if session.run.state == Run.State.QUEUED:
                started += self._start(session)
            else:
                give_up_if_dead(session.run_id)
        return started

    @property
    def running(self) -> int:
        """How many processes it has now."""
        return len(self._children)

    def end(self) -> None:
        """Lets all processes leave their sessions, and kills those that do not in time."""
        for child in self._children.values():
            child.terminate()
        deadline = time.monotonic() + END_SECONDS
        for child in self._children.values():
            try:
                child.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self._reap()

    def _start(self, session: PlaySession) -> int:
        """Starts the process, unless another supervisor or a second look did."""
        mine = PlaySession.objects.filter(pk=session.pk, asked_at=session.asked_at, ended_at=None)
        if not mine.update(asked_at=None):
            return 0
        # A session of its own: a signal to this process group does not reach it before it is passed on.
        self._children[session.run_id] = subprocess.Popen(
            self._command(session.run_id),
            start_new_session=True,
            preexec_fn=partial(die_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - there are no threads here
        )
        return 1

    def _reap(self) -> None:
        for run_id, child in list(self._children.items()):
            code = child.poll()
            if code is None:
                continue
            del self._children[run_id]
            gone = (
                f"Its process was ended by signal {-code}." if code < 0 else f"Its process ended with {code}."
            )
            lost = give_up_worker(run_id, _worker(child.pid), gone)
            if code and (lost or not PlaySession.objects.filter(run=run_id).exclude(problem="").exists()):
                note_problem(run_id, gone)

    def _look_or_log(self) -> None:
        try:
            self.look()
            self._trouble = ""
        except (DatabaseError, OSError) as error:
            if not self._trouble:
                log.error("sessions of people cannot be started: %s", error)
            self._trouble = str(error)

    def _announce(self) -> None:
        """Tells pages how many places there are, if Redis responds."""
        if time.time() - self._announced < ANNOUNCE_SECONDS:
            return
        self._announced = time.time()
        with suppress(RedisError):
            store_places(SessionPlaces(self.running, self._most))


def give_up_if_dead(run_id: int) -> bool:
    """Ends the live try of a run if its process was on this host and is gone: no heartbeat has to be waited for.

    This is how a supervisor goes on after its predecessor was killed together with the processes.
    """
    live = Try.objects.filter(run=run_id, state=Try.State.LIVE).first()
    if live is None:
        return False
    host, _, pid = live.worker.rpartition(":")
    if host != socket.gethostname() or not pid.isdigit() or _is_alive(int(pid)):
        return False
    return give_up_worker(run_id, live.worker, "Its process is gone.")


def give_up_worker(run_id: int, worker: str, reason: str) -> bool:
    """Ends the live try of a process that is gone; settles it if it had finished. False if there is no such try."""
    dead = Try.objects.filter(run=run_id, state=Try.State.LIVE, worker=worker).select_related("run").first()
    if dead is None:
        return False
    return settle_from_directory(dead) or give_up(dead.run, dead.number, reason)


def _worker(pid: int) -> str:
    return f"{socket.gethostname()}:{pid}"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
