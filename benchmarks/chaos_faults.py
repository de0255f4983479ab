"""The faults that chaos injects into a site."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection

from benchbench import redis_server
from benchmarks.processes import docker, kill, parent_of, wait
from benchmarks.running_site import RunningSite

if TYPE_CHECKING:
    from runs.models import JudgeReview, JudgeSummary, Try


@dataclass(frozen=True, slots=True)
class Target:
    """A site, and one of its runs or reviews in progress."""

    site: RunningSite
    live: Try | JudgeReview | JudgeSummary

    @property
    def horse(self) -> int:
        """The process that was forked for the run (RQ calls it the work horse)."""
        return int(self.live.worker.rpartition(":")[2])

    @property
    def worker(self) -> int:
        """The worker that forked it."""
        return parent_of(self.horse)

    @property
    def pool(self) -> int:
        """The pool of all workers."""
        return parent_of(self.worker)

    def container(self) -> str:
        """The current container of the run."""
        from runs.models import Try  # noqa: PLC0415 - needs Django

        assert isinstance(self.live, Try), "reviews have no container"
        filters = {"instance": self.site.instance, "run": self.live.run.key, "try": self.live.number}
        labels = [f"--filter=label=benchbench.{name}={value}" for name, value in filters.items()]
        found = docker("ps", "-q", *labels).split()
        if not found:
            raise FileNotFoundError("the run has no container now")
        return found[0]

    def kill_container_processes(self) -> None:
        """Kills them from the host, not through the engine: as if the agent had killed them."""
        for line in docker("top", self.container(), "-eo", "pid,args").splitlines()[1:]:
            if "docker-init" not in line:
                kill(int(line.split()[0]))

    def kill_processes(self, word: str) -> None:
        """Kills the site's processes with this word in their command lines."""
        kill(*self.site.served.find(word))

    def kill_supervisor(self) -> None:
        """Kills the supervisor, which ends everything, and starts the site again."""
        served = self.site.served
        assert served.process is not None
        served.process.kill()
        served.process.wait()
        wait("the end of the supervisor's processes", lambda: not served.processes(), 20)
        served.__enter__()

    def crash_postgres(self, seconds_away: float = 0.0) -> None:
        """Stops the database at once, and starts it again after a while."""
        assert self.site.postgres is not None
        self.site.postgres.crash()
        time.sleep(seconds_away)
        self.site.postgres.start()

    def end_backends(self) -> None:
        """Breaks every connection to the database, also in the middle of a query."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )

    def restart_site(self) -> None:
        """Ctrl-C, and a new start."""
        self.site.served.stop()
        self.site.served.__enter__()


FAULTS: dict[str, Callable[[Target], object]] = {
    "horse": lambda target: kill(target.horse),
    "worker": lambda target: kill(target.worker),
    "pool": lambda target: kill(target.pool),
    "pool-terminated": lambda target: kill(target.pool, how=signal.SIGTERM),
    "pool-without-terminal": lambda target: kill(target.pool, how=signal.SIGHUP),
    "container": lambda target: docker("kill", target.container(), check=False),
    "container-removed": lambda target: docker("rm", "-f", target.container(), check=False),
    "tool-server": Target.kill_container_processes,
    "sweeper": lambda target: target.kill_processes("manage.py sweep"),
    "redis": lambda target: target.kill_processes(redis_server.executable().name),
    "web": lambda target: target.kill_processes("gunicorn"),
    "supervisor": Target.kill_supervisor,
    "site-stopped": Target.restart_site,
}
# Longer than the heartbeat timeout: no process is dead, but none can report.
LONG_SECONDS = 8.0
POSTGRES_FAULTS: dict[str, Callable[[Target], object]] = {
    "postgres": Target.crash_postgres,
    "postgres-away": lambda target: target.crash_postgres(LONG_SECONDS),
    "postgres-backends": Target.end_backends,
}
NOT_FOR_REVIEWS = {"container", "container-removed", "tool-server"}
# The relative frequency of faults, if it is not 1: higher for numerous and for important processes.
WEIGHTS = {"horse": 4, "worker": 3, "pool": 2, "container": 3, "postgres": 4, "postgres-backends": 6}
