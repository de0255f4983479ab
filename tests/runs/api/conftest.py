"""Fixtures of the API tests."""

from __future__ import annotations

import pytest

from runs.api import rate_limiter


@pytest.fixture(autouse=True)
def _fresh_limiter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test tries Redis, even if it was unavailable in the test before."""
    monkeypatch.setattr(rate_limiter, "_retry_at", 0.0)
