"""Who may die in a round of chaos, and how."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchbench import redis_server
from tests.browser.site import Site
from tests.postgres import PostgresServer

if TYPE_CHECKING:
    from runs.models import Try


class NeverCame(Exception):
    """Something that had to come did not."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where it happens: a site, and one of its runs under way. `postgres`: its database, when that is no file."""

    site: Site
    instance: str
    live: Try
    postgres: PostgresServer | None = None

    @property
    def horse(self) -> int:
        """The process that was forked for the run."""
        return int(self.live.worker.rpartition(":")[2])

    @property
    def worker(self) -> int:
        """The worker that waits for it."""
        return parent_of(self.horse)

    @property
    def pool(self) -> int:
        """The pool of all workers."""
        return parent_of(self.worker)

    def container(self) -> str:
        """The container that the run is in."""
        filters = {"instance": self.instance, "run": self.live.run.key, "try": self.live.number}
        labels = [f"--filter=label=benchbench.{name}={value}" for name, value in filters.items()]
        found = docker("ps", "-q", *labels).split()
        if not found:
            raise FileNotFoundError("the run has no container now")
        return found[0]

    def kill_what_runs_inside(self) -> None:
        """From outside, behind the engine's back: it looks as if the agent had done it."""
        for line in docker("top", self.container(), "-eo", "pid,args").splitlines()[1:]:
            if "docker-init" not in line:
                kill(int(line.split()[0]))

    def kill_supervisor(self) -> None:
        """Everything ends with it; the operator starts it again."""
        process = self.site.process
        assert process is not None
        process.kill()
        process.wait()
        wait("the end of the supervisor's processes", lambda: not self.site.processes(), 20)
        self.site.__enter__()

    def crash_postgres(self, seconds_away: float = 0.0) -> None:
        """The database is gone without a farewell, and back after a while."""
        assert self.postgres is not None
        self.postgres.crash()
        time.sleep(seconds_away)
        self.postgres.start()

    def end_backends(self) -> None:
        """Every connection to the database breaks, in the middle of whatever is said over it."""
        from django.db import connection  # noqa: PLC0415 - Django is set up by now

        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )

    def stop_site(self) -> None:
        """Ctrl-C, and a new start."""
        self.site.stop()
        self.site.__enter__()


VICTIMS: dict[str, Callable[[Scene], None]] = {
    "horse": lambda scene: kill(scene.horse),
    "worker": lambda scene: kill(scene.worker),
    "pool": lambda scene: kill(scene.pool),
    "pool-told-to-end": lambda scene: kill(scene.pool, how=signal.SIGTERM),
    "pool-without-terminal": lambda scene: kill(scene.pool, how=signal.SIGHUP),
    "container": lambda scene: docker_quietly("kill", scene.container()),
    "container-removed": lambda scene: docker_quietly("rm", "-f", scene.container()),
    "tool-server": Scene.kill_what_runs_inside,
    "sweeper": lambda scene: kill(*scene.site.find("manage.py sweep")),
    "redis": lambda scene: kill(*scene.site.find(redis_server.executable().name)),
    "web": lambda scene: kill(*scene.site.find("gunicorn")),
    "supervisor": Scene.kill_supervisor,
    "site-stopped": Scene.stop_site,
}
# Longer than the heartbeat timeout: no process is dead, but none can report.
LONG_SECONDS = 8.0
POSTGRES_VICTIMS: dict[str, Callable[[Scene], None]] = {
    "postgres": Scene.crash_postgres,
    "postgres-away": lambda scene: scene.crash_postgres(LONG_SECONDS),
    "postgres-backends": Scene.end_backends,
}
# Killed more often, because there are more of them and more hangs on them.
WEIGHTS = {"horse": 4, "worker": 3, "pool": 2, "container": 3, "postgres": 4, "postgres-backends": 6}


def docker(*arguments: str) -> str:
    """What the engine's own command line says."""
    return subprocess.run(["docker", *arguments], capture_output=True, text=True, check=True).stdout


def docker_quietly(*arguments: str) -> None:
    """The same, for what may be gone already."""
    subprocess.run(["docker", *arguments], capture_output=True, check=False)


def parent_of(pid: int) -> int:
    """Who started a process. Raises FileNotFoundError when it is gone."""
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])


def kill(*pids: int, how: signal.Signals = signal.SIGKILL) -> None:
    """Ends these processes, if they still live."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, how)


def wait(what: str, true: Callable[[], bool], seconds: float) -> None:
    """Returns when it is so; raises NeverCame after so many seconds."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise NeverCame(f"{what} did not come within {seconds:.0f} s")
        time.sleep(0.1)
