"""What the tests of monitoring share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    """No test reads a cached value."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def all_down(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither Redis nor a container engine responds."""
    settings.REDIS_URL = f"unix://{tmp_path}/none.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
