"""The index of steps is built once, extended while the run goes on, and rebuilt if it is damaged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from runs.data.replay.open_index import outline, update_index
from runs.data.replay.step_filter import StepCondition
from tests.runs.data.replay.tapes import append, edit, numbers, step, tamper, write


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
    odd["extra"]["model"] = {"seconds": float("inf")}
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


def test_the_run_directory_is_not_changed(directory: Path) -> None:
    write(directory, [step(1)], [edit(1, "a.py")])
    update_index(directory)
    assert sorted(path.name for path in directory.iterdir()) == ["edits.jsonl", "trajectory.jsonl"]
