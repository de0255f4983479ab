"""The steps of Inspect's samples."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records import Metrics, Step, ToolCall, ToolResult
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import json_part
from runs.intake.reported.step_readers.inspect_steps import has_steps, inspect_steps
from runs.intake.reported.step_readers.json_part import JsonPart
from runs.intake.reported.step_readers.step_builder import UNKNOWN
from tests.runs.intake.reported.step_readers.inspect_samples import (
    EVENTS,
    POOL,
    TIMES,
    USAGE,
    assistant,
    called,
    model,
    sample,
    tool,
    whole_sample,
)

STARTED, ENDED = "2026-01-02T03:04:05.000Z", "2026-01-02T03:04:07.000Z"
MEASURED = Metrics(
    prompt_tokens=135,
    completion_tokens=20,
    cached_tokens=30,
    cost_usd=0.25,
    seconds=None,
    finish_reason="tool_calls",
    written_tokens=5,
    reasoning_tokens=7,
)


@pytest.fixture(params=["small", "streamed"], autouse=True)
def _sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test reads small samples at once, and streams the same samples."""
    if request.param == "streamed":
        monkeypatch.setattr(json_part, "SMALL", 0)


def steps(part: JsonPart) -> list[Step]:
    return [each.step for each in inspect_steps(part)]


def said(part: JsonPart) -> list[tuple[str, str]]:
    return [(step.source, step.message) for step in steps(part)]


def test_model_and_tool_events_become_steps() -> None:
    system, user, first, last = steps(whole_sample())
    assert system == Step(1, STARTED, "system", "You are careful.")
    assert user == Step(2, STARTED, "user", "Fix add in a.py.\n[image]")
    assert first == Step(
        3,
        ENDED,
        "agent",
        "Look.",
        "First I look.",
        (ToolCall("c1", "bash", {"command": "cat a.py"}), ToolCall("c2", "failing", {"x": 7})),
        (
            ToolResult("c1", "[exit code: 3]\ndef add(a, b): ...\n", True, 0.5, started_at=STARTED),
            ToolResult("c2", "[error: unknown: bad x: 7]", False, 0.5, started_at=STARTED),
        ),
        Metrics(135, 20, 30, 0.25, 1.5, "tool_calls", written_tokens=5, reasoning_tokens=7),
    )
    assert last == Step(4, ENDED, "agent", "Done.", metrics=MEASURED)


def test_messages_become_steps_where_the_log_has_no_events() -> None:
    found = steps(whole_sample(events=[]))
    assert [(step.source, step.message) for step in found] == [
        ("system", "You are careful."),
        ("user", "Fix add in a.py.\n[image]"),
        ("agent", "Look."),
        ("agent", "Done."),
    ]
    assert found[2].results == (ToolResult("c1", "def add(a, b): ...\n", True, None),)
    assert found[2].metrics == UNKNOWN


def test_older_logs_have_the_whole_input_in_each_event() -> None:
    """Messages that were there before are no new steps. Calls of tools may be in the event of a tool."""
    inner = model(assistant(9, "I helped."), input=[{"role": "user", "id": "x", "content": "Help"}])
    events = [
        model(assistant(1, "Look.", called("c1")), input=POOL[:1]),
        tool("c1", "found", function="helper", events=[inner]),
        model(assistant(2, "Done."), input=[*POOL[:1], assistant(1, "Look.", called("c1")), POOL[3]]),
    ]
    assert said(sample(events=events)) == [
        ("system", "You are careful."),
        ("agent", "Look."),
        ("user", "[sub-agent helper]\nHelp"),
        ("agent", "[sub-agent helper]\nI helped."),
        ("agent", "Done."),
    ]


