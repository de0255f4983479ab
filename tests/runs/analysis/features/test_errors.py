"""Errors, recovery and repetition."""

from __future__ import annotations

from tests.runs.analysis.features.made_features import counted
from tests.runs.analysis.made_traces import (
    call,
    missed,
    read,
)


def test_errors_and_what_came_after() -> None:
    run = counted(
        missed("src/a.py"),
        call("read_file", ok=False, path="x"),
        call("run_terminal_cmd", content="exit code 2 after 0.1 s\nno rule", command="make"),
        call("run_terminal_cmd", content="Exit code: 1", command="make"),
        call("run_terminal_cmd", None, command="make"),
        call("run_terminal_cmd", content="exit code 0 after 0.1 s", command="make"),
        read("src/a.py"),
    )
    # Two refusals, two commands that failed; the one without a result does not count.
    assert [run["total_errors"], run["tool_errors_count"]] == [4, 2]
    # The read and both commands worked later, the replacement never: 3 of 4.
    assert [run["recovered_errors"], run["recovery_rate"]] == [3, 0.75]
    assert counted(read("src/a.py"))["recovery_rate"] is None


def test_alike_are_calls_that_differ_in_their_reason_alone() -> None:
    rows = [read("a", explanation="Look."), read("a", explanation="Look again."), read("a")]
    run = counted(*rows, read("b"), *rows, read("a"), read("a"))
    # aaa b aaaaa: two rows of three or more, the longest of five; eight calls alike.
    assert [run[name] for name in ("stuck_episodes", "max_stuck_duration", "max_repetition")] == [2, 5, 8]
    calm = counted(read("a"), read("a"), read("b"))
    assert [calm[name] for name in ("stuck_episodes", "max_stuck_duration", "max_repetition")] == [0, 0, 2]
