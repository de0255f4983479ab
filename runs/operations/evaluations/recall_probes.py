"""Probes what a model recalls of generated tasks, and stores it. What is stored is not asked again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict

from runs.models import LanguageModel, RecallProbe
from tasks.generation.recall.probing import UNPAID, Recall, RecallProber, RecallUnpaid
from tasks.generation.recall.question import prompt_version
from tasks.loading import find_on_disk, hide
from tasks.models import Dataset, Task


def probe_tasks(
    model: LanguageModel,
    tasks: Iterable[Task],
    prober: RecallProber,
    *,
    retry_failed: bool = False,
    report: Callable[[RecallProbe], object] = lambda _: None,
) -> None:
    """Probes each task that has targets, unless it was probed already, and calls `report` with each new row.

    `retry_failed`: asks again where nothing is known. Each answer is stored before the next request, beside earlier
    ones of the same question. Raises RecallUnpaid if the budget ends, after it stored what was paid for the task; the
    task is asked about again. Raises what `find_on_disk` raises.
    """

    def store(task: Task, answer: Recall) -> None:
        report(
            RecallProbe.objects.create(
                model=model, task=task, prompt=prompt_version(), task_digest=task.digest, **asdict(answer)
            )
        )

    for task in tasks:
        if _is_known(model, task, retry_failed=retry_failed):
            continue
        repository, on_disk = find_on_disk(task)
        if not on_disk.targets:
            continue
        try:
            answer = prober.probe(repository, on_disk.targets)
        except RecallUnpaid as unpaid:
            if unpaid.paid:
                store(task, unpaid.paid)
            raise
        store(task, answer)


def refresh(dataset: Dataset) -> None:
    """Makes a new version of what pages show of a dataset."""
    hide(dataset, hidden=dataset.hidden)


def _is_known(model: LanguageModel, task: Task, *, retry_failed: bool) -> bool:
    rows = RecallProbe.objects.filter(
        model=model, task=task, prompt=prompt_version(), task_digest=task.digest
    ).exclude(reason__startswith=UNPAID)
    return (rows.exclude(similarity=None) if retry_failed else rows).exists()
