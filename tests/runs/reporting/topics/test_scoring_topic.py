"""Scores and ratings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from runs.analysis.facts import Behaviour, RunFacts
from runs.analysis.scores.run_metrics import METRICS
from runs.presentation.formatting.numbers import NO_BREAK
from runs.reporting.topics.scoring_topic import best_of_section, sections
from runs.reporting.topics.topic_result import Term
from tests.runs.analysis.made_runs import acted
from tests.runs.reporting.topics.made import column, pictures, table, topic_data_of, tried

FEATURES = {
    "trajectory_efficiency": 0.5,
    "exploration_efficiency": 0.5,
    "reasoning_quality_score": 0.5,
    "tool_errors_count": 0,
    "total_tool_calls": 2,
}


def scored(number: int, agent: str, task: str, *, resolved: bool, similarity: float | None = 0.5) -> RunFacts:
    """A run that is whole, with half of every metric but these two."""
    more: dict[str, Any] = {"outcome": "resolved" if resolved else "unresolved", "similarity": similarity}
    behaviour = Behaviour(labels="ep", features=FEATURES)
    return acted(number, "ep", agent, task=f"harbour/{task}", behaviour=behaviour, **more)


def runs_of_three() -> list[RunFacts]:
    """Alice resolves two tasks, Bob one, Carol none, but her patches are most like the reference."""
    wins = {"alice": (True, True), "bob": (True, False), "carol": (False, False)}
    likeness = {"alice": 0.2, "bob": 0.2, "carol": 0.9}
    pairs = [(agent, task, won) for agent, each in wins.items() for task, won in zip("ab", each, strict=True)]
    return [
        scored(number, agent, task, resolved=won, similarity=likeness[agent])
        for number, (agent, task, won) in enumerate(pairs, 1)
    ]


def test_every_score_is_compared_with_pass_at_1() -> None:
    short, found = sections(topic_data_of(runs_of_three()))

    assert "3 agents" in short
    scores = table(found, "scores")
    assert column(scores, "agent") == ["alice", "bob", "carol"]
    assert column(scores, "pass_at_1") == [1, 0.5, 0]
    agreement = table(found, "agreement")
    assert [row[0] for row in agreement.rows][:2] == [
        Term("pass_at_1", "solved per attempt"),
        Term("tests", "tests passed"),
    ]
    assert [row[0].name for row in agreement.rows] == [each.name for each in agreement.columns[1:]]  # type: ignore[union-attr]
    assert column(agreement, "pass_at_1")[0] is None
    ratings = table(found, "ratings")
    assert column(ratings, "agent") == ["alice", "bob", "carol"]
    assert [column(ratings, name) for name in ("wins", "ties", "losses")] == [[3, 1, 1], [1, 1, 0], [0, 2, 3]]
    assert [row[0] for row in table(found, "metrics").rows] == [
        Term(name, name.replace("_", " ")) for name in METRICS
    ]
    assert pictures(found) == ["ranks-chart"]


def test_agents_without_a_score_are_named_and_each_correlation_has_its_own_n() -> None:
    # The similarity of Dave's patches is unknown: without it there is no Pareto rank.
    dave = [
        scored(number, "dave", task, resolved=False, similarity=None) for number, task in ((7, "a"), (8, "b"))
    ]

    short, found = sections(topic_data_of([*runs_of_three(), *dave]))

    # With twins of Alice and Bob, six agents have every score but that which Dave has not.
    twins = [
        replace(run, run=run.run + 8, agent=f"{run.agent}-twin")
        for run in runs_of_three()
        if run.agent != "carol"
    ]
    assert short == "No comparison of the orders of 4 agents: 5 with different rates are needed."
    compared, _ = sections(topic_data_of([*runs_of_three(), *dave, *twins]))
    assert compared == (
        "The orders by percentile and TOPSIS are least like that by solved tasks per attempt, with a rank correlation "
        "of 0.25 (95 % interval −0.71 to 0.89, n 6); those by geometric and weighted product are most like it, with "
        "1.00 (95 % interval 0.38 to 1.00, n 6)."
    )
    assert found[0].intro.endswith(
        "The chart shows ranks among the 3 drawn agents, the first at the top. Not drawn: Dave, without Pareto rank "
        "(no run has this score)."
    )


def test_two_agents_have_no_order_to_compare() -> None:
    short, _ = sections(topic_data_of(runs_of_three()[:4]))

    assert short == "No comparison of the orders of 2 agents: 5 with different rates are needed."


def test_missing_trajectories_are_reported() -> None:
    _, found = sections(topic_data_of([acted(1, behaviour=None)]))

    assert pictures(found) == []
    assert all(section.empty for section in found)


def test_the_gain_of_each_selector_is_beside_both_bounds() -> None:
    # The attempts cost $1, $2, $3, $4 in the order of their numbers: the cheaper one of each pair is resolved.
    runs = tried({"alice": {"a": "+-", "b": "+-"}}, cost_usd=float)

    found = best_of_section(topic_data_of(runs))

    overall = table([found], "best-of-n")
    assert (
        overall.title
        == f"Best-of-2 over all agents: pass@1 50.0{NO_BREAK}%, pass@2 100.0{NO_BREAK}%, of 4 attempts"
    )
    rows = {row[0].name: row[1:] for row in overall.rows}  # type: ignore[union-attr]
    best, gain, captured, missing = rows["lowest_cost"]
    assert [getattr(each, "value", each) for each in (best, gain, captured, missing)] == [1, 0.5, 1, 0]
    assert rows["smallest_patch"][0].reason == "no run has a value: smallest patch"  # type: ignore[union-attr]
    by_agent = table([found], "best-of-n-by-agent")
    assert column(by_agent, "agent") == ["alice"]
    assert (column(by_agent, "pass_1"), column(by_agent, "lowest_cost"), column(by_agent, "pass_n")) == (
        [0.5],
        [1],
        [1],
    )
    assert [picture.name for picture in found.pictures] == ["best-of-n-chart"]


def test_with_one_attempt_there_is_no_choice() -> None:
    found = best_of_section(topic_data_of(tried({"alice": {"a": "+"}})))

    assert (found.pictures, found.tables) == ((), ())
    assert found.empty == "No choice is possible: no agent has two attempts at each of its tasks."
