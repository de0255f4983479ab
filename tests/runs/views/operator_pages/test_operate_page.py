"""The operator's home: what runs, what was spent, what to do next, and who sees what."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from runs.models import Evaluation, Run, Try
from tests.markup import compact
from tests.runs.cast import Cast, add_try
from tests.runs.roles import PLAYERS, member

pytestmark = pytest.mark.django_db

HOME = "/operate/"


def body(client: Client, **headers: str) -> str:
    response = client.get(HOME, headers=headers)
    assert response.status_code == 200
    return compact(response.content.decode())


def test_the_answer_comes_first_and_each_bar_is_filled_by_done_runs(admin_client: Client, cast: Cast) -> None:
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    running = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING, budget_usd=5.0)
    done = cast.add_run(alice, task, 1, evaluation=running)
    add_try(done, 1, Try.State.SETTLED, spent_usd=0.5)
    cast.add_run(alice, task, 2, evaluation=running, passed=1)
    for attempt in (3, 4):
        cast.add_run(alice, task, attempt, evaluation=running, state=Run.State.QUEUED, outcome="", ending="")

    page = body(admin_client)

    assert "1 evaluation is running: 2 of 4 runs done" in page
    assert '<rect class="resolved" x="0.0" y="0" width="25.0"' in page
    assert '<rect class="unresolved" x="25.0" y="0" width="25.0"' in page
    assert '<rect class="queued"' not in page
    assert "<b>2</b> not started" in page
    assert f'href="/evaluations/{running.pk}/cancel/"' in page.partition("Running</h2>")[2]
    assert "$0.50 spent of $5.00" in page
    assert "$0.50 spent on models since" in page
    part = body(admin_client, x_partial="home")
    assert part.lstrip().startswith('<div class="block progress-part" data-part="home"')
    assert "data-live" in part


def test_the_latest_evaluations_that_ended_lead_to_judges_publication_and_another_start(
    admin_client: Client, cast: Cast
) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    page = body(admin_client)
    assert "No evaluation is running" in page
    ended = page.partition("The latest that ended</h2>")[2]
    assert "Spring tide" in ended
    assert f'href="/evaluations/{cast.evaluation.pk}/judge/"' in ended
    assert f'href="/evaluations/start/?from={cast.evaluation.pk}"' in ended
    assert "Publish…" not in ended
    assert "data-live" not in page
    older = timezone.now() - timedelta(days=9)
    for number in range(3):  # begun later, ended earlier
        cast.add_evaluation(f"neap-{number}", f"Neap {number}", finished_at=older)
    Evaluation.objects.filter(pk=cast.evaluation.pk).update(finished_at=timezone.now())
    assert "Spring tide" in body(admin_client).partition("The latest that ended</h2>")[2]
    Evaluation.objects.update(listed=False)
    assert f'href="/evaluations/{cast.evaluation.pk}/publish/"' in body(admin_client)


def test_staff_see_what_they_may_do_and_nobody_else_comes_in(client: Client, cast: Cast) -> None:
    assert client.get(HOME).headers["Location"] == f"/admin/login/?next={HOME}"
    client.force_login(member("paula", PLAYERS))
    page = body(client)
    assert "Play tasks" in page
    for unseen in (
        "Spent on models",
        "Start an evaluation",
        "/operate/models/",
        "/operate/spending/",
        "Needs attention",
        "Judge…",
    ):
        assert unseen not in page, unseen
    client.force_login(User.objects.create_user("reader"))
    assert client.get(HOME).status_code == 403


def test_the_number_of_queries_does_not_grow(
    admin_client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    alice, (task,) = cast.alice(), cast.add_tasks(1)

    def more(number: int) -> None:
        running = cast.add_evaluation(f"e{number}", f"E {number}", state=Evaluation.State.RUNNING)
        add_try(cast.add_run(alice, task, evaluation=running), 1, Try.State.SETTLED, spent_usd=0.5)

    more(1)
    body(admin_client)
    with django_assert_num_queries(NUMBER_OF_QUERIES):
        body(admin_client)
    for number in range(2, 7):
        more(number)
    with django_assert_num_queries(NUMBER_OF_QUERIES):
        body(admin_client)


NUMBER_OF_QUERIES = 34
