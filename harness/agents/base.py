"""The interface between an agent and its run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from harness.limits import Ending, Limits
from harness.llm.spec import ModelSpec
from harness.sandbox.base import ImageLayer
from harness.session import Session


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """One agent: its kind, its settings, and its model if it has one."""

    name: str
    kind: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    model: ModelSpec | None = None


class Agent(Protocol):
    """Acts on a workspace until it is done."""

    def run(self, session: Session) -> Ending:
        """Works on the task; returns why it stopped. Limits and errors are raised as exceptions."""


@runtime_checkable
class Configured(Protocol):
    """An agent whose settings have defaults."""

    def effective_settings(self, limits: Limits) -> Mapping[str, Any]:
        """All settings in effect in a run with these limits, by name; recorded with the run."""


@runtime_checkable
class Resumable(Protocol):
    """An agent that goes on with a run in another process, from what `Session.remember` stored.

    A run that ended without a verdict, or whose process died, is executed again in its directory: in a new container,
    in which the tool calls so far are made again. If they do not make the same changes, `execute_run` raises
    ResumeRefused, and the next execution begins anew.
    """

    @property
    def resumable(self) -> bool:
        """Whether it does."""


@runtime_checkable
class Layered(Protocol):
    """An agent that installs programs in the image of its workspaces."""

    @property
    def layer(self) -> ImageLayer:
        """What is installed there."""


AgentFactory = Callable[[AgentSpec], Agent]
