"""Which panel of judges counts in a dataset, and the quality index of agents by it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from runs.data.queries.board_filter import BoardFilter
from runs.data.run_facts import counting_panel as counting_panels
from runs.data.run_facts.counting_panel import counting_panel, open_quality
from runs.judging.reviews.changed_scores import mark_scores_changed
from runs.models import JudgeReview
from tests.runs.cast import Cast
from tests.runs.panels import DIMENSIONS, add_panel, add_pass, add_review

PORTS = BoardFilter(dataset="ports")


@pytest.mark.django_db
@pytest.mark.parametrize("few", [0, 100])
def test_the_panel_with_most_runs_counts_and_of_equals_the_newest(
    monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(counting_panels, "FEW_REVIEWS", few)
    cast = Cast()
    model, alice, tasks = cast.add_model("Bench"), cast.alice(), cast.add_tasks(3)
    runs = [cast.add_run(alice, task) for task in tasks]
    cast.settle()
    old, new = add_panel(model, "old"), add_panel(model, "new")
    assert counting_panel("ports") is None

    add_review(add_pass(new, "a"), new, runs[0], state=JudgeReview.State.REFUSED, score=None)
    assert counting_panel("ports") is None
    for judge in (old, new):
        add_review(add_pass(judge, judge.panel.slug), judge, runs[1])
    assert counting_panel("ports") == new.panel
    add_review(add_pass(old, "b"), old, runs[2])
    assert counting_panel("ports") == old.panel
    # Neither runs of an earlier try nor runs of trials count.
    add_review(add_pass(new, "c"), new, runs[2], run_try=0)
    trial = cast.add_evaluation("trial", "Trial", listed=False)
    add_review(add_pass(new, "d"), new, cast.add_run(alice, tasks[0], 1, evaluation=trial))
    assert counting_panel("ports") == old.panel


@pytest.mark.django_db(transaction=True)
def test_only_the_reviews_of_changed_agents_are_read_again() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    (task,) = cast.add_tasks(1)
    alice, bob = cast.alice(), cast.bob()
    runs = [cast.add_cell(agent, task, [5])[0] for agent in (alice, bob)]
    started = add_pass(judge)
    for run in runs:
        for dimension in DIMENSIONS:
            add_review(started, judge, run, dimension, score=1.0)
    cast.settle()
    assert {agent: each.value.value for agent, each in open_quality(PORTS).items()} == {
        alice.pk: 100,
        bob.pk: 100,
    }
    with CaptureQueriesContext(
        connection,
    ) as again:
        open_quality(PORTS)
    assert len(again) == 1  # the groups

    JudgeReview.objects.filter(run=runs[1]).update(score=0.0)
    mark_scores_changed(JudgeReview.objects.filter(run=runs[1]))
    with CaptureQueriesContext(connection) as changed:
        found = open_quality(PORTS)
    assert len(changed) == 5  # also how many reviews there are, reviews by panel, scores and runs
    assert found[alice.pk].value.value == 100
    assert found[bob.pk].value.value == pytest.approx(100 / 6)

    started.delete()
    assert open_quality(PORTS) == {}
    assert counting_panel("ports") is None


@pytest.mark.django_db
def test_a_filter_selects_the_runs_whose_scores_count() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    alice, (first,), (other,) = (
        cast.alice(),
        cast.add_tasks(1),
        cast.add_tasks(1, cast.add_repository("quay", "Quay")),
    )
    started = add_pass(judge)
    for task, score in ((first, 1.0), (other, 0.0)):
        run = cast.add_run(alice, task, passed=5 if score else 0)
        for dimension in DIMENSIONS:
            add_review(started, judge, run, dimension, score=score)
    cast.settle()

    found = {
        repository: open_quality(BoardFilter(dataset="ports", repository=repository))[alice.pk].value.value
        for repository in ("harbour", "quay", "")
    }
    assert found == {"harbour": 100, "quay": 0, "": 50}
    assert open_quality(BoardFilter(dataset="ports", until="2000-01-01")) == {}
