"""Indexes are created, shared, rebuilt and done without: a reader always sees the steps."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from runs.data.replay import index as index_module
from runs.data.replay.open_index import _memory, index_path, update_index
from tests.runs.data.replay.tapes import numbers, step, tamper, write


@pytest.mark.parametrize("damage", [b"", b"not a database at all", b"SQLite format 3\0" + b"\xff" * 8000])
def test_a_damaged_index_is_rebuilt(directory: Path, damage: bytes) -> None:
    write(directory, [step(1)])
    update_index(directory)
    place = index_path(directory)
    assert place is not None
    place.write_bytes(damage)
    assert numbers(directory) == [1]
    assert place.stat().st_size > 8192


def test_an_index_damaged_in_the_middle_is_rebuilt(directory: Path) -> None:
    write(directory, [step(n, "read_file", {"path": f"{n}.py"}) for n in range(1, 400)])
    update_index(directory)
    place = index_path(directory)
    assert place is not None
    content = place.read_bytes()
    middle = len(content) // 2 // 4096 * 4096
    place.write_bytes(content[:middle] + b"\xa5" * 8192 + content[middle + 8192 :])
    assert numbers(directory) == list(range(1, 400))
    assert place.stat().st_size == len(content)


def test_an_index_of_another_format_is_rebuilt(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(directory, [step(1)])
    monkeypatch.setattr(index_module, "FORMAT", 999)
    update_index(directory)
    monkeypatch.undo()
    assert numbers(directory) == [1]


def test_all_indexes_may_be_deleted(directory: Path, data_directory: Path) -> None:
    write(directory, [step(1)])
    update_index(directory)
    shutil.rmtree(data_directory / "replay")
    assert numbers(directory) == [1]


def test_if_nothing_can_be_written_it_is_in_memory(directory: Path, data_directory: Path) -> None:
    write(directory, [step(1)])
    (data_directory / "replay").write_text("no directory")
    assert numbers(directory) == [1]
    tamper(directory, b'"step_id": 1', b'"step_id": 9', unseen=True)
    assert numbers(directory) == [1]
    write(directory, [step(2)])
    assert numbers(directory) == [9, 2]


def test_memory_is_limited_to_the_last_few(data_directory: Path, tmp_path: Path) -> None:
    assert numbers(write(tmp_path / "first", [step(1)])) == [1]
    oldest = _memory[tmp_path / "first"]
    for number in range(10):
        assert numbers(write(tmp_path / str(number), [step(1)])) == [1]
    assert len(_memory) == 4
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        oldest.database.execute("SELECT 1")


def test_a_run_without_a_directory_has_no_steps(directory: Path, data_directory: Path) -> None:
    assert numbers(directory) == []
    assert numbers(data_directory / "runs") == []
    assert not (data_directory / "replay").exists()


def test_a_read_only_index_is_still_read(directory: Path) -> None:
    write(directory, [step(1)])
    update_index(directory)
    place = index_path(directory)
    assert place is not None
    place.chmod(stat.S_IRUSR)
    assert numbers(directory) == [1]


def test_an_index_lies_outside_of_the_run_directory(
    directory: Path, data_directory: Path, tmp_path: Path
) -> None:
    assert index_path(directory) == data_directory / "replay" / "tape" / "try-1" / "index.sqlite3"
    assert index_path(data_directory / "runs") is None
    assert index_path(tmp_path) is None


def test_a_failed_index_is_only_logged(
    directory: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write(directory, [step(1)])
    monkeypatch.setattr(index_module.Index, "grow", lambda _self: 1 / 0)
    update_index(directory)
    assert f"{directory}: the replay index could not be created" in caplog.text
    monkeypatch.undo()
    assert numbers(directory) == [1]
