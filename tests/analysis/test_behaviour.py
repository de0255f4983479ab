"""What is counted for each run, and stored."""

from __future__ import annotations

import json

from runs.analysis.behaviour import from_json, to_json
from runs.analysis.facts import Behaviour, Signs, ToolTotals, ToolUse


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
        ),
        signs=Signs(found={"thrashing": (3, 5)}, undecided={"wrong_file_targeting": "no list of files"}),
        features={"files_explored": 2.0, "recovery_rate": None},
        faults=("step 2 is missing",),
    )
    assert from_json(json.loads(json.dumps(to_json(counted)))) == counted


def test_a_run_without_steps_comes_back_too() -> None:
    assert from_json(json.loads(json.dumps(to_json(Behaviour())))) == Behaviour()
