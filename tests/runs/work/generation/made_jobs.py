"""Generations of tasks for tests: rows, and a stand-in for what a worker does in containers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from runs.models import GenerationJob
from tasks.generation.corrupting.candidates import CandidateStore
from tasks.generation.generation_request import GenerationRequest, Progress
from tasks.generation.generator import Generator
from tasks.generation.suite.screening import Screener, measure_baseline
from tasks.models import Dataset
from tests.tasks.generation.small import Suite, source_in, tree_of

COUNTS = {
    "kinds": [
        {"kind": "remove", "made": 4, "tasks": 1, "waiting": 1, "refused": {"too_few_failing": 2}},
        {"kind": "corrupt", "made": 2, "tasks": 0, "waiting": 2, "refused": {}},
    ],
    "tasks": [{"slug": "remove-1", "kind": "remove"}],
}


def add_generation(dataset: Dataset, repository: str, **values: Any) -> GenerationJob:
    """A job at work, into the dataset `more`."""
    return GenerationJob.objects.create(
        dataset=dataset,
        **{
            "repository": repository,
            "output": "more",
            "target": f"{repository}-more",
            "title": "More tasks",
            "hidden": False,
            "kinds": ["remove", "corrupt", "multi"],
            "limit": 4,
            "least_removal": 5,
            "least_corruption": 2,
            "suite_seconds": 60.0,
            "state": GenerationJob.State.RUNNING,
            "tries": 1,
            "counts": COUNTS,
            **values,
        },
    )


class Engine:
    """Responds, and has no container. `swept`: whose containers were removed."""

    isolated = True

    def __init__(self) -> None:
        self.swept: list[str] = []

    def status(self) -> Engine:
        return self

    available = True

    def sweep(self, instance: str) -> list[str]:
        self.swept.append(instance)
        return []

    def close(self) -> None:
        """Nothing is open."""


class Small:
    """In place of `generate`: the tests of a small repository run in this process, and each survivor is a task.

    `at_admission` is called with the number of each admission, and may raise.
    """

    def __init__(self, at_admission: Callable[[int], None] = lambda _: None) -> None:
        self.admissions = 0
        self.at_admission = at_admission

    def __call__(
        self, _engine: Any, request: GenerationRequest, progress: Progress, *, instance: str
    ) -> None:
        assert instance
        source = source_in(request.output / "source")
        suite = Suite(source)
        store = CandidateStore(request.candidates)
        screener = Screener(source, suite, measure_baseline(suite, request.thresholds), request.thresholds)

        def admit(candidate: Any) -> Any:
            self.admissions += 1
            self.at_admission(self.admissions)
            return replace(candidate, task=f"task-{candidate.key}")

        with store.locked():
            Generator(store, tree_of(source), screener, admit=admit, progress=progress).run(request.plan)
