"""Exit codes at the start of the results of commands."""

from __future__ import annotations

import pytest

from runs.analysis.trajectories.exits import exit_code
from tests.runs.analysis.made_traces import Move, call, trace


def code_of(move: Move) -> int | None:
    (made,) = trace(move).calls
    return exit_code(made)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("exit code 2 after 0.1 s\nno rule", 2),
        ("exit code 0 after 3.0 s", 0),
        ("Exit code: 127\nnot found", 127),
        ("<returncode>1</returncode>\n<output>", 1),
        ("exit_code=3", 3),
        ("<returncode>-9</returncode>", -9),
        ("Exit code: -11", -11),
        ("the exit code 1 means a failure", None),
        ("exit code unknown", None),
        ("", None),
    ],
)
def test_a_code_is_read_at_the_start_of_the_result(content: str, code: int | None) -> None:
    assert code_of(call("run_terminal_cmd", content=content, command="make")) == code


def test_only_commands_with_a_result_have_a_code() -> None:
    assert code_of(call("read_file", content="exit code 2", path="a.txt")) is None
    assert code_of(call("run_terminal_cmd", None, "exit code 2", command="make")) is None
    # A refused call has a result all the same.
    assert code_of(call("run_terminal_cmd", False, "exit code 2", command="make")) == 2
