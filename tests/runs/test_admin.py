"""The operator's pages."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from runs.models import Agent, Evaluation, LanguageModel, Run, Try
from runs.work.execution.settling import settle
from tests.conftest import RedisServer
from tests.markup import compact
from tests.runs.tiny import Tiny, claimed, failure_of, summary_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]

START = "/evaluations/start/"
START_BUTTON = r'name="start"[^>]*disabled'


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


@pytest.fixture
def operator(client: Client) -> Client:
    """A browser in which an operator is signed in: staff with the one permission, and the right to look."""
    user = User.objects.create_user("olga", password="x", is_staff=True)
    names = ["start_evaluation", "view_evaluation", "change_evaluation"]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    client.force_login(user)
    return client


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No container engine responds."""
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nothing.sock")


def entered(tiny: Tiny, **changes: Any) -> dict[str, Any]:
    """A filled form for two agents, one task, three attempts."""
    values = {
        "title": "Spring",
        "agents": [tiny.null.pk, tiny.oracle.pk],
        "tasks": [tiny.task.pk],
        "attempts": 3,
        "iterations": 50,
        "wall_seconds": 600,
        "grade_repeats": 3,
        "start": "Start",
    }
    return {**values, **changes}


@pytest.mark.engine
def test_an_operator_starts_an_evaluation(tiny: Tiny, operator: Client) -> None:
    page = compact(operator.get(START).content.decode())
    assert "Calc" in page
    assert "Numbers below zero" in page
    assert not re.search(START_BUTTON, page)
    response = operator.post(START, entered(tiny, budget_usd="2.5"))
    evaluation = Evaluation.objects.get()
    assert response.headers["Location"] == evaluation.get_absolute_url()
    assert (evaluation.title, evaluation.runs.count(), evaluation.budget_usd) == ("Spring", 6, 2.5)
    assert evaluation.limits == {
        "iterations": 50,
        "tokens": None,
        "cost_usd": None,
        "wall_seconds": 600.0,
        "grade_repeats": 3,
    }
    assert evaluation.created_by == User.objects.get(username="olga")


def test_the_server_counts_the_runs(tiny: Tiny, operator: Client, no_engine: None) -> None:
    values = entered(tiny, estimate="Estimate")
    del values["start"]
    page = compact(operator.post(START, values).content.decode())
    assert re.search(r"<output[^>]*>6 runs</output>", page)
    assert page.count(" checked") == 3
    page = compact(operator.post(START, {**values, "attempts": "21", "title": ""}).content.decode())
    assert re.search(r"<output[^>]*>0 runs</output>", page)
    assert "At most 20." in page
    assert not Evaluation.objects.exists()


def test_without_an_engine_the_page_says_why_and_start_is_refused(
    tiny: Tiny, operator: Client, no_engine: None
) -> None:
    page = compact(operator.get(START).content.decode())
    assert "<b>No evaluation can be started:</b> " in page
    assert re.search(START_BUTTON, page)
    response = operator.post(START, entered(tiny))
    assert response.status_code == 409
    assert "<b>Not started:</b> " in response.content.decode()
    assert not Evaluation.objects.exists()


@pytest.mark.engine
def test_with_redis_down_the_page_says_so_and_the_runs_wait(
    tiny: Tiny, operator: Client, redis: RedisServer
) -> None:
    redis.stop()
    assert "Redis does not respond" in operator.get(START).content.decode()
    assert operator.post(START, entered(tiny)).status_code == 302
    assert Run.objects.filter(state="queued").count() == 6


def test_tasks_that_are_not_admitted_are_not_offered(tiny: Tiny, operator: Client, no_engine: None) -> None:
    tiny.task.admitted = False
    tiny.task.save()
    assert "No task is admitted yet" in operator.get(START).content.decode()
    page = compact(operator.post(START, entered(tiny)).content.decode())
    assert "is not one of the available choices" in page


def test_who_lacks_the_permission_is_turned_away(client: Client, tiny: Tiny) -> None:
    client.force_login(User.objects.create_user("ivan", password="x", is_staff=True))
    assert client.post(START).status_code == 403


def test_starting_needs_signing_in(client: Client) -> None:
    assert client.get(START).headers["Location"].startswith("/admin/login/")
    assert client.get("/django-rq/").headers["Location"].startswith("/admin/login/")


def test_cancel_retry_and_judge_are_links_and_the_first_two_are_actions(tiny: Tiny, operator: Client) -> None:
    evaluation = tiny.start(attempts=2)
    first = evaluation.runs.earliest("attempt")
    for number in (1, 2, 3):
        settle(claimed(first), number, failure_of(first))
        first.refresh_from_db()
    page = compact(operator.get(f"/admin/runs/evaluation/{evaluation.pk}/change/").content.decode())
    for name in ("cancel", "retry", "judge"):
        assert f'href="/evaluations/{evaluation.pk}/{name}/"' in page

    operator.post(reverse("evaluation_retry", args=[evaluation.pk]))
    first.refresh_from_db()
    assert first.state == "queued"
    operator.post(
        "/admin/runs/evaluation/", {"action": "cancel_selected", "_selected_action": [evaluation.pk]}
    )
    evaluation.refresh_from_db()
    assert evaluation.state == "cancelled"
    assert set(evaluation.runs.values_list("state", flat=True)) == {"cancelled"}


