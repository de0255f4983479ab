"""How agents call their models, for the test of a model."""

from __future__ import annotations

from harness.agents.base import AgentSpec
from harness.agents.command.agent import CommandSettings
from harness.agents.profile import IdeSettings
from harness.llm.model_check import AgentCalls


def model_calls(spec: AgentSpec) -> AgentCalls | None:
    """The call settings of an agent; None for a kind without a model. Raises ConfigurationError for bad settings."""
    if spec.kind == "ide":
        settings = IdeSettings.read(spec.settings)
        return AgentCalls(settings.calls, (spec.name,), settings.pictures)
    if spec.kind == "command":
        return AgentCalls(CommandSettings.read(spec.settings).calls, (spec.name,))
    return None
