"""The settings of the ide agent: what IDE-Bench has, and what an operator changes."""

from __future__ import annotations

import pytest

from harness.agents.profile import ContextSettings, IdeSettings, Setting, settings_in_effect
from harness.errors import ConfigurationError
from harness.limits import Limits
from harness.llm.spec import CallSettings


def test_the_profile_is_ide_benchs() -> None:
    expected = IdeSettings(
        CallSettings(0.1, 4000, 600.0, 5, 10.0, True), ContextSettings(25, 0.8), 120.0, None
    )
    assert IdeSettings.read({}) == IdeSettings.read({"profile": "ide-bench"}) == expected
    assert Limits().iterations == 100


def test_each_value_can_be_overridden() -> None:
    stored = {
        "temperature": None,
        "max_output_tokens": 100,
        "call_timeout": 5,
        "retries": 0,
        "retry_delay": 0,
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
    }
    assert set(stored) == set(IdeSettings().in_effect())
    assert IdeSettings.read(stored).in_effect() == stored


def test_what_differs_from_the_profile_is_known() -> None:
    found = settings_in_effect({"temperature": 0.7, "retries": 5})
    assert [setting.name for setting in found if setting.differs] == ["temperature"]
    assert found[:2] == (
        Setting("temperature", 0.7, True),
        Setting("max_output_tokens", 4000, False),
    )


@pytest.mark.parametrize("name", IdeSettings().in_effect())
def test_only_some_settings_may_be_nothing(name: str) -> None:
    if name in ("temperature", "iterations", "reasoning_effort", "seed", "pictures"):
        assert IdeSettings.read({name: None}).in_effect()[name] is None
        return
    with pytest.raises(ConfigurationError, match=rf"^{name}: expected .*, not None$"):
        IdeSettings.read({name: None})


@pytest.mark.parametrize("name", IdeSettings().in_effect())
def test_no_setting_is_below_zero(name: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"^{name}: expected .*, not -1$"):
        IdeSettings.read({name: -1})


def test_the_settings_that_are_stored_stay_as_they_are() -> None:
    stored = {"profile": "ide-bench", "retries": 2, "iterations": 5}
    assert IdeSettings.read(stored).iterations == 5
    assert stored == {"profile": "ide-bench", "retries": 2, "iterations": 5}


@pytest.mark.parametrize("prompt", ["default", "paper", "You mend code.", "two words"])
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
    expected = "^system_prompt: expected default, paper or a whole prompt of several words, not "
    with pytest.raises(ConfigurationError, match=f"{expected}{problem}$"):
        IdeSettings.read({"system_prompt": prompt})
