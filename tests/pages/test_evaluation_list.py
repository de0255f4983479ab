"""The list of evaluations."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from runs.models import Evaluation, Run, Try
from tests.runs.cast import Cast, add_try

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return response.content.decode().replace("\u00a0", " ")


def test_the_list_tells_state_progress_spending_and_duration(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    olga = User.objects.create_user("olga")
    neap = cast.add_evaluation("neap", "Neap", state="running", budget_usd=10.0, created_by=olga)
    run = cast.add_run(cast.alice(), task, 1, evaluation=neap)
    add_try(run, 1, Try.State.SETTLED, spent_usd=0.25)
    cast.add_run(run.agent, task, 2, evaluation=neap, state=Run.State.QUEUED, outcome="")
    Evaluation.objects.filter(pk=neap.pk).update(created_at=timezone.now() - timedelta(minutes=61))

    row = body(client, reverse("evaluations")).partition(">Neap<")[2].partition("</tr>")[0]

    assert "● running" in row
    assert "1 of 2" in row
    assert '$0.25<small class="under">of $10.00' in row
    assert "1 h 1 min" in row
    assert "olga" not in row
    assert ">Neap<" not in body(client, f"{reverse('evaluations')}?state=finished")
    assert "No evaluation is cancelled" in body(client, f"{reverse('evaluations')}?state=cancelled")
    assert client.get(f"{reverse('evaluations')}?state=odd").status_code == 400


def test_operators_see_who_started_what(admin_client: Client, cast: Cast) -> None:
    cast.add_evaluation("neap", "Neap", created_by=User.objects.create_user("olga"))
    assert "olga" in body(admin_client, reverse("evaluations"))


def test_the_list_costs_the_same_queries_for_any_number_of_evaluations(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        with django_assert_num_queries(5):  # how many, those of the page, by state, their runs, their tries
            client.get(reverse("evaluations"))
        cast.add_evaluation(f"more-{number}", "More")
