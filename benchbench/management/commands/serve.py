from __future__ import annotations

import os
import shlex
import signal
import socket
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from honcho.manager import Manager

from benchbench import redis_server
from benchbench.site_setup import Operator, collect_static_files, create_operator, prepare_database
from harness.errors import HarnessError
from harness.sandbox import open_engine
from runs.access.accounts import one_time_password
from runs.jobs.sweeping import hand_back_here
from runs.work.execution.parent_death import die_with_parent, end_with_terminal
from runs.work.execution.sweeper import remove_orphans, requeue_here

WEB_WORKERS = 2
WEB_THREADS = 8
# Redis ends after the processes that write to it.
REDIS_LINGERS_SECONDS = 3


class Command(BaseCommand):
    """Starts a whole site."""

    help = "Prepares the data directory and runs everything: Redis, workers, the sweeper, the web server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Everything else comes from the environment."""
        parser.add_argument(
            "--ready-only", action="store_true", help="prepare the data directory, start nothing"
        )

    def handle(self, *_args: Any, ready_only: bool, **_options: Any) -> None:
        """Returns after a signal, when every process and container is gone."""
        if not ready_only:
            self._check_port()
        call_command("check", databases=["default"])  # also whether the database can be migrated
        for trouble in prepare_database():
            self.stderr.write(trouble)
        collect_static_files()
        operator = create_operator()
        self._write("")
        if operator is not None:
            self._write_operator(operator)
        if ready_only:
            return
        self._write(f"  address          http://{_shown(settings.HOST)}:{settings.PORT}/")
        self._write(f"  operator's page  http://{_shown(settings.HOST)}:{settings.PORT}/operate/")
        self._write_engine()
        self._write("  Ctrl-C ends it\n")
        connections.close_all()
        try:
            code = self._supervise()
        finally:
            self._clean_up()
        if code not in (0, 128 + signal.SIGINT, 128 + signal.SIGTERM):
            raise CommandError("a process ended unexpectedly; its last lines are above", returncode=1)

    def _supervise(self) -> int:
        # If this process is killed, its children and their children end, too.
        os.register_at_fork(after_in_child=die_with_parent)
        end_with_terminal()
        manager = Manager()
        for name, command in _processes().items():
            # exec: no shell remains between the supervisor and the process.
            manager.add_process(name, f"exec {shlex.join(command)}")
        manager.loop()
        return int(manager.returncode or 0)

    def _clean_up(self) -> None:
        """Returns runs in progress to the queue, and removes containers that are left."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        _wait_for_killed_children()
        requeued = requeue_here("The site was stopped while it ran.")
        if requeued:
            self._write(f"{requeued} runs were in progress; they start again with the site")
        instances = hand_back_here()
        try:
            engine = open_engine()
            removed = remove_orphans(engine)
            for instance in instances:
                removed += engine.sweep(instance)
        except HarnessError:
            return  # no engine, no container
        if removed:
            self._write(f"removed {len(removed)} containers")

    def _check_port(self) -> None:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((settings.HOST, settings.PORT))
            except OSError as error:
                address = f"{settings.HOST}:{settings.PORT}"
                raise CommandError(
                    f"the site cannot listen on {address}: {error.strerror}. Set PORT to another port"
                ) from error

    def _write_operator(self, operator: Operator) -> None:
        """Shows the password in a terminal. Any other output may be a log, so there it names a private file."""
        name = operator.user.get_username()
        if self.stdout.isatty():
            self._write(f"  operator         {name}, one-time password {operator.password}")
            self._write("                   (shown only now; works for one login, which sets another)")
            return
        path = one_time_password.write(operator.user, operator.password)
        self._write(f"  operator         {name}, one-time password in the file {path}")
        self._write("                   (works for one login, which sets another and removes the file)")

    def _write_engine(self) -> None:
        status = open_engine().status()
        if status.available:
            self._write(f"  engine           {status.description}")
        else:
            self._write("  engine           none: pages work, evaluations are refused")
            self._write(f"                   {status.reason} {status.remedy}")

    def _write(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def web_server() -> list[str]:
    """The command line that serves the pages."""
    return [
        *(sys.executable, "-m", "gunicorn", "benchbench.wsgi"),
        *("--config", "python:benchbench.web_hooks"),
        *("--bind", f"{settings.HOST}:{settings.PORT}"),
        # The pages are imported once, and their code is in memory once.
        *("--workers", str(WEB_WORKERS), "--threads", str(WEB_THREADS), "--preload"),
        # Responses pass through the worker's own buffers, so they cannot be copied from file to socket.
        *("--worker-class", "benchbench.serving.worker.BufferingWorker", "--no-sendfile"),
        *("--graceful-timeout", "3", "--no-control-socket", "--log-level", "warning"),
        *("--worker-tmp-dir", str(_shared_memory())),
    ]


def _processes() -> dict[str, list[str]]:
    manage = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py")]
    processes = {
        "work": _supervised([*manage, "work"]),
        "answer": _supervised([*manage, "answer"]),
        "judge": _supervised([*manage, "judge"]),
        "sweep": _supervised([*manage, "sweep", "--forever"]),
        "play": _supervised([*manage, "play", "--forever"]),
        "web": _supervised(web_server()),
    }
    if settings.EMBEDDED_REDIS:
        directory = Path(settings.DATA) / "redis"
        redis_server.prepare(settings.REDIS_SOCKET, directory)
        command = redis_server.arguments(settings.REDIS_SOCKET, directory)
        processes = {"redis": _supervised(command, linger=REDIS_LINGERS_SECONDS), **processes}
    return processes


def _supervised(command: list[str], linger: float = 0) -> list[str]:
    return [sys.executable, "-m", "benchbench.supervise", "--linger", str(linger), "--", *command]


def _shared_memory() -> Path:
    """The directory for the heartbeat files of gunicorn's workers: on a slow disk, a worker would seem dead."""
    memory = Path("/dev/shm")  # noqa: S108 - gunicorn makes its files there safely
    return memory if os.access(memory, os.W_OK) else Path(settings.DATA)


def _shown(host: str) -> str:
    return {"0.0.0.0": "localhost", "": "localhost", "::": "localhost"}.get(host, host)  # noqa: S104


def _wait_for_killed_children() -> None:
    """Linux ends the children of a killed process a moment later."""
    time.sleep(0.3)
