"""The interface between an agent and its run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from harness.dataset import Repository, Task
from harness.limits import Ending, Limits, Spending
from harness.llm.spec import ModelSpec
from harness.records import Metrics, RunRecorder, Source, Step, ToolCall, ToolResult
from harness.sandbox.base import ImageLayer, Workspace


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """One agent: its kind, its settings, and its model if it has one."""

    name: str
    kind: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    model: ModelSpec | None = None


class Session(Protocol):
    """One run as its agent sees it."""

    task: Task
    repository: Repository
    attempt: int
    evaluation: str
    spending: Spending
    workspace: Workspace
    recorder: RunRecorder

    def say(self, source: Source, message: str) -> Step:
        """Records a message that is not the agent's own (the system prompt, the task, a reminder)."""

    def act(
        self,
        message: str,
        calls: Sequence[ToolCall] = (),
        *,
        reasoning: str = "",
        metrics: Metrics | None = None,
        malformed: Mapping[str, str] | None = None,
        timeout: float = 120.0,
    ) -> Step:
        """One agent step: validates and runs the calls in order, records the step and what it changed on disk.

        `malformed` maps ids of unreadable calls to error texts for the model: no tool runs for these calls, and the
        text is their failed result. `timeout` is the limit for each call, in seconds. `metrics` are recorded, not
        charged: the model client has already charged `spending`.

        Counts one iteration. Raises RunCancelled when the operator cancels the run, AgentError and
        InfrastructureError from the workspace; everything before the error is recorded first.
        """

    def relayed(
        self,
        message: str,
        calls: Sequence[ToolCall] = (),
        results: Sequence[ToolResult] = (),
        *,
        reasoning: str = "",
        metrics: Metrics | None = None,
    ) -> Step:
        """Records a step that the agent took by itself: its message, its calls, their results, and the changes on
        disk since the previous step. Runs nothing.

        Counts one iteration. Raises AgentError and InfrastructureError from the workspace once the step is recorded.
        """

    def waits(self, text: str) -> None:
        """Shows the user what the agent is waiting for; '' when it continues."""

    def checkpoint(self) -> None:
        """Raises LimitReached, RunCancelled or RunRequeued when no further step is allowed.

        Call it before spending.
        """

    def interrupt(self) -> None:
        """Raises RunCancelled when the current step must be aborted. Call it every second while you wait for a
        response that has been paid for."""


class Agent(Protocol):
    """Acts on a workspace until it is done."""

    def run(self, session: Session) -> Ending:
        """Works on the task; returns why it stopped. Limits and errors surface as their exceptions."""


@runtime_checkable
class Configured(Protocol):
    """An agent whose settings have defaults."""

    def effective_settings(self, limits: Limits) -> Mapping[str, Any]:
        """All settings in effect in a run with these limits, by name; recorded with the run."""


@runtime_checkable
class Layered(Protocol):
    """An agent that installs programs in the image of its workspaces."""

    @property
    def layer(self) -> ImageLayer:
        """What is installed there."""


AgentFactory = Callable[[AgentSpec], Agent]
