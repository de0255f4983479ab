"""The verifiers that search the chat, the files and the names of new files."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset import Tree
from harness.dataset.verifier_kinds import (
    ChatOrToolRegexp,
    ChatRegexp,
    NewFileRegexp,
    Occurrences,
    SourceRegexp,
)
from harness.grading.verifiers.final_state import FinalState
from harness.grading.verifiers.findings import Finding
from harness.grading.verifiers.texts import check_chat, check_new_file, check_source
from harness.patches import FileState
from harness.records import Step, ToolCall, ToolResult

STEPS = (
    Step(1, "", "user", "Please say finished."),
    Step(
        2,
        "",
        "agent",
        "I run the tests.",
        reasoning="finished?",
        calls=(ToolCall("1", "run_terminal_cmd", {"command": 'pytest -k "a"', "timeout": 60}),),
        results=(ToolResult("1", "3 passed", ok=True, seconds=1.0),),
    ),
    Step(3, "", "agent", "It is finished. Finished!"),
)


def chat(pattern: str, expected: int = 1, *, strict: bool = False) -> Finding:
    return check_chat(ChatRegexp("n", Occurrences(pattern, expected, strict)), STEPS, seconds=10.0)


def with_tools(pattern: str) -> Finding:
    return check_chat(ChatOrToolRegexp("n", Occurrences(pattern)), STEPS, seconds=10.0)


def test_only_the_agents_messages_are_chat() -> None:
    assert chat("finished") == Finding(
        True, "1 match, at least 1 is expected; first in step 3, line 1: finished"
    )
    assert chat("Please|passed|pytest") == Finding(False, "0 matches, at least 1 is expected")


def test_a_strict_pattern_occurs_exactly_as_often() -> None:
    assert chat("(?i)finished", 2, strict=True).passed
    assert chat("(?i)finished", 1, strict=True) == Finding(
        False, "2 matches, exactly 1 is expected; first in step 3, line 1: finished"
    )
    assert chat("sorry", 0, strict=True) == Finding(True, "0 matches, exactly 0 are expected")


@pytest.mark.parametrize(
    ("pattern", "place"),
    [
        ("finished", "step 3, line 1"),
        ("run_terminal_cmd", "step 2, call, line 1"),
        ('(?m)^command: pytest -k "a"$', "step 2, call, line 2"),
        ("timeout: 60", "step 2, call, line 3"),
        ("3 passed", "step 2, result, line 1"),
    ],
)
def test_calls_and_results_are_searched_with_tools(pattern: str, place: str) -> None:
    found = with_tools(pattern)
    assert found.passed
    assert f"first in {place}: " in found.message


def test_reasoning_and_the_user_are_never_searched() -> None:
    assert not with_tools(r"finished\?|Please").passed


def test_a_hostile_pattern_fails_with_a_reason() -> None:
    steps = [Step(1, "", "agent", "a" * 60 + "b")]
    found = check_chat(ChatRegexp("n", Occurrences("(a+)+$")), steps, seconds=1.0)
    assert found == Finding(False, "the search took more than 1 s")


@pytest.fixture
def state(tmp_path: Path) -> FinalState:
    (tmp_path / "a.py").write_text("old()  # new()\n")
    source = Tree(tmp_path)
    changed = [FileState("src/b.py", b"new()\n# old()\n\xff"), FileState("c.txt", b"old()")]
    return FinalState(source, source.read, changed)


@pytest.mark.parametrize(
    ("verifier", "passed", "message"),
    [
        (
            SourceRegexp("n", "**/*.py", Occurrences(r"new\(\)", 2)),
            True,
            "2 matches, at least 2 are expected; first in a.py, line 1: new()",
        ),
        (
            SourceRegexp("n", "**/*.py", Occurrences(r"new\(\)", 2), uncommented_only=True),
            False,
            "1 match, at least 2 are expected; first in src/b.py, line 1: new()",
        ),
        (
            SourceRegexp("n", "src/b.py", Occurrences("old", 0, strict=True), uncommented_only=True),
            True,
            "0 matches, exactly 0 are expected",
        ),
        (SourceRegexp("n", "*.c", Occurrences("old", 0, strict=True)), False, "no file matches *.c"),
    ],
)
def test_source(state: FinalState, verifier: SourceRegexp, passed: bool, message: str) -> None:
    assert check_source(verifier, state, seconds=10.0) == Finding(passed, message)


@pytest.mark.parametrize(
    ("pattern", "passed", "message"),
    [
        (r"src/.*\.py", True, "src/b.py is new"),
        ("b.py", False, "none of 2 new files has a path that matches: c.txt, src/b.py"),
        ("a.py", False, "none of 2 new files has a path that matches: c.txt, src/b.py"),
    ],
)
def test_a_new_file_matches_with_its_whole_path(
    state: FinalState, pattern: str, passed: bool, message: str
) -> None:
    assert check_new_file(NewFileRegexp("n", pattern), state, seconds=10.0) == Finding(passed, message)


def test_the_names_of_new_files_are_searched_with_a_limit(tmp_path: Path) -> None:
    source = Tree(tmp_path)
    state = FinalState(source, source.read, [FileState("a" * 60 + "b", b"")])
    found = check_new_file(NewFileRegexp("n", "(a+)+"), state, seconds=1.0)
    assert found == Finding(False, "the search took more than 1 s")
