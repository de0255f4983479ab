"""Cancelling and retrying: permissions and confirmation pages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from runs.models import Evaluation, Run
from tests.markup import compact
from tests.runs.cast import Cast, add_try

pytestmark = pytest.mark.django_db


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode())


def test_only_operators_cancel_evaluations(admin_client: Client, client: Client, cast: Cast) -> None:
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], evaluation=evaluation)
    cancel = reverse("evaluation_cancel", args=[evaluation.pk])

    assert cancel in body(admin_client, evaluation.get_absolute_url())
    assert cancel not in body(client, evaluation.get_absolute_url())


def test_the_buttons_follow_the_evaluation_without_a_reload(admin_client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], outcome="infrastructure_failed")
    add_try(run, 1, "failed", "no engine")
    evaluation = run.evaluation
    cancel = reverse("evaluation_cancel", args=[evaluation.pk])
    retry = reverse("evaluation_retry", args=[evaluation.pk])

    part = admin_client.get(evaluation.get_absolute_url(), headers={"x-partial": "evaluation"})

    assert cancel not in part.content.decode()
    assert retry in part.content.decode()
    run.outcome = "unresolved"
    run.save()
    assert retry not in body(admin_client, evaluation.get_absolute_url())


def test_the_page_explains_a_cancellation_first(admin_client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    alice = cast.alice()
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    cast.add_run(alice, task, 1, evaluation=evaluation)
    cast.add_run(alice, task, 2, evaluation=evaluation, state=Run.State.RUNNING, outcome="")
    for attempt in (3, 4):
        cast.add_run(alice, task, attempt, evaluation=evaluation, state=Run.State.QUEUED, outcome="")
    address = reverse("evaluation_cancel", args=[evaluation.pk])

    page = body(admin_client, address)
    response = admin_client.post(address)

    assert "<b>2</b> runs that have not started are cancelled at once" in page
    assert "<b>1</b> run under way stops after the current step" in page
    assert "<b>1</b> run that is done stays" in page
    assert response.headers["Location"] == evaluation.get_absolute_url()
    evaluation.refresh_from_db()
    assert evaluation.state == "cancelled"
    assert "there is nothing to retry" in body(
        admin_client, reverse("evaluation_retry", args=[evaluation.pk])
    )


def test_the_page_explains_a_retry_first(admin_client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], outcome="infrastructure_failed")
    address = reverse("evaluation_retry", args=[run.evaluation.pk])

    page = body(admin_client, address)
    admin_client.post(address)

    assert "<b>1</b> run without a verdict is queued again" in page
    assert "The evaluation is finished; it will be running again" in page
    run.refresh_from_db()
    assert (run.state, run.evaluation.state) == ("queued", "running")


@pytest.mark.parametrize("name", ["evaluation_cancel", "evaluation_retry"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_other_users_cannot_cancel_or_retry(client: Client, cast: Cast, name: str, method: str) -> None:
    address = reverse(name, args=[cast.evaluation.pk])
    assert getattr(client, method)(address).headers["Location"] == f"/admin/login/?next={address}"
    client.force_login(User.objects.create_user("clerk", is_staff=True))
    assert getattr(client, method)(address).status_code == 403
    assert client.delete(address).status_code == 405
