"""The run directories that tests of several modules read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from runs.data.replay.open_index import outline
from runs.data.replay.outline import Outline
from tests.runs.data.replay.tapes import edit, step, write

STEPS = [
    step(1, message="I look around."),
    step(2, "read_file", {"path": "src/a.py"}),
    step(3, "edit_file", {"path": "src/a.py"}),
    step(4, "run_terminal_cmd", {"command": "pytest -q"}, ok=False),
    step(5, "read_file", {"path": "src/b.py"}),
    step(6, "read", {"path": "src/b.py"}),
    step(7, "run_terminal_cmd", {"command": "make"}, result="exit code 2 after 0.6 s\nError 1"),
]


@pytest.fixture
def steps(data_directory: Path) -> Iterator[Outline]:
    """A short run with a call of each kind, a failed call, a failed command and two changes."""
    directory = write(
        data_directory / "runs" / "x" / "try-1", STEPS, [edit(3, "src/a.py"), edit(7, "out.txt")]
    )
    with outline(directory) as found:
        yield found


@pytest.fixture
def directory(data_directory: Path) -> Path:
    """Where a run lies, before anything is written."""
    return data_directory / "runs" / "tape" / "try-1"
