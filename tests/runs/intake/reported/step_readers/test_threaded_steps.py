"""Steps of conversations that run beside each other."""

from __future__ import annotations

import pytest

from harness.records import Metrics, Step, ToolCall, ToolResult
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import threaded_steps
from runs.intake.reported.step_readers.threaded_steps import ThreadedSteps


def call(name: str) -> ToolCall:
    return ToolCall(name, "bash", {"command": "ls"})


def result(name: str) -> ToolResult:
    return ToolResult(name, f"of {name}", None, None)


def told(steps: list[Step]) -> list[tuple[int, str, list[str]]]:
    return [(step.step_id, step.message, [one.content for one in step.results]) for step in steps]


def test_parts_of_a_response_are_one_step_also_around_results() -> None:
    steps = ThreadedSteps("a")
    assert not list(steps.responds("r1", "I look.", reasoning="Why?", calls=[call("a")], at="t"))
    assert not list(steps.returns(result("a")))
    assert not list(steps.responds("r1", "I go on.", reasoning="So.", calls=[call("b")], metrics=Metrics(5)))
    assert not list(steps.returns(result("b")))
    (step,) = steps.responds("r2", "Done.")
    assert step == Step(
        *(1, "t", "agent", "I look.\n\nI go on.", "Why?\n\nSo."),
        *((call("a"), call("b")), (result("a"), result("b")), Metrics(5)),
    )
    assert told(list(steps.end())) == [(2, "Done.", [])]


def test_steps_of_a_sub_agent_wait_for_the_result_of_its_call() -> None:
    steps = ThreadedSteps("a")
    assert not list(steps.responds("r1", "Ask.", calls=[call("a")]))
    assert not list(steps.says("system", f"{steps.mark('x')} Check."))
    assert not list(steps.responds("r2", "I check.", calls=[call("b")], thread="x"))
    assert not list(steps.returns(result("b")))
    assert not list(steps.responds("r3", thread="y"))
    assert not list(steps.returns(result("a")))
    found = [*steps.responds("r4", "Done."), *steps.end()]
    assert told(found) == [
        (1, "Ask.", ["of a"]),
        (2, "[sub-agent 1] Check.", []),
        (3, "[sub-agent 1] I check.", ["of b"]),
        (4, "[sub-agent 2]", []),
        (5, "Done.", []),
    ]


def test_a_result_of_no_open_call_is_a_message_of_the_system() -> None:
    steps = ThreadedSteps("a")
    list(steps.responds("r1", calls=[call("a")]))
    assert steps.waits_for("a")
    found = [*steps.responds("r2"), *steps.returns(result("a")), *steps.returns(result("b")), *steps.end()]
    assert not steps.waits_for("a")
    assert [step.source for step in found] == ["agent", "agent", "system", "system"]


def test_calls_with_the_same_id_get_their_results_in_order() -> None:
    steps = ThreadedSteps("a")
    list(steps.responds("r1", calls=[call("a"), call("a"), ToolCall("", "bash", {})]))
    first, second = ToolResult("a", "1", None, None), ToolResult("a", "2", None, None)
    (step,) = [*steps.returns(first), *steps.returns(second), *steps.end()]
    assert [one.id for one in step.calls] == ["a", "a-2", "call-3"]
    assert [(one.call_id, one.content) for one in step.results] == [("a", "1"), ("a-2", "2")]


def test_a_call_that_gets_a_number_takes_no_id_of_another_one() -> None:
    steps = ThreadedSteps("a")
    list(steps.responds("r1", calls=[call("x-3"), call("x"), call("x")]))
    for name in ("x", "x", "x-3"):
        list(steps.returns(result(name)))
    (step,) = steps.end()
    assert [one.id for one in step.calls] == ["x-3", "x", "x-4"]
    assert [(one.call_id, one.content) for one in step.results] == [
        ("x", "of x"),
        ("x-4", "of x"),
        ("x-3", "of x-3"),
    ]


def test_use_is_counted_once() -> None:
    steps = ThreadedSteps("a", {"copied"})
    found = [
        step
        for key in ("copied", "r1", "r2", "r1")
        for step in steps.responds(key, calls=[], metrics=Metrics(7))
    ]
    assert [step.metrics for step in [*found, *steps.end()]] == [None, Metrics(7), Metrics(7), None]


def test_a_measurement_may_come_later() -> None:
    steps = ThreadedSteps("a", {"copied"})
    list(steps.responds("r1"))
    steps.measured(Metrics(7))
    found = list(steps.responds("copied"))
    steps.measured(Metrics(8))
    assert [step.metrics for step in [*found, *steps.end()]] == [Metrics(7), None]


def test_too_many_steps_that_wait_are_released_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threaded_steps, "_MAX_CHARACTERS", 2_000)
    steps = ThreadedSteps("a")
    list(steps.responds("r1", calls=[call("a")]))
    before = list(steps.says("user", "x" * 1_600))
    after = [*steps.returns(result("a")), *steps.end()]
    assert [(step.step_id, len(step.message)) for step in before] == [(1, 0), (2, 1_600)]
    assert told(after) == [(3, "of a", [])]


def test_limits_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = ThreadedSteps("a.jsonl")
    with pytest.raises(ResultsRefused, match=r"^a\.jsonl: a response has more than 2,000 calls$"):
        list(steps.responds("r1", calls=[call(str(number)) for number in range(2_001)]))
    monkeypatch.setattr(threaded_steps, "MAX_STEPS", 2)
    steps = ThreadedSteps("a.jsonl")
    assert len([*steps.says("user", "1"), *steps.says("user", " "), *steps.says("user", "2")]) == 2
    with pytest.raises(ResultsRefused, match=r"^a\.jsonl: it has more than 2 steps$"):
        list(steps.says("user", "3"))
