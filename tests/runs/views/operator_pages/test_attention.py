"""What needs an operator: each concern with its reason, and a link to what helps."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from harness.errors import CANCELLED_BY_OPERATOR
from runs.models import JudgeReview, JudgingPass, RegressionCheck, Run, Schedule, Submission, Try, Upload
from runs.views.operator_pages import attention
from runs.views.operator_pages.attention import RECENT, Concern, concerns
from tests.runs.cast import Cast, add_try
from tests.runs.panels import add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db

LOST: dict[str, Any] = {"outcome": Run.Outcome.INFRASTRUCTURE_FAILED, "failure": "image build"}


@pytest.fixture(autouse=True)
def healthy(monkeypatch: pytest.MonkeyPatch) -> None:
    """All parts of the site work, and the disk is empty."""
    monkeypatch.setattr(attention, "problems", lambda: ())
    monkeypatch.setattr(attention, "free_bytes", lambda: 10**12)


def only(admin_user: User) -> Concern:
    """The one concern that there is."""
    (found,) = concerns(admin_user)
    return found


def test_nothing_needs_attention_on_a_healthy_site(cast: Cast, admin_user: User) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    assert concerns(admin_user) == ()


def test_runs_without_a_verdict_can_be_retried(cast: Cast, admin_user: User) -> None:
    task, other = cast.add_tasks(2)
    alice = cast.alice()
    for place in (task, other):
        cast.add_run(alice, place, **LOST)
    found = only(admin_user)
    assert found.what == "2 runs have no verdict in Spring tide."
    assert found.why == "Every try failed, because of: image build."
    assert (found.act, found.address) == ("Retry 2 runs…", f"/evaluations/{cast.evaluation.pk}/retry/")
    Run.objects.update(finished_at=timezone.now() - RECENT - timedelta(days=1))
    assert concerns(admin_user) == ()


def test_a_model_that_does_not_answer_stops_work_until_a_later_try_succeeds(
    cast: Cast, admin_user: User
) -> None:
    alice = cast.alice()
    run = cast.add_run(alice, cast.add_tasks(1)[0])
    for number in (1, 2):
        add_try(run, number, Try.State.FAILED, "Analytical: 401 Unauthorized", failure="model")
    found = only(admin_user)
    assert (found.what, found.stops) == ("Analytical does not answer: 2 tries failed.", True)
    assert found.why == "Analytical: 401 Unauthorized"
    assert alice.model is not None
    assert found.address == f"/operate/models/{alice.model.pk}/"
    add_try(run, 3, Try.State.SETTLED)
    assert concerns(admin_user) == ()
    add_try(run, 4, Try.State.FAILED, "Analytical: 503 Overloaded", failure="model")
    found = only(admin_user)
    assert (found.what, found.why) == (
        "Analytical does not answer: 1 try failed.",
        "Analytical: 503 Overloaded",
    )


def test_tries_that_fail_in_a_running_evaluation_are_counted_with_the_last_reason(
    cast: Cast, admin_user: User
) -> None:
    running = cast.add_evaluation("neap", "Neap", state="running")
    queued: dict[str, Any] = {"state": Run.State.QUEUED, "outcome": "", "ending": "", "evaluation": running}
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], **queued)
    for number, reason in enumerate(("the image is gone", "no sign of life"), 1):
        add_try(run, number, Try.State.LOST, reason, failure="worker")
    found = only(admin_user)
    assert (found.what, found.why) == ("2 tries of Neap failed.", "The last one: no sign of life")
    assert found.address == f"/evaluations/{running.pk}/#failures"
    running.state = "finished"
    running.save()
    assert concerns(admin_user) == ()


def test_budgets_that_ended_early_are_named_and_cancellations_by_operators_are_not(
    cast: Cast, admin_user: User
) -> None:
    evaluation = cast.add_evaluation("neap", "Neap", budget_usd=1.0, finished_at=timezone.now())
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    gone: dict[str, Any] = {"state": Run.State.CANCELLED, "outcome": "", "evaluation": evaluation}
    cast.add_run(alice, task, 1, detail=CANCELLED_BY_OPERATOR, **gone)
    assert concerns(admin_user) == ()
    cast.add_run(alice, task, 2, detail="The budget of $1.00 is used up.", **gone)
    found = only(admin_user)
    assert found.what == "1 run was cancelled because of the budget of Neap."
    assert found.why == "The budget of $1.00 is used up."
    assert found.address == f"/evaluations/start/?from={evaluation.pk}"


def test_the_reason_is_the_most_frequent_one_and_of_equal_ones_the_newest(
    cast: Cast, admin_user: User
) -> None:
    neap = cast.add_evaluation("neap", "Neap", budget_usd=1.0, finished_at=timezone.now())
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    gone: dict[str, Any] = {"state": Run.State.CANCELLED, "outcome": "", "evaluation": neap}
    for attempt, reason in enumerate(("Zero dollars are left.", "A call has no price.", "All is spent."), 1):
        cast.add_run(alice, task, attempt, detail=reason, **gone)
    assert only(admin_user).why == "All is spent."
    cast.add_run(alice, task, 4, detail="A call has no price.", **gone)
    found = only(admin_user)
    assert (found.what, found.why) == (
        "4 runs were cancelled because of the budget of Neap.",
        "A call has no price.",
    )


def test_a_judging_pass_without_money_is_named(cast: Cast, admin_user: User) -> None:
    judge = add_panel(cast.add_model("Portia"))
    judging_pass = add_pass(judge)
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    add_review(judging_pass, judge, run, state=JudgeReview.State.UNPAID, score=None, reason="No money.")
    found = only(admin_user)
    assert found.what == "The budget of Night watch ended before 1 review."
    assert found.address == f"/judging/{judging_pass.pk}/"


def test_a_panel_that_could_not_begin_is_named_until_judges_review_the_evaluation(
    cast: Cast, admin_user: User
) -> None:
    refused = {"judging_refused": "The prompts have changed.", "finished_at": timezone.now()}
    neap = cast.add_evaluation("neap", "Neap", **refused)
    ebb = cast.add_evaluation("ebb", "Ebb", state="cancelled", **refused)
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    for evaluation in (neap, ebb):
        cast.add_run(alice, task, evaluation=evaluation)
    found = only(admin_user)
    assert (found.what, found.why) == ("Judges did not review Neap.", "The prompts have changed.")
    assert (found.act, found.address) == ("Choose a panel", f"/evaluations/{neap.pk}/judge/")
    started = add_pass(add_panel(cast.add_model("Portia")))
    JudgingPass.objects.filter(pk=started.pk).update(evaluation=neap)
    assert concerns(admin_user) == ()


def test_a_panel_is_not_asked_for_where_no_run_can_be_judged(cast: Cast, admin_user: User) -> None:
    refused = {"judging_refused": "No run can be judged.", "finished_at": timezone.now()}
    neap = cast.add_evaluation("neap", "Neap", **refused)
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], evaluation=neap, state=Run.State.CANCELLED, outcome="")
    assert concerns(admin_user) == ()


def test_what_others_sent_waits_for_a_decision(cast: Cast, admin_user: User) -> None:
    for number in range(2):
        Upload.objects.create(
            purpose="trajectories", name=f"{number}.zip", size=1, digest="d", state=Upload.State.CHECKED
        )
    one = Submission.objects.create(dataset=cast.dataset, sender="The Lab")
    uploads, submissions = concerns(admin_user)
    assert (uploads.what, uploads.address) == ("2 uploads wait for a decision.", "/uploads/")
    assert (submissions.what, submissions.address) == (
        "1 submission waits for a decision.",
        f"/submissions/{one.pk}/",
    )


def test_a_regression_is_named_with_its_schedule(cast: Cast, admin_user: User) -> None:
    schedule = Schedule.objects.create(title="Nightly", agent=cast.alice(), attempts=1)
    check = RegressionCheck.objects.create(
        schedule=schedule, due_at=timezone.now(), verdict="regression", reason="Two tasks fewer."
    )
    found = only(admin_user)
    assert (found.what, found.why) == ("Nightly became worse.", "Two tasks fewer.")
    assert found.address == f"/regressions/{check.pk}/"


def test_parts_that_are_down_come_first_and_a_disk_that_fills_is_named(
    cast: Cast, admin_user: User, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.MIN_FREE_MB = 256
    monkeypatch.setattr(attention, "free_bytes", lambda: 10**9)
    monkeypatch.setattr(
        attention, "problems", lambda: ("No worker is running: queued runs wait until one starts.",)
    )
    down, disk = concerns(admin_user)
    assert (down.what, down.why, down.stops) == (
        "No worker is running.",
        "Queued runs wait until one starts.",
        True,
    )
    assert disk.what == "Only 1.0\u00a0GB are free for runs."
    assert not disk.stops


def test_judges_that_agree_too_little_are_named_with_their_alpha(
    cast: Cast, admin_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = cast.add_tasks(4)
    alice = cast.alice()
    first = add_panel(cast.add_model("Portia"))
    second = add_panel(cast.add_model("Balthazar"), "other-panel")
    second.name = "Balthazar"
    second.save()
    for number, task in enumerate(tasks):
        run = cast.add_run(alice, task)
        score = (0.0, 1.0)[number % 2]
        add_review(add_pass(first, f"a{number}"), first, run, score=score)
        add_review(add_pass(second, f"b{number}"), second, run, score=1.0 - score)
    found = only(admin_user)
    assert found.what == "Judges disagree in 1 dimension."
    assert "n 4" in found.why
    assert found.address == "/judges/"
