"""Whatever takes long can be broken off: an operator's word takes effect within five seconds, wherever a run is."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from harness.errors import RunRequeued
from harness.limits import Ending
from harness.records import Outcome, RunRecord
from harness.session import Control
from tests.harness.arena import INSTANCE, Arena, script, shell
from tests.harness.worlds import BASE_IMAGE, write_tiny_dataset

PROMISED_SECONDS = 5.0


class Operator(Control):
    """Wants the end, or sends the worker home, so many seconds after a run has come to a state."""

    def __init__(self, state: str, *, leave: bool = False, after: float = 0.5) -> None:
        self._state = state
        self._leave = leave
        self._after = after
        self._due = float("inf")
        self.heard: list[str] = []

    def state(self, name: str) -> None:
        self.heard.append(name)
        if name == self._state:
            self._due = time.monotonic() + self._after

    def cancelled(self) -> bool:
        return not self._leave and self._is_due()

    def leaving(self) -> bool:
        return self._leave and self._is_due()

    def seconds_since(self) -> float:
        """How long ago the word was given."""
        return time.monotonic() - self._due

    def _is_due(self) -> bool:
        return time.monotonic() >= self._due


def containers() -> list[str]:
    command = ["docker", "ps", "-aq", "--filter", f"label=benchbench.instance={INSTANCE}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def arena_with(root: Path, *, dockerfile: str = "", run_tests: str = "") -> Arena:
    dataset = write_tiny_dataset(root)
    if dockerfile:
        (dataset / "calc/Dockerfile").write_text(dockerfile, encoding="utf-8")
    if run_tests:
        (dataset / "calc/run_tests.sh").write_text(run_tests, encoding="utf-8")
    return Arena.make_from(root, dataset)


@pytest.mark.engine
class TestCancelling:
    @pytest.mark.parametrize("command", ["sleep 60", "yes", "trap '' TERM INT; sleep 60"])
    def test_a_long_tool_call_is_broken_off(self, tmp_path: Path, command: str) -> None:
        arena, operator = Arena.make(tmp_path), Operator("running")
        summary, record = arena.run("scripted", script([shell(command)], [shell("true")]), control=operator)
        assert operator.seconds_since() < PROMISED_SECONDS
        assert (summary.ending, summary.outcome) == (Ending.CANCELLED, Outcome.UNRESOLVED)
        last = list(record.steps())[-1]
        assert (len(last.calls), last.results) == (1, ())
        assert containers() == []

    @pytest.mark.parametrize("script", ["sleep 60", "exec >&- 2>&-; sleep 60", "while :; do echo on; done"])
    def test_a_test_run_is_broken_off(self, tmp_path: Path, script: str) -> None:
        arena, operator = arena_with(tmp_path, run_tests=f"#!/bin/sh\n{script}\n"), Operator("grading")
        summary, _ = arena.run("oracle", control=operator)
        assert operator.seconds_since() < PROMISED_SECONDS
        assert (summary.ending, summary.grading_reason) == (Ending.CANCELLED, "not graded")
        assert containers() == []

    def test_an_image_build_is_broken_off(self, tmp_path: Path) -> None:
        dockerfile = f"FROM {BASE_IMAGE}\nRUN echo {time.time()} && sleep 8\n"
        arena, operator = arena_with(tmp_path, dockerfile=dockerfile), Operator("preparing")
        summary, _ = arena.run("oracle", control=operator)
        assert operator.seconds_since() < PROMISED_SECONDS
        assert summary.ending is Ending.CANCELLED, summary.detail
        assert operator.heard == ["preparing"]


@pytest.mark.engine
class TestLeaving:
    def test_a_step_is_finished_and_the_run_requeued_without_a_verdict(self, tmp_path: Path) -> None:
        arena, operator = Arena.make(tmp_path), Operator("running", leave=True)
        with pytest.raises(RunRequeued):
            arena.run("scripted", script([shell("sleep 2; echo whole")], [shell("true")]), control=operator)
        (directory,) = tmp_path.glob("run-*")
        steps = list(RunRecord(directory).steps())
        assert [step.message for step in steps if step.source == "agent"] == ["Step 1."]
        assert "whole" in steps[-1].results[0].content
        assert not (directory / "run_summary.json").exists()
        assert containers() == []

    def test_a_grade_that_has_begun_is_finished(self, tmp_path: Path) -> None:
        arena, operator = Arena.make(tmp_path), Operator("grading", leave=True, after=0)
        summary, _ = arena.run("oracle", control=operator)
        assert summary.outcome is Outcome.RESOLVED

    def test_an_image_build_is_left_to_the_next_worker(self, tmp_path: Path) -> None:
        dockerfile = f"FROM {BASE_IMAGE}\nRUN echo {time.time()} && sleep 8\n"
        arena, operator = arena_with(tmp_path, dockerfile=dockerfile), Operator("preparing", leave=True)
        with pytest.raises(RunRequeued):
            arena.run("oracle", control=operator)
        assert operator.seconds_since() < PROMISED_SECONDS
