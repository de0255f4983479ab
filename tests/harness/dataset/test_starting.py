"""The tree that the agent of a task gets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import load_dataset, load_task, start_digest, started
from harness.functions import find, source_of
from harness.patches import FileState
from tests.harness.worlds import CORRUPTED, REMOVED, tiny_dataset, write_repair_dataset

DIGITS = "calc/digits.py"


def text(state: FileState | None) -> str:
    assert state is not None
    assert state.content is not None
    return state.content.decode()


def test_a_task_starts_with_its_own_patch(tmp_path: Path) -> None:
    repository = load_dataset(write_repair_dataset(tmp_path)).repository("calc")
    removed = started(repository, repository.task(REMOVED))
    found = text(removed.source.read(DIGITS))
    assert (
        source_of(found, find(DIGITS, found, "spell"))
        == 'def spell(number):\n    """`number` in digits."""\n'
    )
    assert "value * 9" in text(started(repository, repository.task(CORRUPTED)).source.read(DIGITS))
    assert "value * 10" in text(repository.source.read(DIGITS))
    assert removed.source.names() == repository.source.names()


def test_different_starts_have_different_digests_and_the_same_environment(tmp_path: Path) -> None:
    repository = load_dataset(write_repair_dataset(tmp_path)).repository("calc")
    both = [started(repository, task) for task in repository.tasks]
    assert len({repository.digest, *(one.digest for one in both)}) == 3
    assert {one.environment_digest for one in both} == {repository.environment_digest}
    assert [start_digest(repository, task) for task in repository.tasks] == [one.digest for one in both]


def test_a_started_repository_stays_as_it_is_and_serves_no_other_task(tmp_path: Path) -> None:
    repository = load_dataset(write_repair_dataset(tmp_path)).repository("calc")
    task = repository.task(REMOVED)
    once = started(repository, task)
    assert started(once, task) is once
    assert start_digest(once, task) == once.digest
    with pytest.raises(ValueError, match="was started for another task than find-fault"):
        started(once, repository.task(CORRUPTED))


def test_a_task_without_a_start_gets_the_source(tmp_path: Path) -> None:
    repository, task = next(tiny_dataset(tmp_path).tasks())
    assert started(repository, task) is repository
    assert start_digest(repository, task) == repository.digest


def test_a_loaded_task_is_started(tmp_path: Path) -> None:
    directory = write_repair_dataset(tmp_path)
    task = load_dataset(directory).repository("calc").task(CORRUPTED)
    repository, again = load_task(directory, "calc", CORRUPTED, digest=task.digest)
    assert again == task
    assert "value * 9" in text(repository.source.read(DIGITS))
    assert replace(repository, tasks=()) == replace(started(repository, again), tasks=())
