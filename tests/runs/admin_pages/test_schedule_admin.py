"""Schedules are made in the admin, which refuses what could not be started or sent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from runs.models import Agent, LanguageModel, RegressionCheck, Schedule
from tasks.models import Task
from tests.runs.cast import Cast
from tests.runs.judging.regression_checks.nights import FIRST
from tests.runs.panels import add_panel

pytestmark = pytest.mark.django_db
ADD = "admin:runs_schedule_add"


def entries(**more: Any) -> dict[str, Any]:
    cast = more.pop("cast", None) or Cast()
    return {
        "title": "Night watch",
        "agent": cast.idler().pk,
        "tasks": [task.pk for task in cast.add_tasks(2)],
        "attempts": "1",
        "limits": "{}",
        "cron": "0 2 * * *",
        "anchor": "last green",
        "enabled": "on",
        "recipients": "olga@example.org\r\nada@example.org",
        "webhook_url": "",
        "webhook_secret_variable": "",
        **more,
    }


def test_an_operator_makes_a_schedule(admin_client: Client) -> None:
    response = admin_client.post(reverse(ADD), entries())
    assert response.status_code == 302, response.content.decode()
    made = Schedule.objects.get()
    assert made.addresses == ["olga@example.org", "ada@example.org"]
    assert (made.tasks.count(), made.created_by is not None) == (2, True)


def test_a_budget_of_judges_can_be_enforced(admin_client: Client) -> None:
    cast = Cast()
    panel = add_panel(cast.add_model("Bench")).panel
    given = entries(cast=cast, panel=panel.pk, judging_budget_usd="2")
    assert "The price of Bench is unknown" in admin_client.post(reverse(ADD), given).content.decode()
    LanguageModel.objects.filter(name="Bench").update(input_price=1, output_price=1)
    negative = admin_client.post(reverse(ADD), {**given, "judging_budget_usd": "-2"})
    assert "The budget must be more than 0" in negative.content.decode()
    assert admin_client.post(reverse(ADD), given).status_code == 302


def test_an_anchor_has_runs_of_the_agent(admin_client: Client) -> None:
    cast = Cast()
    other = cast.add_run(cast.alice(), cast.add_tasks(1, start=50)[0]).evaluation
    given = entries(cast=cast, anchor="explicit", anchor_evaluation=other.pk)
    assert "It has no run of Idler." in admin_client.post(reverse(ADD), given).content.decode()
    agent = Agent.objects.get(pk=given["agent"])
    cast.add_run(agent, cast.add_tasks(1, start=51)[0], evaluation=other)
    assert admin_client.post(reverse(ADD), given).status_code == 302


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"cron": "* * * * *"}, "an hour apart"),
        ({"cron": "@daily"}, "five fields"),
        ({"limits": '{"moods": 3}'}, "Limits are iterations"),
        ({"recipients": "olga"}, "Enter a valid email address"),
        ({"webhook_url": "ftp://x.example/"}, "must begin with https"),
        ({"webhook_url": "https://x.example/"}, "Name the variable"),
        ({"anchor": "explicit"}, "Choose the evaluation"),
        ({"attempts": "99"}, "99 attempts are not possible"),
        ({"tasks": []}, "This field is required"),
    ],
)
def test_wrong_entries_are_refused_at_their_field(
    admin_client: Client, more: dict[str, Any], sentence: str
) -> None:
    response = admin_client.post(reverse(ADD), entries(**more))
    assert response.status_code == 200
    assert sentence in response.content.decode()
    assert not Schedule.objects.exists()


def test_after_its_first_check_its_evaluation_is_frozen_and_its_messages_are_not(
    admin_client: Client,
) -> None:
    sent = entries()
    admin_client.post(reverse(ADD), sent)
    made = Schedule.objects.get()
    RegressionCheck.objects.create(schedule=made, due_at=FIRST)
    address = reverse("admin:runs_schedule_change", args=[made.pk])

    assert 'name="attempts"' not in admin_client.get(address).content.decode()
    response = admin_client.post(address, {**sent, "attempts": "5", "recipients": "new@example.org"})
    assert response.status_code == 302, response.content.decode()
    made.refresh_from_db()
    assert (made.attempts, made.addresses) == (1, ["new@example.org"])
    assert admin_client.post(reverse("admin:runs_schedule_delete", args=[made.pk])).status_code == 403


def test_new_times_count_from_now_on(admin_client: Client) -> None:
    sent = entries()
    admin_client.post(reverse(ADD), sent)
    made = Schedule.objects.get()
    long_ago = timezone.now() - timedelta(days=9)
    address = reverse("admin:runs_schedule_change", args=[made.pk])
    for change, moved in (
        ({"title": "Day watch"}, False),
        ({"cron": "0 5 * * *"}, True),
        ({"enabled": ""}, True),
    ):
        Schedule.objects.update(armed_at=long_ago)
        sent |= change
        admin_client.post(address, sent)
        made.refresh_from_db()
        assert (made.armed_at > long_ago) is moved, change


def test_a_model_plays_users_where_there_are_any(admin_client: Client) -> None:
    player = LanguageModel.objects.create(slug="player", name="Player", litellm_id="openai/player")
    sent = {**entries(), "user_model": player.pk}

    refused = admin_client.post(reverse(ADD), sent).content.decode()

    assert "Player would play the user, but no task has one." in refused
    Task.objects.update(mode="workflow")
    assert admin_client.post(reverse(ADD), sent).status_code == 302
    made = Schedule.objects.get()
    assert made.user_model == player
    RegressionCheck.objects.create(schedule=made, due_at=FIRST)
    address = reverse("admin:runs_schedule_change", args=[made.pk])
    assert 'name="user_model"' not in admin_client.get(address).content.decode()


@pytest.mark.parametrize("name", ["schedule", "regressioncheck", "delivery"])
def test_the_lists_open(admin_client: Client, name: str) -> None:
    admin_client.post(reverse(ADD), entries())
    assert admin_client.get(reverse(f"admin:runs_{name}_changelist")).status_code == 200
