"""Reading and modifying calls by outcome."""

from __future__ import annotations

from typing import Any

from runs.analysis.difficulty.reading_share import reading_shares
from runs.analysis.facts import RunFacts
from tests.runs.analysis.made_runs import acted


def run(number: int, outcome: str, *tools: str, **more: Any) -> RunFacts:
    return acted(number, "p" * len(tools), outcome=outcome, tools=tools, **more)


def test_shares_are_means_over_tasks_by_outcome() -> None:
    found = reading_shares(
        [
            run(1, "resolved", "read_file", "search_code", "read_function", "replace_function"),
            run(2, "resolved", "read_file", "edit_file", task="harbour/b"),
            run(3, "unresolved", "edit_file", "run_terminal_cmd"),
            run(4, "unresolved", "run_terminal_cmd"),
        ]
    )
    resolved, other = found.rows
    assert (resolved.agent, resolved.resolved, other.resolved) == ("alice", True, False)
    assert (resolved.reading.value, resolved.modifying.value, resolved.share.value) == (
        2,
        1,
        (3 / 4 + 1 / 2) / 2,
    )
    assert (resolved.share.n, resolved.runs, resolved.without) == (2, 2, 0)
    # Both tasks are of one repository, so the calls have no interval and the share that of one observation.
    assert resolved.reading.interval is None
    assert resolved.share.interval is not None
    assert (other.reading.value, other.modifying.value, other.share.value) == (0, 0.5, 0)
    assert (other.runs, other.without) == (2, 1)


def test_an_outcome_without_runs_has_a_reason() -> None:
    resolved, other = reading_shares([run(1, "resolved", "run_terminal_cmd")]).rows
    assert resolved.share.reason == "no run reads or modifies"
    assert other.share.reason == "every run is resolved"
