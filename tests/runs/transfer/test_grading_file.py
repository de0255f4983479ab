"""The file of a grading by this site counts only for the records that it was written for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.utils import timezone

from runs.transfer.grading_file import grading_in, write_grading
from runs.work.execution.run_signature import sign_file

KEY = "elsewhere/visitor/calc/add/1"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "patch.diff").write_text("a patch")
    (tmp_path / "tests.json").write_text("{}")
    write_grading(tmp_path, KEY, 7, timezone.now(), ("resolved", 8))
    return tmp_path


def test_it_is_read_again(directory: Path) -> None:
    found = grading_in(directory, KEY)
    assert found is not None
    assert (found.run_id, found.submission, found.claimed_outcome, found.claimed_passed) == (
        KEY,
        7,
        "resolved",
        8,
    )


@pytest.mark.parametrize("name", ["patch.diff", "tests.json"])
def test_beside_other_records_it_says_nothing(directory: Path, name: str) -> None:
    (directory / name).write_text("another")
    assert grading_in(directory, KEY) is None


def test_for_another_run_it_says_nothing(directory: Path) -> None:
    assert grading_in(directory, "elsewhere/visitor/calc/add/2") is None


def test_a_changed_or_unsigned_one_says_nothing(directory: Path) -> None:
    path = directory / "gradings/here.json"
    stored = json.loads(path.read_bytes())
    path.write_text(json.dumps({**stored, "claimed_outcome": "unresolved"}))
    assert grading_in(directory, KEY) is None
    (directory / "gradings/here.sig").unlink()
    path.write_text(json.dumps(stored))
    assert grading_in(directory, KEY) is None


@pytest.mark.parametrize(
    "content", ["[]", "{", '{"version": 2}', '{"version": 1}', "null", '{"version": 1, "x": 1}']
)
def test_a_signed_one_of_another_shape_says_nothing(directory: Path, content: str) -> None:
    path = directory / "gradings/here.json"
    path.write_text(content)
    sign_file(path)
    assert grading_in(directory, KEY) is None


def test_without_a_file_there_is_none(tmp_path: Path) -> None:
    assert grading_in(tmp_path, KEY) is None
