"""Whose fault it was. Each kind of blame is a type of its own, so that nobody has to guess later."""

from __future__ import annotations

from typing import ClassVar


class HarnessError(Exception):
    """Base of every error that this package raises on purpose."""


class ConfigurationError(HarnessError):
    """What was asked for makes no sense: an unknown kind of agent, a bad setting. Nothing was started."""


class InfrastructureError(HarnessError):
    """The machinery failed (engine, network, disk). The agent is not to blame; the run may be tried again.

    `kind`: what failed, in a word or two, so that failures can be counted by it.
    """

    kind: ClassVar[str] = "engine"


class EngineUnavailable(InfrastructureError):
    """No container engine can be used. `reason` names the address that was tried, `remedy` says what to do."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        self.reason = reason
        self.remedy = remedy
        super().__init__(f"{reason}: {remedy}" if remedy else reason)


class EngineFull(InfrastructureError):
    """The container engine has no space left on its disk."""

    kind = "engine's disk full"


class ImageBuildFailed(InfrastructureError):
    """A repository's image cannot be built. The message ends with the last lines of the build's log."""

    kind = "image build"


class DiskFull(InfrastructureError):
    """What a run leaves behind could not be written: no space is left, or a quota is used up."""

    kind = "disk full"


class AgentError(HarnessError):
    """The agent failed in a way that ends its run (it destroyed its own container, say). It is graded as it stands."""


class ContentRefused(AgentError):
    """The model, or its provider's content policy, declines to go on with this conversation."""


class ModelError(HarnessError):
    """The model's provider refused for good, or went on failing after every retry.

    `billed` tells whether anything was charged for the failed calls of this request; `status` is the HTTP status with
    which the provider refused for good, 0 where there was none.
    """

    def __init__(self, message: str, *, billed: bool = False, status: int = 0) -> None:
        self.billed = billed
        self.status = status
        super().__init__(message)


class ContextLimitReached(HarnessError):
    """The conversation no longer fits into the model's context window."""


CANCELLED_BY_OPERATOR = "an operator cancelled the evaluation"


class RunCancelled(HarnessError):
    """An operator asked for the end of this run."""


class RunHandedBack(HarnessError):
    """The process that works on this run has to end. Nobody failed: another one may begin the run anew."""
