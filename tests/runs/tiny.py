"""The tiny dataset in the database, with the agents that know it, for tests of starting, working and settling."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from harness.dataset import load_dataset, write_proof
from harness.limits import Ending
from harness.records import Flag, Outcome, RunRecorder, RunSummary
from harness.sandbox.base import EngineStatus
from runs.jobs.heartbeats import Watch
from runs.jobs.job_kinds import EXECUTE
from runs.jobs.sweeping import KindSweep
from runs.models import Agent, Evaluation, Run, Try
from runs.operations.evaluations.harness_specs import identity
from runs.operations.evaluations.lifecycle import start_evaluation
from runs.work.execution.jobs import claim
from tasks.loading import load
from tasks.models import Task
from tests.harness.arena import tiny_proof
from tests.harness.worlds import let_tests_toss_coins, write_tiny_dataset

ROOT = Path(__file__).parents[2]
ENGINE_ANSWERS = EngineStatus(available=True, description="an engine")


@dataclass(slots=True)
class Tiny:
    """One admitted task, the null agent and the oracle. `flaky`: its tests toss coins."""

    root: Path
    flaky: bool = False
    task: Task = field(init=False)
    null: Agent = field(init=False)
    oracle: Agent = field(init=False)

    def __post_init__(self) -> None:
        directory = write_tiny_dataset(self.root)
        if self.flaky:
            let_tests_toss_coins(directory)
        dataset = load_dataset(directory)
        _, task = next(dataset.tasks())
        write_proof(task, tiny_proof(task))
        load(dataset.directory)
        self.task = Task.objects.get()
        self.null = Agent.objects.create(slug="null", name="Null", kind="null")
        self.oracle = Agent.objects.create(slug="oracle", name="Oracle", kind="oracle")

    def start(self, *, listed: bool = True, **changes: Any) -> Evaluation:
        """An evaluation of the oracle with one attempt, or as `changes` say; no engine is used.

        `listed`: its runs count as they settle, like those of a published evaluation that are tried again.
        """
        choice: dict[str, Any] = {
            "title": "Try it",
            "agents": [self.oracle],
            "tasks": [self.task],
            "attempts": 1,
            "engine": ENGINE_ANSWERS,
        }
        evaluation = start_evaluation(**{**choice, **changes})
        if listed:
            Evaluation.objects.filter(pk=evaluation.pk).update(listed=True)
            evaluation.refresh_from_db()
        return evaluation

    def slow_agent(self, seconds: int, times: int = 1) -> Agent:
        """Sleeps in its container so often, and changes nothing."""
        call = {
            "name": "run_terminal_cmd",
            "arguments": {"command": f"sleep {seconds}", "explanation": "Wait."},
        }
        return Agent.objects.create(
            slug="slow",
            name="Slow",
            kind="scripted",
            settings={"script": [{"message": "I wait.", "calls": [call]}] * times},
        )


def claimed(run: Run) -> Run:
    """The run, in the hands of the next try. Its time has come, if it had to wait."""
    Run.objects.filter(pk=run.pk).update(not_before=None)
    assert claim(run, run.tries + 1)
    return run


def summary_of(run: Run, **changes: Any) -> RunSummary:
    """What a resolved try of this run says of itself, with `changes`."""
    values: dict[str, Any] = {
        "identity": identity(run, run.tries),
        "outcome": Outcome.RESOLVED,
        "ending": Ending.COMPLETED,
        "detail": "",
        "started_at": "2026-03-01T10:00:00.000Z",
        "finished_at": "2026-03-01T10:01:00.000Z",
        "prepare_seconds": 0.5,
        "act_seconds": 2.0,
        "grade_seconds": 1.0,
        "steps": 4,
        "iterations": 3,
        "tool_calls": 5,
        "failed_calls": 1,
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "cached_tokens": 400,
        "reasoning_tokens": 60,
        "cost_usd": 0.25,
        "tests_total": 8,
        "tests_passed": 8,
        "files_changed": 2,
        "lines_added": 7,
        "lines_removed": 3,
        "grading_reason": "every expected test passed",
        "flags": (Flag("ignored", "tests/conftest.py", "not applied"),),
        "similarity": {"lines": 0.42, "file_precision": 1.0, "file_recall": 0.5, "file_f1": 0.667},
    }
    return RunSummary(**{**values, **changes})


def failure_of(run: Run, reason: str = "the engine went away") -> RunSummary:
    """What a try says that the infrastructure ended."""
    return summary_of(
        run,
        outcome=Outcome.INFRASTRUCTURE_FAILED,
        ending=Ending.INFRASTRUCTURE,
        detail=reason,
        failure="engine",
        tests_passed=0,
    )


def write_run(directory: Path, summary: RunSummary) -> Path:
    """A complete run directory with one step."""
    recorder = RunRecorder(directory, summary.identity)
    recorder.step("agent", "I am done.")
    recorder.patch(b"")
    recorder.summary(summary)
    return directory


def manage(*arguments: str, **more: Any) -> subprocess.Popen[str]:
    """`manage.py …` as a process of its own, with this test's database, Redis, secret and data directory."""
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "REDIS_URL": settings.REDIS_URL,
        "SECRET_KEY": settings.SECRET_KEY,
        "BENCHBENCH_DATA": str(settings.DATA),
        "BENCHBENCH_INSTANCE": settings.INSTANCE,
    }
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        **more,
    )


def give_up_lost_tries(watch: Watch[Try] | None = None) -> int:
    """What the sweeper does for lost tries, by this watch or by the database's clock. Returns how many are lost."""
    sweep = KindSweep(EXECUTE, watched=False)
    sweep.watch = watch
    return sweep.give_up_lost()


def enqueue_forgotten() -> int:
    """What the sweeper does for runs without a job. Returns how many there were."""
    return KindSweep(EXECUTE, watched=False).enqueue_waiting()