def test_the_steps_of_a_sub_agent_have_its_name() -> None:
    begin = {"event": "span_begin", "id": "B", "parent_id": "A", "type": "agent", "name": "helper"}
    events = [
        EVENTS[0],
        model(assistant(1, "Ask.", called("c1", "helper")), span_id="A"),
        begin,
        model(assistant(2, "Found.", called("c1", "bash")), span_id="B"),
        {"event": "span_end", "id": "B"},
        tool("c1", "helper's answer", function="helper", span_id="A"),
        tool("c1", "inner", span_id="B"),
        model(assistant(3, "Done."), span_id="A"),
    ]
    found = steps(sample(events=events))
    assert [step.message for step in found] == ["Ask.", "[sub-agent helper]\nFound.", "Done."]
    # Both calls have the same id: results come in the order of their events.
    assert [[result.content for result in step.results] for step in found] == [
        ["helper's answer"],
        ["inner"],
        [],
    ]


def test_results_come_from_messages_where_an_agent_executes_its_tools_itself() -> None:
    events = [model(assistant(1, "Look.", called("c1"))), model(assistant(2, "Done."), [[0, 4]])]
    found = steps(whole_sample(events=events))
    assert found[0].results == (ToolResult("c1", "def add(a, b): ...\n", True, None),)
    assert [step.source for step in found] == ["agent", "system", "user", "agent"]


def test_scoring_is_no_work_of_the_agent() -> None:
    scorer = {"event": "span_begin", "id": "S", "type": "scorer", "name": "judge"}
    old = {"event": "step", "action": "begin", "type": "scorer", "name": "judge"}
    ask = model(assistant(1, "Fix."))
    judged = model(assistant(2, "Grade: C"), span_id="S")
    assert said(sample(events=[ask, scorer, judged])) == [("agent", "Fix.")]
    assert said(sample(events=[ask, old, model(assistant(2, "Grade: C"))])) == [("agent", "Fix.")]


def test_an_answer_from_the_cache_called_no_model() -> None:
    (step,) = steps(sample(events=[model(assistant(1, "Same."), cache="read")]))
    assert step.metrics is None


def test_what_a_log_does_not_say_is_unknown() -> None:
    event = model(assistant(1, "Hi."))
    event["output"]["usage"] = {"input_tokens": 9}
    (step,) = steps(sample(events=[event]))
    assert step.metrics == Metrics(9, None, None, None, None, "tool_calls")
    event["output"].pop("usage")
    (step,) = steps(sample(events=[event]))
    assert step.metrics == Metrics(None, None, None, None, None, "tool_calls")


def test_failures_and_limits_are_steps_of_the_system() -> None:
    events = [
        {"event": "model", "output": {"choices": []}, "error": "overloaded", **TIMES},
        {"event": "model", "output": {"choices": [], "usage": USAGE}, "error": "cut off", **TIMES},
        {"event": "sample_limit", "type": "token", "message": "Exceeded 100", **TIMES},
        {"event": "error", "error": {"message": "ValueError('x')"}, **TIMES},
        {"event": "model", "pending": True, "output": {"choices": []}},
    ]
    assert said(sample(events=events)) == [
        ("system", "[the model call failed: overloaded]"),
        ("agent", "[the model call failed: cut off]"),
        ("system", "[limit: token: Exceeded 100]"),
        ("system", "[error: ValueError('x')]"),
    ]


def test_tools_of_the_provider_and_hidden_reasoning_are_shown() -> None:
    content = [
        {"type": "reasoning", "reasoning": "xyz", "redacted": True, "summary": "I search."},
        {"type": "reasoning", "reasoning": "xyz", "redacted": True},
        {"type": "tool_use", "id": "w", "name": "web_search", "arguments": '{"q": 1}', "result": "ten"},
        {"type": "text", "text": "Ten."},
    ]  # fmt: skip
    (step,) = steps(sample(events=[model(assistant(1, content))]))
    assert (step.message, step.reasoning) == ("Ten.", "I search.\n\n[redacted]")
    assert step.calls == (ToolCall("w", "web_search", {"q": 1}),)
    assert step.results == (ToolResult("w", "ten", True, None),)


