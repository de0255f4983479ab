"""What tests of the API share."""

from __future__ import annotations

import pytest

from runs.api import rate_limiter


@pytest.fixture(autouse=True)
def _awake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Redis is asked in each test, whether or not it was away in the one before."""
    monkeypatch.setattr(rate_limiter, "_asked_again_at", 0.0)
