"""What all parts of the conformance suite stand on: how a backend plugs in, and short words for what tests do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Protocol
from uuid import uuid4

import pytest

from harness.dataset import Repository, Task, Tree
from harness.patches import FileState
from harness.sandbox.base import CommandResult, ContainerLimits, ContainerUse, Engine, Owner, Workspace
from tests.harness.worlds import tiny_dataset, write_tree

LIMITS = ContainerLimits(memory_mb=256, cpus=1.0, pids=64)
SMALL_DISK = replace(LIMITS, disk_mb=64)


class Grade(Protocol):
    """Runs this script for bash in a clean container, over an agent's files and hidden tests (path → text)."""

    def __call__(
        self,
        script: str,
        *,
        files: Sequence[FileState] = (),
        tests: Mapping[str, str] = ...,
        timeout: float = 60,
        limits: ContainerLimits = LIMITS,
    ) -> tuple[CommandResult, Mapping[str, bytes]]:
        """What `Grader.run` returns."""


class Promises:
    """Subclasses provide the fixture `engine`, its name, and the three methods that stand for the world outside."""

    name = ""
    exceptions: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls) -> None:
        """No test runs with an exception that names none: it may be one that does harm on this host."""
        unknown = sorted(set(cls.exceptions) - cls.behaviours())
        if unknown:
            raise TypeError(f"{cls.__name__}.exceptions names no test: {', '.join(unknown)}")

    @classmethod
    def behaviours(cls) -> set[str]:
        """Everything that is promised."""
        return {name.removeprefix("test_") for name in dir(cls) if name.startswith("test_")}

    @pytest.fixture(autouse=True)
    def _named_exceptions(self, request: pytest.FixtureRequest) -> None:
        """Before anything is started: some of these would do harm."""
        reason = self.exceptions.get(request.function.__name__.removeprefix("test_"))
        if reason is not None:
            pytest.skip(f"a named exception: {reason}")

    def containers(self, instance: str) -> list[str]:
        """The names of all containers of that instance, running or not."""
        raise NotImplementedError

    def remove_from_outside(self, name: str) -> None:
        """Removes a running container as an operator would."""
        raise NotImplementedError

    def kill_from_outside(self, name: str) -> None:
        """Kills a running container as an operator would, without removing it."""
        raise NotImplementedError

    @pytest.fixture
    def repository(self, tmp_path: Path) -> Repository:
        return tiny_dataset(tmp_path).repository("calc")

    @pytest.fixture
    def task(self, repository: Repository) -> Task:
        return repository.task("add-negatives")

    @pytest.fixture
    def owner(self, engine: Engine) -> Iterator[Owner]:
        owner = Owner(f"conformance-{uuid4().hex[:8]}", "run-1")
        yield owner
        left = engine.sweep(owner.instance)
        assert left == [], "a test left containers behind"

    @pytest.fixture
    def workspace(self, engine: Engine, repository: Repository, owner: Owner) -> Iterator[Workspace]:
        with engine.workspace(repository, ContainerUse(owner, LIMITS)) as workspace:
            yield workspace

    @pytest.fixture
    def grade(self, engine: Engine, repository: Repository, owner: Owner, tmp_path: Path) -> Grade:
        def grade(
            script: str,
            *,
            files: Sequence[FileState] = (),
            tests: Mapping[str, str] = {},
            timeout: float = 60,
            limits: ContainerLimits = LIMITS,
        ) -> tuple[CommandResult, Mapping[str, bytes]]:
            path, hidden = tmp_path / "script.sh", tmp_path / "hidden-tests"
            path.write_text(f"{script}\n", encoding="utf-8")
            hidden.mkdir()
            write_tree(hidden, tests)
            with engine.grader(repository, ContainerUse(owner, limits)) as grader:
                return grader.run(
                    files=files, tests=list(Tree(hidden).files()), script=path, task="t", timeout=timeout
                )

        return grade


def raw(workspace: Workspace, command: str, timeout: float = 30) -> str:
    """What the terminal tool answers."""
    arguments = {"command": command, "explanation": "conformance", "is_background": False}
    reply = workspace.call("run_terminal_cmd", arguments, timeout=timeout)
    assert reply.ok, reply.content
    return reply.content


def shell(workspace: Workspace, command: str, timeout: float = 30) -> str:
    """The output of a command that succeeds."""
    first, _, output = raw(workspace, command, timeout).partition("\n")
    assert first.startswith("exit code 0"), f"{first}\n{output}"
    return output.strip()
