"""The settings in effect, and which of them differ from the profile."""

from __future__ import annotations

from typing import Any

import pytest

from harness.agents.profile import PROFILE, Setting
from runs.models import Agent
from runs.operations.evaluations.agent_settings import Profile, profile_of, profile_of_run


def agent(kind: str = "ide", **settings: Any) -> Agent:
    return Agent(slug="a", name="A", kind=kind, settings=settings)


def test_an_ide_agent_has_all_settings_of_the_profile() -> None:
    found = profile_of(agent(max_output_tokens=256))
    values = {setting.name: setting.value for setting in found.settings}

    assert found.name == PROFILE == "ide-bench"
    assert (values["max_output_tokens"], values["messages_kept_whole"]) == (256, 25)
    assert found.differing == (Setting("max_output_tokens", 256, differs=True),)
    assert profile_of(agent()).differing == ()


def test_a_setting_of_the_usual_value_does_not_differ() -> None:
    assert profile_of(agent(messages_kept_whole=25)).differing == ()


@pytest.mark.parametrize("of", [agent("scripted", style="hasty", seed=9), agent(seed=9, style="hasty")])
def test_other_kinds_and_unknown_settings_are_listed_as_stored_without_a_profile(of: Agent) -> None:
    assert profile_of(of) == Profile("", (Setting("seed", 9, False), Setting("style", "hasty", False)))


def test_a_run_has_the_settings_that_it_recorded() -> None:
    recorded = {"profile": PROFILE, "iterations": 100, "messages_kept_whole": 10, "of_the_future": 1}

    found = profile_of_run(agent(max_output_tokens=256), recorded)

    # 100 iterations are the limit of runs by default; a setting that is unknown here has no usual value.
    assert found == Profile(
        PROFILE,
        (
            Setting("iterations", 100, False),
            Setting("messages_kept_whole", 10, True),
            Setting("of_the_future", 1, False),
        ),
    )


def test_an_agent_and_its_runs_are_compared_with_their_own_profile() -> None:
    of = agent(profile="breakpoint", tool_uses=8)
    found = profile_of(of)
    assert (found.name, found.differing) == ("breakpoint", (Setting("tool_uses", 8, True),))

    recorded = {"profile": "pull-request", "iterations": 20, "wall_seconds": 300.0, "tools": "pull_request"}
    assert profile_of_run(of, recorded).differing == (Setting("wall_seconds", 300.0, True),)
    assert profile_of_run(of, recorded).name == "pull-request"


@pytest.mark.parametrize("recorded", [{}, {"profile": ["another"]}, {"profile": "another", "iterations": 3}])
def test_a_run_without_recorded_settings_has_those_of_its_agent(recorded: dict[str, Any]) -> None:
    of = agent(max_output_tokens=256)

    assert profile_of_run(of, recorded) == profile_of(of)
