"""Measures of difficulty: from reference patches on disk, and from the index of generated tasks."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from django.db.models import F, Q

from harness.errors import HarnessError
from runs.analysis.difficulty.measures import patch_measures
from runs.analysis.difficulty.recalled_success import Recalled
from runs.data.queries.board_names import BoardName
from runs.models import RecallProbe
from runs.models.open_rows import without_hidden
from tasks.generation.recall.question import prompt_version
from tasks.loading import find_on_disk
from tasks.models import Task

log = logging.getLogger(__name__)

_AT_ONCE = 200


def task_measures(tasks: Iterable[str]) -> dict[str, Mapping[str, float | None]]:
    """Task ("repository/task", as runs name it) → measures, without tasks whose dataset is no longer on disk.

    A generated task also has those of its functions, see `function_measures`. Two datasets may have tasks of the same
    name; if their measures differ, the name is left out.
    """
    wanted = sorted(set(tasks))
    by_name: dict[str, Mapping[str, float | None]] = {}
    ambiguous: set[str] = set()
    for start in range(0, len(wanted), _AT_ONCE):
        for task in _stored(wanted[start : start + _AT_ONCE]):
            name = f"{task.repository.slug}/{task.slug}"
            try:
                patch = patch_measures(find_on_disk(task)[1].reference_diff.read_bytes())
            except (HarnessError, LookupError, OSError) as error:
                log.info("%s: its reference patch is unknown: %s", task, error)
                continue
            measures = {**patch, **task.measures}
            if by_name.setdefault(name, measures) != measures:
                ambiguous.add(name)
    return {name: measures for name, measures in by_name.items() if name not in ambiguous}


def function_measures(dataset: str = "", *, hidden: bool = False) -> dict[str, Mapping[str, float | None]]:
    """Task → the measures of the functions that were changed for it, of generated tasks; from the index alone.

    `dataset`: the name of a board; "": of all. `hidden`: of hidden ones, too.
    """
    tasks = Task.objects.all() if hidden else without_hidden(Task.objects.all())
    measured = tasks.exclude(measures={}).order_by("pk")
    if dataset:
        measured = measured.filter(**BoardName.of(dataset).lookups())
    rows = measured.values_list("repository__slug", "slug", "measures")
    return {f"{repository}/{task}": known for repository, task, known in rows}


def recalled(dataset: str = "", *, hidden: bool = False) -> dict[str, dict[str, Recalled]]:
    """Model → task → what it recalls of the present version of the task, by the present version of the question.

    `dataset`, `hidden`: as for `function_measures`. Tasks that do not name their functions are left out for everybody.
    """
    present = {"task_digest": F("task__digest"), "prompt": prompt_version(), "task__mode": Task.Mode.REMOVE}
    asked = without_hidden(RecallProbe.objects.filter(**present), unless=hidden)
    rows = asked.filter(similarity__isnull=False).order_by("pk")
    if dataset:
        rows = rows.filter(**BoardName.of(dataset).lookups("task__"))
    by_model: dict[str, dict[str, Recalled]] = defaultdict(dict)
    columns = ("model__slug", "task__repository__slug", "task__slug", "similarity", "equal")
    for model, repository, task, similarity, equal in rows.values_list(*columns):
        by_model[model][f"{repository}/{task}"] = Recalled(similarity, equal)
    return dict(by_model)


def twins_of(dataset: str = "", *, hidden: bool = False) -> dict[str, str]:
    """Twin → original, each "repository/task"; `dataset`, `hidden`: as for `function_measures`."""
    rows = without_hidden(Task.objects.exclude(twin_of=""), unless=hidden).order_by("pk")
    if dataset:
        rows = rows.filter(**BoardName.of(dataset).lookups())
    named = rows.values_list("repository__slug", "slug", "twin_of")
    return {f"{repository}/{task}": original for repository, task, original in named}


def reference_size(task: Task) -> Mapping[str, float | None] | None:
    """The measures of one task's reference patch, cached; None if it is unreadable."""
    try:
        return _size(task, task.digest)
    except (HarnessError, LookupError, OSError):
        return None


@lru_cache(maxsize=256)
def _size(task: Task, _digest: str) -> Mapping[str, float | None]:
    """Reading a task checks its digest, which takes a while."""
    return patch_measures(find_on_disk(task)[1].reference_diff.read_bytes())


def _stored(names: Iterable[str]) -> Iterable[Task]:
    which = Q(pk=None)
    for name in names:
        repository, _, task = name.partition("/")
        which |= Q(repository__slug=repository, slug=task)
    return Task.objects.filter(which).select_related("repository__dataset").order_by("pk")
