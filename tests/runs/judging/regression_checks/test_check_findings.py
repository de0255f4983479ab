"""What the database stores of a comparison."""

from __future__ import annotations

import json

import pytest

from runs.analysis.regression.paper_flags import ToolSuccess
from runs.judging.regression_checks.check_findings import findings_of, result_of
from runs.judging.regression_checks.comparing_sets import compare_sets
from tests.runs.judging.regression_checks.members import passing


def test_what_became_worse_comes_first_and_tools_last() -> None:
    tools = {"read_file": ToolSuccess(1, 2)}
    found = findings_of(compare_sets(passing(10, tools=tools), passing(10, 0.0, tools=tools)))
    assert (found[0].quantity, found[0].outcome, found[0].effect) == ("formal", "worse", -1.0)
    assert found[0].p_worse == pytest.approx(3 / 1024)
    assert [row["run"] for row in found[0].evidence] == [0, 1, 2, 3, 4]
    assert (found[-1].quantity, found[-1].causes_alarm) == ("tool read_file", False)
    assert [one.reason for one in found if one.quantity == "pitfalls"] == [
        "0 scenarios have values in both sets, and 6 are needed"
    ]


def test_the_rest_is_json() -> None:
    found = result_of(compare_sets(passing(10), passing(9)), {})
    assert json.loads(json.dumps(found)) == found
    assert (found["tested"], found["unpaired"], found["drift"]) == (1, ["harbour/s9 default"], [])
    assert {row["title"] for row in found["paper"]} >= {"Generated tokens", "Endings that differ"}
