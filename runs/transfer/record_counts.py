"""Counts the steps, calls, tokens and costs in an external trajectory, and refuses one that is not of the run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from harness.agents.person import KIND as PERSON
from harness.records import EDITS, TRAJECTORY, Identity, StepEdits
from runs.transfer.record_reading import RecordRefused, lines_of, parsed
from runs.transfer.record_shapes import RecordedHeader, RecordedStep

MAX_STEPS, MAX_CALLS, MAX_EDITS = 20_000, 100_000, 100_000


@dataclass(slots=True)
class TrajectoryTotals:
    """Sums over a trajectory. `cost_usd` is None as soon as the cost of a response is unknown."""

    steps: int = 0
    agent_steps: int = 0
    calls: int = 0
    results: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int | None = None
    cost_usd: float | None = 0.0
    seconds: float = 0.0

    def add(self, step: RecordedStep) -> None:
        """Adds one step."""
        self.steps += 1
        self.agent_steps += step.source == "agent"
        self.calls += len(step.tool_calls)
        self.results += len(step.observation.results) if step.observation else 0
        self.failed += sum(not result.ok for result in step.extra.results)
        self.seconds += sum(result.seconds for result in step.extra.results)
        if step.metrics is None:
            return
        self.prompt_tokens += step.metrics.prompt_tokens
        self.completion_tokens += step.metrics.completion_tokens
        self.cached_tokens += step.metrics.cached_tokens
        if step.metrics.cost_usd is None or self.cost_usd is None:
            self.cost_usd = None
        else:
            self.cost_usd += step.metrics.cost_usd
        if (model := step.extra.model) is not None:
            self.seconds += model.seconds
            if model.reasoning_tokens is not None:
                self.reasoning_tokens = (self.reasoning_tokens or 0) + model.reasoning_tokens


def trajectory_totals(directory: Path, identity: Identity) -> TrajectoryTotals:
    """The sums over the trajectory of a run. Raises RecordRefused if it is broken or that of another run."""
    totals = TrajectoryTotals()
    for number, line in lines_of(directory, TRAJECTORY):
        where = f"{TRAJECTORY}, line {number}"
        if number == 1:
            _check_header(parsed(RecordedHeader, line, where), identity)
            continue
        step = parsed(RecordedStep, line, where)
        if step.step_id != number - 1:
            raise RecordRefused(where, f"step_id is {step.step_id}, but it is step {number - 1}")
        _check_results(step, where)
        totals.add(step)
        if totals.steps > MAX_STEPS or totals.calls > MAX_CALLS:
            raise RecordRefused(where, f"a run may have {MAX_STEPS} steps and {MAX_CALLS} calls")
    _check_edits(directory, totals.steps)
    return totals


def _check_header(header: RecordedHeader, identity: Identity) -> None:
    claimed = {
        "run_id": header.session_id,
        "agent": header.agent.name,
        "model": header.agent.model_name or "",
        "agent_kind": header.agent.extra.kind,
        "settings": header.agent.extra.settings,
        "effective": header.agent.extra.effective,
        "dataset": header.extra.dataset,
        "repository": header.extra.repository,
        "task": header.extra.task,
        "attempt": header.extra.attempt,
        "try_number": header.extra.try_number,
    }
    if identity.agent_kind == PERSON and 1 <= header.extra.try_number < identity.try_number:
        del claimed["try_number"]  # a person goes on in the record of an earlier try
    for name, value in claimed.items():
        expected = getattr(identity, name)
        if value != expected:
            raise RecordRefused(
                TRAJECTORY,
                f"it is the trajectory of another run: {name} is {str(value)[:100]!r}, but the summary says "
                f"{str(expected)[:100]!r}",
            )


def _check_results(step: RecordedStep, where: str) -> None:
    observed = step.observation.results if step.observation else ()
    if len(observed) > len(step.tool_calls):
        raise RecordRefused(where, f"has {len(step.tool_calls)} calls, but {len(observed)} results")
    if len(step.extra.results) != len(observed):
        raise RecordRefused(where, f"has {len(observed)} results, but {len(step.extra.results)} measurements")


def _check_edits(directory: Path, steps: int) -> None:
    last = count = 0
    for number, line in lines_of(directory, EDITS):
        where = f"{EDITS}, line {number}"
        edits = parsed(StepEdits, line, where)
        if not last < edits.step_id <= steps:
            raise RecordRefused(where, f"step_id is {edits.step_id}, after {last}; the run has {steps} steps")
        last, count = edits.step_id, count + len(edits.files)
        if count > MAX_EDITS:
            raise RecordRefused(where, f"a run may have {MAX_EDITS} edits")
