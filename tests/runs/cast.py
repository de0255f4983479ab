"""The recurring cast of the page tests: a harbour with its tasks, a handful of agents, and runs with real directories.

Alice competes with a priced model, Bob with one without a known price; the oracle and the idler calibrate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from harness.limits import Ending
from harness.records import (
    FileEdit,
    Grade,
    Identity,
    Metrics,
    Outcome,
    RunRecorder,
    TestResult,
    TestStatus,
    ToolCall,
    ToolResult,
    UserTurn,
)
from runs.data.cells.recompute import rebuild_cells
from runs.models import Agent, Evaluation, LanguageModel, Run, Try
from tasks.models import Dataset, Repository, Task, TaskProof

TESTS = tuple(f"tests/test_tide.py::test_{name}" for name in ("ebb", "flood", "slack", "spring", "neap"))
PROOF = {
    "floor_passed": 2,
    "ceiling_seconds": 1.5,
    "repeats": 3,
    "proved_at": "2026-01-02T03:04:05Z",
    "harness_version": "0.1.0",
    "fail_to_pass": list(TESTS[2:]),
    "pass_to_pass": list(TESTS[:2]),
}
DIFF = (
    "--- a/tide.py\n+++ b/tide.py\n@@ -1,2 +1,2 @@\n def level(hour):\n-    return 0\n+    return hour % 12\n"
)


@dataclass(slots=True)
class Cast:
    """Builds what a test needs, with as few words as possible. Slugs are names in lower case."""

    dataset: Dataset = field(init=False)
    repository: Repository = field(init=False)
    evaluation: Evaluation = field(init=False)
    attempts: int = 5

    def __post_init__(self) -> None:
        self.dataset = Dataset.objects.create(
            slug="ports",
            title="Ports",
            description="Code of the sea.",
            version="1.0",
            licence="MIT",
            directory="/nowhere",
        )
        self.repository = self.add_repository("harbour", "Harbour master")
        self.evaluation = self.add_evaluation("spring-tide", "Spring tide")

    def add_evaluation(self, slug: str, title: str, **more: Any) -> Evaluation:
        """One evaluation, finished by default."""
        values = {"attempts": self.attempts, "state": Evaluation.State.FINISHED, **more}
        return Evaluation.objects.create(slug=slug, title=title, **values)

    def add_repository(self, slug: str, title: str) -> Repository:
        """One more code base of the dataset."""
        return Repository.objects.create(
            dataset=self.dataset,
            slug=slug,
            title=title,
            description="Keeps ships apart.",
            stack="Python 3.11",
            languages=["Python"],
            domain="shipping",
        )

    def add_tasks(
        self, count: int, repository: Repository | None = None, *, difficulty: str = "easy", start: int = 1
    ) -> list[Task]:
        """Tasks `tide-1`, `tide-2`, …, admitted."""
        tasks = [
            Task.objects.create(
                repository=repository or self.repository,
                slug=f"tide-{number}",
                title=f"Tide {number}",
                description="# Tides\n\nRead `tide.py` and\n\n- mend it\n- keep it",
                category=Task.Category.BUG,
                difficulty=difficulty,
                digest="d" * 64,
                admitted=True,
                tests_total=len(TESTS),
            )
            for number in range(start, start + count)
        ]
        TaskProof.objects.bulk_create(TaskProof(task=task, content=PROOF) for task in tasks)
        return tasks

    def add_workflow(self, *personas: str) -> list[Task]:
        """The scenario `talk-tide`, one admitted task for each persona."""
        tasks = self.add_tasks(len(personas), start=70)
        for task, persona in zip(tasks, personas, strict=True):
            task.slug, task.title = f"talk-tide.{persona}", f"Talk about tides, {persona}"
            task.mode, task.scenario, task.persona = Task.Mode.WORKFLOW, "talk-tide", persona
            task.description = "Does `tide.py` know the neap tide?"
            task.workflow = {
                "objective": "The neap tide is known.",
                "instructions": ["Add the neap tide to `tide.py`.", "Name the file that you changed."],
                "limits": {
                    "messages": 10,
                    "turn_seconds": 900.0,
                    "scenario_seconds": 1200.0,
                    "verifier_seconds": 300.0,
                },
            }
            task.save()
        return tasks

    def add_hidden_task(self) -> Task:
        """A task of another dataset, which is hidden."""
        vault = Dataset.objects.create(
            slug="vault",
            title="Vault",
            description="",
            version="1",
            licence="MIT",
            directory="/nowhere",
            hidden=True,
        )
        cellar = Repository.objects.create(
            dataset=vault, slug="cellar", title="Cellar", description="", stack="C", domain="x"
        )
        return self.add_tasks(1, cellar, start=7)[0]

    def add_model(self, name: str, **more: Any) -> LanguageModel:
        """A language model."""
        return LanguageModel.objects.create(
            slug=name.lower(), name=name, provider="Ada Works", litellm_id=f"ada/{name}", **more
        )

    def add_agent(self, name: str, kind: str = "ide", model: LanguageModel | None = None) -> Agent:
        """A competitor, or a calibration agent."""
        return Agent.objects.create(slug=name.lower(), name=name, kind=kind, model=model)

    def alice(self) -> Agent:
        """An agent with a model that has a price."""
        return self.add_agent(
            "Alice", "ide", self.add_model("Analytical", input_price=3.0, output_price=15.0)
        )

    def bob(self) -> Agent:
        """An agent with a model without a price."""
        return self.add_agent("Bob", "ide", self.add_model("Babbage"))

    def oracle(self) -> Agent:
        """Applies the reference patch."""
        return self.add_agent("Oracle", "oracle")

    def idler(self) -> Agent:
        """Touches nothing."""
        return self.add_agent("Idler", "null")

    def add_run(
        self, agent: Agent, task: Task, attempt: int = 1, *, passed: int = len(TESTS), **more: Any
    ) -> Run:
        """A finished run that passed so many of the five tests; all five: resolved. `more` overrides any field."""
        resolved = passed == len(TESTS)
        evaluation = more.pop("evaluation", self.evaluation)
        name = f"{evaluation.slug}/{agent.slug}/{task.repository.slug}/{task.slug}/{attempt}"
        now = timezone.now()
        values: dict[str, Any] = {
            "state": Run.State.FINISHED,
            "outcome": Run.Outcome.RESOLVED if resolved else Run.Outcome.UNRESOLVED,
            "ending": Ending.COMPLETED.value,
            "tries": 1,
            "directory": f"{name}/try-1",
            "tests_total": len(TESTS),
            "tests_passed": passed,
            "started_at": now - timedelta(seconds=90),
            "finished_at": now,
            "act_seconds": 60.0,
            "prompt_tokens": 900 if agent.model else 0,
            "completion_tokens": 100 if agent.model else 0,
            "cost_usd": 0.25 if agent.model and agent.model.input_price else (None if agent.model else 0.0),
            **more,
        }
        return Run.objects.create(
            key=name, evaluation=evaluation, agent=agent, task=task, attempt=attempt, **values
        )

    def add_cell(self, agent: Agent, task: Task, passed: Sequence[int]) -> list[Run]:
        """One run for each number of passed tests, attempts counted from 1. Call `settle` when all are there."""
        return [self.add_run(agent, task, attempt, passed=n) for attempt, n in enumerate(passed, 1)]

    def settle(self) -> None:
        """Counts the cells."""
        rebuild_cells()


def recorder_of(run: Run) -> RunRecorder:
    """Opens the run's directory for writing, as the harness does."""
    return RunRecorder(run.path, identity_of(run))


