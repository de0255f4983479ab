"""Where a run's workspace began: files of the source tree that its task was loaded from, and of nothing else.

Only names that belong to the tree of the agent's workspace are ever read: no hidden test, no reference patch, no
test script, nothing through a symbolic link, nothing above.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from harness.dataset import Tree
from harness.errors import HarnessError
from harness.patches import PatchError, check_path
from runs.models import Run
from tasks.loading import find_on_disk
from tasks.models import Task

MOST_BYTES = 2 << 20


@dataclass(frozen=True, slots=True)
class Start:
    """A file as the workspace began with it. `text` None: nobody knows, for this `reason`."""

    text: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Home:
    """A task's source tree, and where it lay in the container."""

    source: Tree
    workdir: str


def home_of(run: Run) -> Home | str:
    """The tree that the run's workspace began as; a string says why it cannot be told."""
    digest = _recorded_digest(run)
    if digest and digest != run.task.digest:
        return "the dataset has changed since this run"
    try:
        return _home(run.task_id, run.task.digest)
    except (HarnessError, LookupError, OSError):
        return "the dataset is not on this machine, or is another one now"


def start_of(home: Home | str, path: str) -> Start:
    """One file at the start."""
    if isinstance(home, str):
        return Start(reason=home)
    try:
        check_path(path)
        state = home.source.read(path)
    except (PatchError, OSError, ValueError):
        return Start(reason="the path leads out of the workspace")
    if state is None:
        # It may still have been there: what a Dockerfile makes is in no source tree.
        return Start(reason="the task's source has no such file")
    if state.link:
        return Start(reason="it is a symbolic link")
    content = state.content or b""
    if len(content) > MOST_BYTES or b"\0" in content[:8192]:
        return Start(reason="it is too large, or not text")
    return Start(content.decode("utf-8", "replace").replace("\0", "\N{SYMBOL FOR NULL}"))


def path_within(path: str, home: Home | str) -> str | None:
    """The path relative to the workspace; None for one that lies outside of it, or is git's."""
    workdir = "/app" if isinstance(home, str) else home.workdir
    plain = PurePosixPath(path)
    if plain.is_relative_to(workdir):
        plain = plain.relative_to(workdir)
    try:
        check_path(str(plain))
    except PatchError:
        return None
    return str(plain)


def _recorded_digest(run: Run) -> str:
    """The task's digest that the run was made with; '' while it goes on, and where it cannot be read."""
    try:
        summary = json.loads((run.path / "run_summary.json").read_bytes())
        return str(summary["identity"]["task_digest"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return ""


@lru_cache(maxsize=64)
def _home(key: int, _digest: str) -> Home:
    """Reading a task checks its digest: once for many looks."""
    repository, _ = find_on_disk(Task.objects.select_related("repository__dataset").get(pk=key))
    return Home(repository.source, str(repository.workdir))
