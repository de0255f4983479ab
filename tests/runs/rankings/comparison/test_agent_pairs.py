"""Two agents side by side over their common tasks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runs.analysis.behaviour import VERSION, to_json
from runs.analysis.estimate import Estimate
from runs.analysis.facts import Behaviour, Signs
from runs.data.queries.compare_filter import CompareQuery
from runs.data.queries.competitors import competitors
from runs.data.queries.filters import CellFilter
from runs.models import Agent, Counts
from runs.rankings.comparison import agent_pairs
from runs.rankings.comparison.agent_pairs import (
    MatrixCell,
    Pairing,
    cells_by_agent,
    judged_pair,
    matrix,
    pairing,
)
from tasks.models import Task
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db


def compare(one: Agent, other: Agent, **chosen: str) -> Pairing:
    """The two over the tasks that match."""
    names = competitors([one.pk, other.pk])
    return pairing((one.pk, names[one.pk]), (other.pk, names[other.pk]), CellFilter("ports", **chosen))


def test_the_better_one_is_that_of_the_leaderboards_test(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    for task in cast.add_tasks(8):  # 2 · 2⁻⁸ < 0.05
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [0])
    cast.settle()

    found, turned = compare(alice, bob), compare(bob, alice)

    assert found.better == turned.better == found.first == turned.second
    assert found.first.name == "Alice"
    assert [(side.resolved, agent.name) for side, agent in found.sides] == [(8, "Alice"), (0, "Bob")]


def test_few_tasks_make_neither_better(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    for task in cast.add_tasks(3):
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [0])
    cast.settle()

    assert compare(alice, bob).better is None


def test_common_tasks_are_grouped_by_winner_the_largest_gain_first(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    tasks = cast.add_tasks(6)
    for task, ours, theirs in zip(
        tasks, ([5, 0], [5, 5], [0, 0], [5, 5], [0, 0], [5, 5]), ([0], [0], [5], [5], [0], []), strict=True
    ):
        cast.add_cell(alice, task, ours)
        cast.add_cell(bob, task, theirs)
    cast.settle()

    found = compare(alice, bob).won()

    assert [(key, title, [task.name.slug for task in tasks]) for key, title, tasks in found] == [
        ("first", "Only Alice", ["tide-2", "tide-1"]),
        ("second", "Only Bob", ["tide-3"]),
        ("both", "Both", ["tide-4"]),
        ("neither", "Neither", ["tide-5"]),
    ]


def test_a_common_task_leads_to_the_runs_of_each_and_to_the_best_of_both(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    (task,) = cast.add_tasks(1)
    _, ours = cast.add_cell(alice, task, [3, 4])
    theirs, _ = cast.add_cell(bob, task, [2, 1])
    cast.settle()

    (common,) = compare(alice, bob).won()[-1][2]

    assert common.first_runs == "agent=alice&task=harbour%2Ftide-1"
    assert common.second_runs == "agent=bob&task=harbour%2Ftide-1"
    assert common.beside == f"a={ours.pk}&b={theirs.pk}"


def test_without_a_best_run_nothing_stands_side_by_side(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    (task,) = cast.add_tasks(1)
    cast.add_run(alice, task, passed=4)
    cast.add_run(bob, task, passed=0, tests_total=0)
    cast.settle()

    (common,) = compare(alice, bob).won()[-1][2]

    assert common.beside == ""


def test_slices_are_by_title_of_the_repository_and_easy_tasks_first(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    quay = cast.add_repository("a-quay", "Zeal quay")
    tasks = [
        *cast.add_tasks(1, quay, difficulty="hard"),
        *cast.add_tasks(1, difficulty="medium"),
        *cast.add_tasks(1, difficulty="easy", start=2),
    ]
    for task, passed in zip(tasks, (5, 0, 5), strict=True):
        cast.add_cell(alice, task, [passed])
        cast.add_cell(bob, task, [0])
    cast.settle()

    found = compare(alice, bob)

    assert [(one.name, one.first.value, one.first.n) for one in found.by_repository] == [
        ("Harbour master", 0.5, 2),
        ("Zeal quay", 1.0, 1),
    ]
    assert [(one.name, one.first.value) for one in found.by_difficulty] == [
        ("easy", 1.0),
        ("medium", 0.0),
        ("hard", 1.0),
    ]


def test_a_filter_leaves_its_tasks_in_one_query(cast: Cast, django_assert_num_queries: Any) -> None:
    alice, bob = cast.alice(), cast.bob()
    easy, hard = cast.add_tasks(1)[0], cast.add_tasks(1, difficulty="hard", start=2)[0]
    for task in (easy, hard):
        cast.add_cell(alice, task, [5])
    cast.add_cell(bob, hard, [0])
    cast.settle()

    with django_assert_num_queries(1):
        cells = cells_by_agent([alice.pk, bob.pk], CellFilter(difficulty="hard"))

    assert {agent: [cell.task for cell in theirs] for agent, theirs in cells.items()} == {
        alice.pk: [hard.pk],
        bob.pk: [hard.pk],
    }
    assert [task.task for task in compare(alice, bob, difficulty="hard").found.tasks] == [hard.pk]
    assert compare(alice, bob, difficulty="easy").found.tasks == ()


def test_failure_modes_stand_side_by_side_without_a_filter(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    (task,), alice, bob = cast.add_tasks(1), cast.alice(), cast.bob()
    edits_early = Behaviour(labels="p", signs=Signs({"premature_editing": (3,)}))
    runs = [cast.add_run(agent, task, passed=3, iterations=1) for agent in (alice, bob)]
    cast.settle()
    assert compare(alice, bob).troubles is None  # no trajectory is counted

    for run, behaviour in zip(runs, (edits_early, Behaviour(labels="p")), strict=True):
        Counts.objects.create(run=run, version=VERSION, behaviour=json.dumps(to_json(behaviour)))
    troubles = compare(alice, bob).troubles

    assert troubles is not None
    (shares,) = troubles
    assert (shares.mode.slug, shares.first.value, shares.second.value) == ("premature_editing", 1.0, 0.0)
    assert shares.both == (shares.first, shares.second)
    assert isinstance(shares.first, Estimate)
    assert compare(alice, bob, difficulty="easy").troubles is None
    monkeypatch.setattr(agent_pairs, "MAX_RUNS", 1)
    assert compare(alice, bob).troubles is None


def test_agents_without_a_common_task_share_nothing(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    for agent, task in zip((alice, bob), cast.add_tasks(2), strict=True):
        cast.add_cell(agent, task, [5])
    cast.settle()

    found = compare(alice, bob)

    assert (found.found.tasks, found.better, found.troubles) == ((), None, None)
    assert [tasks for _, _, tasks in found.won()] == [[], [], [], []]
    assert (found.by_repository, found.by_difficulty) == ((), ())


def rows(*agents: Agent, **chosen: str) -> dict[str, list[MatrixCell | None]]:
    """The cells of each agent, by its name."""
    names = competitors(agent.pk for agent in agents)
    query = CompareQuery(tuple(agent.slug for agent in agents), CellFilter("ports", **chosen))
    return {
        agent.name: cells for agent, cells in matrix([(each.pk, names[each.pk]) for each in agents], query)
    }


def test_rows_and_cells_are_in_the_order_of_the_agents(cast: Cast) -> None:
    alice, bob, idler = cast.alice(), cast.bob(), cast.add_agent("Idler")
    for task in cast.add_tasks(9):  # 3 pairs · 2 · 2⁻⁹ < 0.05
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [5])
        cast.add_cell(idler, task, [0])
    cast.settle()

    found = rows(idler, alice, bob)

    assert list(found) == ["Idler", "Alice", "Bob"]
    assert [
        [cell and (cell.difference.value, cell.verdict) for cell in cells] for cells in found.values()
    ] == [
        [None, (-1.0, "worse"), (-1.0, "worse")],
        [(1.0, "better"), None, (0.0, "")],
        [(1.0, "better"), (0.0, ""), None],
    ]


def test_a_cell_leads_to_the_pair_under_the_same_filter(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    for task, passed in zip(
        (*cast.add_tasks(1), *cast.add_tasks(1, difficulty="hard", start=2)), (5, 0), strict=True
    ):
        cast.add_cell(alice, task, [passed])
        cast.add_cell(bob, task, [0])
    cast.settle()

    cell = rows(alice, bob, difficulty="easy")["Alice"][1]

    assert cell is not None
    assert (cell.difference.value, cell.difference.n) == (1.0, 1)
    assert (cell.verdict, cell.query) == ("", "a=alice&b=bob&dataset=ports&difficulty=easy")


def test_agents_without_a_common_task_have_no_difference(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    cast.add_cell(alice, cast.add_tasks(1)[0], [5])
    cast.settle()

    cell = rows(alice, bob)["Alice"][1]

    assert cell is not None
    assert (cell.difference.value, cell.difference.n) == (None, 0)
    assert cell.difference.reason


def test_the_difference_is_over_shared_scenarios_and_filters_apply() -> None:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    easy, hard = cast.add_tasks(2), cast.add_tasks(1, difficulty="hard", start=3)
    judge = add_panel(cast.add_model("Bench"))
    assert judged_pair(alice.pk, bob.pk, CellFilter(dataset="ports")) is None

    started = add_pass(judge)
    for task, score in zip((*easy, *hard), (1.0, 0.5, 0.0), strict=True):
        add_review(started, judge, cast.add_run(alice, task), "pleasantness", score=score)
        if task not in easy[:1]:
            add_review(started, judge, cast.add_run(bob, task), "pleasantness", score=0.5)
    cast.settle()

    found = judged_pair(alice.pk, bob.pk, CellFilter(dataset="ports"))
    assert found
    (row,) = [each for each in found.dimensions if each.first.name == "pleasantness"]
    assert (row.first.score.value, row.second.score.value) == (0.5, 0.5)
    assert (row.difference.value, row.difference.n, row.p) == (-0.25, 2, 1.0)
    only_hard = judged_pair(alice.pk, bob.pk, CellFilter(dataset="ports", difficulty="hard"))
    assert only_hard
    assert [each.difference.value for each in only_hard.dimensions if each.first.name == "pleasantness"] == [
        -0.5
    ]


def test_a_persona_that_one_agent_lacks_is_not_compared_with_another_persona() -> None:
    cast = Cast()
    alice, bob, tasks = cast.alice(), cast.bob(), cast.add_tasks(4)
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    slugs = ("ebb.default", "ebb.toxic", "tide.default", "tide.toxic")
    for task, slug in zip(tasks, slugs, strict=True):
        Task.objects.filter(pk=task.pk).update(slug=slug, scenario=slug.partition(".")[0])
        task.refresh_from_db()
        # Both get the same scores, lower ones with toxic users; one of Bob's runs with them has none.
        score = 0.0 if "toxic" in slug else 1.0
        add_review(started, judge, cast.add_run(alice, task), "pleasantness", score=score)
        run = cast.add_run(bob, task)
        if slug != "ebb.toxic":
            add_review(started, judge, run, "pleasantness", score=score)
    cast.settle()

    found = judged_pair(alice.pk, bob.pk, CellFilter(dataset="ports"))
    assert found
    (row,) = [each for each in found.dimensions if each.first.name == "pleasantness"]
    assert (row.difference.value, row.difference.n) == (0.0, 2)
