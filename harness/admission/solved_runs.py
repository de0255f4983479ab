"""Test runs with the reference patch, shared by tasks that have the same solution.

Tasks that are made by changing functions of one repository differ in where they start. With their reference patches
they are all the repository's source, so the tests of that tree give the same results, and the same traps, for all.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import replace

from harness.dataset import Repository, Task, Traps
from harness.grading.hidden_tests import TestRun
from harness.patches import apply_patch

Solved = tuple[list[TestRun], Traps | None]


class SolvedRuns:
    """Remembers the runs of each solved tree as long as it lives. Thread-safe: one caller makes them, others wait."""

    def __init__(self) -> None:
        self._found: dict[str, Solved] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: str, make: Callable[[], Solved]) -> Solved:
        """The runs of this key. What `make` raises is raised, and remembered by no one."""
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._found:
                self._found[key] = make()
            return self._found[key]


def solved_key(repository: Repository, task: Task, repeats: int) -> str:
    """Equal for tasks whose test runs with the reference patch cannot differ.

    Covers the environment, the solved tree, the hidden tests and what runs them. `repository`: as it was started.
    Raises PatchError if the reference patch does not apply.
    """
    source = repository.source
    changed = {state.path: state for state in source.changed}
    changed |= {state.path: state for state in apply_patch(task.reference_diff.read_bytes(), source.read)}
    tree = replace(source, changed=tuple(changed.values()))
    parts = (
        repository.environment_digest or repository.digest,
        tree.digest(),
        task.tests.digest(),
        hashlib.sha256(repository.run_tests.read_bytes()).hexdigest(),
        *(hashlib.sha256(trap.read_bytes()).hexdigest() for trap in task.traps),
        *task.leave_out,
        task.report,
        task.test_timeout,
        repeats,
    )
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "surrogateescape")).hexdigest()
