"""Times of schedules in words."""

from __future__ import annotations

import pytest

from runs.presentation.formatting.cron_words import times_in_words


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("0 3 * * *", "every day at 03:00 UTC"),
        ("5 2,14 * * *", "every day at 02:05 and 14:05 UTC"),
        ("0 * * * *", "every hour at minute 0"),
        ("30 */6 * * *", "every 6 hours, first at 00:30 UTC"),
        ("30 6 * * 1", "Mondays at 06:30 UTC"),
        ("0 2 * * 0", "Sundays at 02:00 UTC"),
        ("0 2 * * 7", "Sundays at 02:00 UTC"),
        ("0 2 * * MON-fri", "Mondays to Fridays at 02:00 UTC"),
        ("0 2 * * 1,wed,5", "Mondays, Wednesdays and Fridays at 02:00 UTC"),
        ("0 3 1 * *", "on day 1 of every month at 03:00 UTC"),
    ],
)
def test_usual_times_are_said_in_words(expression: str, said: str) -> None:
    assert times_in_words(expression) == said


@pytest.mark.parametrize(
    "expression",
    [
        *("", "0 3", "@daily", "*/15 * * * *", "0 3 1 1 *", "0 3 1 * 1", "0 3 L * *", "0 3 * * 8"),
        *("0 */5 * * *", "0 * * * 1", "0 1-3 * * *", "0 3 * * 1-x", "0 3 * * 5L", "0 */x * * *"),
    ],
)
def test_other_times_are_not_said(expression: str) -> None:
    assert times_in_words(expression) == ""
