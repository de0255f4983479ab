"""Times and free values of records have bounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from harness.records.bounds import moment_of


def test_times_are_from_1970_until_a_day_from_now() -> None:
    assert moment_of("1970-01-01T00:00:00") == datetime(1970, 1, 1, tzinfo=UTC)
    later = datetime.now(UTC) + timedelta(days=2)
    for text in ("1969-12-31T23:59:59Z", later.isoformat(), "99999-01-01T00:00:00Z", "today", ""):
        with pytest.raises(ValueError, match=r"."):
            moment_of(text)
