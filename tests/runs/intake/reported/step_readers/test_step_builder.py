"""Messages become numbered steps; results belong to the calls that they name."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records import Metrics, Step, ToolCall, ToolResult
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import step_builder
from runs.intake.reported.step_readers.step_builder import (
    MAX_CALLS,
    UNKNOWN,
    StepBuilder,
    amount,
    arguments_of,
    call_of,
    moment,
    whole,
)


def result(call_id: str, content: str = "") -> ToolResult:
    """A result of which only the text is known."""
    return ToolResult(call_id, content, None, None)


def test_steps_are_numbered_and_results_follow_their_calls() -> None:
    builder = StepBuilder("a.json")
    calls = (ToolCall("c1", "ls", {}), ToolCall("c2", "cat", {}))
    steps = [
        *builder.says("user", "Fix it."),
        *builder.says("user", " \n"),
        *builder.responds("I look.", calls=calls, at="2026-01-31T12:00:00.000Z"),
        *builder.returns(result("c2", "second")),
        *builder.returns(result("", "first")),
        *builder.responds("Done.", metrics=None),
        *builder.end(),
    ]
    assert steps == [
        Step(1, "", "user", "Fix it."),
        Step(
            2,
            "2026-01-31T12:00:00.000Z",
            "agent",
            "I look.",
            calls=calls,
            results=(result("c2", "second"), result("c1", "first")),
            metrics=UNKNOWN,
        ),
        Step(3, "", "agent", "Done."),
    ]


def test_a_result_without_its_call_is_a_step_of_its_own() -> None:
    builder = StepBuilder("a.json")
    steps = [*builder.responds("a"), *builder.returns(result("c9", "late")), *builder.end()]
    assert [(step.source, step.message) for step in steps] == [("agent", "a"), ("system", "late")]


def test_calls_without_an_id_of_their_own_get_one() -> None:
    builder = StepBuilder("a.json")
    calls = (ToolCall("", "a", {}), ToolCall("x", "b", {}), ToolCall("x", "c", {}))
    steps = [
        *builder.responds("", calls=calls),
        *builder.returns(result("x", "of b")),
        *builder.returns(result("x", "of c")),
        *builder.end(),
    ]
    assert [call.id for call in steps[0].calls] == ["call-1", "x", "x-3"]
    assert [(one.call_id, one.content) for one in steps[0].results] == [("x", "of b"), ("x-3", "of c")]


def test_a_call_that_gets_a_number_has_no_id_of_another_one() -> None:
    builder = StepBuilder("a.json")
    calls = [ToolCall(name, "ls", {}) for name in ("x-3", "x", "x", "call-5", "", "x-")]
    list(builder.responds("", calls=calls))
    for name in ("x", "x", "x-", "x-3", "call-5", "call-6"):
        assert list(builder.returns(result(name, f"of {name}"))) == []
    (step,) = builder.end()
    assert [call.id for call in step.calls] == ["x-3", "x", "x-4", "call-5", "call-6", "x-"]
    assert [(one.call_id, one.content) for one in step.results] == [
        ("x", "of x"),
        ("x-4", "of x"),
        ("x-", "of x-"),
        ("x-3", "of x-3"),
        ("call-5", "of call-5"),
        ("call-6", "of call-6"),
    ]


def test_parts_of_one_response_are_one_step_until_a_result_comes() -> None:
    builder = StepBuilder("a.json")
    assert not builder.extends("nothing is open")
    list(builder.responds("one"))
    assert builder.extends("two", "thought", (ToolCall("c", "ls", {}),))
    builder.measured(Metrics(7))
    assert builder.waits
    list(builder.returns(result("c")))
    assert not builder.waits
    assert not builder.extends("too late")
    (step,) = builder.end()
    assert (step.message, step.reasoning, step.metrics) == ("one\n\ntwo", "thought", Metrics(7))


def test_the_number_of_steps_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_builder, "MAX_STEPS", 1)
    builder = StepBuilder("a.json")
    list(builder.says("user", "a"))
    with pytest.raises(ResultsRefused, match=r"^a\.json: it has more than 1 steps$"):
        list(builder.says("user", "b"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ("{broken", {"arguments": "{broken"}),
        ("ls", {"arguments": "ls"}),
        (["a"], {"arguments": ["a"]}),
        (None, {}),
        ("", {}),
        ({"a": list(range(6_000))}, None),
        ('{"a": NaN}', {"arguments": '{"a": NaN}'}),
        ({"a": [float("inf")]}, {"arguments": '{"a": [Infinity]}'}),
    ],
)
def test_arguments_are_an_object_whatever_a_tool_wrote(value: Any, expected: dict[str, Any] | None) -> None:
    found = arguments_of(value)
    assert found == expected or (expected is None and set(found) == {"arguments"})


def test_deep_arguments_are_a_text() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = {"a": deep}
    assert arguments_of(deep)["arguments"].startswith('{"a": {"a"')


def test_a_call_without_a_name_is_unknown() -> None:
    assert call_of(7, None, None) == ToolCall("7", "unknown", {})


@pytest.mark.parametrize("value", [None, True, -1, float("nan"), "7", [], 2**60])
def test_what_is_no_amount_is_unknown(value: Any) -> None:
    assert amount(value) is whole(value) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-01-31T13:00:00+01:00", "2026-01-31T12:00:00.000Z"),
        ("2026-01-31 12:00:00.1234567", "2026-01-31T12:00:00.123Z"),
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"),
        (1769860800, "2026-01-31T12:00:00.000Z"),
        ("yesterday", ""),
        (1e300, ""),
        (None, ""),
        ("0001-01-01T00:00:00+14:00", ""),
        ("2100-01-01T00:00:00Z", ""),
        ("9999-12-31T23:59:59Z", ""),
    ],
)
def test_times_are_in_utc(value: Any, expected: str) -> None:
    assert moment(value) == expected


def test_thousands_of_calls_get_their_results_and_more_are_refused() -> None:
    builder = StepBuilder("a.json")
    calls = [call_of(f"c{number}", "ls", {}) for number in range(MAX_CALLS)]
    assert list(builder.responds("", calls=calls)) == []
    for number in reversed(range(MAX_CALLS)):
        assert list(builder.returns(ToolResult(f"c{number}", "", True, None))) == []
    assert not builder.waits
    with pytest.raises(ResultsRefused, match=r"^a.json: a response has more than 2,000 calls$"):
        list(builder.responds("", calls=[*calls, calls[0]]))
