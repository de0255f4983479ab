"""Why tries failed, and why runs were cancelled."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from runs.data.queries.visibility import ANONYMOUS
from runs.models import Run, Try
from runs.work.progress.failure_reasons import REASONS, Failure, cancellations_of, failures_of
from tests.runs.cast import Cast, add_try

pytestmark = pytest.mark.django_db

QUEUED: dict[str, Any] = {"state": Run.State.QUEUED, "outcome": "", "ending": ""}
FAILED: dict[str, Any] = {"outcome": Run.Outcome.INFRASTRUCTURE_FAILED}


def test_reasons_are_counted_with_the_attempts_that_they_ended(cast: Cast) -> None:
    agent, task = cast.alice(), cast.add_tasks(1)[0]
    over = cast.add_run(agent, task, 1, tries=2, **FAILED)
    waits = cast.add_run(agent, task, 2, **QUEUED)
    add_try(over, 1, Try.State.FAILED, "no image", failure="image build")
    add_try(over, 2, Try.State.FAILED, "no image", failure="image build")
    add_try(waits, 1, Try.State.LOST, "no sign of life")
    add_try(waits, 2, Try.State.HANDED_BACK, "the worker had to stop")
    add_try(waits, 3, Try.State.LIVE)

    assert failures_of(cast.evaluation, ANONYMOUS) == (
        Failure("image build", "no image", count=2, final=1),
        Failure("infrastructure", "no sign of life", count=1, final=0),
    )


def test_tries_of_other_evaluations_do_not_count(cast: Cast) -> None:
    other = cast.add_evaluation("neap", "Neap")
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], evaluation=other, **FAILED)
    add_try(run, 1, Try.State.FAILED, "no image")
    assert failures_of(cast.evaluation, ANONYMOUS) == ()


def test_reasons_of_hidden_tasks_are_for_operators(cast: Cast, admin_user: User) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], **FAILED)
    add_try(run, 1, Try.State.FAILED, "no image")
    cast.dataset.hidden = True
    cast.dataset.save()
    assert failures_of(cast.evaluation, ANONYMOUS) == ()
    assert failures_of(cast.evaluation, admin_user) == (Failure("infrastructure", "no image", 1, 1),)


def test_only_the_most_frequent_reasons_are_listed(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], **QUEUED)
    for number in range(1, REASONS + 2):
        add_try(run, number, Try.State.FAILED, f"reason {number:02}")
    add_try(run, REASONS + 2, Try.State.FAILED, f"reason {REASONS + 1}")
    found = failures_of(cast.evaluation, ANONYMOUS)
    assert [one.reason for one in found] == ["reason 21", *(f"reason {number:02}" for number in range(1, 20))]


def test_cancellations_are_counted_by_reason(cast: Cast) -> None:
    agent, task = cast.alice(), cast.add_tasks(1)[0]
    gone: dict[str, Any] = {"state": Run.State.CANCELLED, "outcome": ""}
    for attempt, detail in enumerate(("", "no budget", "by hand", "no budget"), 1):
        cast.add_run(agent, task, attempt, detail=detail, **gone)
    cast.add_run(agent, task, 5, detail="done")
    assert cancellations_of(Run.objects.all()) == (
        ("no budget", 2),
        ("No reason is known.", 1),
        ("by hand", 1),
    )
