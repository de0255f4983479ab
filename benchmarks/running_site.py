"""A whole site with two agents and the tiny task, for stress tests."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from benchmarks.database import load
from tests.browser.site import Site
from tests.harness.arena import Arena, script, shell
from tests.postgres import PostgresServer

if TYPE_CHECKING:
    from runs.models import Evaluation

ORACLE, STEPS = "chaos-oracle", "chaos-steps"
LOST_AFTER_SECONDS = 4


@dataclass(slots=True)
class RunningSite:
    """A site below `root`. Django in this process uses the same database. `postgres`: its database, else SQLite.

    `prepared`: the data directory with which it begins (`Site`).
    """

    root: Path
    postgres: PostgresServer | None = None
    prepared: Path | None = None
    instance: str = field(default_factory=lambda: f"chaos-{uuid4().hex[:8]}")
    scratch: Path = field(init=False)
    served: Site = field(init=False)

    def __post_init__(self) -> None:
        self.scratch = self.root / "tmp"
        self.scratch.mkdir()
        environment = {
            "BENCHBENCH_INSTANCE": self.instance,
            "BENCHBENCH_LOST_AFTER_SECONDS": str(LOST_AFTER_SECONDS),
            "BENCHBENCH_RETRY_SECONDS": "1",
            "BENCHBENCH_MAX_TRIES": "10",
            "TMPDIR": str(self.scratch),
        }
        if self.postgres:
            environment["DATABASE_URL"] = self.postgres.url
        self.served = Site(self.root / "data", environment, prepared=self.prepared)
        os.environ.update(environment, BENCHBENCH_DATA=str(self.served.data), LOG_LEVEL="ERROR")

    @contextlib.contextmanager
    def started(self) -> Iterator[None]:
        """Starts the site with the tiny dataset and both agents; stops it at the end of the context."""
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchbench.settings")
        import django  # noqa: PLC0415 - the environment above names its database

        django.setup()
        self.served.__enter__()
        try:
            self._load()
            yield
        finally:
            self.served.stop()

    def start(self, title: str, agents: tuple[str, ...], attempts: int) -> Evaluation:
        """Starts an evaluation of these agents on the tiny task."""
        from runs.models import Agent  # noqa: PLC0415
        from runs.operations.evaluations.lifecycle import start_evaluation  # noqa: PLC0415 - needs Django
        from tasks.models import Task  # noqa: PLC0415

        task = Task.objects.get(repository__slug="calc")
        chosen = list(Agent.objects.filter(slug__in=agents))
        return start_evaluation(
            title=title, agents=chosen, tasks=[task], attempts=attempts, publish_when_finished=True
        )

    def _load(self) -> None:
        from runs.models import Agent  # noqa: PLC0415 - needs Django

        Arena.make(self.root)
        load(self.root / "tiny")
        Agent.objects.create(slug=ORACLE, name="Oracle", kind="oracle")
        steps = script(*([shell("sleep 0.2; echo on >> log")] for _ in range(5)))
        Agent.objects.create(slug=STEPS, name="Steps", kind="scripted", settings=steps)
