"""The sweeper starts what is due, takes steps and sends messages, with messages in a thread of their own."""

from __future__ import annotations

import pytest

from runs.judging.regression_checks import starting_checks, sweeping_regressions
from runs.judging.regression_checks.sweeping_regressions import RegressionSweep
from runs.models import Delivery, RegressionCheck
from tests.runs.judging.regression_checks.nights import ENGINE, Nights, play

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def nights(monkeypatch: pytest.MonkeyPatch) -> Nights:
    monkeypatch.setattr("tests.runs.judging.regression_checks.nights.SCENARIOS", 1)
    monkeypatch.setattr(starting_checks.start_due, "__defaults__", (lambda: ENGINE,))
    return Nights()


def test_a_night_from_its_start_to_its_message(nights: Nights) -> None:
    nights.schedule.recipients, nights.schedule.report_all = "olga@example.org", True
    nights.schedule.save()
    sweep = RegressionSweep()

    sweep.take_steps(alone=False)
    check = RegressionCheck.objects.get()
    assert check.state == "evaluating"

    play(check)
    sweep.take_steps(alone=False)
    assert sweep._sender is not None
    sweep._sender.join(10)
    sweep.take_steps(alone=False)
    sweep._sender.join(10)
    check.refresh_from_db()
    assert (check.state, check.is_first) == ("finished", True)
    assert Delivery.objects.get().state == "sent"
    assert RegressionCheck.objects.count() == 1


def test_a_check_whose_disk_fails_does_not_hold_up_the_others(
    nights: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(check: RegressionCheck) -> None:
        taken.append(check.schedule.title)
        raise OSError("full")

    taken: list[str] = []
    nights.begin(0)
    nights.begin(0, nights.add_schedule("Other watch"))
    monkeypatch.setattr(sweeping_regressions, "take_step", fails)
    RegressionSweep().take_steps(alone=True)
    assert sorted(taken) == ["Night watch", "Other watch"]
