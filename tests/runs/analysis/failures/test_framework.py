"""The seven modes of Table 7, each on both sides of its threshold, and the two that the text only names."""

from __future__ import annotations

from typing import Any

import pytest

from runs.analysis.failures.signs import signs
from runs.analysis.trajectories.trace import Exercise
from runs.analysis.trajectories.verdict import RunVerdict
from tests.runs.analysis.made_traces import Move, call, edit, missed, read, say, shell, trace

FAILED = RunVerdict(resolved=False, ending="completed")


def diff(path: str, *lines: str) -> bytes:
    """A patch in git's format that adds these lines to a file."""
    body = "".join(f"+{line}\n" for line in lines)
    return f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,0 +2,{len(lines)} @@\n{body}".encode()


def look(mode: str, *moves: Move, verdict: RunVerdict = FAILED, **exercise: Any) -> Any:
    """Step ids, the reason why it is undecided, or False."""
    found = signs(trace(*moves), Exercise(**exercise), verdict)
    return found.found.get(mode, found.undecided.get(mode, False))


@pytest.mark.parametrize(("exploring", "expected"), [(6, False), (7, False), (8, tuple(range(1, 9)))])
def test_more_than_seventy_percent_of_the_calls_explore_too_much(exploring: int, expected: Any) -> None:
    moves = [read("a.py")] * exploring + [shell("make test")] * (10 - exploring)
    assert look("excessive_exploration", *moves) == expected


def test_without_a_call_there_is_no_share() -> None:
    assert look("excessive_exploration", say()) == "the agent called no tool"


def test_fewer_than_two_files_are_too_little_context() -> None:
    assert look("insufficient_context", say()) == ()
    assert look("insufficient_context", read("a.py"), read("a.py")) == (1, 2)
    assert look("insufficient_context", read("a.py"), read("b.py")) is False
    assert look("insufficient_context") == "the agent took no step"


class TestMisunderstoodIssue:
    # Ten keywords; "the" and "of" are none.
    TEN = "The tide table of harbour: moon, late boats, missing lights, sunken anchors"

    def test_less_than_a_fifth_of_the_keywords(self) -> None:
        # 1 of 10 and 2 of 10.
        assert look("misunderstood_issue", say("the tide"), description=self.TEN) == ()
        assert look("misunderstood_issue", say("the tide of boats"), description=self.TEN) is False

    def test_paths_and_identifiers_are_words_too(self) -> None:
        moves = [read("harbour/readTideTable.py")]
        assert look("misunderstood_issue", *moves, description=self.TEN) is False

    def test_what_tools_return_is_not_the_agents_word(self) -> None:
        read_text = call("read_file", content=self.TEN, path="x.py")
        assert look("misunderstood_issue", read_text, description=self.TEN) == ()

    def test_without_keywords_or_steps_it_is_undecided(self) -> None:
        assert look("misunderstood_issue", say(), description="Do it!") == "the description holds no keyword"
        assert look("misunderstood_issue", description=self.TEN) == "the agent took no step"


class TestWrongLocation:
    REFERENCE = diff("a.py", "x") + diff("b.py", "y")

    def test_no_file_of_the_reference_is_changed(self) -> None:
        moves = [read("a.py"), edit("c.py"), edit("d.py")]
        assert look("wrong_location", *moves, patch=diff("c.py", "x"), reference=self.REFERENCE) == (2,)

    def test_one_right_file_beside_a_wrong_one_is_the_right_place(self) -> None:
        patch = diff("b.py", "z") + diff("tests/test_b.py", "z")
        assert look("wrong_location", edit("b.py"), patch=patch, reference=self.REFERENCE) is False

    def test_no_change_is_no_wrong_one(self) -> None:
        assert look("wrong_location", say(), reference=self.REFERENCE) is False

    def test_without_a_readable_reference_it_is_undecided(self) -> None:
        patch = diff("c.py", "x")
        assert look("wrong_location", patch=patch) == "the reference patch is not known"
        assert look("wrong_location", patch=diff("../c", "x"), reference=patch) == "a patch cannot be read"


