"""Runs of the ide agent that several processes execute, one after the other, with real containers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import harness.execute
from harness.agents.base import AgentSpec
from harness.agents.ide import RESUMED
from harness.errors import Cause, EngineUnavailable, ResumeRefused, RunRequeued
from harness.execute import execute_run
from harness.limits import Ending, Limits
from harness.llm.scripted_server import ModelServer, Request
from harness.llm.spec import ModelSpec
from harness.records import CONVERSATION, Outcome, RunRecord, RunSummary, can_go_on
from harness.sandbox.docker import DockerEngine
from harness.session import Control
from tests.harness.arena import INSTANCE, Arena
from tests.harness.worlds import SOLUTION

pytestmark = pytest.mark.engine
USAGE = {"prompt": 1000, "completion": 100}
DOLLARS = (1000 * 2 + 100 * 10) / 1e6  # of one call


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    return Arena.make(tmp_path)


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": {"explanation": "As the script says.", **arguments}}


def solution() -> list[dict[str, Any]]:
    """Five turns that resolve `add-negatives`; files outside of the repository and processes are part of them."""
    writes = [call("write_file", path=path, content=content) for path, content in SOLUTION.items()]
    turns: list[dict[str, Any]] = [
        {"calls": [call("run_terminal_cmd", command="echo kept > /tmp/kept && list() { ls; }; list")]},
        {"calls": writes[:1], "text": "First."},
        {"calls": writes[1:], "text": "Second."},
        {"calls": [call("run_terminal_cmd", command="cat /tmp/kept && python3 -m calc '-1 + -2'")]},
        {"text": "Numbers below zero are understood."},
    ]
    return [{**turn, "usage": USAGE} for turn in turns]


class Leaving(Control):
    """Ends the process after so many checks before a step."""

    def __init__(self, checks: int) -> None:
        self.left = checks

    def leaving(self) -> bool:
        self.left -= 1
        return self.left < 0


def execute(
    arena: Arena, script: Sequence[Mapping[str, Any]], *, control: Control | None = None
) -> tuple[RunSummary | Exception, list[Request]]:
    """One process: what it returned or raised, and the requests that the model got."""
    with ModelServer(script) as server, closing(DockerEngine()) as engine:
        spec = AgentSpec(
            "ide",
            "ide",
            {"retry_delay": 0.01, "patience": 1.0},
            ModelSpec("Scripted", "openai/scripted", server.url, input_price=2.0, output_price=10.0),
        )
        try:
            return execute_run(
                repository=arena.repository,
                task=arena.task,
                agent=spec,
                identity=arena.identity(spec),
                directory=arena.root / "run",
                engine=engine,
                limits=Limits(),
                instance=INSTANCE,
                control=control,
            ), server.requests
        except (RunRequeued, ResumeRefused) as error:
            return error, server.requests


def check_resolved(summary: RunSummary | Exception, directory: Path) -> None:
    """The run is as if one process had executed it, but for the message that it was interrupted."""
    assert isinstance(summary, RunSummary)
    assert (summary.outcome, summary.ending) == (Outcome.RESOLVED, Ending.COMPLETED)
    assert summary.iterations == 5
    assert summary.cost_usd == pytest.approx(5 * DOLLARS, rel=1e-12)
    assert (summary.prompt_tokens, summary.completion_tokens) == (5000, 500)
    steps = list(RunRecord(directory).steps())
    assert [step.step_id for step in steps] == list(range(1, len(steps) + 1))
    assert [step.message for step in steps if step.source == "user"][1:] == [RESUMED]
    assert len([step for step in steps if step.source == "agent"]) == 5
    assert not can_go_on(directory)
    assert not (directory / CONVERSATION).exists()
    assert not (directory / "lock").exists()


def test_a_run_that_its_account_failed_goes_on_after_its_last_step(arena: Arena) -> None:
    empty = [dict(turn) for turn in solution()]
    empty[3]["before"] = [{"status": 402, "message": "Insufficient credits."}]
    failed, first = execute(arena, empty)
    assert isinstance(failed, RunSummary)
    assert (failed.outcome, failed.failure) == (Outcome.INFRASTRUCTURE_FAILED, Cause.ACCOUNT.value)
    assert failed.cost_usd == pytest.approx(3 * DOLLARS, rel=1e-12)
    directory = arena.root / "run"
    assert can_go_on(directory)
    summary, second = execute(arena, solution())
    assert len(first) == 4  # the last one was refused
    assert [len(request.messages) for request in second] == [9, 11]
    assert second[0].messages[:8] == first[3].messages
    assert second[0].messages[8]["content"] == RESUMED
    check_resolved(summary, directory)
    # What was outside of the repository is there again, too.
    results = [result for step in RunRecord(directory).steps() for result in step.results]
    assert results[-1].content.endswith("\nkept\n-3\n")


def test_a_run_of_a_worker_that_ended_goes_on_even_if_its_last_lines_were_cut_off(arena: Arena) -> None:
    left, first = execute(arena, solution(), control=Leaving(3))
    assert isinstance(left, RunRequeued)
    directory = arena.root / "run"
    with (directory / "trajectory.jsonl").open("a") as file:
        file.write('{"step_id": 9, "timestamp": "20')
    with (directory / CONVERSATION).open("a") as file:
        file.write('{"step_id": 9, "mess')
    summary, second = execute(arena, solution())
    assert len(first) + len(second) == 5
    check_resolved(summary, directory)


def test_a_finished_run_whose_grading_failed_is_only_graded(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise EngineUnavailable("the engine is away")

    with monkeypatch.context() as patched:
        patched.setattr(harness.execute, "grade", fails)
        failed, first = execute(arena, solution())
    assert isinstance(failed, RunSummary)
    assert failed.outcome is Outcome.INFRASTRUCTURE_FAILED
    summary, second = execute(arena, solution())
    assert (len(first), len(second)) == (5, 0)
    assert isinstance(summary, RunSummary)
    assert summary.outcome is Outcome.RESOLVED
    assert summary.cost_usd == pytest.approx(5 * DOLLARS, rel=1e-12)


def test_a_run_whose_calls_make_other_changes_begins_anew_and_says_why(arena: Arena) -> None:
    odd = solution()
    odd[0] = {"calls": [call("run_terminal_cmd", command="date +%N > stamp")], "usage": USAGE}
    odd[2] = {**odd[2], "before": [{"status": 401}]}
    execute(arena, odd)
    refused, requests = execute(arena, solution())
    assert isinstance(refused, ResumeRefused)
    assert str(refused) == "in a new container, the calls of step 3 do not make the same changes"
    assert requests == []
    assert not can_go_on(arena.root / "run")


def test_a_run_with_a_verdict_does_not_go_on(arena: Arena) -> None:
    execute(arena, solution())
    refused, requests = execute(arena, solution())
    assert isinstance(refused, ResumeRefused)
    assert requests == []
    assert json.loads((arena.root / "run" / "run_summary.json").read_text())["outcome"] == "resolved"
