"""The settings of the ide agent: what IDE-Bench has, and what an operator changes."""

from __future__ import annotations

import pytest

from harness.agents.profile import (
    BUDGET,
    PROFILES,
    SETTINGS,
    ContextSettings,
    IdeSettings,
    Setting,
    settings_in_effect,
)
from harness.errors import ConfigurationError
from harness.limits import Limits
from harness.llm.spec import CallSettings


def test_the_profile_is_ide_benchs() -> None:
    expected = IdeSettings(
        CallSettings(0.1, 4000, 600.0, 1800.0, 10.0, 1, True), ContextSettings(25, 0.8), 120.0, None
    )
    assert IdeSettings.read({}) == IdeSettings.read({"profile": "ide-bench"}) == expected
    assert Limits().iterations == 100


def test_breakpoints_profile_has_its_tools_and_its_budget() -> None:
    found = IdeSettings.read({"profile": "breakpoint"})
    assert (found.tool_uses, found.submissions, found.iterations, found.wall_seconds) == (16, 4, None, None)
    assert (found.tools, found.system_prompt, found.calls) == ("by_mode", "breakpoint", CallSettings())
    assert found.in_effect().keys() == {*IdeSettings().in_effect(), "tool_uses", "submissions"}


def test_the_fourth_papers_profile_has_its_tools_and_its_budget() -> None:
    found = IdeSettings.read({"profile": "pull-request"})
    assert (found.tool_uses, found.submissions, found.iterations, found.wall_seconds) == (None, None, 20, 600)
    assert (found.tools, found.system_prompt) == ("pull_request", "pull-request")


@pytest.mark.parametrize(("uses", "submissions"), [(4, 1), (8, 2), (16, 4), (32, 8)])
def test_each_of_breakpoints_budgets_can_be_set(uses: int, submissions: int) -> None:
    stored = {"profile": "breakpoint", "tool_uses": uses, "submissions": submissions}
    found = settings_in_effect(stored)
    changed = uses != 16
    assert found[-2:] == (
        Setting("tool_uses", uses, changed),
        Setting("submissions", submissions, changed),
    )
    assert [each.name for each in found if each.differs] == (["tool_uses", "submissions"] if changed else [])


def test_a_budget_is_shown_where_an_agent_or_its_profile_has_it() -> None:
    assert not set(BUDGET) & set(IdeSettings().in_effect())
    assert settings_in_effect({"tool_uses": 9})[-1] == Setting("tool_uses", 9, True)
    without = {"profile": "breakpoint", "tool_uses": None}
    assert settings_in_effect(without)[-2] == Setting("tool_uses", None, True)


def test_an_unknown_profile_is_refused_with_those_that_there_are() -> None:
    for name in ("paper", ["breakpoint"]):
        with pytest.raises(
            ConfigurationError, match=r"^profile: unknown .*; known are ide-bench, breakpoint, pull-request$"
        ):
            IdeSettings.read({"profile": name})
    assert list(PROFILES) == ["ide-bench", "breakpoint", "pull-request"]


def test_each_value_can_be_overridden() -> None:
    stored = {
        "temperature": None,
        "max_output_tokens": 100,
        "call_timeout": 5,
        "patience": 0,
        "retry_delay": 0,
        "refusal_retries": 0,
        "prompt_caching": False,
        "reasoning_effort": "high",
        "seed": 0,
        "messages_kept_whole": 0,
        "share_of_window": 1,
        "command_timeout": 9,
        "iterations": 7,
        "system_prompt": "paper",
        "tools": ["read_file", "edit_file"],
        "reject_syntax_errors": True,
        "pictures": True,
        "tool_uses": 8,
        "submissions": 2,
        "wall_seconds": 1.5,
    }
    assert tuple(stored) == SETTINGS
    assert IdeSettings.read(stored).in_effect() == stored


def test_settings_of_earlier_versions_are_ignored() -> None:
    assert IdeSettings.read({"retries": 3, "seed": 1}) == IdeSettings.read({"seed": 1})


def test_what_differs_from_the_profile_is_known() -> None:
    found = settings_in_effect({"temperature": 0.7, "retries": 5})
    assert [setting.name for setting in found if setting.differs] == ["temperature"]
    assert found[:2] == (
        Setting("temperature", 0.7, True),
        Setting("max_output_tokens", 4000, False),
    )


@pytest.mark.parametrize("name", SETTINGS)
def test_only_some_settings_may_be_nothing(name: str) -> None:
    if name in ("temperature", "iterations", "reasoning_effort", "seed", "pictures", *BUDGET):
        assert IdeSettings.read({name: None}).in_effect().get(name) is None
        return
    with pytest.raises(ConfigurationError, match=rf"^{name}: expected .*, not None$"):
        IdeSettings.read({name: None})


@pytest.mark.parametrize("name", SETTINGS)
def test_no_setting_is_below_zero(name: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"^{name}: expected .*, not -1$"):
        IdeSettings.read({name: -1})


def test_the_settings_that_are_stored_stay_as_they_are() -> None:
    stored = {"profile": "ide-bench", "retries": 2, "iterations": 5}
    assert IdeSettings.read(stored).iterations == 5
    assert stored == {"profile": "ide-bench", "retries": 2, "iterations": 5}


@pytest.mark.parametrize(
    "prompt", ["default", "paper", "breakpoint", "pull-request", "You mend code.", "two words"]
)
def test_a_prompt_is_a_name_or_a_text(prompt: str) -> None:
    assert IdeSettings.read({"system_prompt": prompt}).system_prompt == prompt


@pytest.mark.parametrize(
    ("prompt", "problem"),
    [
        ("papr", "'papr'"),
        ("", "''"),
        (["paper"], r"\['paper'\]"),
        ("word " * 5000, "25,000 characters: at most 20,000"),
    ],
)
def test_anything_else_is_no_prompt(prompt: object, problem: str) -> None:
    names = "default, paper, breakpoint, pull-request"
    expected = f"^system_prompt: expected {names} or a whole prompt of several words, not "
    with pytest.raises(ConfigurationError, match=f"{expected}{problem}$"):
        IdeSettings.read({"system_prompt": prompt})
