"""What is counted for each run, and stored."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from runs.analysis.behaviour import from_json, to_json
from runs.analysis.facts import Behaviour, Exploit, Signs, ToolTotals, ToolUse


def test_counts_come_back_as_they_were_stored() -> None:
    counted = Behaviour(
        labels="eepn",
        tools=ToolUse(
            totals={"read_file": ToolTotals(2, 1, 0.25, unanswered=1, timed=1)},
            bigrams={("read_file", "edit_file"): 1},
            trigrams={("read_file", "edit_file", "read_file"): 1},
            before_first_edit=1,
            before_first_change=0,
            parallel={1: 2, 3: 1},
            phases={"exploration": 3, "implementation": 2},
            opening="rrEes",
        ),
        signs=Signs(found={"thrashing": (3, 5)}, undecided={"wrong_file_targeting": "no list of files"}),
        features={"files_explored": 2.0, "recovery_rate": None},
        faults=("step 2 is missing",),
        responses=((1.5, 0.25), (None, None)),
        exploits={"network": Exploit("attempt", (3, 5)), "weakened_tests": Exploit("success")},
    )
    assert from_json(json.loads(json.dumps(to_json(counted)))) == counted


def test_a_run_without_steps_comes_back_too() -> None:
    assert from_json(json.loads(json.dumps(to_json(Behaviour())))) == Behaviour()


@pytest.mark.parametrize(
    "change",
    [
        {"labels": "eepx"},
        {"labels": "epeex e"},
        {"opening": "rez"},
        {"totals": {"read_file": [1, 2, 0.5, 0, 1]}},
        {"totals": {"read_file": [0, 0, 0.0, 0, 0]}},
        {"totals": {"read_file": [2, 1, math.nan, 1, 1]}},
        {"totals": {"read_file": [2, 2, 0.5, 1, 1]}},
        {"totals": {"read_file": [1, 0, 0.5, 0, 2]}},
        {"totals": {"read_file": "many"}},
        {"exploits": {"network": ["certain", [3]]}},
    ],
)
def test_impossible_counts_are_refused(change: dict[str, Any]) -> None:
    stored = to_json(Behaviour())
    with pytest.raises((ValueError, TypeError)):
        from_json({**stored, **change})