@pytest.mark.parametrize(
    ("shared", "ours", "theirs", "expected"),
    [
        # shared ÷ (ours + theirs − shared), lines of both patches.
        (3, 6, 7, False),  # 3 ÷ 10 = 0.3
        (4, 7, 7, (1,)),  # 4 ÷ 10 = 0.4
        (6, 8, 8, (1,)),  # 6 ÷ 10 = 0.6
        (7, 8, 9, False),  # 7 ÷ 10 = 0.7
        (0, 0, 3, False),  # nothing was done: 0
        (3, 3, 3, False),  # all of it: 1
    ],
)
def test_a_patch_that_is_half_the_reference_is_incomplete(
    shared: int, ours: int, theirs: int, expected: Any
) -> None:
    common = [f"common {number}" for number in range(shared)]
    mine = diff("a.py", *common, *(f"mine {number}" for number in range(ours - shared)))
    gold = diff("a.py", *common, *(f"gold {number}" for number in range(theirs - shared)))
    assert look("incomplete_fix", edit("a.py"), patch=mine, reference=gold) == expected


def test_without_lines_to_compare_nothing_is_incomplete() -> None:
    assert look("incomplete_fix", say(), patch=b"", reference=b"") == "neither patch has a line to compare"
    assert look("incomplete_fix", say()) == "the reference patch is not known"
    assert look("incomplete_fix", reference=diff(".git/x", "y")) == "a patch cannot be read"


class TestStuckInLoop:
    def test_two_equal_calls_are_no_loop_and_three_are(self) -> None:
        assert look("stuck_in_loop", read("a.py"), read("a.py"), read("b.py")) is False
        assert look("stuck_in_loop", say(), *[read("a.py")] * 3, read("b.py")) == (2, 3, 4)

    def test_another_explanation_does_not_make_another_call(self) -> None:
        moves = [call("read_file", path="a.py", explanation=why) for why in ("why", "why not", "again")]
        assert look("stuck_in_loop", *moves) == (1, 2, 3)

    def test_another_argument_or_tool_does(self) -> None:
        moves = [read("a.py"), read("a.py"), read("a.py", offset=9), call("list_dir", path="a.py")]
        assert look("stuck_in_loop", *moves, read("a.py")) is False

    def test_what_was_said_in_between_does_not(self) -> None:
        moves = [read("a.py"), say("Hm."), read("a.py"), say("Hm."), read("a.py")]
        assert look("stuck_in_loop", *moves) == (1, 3, 5)


@pytest.mark.parametrize("ending", ["iteration_limit", "token_limit", "cost_limit", "time_limit", "context_limit",
                                    "agent_error"])  # fmt: skip
def test_a_run_that_was_ended_handed_nothing_in(ending: str) -> None:
    assert look("no_submission", say(), verdict=RunVerdict(False, ending), patch=diff("a.py", "x")) == (1,)


def test_a_run_without_a_patch_handed_nothing_in() -> None:
    assert look("no_submission", read("a.py"), say()) == (2,)
    assert look("no_submission", say(), patch=diff("a.py", "x")) is False


@pytest.mark.parametrize("mode", ["no_submission", "gave_up_early"])
def test_a_run_that_others_ended_is_no_submission_that_fails(mode: str) -> None:
    reason = "the infrastructure failed, or the run was cancelled"
    assert look(mode, verdict=RunVerdict(False, "cancelled")) == reason
    assert look(mode, verdict=RunVerdict(False, "infrastructure", infrastructure_failed=True)) == reason


def test_giving_up_is_to_end_without_a_try() -> None:
    assert look("gave_up_early", read("a.py"), say("Too hard.")) == (2,)
    assert look("gave_up_early", missed("a.py"), say("Too hard.")) is False
    assert look("gave_up_early", say(), patch=diff("a.py", "x")) is False
    assert look("gave_up_early", say(), verdict=RunVerdict(False, "time_limit")) is False


class TestMissedRelevantFile:
    REFERENCE = diff("a.py", "x") + diff("b.py", "y") + diff("new.py", "z")
    FILES = ("a.py", "b.py", "c.py")

    def test_none_of_the_references_files_was_seen(self) -> None:
        known: dict[str, Any] = {"reference": self.REFERENCE, "files": self.FILES}
        assert look("missed_relevant_file", read("c.py"), edit("new.py"), **known) == ()
        assert look("missed_relevant_file", read("b.py"), **known) is False
        assert look("missed_relevant_file", edit("a.py"), **known) is False

    def test_without_the_facts_it_is_undecided(self) -> None:
        assert look("missed_relevant_file", files=self.FILES) == "the reference patch is not known"
        assert look("missed_relevant_file", reference=self.REFERENCE) == (
            "the files of the workspace are not known"
        )
        assert look("missed_relevant_file", reference=diff("new.py", "z"), files=self.FILES) == (
            "the reference patch changes no file that was there"
        )
        assert look("missed_relevant_file", reference=diff("/a", "z"), files=self.FILES) == (
            "a patch cannot be read"
        )
