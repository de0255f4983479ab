"""The tiny dataset as a workflow, and how verifiers run on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import Repository, Task
from harness.grading.verifiers.commands import Bench
from harness.grading.verifiers.final_state import FinalState
from harness.patches import FileState, apply_patch, make_patch
from harness.sandbox.base import ContainerUse, Engine, Owner
from harness.sandbox.local import LocalEngine
from tests.harness.worlds import tiny_dataset

OWNER = Owner("verifiers", "1")


class Run:
    """The result of a run in the tiny repository, on which verifiers are tried."""

    def __init__(self, repository: Repository, task: Task, engine: Engine, owner: Owner = OWNER) -> None:
        self.repository = repository
        self.task = task
        self.engine = engine
        self.owner = owner

    def patch(self, **files: str | None) -> bytes:
        """The patch that writes or deletes (None) files; `__` stands for a slash, `_dot_` for a dot."""
        return self.patch_of(
            {name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()}
        )

    def patch_of(self, files: Mapping[str, str | None]) -> bytes:
        """The patch that writes or deletes (None) files."""
        before = [state for name in files if (state := self.repository.source.read(name)) is not None]
        after = [
            FileState(name, None if text is None else text.encode(), 0o644) for name, text in files.items()
        ]
        return make_patch(before, after)

    def bench(self, patch: bytes = b"", *, seconds: float = 20.0) -> Bench:
        """Where commands run with this patch."""
        read = self.repository.source.read
        changed = apply_patch(patch, read)
        return Bench(
            self.engine, self.repository, self.task, patch, changed, read, ContainerUse(self.owner), seconds
        )

    def state(self, patch: bytes = b"") -> FinalState:
        """The files after this patch."""
        source = self.repository.source
        return FinalState(source, source.read, apply_patch(patch, source.read))

    def with_tests(self, files: Mapping[str, str]) -> Run:
        """The same with these hidden files instead."""
        root = self.task.directory / "other-tests"
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        task = replace(self.task, tests=replace(self.task.tests, root=root))
        return Run(self.repository, task, self.engine, self.owner)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run whose commands run on this host."""
    repository, task = next(tiny_dataset(tmp_path).tasks())
    return Run(repository, task, LocalEngine())
