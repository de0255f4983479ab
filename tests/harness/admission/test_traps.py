"""Which traps admission accepts. The test runs are played by a function; `test_admit.py` has real ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest

from harness.admission.traps import MAX_CANDIDATES, MAX_RUNS, MORE_RUNS, prove
from harness.dataset import Trap
from harness.grading.hidden_tests import TestRun
from harness.grading.traps.choosing import candidates
from harness.grading.traps.placing import place
from harness.patches import FileState
from harness.records import TestResult, TestStatus
from harness.sandbox.base import CommandResult

NAMES = [f"test_number_{word}" for word in ("one", "two", "three", "four", "five")]
TEXT = "\n\n".join(f"def {name}():\n    assert f() == {number * 7}\n" for number, name in enumerate(NAMES))
FILE = FileState("test_sums.py", TEXT.encode())
TESTS = [f"test_sums::{name}" for name in NAMES]

Broken = Callable[[Trap], bool]


def no_trap(trap: Trap) -> bool:
    return False


class Runs:
    """Test runs with the reference patch.

    `passing` traps pass, `disturbing` ones let every other test fail, and those `in_front` let the test fail of which
    they are copies, if they stand in front of it.
    """

    def __init__(
        self,
        *,
        passing: Broken = no_trap,
        disturbing: Broken = no_trap,
        in_front: Broken = no_trap,
        exit_codes: Sequence[int] = (1,),
    ) -> None:
        self.passing, self.disturbing, self.in_front = passing, disturbing, in_front
        self.exit_codes = exit_codes
        self.sizes: list[int] = []

    def __call__(self, traps: Sequence[Trap]) -> TestRun:
        code = self.exit_codes[len(self.sizes) % len(self.exit_codes)]
        self.sizes.append(len(traps))
        there = place([FILE], traps, Random(3 * len(self.sizes)))
        text = (there.files[0].content or b"").decode()
        failed = {
            original
            for name, original in there.originals.items()
            if self.in_front(there.traps[name])
            and (text.index(f" {name}(") < text.index(f" {original}(")) != (name in there.swapped)
        }
        disturbed = any(map(self.disturbing, traps))
        tests = [
            TestResult(test, TestStatus.ERROR if disturbed or name in failed else TestStatus.PASSED)
            for name, test in zip(NAMES, TESTS, strict=True)
        ]
        found = {
            name: [
                TestResult(name, TestStatus.PASSED if self.passing(trap) else TestStatus.FAILED, 0.25),
            ]
            for name, trap in there.traps.items()
        }
        output = f"{len(found)} failed, {len(tests)} passed in 1.0s\n"
        return TestRun(tuple(tests), CommandResult(code, output, 1.0), (), "", there, found)


def test_all_candidates_are_tried_at_once_and_some_twice_as_for_a_grade() -> None:
    runs = Runs()
    traps = prove([FILE], TESTS, runs)
    assert traps is not None
    known = candidates([FILE], TESTS)[:MAX_CANDIDATES]
    assert set(traps.known) == set(known)
    assert (traps.exit_code, traps.closing) == (1, "# failed, # passed in #")
    assert runs.sizes == [len(known)] * (1 + MORE_RUNS) + [5, 5]


@pytest.mark.parametrize(("end", "closing"), [("", ""), ("6 of 11 passed\n", "# of # passed")])
def test_a_last_line_about_one_test_does_not_close_the_output(end: str, closing: str) -> None:
    """With traps, that test fails in some runs and passes in others."""

    def run_tests(traps: Sequence[Trap]) -> TestRun:
        test_run = Runs()(traps)
        output = f"{end}ok 1 - {NAMES[0]}\nnot ok 2 - {NAMES[-1]}\n"
        return replace(test_run, command=CommandResult(1, output, 1.0))

    traps = prove([FILE], TESTS, run_tests)
    assert traps is not None
    assert traps.closing == closing


def test_a_trap_that_the_reference_passes_is_not_used() -> None:
    traps = prove([FILE], TESTS, Runs(passing=lambda trap: "_one/" in trap.key))
    assert traps is not None
    assert {trap.key.partition("/")[0] for trap in traps.known} == set(NAMES) - {"test_number_one"}


def test_a_trap_that_disturbs_other_tests_is_found_and_left_out() -> None:
    runs = Runs(disturbing=lambda trap: trap.key == "test_number_two/1")
    traps = prove([FILE], TESTS, runs)
    assert traps is not None
    assert "test_number_two/1" not in {trap.key for trap in traps.known}
    assert len(runs.sizes) <= MAX_RUNS + MORE_RUNS + 2


def test_traps_of_a_test_that_cannot_run_twice_are_left_out() -> None:
    traps = prove([FILE], TESTS, Runs(in_front=lambda trap: "_one/" in trap.key or "_two/" in trap.key))
    assert traps is not None
    assert {trap.key.partition("/")[0] for trap in traps.known} == set(NAMES[2:])


def test_what_a_trap_takes_is_measured_with_the_reference_and_with_the_unchanged_code() -> None:
    unchanged = [TestResult(f"{TESTS[1]}[{case}]", TestStatus.FAILED, 0.6) for case in "ab"]
    traps = prove([FILE], TESTS, Runs(), unchanged=unchanged)
    assert traps is not None
    assert {(trap.key.partition("/")[0], trap.seconds) for trap in traps.known} == {
        (name, 1.2 if name == NAMES[1] else 0.25) for name in NAMES
    }


def test_fewer_than_three_usable_traps_are_none() -> None:
    assert prove([FILE], TESTS, Runs(passing=lambda trap: True)) is None
    assert prove([FILE], TESTS[:2], Runs(passing=lambda trap: not trap.key.endswith("one/1"))) is None
    assert prove([FileState("data.bin", b"\0")], TESTS, Runs()) is None


def test_a_script_that_ends_in_different_ways_has_no_traps() -> None:
    assert prove([FILE], TESTS, Runs(exit_codes=(1, 1, 2))) is None
