"""Which resolved run of a task is closest to a run."""

from __future__ import annotations

import pytest

from runs.data.queries.closest_run import closest_resolved_run
from runs.data.queries.visibility import ANONYMOUS
from runs.models import Agent, Run
from tasks.models import Dataset
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_the_agent_that_is_most_alike_comes_first_and_calibration_last(cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    alice = cast.alice()
    failed = cast.add_run(alice, task, passed=2)
    cast.add_run(alice, task, 2, passed=4)  # it did not resolve the task either
    kin = cast.add_agent("Twin", "command", alice.model)
    strangers = [cast.oracle(), cast.add_agent("Reported", "reported"), cast.add_agent("Carol"), kin, alice]
    found: list[str] = []
    for attempt, agent in enumerate(strangers, 3):
        run = cast.add_run(agent, task, attempt)
        closest = closest_resolved_run(failed, ANONYMOUS)
        assert closest
        assert closest.run == run
        found.append(f"{agent.name}: {closest.alike}")

    assert found == [
        "Oracle: a calibration agent",
        "Reported: another agent",
        "Carol: the same harness",
        "Twin: the same model",
        "Alice: the same agent",
    ]


def test_a_run_that_can_be_replayed_comes_before_one_that_cannot(cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    bob = cast.add_agent("Bob", "reported")
    failed = cast.add_run(cast.alice(), task, passed=2)
    here = cast.add_run(bob, task, 1)
    cast.add_run(bob, task, 2, directory="")

    assert closest_resolved_run(failed, ANONYMOUS) == (here, "another agent")


def test_there_is_none_of_another_task_nor_the_run_itself_nor_a_hidden_one(cast: Cast) -> None:
    one, other = cast.add_tasks(2)
    run = cast.add_run(cast.alice(), one)
    cast.add_run(cast.bob(), other)
    assert closest_resolved_run(run, ANONYMOUS) is None

    cast.add_run(Agent.objects.get(slug="bob"), one)
    Dataset.objects.update(hidden=True)
    assert closest_resolved_run(Run.objects.get(pk=run.pk), ANONYMOUS) is None
