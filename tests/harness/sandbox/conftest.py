"""An engine, an owner of its containers, and a clean one of the tiny dataset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from harness.sandbox.base import Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.sandbox.clean import Clean
from tests.harness.worlds import tiny_dataset


@pytest.fixture
def engine() -> Iterator[DockerEngine]:
    engine = DockerEngine()
    yield engine
    engine.close()


@pytest.fixture
def owner() -> Owner:
    return Owner(f"docker-{uuid4().hex[:8]}", "run-1")


@pytest.fixture
def clean(engine: DockerEngine, owner: Owner, tmp_path: Path) -> Clean:
    return Clean(engine, owner, tmp_path, tiny_dataset(tmp_path).repository("calc"))
