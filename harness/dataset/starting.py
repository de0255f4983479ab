"""The tree that the agent of a task gets: the repository's source, or that source with the task's start patch."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from harness.dataset.model import Repository, Task
from harness.dataset.trees import Tree
from harness.patches import FileState, apply_patch


def started(repository: Repository, task: Task) -> Repository:
    """The repository with the task's own start as its source; itself if the task has none.

    May be called again with its own result. Raises PatchError if the start patch does not apply.
    """
    if task.start is None:
        return repository
    key = _key(task.start.read_bytes())
    if repository.start == key:
        return repository
    if repository.start:
        raise ValueError(f"{repository.slug} was started for another task than {task.slug}")
    source = replace(repository.source, changed=_changed(repository.source, task.start, key))
    return replace(repository, source=source, start=key, digest=start_digest(repository, task))


def start_digest(repository: Repository, task: Task) -> str:
    """The digest of the started repository, without applying the patch."""
    if task.start is None or repository.start:
        return repository.digest
    return _key(f"{repository.digest} {_key(task.start.read_bytes())}".encode())


def _key(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@lru_cache(maxsize=32)  # applying a patch starts git several times
def _changed(source: Tree, start: Path, _key: str) -> tuple[FileState, ...]:
    return apply_patch(start.read_bytes(), source.read)
