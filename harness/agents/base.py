"""The door between an agent and the run that it is part of."""

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
    """One competitor: a kind, a model where it has one, and settings that its kind understands."""

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

        `malformed` maps ids of calls that could not be read to what the model is told about them: no tool runs for
        these, the text is their failed result. `timeout` is how long each call may take, in seconds. `metrics` are
        recorded, not charged: whoever asked the model has charged `spending` already.

        Counts one iteration. Raises RunCancelled when the operator asked for the end, AgentError and
        InfrastructureError from the workspace; what had happened until then is recorded first.
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
        """Records one step that the agent took by itself: what it said and called, what came back, and what has
        changed on disk since the step before. Runs nothing.

        Counts one iteration. Raises AgentError and InfrastructureError from the workspace once the step is recorded.
        """

    def waits(self, text: str) -> None:
        """Tells whoever watches what the agent waits for while nothing happens; '' when it goes on."""

    def checkpoint(self) -> None:
        """Raises LimitReached, RunCancelled or RunHandedBack when no further step may be taken. Call it before
        spending."""

    def interrupt(self) -> None:
        """Raises RunCancelled when the step that is under way has to be broken off. Call it every second while you
        wait for something that was paid for."""


class Agent(Protocol):
    """Acts on a workspace until it is done."""

    def run(self, session: Session) -> Ending:
        """Works on the task; returns why it stopped. Limits and errors surface as their exceptions."""


@runtime_checkable
class Configured(Protocol):
    """An agent whose settings have defaults."""

    def effective_settings(self, limits: Limits) -> Mapping[str, Any]:
        """Every value that it works with in a run with these limits, by name; written down with the run."""


@runtime_checkable
class Layered(Protocol):
    """An agent that brings programs of its own into the image of its workspaces."""

    @property
    def layer(self) -> ImageLayer:
        """What is installed there."""


AgentFactory = Callable[[AgentSpec], Agent]
