"""The client, over real HTTP: LiteLLM speaks to a scripted server on loopback."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, ClassVar

import pytest

from harness.agents.base import ModelSpec
from harness.agents.profile import CallSettings
from harness.errors import ContextLimitReached, ModelError, RunCancelled, RunHandedBack
from harness.failures import retry_after
from harness.limits import Ending, LimitReached, Limits, Spending, Turn
from harness.llm import Client
from harness.model_server import ModelServer
from harness.provider import Window, price
from harness.records import Metrics, ToolCall
from harness.relayed import RefusedRequest
from harness.replies import RawReply, Reply, read_arguments
from harness.tokens import characters

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
        self.leaving = False

    def ask(self) -> Reply:
        with self.client() as client:
            return client.complete(HELLO, [TOOL], spending=self.spending, checkpoint=self.checkpoint)

    def relay(self, body: Mapping[str, Any]) -> RawReply:
        with self.client() as client:
            return client.relay(body, spending=self.spending, checkpoint=self.checkpoint)

    @contextmanager
    def client(self) -> Iterator[Client]:
        with ModelServer(self.script) as server:
            self.requests = server.requests
            began = time.monotonic()
            try:
                yield Client(replace(self.model, api_base=server.url), self.settings)
            finally:
                self.seconds = time.monotonic() - began

    def checkpoint(self) -> None:
        if self.cancelled:
            raise RunCancelled("an operator asked for it")
        if self.leaving:
            raise RunHandedBack("the worker has to end")
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
        assert price(ModelSpec("Free", "ollama/llama3"), {"prompt_tokens": 9}) is None

    def test_an_answer_without_usage_costs_nobody_knows_what(self) -> None:
        conversation = Conversation(reply={"usage": None}, **PRICED)
        assert conversation.ask().metrics.cost_usd is None
        assert conversation.spent() == (0, 0, 0, None)


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
            ({"hang": 0.05}, "no answer: Connection error."),
            ({"raw": "not json"}, "an answer that cannot be read: error - Expecting value"),
            ({"raw": '{"error": {"code": 429, "message": "Slower."}}'}, "429 Too Many Requests: Slower."),
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
        assert reply.metrics.retries == ("429 Too Many Requests: Scripted 429.; asked again after 1.0 s",)

    def test_waits_double(self) -> None:
        settings = CallSettings(call_timeout=5, retry_delay=0.1)
        conversation = Conversation(*[{"status": 500}] * 3, settings=settings)
        # 0.1 + 0.2 + 0.4 s, each up to a quarter longer
        assert 0.7 <= conversation.ask().metrics.waited < 1.2

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
    @pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
    def test_a_refusal_ends_at_once(self, status: int) -> None:
        conversation = Conversation({"status": status, "message": "No."})
        with pytest.raises(ModelError, match=rf"^Scripted: {status} [A-Z][\w ]+: No\.$") as caught:
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
        with pytest.raises(
            ModelError, match=r"gave up after 6 tries: 500 Internal Server Error: Scripted 500\."
        ) as caught:
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
        # each costs 70 * $2 + 30 * $10 = 440 millionths, and may cost 100 * $10 = 1000 for its text alone
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30}}
        settings = replace(QUICK, max_output_tokens=100)
        limits = Limits(cost_usd=0.0019)
        conversation = Conversation(*[empty] * 5, settings=settings, limits=limits, **PRICED)
        with pytest.raises(
            LimitReached, match=r"^\$0\.0009 of \$0\.0019 spent, and the next model call"
        ) as caught:
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

    def test_a_worker_that_has_to_end_waits_for_what_is_being_paid_for_and_not_for_another_try(self) -> None:
        conversation = Conversation({"hang": 2.5}, settings=CallSettings(call_timeout=30))
        conversation.leaving = True
        with pytest.raises(RunHandedBack):
            conversation.ask()
        assert 2.5 <= conversation.seconds < 7


class Book:
    """A ledger and a rate limiter in memory, which write down what they were told."""

    def __init__(self, budget: float = 1.0, seconds: float = 0.0) -> None:
        self.budget = budget
        self.seconds = seconds
        self.entries: list[tuple[str, Any]] = []

    def reserve(self, upper_bound_usd: float | None) -> None:
        self.entries.append(("reserve", upper_bound_usd))
        if upper_bound_usd is None or upper_bound_usd > self.budget:
            raise LimitReached(Ending.CANCELLED, "the evaluation's budget is used up")

    def charge(self, cost_usd: float | None) -> None:
        self.entries.append(("charge", cost_usd))

    def release(self, upper_bound_usd: float | None) -> None:
        self.entries.append(("release", upper_bound_usd))

    def take(self, model: str, tokens: int) -> Turn:
        self.entries.append(("take", model))
        self.tokens = tokens
        return Turn(self.seconds, "a turn")

    def settle(self, turn: Turn, tokens: int) -> None:
        self.entries.append(("settle", tokens))

    def give_back(self, turn: Turn) -> None:
        self.entries.append(("give back", turn.key))

    def told(self) -> list[str]:
        return [what for what, _ in self.entries]


class TestWhatIsShared:
    SETTINGS = replace(QUICK, max_output_tokens=100)

    def test_the_budget_is_asked_before_every_try_and_charged_for_every_bill(self) -> None:
        book = Book()
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30}}
        conversation = Conversation({"status": 500}, empty, settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = book
        conversation.ask()
        one_try = ["reserve", "release"]
        assert book.told() == [*one_try, "reserve", "charge", "release", "reserve", "charge", "release"]
        assert [cost for what, cost in book.entries if what == "charge"] == [
            dollars(0.00044),
            dollars(0.0003),
        ]

    def test_the_bound_is_the_dearest_that_the_call_can_be(self) -> None:
        book = Book()
        conversation = Conversation(settings=self.SETTINGS, **PRICED, cache_write_price=2.5)
        conversation.spending.ledger = book
        conversation.ask()
        tokens = math.ceil(1.25 * (characters(HELLO) + characters([TOOL])) / 4)
        # every prompt token written to the cache, every output token used
        assert book.entries[0] == ("reserve", dollars((tokens * 2.5 + 100 * 10) / 1e6))

    def test_nothing_is_sent_that_the_budget_might_not_hold(self) -> None:
        conversation = Conversation(settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = book = Book(budget=0.001)
        with pytest.raises(LimitReached, match="the evaluation's budget is used up") as caught:
            conversation.ask()
        assert caught.value.ending is Ending.CANCELLED
        assert (conversation.requests, book.told()) == ([], ["reserve"])

    def test_with_a_cost_limit_a_model_without_price_is_not_asked(self) -> None:
        conversation = Conversation(limits=Limits(cost_usd=5.0))
        with pytest.raises(LimitReached, match="the price of this model is unknown") as caught:
            conversation.ask()
        assert caught.value.ending is Ending.COST_LIMIT
        assert conversation.requests == []

    def test_a_turn_is_taken_only_when_the_money_is_there(self) -> None:
        conversation = Conversation(settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = conversation.spending.rates = book = Book()
        conversation.ask()
        assert book.told() == ["reserve", "take", "charge", "settle", "release"]

    def test_a_turn_is_waited_for_and_corrected(self) -> None:
        conversation = Conversation(settings=self.SETTINGS)
        conversation.spending.rates = book = Book(seconds=0.3)
        metrics = conversation.ask().metrics
        assert book.entries == [("take", "openai/scripted"), ("settle", 110)]
        assert book.tokens > 100
        assert 0.3 <= metrics.waited < 1.0
        assert metrics.waited + metrics.seconds <= conversation.seconds

    def test_every_try_takes_its_turn_and_a_failed_one_used_no_tokens(self) -> None:
        conversation = Conversation({"status": 500})
        conversation.spending.rates = book = Book()
        conversation.ask()
        assert [entry for entry in book.entries if entry[0] == "settle"] == [("settle", 0), ("settle", 110)]

    def test_an_operator_does_not_wait_for_a_turn(self) -> None:
        conversation = Conversation()
        conversation.cancelled = True
        conversation.spending.rates = book = Book(seconds=60)
        with pytest.raises(RunCancelled):
            conversation.ask()
        assert conversation.seconds < 5
        assert (conversation.requests, book.told()) == ([], ["take", "give back"])

    def test_a_turn_after_the_end_of_the_run_is_given_back(self) -> None:
        conversation = Conversation(limits=Limits(wall_seconds=30))
        conversation.spending.rates = book = Book(seconds=60)
        with pytest.raises(
            ModelError, match="its rate limit lets this run ask in 60 s, and that is too late"
        ):
            conversation.ask()
        assert book.told() == ["take", "give back"]


class TestARelayedRequest:
    BODY: ClassVar[dict[str, Any]] = {"model": "whatever", "messages": HELLO, "tools": [TOOL]}

    def relay(self, conversation: Conversation, **more: Any) -> RawReply:
        return conversation.relay({**self.BODY, **more})

    def test_comes_back_as_openai_would_send_it(self) -> None:
        calls = [{"name": "look", "arguments": {"path": "a.py"}}]
        conversation = Conversation(reply={"calls": calls}, **PRICED)
        answer = self.relay(conversation)
        message = answer.body["choices"][0]["message"]
        assert (message["role"], message["content"]) == ("assistant", "Hello.")
        assert [(call["id"], call["function"]) for call in message["tool_calls"]] == [
            ("call_1_1", {"name": "look", "arguments": '{"path": "a.py"}'})
        ]
        assert answer.body["choices"][0]["finish_reason"] == "tool_calls"
        assert answer.body["usage"]["prompt_tokens"] == 100
        assert json.loads(json.dumps(answer.body)) == answer.body
        assert answer.reply.calls == (ToolCall("call_1_1", "look", {"path": "a.py"}),)
        assert conversation.spent() == (100, 10, 0, dollars(0.0003))

    def test_is_retried_and_charged_like_any_other(self) -> None:
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30}}
        conversation = Conversation({"status": 500}, empty, **PRICED)
        assert len(self.relay(conversation).reply.metrics.retries) == 2
        assert conversation.spent() == (170, 40, 0, dollars(0.00074))

    def test_asks_this_model_in_its_own_words(self) -> None:
        conversation = Conversation()
        self.relay(conversation, temperature=0.7, top_p=0.9, max_tokens=50, stop=["END"])
        sent = conversation.requests[0].body
        assert sent == {
            "model": "scripted",
            "messages": HELLO,
            "tools": [TOOL],
            "temperature": 0.7,
            "top_p": 0.9,
            "max_tokens": 50,
            "stop": ["END"],
        }

    @pytest.mark.parametrize("asked", [{}, {"max_tokens": 9999}, {"max_completion_tokens": 9999}])
    def test_is_answered_no_longer_than_the_settings_allow(self, asked: Mapping[str, int]) -> None:
        conversation = Conversation()
        self.relay(conversation, **asked)
        assert conversation.requests[0].body["max_tokens"] == 4000

    def test_cannot_choose_where_it_goes(self) -> None:
        conversation = Conversation()
        self.relay(
            conversation,
            api_base="http://127.0.0.1:9/v1",
            api_key="sk-mine",
            mock_response="Done.",
            extra_headers={"X-Mine": "1"},
            extra_body={"web_search_options": {}},
            fallbacks=["openai/other"],
        )
        assert set(conversation.requests[0].body) == {
            "model",
            "messages",
            "tools",
            "temperature",
            "max_tokens",
        }
        assert conversation.requests[0].authorization == "Bearer no-key"

    @pytest.mark.parametrize(
        ("more", "reason"),
        [
            ({"messages": []}, "messages: expected a list of messages"),
            ({"messages": "Hello"}, "messages: expected a list of messages"),
            ({"messages": [{"content": "Hello"}]}, r"messages\[0\]: expected an object with a role"),
            ({"messages": [{"role": "user", "content": 3}]}, r"messages\[0\]: expected text or a list"),
            ({"stream": True}, "stream: this address does not stream"),
            ({"n": 4}, "n: one answer a request"),
            ({"tools": [{"type": "web_search"}]}, r"tools\[0\]: only functions"),
            ({"tools": [{"googleSearch": {}}]}, r"tools\[0\]: only functions"),
            ({"tools": "all"}, "tools: expected a list"),
            ({"tools": [{"type": "function"}]}, r"tools\[0\]: expected a function with a name"),
            (
                {"tools": [{"type": "function", "function": {"name": "look", "parameters": [1]}}]},
                r"tools\[0\]: expected a JSON schema",
            ),
            (
                {
                    "messages": [
                        {
                            "role": "user",
                            "content": [
                                {"type": "image_url", "image_url": {"url": "http://169.254.169.254/"}}
                            ],
                        }
                    ]
                },
                "a picture must be in the request itself",
            ),
            (
                {"messages": [{"role": "user", "content": [{"type": "file", "file": {"file_id": "f"}}]}]},
                "a part of type 'file'",
            ),
        ],
    )
    def test_that_reaches_around_the_container_is_refused(self, more: Mapping[str, Any], reason: str) -> None:
        conversation = Conversation()
        with pytest.raises(RefusedRequest, match=reason):
            self.relay(conversation, **more)
        assert conversation.requests == []


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
            "Scripted: 401 Unauthorized: Incorrect API key provided: $SCRIPTED_API_KEY"
        )


class TestTheWindow:
    @pytest.mark.parametrize(
        ("model", "expected"),
        [
            # For input and output together: 4000 tokens are kept for the answer.
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
