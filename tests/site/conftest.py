"""Fixtures: the demonstration world, built once for each test file that uses it, and an empty cast."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import override_settings

from tests.runs.cast import Cast
from tests.site.world import World


@pytest.fixture(scope="module")
def shared_world(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[World, Path]]:
    """The world and its run directories; gone with the file."""
    runs = tmp_path_factory.mktemp("world") / "runs"
    with django_db_blocker.unblock(), override_settings(RUNS_ROOT=runs), transaction.atomic():
        world = World()
    yield world, runs
    with django_db_blocker.unblock():
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture
def world(shared_world: tuple[World, Path], db: None, settings: Any) -> World:
    """The world; whatever a test changes in its database is undone."""
    found, settings.RUNS_ROOT = shared_world
    return found


@pytest.fixture
def cast() -> Cast:
    """Agents, tasks and runs to build a site from."""
    return Cast()
