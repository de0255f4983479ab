"""The input and the result of the check for one failure mode."""

from __future__ import annotations

from runs.analysis.failures.finding import ABSENT, Case, Finding, found, undecided
from runs.analysis.trajectories.trace import Exercise
from runs.analysis.trajectories.verdict import RunVerdict
from tests.runs.analysis.made_traces import edit, missed, read, say, trace

FAILED = RunVerdict(resolved=False, ending="completed")


def test_steps_come_in_order_each_once() -> None:
    assert found([7, 2, 7, 4]) == Finding(True, (2, 4, 7))
    assert found() == Finding(True, ())


def test_undecided_is_neither_present_nor_absent() -> None:
    assert undecided("no patch") == Finding(None, (), "no patch")
    assert Finding(False, (), "") == ABSENT


def test_a_case_has_edit_attempts_and_reads() -> None:
    moves = (read("a.py"), missed("b.py"), edit("b.py"), read("nowhere.py"))
    case = Case.of(trace(*moves), Exercise(files=("a.py", "b.py")), FAILED)

    assert [(one.step_id, one.paths, one.landed) for one in case.edits] == [
        (2, ("b.py",), False),
        (3, ("b.py",), True),
    ]
    # The last read names no file of the workspace.
    assert [(one.path, one.position) for one in case.reads] == [("a.py", 0)]


def test_the_last_step_is_missing_without_steps() -> None:
    assert Case.of(trace(read("a.py"), say()), Exercise(), FAILED).last_step == (2,)
    assert Case.of(trace(), Exercise(), FAILED).last_step == ()
