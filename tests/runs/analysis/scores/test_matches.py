"""Matches between agents: the higher score on a task wins."""

from __future__ import annotations

import math

import numpy as np
import pytest

from runs.analysis.scores.matches import Record, check_scores, matches, reachable

NAN = math.nan


def test_a_difference_of_the_margin_is_won_and_a_smaller_one_is_a_tie() -> None:
    # 0.70 − 0.65 is the margin of 0.05, however it is rounded.
    records = [matches({"a": {"t": score}, "b": {"t": 0.65}}).records() for score in (0.70, 0.69, 0.60)]
    # Agents are ordered by their scores, the lower one first.
    assert records[0] == (Record(0, 0, 1), Record(1, 0, 0))
    assert records[1] == (Record(0, 1, 0), Record(0, 1, 0))
    assert records[2] == (Record(0, 0, 1), Record(1, 0, 0))


def test_without_a_margin_equal_scores_are_still_a_tie() -> None:
    found = matches({"a": {"t": 0.5, "u": 0.5}, "b": {"t": 0.5, "u": 0.501}}, margin=0)
    assert found.records() == (Record(0, 1, 1), Record(1, 1, 0))


def test_agents_meet_on_tasks_that_both_have_a_score_for() -> None:
    found = matches({"alice": {"t": 0.7, "u": 0.2}, "bob": {"t": 0.1}, "carol": {"u": 0.9}, "dora": {}})
    # By their scores on t, then u; one that is missing is below all others.
    assert (found.agents, found.tasks) == (("dora", "carol", "bob", "alice"), ("t", "u"))
    np.testing.assert_array_equal(found.scores, [[NAN, NAN], [NAN, 0.9], [0.1, NAN], [0.7, 0.2]])
    # Alice beats Bob on t, Carol beats Alice on u.
    assert found.records() == (Record(0, 0, 0), Record(1, 0, 0), Record(0, 0, 1), Record(1, 0, 1))
    assert [record.matches for record in found.records()] == [0, 1, 1, 2]
    dora, carol, bob, alice = found.met().tolist()
    assert dora == [False] * 4
    assert (carol[3], carol[2], bob[3], alice[1]) == (True, False, True, True)


def test_each_task_has_a_table_of_results() -> None:
    found = matches({"a": {"t": 0.0}, "b": {"t": 0.5}, "c": {"t": 0.52}})
    # Rows against columns: a loses to both, b and c tie; no agent plays against itself.
    (table,) = found.by_task()
    np.testing.assert_array_equal(table, [[NAN, 0, 0], [1, NAN, 0.5], [1, 0.5, NAN]])


def test_agents_with_equal_scores_share_their_values() -> None:
    found = matches({"zoe": {"t": 0.5}, "bob": {"t": 1.0}, "adam": {"t": 0.5}})
    assert (found.agents, found.kinds.tolist()) == (("adam", "zoe", "bob"), [0, 0, 1])
    given = np.array([[10.0, 30.0, 7.0], [1.0, 2.0, 3.0]])
    assert found.shared_by_kind(given).tolist() == [[20.0, 20.0, 7.0], [1.5, 1.5, 3.0]]
    assert given[0].tolist() == [10.0, 30.0, 7.0]


def test_no_agent_plays_no_match() -> None:
    found = matches({})
    assert (found.agents, found.tasks, found.records()) == ((), (), ())
    assert found.met().shape == (0, 0)


@pytest.mark.parametrize("margin", [-0.01, NAN, math.inf])
def test_a_margin_is_a_finite_number_from_zero_on(margin: float) -> None:
    with pytest.raises(ValueError, match=f"a margin of {margin}, expected 0 or more"):
        matches({}, margin)


@pytest.mark.parametrize("score", [NAN, math.inf, -math.inf])
def test_a_score_is_finite(score: float) -> None:
    with pytest.raises(ValueError, match=f"bob scored {score} on u, expected a finite number"):
        check_scores({"alice": {"t": 1.0}, "bob": {"t": 0.0, "u": score}})
    with pytest.raises(ValueError, match=f"bob scored {score} on u"):
        matches({"bob": {"u": score}})


def test_a_chain_reaches_forwards_only() -> None:
    edges = np.zeros((5, 5), dtype=bool)
    edges[[0, 1, 2], [1, 2, 3]] = True
    rows = ["".join("x" if there else "." for there in row) for row in reachable(edges)]
    assert rows == ["xxxx.", ".xxx.", "..xx.", "...x.", "....x"]


def test_graphs_in_one_table_are_separate() -> None:
    edges = np.zeros((2, 2, 2), dtype=bool)
    edges[0, 0, 1] = True
    edges[1, 1, 0] = True
    assert reachable(edges).tolist() == [[[True, True], [False, True]], [[True, False], [True, True]]]
    assert reachable(np.zeros((0, 0), dtype=bool)).shape == (0, 0)


def test_the_personas_of_a_scenario_are_one_match_with_the_mean_result() -> None:
    scores = {"a": {"s.default": 0.1, "s.toxic": 0.4, "t": 0.5}, "b": {"s.default": 0.9, "s.toxic": 0.4}}
    found = matches(scores, scenarios={"s.default": "s", "s.toxic": "s", "t": ""})
    assert (found.clusters.tolist(), found.independent) == ([0, 0, 1], 2)
    # b wins with one persona and ties with the other: ¾, a win.
    np.testing.assert_array_equal(found.by_task()[0], [[NAN, 0.25], [0.75, NAN]])
    assert found.records() == (Record(0, 0, 1), Record(1, 0, 0))
