"""Which requests the client retries, when, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from harness.errors import ContextLimitReached, ModelError, RunCancelled, RunRequeued
from harness.limits import Ending, LimitReached, Limits, Spending
from harness.llm.client import Client
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
        waiting = "The model did not respond ({}); retrying after {} s, try {} of 6."
        assert conversation.waited_for == [
            waiting.format("429 Too Many Requests: Scripted 429.", 1, 2),
            waiting.format("500 Internal Server Error: Scripted 500.", 0, 3),
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

    def test_after_five_retries_it_gives_up(self) -> None:
        conversation = Conversation(*[{"status": 500}] * 9)
        with pytest.raises(
            ModelError, match=r"gave up after 6 tries: 500 Internal Server Error: Scripted 500\."
        ):
            conversation.send()
        assert len(conversation.requests) == 6

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
        client = Client(model, CallSettings(retries=1, retry_delay=0.01))
        with pytest.raises(ModelError, match=r"^Absent: gave up after 2 tries: .*Connection error"):
            client.complete(HELLO, spending=Spending(Limits()))

    def test_an_unknown_provider_is_refused_at_once(self) -> None:
        with pytest.raises(ModelError, match=r"^Odd: BadRequestError"):
            Client(ModelSpec("Odd", "nonsense")).complete(HELLO, spending=Spending(Limits()))


class TestTheClock:
    def test_no_wait_goes_past_the_wall_limit(self) -> None:
        fault = {"status": 429, "headers": {"Retry-After": "60"}}
        conversation = Conversation(fault, limits=Limits(wall_seconds=30))
        with pytest.raises(ModelError, match=r"Scripted 429\.; the next try is possible in 60 s"):
            conversation.send()
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
