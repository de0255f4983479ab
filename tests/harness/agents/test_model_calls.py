"""How agents call their models, from their stored settings."""

from __future__ import annotations

import pytest

from harness.agents.base import AgentSpec
from harness.agents.model_calls import model_calls
from harness.errors import ConfigurationError


def test_the_settings_of_an_agent_are_those_of_its_calls() -> None:
    found = model_calls(AgentSpec("Ada", "ide", {"temperature": None, "pictures": True}))
    assert found is not None
    assert (found.settings.temperature, found.settings.max_output_tokens) == (None, 4000)
    assert (found.agents, found.pictures) == (("Ada",), True)


def test_an_agent_in_the_container_sets_its_own_temperature() -> None:
    found = model_calls(AgentSpec("Babbage", "command", {"recipe": "mini-swe-agent", "max_output_tokens": 9}))
    assert found is not None
    assert (found.settings.temperature, found.settings.max_output_tokens, found.pictures) == (None, 9, None)


def test_an_agent_without_a_model_has_none_and_wrong_settings_are_refused() -> None:
    assert model_calls(AgentSpec("Null", "null")) is None
    with pytest.raises(ConfigurationError):
        model_calls(AgentSpec("Ada", "ide", {"temperature": "warm"}))
