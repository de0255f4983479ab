"""The client, over real HTTP: LiteLLM speaks to a scripted server on loopback."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from harness.agents.base import ModelSpec
from harness.errors import ContextLimitReached, ModelError, RunCancelled
from harness.limits import Ending, LimitReached, Limits, Spending
from harness.llm import CallSettings, Client
from harness.model_server import ModelServer
from harness.records import Metrics, ToolCall
from harness.replies import Reply, read_arguments, retry_after

HELLO = [{"role": "user", "content": "Hello"}]
QUICK = CallSettings(call_timeout=5, retry_delay=0.01)
TOOL = {
    "type": "function",
    "function": {"name": "look", "description": "Looks.", "parameters": {"type": "object", "properties": {}}},
}


class Conversation:
    """One request to a scripted server, and what became of it."""

    def __init__(
        self,
        *faults: Mapping[str, Any],
        reply: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        settings: CallSettings = QUICK,
        **model: Any,
    ) -> None:
        self.script = [
            {"text": "Hello.", "usage": {"prompt": 100, "completion": 10}, **(reply or {}), "before": faults}
        ]
        self.spending = Spending(limits or Limits())
        self.settings = settings
        self.model = ModelSpec(**{"name": "Scripted", "litellm_id": "openai/scripted", **model})
        self.cancelled = False

    def ask(self) -> Reply:
        with ModelServer(self.script) as server:
            self.requests = server.requests
            client = Client(replace(self.model, api_base=server.url), self.settings)
            began = time.monotonic()
            try:
                return client.complete(HELLO, [TOOL], spending=self.spending, checkpoint=self.checkpoint)
            finally:
                self.seconds = time.monotonic() - began

    def checkpoint(self) -> None:
        if self.cancelled:
            raise RunCancelled("an operator asked for it")
        self.spending.check()

    def spent(self) -> tuple[int, int, int, float | None]:
        spending = self.spending
        return spending.prompt_tokens, spending.completion_tokens, spending.cached_tokens, spending.cost_usd


PRICED: dict[str, Any] = {"input_price": 2.0, "output_price": 10.0, "cached_price": 0.5}


def dollars(amount: float) -> Any:
    return pytest.approx(amount, rel=1e-12)


class TestAnAnswer:
    def test_text_reasoning_and_calls_come_back(self) -> None:
        calls = [{"name": "look", "arguments": {"path": "a.py"}}, {"name": "look", "arguments": {}}]
        reply = Conversation(reply={"reasoning": "Hm.", "calls": calls}).ask()
        assert (reply.message, reply.reasoning, dict(reply.malformed)) == ("Hello.", "Hm.", {})
        assert reply.calls == (
            ToolCall("call_1_1", "look", {"path": "a.py"}),
            ToolCall("call_1_2", "look", {}),
        )
        assert reply.history == {
            "role": "assistant",
            "content": "Hello.",
            "tool_calls": [
                {
                    "id": "call_1_1",
                    "type": "function",
                    "function": {"name": "look", "arguments": '{"path": "a.py"}'},
                },
                {"id": "call_1_2", "type": "function", "function": {"name": "look", "arguments": "{}"}},
            ],
        }

    def test_the_request_is_what_the_profile_says(self) -> None:
        conversation = Conversation(settings=CallSettings())
        conversation.ask()
        body = conversation.requests[0].body
        assert {key: body[key] for key in ("model", "temperature", "max_tokens", "messages", "tools")} == {
            "model": "scripted",
            "temperature": 0.1,
            "max_tokens": 4000,
            "messages": HELLO,
            "tools": [TOOL],
        }

    def test_a_model_without_temperature_is_not_sent_one(self) -> None:
        conversation = Conversation(litellm_id="openai/o3-mini")
        conversation.ask()
        assert "temperature" not in conversation.requests[0].body

    def test_calls_without_arguments_or_encoded_twice_are_understood(self) -> None:
        calls = [
            {"name": "look", "arguments": ""},
            {"name": "look", "arguments": '"{\\"path\\": \\"a.py\\"}"'},
        ]
        reply = Conversation(reply={"calls": calls}).ask()
        assert [call.arguments for call in reply.calls] == [{}, {"path": "a.py"}]
        assert not reply.malformed

    def test_unreadable_arguments_are_billed_and_quoted_to_the_model(self) -> None:
        calls = [{"name": "look", "arguments": '{"path": '}, {"name": "look", "arguments": {"path": "b.py"}}]
        conversation = Conversation(reply={"calls": calls}, **PRICED)
        reply = conversation.ask()
        assert [call.arguments for call in reply.calls] == [{}, {"path": "b.py"}]
        assert dict(reply.malformed) == {
            "call_1_1": "No tool was run: the arguments are not valid JSON"
            ' (Expecting value: line 1 column 10 (char 9)). You sent: {"path": '
        }
        assert reply.history["tool_calls"][0]["function"]["arguments"] == "{}"
        assert len(conversation.requests) == 1
        assert conversation.spent() == (100, 10, 0, dollars(0.0003))

    def test_a_call_that_was_cut_off_says_so(self) -> None:
        calls = [{"name": "look", "arguments": '{"path": "a'}]
        reply = Conversation(reply={"calls": calls, "finish_reason": "length"}).ask()
        assert "Your answer was cut off at 4000 tokens." in reply.malformed["call_1_1"]
        assert reply.metrics.finish_reason == "length"

    def test_a_lone_surrogate_is_replaced(self) -> None:
        assert Conversation(reply={"text": "\ud800!"}).ask().message == "?!"


class TestPrices:
    def test_stated_prices_know_cached_tokens(self) -> None:
        # (1000 - 800) * $2 + 800 * $0.5 + 50 * $10 for a million: 400 + 400 + 500 millionths
        usage = {"prompt": 1000, "completion": 50, "cached": 800}
        conversation = Conversation(reply={"usage": usage}, **PRICED)
        metrics = conversation.ask().metrics
        assert (metrics.prompt_tokens, metrics.completion_tokens, metrics.cached_tokens) == (1000, 50, 800)
        assert metrics.cost_usd == dollars(0.0013)
        assert conversation.spent() == (1000, 50, 800, dollars(0.0013))

    def test_cached_tokens_without_a_price_cost_the_full_one(self) -> None:
        # 1000 * $2 + 50 * $10 for a million
        usage = {"prompt": 1000, "completion": 50, "cached": 800}
        metrics = Conversation(reply={"usage": usage}, input_price=2.0, output_price=10.0).ask().metrics
        assert metrics.cost_usd == dollars(0.0025)

    def test_litellms_prices_serve_where_none_are_stated(self) -> None:
        # gpt-4o: $2.5 in, $1.25 cached, $10 out: 200 * 2.5 + 800 * 1.25 + 50 * 10 = 2000 millionths
        usage = {"prompt": 1000, "completion": 50, "cached": 800}
        metrics = Conversation(reply={"usage": usage}, litellm_id="openai/gpt-4o").ask().metrics
        assert metrics.cost_usd == dollars(0.002)

    def test_an_unknown_price_is_unknown_and_makes_the_sum_unknown(self) -> None:
        conversation = Conversation()
        assert conversation.ask().metrics.cost_usd is None
        assert conversation.spent() == (100, 10, 0, None)

    def test_a_price_of_zero_counts_only_where_it_was_stated(self) -> None:
        assert Conversation(input_price=0.0, output_price=0.0).ask().metrics.cost_usd == 0.0
        assert Client(ModelSpec("Free", "ollama/llama3")).price({"prompt_tokens": 9}) is None

    def test_an_answer_without_usage_costs_nobody_knows_what(self) -> None:
        conversation = Conversation(reply={"usage": None}, **PRICED)
        assert conversation.ask().metrics.cost_usd is None
        assert conversation.spent() == (0, 0, 0, None)


class TestWhatPasses:
    @pytest.mark.parametrize(
        ("fault", "reason"),
        [
            ({"status": 429}, "RateLimitError (429): Scripted 429."),
            ({"status": 500}, "InternalServerError (500): Scripted 500."),
            ({"status": 503}, "ServiceUnavailableError (503): Scripted 503."),
            ({"hang": 0.05}, "InternalServerError (500): Connection error."),
            ({"raw": "not json"}, "InternalServerError (500): error - Expecting value"),
            ({"raw": '{"error": {"code": 429, "message": "Slower."}}'}, "RateLimitError (429)"),
        ],
    )
    def test_is_asked_again(self, fault: Mapping[str, Any], reason: str) -> None:
        conversation = Conversation(fault, **PRICED)
        reply = conversation.ask()
        assert reply.message == "Hello."
        assert len(conversation.requests) == 2
        assert len(reply.metrics.retries) == 1
        assert reply.metrics.retries[0].startswith(reason)
        assert conversation.spent() == (100, 10, 0, dollars(0.0003))

    def test_retry_after_is_honoured(self) -> None:
        conversation = Conversation({"status": 429, "headers": {"Retry-After": "1"}})
        reply = conversation.ask()
        assert 1.0 <= conversation.seconds < 3.0
        assert reply.metrics.retries == ("RateLimitError (429): Scripted 429.; asked again after 1.0 s",)

    def test_waits_double(self) -> None:
        settings = CallSettings(call_timeout=5, retry_delay=0.1)
        conversation = Conversation(*[{"status": 500}] * 3, settings=settings)
        conversation.ask()
        # 0.1 + 0.2 + 0.4 s, each up to a quarter longer
        assert 0.7 <= conversation.seconds < 1.6

    @pytest.mark.parametrize("fault", [{"hang": 30}, {"trickle": 30}])
    def test_a_call_that_hangs_is_ended_at_its_time_out(self, fault: Mapping[str, Any]) -> None:
        settings = CallSettings(call_timeout=1, retry_delay=0.01)
        conversation = Conversation(fault, settings=settings)
        reply = conversation.ask()
        assert 1.0 <= conversation.seconds < 3.5
        assert [reason[:19] for reason in reply.metrics.retries] == ["no answer within 1 "]

    def test_an_empty_answer_is_billed_and_asked_again(self) -> None:
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30, "cached": 20}}
        conversation = Conversation(empty, empty, **PRICED)
        reply = conversation.ask()
        # twice (70 - 20) * $2 + 20 * $0.5 + 30 * $10 = 410, then 100 * $2 + 10 * $10 = 300 millionths
        assert conversation.spent() == (240, 70, 40, dollars(0.00112))
        metrics = reply.metrics
        assert (metrics.prompt_tokens, metrics.completion_tokens, metrics.cached_tokens) == (240, 70, 40)
        assert metrics.cost_usd == dollars(0.00112)
        assert reply.prompt_tokens == 100
        assert len(metrics.retries) == 2


class TestWhatDoesNotPass:
    @pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
    def test_a_refusal_ends_at_once(self, status: int) -> None:
        conversation = Conversation({"status": status, "message": "No."})
        with pytest.raises(ModelError, match=rf"^Scripted: \w+Error \({status}\): No\.$") as caught:
            conversation.ask()
        assert len(conversation.requests) == 1
        assert not caught.value.billed

    def test_a_full_window_has_a_name_of_its_own(self) -> None:
        message = "This model's maximum context length is 100 tokens. However, your messages resulted in 200 tokens."
        conversation = Conversation({"status": 400, "message": message, "code": "context_length_exceeded"})
        with pytest.raises(ContextLimitReached, match="maximum context length is 100 tokens"):
            conversation.ask()
        assert len(conversation.requests) == 1

    def test_after_five_retries_it_gives_up(self) -> None:
        conversation = Conversation(*[{"status": 500}] * 9)
        with pytest.raises(ModelError, match=r"gave up after 6 tries: InternalServerError \(500\)") as caught:
            conversation.ask()
        assert len(conversation.requests) == 6
        assert not caught.value.billed

    def test_what_failed_after_it_was_billed_is_charged(self) -> None:
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30}}
        conversation = Conversation(empty, {"status": 401}, **PRICED)
        with pytest.raises(ModelError, match="401") as caught:
            conversation.ask()
        assert caught.value.billed
        assert conversation.spent() == (70, 30, 0, dollars(0.00044))

    def test_billed_failures_stop_at_the_cost_limit(self) -> None:
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30}}
        conversation = Conversation(*[empty] * 5, limits=Limits(cost_usd=0.0005), **PRICED)
        with pytest.raises(LimitReached) as caught:
            conversation.ask()
        assert caught.value.ending is Ending.COST_LIMIT
        assert len(conversation.requests) == 2

    def test_a_server_that_cannot_be_reached_is_named_after_the_retries(self) -> None:
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
        with pytest.raises(ModelError, match=r"Scripted 429\.; asking again only makes sense in 60 s"):
            conversation.ask()
        assert conversation.seconds < 5

    def test_a_call_ends_with_the_run(self) -> None:
        conversation = Conversation({"hang": 30}, limits=Limits(wall_seconds=1))
        with pytest.raises(LimitReached) as caught:
            conversation.ask()
        assert caught.value.ending is Ending.TIME_LIMIT
        assert conversation.seconds < 3.5

    @pytest.mark.parametrize("fault", [{"hang": 30}, {"status": 429, "headers": {"Retry-After": "30"}}])
    def test_an_operator_does_not_wait_for_the_model(self, fault: Mapping[str, Any]) -> None:
        conversation = Conversation(fault, settings=CallSettings(call_timeout=30))
        conversation.cancelled = True
        with pytest.raises(RunCancelled):
            conversation.ask()
        assert conversation.seconds < 5


class TestTheKey:
    def test_it_comes_from_the_environment_at_the_call(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SCRIPTED_API_KEY", "sk-0123456789")
        conversation = Conversation(api_key_variable="SCRIPTED_API_KEY")
        conversation.ask()
        assert conversation.requests[0].authorization == "Bearer sk-0123456789"

    def test_a_missing_one_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("SCRIPTED_API_KEY", raising=False)
        conversation = Conversation(api_key_variable="SCRIPTED_API_KEY")
        with pytest.raises(ModelError, match="environment variable SCRIPTED_API_KEY is not set"):
            conversation.ask()
        assert conversation.requests == []

    def test_a_server_of_ones_own_never_gets_a_providers_key(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-provider")
        conversation = Conversation()
        conversation.ask()
        assert conversation.requests[0].authorization == "Bearer no-key"

    def test_an_error_that_quotes_it_is_cleaned(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SCRIPTED_API_KEY", "sk-0123456789")
        fault = {"status": 401, "message": "Incorrect API key provided: sk-0123456789"}
        conversation = Conversation(fault, api_key_variable="SCRIPTED_API_KEY")
        with pytest.raises(ModelError) as caught:
            conversation.ask()
        assert str(caught.value) == (
            "Scripted: AuthenticationError (401): Incorrect API key provided: $SCRIPTED_API_KEY"
        )


class TestTheWindow:
    @pytest.mark.parametrize(
        ("model", "expected"),
        [
            (ModelSpec("m", "openai/gpt-4o", context_window=1000), 1000),
            (ModelSpec("m", "openai/gpt-4o"), 128_000),
            (ModelSpec("m", "openai/gpt-4.1"), 1_047_576),
            (ModelSpec("m", "openai/never-heard-of"), 128_000),
        ],
    )
    def test_is_stated_or_known_or_assumed(self, model: ModelSpec, expected: int) -> None:
        assert Client(model).window == expected


class TestReading:
    @pytest.mark.parametrize(
        "raw", ["[1]", "3", '"text"', '{"a": NaN}', "{" * 100_000, "[" * 100_000, '{"a": 1} {}']
    )
    def test_what_is_no_object_is_refused(self, raw: str) -> None:
        with pytest.raises(ValueError, match=r"the arguments (must be|are not valid|are nested)"):
            read_arguments(raw)

    def test_an_object_is_taken_as_it_is(self) -> None:
        assert read_arguments({"a": 1}) == {"a": 1}
        assert read_arguments(None) == {}

    @pytest.mark.parametrize(
        ("header", "seconds"),
        [("3", 3.0), ("0.5", 0.5), ("-1", 0.0), ("soon", None), ("", None), (None, None)],
    )
    def test_retry_after_in_seconds(self, header: str | None, seconds: float | None) -> None:
        assert retry_after(header) == seconds

    def test_retry_after_as_a_date(self) -> None:
        moment = datetime.now(UTC) + timedelta(seconds=60)
        assert retry_after(format_datetime(moment, usegmt=True)) == pytest.approx(59.5, abs=1.5)
        assert retry_after(format_datetime(moment - timedelta(hours=1), usegmt=True)) == 0.0


def test_importing_the_module_does_not_import_litellm() -> None:
    code = "import sys, harness.llm, harness.agents.ide; sys.exit('litellm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_metrics_of_a_plain_answer() -> None:
    metrics = Conversation(**PRICED).ask().metrics
    assert replace(metrics, seconds=0.0) == Metrics(
        prompt_tokens=100, completion_tokens=10, cost_usd=dollars(0.0003), finish_reason="stop"
    )
    assert 0 < metrics.seconds < 5
