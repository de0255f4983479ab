"""How the client reads a response, over real HTTP from a scripted server."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from harness.errors import ModelError
from harness.llm.client import Client
from harness.llm.provider import Window, price
from harness.llm.provider_errors import retry_after
from harness.llm.spec import CallSettings, ModelSpec
from harness.records import Metrics, ToolCall
from tests.harness.conversations import HELLO, PRICED, TOOL, Conversation, dollars


class TestAnAnswer:
    def test_text_reasoning_and_calls_are_returned(self) -> None:
        calls = [{"name": "look", "arguments": {"path": "a.py"}}, {"name": "look", "arguments": {}}]
        reply = Conversation(reply={"reasoning": "Hm.", "calls": calls}).send()
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

    def test_request_has_the_settings_of_the_profile(self) -> None:
        conversation = Conversation(settings=CallSettings())
        conversation.send()
        body = conversation.requests[0].body
        assert {key: body[key] for key in ("model", "temperature", "max_tokens", "messages", "tools")} == {
            "model": "scripted",
            "temperature": 0.1,
            "max_tokens": 4000,
            "messages": HELLO,
            "tools": [TOOL],
        }

    def test_seed_depends_on_the_attempt(self) -> None:
        conversation = Conversation(settings=CallSettings(seed=40))
        with conversation.client() as client:
            for attempt in (1, 2, 2):
                client.complete(HELLO, spending=conversation.spending, attempt=attempt)
        assert [request.body["seed"] for request in conversation.requests] == [40, 41, 41]

    def test_effort_is_sent_only_to_models_that_support_it(self) -> None:
        effort = CallSettings(reasoning_effort="high")
        knows = Conversation(settings=effort, litellm_id="openai/o3")
        knows.send()
        assert knows.requests[0].body["reasoning_effort"] == "high"
        other = Conversation(settings=effort, litellm_id="openai/gpt-4o")
        other.send()
        assert not {"reasoning_effort", "seed"} & set(other.requests[0].body)

    def test_temperature_is_not_sent_to_a_model_without_one(self) -> None:
        conversation = Conversation(litellm_id="openai/o3-mini")
        conversation.send()
        assert "temperature" not in conversation.requests[0].body

    def test_calls_without_arguments_or_encoded_twice_are_read(self) -> None:
        calls = [
            {"name": "look", "arguments": ""},
            {"name": "look", "arguments": '"{\\"path\\": \\"a.py\\"}"'},
        ]
        reply = Conversation(reply={"calls": calls}).send()
        assert [call.arguments for call in reply.calls] == [{}, {"path": "a.py"}]
        assert not reply.malformed

    def test_unreadable_arguments_are_billed_and_quoted_to_the_model(self) -> None:
        calls = [{"name": "look", "arguments": '{"path": '}, {"name": "look", "arguments": {"path": "b.py"}}]
        conversation = Conversation(reply={"calls": calls}, **PRICED)
        reply = conversation.send()
        assert [call.arguments for call in reply.calls] == [{}, {"path": "b.py"}]
        assert dict(reply.malformed) == {
            "call_1_1": "No tool was run: the arguments are not valid JSON"
            ' (Expecting value: line 1 column 10 (char 9)). You sent: {"path": '
        }
        assert reply.history["tool_calls"][0]["function"]["arguments"] == "{}"
        assert len(conversation.requests) == 1
        assert conversation.spent() == (100, 10, 0, dollars(0.0003))

    def test_call_that_was_cut_off_is_reported(self) -> None:
        calls = [{"name": "look", "arguments": '{"path": "a'}]
        reply = Conversation(reply={"calls": calls, "finish_reason": "length"}).send()
        assert "Your answer was cut off at 4000 tokens." in reply.malformed["call_1_1"]
        assert reply.metrics.finish_reason == "length"

    def test_a_lone_surrogate_is_replaced(self) -> None:
        assert Conversation(reply={"text": "\ud800!"}).send().message == "?!"


class TestPrices:
    def test_stated_prices_include_cached_tokens(self) -> None:
        # (1000 - 800) * $2 + 800 * $0.5 + 50 * $10 for a million: 400 + 400 + 500 millionths
        usage = {"prompt": 1000, "completion": 50, "cached": 800}
        conversation = Conversation(reply={"usage": usage}, **PRICED)
        metrics = conversation.send().metrics
        assert (metrics.prompt_tokens, metrics.completion_tokens, metrics.cached_tokens) == (1000, 50, 800)
        assert metrics.cost_usd == dollars(0.0013)
        assert conversation.spent() == (1000, 50, 800, dollars(0.0013))

    def test_cached_tokens_without_a_price_cost_the_input_price(self) -> None:
        # 1000 * $2 + 50 * $10 for a million
        usage = {"prompt": 1000, "completion": 50, "cached": 800}
        metrics = Conversation(reply={"usage": usage}, input_price=2.0, output_price=10.0).send().metrics
        assert metrics.cost_usd == dollars(0.0025)

    def test_prices_of_litellm_are_used_without_stated_ones(self) -> None:
        # gpt-4o: $2.5 in, $1.25 cached, $10 out: 200 * 2.5 + 800 * 1.25 + 50 * 10 = 2000 millionths
        usage = {"prompt": 1000, "completion": 50, "cached": 800}
        metrics = Conversation(reply={"usage": usage}, litellm_id="openai/gpt-4o").send().metrics
        assert metrics.cost_usd == dollars(0.002)

    def test_unknown_price_makes_the_sum_unknown(self) -> None:
        conversation = Conversation()
        assert conversation.send().metrics.cost_usd is None
        assert conversation.spent() == (100, 10, 0, None)

    def test_a_price_of_zero_counts_only_where_it_was_stated(self) -> None:
        assert Conversation(input_price=0.0, output_price=0.0).send().metrics.cost_usd == 0.0
        assert price(ModelSpec("Free", "ollama/llama3"), {"prompt_tokens": 9}) is None

    def test_response_without_usage_has_an_unknown_cost(self) -> None:
        conversation = Conversation(reply={"usage": None}, **PRICED)
        assert conversation.send().metrics.cost_usd is None
        assert conversation.spent() == (0, 0, 0, None)


class TestTheKey:
    def test_it_comes_from_the_environment_at_the_call(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SCRIPTED_API_KEY", "sk-0123456789")
        conversation = Conversation(api_key_variable="SCRIPTED_API_KEY")
        conversation.send()
        assert conversation.requests[0].authorization == "Bearer sk-0123456789"

    def test_missing_variable_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("SCRIPTED_API_KEY", raising=False)
        conversation = Conversation(api_key_variable="SCRIPTED_API_KEY")
        with pytest.raises(ModelError, match="environment variable SCRIPTED_API_KEY is not set"):
            conversation.send()
        assert conversation.requests == []

    def test_custom_server_never_gets_a_providers_key(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-provider")
        conversation = Conversation()
        conversation.send()
        assert conversation.requests[0].authorization == "Bearer no-key"

    def test_key_is_removed_from_errors(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SCRIPTED_API_KEY", "sk-0123456789")
        fault = {"status": 401, "message": "Incorrect API key provided: sk-0123456789"}
        conversation = Conversation(fault, api_key_variable="SCRIPTED_API_KEY")
        with pytest.raises(ModelError) as caught:
            conversation.send()
        assert str(caught.value) == (
            "Scripted: 401 Unauthorized: Incorrect API key provided: $SCRIPTED_API_KEY"
        )


class TestTheWindow:
    @pytest.mark.parametrize(
        ("model", "expected"),
        [
            # For input and output together: 4000 tokens are reserved for the response.
            (ModelSpec("m", "openai/gpt-4o", context_window=10_000), Window(6000, "stated")),
            # For input alone: nothing is taken off.
            (ModelSpec("m", "openai/gpt-4o"), Window(128_000, "known to LiteLLM")),
            (ModelSpec("m", "openai/gpt-4.1"), Window(1_047_576, "known to LiteLLM")),
            (ModelSpec("m", "openai/never-heard-of"), Window(124_000, "assumed")),
        ],
    )
    def test_is_stated_or_known_or_assumed(self, model: ModelSpec, expected: Window) -> None:
        assert Client(model).window == expected


class TestReading:
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
    code = "import sys, harness.llm.client, harness.agents.ide; sys.exit('litellm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_metrics_of_a_plain_response() -> None:
    metrics = Conversation(**PRICED).send().metrics
    assert replace(metrics, seconds=0.0) == Metrics(
        prompt_tokens=100, completion_tokens=10, cost_usd=dollars(0.0003), finish_reason="stop"
    )
    assert metrics.seconds is not None
    assert 0 < metrics.seconds < 5
