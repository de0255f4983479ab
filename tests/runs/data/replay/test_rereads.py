"""Reads that show nothing new."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from runs.analysis.trajectories.reads import Read
from runs.data.replay.open_index import outline
from runs.data.replay.rereads import ShownRanges
from runs.data.replay.step_filter import StepCondition
from tests.runs.data.replay.tapes import edit, step, write


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


def shown(path: str = "a.py", first: float = 1, last: float = math.inf) -> Read:
    return Read(path, 1, 0, first, last)


@pytest.fixture
def ranges() -> Iterator[ShownRanges]:
    """Nothing was shown yet."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(ShownRanges.TABLE)
        yield ShownRanges(database)


def test_parts_that_were_shown_one_by_one_count_as_one(ranges: ShownRanges) -> None:
    assert not ranges.repeats([shown(first=1, last=10)])
    assert not ranges.repeats([shown(first=11, last=20)])
    assert ranges.repeats([shown(first=5, last=15)])
    assert not ranges.repeats([shown(first=15, last=21)])


def test_one_repeated_read_of_several_is_enough_and_all_count_as_shown(ranges: ShownRanges) -> None:
    assert not ranges.repeats([])
    assert not ranges.repeats([shown("a.py")])
    assert ranges.repeats([shown("a.py"), shown("b.py")])
    assert ranges.repeats([shown("b.py")])


def test_a_change_makes_only_its_own_file_new(ranges: ShownRanges) -> None:
    ranges.repeats([shown("a.py"), shown("b\ud800.py")])
    ranges.changed("a.py")
    assert not ranges.repeats([shown("a.py")])
    assert ranges.repeats([shown("b\ud800.py")])
