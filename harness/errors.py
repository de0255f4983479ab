"""The errors of the harness. The type of an error shows what caused it."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar


class Cause(StrEnum):
    """What caused a failed request to a model. Only the last three end a run as the agent's failure.

    ACCOUNT: key, balance, quota, permission or the model's name; an operator has to act. RATE: too many requests for
    the moment. GATEWAY: something between this host and the provider. PROVIDER: the provider itself. REFUSED: a policy
    forbids the content. CONTEXT: the conversation exceeds the model's window. AGENT: the request as the agent made it.
    """

    ACCOUNT = "account"
    RATE = "rate limit"
    GATEWAY = "gateway"
    PROVIDER = "provider"
    REFUSED = "refused content"
    CONTEXT = "context"
    AGENT = "agent"


class HarnessError(Exception):
    """Base of every error that this package raises on purpose."""


class ConfigurationError(HarnessError):
    """The configuration is invalid, such as an unknown kind of agent or a bad setting. Nothing was started."""


class InfrastructureError(HarnessError):
    """The infrastructure failed (engine, network, disk). This is not the agent's fault; the run may be tried again.

    `kind`: the part that failed, in one or two words, for counting failures.
    """

    kind: ClassVar[str] = "engine"


class EngineUnavailable(InfrastructureError):
    """No container engine is usable. `reason` names the address that was tried, `remedy` is advice for the user."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        self.reason = reason
        self.remedy = remedy
        super().__init__(f"{reason}: {remedy}" if remedy else reason)


class EngineSlow(InfrastructureError):
    """The container engine did not complete a request in time. It may still respond to others."""


class EngineFull(InfrastructureError):
    """The container engine has no space left on its disk."""

    kind = "engine's disk full"


class ImageBuildFailed(InfrastructureError):
    """The build of a repository's image failed. The message ends with the last lines of the build log."""

    kind = "image build"


class DiskFull(InfrastructureError):
    """The records of a run were not written: the disk is full or a quota is used up."""

    kind = "disk full"


class UserFault(InfrastructureError):
    """The simulated user of a workflow task broke its rules, or its model failed. The run says nothing on the agent."""

    kind = "user"


class AgentError(HarnessError):
    """The agent failed and its run ends, for example because it destroyed its container. The run is still graded."""


class ContainerSlow(AgentError):
    """Requests about a container took too long, although the engine answers others.

    Its files and processes can cause that, and so can a busy host.
    """


class ContentRefused(AgentError):
    """The model or its provider's content policy refused to continue this conversation."""


class ModelError(HarnessError):
    """The model's provider refused the request permanently, or failed for longer than the run waits for it.

    `status`: the HTTP status of the last response; 0 if there was none. With the cause AGENT the request itself may be
    at fault: a plain request shows whether the provider serves others.
    """

    def __init__(self, message: str, *, status: int = 0, cause: Cause = Cause.PROVIDER) -> None:
        self.status = status
        self.cause = cause
        super().__init__(message)


class ContextLimitReached(HarnessError):
    """The conversation no longer fits into the model's context window."""


CANCELLED_BY_OPERATOR = "an operator cancelled the evaluation"


class RunCancelled(HarnessError):
    """An operator cancelled this run."""


class ResumeRefused(HarnessError):
    """A run cannot go on in this process: another one executes it, it has ended, or its files were not restored."""


class RunRequeued(HarnessError):
    """The process that executes this run must stop. This is not a failure: another process may start the run again."""
