"""What judges say of an agent's counted runs in a dataset."""

from __future__ import annotations

import pytest

from runs.data.run_facts.agent_reviews import agent_reviews
from runs.models import JudgeReview
from tests.runs.cast import Cast
from tests.runs.panels import add_evidence, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db


def test_scores_what_is_missing_and_aspects_are_those_of_counted_runs() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    alice, tasks = cast.alice(), cast.add_tasks(3)
    first, second, third = (cast.add_run(alice, task) for task in tasks)
    cast.settle()
    started = add_pass(judge)
    trial = cast.add_run(alice, tasks[0], 1, evaluation=cast.add_evaluation("trial", "Trial", listed=False))
    for run in (first, second, trial):
        review = add_review(started, judge, run, "pitfalls", score=float(run == first))
        add_evidence(review, 1, aspect="no tests", severity="high", found_step=4)
        add_evidence(review, 2, aspect="invented", severity="high", status="unverified", found_step=None)
    add_review(started, judge, third, "pitfalls", state=JudgeReview.State.REFUSED, score=None)

    found = agent_reviews(alice.pk, "ports")
    assert found
    assert (found.panel.title, found.panel.judges, found.panel.newest_pass) == (
        "Harbour panel",
        ("Portia",),
        started.pk,
    )
    assert (found.runs, found.reviewed) == (3, 2)
    by_name = {each.name: each for each in found.dimensions}
    pitfalls = by_name["pitfalls"]
    assert (pitfalls.score.value, pitfalls.score.n, pitfalls.runs, pitfalls.missing) == (
        0.5,
        2,
        2,
        {"refused": 1},
    )
    assert by_name["end_result"].missing == {"not reviewed": 3}
    assert found.quality.value.value is None
    (aspect,) = found.aspects
    assert (aspect.text, aspect.weight, aspect.dimensions) == ("no tests", 14, ("Pitfalls",))
    assert aspect.places == ((first.pk, 4), (second.pk, 4))


def test_an_agent_without_scores_has_none() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    (task,) = cast.add_tasks(1)
    bob = cast.bob()
    cast.add_run(bob, task)
    cast.settle()
    assert agent_reviews(bob.pk, "ports") is None
    add_review(add_pass(judge), judge, cast.add_run(cast.alice(), task))
    cast.settle()
    assert agent_reviews(bob.pk, "ports") is None
