"""Starting, cancelling and finishing judging passes."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from rq import Queue

from runs.jobs import queue
from runs.jobs.job_kinds import REVIEW, REVIEWS
from runs.judging.reviews import judging_passes
from runs.judging.reviews.judging_passes import (
    PassRefused,
    cancel_pass,
    finish_pass,
    judged_runs,
    retry_failed,
    start_chosen_pass,
    start_pass,
    waiting_reviews,
)
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.judging.reviews.settling_reviews import PassSweep
from runs.models import AuditEntry, Evaluation, JudgeReview, JudgingPass, LanguageModel, Panel, Run
from runs.operations.evaluations.lifecycle import cancel_evaluation
from tests.conftest import RedisServer
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db(transaction=True)
State = JudgeReview.State


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def panel(cast: Cast) -> Panel:
    """Two dimensions, one judge, two samples."""
    return create_panel(
        slug="two",
        title="Two",
        dimensions=["pitfalls", "tool_calls"],
        judges=[NewJudge("Portia", cast.add_model("Bench"))],
        samples=2,
    )


@pytest.fixture
def run(cast: Cast) -> Run:
    """A run with a verdict and a directory."""
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0], directory="a/try-1")


def start(panel: Panel, runs: list[Run], **more: Any) -> JudgingPass:
    values = {"title": "Night watch", "budget_usd": None, **more}
    return start_pass(panel=panel, runs=runs, **values)


def states(started: JudgingPass) -> set[str]:
    return set(started.reviews.values_list("state", flat=True))


def test_a_pass_has_a_review_for_each_run_judge_dimension_and_sample(panel: Panel, run: Run) -> None:
    started = start(panel, [run])

    assert sorted(started.reviews.values_list("dimension", "sample")) == [
        ("pitfalls", 1),
        ("pitfalls", 2),
        ("tool_calls", 1),
        ("tool_calls", 2),
    ]
    assert states(started) == {State.QUEUED}


@pytest.mark.redis
def test_all_reviews_of_a_run_by_one_judge_are_one_job(redis: RedisServer, panel: Panel, run: Run) -> None:
    started = start(panel, [run])

    waiting = Queue(REVIEWS, connection=queue.connection()).get_job_ids()

    judge = panel.judges.get()
    assert waiting == [f"review-{started.pk}-{run.pk}-{judge.pk}-0"]
    assert queue.enqueue(REVIEW, waiting_reviews()) == 0


def test_the_same_form_sent_twice_starts_one_pass(panel: Panel, run: Run) -> None:
    assert start(panel, [run], mark="0123abcd") == start(panel, [run], mark="0123abcd")
    assert JudgingPass.objects.count() == 1


def test_of_two_presses_at_the_same_moment_one_starts_a_pass(
    panel: Panel, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[JudgingPass] = []
    check = judging_passes._store

    def other_press_first(*given: Any, **more: Any) -> None:
        monkeypatch.setattr(judging_passes, "_store", check)
        found.append(start(panel, [run], mark="0123abcd"))
        check(*given, **more)

    monkeypatch.setattr(judging_passes, "_store", other_press_first)
    assert start(panel, [run], mark="0123abcd") == found[0]
    assert (JudgingPass.objects.count(), JudgeReview.objects.count()) == (1, 4)


def test_without_a_price_there_is_no_budget(panel: Panel, run: Run) -> None:
    with pytest.raises(PassRefused, match="The price of Bench is unknown"):
        start(panel, [run], budget_usd=1.0)
    LanguageModel.objects.filter(name="Bench").update(input_price=0, output_price=0)
    assert start(panel, [run], budget_usd=1.0).budget_usd == 1.0


def test_runs_without_a_verdict_or_a_directory_are_not_judged(cast: Cast) -> None:
    alice, tasks = cast.alice(), cast.add_tasks(4)
    judged = cast.add_run(alice, tasks[0], directory="a")
    cast.add_run(alice, tasks[1], directory="b", outcome="infrastructure_failed")
    cast.add_run(alice, tasks[2], directory="c", state="running", outcome="")
    cast.add_run(alice, tasks[3], directory="")

    assert list(judged_runs(Run.objects.all())) == [judged]


def test_it_is_refused_with_the_reason(panel: Panel, run: Run) -> None:
    with pytest.raises(PassRefused, match="No run can be judged"):
        start(panel, [])
    with pytest.raises(PassRefused, match="budget must be more than 0"):
        start(panel, [run], budget_usd=0.0)
    panel.digest = "old"
    with pytest.raises(PassRefused, match="The prompts of the panel Two have changed"):
        start(panel, [run])
    panel.dimensions = ["charm"]
    with pytest.raises(PassRefused, match="no dimension is called 'charm'"):
        start(panel, [run])
    assert not JudgingPass.objects.exists()


def test_cancelling_ends_queued_reviews_and_is_recorded_once(panel: Panel, run: Run) -> None:
    started = start(panel, [run])
    started.reviews.filter(dimension="pitfalls").update(state=State.DONE, score=1)

    assert (cancel_pass(started), cancel_pass(started)) == (2, 0)

    assert states(started) == {State.DONE, State.CANCELLED}
    assert started.state == JudgingPass.State.CANCELLED
    assert AuditEntry.objects.filter(act=AuditEntry.Act.CANCELLED).count() == 1


def test_it_finishes_with_its_last_review(panel: Panel, run: Run) -> None:
    started = start(panel, [run])
    last = started.reviews.get(dimension="pitfalls", sample=2)
    started.reviews.exclude(pk=last.pk).update(state=State.DONE, score=1)
    finish(started)
    assert started.state == JudgingPass.State.RUNNING

    started.reviews.filter(pk=last.pk).update(state=State.MALFORMED)
    finish(started)
    assert started.state == JudgingPass.State.FINISHED
    assert started.finished_at is not None


def finish(started: JudgingPass) -> None:
    with transaction.atomic():
        finish_pass(started.pk)
    started.refresh_from_db()


def test_reviews_that_failed_were_not_paid_or_cancelled_are_queued_again(panel: Panel, run: Run) -> None:
    started = start(panel, [run])
    first, *others = started.reviews.all()
    first.state, first.score = State.DONE, 1
    first.save()
    for review, state in zip(others, (State.FAILED, State.UNPAID, State.MALFORMED), strict=True):
        review.state, review.failures = state, 3
        review.save()
    finish(started)

    assert retry_failed(started) == 2

    assert started.state == JudgingPass.State.RUNNING
    assert states(started) == {State.DONE, State.QUEUED, State.MALFORMED}


def test_batches_that_a_worker_reviews_do_not_wait(panel: Panel, run: Run) -> None:
    started = start(panel, [run])
    judge = panel.judges.get()
    assert waiting_reviews() == [(started.pk, run.pk, judge.pk, 0)]

    review = started.reviews.first()
    assert review
    JudgeReview.objects.filter(pk=review.pk).update(state=State.RUNNING, tries=1)
    assert waiting_reviews() == []

    JudgeReview.objects.filter(pk=review.pk).update(state=State.QUEUED)
    assert waiting_reviews() == [(started.pk, run.pk, judge.pk, 1)]


def test_a_panel_that_was_chosen_at_the_start_judges_once_when_the_evaluation_has_ended(
    admin_client: Client, cast: Cast, panel: Panel, run: Run
) -> None:
    evaluation = cast.evaluation
    Evaluation.objects.filter(pk=evaluation.pk).update(
        panel_when_finished=panel, judging_budget_usd=None, state=Evaluation.State.RUNNING
    )
    PassSweep().take_steps(alone=True)
    assert not JudgingPass.objects.exists()
    Evaluation.objects.filter(pk=evaluation.pk).update(state=Evaluation.State.FINISHED)
    for _ in range(2):
        PassSweep().take_steps(alone=True)
    made = JudgingPass.objects.get()
    assert (made.title, made.panel, made.evaluation) == ("Reviews of Spring tide", panel, evaluation)
    assert {review.run for review in made.reviews.all()} == {run}
    start_chosen_pass(evaluation.pk)
    assert JudgingPass.objects.count() == 1
    page = admin_client.get(evaluation.get_absolute_url()).content.decode()
    assert f'<a href="{made.get_absolute_url()}">Reviews of Spring tide</a>, running' in page


def test_a_chosen_panel_waits_for_the_retry_of_runs_that_the_infrastructure_failed(
    cast: Cast, panel: Panel
) -> None:
    lost = cast.add_run(
        cast.alice(), cast.add_tasks(1)[0], outcome=Run.Outcome.INFRASTRUCTURE_FAILED, ending="agent_error"
    )
    Evaluation.objects.filter(pk=cast.evaluation.pk).update(
        panel_when_finished=panel, state=Evaluation.State.FINISHED
    )
    PassSweep().take_steps(alone=True)
    cast.evaluation.refresh_from_db()
    assert (cast.evaluation.panel_when_finished, cast.evaluation.judging_refused) == (panel, "")

    Run.objects.filter(pk=lost.pk).update(outcome=Run.Outcome.RESOLVED)
    PassSweep().take_steps(alone=True)
    assert {review.run for review in JudgingPass.objects.get().reviews.all()} == {lost}


def test_an_evaluation_says_why_the_chosen_panel_did_not_judge_and_a_cancelled_one_is_not_judged(
    cast: Cast, panel: Panel
) -> None:
    Evaluation.objects.filter(pk=cast.evaluation.pk).update(
        panel_when_finished=panel, state=Evaluation.State.FINISHED
    )
    PassSweep().take_steps(alone=True)
    cast.evaluation.refresh_from_db()
    assert cast.evaluation.judging_refused.startswith("No run can be judged")
    neap = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING, panel_when_finished=panel)
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], evaluation=neap)
    cancel_evaluation(neap)
    assert neap.judging_refused == "The evaluation was cancelled."
    PassSweep().take_steps(alone=True)
    assert not JudgingPass.objects.exists()


def test_cancelling_an_evaluation_that_has_finished_leaves_its_chosen_panel_as_it_is(
    cast: Cast, panel: Panel
) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    refused = cast.add_evaluation("neap", "Neap", panel_when_finished=panel, judging_refused="No money.")
    Evaluation.objects.filter(pk=cast.evaluation.pk).update(
        panel_when_finished=panel, state=Evaluation.State.FINISHED
    )

    assert cancel_evaluation(cast.evaluation) == 0
    assert cancel_evaluation(refused) == 0

    assert (cast.evaluation.state, cast.evaluation.judging_refused) == ("finished", "")
    assert (refused.state, refused.judging_refused) == ("finished", "No money.")
    PassSweep().take_steps(alone=True)
    assert {review.run for review in JudgingPass.objects.get().reviews.all()} == {run}
