"""Steps as events of Inspect's logs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from harness.records import Metrics, Step, ToolCall, ToolResult
from runs.transfer.interchange.sample_events import SampleEvents

NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
CALLS = (ToolCall("a", "ls", {"path": "."}), ToolCall("b", "cat", {}))


def events(*steps: Step) -> list[dict[str, Any]]:
    """The events of a run that began at noon."""
    return list(SampleEvents("m", NOON).of(steps))


def times(event: dict[str, Any]) -> tuple[str, str, float]:
    """From second to second of the minute after noon, and seconds since the beginning."""
    return event["timestamp"][14:23], event["completed"][14:23], event["working_start"]


def test_a_model_is_called_before_its_tools_and_tools_one_after_the_other() -> None:
    results = (ToolResult("a", "x", True, 2.0), ToolResult("b", "no", False, 1.0))
    model, first, second = events(
        Step(1, "2026-03-01T12:00:00Z", "user", "Mend it."),
        Step(2, "2026-03-01T12:00:10Z", "agent", "", "", CALLS, results, Metrics(9, 1, seconds=4.0)),
    )
    assert times(model) == ("00:03Z", "00:07Z", 3.0)
    assert times(first) == ("00:07Z", "00:09Z", 7.0)
    assert times(second) == ("00:09Z", "00:10Z", 9.0)
    assert (model["input"], model["input_refs"], model["working_time"]) == ([], [[0, 1]], 4.0)
    assert model["output"]["usage"]["input_tokens"] == 9
    assert (first["id"], first["function"], first["arguments"], first["result"]) == (
        "a",
        "ls",
        {"path": "."},
        "x",
    )
    assert "error" not in first
    assert (second["error"]["message"], second["message_id"]) == ("no", "step-2-result-2")


def test_recorded_beginnings_of_calls_are_used() -> None:
    results = (ToolResult("a", "x", True, 1.0, (), "2026-03-01T12:00:05Z"),)
    model, tool = events(
        Step(1, "2026-03-01T12:00:10Z", "agent", "", "", CALLS, results, Metrics(9, 1, seconds=2.0))
    )
    assert times(model) == ("00:03Z", "00:05Z", 3.0)
    assert times(tool) == ("00:05Z", "00:06Z", 5.0)


def test_each_model_is_sent_all_messages_before_its_own() -> None:
    metrics = Metrics()
    found = events(
        Step(1, "", "agent", "", metrics=metrics),
        Step(2, "", "agent", "", "", CALLS, (ToolResult("a", "", True, 0.0),), metrics),
        Step(3, "", "agent", "", metrics=metrics),
    )
    assert [event["input_refs"] for event in found if event["event"] == "model"] == [[], [[0, 1]], [[0, 3]]]


def test_steps_without_a_model_have_events_of_their_calls_only() -> None:
    results = (ToolResult("z", "x", None, None),)
    (tool,) = events(Step(1, "", "system", "hello"), Step(2, "", "agent", "", "", CALLS, results))
    assert (tool["event"], tool["function"], tool["arguments"]) == ("tool", "unknown", {})
    assert {"error", "working_time"} & tool.keys() == set()
    assert times(tool) == ("00:00Z", "00:00Z", 0.0)


def test_impossible_durations_and_earlier_times_do_no_harm() -> None:
    metrics = Metrics(1, 1, seconds=1e15, retries=("429", "500"))
    (model,) = events(Step(1, "1970-01-01T00:00:00Z", "agent", "", metrics=metrics))
    assert (model["timestamp"][:4], model["working_start"], model["retries"]) == ("1969", 0.0, 2)
