"""Conversations from responses and calls that were traced."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.records import Metrics, ToolCall, ToolResult
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.conversations.conversation_parts import conversation_steps
from runs.intake.reported.step_readers.traces import traced_spans
from runs.intake.reported.step_readers.traces.traced_spans import (
    Answer,
    CallSpan,
    RequestMessage,
    ResponseSpan,
    Span,
    TracedRequest,
    bounded,
    completed,
    parts_of_spans,
)
from tests.runs.intake.reported.step_readers.conversations.conversation_files import measured, told


def call_span(begun: float, call_id: str, name: str) -> CallSpan:
    """A call of a tool whose result says its name and its time."""
    return CallSpan(begun, ToolCall(call_id, name, {}), ToolResult(call_id, f"{name} {begun:g}", True, None))


def test_calls_belong_to_the_response_that_announced_them_or_to_the_one_before() -> None:
    announced = (ToolCall("a", "ls", {}), ToolCall("b", "cat", {}))
    asked = RequestMessage("user", "Fix add.")
    late = RequestMessage("system", "", ToolResult("a", "again", None, None))
    spans: list[Span] = [
        ResponseSpan(5, TracedRequest((asked, late)), Answer("Done.")),
        call_span(4, "x", "pwd"),
        call_span(3, "y", "cat"),
        call_span(2, "a", "ls"),
        ResponseSpan(
            1,
            TracedRequest((asked,)),
            Answer("I look.", calls=announced),
            metrics=Metrics(9, 5, 0, None, None),
        ),
    ]
    steps = list(conversation_steps(parts_of_spans(bounded(spans, "a.json")), "a.json"))
    assert told(steps) == [
        ("user", "Fix add.", [], []),
        ("agent", "I look.", ["ls", "cat", "pwd"], [("ls 2", True), ("cat 3", True), ("pwd 4", True)]),
        ("agent", "Done.", [], []),
    ]
    assert measured(steps) == [(9, 5, 0, None), (None,) * 4]


def test_of_a_conversation_that_is_one_text_only_new_lines_are_shown() -> None:
    texts = ("user: Fix add.", "user: Fix add.\ntool: Done.", "user: Fix all.")
    spans = [
        ResponseSpan(at, TracedRequest((RequestMessage("user", text),)), SAID)
        for at, text in enumerate(texts)
    ]
    steps = list(conversation_steps(parts_of_spans(spans), "a.json"))
    assert [step.message for step, _ in steps if step.source == "user"] == [
        "user: Fix add.",
        "tool: Done.",
        "user: Fix all.",
    ]


def test_a_call_without_a_response_says_nothing_of_tokens() -> None:
    steps = list(conversation_steps(parts_of_spans([call_span(1, "a", "ls")]), "a.json"))
    assert told(steps) == [("agent", "", ["ls"], [("ls 1", True)])]
    assert measured(steps) == [(None,) * 4]


SAID, CALLED = Answer("I look."), Answer("", calls=(ToolCall("a", "ls", {}),))
MEASURED = Metrics(9, 5, None, None, None)


@pytest.mark.parametrize(
    "other",
    [{"span": "outer", "parent": "above"}, {"span": "other", "response": "r1"}],
    ids=["around", "beside"],
)
def test_a_request_that_two_libraries_traced_is_one_response_with_what_both_say(
    other: dict[str, str],
) -> None:
    asked = TracedRequest((RequestMessage("user", "Fix add."),))
    inner = ResponseSpan(2, metrics=MEASURED, span="inner", parent="outer", response="r1")
    outer = ResponseSpan(1, asked, CALLED, Metrics(99, 5, None, None, None), "gpt-5", **other)
    steps = list(conversation_steps(parts_of_spans(completed([inner, outer])), "a.json"))
    assert told(steps) == [("user", "Fix add.", [], []), ("agent", "", ["ls"], [])]
    assert measured(steps) == [(9, 5, None, None)]


def test_spans_that_are_around_each_other_are_all_kept() -> None:
    spans = [ResponseSpan(at, answer=SAID, span=f"{at}", parent=f"{3 - at}") for at in (1, 2)]
    assert completed(spans) == spans


def test_a_span_around_several_requests_is_none_and_its_answer_is_not_theirs() -> None:
    inner = [ResponseSpan(at, metrics=MEASURED, span=f"{at}", parent="outer") for at in (1, 2)]
    assert completed([ResponseSpan(0, answer=SAID, span="outer"), *inner]) == inner


@pytest.mark.parametrize(("repeated", "text"), [(1, "I look."), (0, ""), (2, "")])
def test_an_answer_that_is_missing_is_the_one_that_the_next_request_repeats_in_addition(
    repeated: int, text: str
) -> None:
    later = ResponseSpan(3, TracedRequest((), repeated, SAID), CALLED)
    spans: list[Span] = [ResponseSpan(1), call_span(2, "a", "ls"), later]
    first, _, last = completed(spans)
    assert isinstance(first, ResponseSpan)
    assert (first.answer.text, last) == (text, later)


def test_a_missing_last_answer_is_the_closing_one() -> None:
    known, last = ResponseSpan(1, answer=CALLED), ResponseSpan(2, TracedRequest((), 1, CALLED))
    assert completed([known, last], lambda: SAID) == [known, replace(last, answer=SAID)]
    assert completed([known, last]) == [known, last]


def test_too_many_spans_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traced_spans, "MAX_SPANS", 1)
    with pytest.raises(ResultsRefused, match=r"a\.json: it has more than 1 responses and calls"):
        bounded([ResponseSpan(0)] * 2, "a.json")
