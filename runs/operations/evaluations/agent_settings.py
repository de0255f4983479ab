"""The settings in effect for an agent or a run, and which of them differ from the profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.agents.profile import PROFILES, IdeSettings, Setting, compared, settings_in_effect
from harness.errors import ConfigurationError
from harness.limits import Limits, smaller
from runs.models import Agent

PROFILED = "ide"


@dataclass(frozen=True, slots=True)
class Profile:
    """Settings in effect. `name` is '' for an agent of a kind that has no profile."""

    name: str
    settings: tuple[Setting, ...]

    @property
    def differing(self) -> tuple[Setting, ...]:
        """The settings that differ from the profile."""
        return tuple(setting for setting in self.settings if setting.differs)


def profile_of(agent: Agent) -> Profile:
    """The settings in effect for an agent. Limits of a run may override them."""
    if agent.kind == PROFILED:
        try:
            return Profile(IdeSettings.read(agent.settings).profile, settings_in_effect(agent.settings))
        except ConfigurationError:
            pass  # imported with a run of another version, with settings that are unknown here
    return Profile("", tuple(Setting(name, value, False) for name, value in sorted(agent.settings.items())))


def profile_of_run(agent: Agent, effective: Mapping[str, Any]) -> Profile:
    """The settings that a run recorded; those of its agent for an older run, which recorded none."""
    name = effective.get("profile")
    if not isinstance(name, str) or name not in PROFILES:
        return profile_of(agent)
    values = {each: value for each, value in effective.items() if each != "profile"}
    iterations = smaller(PROFILES[name].iterations, Limits().iterations)
    return Profile(name, compared(name, values, iterations=iterations))
