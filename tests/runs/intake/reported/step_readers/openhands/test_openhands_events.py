"""Events of OpenHands up to version 0."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records import FileEdit, Metrics, Step, ToolResult
from runs.intake.reported.step_readers.openhands.openhands_events import OpenHandsEvents, with_exit_code
from runs.intake.reported.step_readers.threaded_steps import ThreadedSteps
from tests.runs.intake.reported.step_readers.openhands.event_files import HOME, event, version_0


def read(events: list[dict[str, Any]]) -> tuple[list[Step], dict[str, list[FileEdit]]]:
    steps, stated = ThreadedSteps("a"), {}  # type: ThreadedSteps, dict[str, list[FileEdit]]
    reader = OpenHandsEvents(steps, HOME, {}, stated)
    return [step for one in events for step in reader.add(one)] + list(steps.end()), stated


def test_actions_of_one_response_are_a_step_with_their_observations() -> None:
    steps, stated = read(version_0())
    assert [(step.source, step.message, [call.name for call in step.calls]) for step in steps] == [
        ("system", "You are OpenHands.", []),
        ("user", "Fix add.", []),
        ("agent", "I look.", ["execute_bash", "execute_bash"]),
        ("agent", "I fix.", ["str_replace_editor"]),
        ("agent", "", ["browse"]),
        ("agent", "Done.", []),
    ]
    assert (steps[2].reasoning, steps[2].timestamp) == ("Why 1?", "2026-01-31T12:00:03.000Z")
    assert [result for step in steps for result in step.results] == [
        ToolResult("c1", "a - b\n[Command finished with exit code 0]", True, None),
        ToolResult("c2", "no rule\n[Command finished with exit code 2]", True, None),
        ToolResult("c3", "edited", True, None),
        ToolResult("event 9", "no network", False, None),
    ]
    # Arguments are the model's own; without its response, those of the action.
    assert steps[2].calls[1].arguments == {"command": "make", "is_input": "false"}
    assert steps[4].calls[0].arguments == {"url": "http://a"}
    assert [(edit.path, edit.added, edit.removed) for edit in stated["c3"]] == [("calc.py", 1, 1)]


def test_each_response_has_its_own_use_which_adds_up_to_the_last_sum() -> None:
    found = [step.metrics for step in read(version_0())[0] if step.metrics]
    assert found[0] == Metrics(1000, 50, 0, 0.001, None, "tool_calls", written_tokens=900)
    assert [(one.prompt_tokens, one.completion_tokens, one.cached_tokens) for one in found] == [
        (1000, 50, 0),
        (1200, 40, 900),
        (None, None, None),  # the action without a response
        (1300, 10, 1000),
    ]
    assert sum(one.cost_usd or 0 for one in found) == pytest.approx(0.006)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (event(1, "agent", action="condensation", args={"summary": "s"}), "[the history was condensed]\ns"),
        (event(1, "environment", observation="agent_state_changed",
               extras={"agent_state": "error", "reason": "stuck"}), "[the agent's state is error: stuck]"),
        (event(1, "user", action="run", args={}, message="Running ls"), "Running ls"),
        (event(1, "agent", observation="recall", content="Known files."), "Known files."),
    ],
)  # fmt: skip
def test_other_events_are_messages_of_the_system(found: dict[str, Any], message: str) -> None:
    ((step,), _) = read([found])
    assert (step.source, step.message) == ("system", message)


@pytest.mark.parametrize("kind", ["null", "change_agent_state", "recall"])
def test_silent_events_are_no_steps(kind: str) -> None:
    assert read([event(1, "agent", action=kind), event(2, "agent", observation="null", content="x")])[0] == []


def test_exit_codes_are_shown_as_the_model_sees_them() -> None:
    assert with_exit_code("a", {"exit_code": 1}) == ("a\n[Command finished with exit code 1]", 1)
    shown = "a\n[Command finished with exit code 1]"
    assert with_exit_code(shown, {"metadata": {"exit_code": 1}}) == (shown, 1)
    for about in (None, {}, {"exit_code": -1}, {"exit_code": True}, {"metadata": {"exit_code": "1"}}):
        assert with_exit_code("a", about) == ("a", None)
