"""The scores of judges for the counted runs of a dataset."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.data.queries.filters import CellFilter
from runs.data.run_facts.judged_scores import (
    quality_by_agent,
    runs_with_reasons,
    scored_runs,
)
from runs.models import JudgeReview
from tests.runs.cast import Cast
from tests.runs.panels import DIMENSIONS, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db
PORTS = CellFilter(dataset="ports")


def test_judges_and_samples_are_averaged_and_equal_reviews_count_once(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    (task,) = cast.add_tasks(1)
    run, other = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task, passed=0)
    first, again = add_pass(judge, "first"), add_pass(judge, "again")
    add_review(first, judge, run, "pitfalls", score=1.0, key="1" * 32)
    add_review(again, judge, run, "pitfalls", score=1.0, key="1" * 32, reused=True)
    add_review(first, judge, run, "pitfalls", score=0.5, key="2" * 32, sample=2)
    too_long = {"state": JudgeReview.State.TOO_LONG, "score": None}
    add_review(first, judge, run, "tool_calls", **too_long)

    with django_assert_num_queries(2):
        (found,) = scored_runs(PORTS.runs(), judge.panel.pk)
    assert (found.run, found.scores, found.resolved) == (run.pk, {"pitfalls": 0.75}, True)
    found, without = runs_with_reasons(PORTS.runs(), judge.panel)
    assert (found.missing["tool_calls"], found.missing["end_result"]) == ("too long", "not reviewed")
    assert (without.run, set(without.missing.values())) == (other.pk, {"not reviewed"})


def test_the_quality_index_says_what_is_missing() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    alice, tasks = cast.alice(), cast.add_tasks(2)
    runs = [cast.add_run(alice, task, passed=count) for task, count in zip(tasks, (5, 0), strict=True)]
    started = add_pass(judge)
    for dimension in DIMENSIONS:
        add_review(started, judge, runs[0], dimension, score=1.0)

    (quality,) = quality_by_agent(scored_runs(PORTS.runs(), judge.panel.pk)).values()
    # Five dimensions at 100 and half of the attempts resolved; one of two runs has no reviews.
    assert quality.value.value == pytest.approx((500 + 50) / 6)
    assert quality.coverage.value == pytest.approx(7 / 12)
    assert quality.lowest.value == pytest.approx(300 / 6)
    assert quality.highest.value == pytest.approx(550 / 6)
