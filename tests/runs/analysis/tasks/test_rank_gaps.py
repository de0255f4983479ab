"""Gaps between agents of adjacent ranks."""

from __future__ import annotations

import pytest

from runs.analysis.tasks.rank_gaps import TaskGap, rank_gaps
from tests.runs.reporting.topics.made import tried


def test_a_gap_is_a_task_that_one_agent_always_resolves_and_the_next_one_never() -> None:
    found = rank_gaps(
        tried(
            {
                "alice": {"a": "++", "b": "++", "c": "++", "d": "--"},
                "bob": {"a": "--", "b": "+-", "c": "++", "d": "++"},
                "carol": {"a": "--", "b": "--", "c": "--", "d": "--"},
            }
        )
    )

    first, second = found.pairs
    # pass@1: 6/8, 5/8 and 0
    assert (first.rank, first.first, first.second, first.difference.value) == (1, "alice", "bob", 0.125)
    assert first.gaps == (TaskGap("harbour/a", 1, 0), TaskGap("harbour/d", 0, 1))
    assert (first.gains, first.losses, first.compared) == (1, 1, 4)
    assert (second.rank, second.first, second.second) == (2, "bob", "carol")
    assert [each.task for each in second.gaps] == ["harbour/c", "harbour/d"]


def test_half_a_gap_counts_if_it_is_asked_for() -> None:
    runs = tried({"alice": {"a": "++"}, "bob": {"a": "+-"}})

    assert rank_gaps(runs).pairs[0].gaps == ()
    assert rank_gaps(runs, least=0.5).pairs[0].gaps == (TaskGap("harbour/a", 1, 0.5),)
    with pytest.raises(ValueError, match="expected a share above 0"):
        rank_gaps(runs, least=0)


def test_single_attempts_are_not_compared() -> None:
    (pair,) = rank_gaps(tried({"alice": {"a": "+", "b": "++"}, "bob": {"a": "-", "b": "--"}})).pairs

    assert (pair.compared, [each.task for each in pair.gaps]) == (1, ["harbour/b"])
    assert rank_gaps(tried({"alice": {"a": "+"}})).pairs == ()
