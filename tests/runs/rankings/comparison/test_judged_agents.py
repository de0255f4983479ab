"""Two agents by the comparisons of a panel."""

from __future__ import annotations

from typing import Any

import pytest

from runs.data.run_facts.count_trajectory import recount
from runs.models import Agent, PanelJudge, Run, RunComparison
from runs.rankings.comparison.judged_agents import TITLES, agent_use, judged_agents, panels_of
from tests.runs.cast import Cast, record
from tests.runs.panels import add_comparison, add_order, add_panel, add_pass, add_summary

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def judge(cast: Cast) -> PanelJudge:
    return add_panel(cast.add_model("Bench"))


def pairs(cast: Cast, count: int) -> list[tuple[Run, Run]]:
    alice, bob = cast.alice(), cast.bob()
    return [(cast.add_run(alice, task), cast.add_run(bob, task)) for task in cast.add_tasks(count)]


def agents() -> tuple[Agent, Agent]:
    return Agent.objects.get(slug="alice"), Agent.objects.get(slug="bob")


def test_dimensions_flips_and_aspects_are_those_of_all_pairs(cast: Cast, judge: PanelJudge) -> None:
    started = add_pass(judge)
    won, swapped, flipped = pairs(cast, 3)
    cases: tuple[tuple[tuple[Run, Run], tuple[int, int], dict[str, Any]], ...] = (
        (won, (-3, -3), {}),
        (swapped[::-1], (3, 3), {"score": 3}),
        (flipped, (-3, 3), {"score": 0, "flipped": True}),
    )
    for pair, scores, more in cases:
        comparison = add_comparison(started, judge, pair, **more)
        for shown_first, score in enumerate(scores, 1):
            add_order(comparison, shown_first, score)
    failed: dict[str, Any] = {"state": RunComparison.State.NO_REVIEW, "score": None}
    add_comparison(started, judge, won, "pitfalls", **failed)

    found = judged_agents(*agents(), judge.panel)

    result, pitfalls = found.dimensions
    assert result.found is not None
    assert (result.found.score.value, result.found.first, result.found.ties, result.found.flips) == (
        -2,
        2,
        1,
        1,
    )
    assert (pitfalls.found, pitfalls.without_score) == (None, [("missing review", 1)])
    assert [each.first.task.slug for each in found.flips] == ["tide-3"]
    (group,) = result.aspects
    assert (group.aspect, group.count, len(group.a), len(group.b)) == ("verification", 3, 3, 1)
    assert (found.pairs, found.cut) == (3, False)

    turned = judged_agents(*agents()[::-1], judge.panel).dimensions[0].found
    assert turned is not None
    assert (turned.score.value, turned.first, turned.second) == (2, 0, 2)


def test_personas_of_a_scenario_are_one_observation(cast: Cast, judge: PanelJudge) -> None:
    started = add_pass(judge)
    for number, pair in enumerate(pairs(cast, 4)):
        pair[0].task.scenario = f"scenario-{number // 2}"
        pair[0].task.save()
        add_comparison(started, judge, pair)

    (row,) = judged_agents(*agents(), judge.panel).dimensions

    assert row.found is not None
    assert (row.found.score.n, row.found.metrics_value.n, row.found.p.value) == (2, 4, 0.5)


def test_runs_of_hidden_tasks_do_not_count(cast: Cast, judge: PanelJudge) -> None:
    hidden = cast.add_hidden_task()
    pair = cast.add_run(cast.alice(), hidden), cast.add_run(cast.bob(), hidden)
    add_comparison(add_pass(judge), judge, pair)
    assert panels_of(*agents()) == []
    assert judged_agents(*agents(), judge.panel).dimensions == []


def test_the_panel_of_the_latest_pass_comes_first(cast: Cast, judge: PanelJudge) -> None:
    (pair,) = pairs(cast, 1)
    other = PanelJudge.objects.create(
        panel=type(judge.panel).objects.create(slug="other", title="Other"), name="Ada", model=judge.model
    )
    for number, each in enumerate((judge, other)):
        add_comparison(add_pass(each, f"pass-{number}"), each, pair)
    assert panels_of(*agents()) == [other.panel, judge.panel]


def test_the_alert_of_a_judge_completes_the_papers_flags(cast: Cast, judge: PanelJudge) -> None:
    started = add_pass(judge)
    made = pairs(cast, 6)
    for pair in made:
        add_comparison(started, judge, pair, score=-5)
    add_summary(
        started, judge, [one for one, _ in made], "end_result", others=[two for _, two in made], alert=True
    )
    found = judged_agents(*agents(), judge.panel)
    (result,) = found.dimensions
    assert result.found is not None
    assert (result.judge_alert, result.found.paper.flags.alert) == (True, True)
    assert [each.dimension for each in found.differences] == ["end_result"]


def test_quantities_and_tools_are_those_of_paired_open_runs() -> None:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    numbers = {"iterations": 6, "tool_calls": 5, "failed_calls": 1}
    for task in cast.add_tasks(2):
        for agent, seconds in ((alice, 10.0), (bob, 20.0)):
            record(cast.add_run(agent, task, act_seconds=seconds, **numbers))
    hidden = cast.add_hidden_task()
    for agent in (alice, bob):
        cast.add_run(agent, hidden, act_seconds=900.0)
    recount()

    found = agent_use(alice, bob)

    assert (found.pairs, found.cut) == (2, False)
    rows = {row.name: row for row in found.quantities}
    assert rows.keys() == TITLES.keys()
    assert (rows["seconds"].first.value, rows["seconds"].second.value) == (10.0, 20.0)
    assert rows["price"].p.value is None
    tools = {row.name: row for row in found.tools}
    assert (tools["read_file"].calls, tools["read_file"].first.value) == ((4, 4), 0.5)


def test_without_a_common_task_nothing_is_compared() -> None:
    cast = Cast()
    found = agent_use(cast.alice(), cast.bob())
    assert (found.pairs, found.tools) == (0, ())
