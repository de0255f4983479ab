"""An engine, and an owner of its containers."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from harness.sandbox.base import Owner
from harness.sandbox.docker import DockerEngine


@pytest.fixture
def engine() -> Iterator[DockerEngine]:
    engine = DockerEngine()
    yield engine
    engine.close()


@pytest.fixture
def owner() -> Owner:
    return Owner(f"docker-{uuid4().hex[:8]}", "run-1")
