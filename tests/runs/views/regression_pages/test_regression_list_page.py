"""The list of checks: readers see verdicts and what moved, operators start a check by hand."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from runs.judging.regression_checks import starting_checks
from runs.models import RegressionCheck, Schedule
from runs.views.regression_pages import regression_list_page
from tasks.loading import hide
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.judging.regression_checks.made_checks import add_regression
from tests.runs.judging.regression_checks.nights import ENGINE

pytestmark = pytest.mark.django_db


@pytest.fixture
def check() -> RegressionCheck:
    cast = Cast()
    alice, tasks = cast.alice(), cast.add_tasks(1)
    later = cast.add_evaluation("neap-tide", "Neap tide")
    before = cast.add_run(alice, tasks[0])
    after = cast.add_run(alice, tasks[0], evaluation=later, passed=2)
    return add_regression(tasks, later, (after, before))


def test_readers_see_what_moved(client: Client, check: RegressionCheck) -> None:
    page = client.get("/regressions/").content.decode()
    assert check.get_absolute_url() in page
    assert "worse: Formal verification" in page
    assert "judge moved: Pitfalls" in page
    assert "better: Cost" in page
    assert "Run now" not in page


def test_it_is_filtered_by_verdict(client: Client, check: RegressionCheck) -> None:
    assert check.get_absolute_url() in client.get("/regressions/?verdict=regression").content.decode()
    assert "No check with this verdict" in client.get("/regressions/?verdict=none").content.decode()
    assert client.get("/regressions/?verdict=perhaps").status_code == 400


def test_long_lists_have_pages_whose_addresses_do_not_grow(
    client: Client, admin_client: Client, check: RegressionCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regression_list_page, "PAGE", 1)
    for number in (1, 2):
        due = check.due_at + timedelta(days=number)
        RegressionCheck.objects.create(schedule=check.schedule, due_at=due, verdict=check.verdict)
        Schedule.objects.create(title=f"Watch {number}", agent=check.schedule.agent, enabled=False)
    page = client.get("/regressions/?verdict=regression&page=1&page=2").content.decode()
    assert 'href="?verdict=regression&amp;page=3"' in page
    page = compact(admin_client.get("/regressions/").content.decode())
    assert "2 more schedules</a>" in page
    assert page.count("Run now") == 1


def test_checks_of_hidden_tasks_are_for_operators(
    client: Client, admin_client: Client, check: RegressionCheck
) -> None:
    hide(check.schedule.tasks.all()[0].repository.dataset, hidden=True)
    assert "Night watch" not in client.get("/regressions/").content.decode()
    assert client.get(check.get_absolute_url()).status_code == 404
    assert "Night watch" not in client.get("/regressions/feed.atom").content.decode()
    assert "Night watch" in admin_client.get("/regressions/").content.decode()


def test_an_operator_starts_a_check_now(
    admin_client: Client, check: RegressionCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting_checks, "engine_status", lambda: ENGINE)
    number = {"schedule": str(check.schedule_id)}
    response = admin_client.post("/regressions/", number)
    started = RegressionCheck.objects.exclude(pk=check.pk).get()
    assert response["Location"] == started.get_absolute_url()
    assert started.candidate is not None

    page = admin_client.post("/regressions/", number, follow=True).content.decode()
    assert "Night watch was not started: A check of this schedule is running." in page
    assert RegressionCheck.objects.count() == 2


def test_readers_start_nothing(client: Client, check: RegressionCheck) -> None:
    response = client.post("/regressions/", {"schedule": str(check.schedule_id)})
    assert response.status_code == 302
    assert "/login/" in response["Location"]
    assert RegressionCheck.objects.count() == 1


def test_an_unknown_schedule(admin_client: Client, check: RegressionCheck) -> None:
    assert admin_client.post("/regressions/", {"schedule": "999"}).status_code == 404
    assert admin_client.post("/regressions/", {"schedule": "x"}).status_code == 400
