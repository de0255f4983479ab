"""A data directory, a Redis and the tiny dataset, for benchmarks of real workers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from tests.conftest import RedisServer
from tests.harness.arena import Arena

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Workbench:
    """Django is set up on its database when this exists. `instance` labels its containers."""

    arena: Arena
    instance: str

    def manage(self, *arguments: str) -> subprocess.Popen[bytes]:
        """`manage.py …` as a process of its own."""
        return subprocess.Popen([sys.executable, "manage.py", *arguments], cwd=ROOT)


@contextmanager
def workbench() -> Iterator[Workbench]:
    """Everything that workers need, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        root, instance = Path(name), f"benchmark-{uuid4().hex[:8]}"
        for place in ("data", "redis"):
            (root / place).mkdir()
        redis = RedisServer(root / "redis")
        redis.start()
        os.environ.update(
            BENCHBENCH_DATA=str(root / "data"),
            BENCHBENCH_INSTANCE=instance,
            DATABASE_URL=f"sqlite:///{root}/data/db.sqlite3",
            REDIS_URL=redis.url,
            DJANGO_SETTINGS_MODULE="benchbench.settings",
            LOG_LEVEL="ERROR",
        )
        try:
            _set_up(root)
            yield Workbench(Arena.make(root), instance)
        finally:
            redis.stop()


def _set_up(root: Path) -> None:
    import django  # noqa: PLC0415 - the environment above names its database
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    Arena.make(root / "loaded")
    call_command("load_dataset", str(root / "loaded" / "tiny"), verbosity=0)
