"""Events of OpenHands' SDK."""

from __future__ import annotations

from typing import Any

from harness.records import FileEdit, Metrics, Step, ToolResult
from runs.intake.reported.step_readers.openhands.openhands_sdk_events import OpenHandsSdkEvents
from runs.intake.reported.step_readers.threaded_steps import ThreadedSteps
from tests.runs.intake.reported.step_readers.openhands.event_files import HOME, sdk, sdk_event


def read(events: list[dict[str, Any]]) -> tuple[list[Step], dict[str, list[FileEdit]]]:
    steps, stated = ThreadedSteps("a"), {}  # type: ThreadedSteps, dict[str, list[FileEdit]]
    reader = OpenHandsSdkEvents(steps, HOME, {"r1": Metrics(1000)}, stated)
    return [step for one in events for step in reader.add(one)] + list(steps.end()), stated


def test_calls_of_one_response_are_a_step_with_their_results_in_any_order() -> None:
    steps, stated = read(sdk())
    assert [(step.source, step.message, [call.name for call in step.calls]) for step in steps] == [
        ("system", "You are OpenHands.", []),
        ("user", "Fix add.", []),
        ("agent", "I look.", ["terminal"]),
        ("agent", "", ["file_editor", "file_editor"]),
        ("system", "[the history was condensed]\nWe fixed add.", []),
        ("agent", "Done.", []),
    ]
    assert steps[2].reasoning == "Why?"
    assert [step.metrics for step in steps if step.source == "agent"] == [
        Metrics(1000),
        Metrics(None, None, None, None, None),
        Metrics(None, None, None, None, None),
    ]
    assert [result for step in steps for result in step.results] == [
        ToolResult("c1", "no rule\n[Command finished with exit code 2]", True, None),
        ToolResult("c3", "Error validating tool", False, None),
        ToolResult("c2", "edited", True, None),
    ]
    assert [(edit.path, edit.added, edit.removed) for edit in stated["c2"]] == [("calc.py", 1, 1)]


def test_a_new_file_is_added_and_one_that_was_only_shown_is_not_changed() -> None:
    made = {"path": f"{HOME}/a.py", "prev_exist": False, "old_content": None, "new_content": "a\n"}
    shown = {
        "path": f"{HOME}/b.py",
        "prev_exist": True,
        "old_content": "a",
        "new_content": "b",
        "command": "view",
    }
    events = sdk()[2:3]
    for number, observation in enumerate((made, shown), 20):
        call = f"n{number}"
        events.append({**sdk()[4], "id": call, "tool_call_id": call, "tool_call": {"id": call, "name": "x"}})
        events.append(
            sdk_event(number, "ObservationEvent", "environment", tool_call_id=call, observation=observation)
        )
    _, stated = read(events)
    assert {name: [edit.change for edit in edits] for name, edits in stated.items()} == {"n20": ["added"]}


def test_what_older_and_odd_versions_write_is_read() -> None:
    events = [
        sdk_event(1, "ActionEvent", "agent", tool_name="execute_bash", tool_call_id="c1", action={"command": "ls"},
                  thinking_blocks=[{"type": "thinking", "thinking": "Hm."}]),
        sdk_event(2, "ObservationEvent", "environment", tool_call_id="c1", observation={"output": "calc.py"}),
        sdk_event(3, "ActionEvent", "agent", tool_name="execute_bash", tool_call_id="c2", action=None),
        sdk_event(4, "UserRejectObservation", "user", tool_call_id="c2", rejection_reason="No."),
        sdk_event(5, "ConversationErrorEvent", "environment", code="LLMError", detail="no network"),
        sdk_event(6, "SomethingNewEvent", "environment", text="x"),
    ]  # fmt: skip
    steps, _ = read(events)
    assert [(step.message, step.reasoning, step.results) for step in steps] == [
        ("", "Hm.", (ToolResult("c1", "calc.py", None, None),)),
        ("", "", (ToolResult("c2", "No.", False, None),)),
        ("[LLMError: no network]", "", ()),
    ]
    assert steps[0].calls[0].arguments == {"command": "ls"}
