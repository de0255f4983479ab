"""Numbers that a source prints, beside those that its results give."""

from __future__ import annotations

import pytest

from runs.data.cells.open_cells import board_standings
from runs.intake.reported.reported_result import PrintedNumber
from runs.intake.reported.storing import store
from runs.models import Claim
from tests.runs.intake.reported.made_results import reported, two_agents

pytestmark = pytest.mark.django_db


def test_printed_numbers_stand_beside_the_own_ones() -> None:
    printed = (
        PrintedNumber("Ada", "resolved_percent", "100.0"),
        PrintedNumber("Ben", "resolved_percent", "80"),
        PrintedNumber("Eve", "resolved_percent", "50"),
    )
    store(reported(two_agents(), printed=printed))

    assert [(one.name, one.own, one.verdict) for one in Claim.objects.all()] == [
        ("Ada", 100.0, "agrees"),
        ("Ben", 0.0, "contradicts"),
        ("Eve", None, "unknown"),
    ]
    standings = board_standings("lab-bench")
    assert [row.place is None for row in (*standings.rows, *standings.unplaced)] == [False, True]


def test_a_printed_percentage_may_be_about_all_tasks() -> None:
    results = [one for one in two_agents() if one.agent == "Ben" or one.task in {"task-0", "task-1"}]
    printed = (
        PrintedNumber("Ada", "resolved_percent", "25"),
        PrintedNumber("Ada", "cost_usd_per_attempt", "0.5"),
    )
    store(reported(results, printed=printed, percent_of_all_tasks=True))

    assert [(one.own, one.own_n, one.verdict) for one in Claim.objects.all()] == [
        (25.0, 8, "agrees"),
        (0.5, 2, "agrees"),
    ]
    assert store(reported(results, printed=printed)).new == 10  # another claim: not the same results
