"""The reviews of one run."""

from __future__ import annotations

import pytest
from django.utils import timezone

from runs.judging.reviews.run_reviews import quotes_at, reviews_of, reviews_version
from runs.models import JudgeReview, PanelJudge, ReviewEvidence, Run
from tests.runs.cast import Cast
from tests.runs.panels import add_evidence, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db
State = JudgeReview.State


@pytest.fixture
def run() -> Run:
    cast = Cast()
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0], tries=2)


@pytest.fixture
def judge(run: Run) -> PanelJudge:
    assert run.agent.model
    return add_panel(run.agent.model)


def test_they_are_sorted_by_dimension_with_their_evidence(run: Run, judge: PanelJudge) -> None:
    started = add_pass(judge)
    tools = add_review(started, judge, run, "tool_calls")
    result = add_review(started, judge, run, "end_result", state=State.MALFORMED, score=None)
    add_evidence(tools, 2, status=ReviewEvidence.Status.UNVERIFIED, found_step=None)
    add_evidence(tools, 1)

    found = reviews_of(run)

    assert [(each.title, each.review.pk, each.struck) for each in found] == [
        ("End result", result.pk, 0),
        ("Tool calls", tools.pk, 1),
    ]
    assert [line.place for line in found[1].evidence] == [1, 2]
    assert [(each.review.pk, line.place) for each, line in quotes_at(found, 2)] == [(tools.pk, 1)]
    assert quotes_at(found, 3) == []


def test_a_review_that_two_passes_share_is_shown_once(run: Run, judge: PanelJudge) -> None:
    add_review(add_pass(judge), judge, run, key="a" * 32)
    newer = add_review(add_pass(judge, "second"), judge, run, key="a" * 32)
    assert [each.review for each in reviews_of(run)] == [newer]


def test_open_cancelled_and_outdated_reviews_are_left_out(run: Run, judge: PanelJudge) -> None:
    started = add_pass(judge)
    add_review(started, judge, run, "end_result", state=State.QUEUED, score=None)
    add_review(started, judge, run, "tool_calls", state=State.CANCELLED, score=None)
    add_review(started, judge, run, "pitfalls", run_try=1)
    assert reviews_of(run) == []


def test_the_version_changes_with_a_review(run: Run, judge: PanelJudge) -> None:
    assert reviews_version(run)[0] == 0
    review = add_review(add_pass(judge), judge, run)
    first = reviews_version(run)
    assert first[0] == 1
    review.finished_at = timezone.now()
    review.save()
    assert reviews_version(run) != first
