"""Scores of many runs, by agent, outcome and task; and what the published tables of scores hold."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import stdev
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Exclusion
from runs.analysis.facts import Behaviour, RunFacts
from runs.analysis.scores.metric_correlations import metric_correlations
from runs.analysis.scores.run_metrics import measured_runs
from runs.analysis.scores.scoreboard import ENDED, RESOLVED, STOPPED, WAYS, scoreboard, task_scores
from runs.data.published.tables import CODING_AGENT_EVALUATION, table


def run(number: int, agent: str = "alice", share: float | None = 0.5, **more: Any) -> RunFacts:
    """All metrics of a run but its outcome are `share`."""
    features = {
        "trajectory_efficiency": share,
        "exploration_efficiency": share,
        "reasoning_quality_score": share,
        "tool_errors_count": None if share is None else 100 - 100 * share,
        "total_tool_calls": 100.0,
    }
    values: dict[str, Any] = {
        "task": "harbour/tide",
        "repository": "harbour",
        "attempt": 1,
        "outcome": "resolved",
        "similarity": share,
        "behaviour": Behaviour(features=features),
        **more,
    }
    return RunFacts(run=number, agent=agent, **values)


# Hierarchical: 0.4 if resolved, and 0.6 · share. Alice 0.7 and 0.3, bob 0.6 · 0.25 = 0.15.
RUNS = (
    run(1, "alice", 0.5),
    run(2, "alice", 0.5, outcome="unresolved", task="harbour/fog"),
    run(3, "bob", 0.25, outcome="unresolved", ending="step_limit"),
)


def test_scores_by_agent() -> None:
    board = scoreboard(measured_runs(RUNS))
    alice, bob = board.agents
    assert (alice.agent, alice.n, alice.incomplete, bob.agent, bob.n) == ("alice", 2, 0, "bob", 1)
    spread = alice.ways["hierarchical"]
    # mean (0.7 + 0.3) ÷ 2, range 0.7 − 0.3, deviation √((0.2² + 0.2²) ÷ 1)
    assert spread.mean.value == pytest.approx(0.5)
    assert [spread.lowest.value, spread.highest.value] == pytest.approx([0.3, 0.7])
    assert spread.range.value == pytest.approx(0.4)
    assert spread.deviation.value == pytest.approx(math.sqrt(0.08))
    assert spread.resolved_mean.value == pytest.approx(0.7)
    assert spread.resolved_mean.n == 1
    assert bob.ways["hierarchical"].mean.value == pytest.approx(0.15)
    assert bob.ways["hierarchical"].deviation.reason == "one run has no deviation"
    assert bob.ways["hierarchical"].resolved_mean.reason == "no resolved run has this score"
    # Weighted: 0.3 if resolved, and 0.7 · share: (0.65 + 0.35) ÷ 2.
    assert alice.ways["weighted"].mean.value == pytest.approx(0.5)
    # Pareto: 1 for alice's first, ⅔ for her second (the first dominates it), ⅓ for bob's.
    assert alice.ways["pareto"].mean.value == pytest.approx(5 / 6)
    assert bob.ways["pareto"].mean.value == pytest.approx(1 / 3)
    assert set(alice.ways) == set(WAYS)


def test_scores_by_outcome() -> None:
    board = scoreboard(measured_runs(RUNS))
    assert [(row.outcome, row.n) for row in board.outcomes] == [(RESOLVED, 1), (ENDED, 1), (STOPPED, 1)]
    means = [row.ways["hierarchical"].mean.value for row in board.outcomes]
    assert means == pytest.approx([0.7, 0.3, 0.15])
    assert board.overall["hierarchical"].mean.value == pytest.approx(1.15 / 3)
    assert board.n == 3


def test_what_is_missing_is_counted_and_strictly_left_out() -> None:
    lacking = replace(RUNS[0], run=4, similarity=None)
    board = scoreboard(measured_runs([*RUNS, lacking]))
    assert board.missing == {**dict.fromkeys(board.missing, 0), "similarity": 1}
    assert (board.incomplete, board.agents[0].incomplete) == (1, 1)
    assert board.agents[0].ways["hierarchical"].mean.n == 3
    strictly = scoreboard(measured_runs([*RUNS, lacking]), strict=True)
    assert strictly.strict
    assert strictly.agents[0].n == 3
    assert strictly.agents[0].ways["hierarchical"].mean.n == 2
    assert strictly.agents[0].ways["hierarchical"].mean.value == pytest.approx(0.5)


def test_bad_records_are_named() -> None:
    board = scoreboard(
        measured_runs(
            [
                RUNS[0],
                run(5, outcome="infrastructure_failed"),
                run(6, behaviour=None),
                run(7, behaviour=Behaviour(faults=("step 2 is missing",))),
                run(8, share=math.nan),
            ]
        )
    )
    assert board.excluded == (
        Exclusion("the infrastructure failed", (5,)),
        Exclusion("the trajectory was not counted, or could not be read", (6,)),
        Exclusion("steps are missing from the trajectory, or repeated", (7,)),
        Exclusion("a metric is not a number, or out of its range", (8,)),
    )
    assert board.n == 2
    assert board.missing["reasoning"] == board.missing["similarity"] == board.missing["error_free"] == 1


@pytest.mark.parametrize(
    "bad",
    [
        run(9, similarity=math.nan),
        run(9, similarity=1.5),
        run(9, behaviour=Behaviour(features={"exploration_efficiency": -0.1})),
        run(9, behaviour=Behaviour(features={"trajectory_efficiency": math.inf})),
        run(9, behaviour=Behaviour(features={"tool_errors_count": -1.0, "total_tool_calls": 3.0})),
    ],
)
def test_an_invalid_metric_counts_as_missing_and_its_run_is_named(bad: RunFacts) -> None:
    excluded = (Exclusion("a metric is not a number, or out of its range", (9,)),)
    measured = measured_runs([*RUNS, bad])
    board = scoreboard(measured)

    assert (board.n, board.incomplete, board.excluded) == (4, 1, excluded)
    assert task_scores(measured).excluded == metric_correlations(measured).excluded == excluded
    assert scoreboard(measured_runs([*RUNS, run(9, share=None)])).excluded == ()


def test_no_run_at_all() -> None:
    board = scoreboard(measured_runs([]))
    assert (board.n, board.agents, board.incomplete) == (0, (), 0)
    assert board.overall["topsis"].mean.reason == "no run has this score"
    assert all(row.n == 0 for row in board.outcomes)
    assert task_scores(measured_runs([])).scores == {}


def test_a_task_score_is_the_mean_of_its_attempts() -> None:
    # 0.7 and 0.4 + 0.6 · 0.25 = 0.55 → 0.625
    runs = measured_runs([*RUNS, run(4, share=0.25, attempt=2)])
    found = task_scores(runs)
    assert found.n == 4
    assert found.scores["alice"] == {"harbour/fog": pytest.approx(0.3), "harbour/tide": pytest.approx(0.625)}
    assert task_scores(runs, "geometric").scores["bob"] == {"harbour/tide": 0}
    with pytest.raises(ValueError, match="no such score: beauty"):
        task_scores(runs, "beauty")


@given(st.permutations(range(3)))
@settings(max_examples=6)
def test_neither_order_nor_names_matter(order: list[int]) -> None:
    assert scoreboard(measured_runs([RUNS[place] for place in order])) == scoreboard(measured_runs(RUNS))
    names = {"alice": "zoe", "bob": "adam"}
    renamed = scoreboard(
        measured_runs([replace(RUNS[place], agent=names[RUNS[place].agent]) for place in order])
    )
    assert {row.agent: row.ways for row in renamed.agents} == {
        names[row.agent]: row.ways for row in scoreboard(measured_runs(RUNS)).agents
    }


def test_deviation_is_that_of_the_standard_library() -> None:
    runs = measured_runs([run(number, share=number / 10) for number in range(1, 8)])
    found = scoreboard(runs).overall["weighted"]
    assert found.deviation.value == pytest.approx(stdev(0.3 + 0.7 * number / 10 for number in range(1, 8)))


def test_published_ranks_follow_from_the_published_scores() -> None:
    """Table 11 of the fourth paper from its Table 5: gpt-4o, gpt-5.1, o4-mini under all six scores."""
    rows = table(CODING_AGENT_EVALUATION, 5).rows
    for column in range(1, 7):
        order = sorted(rows, key=lambda row: -float(row[column]))
        assert [row[0] for row in order] == ["gpt-4o", "gpt-5.1", "o4-mini"]


def test_published_means_of_all_runs_contradict_each_other() -> None:
    """Table 14 prints 0.369. Table 15's groups and Table 12's models (52 runs each) are the same 156 runs."""
    # (38 · 0.765 + 72 · 0.341 + 46 · 0.221) ÷ 156 = 63.788 ÷ 156 = 0.409
    by_outcome = (38 * 0.765 + 72 * 0.341 + 46 * 0.221) / (38 + 72 + 46)
    by_model = math.fsum(float(row[3]) for row in table(CODING_AGENT_EVALUATION, 5).rows) / 3
    assert round(by_outcome, 3) == 0.409
    assert round(by_model, 3) == 0.439


def test_published_ranges_of_hierarchical_scores() -> None:
    """Table 12: highest − lowest is the range printed; 1.055 is more than equation 8 can give."""
    for lowest, highest, printed in ((0.217, 0.901, 0.684), (0.203, 1.055, 0.852), (0.193, 0.849, 0.656)):
        assert highest - lowest == pytest.approx(printed, abs=0.0005)


@pytest.mark.parametrize(
    ("model", "rate", "trajectory", "exploration", "similarity"),
    [("gpt-5.1", 18 / 52, 0.67, 0.77, 0.065), ("gpt-4o", 14 / 52, 0.95, 0.73, 0.043)],
)
def test_published_scores_do_not_follow_from_the_published_metrics(
    model: str, rate: float, trajectory: float, exploration: float, similarity: float
) -> None:
    """Equations 6 and 8 are linear, so the means of Tables 3 and 5 leave two unknowns, reasoning r and freedom from
    errors e. Their solution is no pair of shares: the paper's code computed something else than its equations."""
    row = {row[0]: row for row in table(CODING_AGENT_EVALUATION, 5).rows}[model]
    weighted, hierarchical = float(row[1]), float(row[3])
    # 0.15 r + 0.10 e = a and 0.10 r + 0.15 e = b, so e = (0.15 b − 0.10 a) ÷ 0.0125
    a = weighted - (0.3 * rate + 0.2 * trajectory + 0.15 * exploration + 0.1 * similarity)
    b = hierarchical - (0.4 * rate + 0.125 * (trajectory + exploration) + 0.1 * similarity)
    assert (0.15 * b - 0.10 * a) / 0.0125 > 1.3
