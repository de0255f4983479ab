"""A start loads those shipped datasets that have changed since they were loaded."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchbench import dataset_memory
from benchbench.dataset_memory import MEMORY, load_if_changed
from harness.dataset import DatasetError
from tasks.loading import load
from tasks.models import Dataset, Task
from tests.harness.worlds import write_tiny_dataset

pytestmark = pytest.mark.django_db

DESCRIPTION = "calc/tasks/add-negatives/description.md"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A dataset that was loaded."""
    directory = write_tiny_dataset(tmp_path)
    assert load_if_changed(directory)
    return directory


def change_in_secret(directory: Path) -> None:
    """Changes a file, but not its size and the time that programs can set."""
    path = directory / DESCRIPTION
    before = path.stat()
    path.write_text(path.read_text().swapcase())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_the_files_are_read_once(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Dataset.objects.values().get()
    monkeypatch.delattr(dataset_memory, "load")
    assert not load_if_changed(tiny)
    assert Dataset.objects.values().get() == before


@pytest.mark.parametrize(
    "change",
    [
        change_in_secret,
        lambda directory: (directory / "calc" / "new.txt").write_text("new"),
        lambda directory: (directory / DESCRIPTION).chmod(0o600),
        lambda directory: load(write_tiny_dataset(directory.parent / "other")),
        lambda directory: Dataset.objects.all().delete(),
    ],
    ids=["content", "new file", "mode", "other files loaded", "no longer in the database"],
)
def test_they_are_read_again_after_a_change(tiny: Path, change: Callable[[Path], object]) -> None:
    (tiny.parent / "other").mkdir()
    change(tiny)
    assert load_if_changed(tiny)
    assert Task.objects.get().description == (tiny / DESCRIPTION).read_text()
    assert not load_if_changed(tiny)


def test_other_source_code_reads_them_again(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset_memory, "source_digest", lambda: "other")
    assert load_if_changed(tiny)


@pytest.mark.parametrize("damaged", ["", "[]", "{"])
def test_without_memory_they_are_read(tiny: Path, settings: Any, damaged: str) -> None:
    (settings.DATA / MEMORY).write_text(damaged)
    assert load_if_changed(tiny)
    assert not load_if_changed(tiny)


def test_a_dataset_with_problems_is_refused_at_each_start(tiny: Path) -> None:
    (tiny / "dataset.toml").write_text("")
    for _ in range(2):
        with pytest.raises(DatasetError):
            load_if_changed(tiny)
