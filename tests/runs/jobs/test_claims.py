"""Who works on what, and when failed work is tried again."""

from __future__ import annotations

from typing import Any

from runs.jobs.claims import retry_delay


def test_each_wait_is_four_times_as_long_and_no_two_are_alike(settings: Any) -> None:
    settings.RETRY_SECONDS = 5
    waits = {failures: [retry_delay(failures) for _ in range(50)] for failures in (1, 2, 3)}
    assert all(5 <= wait <= 6.25 for wait in waits[1])
    assert all(20 <= wait <= 25 for wait in waits[2])
    assert all(80 <= wait <= 100 for wait in waits[3])
    assert len(set(waits[1])) > 40
