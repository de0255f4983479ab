"""Calls that are made over and over."""

from __future__ import annotations

from runs.analysis.trajectories.repeats import episodes, marks
from tests.runs.analysis.made_traces import call, trace


def test_why_a_call_is_made_does_not_count() -> None:
    first, second, other, another = marks(
        trace(
            call("Bash", command="ls", description="Look around"),
            call("Bash", command="ls", description="Look again"),
            call("Bash", command="ls -l", description="Look again"),
            call("shell", command="ls"),
        ).calls
    )

    assert first == second
    assert len({first, other, another}) == 3


def test_invalid_arguments_are_equal_to_no_others() -> None:
    endless: dict[str, object] = {}
    endless["self"] = endless

    assert len(set(marks(trace(call("x", value=endless), call("x", value=endless)).calls))) == 2
    assert len(set(marks(trace(call("x", value="\ud800"), call("x", value="\ud800")).calls))) == 1


def test_an_episode_has_three_calls_at_least() -> None:
    # a a | b b b | a | c c c c: the rows of three and four are episodes.
    assert episodes([b"a", b"a", b"b", b"b", b"b", b"a", b"c", b"c", b"c", b"c"]) == [
        range(2, 5),
        range(6, 10),
    ]
    assert episodes([]) == []