def test_a_tool_that_ended_the_sample_failed() -> None:
    (step,) = steps(sample(events=[model(assistant(1, "", called("c1"))), tool("c1", failed=True)]))
    assert step.results[0].ok is False


def test_messages_that_no_model_wrote_here_are_not_the_agents() -> None:
    given = [assistant(7, "An example."), {"role": "tool", "tool_call_id": "z", "content": "r"}]
    assert said(sample(events=[model(assistant(1, "Hi."), input=given)])) == [
        ("system", "[a message of the assistant that no model wrote here]\nAn example."),
        ("agent", "Hi."),
    ]


def test_a_sample_in_which_nothing_happened_says_why() -> None:
    event = {"event": "sample_init"}
    assert said(sample(events=[event], error={"message": "no sandbox"})) == [
        ("system", "[nothing happened: no sandbox]")
    ]
    assert said(sample(events=[event])) == [("system", "[nothing happened: it has no message]")]


def test_a_log_may_have_no_messages() -> None:
    assert not has_steps(sample())
    assert not has_steps(sample(messages=[], events=[]))
    assert has_steps(sample(messages=[], events=[{}]))
    assert has_steps(whole_sample())


ODD: list[Any] = [None, 1, -1, "x", [], [[]], {}, {"a": [1]}, True, 1e308]


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_any_type_may_stand_anywhere(odd: Any) -> None:
    events = [
        odd,
        {"event": odd, "events": [odd]},
        model(assistant(1, odd, called("c1", odd)), odd, input=[odd, {"role": odd, "content": odd, "id": odd}]),
        model({"role": odd, "id": odd, "content": [odd, {"type": odd}], "tool_calls": [odd, {"id": odd}]}, span_id=odd),
        {"event": "model", "output": {"choices": [odd], "usage": odd, "time": odd}, "error": odd, "completed": odd},
        {"event": "model", "output": odd, "input_refs": [odd, [odd, odd], [0, 10**12], [-5, 2]]},
        {"event": "tool", "id": odd, "result": odd, "error": odd, "working_time": odd, "function": odd},
        {"event": "span_begin", "id": odd, "parent_id": odd, "type": odd, "name": odd},
        {"event": "sandbox", "action": "exec", "result": odd, "span_id": odd},
        {"event": "error", "error": odd},
        {"event": "sample_limit", "type": odd, "message": odd},
    ]  # fmt: skip
    part = sample(
        events=events, attachments=odd, events_data={"messages": [odd, {"role": "tool", "tool_call_id": odd}]}
    )
    numbers = [step.step_id for step in steps(part)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [
        step.step_id
        for step in steps(sample(messages=[odd, {"role": odd, "content": odd}, {"role": "tool"}]))
    ]


def test_attachments_cannot_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.intake.reported.step_readers.inspect_sample.MAX_VALUE_BYTES", 50)
    part = sample(
        events=[model(assistant(1, [{"type": "text", "text": "attachment://a"}] * 3))],
        attachments={"a": "x" * 20},
    )
    with pytest.raises(
        ResultsRefused, match=r"_1\.json: an event has more than 50 bytes with its attachments$"
    ):
        steps(part)


def test_a_result_has_the_pictures_of_its_parts() -> None:
    data = "iVBORw0KGgoAAAA="
    messages = [
        assistant(1, "Look.", called("c1", command="screenshot")),
        {
            **{"role": "tool", "id": "t1", "tool_call_id": "c1", "function": "computer"},
            "content": [{"type": "text", "text": "seen"}, {"type": "image", "image": "attachment://p"}],
        },
    ]
    found = sample(messages=messages, attachments={"p": f"data:image/png;base64,{data}"})
    ((step, _),) = inspect_steps(found)
    assert [(one.content, one.artifacts) for one in step.results] == [("seen\n[image]", (data,))]
