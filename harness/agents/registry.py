"""Every kind of agent, by name."""

from __future__ import annotations

from harness.agents.base import Agent, AgentFactory, AgentSpec
from harness.agents.null import NullAgent
from harness.agents.oracle import OracleAgent
from harness.agents.scripted import ScriptedAgent
from harness.errors import ConfigurationError


def _ide(spec: AgentSpec) -> Agent:
    # LiteLLM takes seconds to import: import it only for agents with a model.
    from harness.agents.ide import IdeAgent  # noqa: PLC0415

    return IdeAgent(spec)


def _command(spec: AgentSpec) -> Agent:
    from harness.agents.command.agent import CommandAgent  # noqa: PLC0415

    return CommandAgent(spec)


def _person(spec: AgentSpec) -> Agent:
    raise ConfigurationError(
        f"agent {spec.name!r} is a person: no evaluation can start it, a person plays in the browser, in a session of "
        "`manage.py play`"
    )


AGENTS: dict[str, AgentFactory] = {
    "null": NullAgent,
    "oracle": OracleAgent,
    "scripted": ScriptedAgent,
    "ide": _ide,
    "command": _command,
    "person": _person,
}

# The project's own agents follow a fixed plan: their runs calibrate, and they may run without a container.
TRUSTED_KINDS = frozenset({"null", "oracle", "scripted"})


def check_agent(spec: AgentSpec) -> None:
    """Raises ConfigurationError as `create_agent`, but takes a person, who has no mailbox before their session."""
    if spec.kind != "person":
        create_agent(spec)
        return
    from harness.agents.person import PersonSettings  # noqa: PLC0415

    PersonSettings.read(spec.settings)


def create_agent(spec: AgentSpec) -> Agent:
    """The agent that `spec` describes. Raises ConfigurationError for an unknown kind or bad settings."""
    if spec.kind not in AGENTS:
        raise ConfigurationError(f"there is no kind of agent {spec.kind!r}; there are: {', '.join(AGENTS)}")
    return AGENTS[spec.kind](spec)
