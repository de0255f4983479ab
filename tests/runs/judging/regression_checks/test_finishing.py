"""A check ends once; its message is stored with its end."""

from __future__ import annotations

import pytest

from runs.judging.regression_checks.finishing import close
from runs.models import Delivery, RegressionCheck, Schedule
from tests.runs.judging.regression_checks.nights import FIRST, Nights

pytestmark = pytest.mark.django_db
Verdict = RegressionCheck.Verdict


@pytest.fixture
def check() -> RegressionCheck:
    schedule = Nights().schedule
    schedule.recipients, schedule.webhook_url = "olga@example.org\n", "https://hook.example/x"
    schedule.save()
    return RegressionCheck.objects.create(schedule=schedule, due_at=FIRST)


def test_a_check_ends_once(check: RegressionCheck) -> None:
    assert close(check, Verdict.REGRESSION, "Worse.")
    assert not close(RegressionCheck.objects.get(), Verdict.NONE, "Better.")
    assert RegressionCheck.objects.get().verdict == Verdict.REGRESSION
    assert Delivery.objects.count() == 2


def test_a_process_that_knows_an_earlier_state_does_not_end_it(check: RegressionCheck) -> None:
    RegressionCheck.objects.update(state=RegressionCheck.State.JUDGING)
    assert not close(check, Verdict.NONE, "Better.")
    assert RegressionCheck.objects.get().state == RegressionCheck.State.JUDGING


@pytest.mark.parametrize(
    ("verdict", "report_all", "messages"),
    [
        (Verdict.REGRESSION, False, 2),
        (Verdict.INFRASTRUCTURE, False, 2),
        (Verdict.NOT_COMPARABLE, False, 2),
        (Verdict.NONE, False, 0),
        (Verdict.NONE, True, 2),
    ],
)
def test_only_a_schedule_that_asks_for_all_reports_that_nothing_happened(
    check: RegressionCheck, verdict: RegressionCheck.Verdict, report_all: bool, messages: int
) -> None:
    check.schedule.report_all = report_all
    close(check, verdict, "So it is.")
    assert Delivery.objects.count() == messages


def test_channels_without_an_address_have_no_message(check: RegressionCheck) -> None:
    Schedule.objects.update(webhook_url="", recipients=" ")
    close(RegressionCheck.objects.get(), Verdict.REGRESSION, "Worse.")
    assert not Delivery.objects.exists()