def identity_of(run: Run) -> Identity:
    """Who this run says it is."""
    return Identity(
        run_id=run.key,
        evaluation=run.evaluation.slug,
        dataset="ports",
        dataset_version="1.0",
        repository=run.task.repository.slug,
        task=run.task.slug,
        task_digest=run.task.digest,
        agent=run.agent.slug,
        agent_name=run.agent.name,
        agent_kind=run.agent.kind,
        attempt=run.attempt,
    )


def act(
    recorder: RunRecorder,
    tool: str,
    arguments: Mapping[str, Any],
    result: str = "done",
    *,
    message: str = "Next.",
    ok: bool = True,
    seconds: float = 0.2,
    edits: Sequence[FileEdit] = (),
) -> int:
    """One step with one call; returns its number."""
    step = recorder.step(
        "agent",
        message,
        calls=[ToolCall("call-1", tool, {"explanation": "To see.", **arguments})],
        results=[ToolResult("call-1", result, ok, seconds)],
        metrics=Metrics(prompt_tokens=800, completion_tokens=40, seconds=1.1),
    )
    recorder.edits(step.step_id, edits)
    return step.step_id


def record(run: Run, *, messages: Mapping[str, str] | None = None, astray: bool = False) -> Path:
    """A short, complete directory: two words before, read, search, edit, a failed call, a command, tests, patch.

    The run's own numbers say how many tests passed; `messages` gives failed tests their text. One that goes `astray`
    looks for something else and writes something else.
    """
    sought, right, said = (
        ("hour", "24", "\x1b[31m3 failed, 2 passed") if astray else ("level", "12", "\x1b[32m5 passed")
    )
    recorder = recorder_of(run)
    recorder.step("system", "You work on a repository.")
    recorder.step("user", "Mend the tide.")
    act(recorder, "read_file", {"path": "tide.py"}, "1  def level(hour):\n2      return 0")
    act(recorder, "grep_search", {"pattern": sought}, "tide.py:1", seconds=0.9)
    diff = DIFF.replace("12", right)
    edit = FileEdit("tide.py", "modified", 1, 1, syntax_ok=True, diff=diff)
    operations = [{"type": "REPLACE", "start_line": 2, "content": f"    return hour % {right}\n    # done\n"}]
    act(recorder, "edit_file", {"path": "tide.py", "operations": operations}, edits=[edit], seconds=2.5)
    act(recorder, "read_file", {"path": "moon.py"}, "There is no file moon.py.", ok=False)
    act(recorder, "run_terminal_cmd", {"command": "pytest -q"}, f"{said}\x1b[0m in 0.1 s", seconds=6)
    recorder.step("agent", "The tide turns again.", metrics=Metrics(seconds=0.7))
    recorder.patch(("diff --git a/tide.py b/tide.py\n" + diff).encode())
    recorder.grade(grade_of(run, messages or {}))
    return run.path


