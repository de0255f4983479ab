"""Tool profiles of agents."""

from __future__ import annotations

from runs.analysis.estimate import Estimate
from runs.analysis.tools.profiles import tool_profiles
from runs.analysis.tools.telemetry import telemetry
from tests.runs.analysis.made_runs import acted


def test_shares_are_of_the_calls_of_all_runs_of_an_agent() -> None:
    runs = [
        acted(1, "eep", tools=("read_file", "read_file", "edit_file")),
        acted(2, "e", tools=("edit_file",)),
        acted(3, "e", "bob", tools=("grep_search",)),
        acted(4, "e", "carol"),
    ]

    everyone, alice, bob = tool_profiles(telemetry(runs)).profiles

    assert (everyone.agent, everyone.calls, everyone.share("grep_search")) == (None, 5, Estimate(1 / 5, 5))
    assert (alice.share("read_file"), alice.share("edit_file")) == (Estimate(0.5, 4), Estimate(0.5, 4))
    assert (alice.share_of_others("read_file"), alice.share("grep_search")) == (
        Estimate(0.5, 4),
        Estimate(0, 4),
    )
    assert (bob.agent, bob.share("grep_search")) == ("bob", Estimate(1, 1))


def test_without_a_call_there_is_no_profile() -> None:
    assert tool_profiles(telemetry([])).profiles == ()
