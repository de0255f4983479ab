"""A site with two repositories, for tests of filters and of frozen tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.runs.cast import Cast

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


def two_ports() -> Cast:
    """Alice resolves both tasks, Bob one of them; the second task is hard and in another repository."""
    cast = Cast()
    quay = cast.add_repository("quay", "Quay")
    quay.stack, quay.languages = "Go 1.25", ["Go"]
    quay.save()
    tasks = [*cast.add_tasks(1), *cast.add_tasks(1, quay, difficulty="hard")]
    for agent, passed in ((cast.alice(), (5, 5)), (cast.bob(), (5, 0))):
        for days, (task, count) in enumerate(zip(tasks, passed, strict=True)):
            cast.add_run(agent, task, passed=count, finished_at=NOON + timedelta(days=days))
    cast.settle()
    return cast
