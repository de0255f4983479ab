"""What this site paid for models, by model and day."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from runs.data.queries.visibility import ANONYMOUS
from runs.models import RecallProbe, Try
from runs.operations.monitoring.model_spending import JUDGES, RUNS, TASKS, spending
from tests.runs.cast import Cast, add_try
from tests.runs.panels import add_panel, add_pass, add_review
from tests.runs.work.generation.made_jobs import add_generation

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def cast() -> Cast:
    """Agents with and without prices."""
    return Cast()


def test_tries_and_reviews_are_summed_by_model_and_day_of_this_month_and_the_last(
    cast: Cast, admin_user: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    run = cast.add_run(alice, task)
    moments = ("2026-03-10T01:00Z", "2026-03-10T09:00Z", "2026-02-01T00:00Z", "2026-01-31T23:59Z")
    for number, (moment, dollars) in enumerate(zip(moments, (0.5, 0.25, 2.0, 64.0), strict=True), 1):
        made = add_try(run, number, Try.State.FAILED, spent_usd=dollars)
        Try.objects.filter(pk=made.pk).update(started_at=moment)
    judge = add_panel(cast.add_model("Portia", input_price=1.0, output_price=1.0))
    add_review(add_pass(judge), judge, run, spent_usd=0.125, finished_at="2026-03-02T10:00Z")

    with django_assert_num_queries(10):
        found = spending(admin_user, NOW)

    first, second = found.models
    assert (first.model, second.model) == (alice.model, judge.model)
    assert dict(first.days) == {date(2026, 3, 10): 0.75, date(2026, 2, 1): 2.0}
    assert (dict(first.uses), dict(second.uses)) == ({RUNS: 2.75}, {JUDGES: 0.125})
    assert (found.this_months, found.last_months, found.unknown) == (0.875, 2.0, 0)
    assert (found.month, found.last_month, len(found.days)) == (date(2026, 3, 1), date(2026, 2, 1), 38)


def test_an_unknown_cost_is_counted_and_is_not_zero(cast: Cast, admin_user: User) -> None:
    run = cast.add_run(cast.bob(), cast.add_tasks(1)[0])
    made = add_try(run, 1, Try.State.SETTLED, cost_unknown=True, doubtful_usd=0.5)
    Try.objects.filter(pk=made.pk).update(started_at=NOW)

    (only,) = spending(admin_user, NOW).models

    assert only.between(date(2026, 3, 1), date(2026, 3, 10)) is None
    assert (only.unknown, only.doubtful) == (1, 0.5)

    before = add_try(run, 2, Try.State.SETTLED, spent_usd=12.0)
    Try.objects.filter(pk=before.pk).update(started_at="2026-02-10T00:00Z")
    found = spending(admin_user, NOW)
    assert (found.this_months, found.last_months) == (None, 12.0)


def test_runs_of_hidden_datasets_cost_nothing_that_other_readers_see(cast: Cast, admin_user: User) -> None:
    run = cast.add_run(cast.alice(), cast.add_hidden_task())
    made = add_try(run, 1, Try.State.SETTLED, spent_usd=1.0)
    Try.objects.filter(pk=made.pk).update(started_at=NOW)
    assert spending(ANONYMOUS, NOW).models == ()
    assert spending(admin_user, NOW).this_months == 1.0


def test_generations_of_tasks_and_recall_probes_count_for_their_models_and_days(
    cast: Cast, admin_user: User
) -> None:
    model, (first, second) = cast.add_model("Bench"), cast.add_tasks(2)
    days = {"2026-03-09": [1.5, 0], "2026-03-10": [0.25, 2], "2026-01-31": [64.0, 0]}
    add_generation(cast.dataset, "harbour", model=model, counts={"kinds": [], "tasks": [], "spending": days})
    add_generation(cast.dataset, "quay", target="quay-more", model=model, counts={})
    for task, cost in ((first, 0.125), (second, None)):
        RecallProbe.objects.create(model=model, task=task, prompt="1", reason="No answer.", cost_usd=cost)
    RecallProbe.objects.update(asked_at=NOW, doubtful_usd=0.5)

    (only,) = spending(admin_user, NOW).models

    assert dict(only.days) == {date(2026, 3, 9): 1.5, date(2026, 3, 10): 0.375}
    assert (dict(only.uses), only.unknown, only.doubtful) == ({TASKS: 1.875}, 3, 1.0)
