"""Runs agents on the tiny dataset, in real containers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.agents.base import AgentSpec
from harness.agents.scripted import Calibration, random_numbers
from harness.dataset import Proof, Repository, Task, load_dataset, write_proof
from harness.execute import execute_run
from harness.limits import Limits
from harness.llm.spec import ModelSpec
from harness.records import Identity, RunRecord, RunSummary
from harness.sandbox.docker import DockerEngine
from harness.session import Control
from tests.harness.worlds import FAIL_UNTOUCHED, PASS_UNTOUCHED, add_workflow, write_tiny_dataset

INSTANCE = f"test-arena-{os.getpid()}"


def test_id(name: str) -> str:
    """The id of a hidden test of the tiny dataset."""
    return f"test_negatives.NegativesTest::{name}"


test_id.__test__ = False  # type: ignore[attr-defined]


def tiny_proof(task: Task) -> Proof:
    """The proof that admission gives for the tiny task."""
    return Proof(
        digest=task.digest,
        fail_to_pass=tuple(map(test_id, FAIL_UNTOUCHED)),
        pass_to_pass=tuple(map(test_id, PASS_UNTOUCHED)),
        repeats=1,
        proved_at="2026-01-01T00:00:00.000Z",
        harness_version="0",
        floor_passed=len(PASS_UNTOUCHED),
        ceiling_seconds=0.1,
        closing="# tests, 0 failures, 0 errors",
    )


def will_succeed(
    task: Task, repository: Repository, calibration: Calibration, attempt: int, evaluation: str = ""
) -> bool:
    """Whether a calibration agent makes every change of the reference patch in this attempt."""
    numbers = random_numbers(task, repository, calibration, attempt, evaluation)
    return numbers.random() < calibration.success_rate


@dataclass(frozen=True, slots=True)
class Arena:
    """The admitted tiny task, and a place for run directories."""

    root: Path
    repository: Repository
    task: Task

    @classmethod
    def make(cls, root: Path) -> Arena:
        """Writes and admits the tiny dataset below `root`."""
        return cls.make_from(root, write_tiny_dataset(root))

    @classmethod
    def make_from(cls, root: Path, dataset: Path) -> Arena:
        """Admits a tiny dataset that was written, and perhaps changed, before."""
        _, task = next(load_dataset(dataset).tasks())
        write_proof(task, tiny_proof(task))
        repository, task = next(load_dataset(dataset).tasks())
        return cls(root, repository, task)

    @classmethod
    def of_workflow(cls, root: Path, persona: str = "default") -> Arena:
        """The admitted scenario `talk-negatives` with a persona."""
        dataset = write_tiny_dataset(root)
        add_workflow(dataset)

        def load() -> tuple[Repository, Task]:
            repository = load_dataset(dataset).repository("calc")
            return repository, repository.task(f"talk-negatives.{persona}")

        _, task = load()
        assert task.workflow is not None
        names = tuple(verifier.name for verifier in task.workflow.verifiers)
        write_proof(task, replace(tiny_proof(task), fail_to_pass=names, pass_to_pass=(), closing=""))
        return cls(root, *load())

    def run(
        self,
        kind: str,
        settings: Mapping[str, Any] | None = None,
        *,
        attempt: int = 1,
        limits: Limits | None = None,
        control: Control | None = None,
        model: ModelSpec | None = None,
        **more: Any,
    ) -> tuple[RunSummary, RunRecord]:
        """One run, and what it left behind. `more` goes to `execute_run`."""
        spec = AgentSpec(kind, kind, settings or {}, model)
        directory = self.root / f"run-{len(list(self.root.glob('run-*')))}"
        with closing(DockerEngine()) as engine:
            summary = execute_run(
                repository=self.repository,
                task=self.task,
                agent=spec,
                identity=self.identity(spec, attempt),
                directory=directory,
                engine=engine,
                limits=limits or Limits(),
                control=control,
                instance=INSTANCE,
                **more,
            )
        return summary, RunRecord(directory)

    def play(self, *steps: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[RunSummary, RunRecord]:
        """A scripted run of these steps, each a list of (tool, arguments)."""
        return self.run("scripted", script(*steps))

    def identity(self, spec: AgentSpec, attempt: int = 1) -> Identity:
        """Who runs what."""
        return Identity(
            run_id=f"arena/{spec.name}/{attempt}",
            evaluation="arena",
            dataset="tiny",
            dataset_version="1.0.0",
            repository=self.repository.slug,
            task=self.task.slug,
            task_digest=self.task.digest,
            agent=spec.name,
            agent_name=spec.name,
            agent_kind=spec.kind,
            attempt=attempt,
            settings=spec.settings,
            calibration=True,
        )


def script(*steps: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Settings of a scripted agent; each call gets the explanation that every tool requires."""
    return {
        "script": [
            {
                "message": f"Step {number}.",
                "calls": [
                    {"name": name, "arguments": {"explanation": "As the script says.", **arguments}}
                    for name, arguments in calls
                ],
            }
            for number, calls in enumerate(steps, 1)
        ]
    }


def shell(command: str) -> tuple[str, dict[str, Any]]:
    """A call of run_terminal_cmd."""
    return "run_terminal_cmd", {"command": command}


def write(path: str, content: str) -> tuple[str, dict[str, Any]]:
    """A call of write_file."""
    return "write_file", {"path": path, "content": content}
