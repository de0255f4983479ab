"""Signs of trouble in one run."""

from __future__ import annotations

import json

import pytest

from runs.analysis import behaviour
from runs.analysis.facts import Behaviour, Exploit, Signs
from runs.analysis.failures.modes import MODES
from runs.models import Counts, Run
from runs.views.replay_pages.trouble_signs import Sign, SignsView, signs_of
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(cast: Cast) -> Run:
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0])


def count(run: Run, **fields: object) -> None:
    """Stores the counts of the run's trajectory."""
    found = behaviour.to_json(Behaviour(labels="ppp", **fields))  # type: ignore[arg-type]
    Counts.objects.create(run=run, version=behaviour.VERSION, behaviour=json.dumps(found))


def test_signs_are_found_undecided_or_absent(run: Run) -> None:
    first, second, third = MODES[:3]
    signs = Signs({third.slug: (), first.slug: tuple(range(1, 15))}, {second.slug: "no  reference\npatch"})
    count(run, signs=signs, features={"first_correct_edit": 4.0})

    found = signs_of(run)

    assert found == SignsView(
        found=(Sign(first, tuple(range(1, 13)), more=2), Sign(third, (), more=0)),
        undecided=((second, "no reference patch"),),
        absent=len(MODES) - 3,
        right_file=4,
    )
    assert [one.count for one in found.found] == [14, 0]


def test_exploits_stand_beside_the_signs(run: Run) -> None:
    count(run, exploits={"network": Exploit("attempt", (3,))})
    found = signs_of(run)
    assert found is not None
    assert [(one.pattern.slug, one.strength, one.steps) for one in found.exploits] == [
        ("network", "attempt", (3,))
    ]


def test_an_uncounted_run_has_a_reason(run: Run) -> None:
    assert signs_of(run) == SignsView(reason="its trajectory has not been counted yet")


def test_without_the_right_file_there_is_no_iteration(run: Run) -> None:
    count(run)
    found = signs_of(run)
    assert found is not None
    assert (found.right_file, found.absent, found.reason) == (None, len(MODES), "")


def test_a_run_without_a_verdict_has_no_signs(cast: Cast) -> None:
    lost = cast.add_run(cast.alice(), cast.add_tasks(1)[0], outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    assert signs_of(lost) is None
