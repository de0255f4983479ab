"""How the runs of an agent, or at a task, went."""

from __future__ import annotations

import pytest

from runs.analysis.estimate import Estimate, Exclusion
from runs.data.run_facts import behaviour_summary
from runs.data.run_facts.behaviour_summary import summary_at_task, summary_of_agent
from runs.models import Evaluation, Run
from tests.runs.cast import Cast
from tests.runs.data.run_facts.counted import count

pytestmark = pytest.mark.django_db

READ, EDIT = "read_file", "edit_file"


def test_the_runs_of_an_agent_are_summed_up() -> None:
    cast = Cast()
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    first, second, third = cast.add_cell(alice, task, [5, 0, 0])
    uncounted = cast.add_run(alice, task, 4, act_seconds=120.0)
    count(first, READ, EDIT)
    count(second, READ, READ, signs={"thrashing": (1,), "context_loss": (2,)})
    count(third, EDIT, signs={"thrashing": (1,)})

    found = summary_of_agent(alice)

    assert (found.runs, found.failed) == (4, 2)
    # The most frequent mode first: both failed runs thrash, one loses context.
    assert [(mode.mode.slug, mode.runs, mode.prevalence.value) for mode in found.modes] == [
        ("thrashing", 2, 1.0),
        ("context_loss", 1, 0.5),
    ]
    assert (found.explained.value, found.explained.n) == (1.0, 2)
    # Three of five calls read; none failed.
    assert [(use.row.tool, use.of_calls, use.failed) for use in found.uses] == [
        (READ, Estimate(0.6, 5), Estimate(0.0, 3)),
        (EDIT, Estimate(0.4, 5), Estimate(0.0, 2)),
    ]
    # 60 s each, and once 120 s; 1,000 tokens each.
    assert (found.seconds.mean, found.seconds.median) == (Estimate(75.0, 4), Estimate(60.0, 4))
    assert found.tokens.mean == Estimate(1000.0, 4)
    assert found.uncounted == (
        Exclusion("the trajectory was not counted, or could not be read", (uncounted.pk,)),
    )


def test_only_settled_listed_runs_count() -> None:
    cast = Cast()
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    cast.add_run(alice, task)
    cast.add_run(alice, task, 2, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    cast.add_run(alice, task, 3, state=Run.State.RUNNING, outcome="")
    assert (summary_of_agent(alice).runs, summary_at_task(task).runs) == (1, 1)
    Evaluation.objects.update(listed=False)
    assert (summary_of_agent(alice).runs, summary_at_task(task).runs) == (0, 0)


def test_at_a_task_only_competing_agents_count() -> None:
    cast = Cast()
    first, second = cast.add_tasks(2)
    alice, oracle = cast.alice(), cast.oracle()
    cast.add_cell(alice, first, [5, 0])
    cast.add_run(cast.bob(), first)
    cast.add_run(alice, second)
    cast.add_run(oracle, first)
    assert summary_at_task(first).runs == 3
    assert summary_of_agent(oracle).runs == 1


def test_an_agent_without_a_model_has_no_tokens_rather_than_zero() -> None:
    cast = Cast()
    oracle, (task,) = cast.oracle(), cast.add_tasks(1)
    cast.add_run(oracle, task)
    found = summary_of_agent(oracle)
    assert found.tokens.mean == Estimate.unknown("no run has tokens")
    assert found.seconds.mean == Estimate(60.0, 1)


def test_without_runs_all_is_undefined() -> None:
    found = summary_of_agent(Cast().alice())
    assert (found.runs, found.failed, found.modes, found.tools, found.uses) == (0, 0, (), None, ())
    assert found.seconds.mean == Estimate.unknown("no run has a duration")
    assert found.explained.value is None


def test_of_many_runs_the_latest_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behaviour_summary, "MAX_RUNS", 2)
    cast = Cast()
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    for attempt, seconds in enumerate((900.0, 20.0, 40.0), 1):
        cast.add_run(alice, task, attempt, act_seconds=seconds)
    found = summary_of_agent(alice)
    assert (found.runs, found.seconds.mean) == (2, Estimate(30.0, 2))
