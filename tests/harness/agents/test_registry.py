"""Every kind of agent by its name, and what each refuses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from harness.agents.base import AgentSpec
from harness.agents.registry import AGENTS, TRUSTED_KINDS, create_agent
from harness.errors import ConfigurationError


class TestRegistry:
    def test_every_kind_is_there(self) -> None:
        assert list(AGENTS) == ["null", "oracle", "scripted", "ide", "command", "person"]

    def test_an_unknown_kind_is_refused_with_what_there_is(self) -> None:
        with pytest.raises(ConfigurationError, match="'genius'; there are: null, oracle, scripted, ide"):
            create_agent(AgentSpec("x", "genius"))

    def test_litellm_is_not_imported_for_agents_without_a_model(self) -> None:
        code = "import sys, harness.execute; sys.exit('litellm' in sys.modules)"
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

    @pytest.mark.parametrize(
        ("kind", "chosen", "reason"),
        [
            ("null", {"a": 1}, "the null agent has no settings, not a"),
            ("oracle", {"a": 1}, "the oracle has no settings, not a"),
            ("scripted", {}, "seed must be a whole number, not None"),
            ("scripted", {"seed": 1, "speed": 2}, "not speed"),
            ("scripted", {"seed": 1}, "success_rate must be a number from 0 to 1, not None"),
            ("scripted", {"seed": 1, "success_rate": 1.5}, "success_rate must be .* not 1.5"),
            (
                "scripted",
                {"seed": 1, "success_rate": 1, "hunk_fraction": "all"},
                "hunk_fraction .* not 'all'",
            ),
            (
                "scripted",
                {"seed": 1, "success_rate": 1, "hunk_fraction": 1, "style": "wild"},
                "style must be one of thorough, steady, hasty; not 'wild'",
            ),
            ("scripted", {"script": "rm"}, "script must be a list of steps"),
            ("scripted", {"script": [], "seed": 1}, "the only setting"),
            (
                "scripted",
                {"script": [{"message": "a"}, {"calls": []}]},
                "script, step 2: must have a message",
            ),
            (
                "scripted",
                {"script": [{"user": "a", "message": "b"}]},
                "script, step 1: .* or user alone",
            ),
            (
                "scripted",
                {"script": [{"message": "a", "calls": [{"name": "ls"}]}]},
                r"script, step 1: a call is \{name, arguments\}",
            ),
        ],
    )
    def test_bad_settings_are_refused(self, kind: str, chosen: Mapping[str, Any], reason: str) -> None:
        with pytest.raises(ConfigurationError, match=reason):
            create_agent(AgentSpec("x", kind, chosen))


def test_only_agents_of_the_project_itself_are_trusted() -> None:
    assert set(AGENTS) - TRUSTED_KINDS == {"ide", "command", "person"}
