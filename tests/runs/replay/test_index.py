"""The index of steps is built once, extended while the run goes on, and rebuilt if it is damaged."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runs.replay import index as index_module
from runs.replay.open_index import _memory, index_path, outline, update_index
from runs.replay.step_filter import StepCondition
from tests.runs.replay.tapes import append, edit, step, write


@pytest.fixture
def directory(data_directory: Path) -> Path:
    return data_directory / "runs" / "tape" / "try-1"


def tamper(directory: Path, old: bytes, new: bytes, *, unseen: bool = False) -> None:
    """Overwrites bytes of the trajectory in place, so that reading them again is visible.

    `unseen`: the file says that it was not written since.
    """
    assert len(old) == len(new)
    path = directory / "trajectory.jsonl"
    before = path.stat()
    with path.open("r+b") as file:
        content = file.read()
        assert old in content
        file.seek(0)
        file.write(content.replace(old, new))
    if unseen:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def numbers(directory: Path) -> list[int]:
    with outline(directory) as steps:
        return [row.number for row in steps.rows(StepCondition(), 0, 1_000)]


def test_a_row_has_the_facts_of_a_step(directory: Path) -> None:
    write(directory, [step(1, "edit_file", {"path": "a.py"}, ok=False)], [edit(1, "a.py", "b.py")])
    with outline(directory) as steps:
        row = steps.row(1)
        assert row is not None
        assert (row.kind, row.tool, row.about, row.failed, row.tokens) == (
            "edit",
            "edit_file",
            "a.py",
            True,
            110,
        )
        assert (row.files, row.added, row.removed) == (2, 2, 2)
        read = steps.step(row)
        assert read is not None
        assert read.calls[0].arguments == {"path": "a.py"}
        changed = steps.edits(1)
        assert changed is not None
        assert [file.path for file in changed.files] == ["a.py", "b.py"]
        assert steps.row(2) is None
        assert steps.edits(2) is None


@pytest.mark.parametrize(
    ("tool", "result", "code"),
    [
        ("run_terminal_cmd", "exit code 2 after 0.61 s\nmake: *** [all] Error 1", 2),
        ("run_terminal_cmd", "exit code 0 after 0.61 s\nexit code 2", None),
        ("run_terminal_cmd", "killed by SIGKILL after 9.00 s", None),
        ("read_file", "exit code 2 after 0.61 s", None),
    ],
)
def test_exit_codes_are_read_from_the_head_of_a_result(
    directory: Path, tool: str, result: str, code: int | None
) -> None:
    write(directory, [step(1, tool, {"command": "make -s test", "path": "a.c"}, result=result)])
    with outline(directory) as steps:
        (row,) = steps.rows(StepCondition(), 0, 9)
    assert (row.exit_code, row.failed) == (code, False)


def test_it_is_built_once(directory: Path) -> None:
    write(directory, [step(n) for n in range(1, 4)])
    update_index(directory)
    tamper(directory, b'"step_id": 2', b'"step_id": 8', unseen=True)

    assert numbers(directory) == [1, 2, 3]


def test_only_appended_lines_are_read(directory: Path) -> None:
    write(
        directory,
        [step(n, "edit_file", {"path": "a.py"}, result="x" * 2_000) for n in (1, 2, 3)],
        [edit(1, "a.py")],
    )
    update_index(directory)
    tamper(directory, b'"step_id": 2', b'"step_id": 8')
    write(directory, [step(4, "edit_file", {"path": "b.py"})], [edit(4, "b.py")])

    assert numbers(directory) == [1, 2, 3, 4]
    with outline(directory) as steps:
        assert [row.edited for row in steps.rows(StepCondition(), 0, 9)] == [True, False, False, True]


def test_an_incomplete_line_is_left_for_later(directory: Path) -> None:
    write(directory, [step(1)])
    line = json.dumps(step(2)) + "\n"
    with (directory / "trajectory.jsonl").open("a") as file:
        file.write(line[:20])
        file.flush()
        assert numbers(directory) == [1]
        file.write(line[20:])
    assert numbers(directory) == [1, 2]


def test_invalid_lines_are_counted_and_left_out(directory: Path) -> None:
    write(directory, [step(1)])
    with (directory / "trajectory.jsonl").open("ab") as file:
        file.write(b'nonsense\n{"step_id": "x"}\n\xff\n[1]\n{"step_id": 99999999999, "source": "agent"}\n')
    append(
        directory / "trajectory.jsonl", [step(2, message="\ud800 \0"), {**step(3), "tool_calls": [{"x": 1}]}]
    )
    with outline(directory) as steps:
        assert [row.number for row in steps.rows(StepCondition(), 0, 9)] == [1, 2]
        assert steps.unreadable == 6


def test_invalid_numbers_count_as_zero(directory: Path) -> None:
    odd = step(1, "read_file", {"path": "a.py"}, seconds=-5)
    odd["metrics"] = {"prompt_tokens": -3, "completion_tokens": 1e300, "cost_usd": float("nan")}
    write(directory, [odd])
    with outline(directory) as steps:
        row = steps.row(1)
        assert row is not None
        assert (row.seconds, row.tokens, row.cost_usd) == (0.0, 0, None)


def _replace_by_another(directory: Path) -> None:
    shutil.rmtree(directory)
    write(directory, [step(7), step(8)])


def _rewrite_in_place(directory: Path) -> None:
    path = directory / "trajectory.jsonl"
    path.write_bytes(
        path.read_bytes().replace(b'"step_id": 1,', b'"step_id": 7,').replace(b'id": 2,', b'id": 8,')
    )


def _rewrite_longer(directory: Path) -> None:
    path = directory / "trajectory.jsonl"
    text = (
        path.read_text().replace('"step_id": 1,', '"step_id": 7,').replace('"step_id": 2,', '"step_id": 8,')
    )
    path.write_text(text.replace("Step 1.", "A longer step."))


@pytest.mark.parametrize("change", [_replace_by_another, _rewrite_in_place, _rewrite_longer])
def test_a_replaced_trajectory_is_read_again(directory: Path, change: Callable[[Path], None]) -> None:
    write(directory, [step(1), step(2)])
    assert numbers(directory) == [1, 2]
    change(directory)
    assert numbers(directory) == [7, 8]


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


def test_the_run_directory_is_not_changed(directory: Path) -> None:
    write(directory, [step(1)], [edit(1, "a.py")])
    update_index(directory)
    assert sorted(path.name for path in directory.iterdir()) == ["edits.jsonl", "trajectory.jsonl"]


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


class TestRepeatedReads:
    def again(self, directory: Path) -> list[int]:
        with outline(directory) as steps:
            return [row.number for row in steps.rows(StepCondition(), 0, 99) if row.again]

    def test_show_only_lines_shown_before(self, directory: Path) -> None:
        whole = {"path": "a.py"}
        steps: list[dict[str, Any]] = [
            whole,
            {"path": "b.py"},
            {"path": "a.py", "offset": 5, "limit": 10},
            whole,
        ]
        write(directory, [step(n, "read_file", arguments) for n, arguments in enumerate(steps, 1)])
        assert self.again(directory) == [3, 4]

    def test_are_none_when_the_next_part_is_read(self, directory: Path) -> None:
        parts = [{"path": "a.py", "offset": first, "limit": 10} for first in (1, 11, 6, 40)]
        write(directory, [step(n, "read_file", arguments) for n, arguments in enumerate(parts, 1)])
        assert self.again(directory) == [3]

    def test_are_none_after_any_change_of_the_file(self, directory: Path) -> None:
        read = ("read_file", {"path": "a.py"})
        write(
            directory,
            [
                step(1, *read),
                step(2, "run_terminal_cmd", {"command": "make"}),
                step(3, *read),
                step(4, *read),
            ],
            [edit(2, "a.py")],
        )
        assert self.again(directory) == [4]

    def test_are_the_same_for_a_growing_run(self, directory: Path) -> None:
        seen = []
        for number in range(1, 7):
            changed = [edit(number, "a.py")] if number == 3 else []
            write(directory, [step(number, "read_file", {"path": "a.py"})], changed)
            seen.append(self.again(directory))
        assert seen[-1] == [2, 3, 5, 6]

    def test_include_shell_commands_but_not_failed_calls(self, directory: Path) -> None:
        cat = {"command": "cat a.py"}
        write(
            directory,
            [
                step(1, "read_file", {"path": "a.py"}, ok=False),
                step(2, "run_terminal_cmd", cat),
                step(3, "bash", cat),
            ],
        )
        assert self.again(directory) == [3]
