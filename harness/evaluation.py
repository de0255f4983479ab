"""Runs from a shell: one run, or every task of a dataset several times, several runs at a time.

An evaluation has a directory: `evaluation.json` says what it is, `REPOSITORY/TASK/ATTEMPT` are its run directories. If
it is started again, finished runs are skipped, and runs that were cut off or failed by the infrastructure are repeated.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.agents.base import AgentSpec
from harness.agents.registry import TRUSTED_KINDS, create_agent
from harness.dataset import Dataset, Repository, Task
from harness.errors import ConfigurationError, ResumeRefused
from harness.execute import execute_run
from harness.grading.grade import require_proof
from harness.limits import Ending, Limits
from harness.llm.spec import ModelSpec
from harness.records import SUMMARY, Identity, Outcome, RunRecord, RunSummary, can_go_on
from harness.sandbox import open_engine
from harness.session import Control

RECORD = "evaluation.json"
LOST_SUMMARY = (
    "lost_summary.json"  # of a try that was lost; under its usual name, readers would take it for a run
)
_UNFINISHED = {Ending.CANCELLED, Ending.INFRASTRUCTURE}
_POLL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Setup:
    """What all runs of a shell command have in common. `evaluation`: its name in the records.

    `user`: the model that plays the users of workflow tasks; None: they follow their scripts.
    """

    dataset: Dataset
    agent: AgentSpec
    limits: Limits
    evaluation: str = "shell"
    user: ModelSpec | None = None

    def to_json(self) -> dict[str, Any]:
        """What must be the same when an evaluation goes on."""
        return {
            "dataset": self.dataset.slug,
            "dataset_version": self.dataset.version,
            "agent": asdict(self.agent),
            "limits": asdict(self.limits),
            "user": asdict(self.user) if self.user else None,
        }


@dataclass(frozen=True, slots=True, eq=False)
class PlannedRun:
    """One attempt at one task."""

    repository: Repository
    task: Task
    attempt: int

    def below(self, output: Path) -> Path:
        """Its run directory in the directory of an evaluation."""
        return output / self.repository.slug / self.task.slug / str(self.attempt)


Report = Callable[[RunSummary, Path], object]
"""Called with the summary and the directory of each run when it ends, one at a time."""


def run_once(
    setup: Setup, planned: PlannedRun, directory: Path, control: Control | None = None
) -> RunSummary:
    """Makes one run, in an engine of its own. Raises what `execute_run` raises."""
    agent, repository, task = setup.agent, planned.repository, planned.task
    identity = Identity(
        run_id="/".join(
            (setup.evaluation, agent.kind, repository.slug, task.slug, str(planned.attempt), str(os.getpid()))
        ),
        evaluation=setup.evaluation,
        dataset=setup.dataset.slug,
        dataset_version=setup.dataset.version,
        repository=repository.slug,
        task=task.slug,
        task_digest=task.digest,
        agent=agent.name,
        agent_name=agent.name,
        agent_kind=agent.kind,
        attempt=planned.attempt,
        model=agent.model.litellm_id if agent.model else "",
        settings=agent.settings,
        calibration=agent.kind in TRUSTED_KINDS,
    )
    with closing(open_engine()) as engine:
        return execute_run(
            repository=repository,
            task=task,
            agent=agent,
            identity=identity,
            directory=directory,
            engine=engine,
            limits=setup.limits,
            control=control,
            user=setup.user,
        )


def evaluate(
    setup: Setup,
    tasks: Sequence[tuple[Repository, Task]],
    output: Path,
    *,
    attempts: int,
    jobs: int,
    report: Report,
) -> list[RunSummary]:
    """Makes all runs that are not finished, `jobs` at a time, and returns the summaries of all in the order of tasks.

    Raises ConfigurationError or NotAdmitted before the first run: for an invalid agent, a task without a proof, a
    directory that holds something else or that another process uses. On KeyboardInterrupt the current runs are
    cancelled; they are repeated when the evaluation is started again.
    """
    create_agent(setup.agent)
    for repository, task in tasks:
        require_proof(repository, task)
    plan = [
        PlannedRun(repository, task, attempt)
        for attempt in range(1, attempts + 1)
        for repository, task in tasks
    ]
    with _claimed(
        output, setup, {f"{repository.slug}/{task.slug}": task.digest for repository, task in tasks}
    ):
        summaries = {planned: summary for planned in plan if (summary := finished(planned.below(output)))}
        left = [planned for planned in plan if planned not in summaries]
        for planned, summary in _make(setup, left, output, jobs, report):
            summaries[planned] = summary
    ordered = sorted(plan, key=lambda one: (one.repository.slug, one.task.slug, one.attempt))
    return [summaries[planned] for planned in ordered]


def finished(directory: Path) -> RunSummary | None:
    """The summary of a run that need not be repeated: it has a verdict."""
    try:
        summary = RunRecord(directory).summary()
    except ValueError:
        return None
    return None if summary is None or summary.ending in _UNFINISHED else summary


def table(summaries: Sequence[RunSummary], lost: tuple[int, float | None] = (0, 0.0)) -> list[str]:
    """The lines of a table: each task, and all of them. Runs without a verdict are counted apart, but for their cost.

    `lost`: as `lost_cost` returns it.
    """
    rows: list[tuple[str, ...]] = [("task", "resolved", "tests passed", "iterations", "minutes", "cost")]
    by_task: dict[str, list[RunSummary]] = {}
    for summary in summaries:
        by_task.setdefault(f"{summary.identity.repository}/{summary.identity.task}", []).append(summary)
    rows += [_row(name, theirs) for name, theirs in by_task.items()]
    rows.append(_row("all", summaries))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *numbers in rows:
        aligned = [cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=True)]
        lines.append("  ".join([name.ljust(widths[0]), *aligned]))
    solved = sum(any(one.outcome is Outcome.RESOLVED for one in theirs) for theirs in by_task.values())
    failed = sum(one.outcome is Outcome.INFRASTRUCTURE_FAILED for one in summaries)
    lines.append(f"{solved} of {len(by_task)} tasks were resolved at least once")
    if failed:
        lines.append(
            f"{failed} of {len(summaries)} runs failed by the infrastructure and count in the cost alone"
        )
    tries, dollars = lost
    if tries:
        cost = "unknown" if dollars is None else f"${dollars:.4f}"
        lines.append(
            f"the cost of {tries} {'try' if tries == 1 else 'tries'} before them that were lost: {cost}"
        )
    return lines


def _row(name: str, summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    valid = [one for one in summaries if one.outcome is not Outcome.INFRASTRUCTURE_FAILED]
    resolved = sum(one.outcome is Outcome.RESOLVED for one in valid)
    costs = [one.cost_usd for one in summaries]
    known = [cost for cost in costs if cost is not None]
    passed, total = sum(one.tests_passed for one in valid), sum(one.tests_total for one in valid)
    return (
        name,
        f"{resolved} of {len(valid)}",
        f"{passed} of {total}",
        str(sum(one.iterations for one in valid)),
        f"{sum(one.act_seconds for one in valid) / 60:.1f}",
        f"${sum(known):.4f}" if len(known) == len(costs) else "unknown",
    )


class _Stop(Control):
    """Cancels the current runs when the command is interrupted."""

    def __init__(self) -> None:
        self._set = threading.Event()

    def set(self) -> None:
        """Cancels."""
        self._set.set()

    def cancelled(self) -> bool:
        """Whether the command was interrupted."""
        return self._set.is_set()


def _make(
    setup: Setup, plan: Sequence[PlannedRun], output: Path, jobs: int, report: Report
) -> Iterator[tuple[PlannedRun, RunSummary]]:
    stop = _Stop()
    with ThreadPoolExecutor(jobs) as pool:
        running: dict[Future[RunSummary], PlannedRun] = {
            pool.submit(_repeat, setup, planned, planned.below(output), stop): planned for planned in plan
        }
        try:
            while running:
                # With a time limit, signals are handled while it waits.
                done, _ = wait(running, _POLL_SECONDS, "FIRST_COMPLETED")
                for future in done:
                    planned = running.pop(future)
                    summary = future.result()
                    report(summary, planned.below(output))
                    yield planned, summary
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def _repeat(setup: Setup, planned: PlannedRun, directory: Path, stop: Control) -> RunSummary:
    """The run, which goes on after its last step if it can. What else is there is set aside."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    if can_go_on(directory):
        with suppress(ResumeRefused):
            return run_once(setup, planned, directory, stop)
    if directory.exists():
        _set_aside(directory)
    return run_once(setup, planned, directory, stop)


