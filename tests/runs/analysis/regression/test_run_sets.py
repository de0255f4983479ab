"""Sets of runs, and what keeps two of them apart."""

from __future__ import annotations

import pytest

from runs.analysis.regression.paper_flags import ToolSuccess
from runs.analysis.regression.run_sets import RunSet, ScenarioRun, obstacles


def test_calls_and_their_success_follow_from_the_tools() -> None:
    run = ScenarioRun(
        "tide", "default", {"formal": 1.0}, {"read": ToolSuccess(3, 4), "edit": ToolSuccess(2, 6)}
    )
    assert (run.value("calls"), run.value("tool_success"), run.value("formal")) == (10, 0.5, 1.0)
    idle = ScenarioRun("tide", "default")
    assert (idle.value("calls"), idle.value("tool_success"), idle.value("cost_usd")) == (None, None, None)


def test_more_successes_than_calls_are_refused() -> None:
    with pytest.raises(ValueError, match="tide: 5 of 4 calls of read succeeded"):
        ScenarioRun("tide", "default", {}, {"read": ToolSuccess(5, 4)})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"charm": 1.0}, "tide: no such quantity: charm; expected formal, end_result"),
        ({"tool_success": 1.0}, "tide: no such quantity: tool_success"),
        ({"formal": 1.5}, r"tide: formal is 1\.5, expected a number from 0 to 1"),
        ({"cost_usd": -1.0}, r"tide: cost_usd is -1\.0, expected a number from 0 to inf"),
        ({"seconds": float("nan")}, "tide: seconds is nan"),
    ],
)
def test_impossible_values_are_refused(values: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ScenarioRun("tide", "default", values)


def test_sets_with_other_conditions_cannot_be_compared() -> None:
    runs = (ScenarioRun("tide", "default"),)
    anchor = RunSet("monday", "starter 1", "standard", "scripted", "", runs)
    other = RunSet("tuesday", "starter 2", "longer", "haiku", "panel", (ScenarioRun("tide", "toxic"),))
    assert list(obstacles(anchor, anchor)) == []
    assert list(obstacles(anchor, other)) == [
        "the dataset versions differ: starter 1 and starter 2",
        "the limits differ: standard and longer",
        "the simulated users differ: scripted and haiku",
        "no scenario was run with the same persona in both sets",
    ]
