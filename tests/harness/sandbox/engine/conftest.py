"""A connection to the engine, and a container that no program runs in yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import PurePosixPath

import pytest
from docker import APIClient

from harness.sandbox.base import Owner
from harness.sandbox.engine.client import connect
from harness.sandbox.engine.containers import Container, Recipe, created
from tests.harness.conformance.rig import LIMITS
from tests.harness.worlds import BASE_IMAGE


@pytest.fixture
def api() -> Iterator[APIClient]:
    with closing(connect()) as client:
        yield client.api


@pytest.fixture
def recipe(owner: Owner) -> Recipe:
    """A container that would sleep."""
    return Recipe("test", BASE_IMAGE, ["/bin/sleep", "60"], PurePosixPath("/"), owner, LIMITS)


@pytest.fixture
def container(api: APIClient, recipe: Recipe) -> Iterator[Container]:
    with created(api, recipe) as container:
        yield container
