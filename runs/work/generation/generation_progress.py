"""What the page of a generation shows: its progress, and its yield by kind and reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runs.models import GenerationJob
from tasks.generation.corrupting.candidates import Kind, Reason
from tasks.models import Task

REASONS: Mapping[str, str] = {
    Reason.NO_SITE: "no place for a change",
    Reason.CLUE: "the change would give a clue",
    Reason.NO_ANSWER: "the model made no admissible change",
    Reason.UNPAID: "the budget ended",
    Reason.SURVIVED: "no test fails",
    Reason.TOO_FEW_FAILING: "too few tests fail",
    Reason.TESTS_MISSING: "tests do not run at all",
    Reason.SUITE_FAILS: "no report of the tests",
    Reason.TOO_SLOW: "too slow",
    Reason.FLAKY: "flaky tests",
    Reason.NOT_ADMITTED: "not admitted",
}


@dataclass(frozen=True, slots=True)
class KindYield:
    """The candidates of one kind so far. `share`: of tasks among those that are finished; None if there are none.

    `refused`: how many for each reason of the whole table, in words.
    """

    kind: str
    made: int
    tasks: int
    waiting: int
    refused: tuple[tuple[str, int], ...]

    @property
    def finished(self) -> int:
        """How many are a task or refused: the n of the share."""
        return self.made - self.waiting

    @property
    def share(self) -> float | None:
        """Tasks among the finished candidates."""
        return self.tasks / self.finished if self.finished else None


@dataclass(frozen=True, slots=True)
class GeneratedTask:
    """One task of the output. `loaded`: its row, with a page, after the output is published."""

    slug: str
    kind: str
    loaded: Task | None


@dataclass(frozen=True, slots=True)
class GenerationProgress:
    """Of one job. `reasons`: the columns of the table, in words; those without a candidate are left out."""

    kinds: tuple[KindYield, ...]
    reasons: tuple[str, ...]
    waiting_kinds: tuple[str, ...]
    tasks: tuple[GeneratedTask, ...]

    @property
    def made(self) -> int:
        """All candidates so far."""
        return sum(kind.made for kind in self.kinds)

    @property
    def finished(self) -> int:
        """Those that are a task or refused."""
        return sum(kind.finished for kind in self.kinds)

    @property
    def admitted(self) -> int:
        """Those that are a task."""
        return sum(kind.tasks for kind in self.kinds)


def generation_progress(job: GenerationJob, loaded: Mapping[str, Task]) -> GenerationProgress:
    """What the worker stored last. `loaded`: the tasks of the output's repository on the site, by name."""
    stored: list[dict[str, Any]] = job.counts.get("kinds", [])
    reasons = [reason.value for reason in Reason if any(reason.value in kind["refused"] for kind in stored)]
    kinds = tuple(
        KindYield(
            kind["kind"],
            kind["made"],
            kind["tasks"],
            kind["waiting"],
            tuple((REASONS[reason], kind["refused"].get(reason, 0)) for reason in reasons),
        )
        for kind in stored
    )
    begun = {kind.kind for kind in kinds}
    return GenerationProgress(
        kinds,
        tuple(REASONS[reason] for reason in reasons),
        tuple(kind.value for kind in Kind if kind.value in job.kinds and kind.value not in begun),
        tuple(
            GeneratedTask(task["slug"], task["kind"], loaded.get(task["slug"]))
            for task in job.counts.get("tasks", [])
        ),
    )
