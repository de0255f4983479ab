"""Rows of schedules and checks: what they refuse, and who sees them."""

from __future__ import annotations

import pytest
from django.db.models import ProtectedError

from runs.models import Delivery, RegressionCheck, RegressionFinding, Schedule
from runs.models.open_rows import without_hidden
from tasks.loading import hide
from tests.runs.cast import Cast
from tests.runs.judging.regression_checks.made_checks import add_regression
from tests.runs.judging.regression_checks.nights import FIRST

pytestmark = pytest.mark.django_db


def test_what_a_check_rests_on_is_not_deleted() -> None:
    cast = Cast()
    alice, tasks = cast.alice(), cast.add_tasks(1)
    check = add_regression(
        tasks, cast.evaluation, (cast.add_run(alice, tasks[0], 2), cast.add_run(alice, tasks[0]))
    )
    assert str(check) == "Night watch, 2026-03-01 02:00"
    with pytest.raises(ProtectedError):
        cast.evaluation.delete()
    check.schedule.delete()
    assert not RegressionFinding.objects.exists()


@pytest.mark.parametrize("place", ["tasks", "candidate", "anchor"])
def test_nothing_is_shown_of_a_check_that_has_anything_hidden(place: str) -> None:
    cast = Cast()
    alice, tasks, secret = cast.alice(), cast.add_tasks(1), cast.add_hidden_task()
    later, earlier = cast.add_evaluation("later", "Later"), cast.add_evaluation("earlier", "Earlier")
    runs = cast.add_run(alice, tasks[0], evaluation=later), cast.add_run(alice, tasks[0], evaluation=earlier)
    check = add_regression(tasks, later, runs)
    Delivery.objects.create(schedule=check.schedule, due_at=FIRST, channel="email", check_of=check)
    rows = (RegressionCheck.objects, RegressionFinding.objects, Delivery.objects)
    assert [without_hidden(each.all()).count() for each in rows] == [1, 4, 1]

    if place == "tasks":
        check.schedule.tasks.add(secret)
    else:
        cast.add_run(alice, secret, evaluation=later if place == "candidate" else earlier)

    assert [without_hidden(each.all()).count() for each in rows] == [0, 0, 0]
    assert without_hidden(Schedule.objects.all()).exists() is (place != "tasks")
    hide(secret.repository.dataset, hidden=False)
    assert [without_hidden(each.all()).count() for each in rows] == [1, 4, 1]


def test_a_refused_check_is_not_the_first_one() -> None:
    schedule = Schedule.objects.create(title="Watch", agent=Cast().idler())
    check = RegressionCheck(schedule=schedule, due_at=FIRST, verdict="not comparable")
    assert not check.is_first
