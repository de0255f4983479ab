"""How long runs are."""

from __future__ import annotations

from runs.topics.iterations_topic import sections
from tests.runs.analysis.made_runs import acted
from tests.runs.topics.made import pictures, topic_data_of


def test_runs_without_a_counted_trajectory_still_have_lengths() -> None:
    runs = [acted(number, "ep", agent, behaviour=None) for number, agent in enumerate(["alice", "bob"], 1)]

    _, found = sections(topic_data_of(runs))

    assert "lengths-chart" in pictures(found)
    assert "shares-chart" not in pictures(found)
