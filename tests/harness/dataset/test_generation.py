"""The record of a generated task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.dataset import Mode, Origin, Target, load_dataset
from harness.dataset.generation import MAX_GENERATION_BYTES, Generation, read_generation
from tests.harness.worlds import CORRUPTED, REMOVED, SKIPPED, write_repair_dataset

SOUND: dict[str, Any] = {
    "schema_version": 1,
    "origin": "removed",
    "targets": [{"path": "a.py", "name": "Cart.add", "occurrence": 1, "operator": "removal"}],
    "measures": {"code_lines": 7},
    "seed": 3,
}


def read(path: Path, **changes: Any) -> tuple[Generation | None, list[tuple[str, str]]]:
    file = path / "generation.json"
    file.write_text(json.dumps({**SOUND, **changes}))
    problems: list[tuple[str, str]] = []
    return read_generation(file, lambda where, reason: problems.append((where, reason))), problems


def test_origin_targets_and_measures_are_read_and_the_rest_is_kept(tmp_path: Path) -> None:
    found, problems = read(tmp_path)
    assert problems == []
    assert found == Generation(
        Origin.REMOVED,
        (Target("a.py", "Cart.add", 1),),
        {"code_lines": 7.0},
        {"targets": SOUND["targets"], "seed": 3},
    )
    assert str(found.targets[0]) == "a.py: Cart.add (2)"


@pytest.mark.parametrize(
    ("changes", "where", "reason"),
    [
        ({"schema_version": 2}, "schema_version", "must be 1"),
        ({"origin": "bought"}, "origin", "must be one of hand-made, removed, corrupted, multiple"),
        ({"targets": "a"}, "targets[1]", "must have a path, a name"),
        ({"targets": [{"path": "a", "name": "", "occurrence": 0}]}, "targets[1]", "must have a path, a name"),
        ({"targets": [{"path": "a", "name": "f"}] * 2}, "targets", "names a function twice"),
        ({"measures": {"code_lines": "7"}}, "measures", "must be an object of numbers"),
        ({"measures": {"code_lines": float("nan")}}, "measures", "must be an object of numbers"),
    ],
)
def test_a_mistake_is_reported_with_its_field(
    tmp_path: Path, changes: dict[str, Any], where: str, reason: str
) -> None:
    _, problems = read(tmp_path, **changes)
    ((place, sentence),) = problems
    assert place == where
    assert sentence.startswith(reason)


@pytest.mark.parametrize("content", [b"{", b"[" * 100_000, b"\xff", b" " * (MAX_GENERATION_BYTES + 1)])
def test_a_file_that_is_no_record_is_reported(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "generation.json"
    file.write_bytes(content)
    problems: list[str] = []
    assert read_generation(file, lambda _, reason: problems.append(reason)) is None
    assert len(problems) == 1


def test_a_dataset_says_where_its_tasks_and_its_code_come_from(tmp_path: Path) -> None:
    dataset = load_dataset(write_repair_dataset(tmp_path))
    repository = dataset.repository("calc")
    assert (repository.licence, repository.origin) == ("MIT", "pkg:generic/calc@1")
    removed, corrupted = repository.task(REMOVED), repository.task(CORRUPTED)
    assert (removed.mode, removed.origin) == (Mode.REMOVE, Origin.REMOVED)
    assert (corrupted.mode, corrupted.origin) == (Mode.DISCOVERY, Origin.CORRUPTED)
    assert removed.targets == (Target("calc/digits.py", "spell"),)
    assert removed.leave_out == (SKIPPED,)
    assert removed.tests.names() == ["hidden/test_negatives.py"]
