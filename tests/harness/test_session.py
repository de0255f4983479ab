"""One run as its agent sees it, over a workspace in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from harness.agents.base import AgentSpec
from harness.errors import CANCELLED_BY_OPERATOR, AgentError, RunCancelled, RunRequeued
from harness.limits import Ending, LimitReached, Limits, Spending
from harness.patches import FileState
from harness.records import FileEdit, RunRecord, RunRecorder, ToolCall, ToolResult
from harness.sandbox.base import Changes, ToolReply
from harness.session import Control, Session
from harness.tools.inside.protocol import LOOK
from tests.harness.arena import Arena
from tests.harness.worlds import png


class Switches(Control):
    """An operator, and a process, that may want the run to end."""

    def __init__(self) -> None:
        self.wants_cancelled = False
        self.wants_leaving = False
        self.waited_for: list[str] = []

    def cancelled(self) -> bool:
        return self.wants_cancelled

    def leaving(self) -> bool:
        return self.wants_leaving

    def waits(self, text: str) -> None:
        self.waited_for.append(text)


class Desk:
    """A session and its record, over a workspace where each call changes a file; the tool `delete_file` destroys it."""

    workdir = PurePosixPath("/app")

    def __init__(self, root: Path, limits: Limits | None = None) -> None:
        arena = Arena.make(root)
        self.seconds = 0.0
        self.control = Switches()
        self.made: list[tuple[str, Mapping[str, Any], float]] = []
        self.pictures: tuple[bytes, ...] = ()
        self.spending = Spending(limits or Limits(), clock=lambda: self.seconds)
        self.session = Session(
            repository=arena.repository,
            task=arena.task,
            attempt=1,
            workspace=self,
            recorder=RunRecorder(root / "run", arena.identity(AgentSpec("null", "null"))),
            spending=self.spending,
            control=self.control,
        )
        self.record = RunRecord(root / "run")

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        self.made.append((tool, arguments, timeout))
        if tool == "delete_file":
            raise AgentError("the container is gone")
        edit = FileEdit(f"{len(self.made)}.txt", "added", 1, 0)
        return ToolReply(True, f"{tool} was here", 0.5, (edit,), self.pictures)

    def restore(self, files: Sequence[FileState]) -> None:
        raise NotImplementedError

    def peek(self) -> Changes:
        return Changes()

    def changes(self) -> Changes:
        return Changes()

    def edited(self) -> dict[int, list[str]]:
        """The changed files by step."""
        return {step: [edit.path for edit in edits.files] for step, edits in self.record.edits_by_step()}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def call(identity: str, name: str = "list_dir", **arguments: Any) -> ToolCall:
    return ToolCall(identity, name, {"explanation": "Why not.", **arguments})


class TestActing:
    def test_calls_are_run_in_order_and_recorded_with_what_they_changed(self, desk: Desk) -> None:
        desk.session.say("user", "Mend it.")
        step = desk.session.act("Look.", [call("a"), call("b", "read_file", path="x")])
        assert tuple(replace(result, started_at="") for result in step.results) == (
            ToolResult("a", "list_dir was here", True, 0.5),
            ToolResult("b", "read_file was here", True, 0.5),
        )
        starts = [result.started_at for result in step.results]
        assert step.timestamp >= starts[1] >= starts[0] > "2026"
        assert list(desk.record.steps())[1] == step
        assert desk.edited() == {2: ["1.txt", "2.txt"]}
        counts = desk.session.counts
        assert (counts.steps, counts.tool_calls, counts.failed_calls) == (2, 2, 0)
        assert desk.spending.iterations == 1

    def test_invalid_calls_are_refused_with_a_reason_and_counted(self, desk: Desk) -> None:
        calls = [call("a", "fly"), call("b", "ui_test"), call("c"), ToolCall("d", "list_dir", {})]
        step = desk.session.act("", calls, malformed={"c": "No tool was run: no JSON."})
        assert [result.ok for result in step.results] == [False] * 4
        assert [result.content.split(" The tools are")[0].split("\n")[0] for result in step.results] == [
            "There is no tool 'fly'.",
            "This run does not offer ui_test.",
            "No tool was run: no JSON.",
            "list_dir was not called:",
        ]
        assert desk.made == []
        assert (desk.session.counts.tool_calls, desk.session.counts.failed_calls) == (4, 4)

    def test_what_came_before_an_error_is_recorded(self, desk: Desk) -> None:
        with pytest.raises(AgentError, match="the container is gone"):
            desk.session.act("Go.", [call("a"), call("b", "delete_file", path="x"), call("c")])
        (step,) = desk.record.steps()
        assert [one.id for one in step.calls] == ["a", "b", "c"]
        assert [result.call_id for result in step.results] == ["a"]
        assert desk.edited() == {1: ["1.txt"]}
        assert desk.session.counts.tool_calls == 1

    def test_a_cancelled_run_makes_no_further_call(self, desk: Desk) -> None:
        desk.control.wants_cancelled = True
        with pytest.raises(RunCancelled, match=CANCELLED_BY_OPERATOR):
            desk.session.act("Go.", [call("a")])
        assert desk.made == []
        assert [step.message for step in desk.record.steps()] == ["Go."]

    def test_pictures_are_stored_and_missing_ones_are_reported(self, desk: Desk) -> None:
        desk.pictures = (png(), b"<svg/>", png(2))
        (result,) = desk.session.act("Look.", [call("a")]).results
        assert result.artifacts == ("step-1-1.png", "step-1-2.png")
        assert desk.session.pictures(next(desk.record.steps())) == [png(), png(2)]
        assert result.content == "list_dir was here\n[picture 2 was not stored: it is not a PNG file]"


class TestTime:
    @pytest.mark.parametrize(
        ("arguments", "passed", "timeout"),
        [
            ({"command": "ls"}, 120.0, 120.0),
            ({"command": "ls", "timeout": 5}, 5.0, 5.0),
            ({"command": "ls", "timeout": 600}, 600.0, 600.0),
            ({"command": "ls", "background": True}, None, 120.0),
            ({"handle": "bg-1"}, None, 120.0),
            ({"handle": "bg-1", "timeout": 9}, 9.0, 9.0),
        ],
    )
    def test_a_command_ends_before_its_container(
        self, desk: Desk, arguments: dict[str, Any], passed: float | None, timeout: float
    ) -> None:
        desk.session.act("", [call("a", "run_terminal_cmd", **arguments)])
        ((_, made, within),) = desk.made
        assert (made.get("timeout"), within) == (passed, timeout)

    @pytest.mark.parametrize(("left", "allowed"), [(200.0, 120.0), (30.0, 30.0), (0.25, 1.0)])
    def test_a_call_gets_what_the_run_has_left_but_a_second(
        self, tmp_path: Path, left: float, allowed: float
    ) -> None:
        desk = Desk(tmp_path, Limits(wall_seconds=1000))
        desk.seconds = 1000 - left
        desk.session.act("", [call("a", "run_terminal_cmd", command="ls"), call("b")])
        assert [(made.get("timeout"), within) for _, made, within in desk.made] == [
            (allowed, allowed),
            (None, allowed),
        ]

    def test_when_the_time_is_over_nothing_is_called(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path, Limits(wall_seconds=1000))
        desk.seconds = 1000.0
        (result,) = desk.session.act("", [call("a")]).results
        assert (result.ok, result.content) == (False, "Not called: the time of this run is over.")
        assert desk.made == []


class TestRelayed:
    def test_nothing_is_run_but_the_changes_are_looked_for(self, desk: Desk) -> None:
        result = ToolResult("a", "done", True, 1.0)
        step = desk.session.relayed("I did it.", [call("a", "bash")], [result])
        assert [tool for tool, _, _ in desk.made] == [LOOK]
        assert (step.calls, step.results) == ((call("a", "bash"),), (result,))
        assert desk.edited() == {1: ["1.txt"]}
        counts = desk.session.counts
        assert (counts.steps, counts.tool_calls, counts.failed_calls) == (1, 1, 0)
        assert desk.spending.iterations == 1

    @pytest.mark.parametrize(("seconds", "allowed"), [(0.0, 120.0), (3590.0, 10.0), (5000.0, 1.0)])
    def test_looking_for_changes_takes_no_longer_than_the_run_may(
        self, desk: Desk, seconds: float, allowed: float
    ) -> None:
        desk.seconds = seconds
        desk.session.relayed("I did it.")
        assert [timeout for _, _, timeout in desk.made] == [allowed]


class TestCheckpoint:
    def test_a_run_goes_on_until_it_is_cancelled(self, desk: Desk) -> None:
        desk.session.checkpoint()
        desk.session.interrupt()

    def test_a_limit_is_checked(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path, Limits(iterations=1))
        desk.session.act("Once.")
        with pytest.raises(LimitReached) as reached:
            desk.session.checkpoint()
        assert reached.value.ending is Ending.ITERATION_LIMIT

    def test_a_process_that_has_to_stop_finishes_a_step_and_begins_none(self, desk: Desk) -> None:
        desk.control.wants_leaving = True
        desk.session.interrupt()
        with pytest.raises(RunRequeued) as stopped:
            desk.session.checkpoint()
        assert str(stopped.value) == "the worker has to stop; the run is returned to the queue"

    def test_a_cancellation_comes_first(self, desk: Desk) -> None:
        desk.control.wants_leaving = desk.control.wants_cancelled = True
        for check in (desk.session.checkpoint, desk.session.interrupt):
            with pytest.raises(RunCancelled, match=CANCELLED_BY_OPERATOR):
                check()

    def test_what_a_run_waits_for_is_passed_on(self, desk: Desk) -> None:
        desk.session.waits("Waiting 3 s for the rate limit.")
        desk.session.waits("")
        assert desk.control.waited_for == ["Waiting 3 s for the rate limit.", ""]
