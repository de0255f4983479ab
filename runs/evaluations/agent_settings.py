"""What an agent's settings come to: every value in effect, and which of them are not its profile's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.agents.profile import PROFILE, IdeSettings, Setting, settings_in_effect
from harness.errors import ConfigurationError
from harness.limits import Limits
from runs.models import Agent

PROFILED = "ide"


@dataclass(frozen=True, slots=True)
class Profile:
    """Settings in effect. `name` is '' for an agent of a kind that has no profile."""

    name: str
    settings: tuple[Setting, ...]

    @property
    def differing(self) -> tuple[Setting, ...]:
        """What is not as the profile has it."""
        return tuple(setting for setting in self.settings if setting.differs)


def profile_of(agent: Agent) -> Profile:
    """What the agent works with wherever a run's own limits do not say otherwise."""
    if agent.kind == PROFILED:
        try:
            return Profile(PROFILE, settings_in_effect(agent.settings))
        except ConfigurationError:
            pass  # it came with a run of another version, whose settings this one does not know
    return Profile("", tuple(Setting(name, value, False) for name, value in sorted(agent.settings.items())))


def profile_of_run(agent: Agent, effective: Mapping[str, Any]) -> Profile:
    """What a run worked with, as its directory says; for a run from before that was written down, its agent's."""
    if effective.get("profile") != PROFILE:
        return profile_of(agent)
    usual = {**IdeSettings().in_effect(), "iterations": Limits().iterations}
    values = {name: value for name, value in effective.items() if name != "profile"}
    return Profile(
        PROFILE,
        tuple(Setting(name, value, name in usual and value != usual[name]) for name, value in values.items()),
    )
