"""Maps of code in the database, and which of their functions are targets of generated tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.conf import settings
from django.db import transaction

from harness.dataset.generation import GENERATION, read_generation
from tasks.generation.maps.code_map import CodeMap, FunctionKey, loads
from tasks.loading import hide, put_map
from tasks.models import Repository, RepositoryMap, Task


@transaction.atomic
def store_map(repository: Repository, found: CodeMap) -> None:
    """Stores a new map, as `put_map` does."""
    put_map(repository, found)
    hide(repository.dataset, hidden=repository.dataset.hidden)  # a new version of what pages show


def read_map(stored: RepositoryMap) -> CodeMap:
    """The map of a row. Raises InvalidCodeMap for one of another version: then it has to be made again."""
    return loads(bytes(stored.content))


def targets_of(tasks: Iterable[Task]) -> Mapping[FunctionKey, list[Task]]:
    """The functions that are targets of these tasks, by their hidden files on disk: for operators alone.

    A task whose file is missing or invalid has no target.
    """
    found: dict[FunctionKey, list[Task]] = defaultdict(list)
    for task in tasks:
        dataset = settings.BASE_DIR / task.repository.dataset.directory
        path = dataset / task.repository.slug / "tasks" / task.slug / GENERATION
        if not task.repository.dataset.directory or not path.is_file():
            continue
        generation = read_generation(path, lambda _field, _reason: None)
        for target in generation.targets if generation else ():
            found[target.path, target.name, target.occurrence].append(task)
    return found
