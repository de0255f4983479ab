"""Cron expressions, in UTC: five fields, an hour apart, and of missed times the newest only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from runs.judging.regression_checks.due_times import CronError, check_cron, latest_due
from runs.models.scheduled_check import NIGHTLY, WEEKLY

NOW = datetime(2026, 3, 4, 1, 59, 59, tzinfo=UTC)  # a Wednesday
YESTERDAY = datetime(2026, 3, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize("expression", [NIGHTLY, WEEKLY, "30 4 1 * *", "0 */6 * * mon-fri"])
def test_usual_expressions_are_accepted(expression: str) -> None:
    check_cron(expression, NOW)


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("@daily", "five fields"),
        ("0 2 * * * 30", "five fields"),
        ("61 2 * * *", "No cron expression"),
        ("0 2 31 2 *", "No cron expression"),
        ("x y z a b", "No cron expression"),
        ("R R * * *", "r is no month"),
        ("*/5 * * * *", "an hour apart"),
        ("0,30 2 * * *", "an hour apart"),
    ],
)
def test_others_are_refused_with_a_reason(expression: str, sentence: str) -> None:
    with pytest.raises(CronError, match=sentence):
        check_cron(expression, NOW)


def test_a_time_is_due_from_its_second_on() -> None:
    before = YESTERDAY - timedelta(seconds=1)
    assert latest_due(NIGHTLY, NOW, after=before) == YESTERDAY
    assert latest_due(NIGHTLY, NOW, after=YESTERDAY) is None
    assert latest_due(NIGHTLY, NOW + timedelta(seconds=1), after=YESTERDAY) == YESTERDAY + timedelta(days=1)


def test_of_many_missed_times_only_the_newest_counts() -> None:
    assert latest_due(NIGHTLY, NOW, after=NOW - timedelta(days=400)) == YESTERDAY


def test_by_hand_is_never_due() -> None:
    assert latest_due("", NOW, after=NOW - timedelta(days=400)) is None


def test_times_are_those_of_utc_wherever_the_clock_is() -> None:
    there = NOW.astimezone(timezone(timedelta(hours=9)))
    assert latest_due(NIGHTLY, there, after=NOW - timedelta(days=2)) == YESTERDAY