def test_an_evaluation_is_renamed_here_and_published_on_a_page_of_its_own(
    tiny: Tiny, operator: Client
) -> None:
    evaluation = tiny.start(listed=False)
    address = f"/admin/runs/evaluation/{evaluation.pk}/change/"
    values = {"title": "Renamed", "listed": "on", "publish_when_finished": "on"}
    assert operator.post(address, values).status_code == 302
    evaluation.refresh_from_db()
    assert (evaluation.title, evaluation.publication) == ("Renamed", "trial")
    assert reverse("evaluation_publish", args=[evaluation.pk]) in operator.get(address).content.decode()


@pytest.mark.parametrize("name", ["agent", "evaluation"])
def test_what_has_runs_offers_no_deletion_and_names_the_remedy(
    tiny: Tiny, admin_client: Client, name: str
) -> None:
    evaluation = tiny.start()
    used = evaluation if name == "evaluation" else evaluation.runs.get().agent
    address = f"/admin/runs/{name}/{used.pk}"

    page = compact(admin_client.get(f"{address}/change/").content.decode())
    listing = admin_client.get(f"/admin/runs/{name}/").content.decode()

    assert f"{address}/delete/" not in page
    assert "that has runs is not deleted but" in page
    assert "delete_selected" not in listing
    assert admin_client.post(f"{address}/delete/", {"post": "yes"}).status_code == 403


def test_an_agent_without_runs_can_be_deleted(admin_client: Client) -> None:
    agent = Agent.objects.create(slug="new", name="New", kind="null")
    address = f"/admin/runs/agent/{agent.pk}"

    assert f"{address}/delete/" in admin_client.get(f"{address}/change/").content.decode()
    assert admin_client.post(f"{address}/delete/", {"post": "yes"}).status_code == 302
    assert not Agent.objects.exists()


def test_times_say_their_zone_as_on_the_site(tiny: Tiny, admin_client: Client) -> None:
    evaluation = tiny.start()
    Evaluation.objects.update(created_at=datetime(2026, 11, 22, 19, 45, tzinfo=UTC))
    for page in ("/admin/runs/evaluation/", f"/admin/runs/evaluation/{evaluation.pk}/change/"):
        assert "22 Nov 2026, 19:45 UTC" in admin_client.get(page).content.decode()


def test_every_list_and_every_page_of_it_opens(tiny: Tiny, admin_client: Client) -> None:
    LanguageModel.objects.create(slug="m", name="Sphinx", provider="x", litellm_id="openai/sphinx")
    run = claimed(tiny.start().runs.get())
    settle(run, 1, summary_of(run))
    pages = [
        *(f"runs/{name}" for name in ("languagemodel", "agent", "evaluation", "run", "try", "cell")),
        *(f"tasks/{name}" for name in ("dataset", "repository", "task")),
    ]
    for page in pages:
        listing = admin_client.get(f"/admin/{page}/")
        assert listing.status_code == 200, page
        link = re.search(rf'href="(/admin/{page}/\d+/change/[^"]*)"', listing.content.decode())
        assert link, page
        assert admin_client.get(link[1]).status_code == 200, page
    assert admin_client.get("/admin/runs/languagemodel/add/").status_code == 200


def test_the_admin_leads_operators_to_their_pages(admin_client: Client, client: Client) -> None:
    page = compact(admin_client.get("/admin/").content.decode())
    for address in ("/operate/", "/django-rq/", "/status/"):
        assert f'href="{address}"' in page
    for unlisted in ("/admin/runs/cell/", "/admin/runs/try/"):
        assert unlisted not in page
    client.force_login(User.objects.create_user("clerk", is_staff=True))
    page = compact(client.get("/admin/").content.decode())
    assert "/django-rq/" not in page


def test_the_definition_of_an_agent_with_runs_is_fixed(tiny: Tiny, admin_client: Client) -> None:
    tiny.start()
    address = f"/admin/runs/agent/{tiny.oracle.pk}/change/"
    assert 'name="kind"' not in admin_client.get(address).content.decode()
    assert admin_client.post(address, {"name": "The oracle", "kind": "null"}).status_code == 302
    tiny.oracle.refresh_from_db()
    assert (tiny.oracle.name, tiny.oracle.kind) == ("The oracle", "oracle")


def test_texts_of_a_grading_are_for_operators(tiny: Tiny, client: Client, admin_client: Client) -> None:
    (run,) = tiny.start(agents=[tiny.null]).runs.all()
    Run.objects.filter(pk=run.pk).update(grading_reason="quoted", detail="quoted", flags=[{"kind": "quoted"}])
    Try.objects.create(run=run, number=1, reason="quoted", directory="x", heartbeat_at=timezone.now())
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=["view_run", "view_try"]))
    client.force_login(clerk)
    pages = [reverse("admin:runs_run_change", args=[run.pk]), reverse("admin:runs_try_changelist")]

    for page in [*pages, reverse("admin:runs_try_change", args=[Try.objects.get().pk])]:
        shown = client.get(page)
        assert shown.status_code == 200
        assert b"quoted" not in shown.content
        assert b"quoted" in admin_client.get(page).content
