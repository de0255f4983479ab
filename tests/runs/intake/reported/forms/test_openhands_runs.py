"""Runs of OpenHands as results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.forms.openhands_runs import matches
from runs.intake.reported.reading import read_results, read_trajectories
from runs.intake.reported.reported_result import ReportedResult, ResultsRefused
from runs.intake.reported.step_readers.json_lines import FirstLines
from tests.runs.intake.reported.step_readers.openhands.event_files import (
    CONVERSATION,
    PATCH,
    conversation,
    row,
    sdk,
    state,
    sums,
    version_0,
)
from tests.runs.intake.reported.step_readers.session_logs.session_files import lines_file
from tests.runs.intake.reported.step_readers.tool_files import written

GIVEN = {"reported_by": "Ada", "version": "1"}
AGENT = "OpenHands with gpt-5"


def tokens(result: ReportedResult) -> tuple[Any, ...]:
    """The sums of a result."""
    return result.prompt_tokens, result.completion_tokens, result.cached_tokens, result.cost_usd


def test_an_exported_trajectory_is_an_attempt_named_after_its_file(tmp_path: Path) -> None:
    found = read_trajectories(written(tmp_path / "lab__calc-1.json", version_0()), {})
    (result,) = found.results
    assert result.name == (AGENT, "lab__calc-1", 1)
    assert (result.repository, result.outcome, result.ending, result.detail) == (
        "lab/calc",
        "",
        "completed",
        "",
    )
    assert tokens(result) == (3500, 100, 1900, 0.006)
    assert (found.agents[0].model, found.agents[0].provider) == ("gpt-5", "openai")


@pytest.mark.parametrize("one_line", [True, False])
def test_an_evaluation_has_an_attempt_in_each_line(tmp_path: Path, one_line: bool) -> None:
    more = [
        row(instance_id="lab__calc-2", history=[], error="AgentStuckInLoopError: a loop", metrics=None),
        row(instance_id="lab__calc-3", error="maximum iteration reached", report={"resolved": False}),
        row(instance_id="lab__calc-4", test_result={"git_patch": "", "report": {"resolved": True}}),
    ]
    path = lines_file(tmp_path / "output.jsonl", [row(), *([] if one_line else more)])
    results = read_results(path, GIVEN).results
    first = results[0]
    assert first.trajectory is not None
    assert (first.outcome, first.ending, first.trajectory.patch, first.trajectory.part) == (
        *("", "completed", PATCH),
        "lab__calc-1",
    )
    assert tokens(first) == (3500, 100, 1900, 0.006)
    if not one_line:
        assert [(one.outcome, one.ending, one.detail, one.trajectory is None) for one in results[1:]] == [
            ("", "agent_error", "AgentStuckInLoopError: a loop", True),
            ("unresolved", "iteration_limit", "maximum iteration reached", False),
            ("resolved", "completed", "", False),
        ]
        assert tokens(results[1]) == (None, None, None, None)
        found = read_trajectories(path, {})
        assert ([one.task for one in found.results], len(found.bare)) == (
            ["lab__calc-1", "lab__calc-3", "lab__calc-4"],
            1,
        )


@pytest.mark.parametrize(("price", "cost"), [(None, None), (0.0, 0.0), (False, None)])
def test_dollars_of_a_model_without_a_price_are_unknown(
    tmp_path: Path, price: object, cost: float | None
) -> None:
    config = {"model": "m", "input_cost_per_token": price, "output_cost_per_token": price}
    unpriced = row(metrics={**sums(0.0, 3500, 100, 0, 0), "costs": []}, metadata={"llm_config": config})
    (found,) = read_results(lines_file(tmp_path / "output.jsonl", [unpriced]), GIVEN).results
    assert (found.prompt_tokens, found.cost_usd) == (3500, cost)


def with_state() -> list[dict[str, Any]]:
    """Events of the SDK with those that say the state of the conversation."""
    about = {"id": "s", "timestamp": "2026-01-31T12:00:59", "source": "environment"}
    kind = "ConversationStateUpdateEvent"
    running = {**about, "kind": kind, "key": "execution_status", "value": "running"}
    ended = {**about, "kind": kind, "key": "execution_status", "value": "finished"}
    used = {"usage_to_metrics": {"default": {"model_name": "lab/m", **sums(0.5, 3400, 163, 1800, 0)}}}
    return [running, *sdk(), {**about, "kind": kind, "key": "stats", "value": used}, ended]


def test_events_of_the_sdk_may_be_a_list_lines_an_answer_or_downloaded_files(tmp_path: Path) -> None:
    events = with_state()
    for number, event in enumerate(events):
        written(tmp_path / f"d/c1/event_{number:06}_e.json", event)
    results = [
        read_trajectories(path, {}).results[0]
        for path in (
            written(tmp_path / "a/c1.json", events),
            lines_file(tmp_path / "b/c1.jsonl", events),
            written(tmp_path / "c/c1.json", {"trajectory": events}),
            tmp_path / "d",
        )
    ]
    for found in results:
        assert found.name == ("OpenHands with m", "c1", 1)
        assert (found.ending, *tokens(found)) == ("completed", 3400, 163, 1800, 0.5)
    steps = [list(found.trajectory.steps()) for found in results if found.trajectory]
    assert [one == steps[0] for one in steps] == [True] * 4


def test_an_issue_that_the_resolver_tried_is_named_by_its_number_and_its_outcome_is_unknown(
    tmp_path: Path,
) -> None:
    issue = {"owner": "lab", "repo": "calc", "number": 7, "title": "The sum is wrong", "body": "Mend it."}
    known = {name: value for name, value in row().items() if name in ("history", "metrics", "error")}
    tried = {**known, "issue": issue, "issue_type": "issue", "git_patch": PATCH, "success": True}
    path = lines_file(tmp_path / "output.jsonl", [tried, {**tried, "issue": {**issue, "number": "8"}}])
    first, second = read_trajectories(path, {}).results
    assert (first.agent, first.task, first.repository, first.outcome) == (AGENT, "lab/calc#7", "lab/calc", "")
    assert first.trajectory is not None
    assert first.trajectory.patch == PATCH
    assert tokens(first) == (3500, 100, 1900, 0.006)
    assert second.task == "lab/calc"


def test_early_events_have_neither_a_source_nor_an_id(tmp_path: Path) -> None:
    history = [
        {"action": "message", "content": "Mend it.", "wait_for_response": False},
        {
            "action": "run",
            "command": "ls",
            "thought": "Look.",
            "keep_prompt": True,
            "is_confirmed": "confirmed",
        },
        {"observation": "run", "content": "calc.py", "command": "ls", "exit_code": 0},
        {"action": "message", "content": "Done?", "wait_for_response": True},
        {"action": "message", "content": "Go on.", "wait_for_response": False},
        {"action": "finish", "thought": "It is mended.", "outputs": {}},
    ]
    tried = {
        "issue": {"owner": "lab", "repo": "calc", "number": 7},
        "history": history,
        "git_patch": PATCH,
        "success": True,
        "metrics": {"accumulated_cost": 0.5, "costs": [0.2, 0.2, 0.1]},
    }
    (result,) = read_trajectories(lines_file(tmp_path / "output.jsonl", [tried]), {}).results
    assert tokens(result) == (None, None, None, 0.5)
    assert result.trajectory is not None
    assert [
        (step.source, step.message, [(call.name, call.arguments) for call in step.calls])
        for step, _ in result.trajectory.steps()
    ] == [
        ("user", "Mend it.", []),
        ("agent", "Look.", [("run", {"command": "ls"})]),
        ("agent", "Done?", []),
        ("user", "Go on.", []),
        ("agent", "It is mended.", [("finish", {"outputs": {}})]),
    ]
    (result_of_run,) = list(result.trajectory.steps())[1].step.results
    assert (result_of_run.content, result_of_run.ok) == ("calc.py\n[Command finished with exit code 0]", True)


def test_a_conversation_of_the_sdk_is_a_directory(tmp_path: Path) -> None:
    conversation(tmp_path / "c1")
    conversation(tmp_path / "c2", sdk()[:2])
    found = read_trajectories(tmp_path, {})
    (result,) = found.results
    assert result.name == (AGENT, CONVERSATION, 1)
    assert (result.repository, result.ending, found.left_out) == ("calc", "completed", 1)
    assert tokens(result) == (3400, 163, 1800, 0.008)
    assert result.trajectory is not None
    assert result.trajectory.place == "c1/events"
    assert len(result.trajectory.files) == 12
    assert len(list(result.trajectory.steps())) == 6


def test_sub_agents_of_a_conversation_are_steps_of_it(tmp_path: Path) -> None:
    def of_agent(number: int, minute: int) -> list[dict[str, Any]]:
        times = {"timestamp": f"2026-01-31T12:{minute:02}:02.5"}
        return [{**one, **times, "llm_response_id": f"a{number}-{one['id']}"} for one in sdk()[:4]]

    home = conversation(tmp_path / "c1")
    conversation(home / "subagents/late", of_agent(2, 5))
    conversation(home / "subagents/early", of_agent(1, 0))
    conversation(home / "subagents/early/subagents/inner", of_agent(3, 6))
    conversation(home / "subagents/silent", [])
    found = read_trajectories(tmp_path, {})
    (result,) = found.results
    assert (result.task, tokens(result)) == (CONVERSATION, (3400, 163, 1800, 0.008))
    assert result.trajectory is not None
    assert len(result.trajectory.files) == 12 + 3 * 5
    assert [(step.source, step.message) for step, _ in result.trajectory.steps()] == [
        ("system", "You are OpenHands."),
        ("user", "Fix add."),
        ("agent", "I look."),
        ("system", "[sub-agent 1] You are OpenHands."),
        ("system", "[sub-agent 1] Fix add."),
        ("agent", "[sub-agent 1] I look."),
        ("agent", ""),
        ("system", "[the history was condensed]\nWe fixed add."),
        ("agent", "Done."),
        ("system", "[sub-agent 2] You are OpenHands."),
        ("system", "[sub-agent 2] Fix add."),
        ("agent", "[sub-agent 2] I look."),
        ("system", "[sub-agent 3] You are OpenHands."),
        ("system", "[sub-agent 3] Fix add."),
        ("agent", "[sub-agent 3] I look."),
    ]


def test_a_list_of_events_of_the_sdk_is_read_without_its_use(tmp_path: Path) -> None:
    (result,) = read_trajectories(written(tmp_path / "a.json", sdk()), {"agent": "OH"}).results
    assert (result.agent, tokens(result)) == ("OH", (None, None, None, None))


def test_a_broken_event_is_refused_with_its_place(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", [*version_0(), 7])
    with pytest.raises(ResultsRefused, match=r"^a\.json, event 14: it is not an object$"):
        read_trajectories(path, {})
    broken = lines_file(tmp_path / "output.jsonl", [row(), row(history=[[1]])])
    with pytest.raises(ResultsRefused, match=r"^output\.jsonl, line 2, event 1: it is not an object$"):
        read_trajectories(broken, {})


def test_only_its_own_files_match() -> None:
    answer = {"trajectory": version_0()}
    for content in (version_0(), [[version_0()[3], version_0()[4]]], sdk(), sdk()[0], state(), row(), answer):
        assert matches(content)
    for lines in ([row()], sdk(), version_0()):
        assert matches(FirstLines(lines))
    others: tuple[Any, ...] = (
        None,
        [],
        {},
        [1],
        [[]],
        {"id": 1, "source": "a"},
        {"agent": {}},
        1.5,
        {"trajectory": [{}]},
    )
    for other in others:
        assert not matches(other)
