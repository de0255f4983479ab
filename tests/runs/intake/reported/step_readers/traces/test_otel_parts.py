"""Traces of OpenTelemetry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.traces import otel_parts
from runs.intake.reported.step_readers.traces.otel_parts import is_otel
from tests.runs.intake.reported.step_readers.conversations.conversation_files import (
    OTEL,
    OTEL_SAID,
    conversation_file,
    measured,
    otel_span,
    otel_trace,
    read_one,
    told,
)

SPANS = OTEL["resourceSpans"][0]["scopeSpans"][0]["spans"]


@pytest.mark.parametrize("content", [OTEL, tuple(otel_trace(span) for span in reversed(SPANS))])
def test_the_spans_of_a_trace_are_responses_and_calls_in_the_order_of_their_times(
    tmp_path: Path, content: Any
) -> None:
    result, steps = read_one(tmp_path / "a.jsonl", content)
    assert told(steps) == [
        ("user", "Fix add.", [], []),
        ("agent", "I edit.", ["edit"], [("No.", False)]),
        ("agent", "Done.", [], []),
    ]
    assert measured(steps) == [(100, 20, 40, None), (None,) * 4]
    assert steps[1].step.reasoning == "Read first."
    assert steps[1].step.metrics is not None
    assert (steps[1].step.metrics.seconds, steps[1].step.results[0].seconds) == (1.0, 1.0)
    assert (result.agent, result.task) == ("ada with claude-sonnet-4-5", "t-1")


def test_each_trace_of_a_file_is_a_conversation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [{**span, "traceId": "t-2"} for span in SPANS]
    path = conversation_file(tmp_path / "a.json", otel_trace(*SPANS, *others))
    assert [one.task for one in read_trajectories(path, {}).results] == ["t-1", "t-2"]
    monkeypatch.setattr(otel_parts, "MAX_TRACES", 1)
    with pytest.raises(ResultsRefused, match=r"a\.json: it has more than 1 traces"):
        read_trajectories(path, {})


def test_messages_may_be_attributes_of_their_own(tmp_path: Path) -> None:
    span = otel_span(
        1,
        prompt__0__role="user",
        prompt__0__content="Fix add.",
        completion__0__role="assistant",
        completion__0__content="I look.",
        completion__0__tool_calls__0__name="ls",
        completion__0__tool_calls__0__arguments="{}",
        usage__prompt_tokens=7,
    )
    _, steps = read_one(tmp_path / "a.json", otel_trace(span))
    assert [one[:3] for one in told(steps)] == [("user", "Fix add.", []), ("agent", "I look.", ["ls"])]
    assert measured(steps) == [(7, None, None, None)]


def attributes(**values: Any) -> list[dict[str, Any]]:
    """Attributes of a span. `values`: with `__` for a dot."""
    return [{"key": name.replace("__", "."), "value": {"stringValue": one}} for name, one in values.items()]


REQUEST = {
    "openinference__span__kind": "LLM",
    "llm__input_messages__0__message__role": "user",
    "llm__input_messages__0__message__content": "Fix add.",
    "llm__output_messages__0__message__role": "assistant",
    "llm__output_messages__0__message__content": "I look.",
    "llm__token_count__prompt": "100",
    "llm__model_name": "gpt-5",
}


@pytest.mark.parametrize(
    "call",
    [
        {
            "openinference__span__kind": "TOOL",
            "tool__name": "ls",
            "input__value": "{}",
            "output__value": "calc.py",
        },
        {
            "openinference__span__kind": "TOOL",
            "gen_ai__tool__name": "ls",
            "input__value": "{}",
            "output__value": "calc.py",
        },
        {
            "traceloop__span__kind": "tool",
            "traceloop__entity__name": "ls",
            "traceloop__entity__input": '{"args": [], "kwargs": {}}',
            "traceloop__entity__output": '"calc.py"',
        },
    ],
)
def test_spans_may_have_the_names_of_openinference_or_openllmetry(
    tmp_path: Path, call: dict[str, str]
) -> None:
    agent = {"openinference__span__kind": "AGENT", "agent__name": "ada", "session__id": "s-1"}
    spans = [
        {**otel_span(second), "attributes": attributes(**one)}
        for second, one in enumerate((agent, REQUEST, call))
    ]
    result, steps = read_one(tmp_path / "a.json", otel_trace(*spans))
    assert told(steps) == [("user", "Fix add.", [], []), ("agent", "I look.", ["ls"], [("calc.py", True)])]
    assert steps[1].step.calls[0].arguments == {}
    assert measured(steps) == [(100, None, None, None)]
    assert (result.agent, result.task) == ("ada with gpt-5", "s-1")


def test_a_request_that_the_client_traces_once_more_counts_once(tmp_path: Path) -> None:
    usage = {
        "operation__name": "chat",
        "response__id": "r1",
        "usage__input_tokens": 85,
        "usage__output_tokens": 11,
    }
    said = otel_span(1, output__messages=OTEL_SAID, **usage)
    beside, inside = otel_span(2, **usage), {**otel_span(3, **usage), "parentSpanId": "1"}
    for other in (beside, inside):
        _, steps = read_one(tmp_path / "a.json", otel_trace(said, other))
        assert [one[:3] for one in told(steps)] == [("agent", "I edit.", ["edit"])]
        assert measured(steps) == [(85, 11, None, None)]


@pytest.mark.parametrize(
    "content", [{}, [], 7, otel_trace(), otel_trace({"attributes": [{"key": "http.url"}]})]
)
def test_other_files_are_none(content: Any) -> None:
    assert not is_otel(content)
