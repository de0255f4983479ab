"""The steps of two runs side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runs.views.compare_pages.step_alignment import aligned, window
from tests.runs.data.replay.tapes import append, step, write


def read(number: int, path: str) -> dict[str, Any]:
    return step(number, "read_file", {"path": path})


def run(number: int, command: str) -> dict[str, Any]:
    return step(number, "run_terminal_cmd", {"command": command})


def test_equal_acts_share_a_line(tmp_path: Path) -> None:
    one = write(tmp_path / "one", [step(1), read(2, "a.py"), run(3, "make  all")])
    two = write(tmp_path / "two", [step(7), read(8, "moon.py"), read(9, "/app/a.py"), run(10, "make all")])

    found = aligned(one, two)
    pairs = window(one, two, found, 0, 99)

    assert [
        (pair.one and pair.one.number, pair.two and pair.two.number, pair.alike, pair.diverges)
        for pair in pairs
    ] == [
        (1, 7, True, False),
        (None, 8, False, True),
        (2, 9, True, False),
        (3, 10, True, False),
    ]


def test_a_window_has_only_its_lines(tmp_path: Path) -> None:
    paths = [f"{number}.py" for number in range(1, 6)]
    one = write(tmp_path / "one", [read(number, path) for number, path in enumerate(paths, 1)])
    two = write(tmp_path / "two", [read(number, path) for number, path in enumerate(paths[:3], 1)])
    found = aligned(one, two)
    (pair,) = window(one, two, found, 3, 1)
    assert pair.one is not None
    assert (pair.one.number, pair.two, pair.alike, pair.diverges) == (4, None, False, True)
    assert [pair.diverges for pair in window(one, two, found, 4, 9)] == [False]
    assert window(one, two, found, 5, 9) == ()


def test_a_growing_run_is_aligned_again(tmp_path: Path) -> None:
    one = write(tmp_path / "one", [read(1, "a.py")])
    two = write(tmp_path / "two", [read(1, "a.py")])
    before = aligned(one, two)
    assert (before.parting, aligned(one, two) is before) == (None, True)
    append(two / "trajectory.jsonl", [read(2, "b.py")])
    assert aligned(one, two).parting == 1


def test_runs_without_steps_have_no_lines(tmp_path: Path) -> None:
    assert window(tmp_path, tmp_path, aligned(tmp_path, tmp_path), 0, 9) == ()
