"""The sweeper removes only images that no loaded dataset needs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from runs.intake.reported.storing import store
from tasks.loading import load
from tests.harness.worlds import write_tiny_dataset
from tests.runs.intake.reported.made_results import reported, two_agents

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """The command sets handlers of its process; afterwards they are as before."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_without_a_dataset_that_is_run_here_no_image_is_removed() -> None:
    store(reported(two_agents()))
    with pytest.raises(CommandError, match="no dataset is loaded, so every image would be removed: run"):
        call_command("sweep", "--images")


def test_with_an_unreadable_dataset_no_image_is_removed(tmp_path: Path) -> None:
    directory = write_tiny_dataset(tmp_path)
    load(directory)
    (directory / "dataset.toml").unlink()
    with pytest.raises(CommandError, match=r"dataset\.toml"):
        call_command("sweep", "--images")


def test_without_an_engine_the_reason_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    load(write_tiny_dataset(tmp_path))
    store(reported(two_agents()))  # has no directory, and needs no image
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(CommandError, match="no Docker engine responds at unix:"):
        call_command("sweep", "--images", "--dry-run")


@pytest.mark.parametrize("days", ["-1", "nan", "soon"])
def test_an_age_that_is_none_is_refused(days: str) -> None:
    with pytest.raises(CommandError, match="--older-than"):
        call_command("sweep", "--images", f"--older-than={days}")
