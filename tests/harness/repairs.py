"""Runs of the ide agent on tasks to repair a function, over a workspace of the local engine and a scripted model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.agents.base import AgentSpec
from harness.agents.ide import IdeAgent
from harness.dataset import Proof, Repository, Task, load_dataset, started, write_proof
from harness.errors import AgentError
from harness.limits import Ending, LimitReached, Limits, Spending
from harness.llm.scripted_server import ModelServer, Request
from harness.llm.spec import ModelSpec
from harness.records import RunRecord, RunRecorder
from harness.sandbox.base import ContainerLimits, ContainerUse, Owner
from harness.sandbox.local import LocalEngine
from harness.session import Control, Session
from harness.submissions import HiddenTests
from tests.harness.arena import Arena, test_id
from tests.harness.worlds import FAIL_UNTOUCHED, PASS_UNTOUCHED, write_repair_dataset

OWNER = Owner("repairs", "run-1")
DIGITS = "calc/digits.py"
SPELL = (
    "def spell(number):\n    if number < 0:\n        return '-' + spell(-number)\n    return str(number)\n"
)
WRONG = "def spell(number):\n    return 'wrong'\n"
PARSE = '''\
def parse(text):
    """The number that `text` spells; ValueError where it spells none."""
    if text.startswith("-") and not text.startswith("--"):
        return -parse(text[1:])
    if not text or any(letter not in DIGITS for letter in text):
        raise ValueError("not a number: {!r}".format(text))
    return int(text)
'''
# What fails when `spell` returns nothing, and when `parse` multiplies by 9.
_FAIL: Mapping[str, tuple[str, ...]] = {
    "write-spell": ("test_adds_one_number", "test_adds_two_numbers", "test_spells_a_negative_sum"),
    "find-fault": ("test_adds_two_numbers", "test_reads_a_negative_number"),
}


def repair_task(root: Path, slug: str) -> tuple[Repository, Task]:
    """One task of the dataset `repair`, written below `root` and admitted, with its started repository."""
    dataset = write_repair_dataset(root)

    def load() -> tuple[Repository, Task]:
        repository = load_dataset(dataset).repository("calc")
        return repository, repository.task(slug)

    _, task = load()
    fail = _FAIL[slug]
    passing = [name for name in (*PASS_UNTOUCHED, *FAIL_UNTOUCHED) if name not in fail]
    proof = Proof(
        digest=task.digest,
        fail_to_pass=tuple(map(test_id, fail)),
        pass_to_pass=tuple(map(test_id, passing)),
        repeats=1,
        proved_at="2026-01-01T00:00:00.000Z",
        harness_version="0",
        floor_passed=len(passing),
        ceiling_seconds=0.1,
        closing="# tests, 0 failures, 0 errors",
    )
    write_proof(task, proof)
    repository, task = load()
    return started(repository, task), task


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    """A call of a script."""
    return {"name": tool, "arguments": {"explanation": "As the script says.", **arguments}}


@dataclass(slots=True)
class Repair:
    """A session on one of these tasks, and what an agent did in it."""

    session: Session
    record: RunRecord
    ending: Ending | None = None
    error: Exception | None = None
    requests: Sequence[Request] = field(default_factory=list)

    def play(self, script: Sequence[Any], **settings: Any) -> None:
        """Lets the ide agent act, with the profile of Breakpoint unless the settings name another."""
        with ModelServer(script) as server:
            model = ModelSpec("Scripted", "openai/scripted", server.url)
            own = {"profile": "breakpoint", "call_timeout": 5, "retry_delay": 0.01, **settings}
            try:
                self.ending = IdeAgent(AgentSpec("ide", "ide", own, model)).run(self.session)
            except (LimitReached, AgentError) as error:
                self.error = error
        self.requests = server.requests

    def results(self) -> list[str]:
        """The texts of all results of tools, in order."""
        return [result.content for step in self.record.steps() for result in step.results]

    def offered(self) -> list[list[str]]:
        """The names of the tools of each request."""
        return [[tool["function"]["name"] for tool in request.body["tools"]] for request in self.requests]


@contextmanager
def repairing(root: Path, slug: str, limits: Limits | None = None) -> Iterator[Repair]:
    """A session on a task of the dataset `repair`."""
    repository, task = repair_task(root, slug)
    engine, container = LocalEngine(), ContainerLimits()
    spending = Spending(limits or Limits())
    identity = Arena(root, repository, task).identity(AgentSpec("ide", "ide"))
    with engine.workspace(repository, ContainerUse(OWNER, container)) as workspace:
        yield Repair(
            Session(
                repository=repository,
                task=task,
                attempt=1,
                workspace=workspace,
                recorder=RunRecorder(root / "run", identity),
                spending=spending,
                control=Control(),
                examiner=HiddenTests(
                    engine,
                    repository,
                    task,
                    use=ContainerUse(OWNER, container, lambda: None),
                ),
            ),
            RunRecord(root / "run"),
        )
