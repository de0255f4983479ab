"""Exit codes at the start or the end of the results of commands."""

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
        ("Wall time: 0.0000 seconds\nProcess exited with code 2\nOutput:\n", 2),
        ("Chunk ID: b24883\nWall time: 1.5 seconds\nProcess exited with code 0\nOutput:\n", 0),
        ("Wall time: 0.0 seconds\nOutput:\nExit code: 1\nfailed", 1),
        ("Wall time: 0.0 seconds\nProcess running with session ID 5", None),
        ("no rule\n[Command finished with exit code 2]", 2),
        ("[Command finished with exit code 2]\nis what it printed", None),
        ("the exit code 1 means a failure", None),
        ("exit code unknown", None),
        ("", None),
    ],
)
def test_a_code_is_read_where_the_tool_writes_it(content: str, code: int | None) -> None:
    assert code_of(call("run_terminal_cmd", content=content, command="make")) == code


def test_only_commands_with_a_result_have_a_code() -> None:
    assert code_of(call("read_file", content="exit code 2", path="a.txt")) is None
    assert code_of(call("run_terminal_cmd", None, "exit code 2", command="make")) is None
    # A refused call has a result all the same.
    assert code_of(call("run_terminal_cmd", False, "exit code 2", command="make")) == 2
