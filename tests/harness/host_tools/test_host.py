"""The tools that work on the host, over files in memory and an examiner that says what it is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from harness.dataset import Generation, Origin, Target
from harness.errors import InfrastructureError
from harness.host_tools.examination import Examination
from harness.host_tools.host import NO_TESTS, HostTools
from harness.limits import Limits, Spending
from harness.patches import FileState
from harness.records import FileEdit, TestResult, TestStatus
from harness.sandbox.base import Changes, ToolReply
from harness.tools.inside.protocol import WHOLE_FILE
from tests.harness.repairs import DIGITS, PARSE, SPELL, repair_task
from tests.harness.worlds import REMOVED

FAILED = Examination((TestResult("a", TestStatus.FAILED),), resolved=False)


class Shelf:
    """A workspace of files in memory, whose clock stands still unless tests run."""

    workdir = PurePosixPath("/app")

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.now = 0.0
        self.refuses_writes = False

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        path = str(arguments["path"]).removeprefix("/app/")
        if tool == WHOLE_FILE:
            found = self.files.get(path)
            return ToolReply(found is not None, f"there is no file {path!r}" if found is None else found, 0.0)
        assert (tool, timeout) == ("write_file", 9.0)
        if self.refuses_writes:
            return ToolReply(False, "the disk is full", 0.0)
        self.files[path] = arguments["content"]
        return ToolReply(True, "written", 0.0, (FileEdit(path, "modified", 1, 1),))

    def restore(self, files: Sequence[FileState]) -> None:
        raise NotImplementedError

    def peek(self) -> Changes:
        return Changes()

    def changes(self) -> Changes:
        return Changes()

    def examine(self, changes: Changes) -> Examination:
        self.now += 60.0
        return FAILED


class Host:
    """The tools, over a shelf, for a task with these targets."""

    def __init__(self, root: Path, *targets: Target, tested: bool = True) -> None:
        repository, task = repair_task(root, REMOVED)
        task = replace(task, generation=Generation(Origin.REMOVED, targets))
        self.shelf = Shelf()
        self.spending = Spending(Limits(wall_seconds=100.0), clock=lambda: self.shelf.now)
        self.tools = HostTools(repository, task, self.shelf, self.spending, self.shelf if tested else None)

    def call(self, tool: str, /, **arguments: Any) -> str:
        reply = self.tools.call(tool, arguments, timeout=9.0)
        assert reply is not None
        return reply.content


def test_other_tools_do_not_run_here(tmp_path: Path) -> None:
    assert Host(tmp_path).tools.call("read_file", {"path": "a"}, timeout=9.0) is None


def test_without_targets_or_without_tests_nothing_can_be_submitted(tmp_path: Path) -> None:
    none = Host(tmp_path / "a").call("submit_attempt", code=SPELL)
    assert none == "This task names no function, so there is nothing to submit with submit_attempt."
    untested = Host(tmp_path / "b", Target(DIGITS, "spell"), tested=False)
    assert untested.call("submit_attempt", code=SPELL) == NO_TESTS
    assert (untested.shelf.files, untested.spending.submissions) == ({}, 0)


def test_of_several_targets_one_is_named_and_attempts_at_the_others_stay(tmp_path: Path) -> None:
    host = Host(tmp_path, Target(DIGITS, "spell"), Target(DIGITS, "parse"))
    assert "Give one of these names." in host.call("submit_attempt", code=SPELL)
    host.call("submit_attempt", code=SPELL, name="spell")
    host.call("submit_attempt", code=PARSE, name="parse")
    assert SPELL in host.shelf.files[DIGITS]
    assert PARSE in host.shelf.files[DIGITS]
    host.call("submit_attempt", code="def spell(number):\n    return 7\n", name="spell")
    assert SPELL not in host.shelf.files[DIGITS]
    assert PARSE in host.shelf.files[DIGITS]
    assert host.spending.submissions == 3


def test_attempts_are_restored_from_the_files_of_an_earlier_workspace(tmp_path: Path) -> None:
    targets = (Target(DIGITS, "spell"), Target(DIGITS, "parse"), Target("calc/gone.py", "lost"))
    first = Host(tmp_path / "a", *targets)
    first.call("submit_attempt", code=PARSE, name="parse")
    second = Host(tmp_path / "b", *targets)
    second.tools.restore(
        [FileState(DIGITS, first.shelf.files[DIGITS].encode()), FileState("calc/gone.py", None)]
    )
    second.call("submit_attempt", code=SPELL, name="spell")
    assert SPELL in second.shelf.files[DIGITS]
    assert PARSE in second.shelf.files[DIGITS]


def test_a_submission_is_taken_once_and_its_time_left_out(tmp_path: Path) -> None:
    host = Host(tmp_path, Target(DIGITS, "spell"))
    reply = host.tools.call("submit_attempt", {"code": SPELL}, timeout=9.0)
    assert reply is not None
    assert (reply.ok, reply.edits, reply.seconds) == (True, (FileEdit(DIGITS, "modified", 1, 1),), 0.0)
    made = host.tools.submission()
    assert made is not None
    assert (made.number, made.function, made.passed, made.failed, made.seconds) == (1, "spell", 0, 1, 60.0)
    assert host.tools.submission() is None
    assert host.spending.seconds_left == 100.0


def test_the_time_of_tests_that_break_off_is_left_out_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(tmp_path, Target(DIGITS, "spell"))

    def breaks(_changes: Changes) -> Examination:
        host.shelf.now += 30.0
        raise InfrastructureError("the engine is gone")

    monkeypatch.setattr(host.shelf, "examine", breaks)
    with pytest.raises(InfrastructureError):
        host.call("submit_attempt", code=SPELL)
    assert host.tools.submission() is None
    assert (host.spending.submissions, host.spending.seconds_left) == (1, 100.0)


def test_a_refused_write_is_no_submission(tmp_path: Path) -> None:
    host = Host(tmp_path, Target(DIGITS, "spell"))
    host.shelf.refuses_writes = True
    assert host.call("submit_attempt", code=SPELL) == "the disk is full"
    assert (host.spending.submissions, host.tools.submission()) == (0, None)


@pytest.mark.parametrize(
    ("path", "recorded"),
    [("calc/a.py", "calc/a.py"), ("/app/calc/a.py", "calc/a.py"), ("./calc/../calc/a.py", "calc/a.py")],
)
def test_the_path_of_a_replacement_is_recorded_as_patches_name_it(
    tmp_path: Path, path: str, recorded: str
) -> None:
    host = Host(tmp_path)
    host.shelf.files[path.removeprefix("/app/")] = "class A:\n    def f(self):\n        return 1\n"
    shown = host.call("replace_function", path=path, name="A.f", code="def f(self):\n    return 2")
    assert shown.startswith("0 of 1 hidden tests passed")
    assert host.shelf.files[path.removeprefix("/app/")] == "class A:\n    def f(self):\n        return 2\n"
    made = host.tools.submission()
    assert made is not None
    assert (made.tool, made.path, made.function) == ("replace_function", recorded, "A.f")


def test_a_missing_file_and_a_wrong_definition_are_refused(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.shelf.files["a.py"] = "def f():\n    return 1\n"
    wrong = {"path": "a.py", "name": "f", "code": "def g():\n    return 2"}
    assert host.call("replace_function", **{**wrong, "path": "b.py"}) == "there is no file 'b.py'"
    assert "must define the function f, not g" in host.call("replace_function", **wrong)
    assert host.call("read_function", path="a.py", name="h") == "a.py has no function or class 'h'"
    assert host.spending.submissions == 0
