"""The database of a benchmark: empty, or filled with simulated runs."""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.simulation import simulate

SMALL = 6_000
AGENTS, TASKS, ATTEMPTS = 15, 80, 5


def prepare(directory: Path) -> None:
    """Sets Django up on an empty SQLite database in this data directory."""
    os.environ.update(
        BENCHBENCH_DATA=str(directory),
        DATABASE_URL=f"sqlite:///{directory / 'db.sqlite3'}",
        DJANGO_SETTINGS_MODULE="benchbench.settings",
    )
    import django  # noqa: PLC0415 - its settings come from the lines above
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)


def load(dataset: Path) -> None:
    """Loads a dataset from disk into the database."""
    from tasks.loading import load as load_dataset  # noqa: PLC0415 - needs Django

    load_dataset(dataset)


def fill(count: int) -> None:
    """Fills the database up to `count` runs: the first 6,000 with their counts, all others without."""
    from benchmarks.stored import store, store_many  # noqa: PLC0415 - needs Django
    from runs.models import Run  # noqa: PLC0415

    if not Run.objects.exists():
        store(simulate(AGENTS, TASKS, ATTEMPTS), "Simulated")
    if missing := count - Run.objects.count():
        store_many(missing, AGENTS, TASKS)
