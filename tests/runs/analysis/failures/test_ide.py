"""The twelve modes of IDE-Bench, each on both sides of its threshold."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records import TestResult, TestStatus
from runs.analysis.facts import Signs
from runs.analysis.failures.signs import signs
from runs.analysis.trajectories.trace import Exercise
from runs.analysis.trajectories.verdict import RunVerdict
from tests.runs.analysis.made_traces import (
    Move,
    call,
    changed,
    edit,
    missed,
    read,
    say,
    shell,
    together,
    trace,
)

FILES = tuple(f"f{number}.py" for number in range(10))
FAILED = RunVerdict(resolved=False, ending="completed")


def look(mode: str, *moves: Move, exercise: Exercise | None = None, verdict: RunVerdict = FAILED) -> Any:
    """Step ids, the reason why it is undecided, or False."""
    found: Signs = signs(trace(*moves), exercise or Exercise(files=FILES), verdict)
    return found.found.get(mode, found.undecided.get(mode, False))


class TestPrematureEditing:
    def test_two_files_before_the_first_edit_are_too_few_and_three_are_not(self) -> None:
        two = [read("f0.py"), read("f1.py")]
        assert look("premature_editing", *two, edit("f0.py"), read("f2.py")) == (3,)
        assert look("premature_editing", *two, read("f2.py"), edit("f0.py")) is False

    def test_one_file_twice_is_one(self) -> None:
        assert look("premature_editing", read("f0.py"), read("f0.py"), read("f1.py"), edit("f0.py")) == (4,)

    def test_what_is_read_before_in_the_same_step_counts(self) -> None:
        step = together(read("f0.py"), read("f1.py"), read("f2.py"), edit("f0.py"), read("f3.py"))
        assert look("premature_editing", step) is False

    def test_an_edit_that_fails_or_is_made_by_shell_is_an_edit(self) -> None:
        assert look("premature_editing", missed("f0.py")) == (1,)
        assert look("premature_editing", shell("sed -i s/a/b/ f0.py", changed("f0.py"))) == (1,)

    def test_without_an_edit_there_is_none(self) -> None:
        assert look("premature_editing", read("f0.py")) is False


class TestSyntaxErrorLoop:
    BAD = edit("f0.py", syntax_ok=False)
    GOOD = edit("f0.py", syntax_ok=True)

    def test_two_in_a_row_are_no_loop_and_three_are(self) -> None:
        assert look("syntax_error_loop", self.BAD, self.BAD, self.GOOD) is False
        assert look("syntax_error_loop", self.BAD, self.BAD, self.BAD, self.GOOD) == (1, 2, 3)

    def test_a_repair_or_another_files_good_edit_resets_the_count(self) -> None:
        assert look("syntax_error_loop", self.BAD, self.BAD, self.GOOD, self.BAD, self.BAD) is False
        other = edit("f1.py", syntax_ok=True)
        assert look("syntax_error_loop", self.BAD, self.BAD, other, self.BAD) is False

    def test_reading_in_between_does_not(self) -> None:
        moves = [self.BAD, read("f0.py"), self.BAD, shell("pytest"), self.BAD]
        assert look("syntax_error_loop", *moves) == (1, 3, 5)

    def test_an_edit_that_fails_on_a_broken_file_is_one_and_on_a_sound_one_is_none(self) -> None:
        assert look("syntax_error_loop", self.BAD, missed("f0.py"), missed("f0.py")) == (1, 2, 3)
        assert look("syntax_error_loop", missed("f0.py"), missed("f0.py"), missed("f0.py")) is False

    def test_a_tool_that_refuses_what_does_not_parse_says_so(self) -> None:
        refused = missed("a.c", content="refused: syntax error in line 3\nnothing was written")
        assert look("syntax_error_loop", refused, refused, refused) == (1, 2, 3)
        quoted = missed("a.c", content="not found; most alike:\nexcept SyntaxError:")
        assert look("syntax_error_loop", quoted, quoted, quoted) is False

    def test_without_a_check_it_is_undecided_unless_there_are_too_few_edits(self) -> None:
        unknown = edit("a.c")
        assert look("syntax_error_loop", unknown, unknown) is False
        assert look("syntax_error_loop", unknown, unknown, unknown) == (
            "the syntax of what was changed was not checked"
        )

    def test_prose_and_deleted_files_have_no_syntax(self) -> None:
        gone = edit("a.c", change="deleted")
        assert look("syntax_error_loop", edit("README.md"), gone, edit("notes.txt")) is False


class TestWrongFileTargeting:
    def test_more_than_half_must_fail(self) -> None:
        half = [missed("f0.py"), edit("f0.py")]
        assert look("wrong_file_targeting", *half) is False
        assert look("wrong_file_targeting", *half, missed("f1.py")) == (1, 3)

    def test_less_than_thirty_percent_of_the_files_must_have_been_read(self) -> None:
        # 2 of 10 files, then 3 of 10.
        two = [read("f0.py"), read("f1.py")]
        assert look("wrong_file_targeting", *two, missed("f0.py")) == (3,)
        assert look("wrong_file_targeting", *two, read("f2.py"), missed("f0.py")) is False

    @pytest.mark.parametrize("files", [None, ()])
    def test_without_a_list_of_files_it_is_undecided(self, files: tuple[str, ...] | None) -> None:
        unknown = Exercise(files=files)
        assert look("wrong_file_targeting", missed("f0.py"), exercise=unknown) == (
            "the files of the workspace are not known"
        )
        assert look("wrong_file_targeting", edit("f0.py"), exercise=unknown) is False


@pytest.mark.parametrize(("idle", "expected"), [(14, False), (15, False), (16, tuple(range(2, 18)))])
def test_more_than_fifteen_iterations_without_an_edit_are_exploration_without_end(
    idle: int, expected: Any
) -> None:
    moves = [edit("f0.py"), *[read("f0.py")] * idle, missed("f0.py"), *[say()] * 15]
    assert look("infinite_exploration", *moves) == expected


def test_a_build_is_no_edit_between_iterations() -> None:
    make = shell("make", changed("a.o", 0, 0, binary=True))
    assert look("infinite_exploration", *[make] * 16) == tuple(range(1, 17))


@pytest.mark.parametrize(("lines", "expected"), [(49, False), (50, False), (51, (1,))])
def test_an_edit_of_more_than_fifty_lines_is_risky(lines: int, expected: Any) -> None:
    assert look("large_risky_edits", edit("f0.py", lines, 0), edit("f0.py", 50, 50)) == expected
    assert look("large_risky_edits", edit("f0.py", 3, lines)) == expected


def test_one_edit_of_two_files_is_as_large_as_both_and_two_edits_are_two() -> None:
    patch = Move(call("apply_patch").calls, (changed("f0.py", 30, 0), changed("f1.py", 21, 0)))
    assert look("large_risky_edits", patch) == (1,)
    assert look("large_risky_edits", together(edit("f0.py", 30), edit("f0.py", 30))) is False


class TestIterationExhaustion:
    @pytest.mark.parametrize(("iterations", "expected"), [(99, False), (100, (100,)), (101, (101,))])
    def test_as_many_as_were_allowed(self, iterations: int, expected: Any) -> None:
        verdict = RunVerdict(False, "completed", iteration_limit=100)
        assert look("iteration_exhaustion", *[say()] * iterations, verdict=verdict) == expected

    def test_the_limit_is_the_runs_own(self) -> None:
        verdict = RunVerdict(False, "completed", iteration_limit=3)
        assert look("iteration_exhaustion", *[say()] * 3, verdict=verdict) == (3,)

    def test_where_it_is_unknown_the_ending_decides(self) -> None:
        assert look("iteration_exhaustion", *[say()] * 120) is False
        assert look("iteration_exhaustion", say(), verdict=RunVerdict(False, "iteration_limit")) == (1,)
        assert look("iteration_exhaustion", say(), verdict=RunVerdict(False, "time_limit")) is False


def test_infrastructure_is_the_outcome() -> None:
    broken = RunVerdict(False, "infrastructure", infrastructure_failed=True)
    assert look("infrastructure_errors", say(), verdict=broken) == (1,)
    assert look("infrastructure_errors", verdict=broken) == ()
    assert look("infrastructure_errors", say()) is False


def test_edits_that_never_change_anything_are_none_that_succeeded() -> None:
    assert look("no_successful_edits", missed("f0.py"), missed("f0.py")) == (1, 2)
    assert look("no_successful_edits", missed("f0.py"), edit("f0.py")) is False
    assert look("no_successful_edits", missed("f0.py"), shell("echo > f0.py", changed("f0.py"))) is False
    assert look("no_successful_edits", read("f0.py")) is False


@pytest.mark.parametrize(("calls", "expected"), [(4, False), (5, (2, 3, 4, 5, 6)), (6, (2, 3, 4, 5, 6, 7))])
def test_five_failed_calls_are_many(calls: int, expected: Any) -> None:
    refused = call("read_file", ok=False, path="none.py")
    unanswered = call("read_file", ok=None, path="f0.py")
    assert look("tool_call_failures", read("f0.py"), *[refused] * calls, unanswered) == expected


def test_failed_calls_of_one_step_are_several() -> None:
    assert look("tool_call_failures", together(*[missed("f0.py")] * 5)) == (1,)


@pytest.mark.parametrize(("edits", "expected"), [(4, False), (5, (1, 2, 3, 4, 5))])
def test_more_than_four_edits_of_one_file_thrash(edits: int, expected: Any) -> None:
    assert look("thrashing", *[edit("f0.py")] * edits, edit("f1.py"), missed("f0.py")) == expected


@pytest.mark.parametrize(("times", "expected"), [(5, False), (6, False), (7, (2, 3, 4, 5, 6, 7))])
def test_more_than_five_readings_after_the_first_lose_context(times: int, expected: Any) -> None:
    assert look("context_loss", *[read("f0.py")] * times, read("f1.py")) == expected


def test_going_through_a_long_file_is_no_loss_of_context() -> None:
    pages = [read("f0.py", offset=1 + 100 * page, limit=100) for page in range(9)]
    assert look("context_loss", *pages) is False


class TestTestMisinterpretation:
    PASSED, FAILED = (TestStatus.PASSED, ""), (TestStatus.FAILED, "AssertionError: assert 1 == 2")

    @staticmethod
    def judged(
        *tests: tuple[TestStatus, str], ending: str = "completed", floor: int | None = 0
    ) -> RunVerdict:
        results = tuple(
            TestResult(f"t{number}", status, 0.0, text) for number, (status, text) in enumerate(tests)
        )
        return RunVerdict(False, ending, results, floor_passed=floor)

    def look(self, verdict: RunVerdict, *moves: Move) -> Any:
        return look("test_misinterpretation", *(moves or (edit("f0.py"),)), say("Done."), verdict=verdict)

    def test_a_finished_agent_with_most_tests_passed_and_a_failed_assertion_misread_it(self) -> None:
        assert self.look(self.judged(self.PASSED, self.FAILED)) == (2,)
        assert self.look(self.judged(self.PASSED, self.FAILED, ending="iteration_limit")) is False
        assert self.look(RunVerdict(True, "completed")) is False

    def test_tests_that_pass_on_untouched_code_are_no_correct_implementation(self) -> None:
        ten = [self.PASSED] * 8
        assert self.look(self.judged(*ten, self.FAILED, self.FAILED, floor=8)) is False
        assert self.look(self.judged(*ten, self.FAILED, self.FAILED, floor=7)) is False
        assert self.look(self.judged(*ten, self.FAILED, self.FAILED, floor=6)) == (2,)

    def test_without_an_edit_that_landed_nothing_was_implemented(self) -> None:
        verdict = self.judged(self.PASSED, self.FAILED)
        assert self.look(verdict, read("f0.py")) is False
        assert self.look(verdict, missed("f0.py")) is False

    def test_other_errors_are_no_misreading(self) -> None:
        assert self.look(self.judged(self.PASSED, (TestStatus.FAILED, "KeyError: 'a'"))) is False
        # Nothing of the test itself ran.
        assert self.look(self.judged(self.PASSED, (TestStatus.ERROR, "AssertionError: make failed"))) is False
        assert self.look(self.judged(self.PASSED, (TestStatus.MISSING, ""))) is False

    def test_without_tests_their_messages_or_the_floor_it_is_undecided(self) -> None:
        assert self.look(FAILED) == "no test was recorded"
        silent = self.judged(
            self.PASSED, self.PASSED, (TestStatus.FAILED, ""), (TestStatus.FAILED, "KeyError: 'a'")
        )
        assert self.look(silent) == "the test runner does not say why tests failed"
        broken = RunVerdict(False, "infrastructure", infrastructure_failed=True)
        assert self.look(broken) == "the infrastructure failed"
        unknown = self.judged(self.PASSED, self.FAILED, floor=None)
        assert self.look(unknown) == "it is not known how many tests pass on the untouched code"
