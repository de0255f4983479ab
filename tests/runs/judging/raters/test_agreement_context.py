"""The context of the tables of agreement."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string

from runs.judging.raters.agreement_context import agreement_context
from runs.models import Run
from tasks.loading import hide
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_rating, add_review

EVERYBODY = AnonymousUser()


@pytest.fixture
def runs(cast: Cast) -> list[Run]:
    """Four runs: Ada rated all of them, three of them twice; Bea rated two; Portia judged all."""
    judge = add_panel(cast.add_model("Bench"))
    passes = [add_pass(judge, slug) for slug in ("one", "two")]
    alice = cast.alice()
    found = [cast.add_run(alice, task) for task in cast.add_tasks(4)]
    for run, ada, portia in zip(found, (0.0, 0.5, 1.0, 1.0), (0.0, 0.5, 1.0, 0.5), strict=True):
        add_rating(run, score=ada)
        add_review(passes[0], judge, run, score=0.0)
        add_review(passes[1], judge, run, score=portia)  # a newer pass of the same judge
        add_review(passes[1], judge, run, "tool_calls", score=1.0)
    for run in found[:3]:
        add_rating(run, round=2, score=1.0 if run == found[0] else 0.5)
    for run in found[:2]:
        add_rating(run, rater_name="p-bea", score=1.0)
    return found


def test_people_with_themselves_each_other_and_judges(runs: list[Run]) -> None:
    found = agreement_context(EVERYBODY)

    assert (found["people"], found["ratings"]) == (2, 6)
    ada, bea = found["selves"]
    assert (ada.dimension, ada.who, ada.value.n, ada.same.value) == ("Pitfalls", "p-ada", 3, 1 / 3)
    assert bea.value.reason == "no run has both scores"
    alpha, pair = found["others"]
    assert (alpha.who, alpha.measure, alpha.value.n, alpha.same) == ("all people", "alpha", 2, None)
    assert (pair.who, pair.value.reason) == ("p-ada and p-bea", "p-bea gave every run the score 1")
    with_ada, _ = found["judges"]
    assert (with_ada.who, with_ada.same.value, with_ada.value.n) == ("p-ada and judge Portia", 3 / 4, 4)


def test_the_part_shows_n_intervals_and_why_a_number_is_undefined(runs: list[Run]) -> None:
    part = compact(render_to_string("runs/judging/_agreement.html", agreement_context(EVERYBODY)))
    assert "2 people rated runs 6 times" in part
    assert "undefined: p-bea gave every run the score 1" in part
    assert "p-ada and judge Portia" in part
    assert (
        '<td class="num" data-name="Equal scores">75\N{NO-BREAK SPACE}%</td><td class="num" data-name="n">4</td>'
        in part
    )


def test_judges_of_one_name_with_different_models_are_kept_apart(cast: Cast, runs: list[Run]) -> None:
    other = add_panel(cast.add_model("Quill"), "other")
    add_review(add_pass(other, "three"), other, runs[0])
    names = {row.who for row in agreement_context(EVERYBODY)["judges"]}
    assert "p-ada and judge Portia (Bench)" in names
    assert "p-ada and judge Portia (Quill)" in names


def test_ratings_of_hidden_datasets_and_of_earlier_tries_do_not_count(cast: Cast, runs: list[Run]) -> None:
    Run.objects.filter(pk=runs[0].pk).update(tries=2)
    assert agreement_context(EVERYBODY)["ratings"] == 4
    hide(cast.dataset, hidden=True)
    found = agreement_context(EVERYBODY)
    assert (found["ratings"], found["judges"]) == (0, [])
    assert "Nobody has rated a run yet." in render_to_string("runs/judging/_agreement.html", found)
