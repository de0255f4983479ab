"""Reads files as they were at the start of a run, from the source tree of its task.

Only files of the agent's workspace are read: no hidden tests, reference patches or test scripts, nothing through a
symbolic link, and nothing outside of the tree.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from harness.dataset import Tree
from harness.errors import HarnessError
from harness.patches import PatchError, check_path
from harness.records import SUMMARY
from runs.models import Run
from tasks.loading import find_on_disk
from tasks.models import Task

MAX_BYTES = 2 << 20


@dataclass(frozen=True, slots=True)
class StartingFile:
    """A file at the start of the run. `text` None: unknown, for this `reason`."""

    text: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SourceTree:
    """The source tree of a task, and its directory in the container."""

    source: Tree
    workdir: str


def source_tree_of(run: Run) -> SourceTree | str:
    """The tree that the run started from, or the reason why it is unknown."""
    digest = _recorded_digest(run)
    if digest and digest != run.task.digest:
        return "the dataset has changed since this run"
    try:
        return _load_tree(run.task_id, run.task.digest)
    except (HarnessError, LookupError, OSError):
        return "the dataset is not on this machine, or has changed"


def starting_file(tree: SourceTree | str, path: str) -> StartingFile:
    """One file at the start of the run."""
    if isinstance(tree, str):
        return StartingFile(reason=tree)
    try:
        check_path(path)
        state = tree.source.read(path)
    except (PatchError, OSError, ValueError):
        return StartingFile(reason="the path leads out of the workspace")
    if state is None:
        # It may still have existed: a Dockerfile can create files that are not in the source tree.
        return StartingFile(reason="the task's source has no such file")
    if state.link:
        return StartingFile(reason="it is a symbolic link")
    content = state.content or b""
    if len(content) > MAX_BYTES or b"\0" in content[:8192]:
        return StartingFile(reason="it is too large, or not text")
    return StartingFile(content.decode("utf-8", "replace").replace("\0", "\N{SYMBOL FOR NULL}"))


def workdir_of(tree: SourceTree | str) -> str:
    """The directory of the workspace in the container; the usual one if the tree is unknown."""
    return "/app" if isinstance(tree, str) else tree.workdir


def path_within(path: str, tree: SourceTree | str) -> str | None:
    """The path relative to the workspace; None if it is outside of the workspace or belongs to git."""
    workdir = workdir_of(tree)
    plain = PurePosixPath(path)
    if plain.is_relative_to(workdir):
        plain = plain.relative_to(workdir)
    try:
        check_path(str(plain))
    except PatchError:
        return None
    return str(plain)


def _recorded_digest(run: Run) -> str:
    """The digest of the task as recorded by the run; '' if it is not recorded (yet) or unreadable."""
    try:
        summary = json.loads((run.path / SUMMARY).read_bytes())
        return str(summary["identity"]["task_digest"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return ""


@lru_cache(maxsize=64)
def _load_tree(key: int, _digest: str) -> SourceTree:
    """Cached, because reading a task checks its digest."""
    repository, _ = find_on_disk(Task.objects.select_related("repository__dataset").get(pk=key))
    return SourceTree(repository.source, str(repository.workdir))
