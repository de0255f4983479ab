"""Two agents as one panel judged them."""

from __future__ import annotations

import pytest

from runs.data.queries.filters import CellFilter
from runs.rankings.comparison.judged_pairs import judged_pair
from tasks.models import Task
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db


def test_the_difference_is_over_shared_scenarios_and_filters_apply() -> None:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    easy, hard = cast.add_tasks(2), cast.add_tasks(1, difficulty="hard", start=3)
    judge = add_panel(cast.add_model("Bench"))
    assert judged_pair(alice.pk, bob.pk, CellFilter(dataset="ports")) is None

    started = add_pass(judge)
    for task, score in zip((*easy, *hard), (1.0, 0.5, 0.0), strict=True):
        add_review(started, judge, cast.add_run(alice, task), "pleasantness", score=score)
        if task not in easy[:1]:
            add_review(started, judge, cast.add_run(bob, task), "pleasantness", score=0.5)
    cast.settle()

    found = judged_pair(alice.pk, bob.pk, CellFilter(dataset="ports"))
    assert found
    (row,) = [each for each in found.dimensions if each.first.name == "pleasantness"]
    assert (row.first.score.value, row.second.score.value) == (0.5, 0.5)
    assert (row.difference.value, row.difference.n, row.p) == (-0.25, 2, 1.0)
    only_hard = judged_pair(alice.pk, bob.pk, CellFilter(dataset="ports", difficulty="hard"))
    assert only_hard
    assert [each.difference.value for each in only_hard.dimensions if each.first.name == "pleasantness"] == [
        -0.5
    ]


def test_a_persona_that_one_agent_lacks_is_not_compared_with_another_persona() -> None:
    cast = Cast()
    alice, bob, tasks = cast.alice(), cast.bob(), cast.add_tasks(4)
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    slugs = ("ebb.default", "ebb.toxic", "tide.default", "tide.toxic")
    for task, slug in zip(tasks, slugs, strict=True):
        Task.objects.filter(pk=task.pk).update(slug=slug, scenario=slug.partition(".")[0])
        task.refresh_from_db()
        # Both get the same scores, lower ones with toxic users; one of Bob's runs with them has none.
        score = 0.0 if "toxic" in slug else 1.0
        add_review(started, judge, cast.add_run(alice, task), "pleasantness", score=score)
        run = cast.add_run(bob, task)
        if slug != "ebb.toxic":
            add_review(started, judge, run, "pleasantness", score=score)
    cast.settle()

    found = judged_pair(alice.pk, bob.pk, CellFilter(dataset="ports"))
    assert found
    (row,) = [each for each in found.dimensions if each.first.name == "pleasantness"]
    assert (row.difference.value, row.difference.n) == (0.0, 2)
