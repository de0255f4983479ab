"""All failure modes of one run together."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.limits import Ending
from harness.records import TestResult, TestStatus
from runs.analysis.behaviour import behaviour_of, from_json, to_json
from runs.analysis.failures.signs import DETECTORS, signs
from runs.analysis.trajectories.trace import Exercise
from runs.analysis.trajectories.verdict import RunVerdict
from tests.runs.analysis.made_traces import Move, call, edit, missed, read, say, shell, together, trace

FAILED = RunVerdict(resolved=False, ending="completed")


def test_several_modes_at_once_each_with_its_own_steps() -> None:
    moves = [read("a.py"), *[edit("a.py", 60, syntax_ok=True)] * 5, say("Done.")]
    tests = (
        TestResult("t", TestStatus.FAILED, 0.0, "AssertionError: assert 1 == 2"),
        TestResult("u", TestStatus.PASSED),
    )
    counted = behaviour_of(
        trace(*moves),
        Exercise(description="Tides of moon", files=("a.py",)),
        RunVerdict(False, "completed", tests, floor_passed=0),
    )
    assert counted.signs.found == {
        "premature_editing": (2,),
        "large_risky_edits": (2, 3, 4, 5, 6),
        "thrashing": (2, 3, 4, 5, 6),
        "test_misinterpretation": (7,),
        "insufficient_context": (1,),
        "misunderstood_issue": (),
        "stuck_in_loop": (2, 3, 4, 5, 6),
        "no_submission": (7,),
    }
    assert set(counted.signs.undecided) == {"wrong_location", "incomplete_fix", "missed_relevant_file"}
    assert from_json(json.loads(json.dumps(to_json(counted)))) == counted


def test_a_record_without_steps_shows_what_needs_none() -> None:
    assert signs(trace(), Exercise(), FAILED).found == {"no_submission": (), "gave_up_early": ()}


def test_step_ids_are_those_of_the_trajectory() -> None:
    traced = trace(*[missed("a.py")] * 5)
    moved = replace(
        traced,
        iterations=tuple(replace(each, step_id=each.step_id + 40) for each in traced.iterations),
    )
    assert signs(moved, Exercise(), FAILED).found["tool_call_failures"] == (41, 42, 43, 44, 45)


MOVES = st.sampled_from(
    [
        read("a.py"), read("b.py", offset=3, limit=2), edit("a.py"), edit("b.py", 80, syntax_ok=False), missed("a.py"),
        shell("make test"), call("read_file", ok=None, path="a.py"), say(), together(read("b.py"), missed("b.py")),
        call("", path=7), Move(),
    ]
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(MOVES, max_size=40), st.booleans(), st.sampled_from(list(Ending)))
def test_whatever_a_run_did_every_mode_is_there_or_not_or_undecided(
    moves: list[Move], resolved: bool, ending: Ending
) -> None:
    traced = trace(*moves)
    found = signs(traced, Exercise(files=("a.py", "b.py", "c.py", "d.py")), RunVerdict(resolved, ending))
    steps = {each.step_id for each in traced.iterations}

    assert not found.found.keys() & found.undecided.keys()
    assert (found.found.keys() | found.undecided.keys()) <= DETECTORS.keys()
    assert all(list(shown) == sorted(set(shown)) and set(shown) <= steps for shown in found.found.values())
    assert all(found.undecided.values())


@settings(max_examples=40)
@given(st.lists(MOVES, max_size=25), st.lists(MOVES, max_size=25))
def test_what_grows_with_a_run_does_not_go_away(moves: list[Move], more: list[Move]) -> None:
    growing = {"premature_editing", "infinite_exploration", "large_risky_edits", "tool_call_failures", "thrashing",
               "context_loss", "stuck_in_loop", "syntax_error_loop"}  # fmt: skip
    before = signs(trace(*moves), Exercise(), FAILED).found.keys() & growing
    assert before <= signs(trace(*moves, *more), Exercise(), FAILED).found.keys()