def record_dialogue(run: Run, *turns: UserTurn) -> Path:
    """A directory of a workflow: after the first message, the agent says a sentence before each of the user's turns."""
    recorder = recorder_of(run)
    recorder.step("system", "You work on a repository.")
    recorder.step("user", "Does tide.py know the neap tide?")
    for turn in turns:
        act(recorder, "read_file", {"path": "tide.py"})
        recorder.step("agent", "It does not.")
        step_id = 0 if turn.reason else recorder.step("user", "Then add it.").step_id
        recorder.user_turn(replace(turn, step_id=step_id))
    return run.path


def grade_of(run: Run, messages: Mapping[str, str]) -> Grade:
    """The report that fits the run's numbers: the first tests passed, the others failed."""
    passed = run.tests_passed or 0
    tests = tuple(
        TestResult(
            test,
            TestStatus.PASSED if place < passed else TestStatus.FAILED,
            0.01,
            "" if place < passed else messages.get(test, "AssertionError: 0 != 7"),
        )
        for place, test in enumerate(TESTS)
    )
    return Grade(run.outcome == Outcome.RESOLVED, tests, 0, 0.5, "", log="collected 5 items\n")


def add_try(run: Run, number: int, state: str, reason: str = "", **more: Any) -> Try:
    """One execution of a run. `more` gives any other field."""
    return Try.objects.create(
        run=run,
        number=number,
        state=state,
        reason=reason,
        directory=f"{run.key}/try-{number}",
        heartbeat_at=timezone.now(),
        **more,
    )


def data() -> Path:
    """Where the runs of this test lie."""
    return Path(settings.RUNS_ROOT)
