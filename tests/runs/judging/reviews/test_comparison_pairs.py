"""Runs are compared if they are attempts with the same number at the same task."""

from __future__ import annotations

import pytest

from runs.judging.reviews.comparison_pairs import agent_pairs, evaluation_pairs, runs_of
from runs.models import Run
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_agents_are_paired_by_task_and_attempt() -> None:
    cast = Cast()
    alice, bob, (tide, ebb, flood) = cast.alice(), cast.bob(), cast.add_tasks(3)
    pairs = [(cast.add_run(alice, tide, 1), cast.add_run(bob, tide, 1))]
    pairs.append((cast.add_run(alice, tide, 2), cast.add_run(bob, tide, 2)))
    cast.add_run(alice, ebb)
    cast.add_run(alice, flood)
    cast.add_run(bob, flood, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)

    found = agent_pairs(alice, bob, Run.objects.all())

    assert found == pairs
    assert runs_of(found) == [run for pair in pairs for run in pair]


def test_the_latest_run_of_an_attempt_counts() -> None:
    cast = Cast()
    alice, bob, (tide,) = cast.alice(), cast.bob(), cast.add_tasks(1)
    cast.add_run(alice, tide)
    theirs = cast.add_run(bob, tide)
    later = cast.add_run(alice, tide, evaluation=cast.add_evaluation("neap-tide", "Neap tide"))

    assert agent_pairs(alice, bob, Run.objects.all()) == [(later, theirs)]
    assert agent_pairs(alice, alice, Run.objects.all()) == []


def test_evaluations_of_one_agent_each_are_paired_and_others_by_agent() -> None:
    cast = Cast()
    alice, bob, (tide,) = cast.alice(), cast.bob(), cast.add_tasks(1)
    later = cast.add_evaluation("neap-tide", "Neap tide")
    one, two = cast.add_run(alice, tide), cast.add_run(bob, tide, evaluation=later)
    assert evaluation_pairs(cast.evaluation, later, Run.objects.all()) == [(one, two)]

    again = cast.add_run(bob, tide)
    assert evaluation_pairs(cast.evaluation, later, Run.objects.all()) == [(again, two)]
