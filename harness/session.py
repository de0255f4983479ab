"""One run as its agent sees it: calls are checked, made, recorded, and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from harness.dataset import Repository, Task
from harness.errors import CANCELLED_BY_OPERATOR, RunCancelled, RunHandedBack
from harness.limits import Spending
from harness.records import FileEdit, Metrics, RunRecorder, Source, Step, ToolCall, ToolResult
from harness.sandbox.base import Workspace
from harness.tools.inside.protocol import LOOK
from harness.tools.schema import ToolArgumentError, validate

TOOL_SECONDS = 120.0
_LEAST_SECONDS = 1.0


class Control(Protocol):
    """How a run and whoever asked for it talk while it goes on."""

    def state(self, name: str) -> None:
        """Hears "preparing", "running" and "grading", each as it begins."""

    def cancelled(self) -> bool:
        """Whether an operator wants the run to end. Asked before every step, and every second while one lasts."""

    def leaving(self) -> bool:
        """Whether the process has to end soon. Asked before every step: one that has begun is brought to its end."""

    def waits(self, text: str) -> None:
        """Hears, in a sentence, what a run waits for while nothing happens in it; '' when it goes on."""


class Uncontrolled:
    """Nobody listens, nobody cancels."""

    def state(self, name: str) -> None:
        """Hears nothing."""

    def cancelled(self) -> bool:
        """Never."""
        return False

    def leaving(self) -> bool:
        """Never."""
        return False

    def waits(self, text: str) -> None:
        """Hears nothing."""


def stop_if_cancelled(control: Control) -> None:
    """Raises RunCancelled when the operator wants the end; the `Interrupt` of everything that takes long."""
    if control.cancelled():
        raise RunCancelled(CANCELLED_BY_OPERATOR)


def stop_if_unwanted(control: Control) -> None:
    """Raises RunCancelled or RunHandedBack when nothing new may be begun."""
    stop_if_cancelled(control)
    if control.leaving():
        raise RunHandedBack("the worker has to end; the run is handed back")


@dataclass(slots=True)
class Counts:
    """What the summary says of the steps."""

    steps: int = 0
    tool_calls: int = 0
    failed_calls: int = 0


class RunSession:
    """Implements `harness.agents.base.Session`."""

    def __init__(
        self,
        *,
        repository: Repository,
        task: Task,
        attempt: int,
        workspace: Workspace,
        recorder: RunRecorder,
        spending: Spending,
        control: Control,
        evaluation: str = "",
    ) -> None:
        self.repository = repository
        self.task = task
        self.attempt = attempt
        self.evaluation = evaluation
        self.workspace = workspace
        self.recorder = recorder
        self.spending = spending
        self.counts = Counts()
        self._control = control

    def say(self, source: Source, message: str) -> Step:
        """Records a message that is not the agent's own."""
        self.counts.steps += 1
        return self.recorder.step(source, message)

    def act(
        self,
        message: str,
        calls: Sequence[ToolCall] = (),
        *,
        reasoning: str = "",
        metrics: Metrics | None = None,
        malformed: Mapping[str, str] | None = None,
        timeout: float = TOOL_SECONDS,
    ) -> Step:
        """Makes the calls in order and records the step, also when one of them ends the run."""
        self.spending.iterations += 1
        self.counts.steps += 1
        results: list[ToolResult] = []
        edits: list[FileEdit] = []
        try:
            for call in calls:
                self.interrupt()
                if malformed and call.id in malformed:
                    result = _refusal(call, malformed[call.id])
                else:
                    result = self._call(call, timeout, edits)
                self.counts.tool_calls += 1
                self.counts.failed_calls += not result.ok
                results.append(result)
        finally:
            step = self.recorder.step(
                "agent", message, reasoning=reasoning, calls=calls, results=results, metrics=metrics
            )
            self.recorder.edits(step.step_id, edits)
        return step

    def relayed(
        self,
        message: str,
        calls: Sequence[ToolCall] = (),
        results: Sequence[ToolResult] = (),
        *,
        reasoning: str = "",
        metrics: Metrics | None = None,
    ) -> Step:
        """Records a step that the agent took by itself, with what has changed on disk since the step before."""
        self.spending.iterations += 1
        self.counts.steps += 1
        self.counts.tool_calls += len(calls)
        edits: tuple[FileEdit, ...] = ()
        try:
            edits = self.workspace.call(LOOK, {}, timeout=TOOL_SECONDS).edits
        finally:
            step = self.recorder.step(
                "agent", message, reasoning=reasoning, calls=calls, results=results, metrics=metrics
            )
            self.recorder.edits(step.step_id, edits)
        return step

    def checkpoint(self) -> None:
        """Raises LimitReached, RunCancelled or RunHandedBack when no further step may be taken."""
        stop_if_unwanted(self._control)
        self.spending.check()

    def waits(self, text: str) -> None:
        """Tells whoever watches this run what it waits for; '' when it goes on."""
        self._control.waits(self.recorder.redactor.text(text))

    def interrupt(self) -> None:
        """Raises RunCancelled when the step that is under way has to be broken off."""
        stop_if_cancelled(self._control)

    def _call(self, call: ToolCall, timeout: float, edits: list[FileEdit]) -> ToolResult:
        left = self.spending.seconds_left
        if left is not None and left <= 0:
            return _refusal(call, "Not called: the time of this run is over.")
        try:
            arguments = validate(call.name, call.arguments, self.task.tools)
        except ToolArgumentError as error:
            return _refusal(call, str(error))
        allowed = _allow(arguments, timeout, left)
        reply = self.workspace.call(call.name, arguments, timeout=allowed)
        edits.extend(reply.edits)
        kept, lost = self._keep(reply.pictures)
        return ToolResult(call.id, reply.content + lost, reply.ok, reply.seconds, kept)

    def _keep(self, pictures: Sequence[bytes]) -> tuple[tuple[str, ...], str]:
        """The names under which a step's pictures are kept, and a word for the model about those that are not."""
        names, lost = [], []
        for number, picture in enumerate(pictures, 1):
            try:
                names.append(self.recorder.artifact(picture))
            except ValueError as error:
                lost.append(f"\n[picture {number} is not kept: {error}]")
        return tuple(names), "".join(lost)


def _refusal(call: ToolCall, reason: str) -> ToolResult:
    return ToolResult(call.id, reason, ok=False, seconds=0.0)


def _allow(arguments: dict[str, Any], default: float, left: float | None) -> float:
    """Seconds that a call may take: what it asks for or the default, and never more than the run has left.

    A command in the foreground is told, so that it is the command that ends and not its container.
    """
    allowed = float(arguments.get("timeout", default))
    if left is not None:
        allowed = min(allowed, max(left, _LEAST_SECONDS))
    if "timeout" in arguments or (arguments.get("command") and not arguments.get("background")):
        arguments["timeout"] = allowed
    return allowed