def _set_aside(directory: Path) -> None:
    """Keeps a try that has no verdict beside the run, with its cost, where no reader takes it for a run."""
    number = len(_lost_tries(directory)) + 1
    lost = directory.with_name(f".{directory.name}-lost-{number}")
    directory.rename(lost)
    with suppress(FileNotFoundError):
        (lost / SUMMARY).rename(lost / LOST_SUMMARY)


def _lost_tries(directory: Path) -> list[Path]:
    return sorted(directory.parent.glob(f".{directory.name}-lost-*"))


def lost_cost(directories: Iterable[Path]) -> tuple[int, float | None]:
    """How many tries of these runs were lost and set aside, and their dollars; None if a cost is unknown."""
    tries = [lost for directory in directories for lost in _lost_tries(directory)]
    costs: list[float | None] = []
    for lost in tries:
        try:
            costs.append(json.loads((lost / LOST_SUMMARY).read_bytes())["cost_usd"])
        except (OSError, ValueError, KeyError, TypeError):
            costs.append(None)
    known = [cost for cost in costs if cost is not None]
    return len(tries), sum(known) if len(known) == len(costs) else None


@contextmanager
def _claimed(output: Path, setup: Setup, digests: Mapping[str, str]) -> Iterator[None]:
    """The directory of an evaluation with this setup, new or begun earlier, for this process alone."""
    if output.exists() and not (output / RECORD).is_file() and any(output.iterdir()):
        raise ConfigurationError(f"{output}: holds something else than an evaluation; choose a new directory")
    output.mkdir(parents=True, exist_ok=True)
    with (output / RECORD).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigurationError(f"{output}: another process works on this evaluation") from None
        file.seek(0)
        try:
            stored = json.loads(file.read() or "{}")
        except ValueError:
            stored = None
        if not isinstance(stored, dict) or not isinstance(stored.get("tasks", {}), dict):
            raise ConfigurationError(f"{RECORD} is damaged; choose another directory")
        setup_now = json.loads(json.dumps(setup.to_json()))
        tasks = stored.pop("tasks", {})
        if stored and (differing := [name for name in setup_now if stored.get(name) != setup_now[name]]):
            raise ConfigurationError(
                f"{output}: was begun with another {', '.join(differing)}; choose another directory"
            )
        if changed := [name for name, digest in digests.items() if tasks.get(name, digest) != digest]:
            raise ConfigurationError(f"{output}: has runs of other versions of {', '.join(changed)}")
        file.truncate(0)
        file.write(json.dumps({**setup_now, "tasks": {**tasks, **digests}}, indent=2) + "\n")
        file.flush()
        yield
