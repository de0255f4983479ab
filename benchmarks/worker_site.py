"""A data directory, a Redis and the tiny dataset, for benchmarks of real workers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from benchmarks.database import load, prepare
from harness.limits import Limits
from tests.conftest import RedisServer
from tests.harness.arena import Arena

if TYPE_CHECKING:
    from runs.models import Agent, Evaluation

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class WorkerSite:
    """A site for workers; Django in this process uses its database. `instance` labels its containers."""

    arena: Arena
    instance: str

    def manage(self, *arguments: str) -> subprocess.Popen[bytes]:
        """`manage.py …` as a process of its own."""
        return subprocess.Popen([sys.executable, "manage.py", *arguments], cwd=ROOT)

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        """A pool of one worker; yields the pool."""
        pool = self.manage("work", "--workers", "1")
        try:
            yield pool
        finally:
            pool.terminate()
            pool.wait(60)

    def evaluate(
        self,
        title: str,
        agents: Sequence[Agent],
        attempts: int = 1,
        limits: Limits | None = None,
        *,
        repository: str = "",
    ) -> Evaluation:
        """Starts an evaluation of these agents on all tasks, or on those of one repository."""
        from runs.operations.evaluations.lifecycle import start_evaluation  # noqa: PLC0415 - needs Django
        from tasks.models import Task  # noqa: PLC0415

        tasks = Task.objects.filter(repository__slug=repository) if repository else Task.objects.all()
        return start_evaluation(
            title=title, agents=agents, tasks=list(tasks), attempts=attempts, limits=limits
        )


@contextmanager
def worker_site(dataset: Path | None = None) -> Iterator[WorkerSite]:
    """Creates everything that workers need, and removes it afterwards. `dataset`: by default the tiny one."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        root, instance = Path(name), f"benchmark-{uuid4().hex[:8]}"
        for directory in ("data", "redis"):
            (root / directory).mkdir()
        redis = RedisServer(root / "redis")
        redis.start()
        os.environ.update(BENCHBENCH_INSTANCE=instance, REDIS_URL=redis.url, LOG_LEVEL="ERROR")
        try:
            prepare(root / "data")
            Arena.make(root / "loaded")
            load(dataset or root / "loaded" / "tiny")
            yield WorkerSite(Arena.make(root), instance)
        finally:
            redis.stop()
