"""Which requests the client retries, when, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from harness.errors import (
    Cause,
    ContentRefused,
    ContextLimitReached,
    ModelError,
    RunCancelled,
    RunRequeued,
)
from harness.limits import Ending, LimitReached, Limits, Spending
from harness.llm.client import Client
from harness.llm.replies import MALFORMED_CALL
from harness.llm.spec import CallSettings, ModelSpec
from tests.harness.conversations import HELLO, PRICED, QUICK, Conversation, dollars


class TestWhatPasses:
    @pytest.mark.parametrize(
        ("fault", "reason"),
        [
            ({"status": 429}, "429 Too Many Requests: Scripted 429."),
            ({"status": 408}, "408 Request Timeout: Scripted 408."),
            ({"status": 409}, "409 Conflict: Scripted 409."),
            ({"status": 425}, "425 Too Early: Scripted 425."),
            ({"status": 500}, "500 Internal Server Error: Scripted 500."),
            ({"status": 503}, "503 Service Unavailable: Scripted 503."),
            ({"status": 502}, "502 Bad Gateway: Scripted 502."),
            ({"status": 504}, "504 Gateway Timeout: Scripted 504."),
            ({"status": 529}, "529: Scripted 529."),
            ({"raw": ""}, "unreadable response: error - Expecting value"),
            ({"raw": "<html>502</html>"}, "unreadable response: error - Expecting value"),
            (
                {"raw": '{"id": "x", "choices": [{"mess'},
                "unreadable response: error - Unterminated",
            ),
            ({"raw": "null"}, "unreadable response: Empty or invalid response"),
            ({"raw": '{"id": "x", "cho', "cut": True}, "no response: Connection error."),
            ({"raw": "plain", "headers": {"Content-Encoding": "gzip"}}, "no response: Connection error."),
            ({"hang": 0.05}, "no response: Connection error."),
            ({"raw": "not json"}, "unreadable response: error - Expecting value"),
            ({"raw": '{"error": {"code": 429, "message": "Slower."}}'}, "429 Too Many Requests: Slower."),
        ],
    )
    def test_is_retried(self, fault: Mapping[str, Any], reason: str) -> None:
        conversation = Conversation(fault, **PRICED)
        reply = conversation.send()
        assert reply.message == "Hello."
        assert len(conversation.requests) == 2
        assert len(reply.metrics.retries) == 1
        assert reply.metrics.retries[0].startswith(reason)
        assert conversation.spent() == (100, 10, 0, dollars(0.0003))

    def test_retry_after_is_honoured(self) -> None:
        conversation = Conversation({"status": 429, "headers": {"Retry-After": "1"}})
        reply = conversation.send()
        assert 1.0 <= conversation.seconds < 3.0
        assert reply.metrics.retries == ("429 Too Many Requests: Scripted 429.; retried after 1.0 s",)

    def test_reason_of_a_wait_and_its_end_are_reported(self) -> None:
        conversation = Conversation({"status": 429, "headers": {"Retry-After": "1"}}, {"status": 500})
        conversation.send()
        assert conversation.waited_for == [
            "Waiting for the provider: 429 Too Many Requests: Scripted 429.. Next try in 1 s;"
            " the run waits 30 min more at most.",
            "Waiting for the provider, 1 s so far: 500 Internal Server Error: Scripted 500.. Next try in 0 s;"
            " the run waits 30 min more at most.",
            "",
        ]
        conversation = Conversation()
        conversation.send()
        assert conversation.waited_for == []

    @pytest.mark.parametrize("header", ["0", "-5", "nan", "Fri, 31 Dec 1999 23:59:59 GMT", "soon"])
    def test_retry_after_zero_uses_the_default_delay(self, header: str) -> None:
        fault = {"status": 429, "headers": {"Retry-After": header}}
        settings = CallSettings(call_timeout=5, retry_delay=0.2)
        metrics = Conversation(fault, settings=settings).send().metrics
        assert metrics.waited >= 0.2
        # 0.2 s, up to a quarter longer
        assert [retry.rpartition(";")[2] for retry in metrics.retries] == [" retried after 0.2 s"]

    def test_waits_double(self) -> None:
        settings = CallSettings(call_timeout=5, retry_delay=0.1)
        conversation = Conversation(*[{"status": 500}] * 3, settings=settings)
        metrics = conversation.send().metrics
        assert metrics.waited >= 0.7
        # 0.1, 0.2 and 0.4 s, each up to a quarter longer
        waits = [retry.rpartition(" after ")[2] for retry in metrics.retries]
        assert waits in (["0.1 s", "0.2 s", "0.4 s"], ["0.1 s", "0.2 s", "0.5 s"])

    @pytest.mark.parametrize("fault", [{"hang": 30}, {"trickle": 30}])
    def test_a_call_that_hangs_is_ended_at_its_time_out(self, fault: Mapping[str, Any]) -> None:
        settings = CallSettings(call_timeout=1, retry_delay=0.01)
        conversation = Conversation(fault, settings=settings)
        reply = conversation.send()
        assert 1.0 <= conversation.seconds < 3.5
        assert [reason.partition(";")[0] for reason in reply.metrics.retries] == ["no response within 1 s"]

    def test_empty_response_is_billed_and_retried(self) -> None:
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30, "cached": 20}}
        conversation = Conversation(empty, empty, **PRICED)
        reply = conversation.send()
        # twice (70 - 20) * $2 + 20 * $0.5 + 30 * $10 = 410, then 100 * $2 + 10 * $10 = 300 millionths
        assert conversation.spent() == (240, 70, 40, dollars(0.00112))
        metrics = reply.metrics
        assert (metrics.prompt_tokens, metrics.completion_tokens, metrics.cached_tokens) == (240, 70, 40)
        assert metrics.cost_usd == dollars(0.00112)
        assert reply.prompt_tokens == 100
        assert len(metrics.retries) == 2


class TestWhatDoesNotPass:
    @pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
    def test_a_refusal_ends_at_once(self, status: int) -> None:
        conversation = Conversation({"status": status, "message": "No."})
        with pytest.raises(ModelError, match=rf"^Scripted: {status} [A-Z][\w ]+: No\.$"):
            conversation.send()
        assert len(conversation.requests) == 1

    def test_full_window_has_its_own_error(self) -> None:
        message = "This model's maximum context length is 100 tokens. However, your messages resulted in 200 tokens."
        conversation = Conversation({"status": 400, "message": message, "code": "context_length_exceeded"})
        with pytest.raises(ContextLimitReached, match="maximum context length is 100 tokens"):
            conversation.send()
        assert len(conversation.requests) == 1

    def test_a_status_that_content_can_cause_ends_after_six_tries(self) -> None:
        conversation = Conversation(*[{"status": 500}] * 9)
        with pytest.raises(
            ModelError, match=r"gave up after 6 tries: 500 Internal Server Error: Scripted 500\."
        ) as caught:
            conversation.send()
        assert caught.value.cause is Cause.AGENT
        assert len(conversation.requests) == 6

    @pytest.mark.parametrize(
        ("fault", "cause"),
        [
            ({"status": 429}, Cause.RATE),
            ({"status": 503}, Cause.PROVIDER),
            ({"status": 504}, Cause.GATEWAY),
            ({"raw": "<html>502</html>"}, Cause.GATEWAY),
        ],
    )
    def test_other_failures_are_waited_out_for_as_long_as_the_patience_allows(
        self, fault: Mapping[str, Any], cause: Cause
    ) -> None:
        settings = CallSettings(call_timeout=5, retry_delay=0.02, patience=1.0)
        conversation = Conversation(*[fault] * 40, settings=settings)
        with pytest.raises(ModelError, match=r"^Scripted: gave up after \d+ tries: ") as caught:
            conversation.send()
        assert caught.value.cause is cause
        assert len(conversation.requests) >= 4
        assert conversation.seconds < 3.0
        assert conversation.spending.failing_seconds < 1.5

    def test_many_failures_within_the_patience_lose_nothing(self) -> None:
        settings = CallSettings(call_timeout=5, retry_delay=0.0)
        conversation = Conversation(*[{"status": 429}] * 40, settings=settings)
        assert conversation.send().message == "Hello."
        assert len(conversation.requests) == 41

    def test_the_patience_is_that_of_the_run_and_not_of_one_request(self) -> None:
        settings = CallSettings(call_timeout=5, retry_delay=0.3, patience=0.5)
        conversation = Conversation({"status": 503}, settings=settings)
        conversation.send()
        again = Conversation({"status": 503}, settings=settings)
        again.spending = conversation.spending
        with pytest.raises(ModelError, match=r"^Scripted: gave up after 1 try: 503"):
            again.send()

    def test_a_hint_shorter_than_the_backoff_does_not_shorten_it(self) -> None:
        fault = {"status": 429, "headers": {"retry-after-ms": "20"}}
        settings = CallSettings(call_timeout=5, retry_delay=0.1)
        metrics = Conversation(*[fault] * 3, settings=settings).send().metrics
        assert metrics.waited >= 0.7  # 0.1, 0.2 and 0.4 s

    def test_a_filter_is_asked_once_more(self) -> None:
        policy = {"status": 400, "code": "content_policy_violation", "message": "Not this."}
        reply = Conversation(policy).send()
        assert reply.message == "Hello."
        assert reply.metrics.retries == (
            "refused: Scripted refuses this conversation: 400 Bad Request: Not this.; asked again",
        )
        twice = Conversation(policy, policy)
        with pytest.raises(ContentRefused, match="Not this"):
            twice.send()
        assert len(twice.requests) == 2

    def test_a_response_that_a_filter_stopped_is_paid_and_asked_once_more(self) -> None:
        stopped = {"finish_reason": "content_filter", "text": None}
        conversation = Conversation(reply=stopped, **PRICED)
        reply = conversation.send()
        assert reply.refusal == "The provider's filter stopped the response (content_filter)."
        assert len(conversation.requests) == 2
        assert conversation.spent() == (200, 20, 0, dollars(0.0006))

    def test_a_tool_call_that_the_provider_could_not_read_is_a_malformed_call(self) -> None:
        error = {
            "message": "Failed to call a function. See 'failed_generation' for more details.",
            "type": "invalid_request_error",
            "code": "tool_use_failed",
            "failed_generation": "look[{]",
        }
        reply = Conversation({"status": 400, "body": {"error": error}}).send()
        assert (reply.message, reply.calls, reply.metrics.finish_reason) == ("look[{]", (), MALFORMED_CALL)
        readable = '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>'
        body = {"error": {**error, "failed_generation": readable}}
        reply = Conversation({"status": 400, "body": body}).send()
        assert [call.name for call in reply.calls] == ["look"]
        assert reply.metrics.repairs == ("the server left the calls in the text",)

    def test_billed_failures_are_charged(self) -> None:
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30}}
        conversation = Conversation(empty, {"status": 401}, **PRICED)
        with pytest.raises(ModelError, match="401"):
            conversation.send()
        assert conversation.spent() == (70, 30, 0, dollars(0.00044))

    def test_billed_failures_stop_at_the_cost_limit(self) -> None:
        # each costs 70 * $2 + 30 * $10 = 440 millionths, and may cost 100 * $10 = 1000 for its text alone
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30}}
        settings = replace(QUICK, max_output_tokens=100)
        limits = Limits(cost_usd=0.0019)
        conversation = Conversation(*[empty] * 5, settings=settings, limits=limits, **PRICED)
        with pytest.raises(
            LimitReached, match=r"^\$0\.0009 of \$0\.0019 spent, and the next model call"
        ) as caught:
            conversation.send()
        assert caught.value.ending is Ending.COST_LIMIT
        assert len(conversation.requests) == 2

    def test_unreachable_server_is_named_after_the_retries(self) -> None:
        model = ModelSpec("Absent", "openai/absent", api_base="http://127.0.0.1:9/v1")
        client = Client(model, CallSettings(patience=0.5, retry_delay=0.05))
        with pytest.raises(ModelError, match=r"^Absent: gave up after [2-5] tries: .*Connection error"):
            client.complete(HELLO, spending=Spending(Limits()))

    def test_an_unknown_provider_is_refused_at_once(self) -> None:
        with pytest.raises(ModelError, match=r"^Odd: BadRequestError"):
            Client(ModelSpec("Odd", "nonsense")).complete(HELLO, spending=Spending(Limits()))


class TestTheClock:
    def test_a_wait_for_the_provider_does_not_count_towards_the_time_of_the_run(self) -> None:
        fault = {"status": 429, "headers": {"Retry-After": "2.5"}}
        conversation = Conversation(fault, limits=Limits(wall_seconds=2))
        assert conversation.send().message == "Hello."
        assert conversation.seconds >= 2.5
        assert conversation.spending.waited_seconds == pytest.approx(2.5, abs=0.3)

    def test_no_wait_is_longer_than_the_patience(self) -> None:
        fault = {"status": 429, "headers": {"Retry-After": "60"}}
        conversation = Conversation(fault, settings=CallSettings(call_timeout=5, patience=30))
        with pytest.raises(
            ModelError, match=r"Scripted 429\.; its provider allows the next try in 60 s"
        ) as caught:
            conversation.send()
        assert caught.value.cause is Cause.RATE
        assert conversation.seconds < 5

    def test_a_call_ends_with_the_run(self) -> None:
        conversation = Conversation({"hang": 30}, limits=Limits(wall_seconds=1))
        with pytest.raises(LimitReached) as caught:
            conversation.send()
        assert caught.value.ending is Ending.TIME_LIMIT
        assert conversation.seconds < 3.5

    @pytest.mark.parametrize("fault", [{"hang": 30}, {"status": 429, "headers": {"Retry-After": "30"}}])
    def test_cancelling_does_not_wait_for_the_model(self, fault: Mapping[str, Any]) -> None:
        conversation = Conversation(fault, settings=CallSettings(call_timeout=30))
        conversation.cancelled = True
        with pytest.raises(RunCancelled):
            conversation.send()
        assert conversation.seconds < 5

    def test_stopping_worker_waits_for_a_paid_call_but_does_not_retry(self) -> None:
        conversation = Conversation({"hang": 2.5}, settings=CallSettings(call_timeout=30))
        conversation.leaving = True
        with pytest.raises(RunRequeued):
            conversation.send()
        assert 2.5 <= conversation.seconds < 7
