"""JSON Lines files are read from any offset, whatever they contain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runs.data.replay.jsonl import complete_lines, edits_in, last_lines, read_at, stamp, step_in
from tests.runs.data.replay.tapes import edit, step


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two lines, and a third that is still being written."""
    path = tmp_path / "trajectory.jsonl"
    path.write_bytes(b"one\ntwo 2\nthr")
    return path


def test_complete_lines_come_with_their_offsets(file: Path) -> None:
    assert list(complete_lines(file, 0, 13)) == [(0, b"one\n"), (4, b"two 2\n")]
    assert list(complete_lines(file, 4, 13)) == [(4, b"two 2\n")]


def test_a_line_beyond_the_end_is_left_out(file: Path) -> None:
    assert list(complete_lines(file, 0, 9)) == [(0, b"one\n")]
    assert list(complete_lines(file, 10, 13)) == []
    assert list(complete_lines(file, 13, 99)) == []


def test_bytes_are_read_from_an_offset_as_far_as_there_are_any(file: Path) -> None:
    assert read_at(file, 4, 3) == b"two"
    assert read_at(file, 10, 99) == b"thr"
    assert read_at(file, 99, 1) == b""


def test_the_last_lines_are_whole(file: Path) -> None:
    assert last_lines(file, 99) == [b"one", b"two 2"]
    assert last_lines(file, 13) == [b"one", b"two 2"]
    assert last_lines(file, 12) == [b"two 2"]
    assert last_lines(file, 3) == []


def test_a_missing_file_has_no_lines(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    assert list(complete_lines(nothing, 0, 10)) == []
    assert read_at(nothing, 0, 10) == b""
    assert last_lines(nothing, 10) == []
    assert stamp(nothing) == (0, 0)


def test_a_stamp_is_the_time_and_the_size(file: Path) -> None:
    assert stamp(file) == (file.stat().st_mtime_ns, 13)


def test_a_line_is_a_step_or_the_edits_of_one() -> None:
    read = step_in(json.dumps(step(3, message="Ahoy")).encode())
    assert read is not None
    assert (read.step_id, read.message) == (3, "Ahoy")
    changed = edits_in(json.dumps(edit(3, "a.py")).encode())
    assert changed is not None
    assert (changed.step_id, [file.path for file in changed.files]) == (3, ["a.py"])


def test_invalid_utf_8_is_replaced() -> None:
    read = step_in(b'{"step_id": 1, "source": "agent", "message": "a\xffb"}')
    assert read is not None
    assert read.message == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nonsense",
        b"[1]",
        b"null",
        b'{"source": "agent"}',
        b"[" * 100_000,
        b'{"step_id": 1, "files": [{"colour": "red"}]}',
        b'{"step_id": 1, "files": 7}',
    ],
)
def test_other_lines_are_no_edits(line: bytes) -> None:
    assert edits_in(line) is None


@pytest.mark.parametrize("line", [b"", b"nonsense", b"[1]", b"null", b'{"source": "agent"}', b"[" * 100_000])
def test_other_lines_are_no_steps(line: bytes) -> None:
    assert step_in(line) is None
