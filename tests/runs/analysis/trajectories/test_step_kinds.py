"""What a run did, in a few letters."""

from __future__ import annotations

import pytest

from runs.analysis.trajectories.step_kinds import MAX_LETTERS, step_kinds
from runs.analysis.trajectories.trace import Iteration, Trace, TracedCall


def call(kind: str, *, ok: bool = True, returned: bool = True) -> TracedCall:
    return TracedCall(kind, kind, "other", (), "", {}, returned, ok, "", 0.0)  # type: ignore[arg-type]


def run_of(*iterations: tuple[TracedCall, ...]) -> Trace:
    return Trace(
        tuple(Iteration(place, place, "", "", calls, ()) for place, calls in enumerate(iterations, 1))
    )


@pytest.mark.parametrize(
    ("calls", "letter"),
    [
        ((), "o"),
        ((call("read"),), "r"),
        ((call("read"), call("search")), "s"),
        ((call("read"), call("edit"), call("run")), "e"),
        ((call("run"),), "x"),
        ((call("read", ok=False), call("edit")), "f"),
        ((call("run", ok=False, returned=False),), "x"),
    ],
)
def test_an_iteration_is_what_its_calls_did(calls: tuple[TracedCall, ...], letter: str) -> None:
    assert step_kinds(run_of(calls)) == letter


def test_a_long_run_has_the_letter_of_most_of_its_neighbours() -> None:
    read, edit = (call("read"),), (call("edit"),)
    assert step_kinds(run_of()) == ""
    assert step_kinds(run_of(*[read] * MAX_LETTERS)) == "r" * MAX_LETTERS
    kinds = step_kinds(run_of(*([read, edit, edit] * 25 + [read] * 75)))
    assert kinds == "e" * 25 + "r" * 25  # of three neighbours each
