"""What five providers answer, through LiteLLM's own adapters, and what becomes of it. The bodies lie in `replies/`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pytest

from harness.agents.base import ModelSpec
from harness.agents.profile import CallSettings
from harness.errors import ContentRefused, ContextLimitReached, ModelError
from harness.failures import failed, read_failure
from harness.limits import Limits, Spending
from harness.llm import Client
from harness.model_server import ModelServer, Request
from harness.records import ToolCall
from harness.replies import Reply, read_arguments, read_native, usage_in
from harness.tools.schema import function_definitions
from harness.wire import Answer

REPLIES = Path(__file__).parent / "replies"
START = [{"role": "system", "content": "You mend."}, {"role": "user", "content": "Mend it."}]
TOOLS = function_definitions()
PRICES: Mapping[str, Any] = {
    "input_price": 2.0,
    "output_price": 10.0,
    "cached_price": 0.5,
    "cache_write_price": 2.5,
}


@dataclass(frozen=True)
class Provider:
    """How LiteLLM reaches one: the model's id, and what follows the address of the server."""

    litellm_id: str
    path: str


PROVIDERS = {
    "openai": Provider("openai/gpt-4o", "/v1"),
    "anthropic": Provider("anthropic/claude-sonnet-4-5", ""),
    "gemini": Provider("gemini/gemini-2.5-pro", ""),
    "cohere": Provider("cohere_chat/command-a-03-2025", "/v2/chat"),
    "deepseek": Provider("deepseek/deepseek-chat", "/v1"),
}


def recorded(name: str) -> Any:
    return json.loads((REPLIES / f"{name}.json").read_text(encoding="utf-8"))


class Play:
    """One request to a provider that says what was recorded."""

    def __init__(
        self,
        provider: str,
        *entries: Mapping[str, Any],
        settings: CallSettings | None = None,
        **model: Any,
    ) -> None:
        self.provider = PROVIDERS[provider]
        self.script = entries
        self.settings = settings or CallSettings(call_timeout=10, retry_delay=0.01)
        self.model = {**PRICES, **model}
        self.spending = Spending(Limits())
        self.requests: list[Request] = []

    def ask(self, messages: Sequence[dict[str, Any]] = START) -> Reply:
        with ModelServer(self.script) as server:
            address = urlsplit(server.url)
            base = f"{address.scheme}://{address.netloc}{self.provider.path}"
            spec = ModelSpec("Recorded", self.provider.litellm_id, base, **self.model)
            self.requests = server.requests
            return Client(spec, self.settings).complete(messages, TOOLS, spending=self.spending)

    @property
    def spent(self) -> tuple[int, int, int]:
        return self.spending.prompt_tokens, self.spending.completion_tokens, self.spending.cached_tokens


READ = ("read_file", {"path": "calc/digits.py", "explanation": "To see how digits are read."})
LIST = ("list_dir", {"path": "calc", "explanation": "To see what is there."})
UNDERSTOOD = "Numbers below zero are understood."
LOOK = "I look at the digits."
THOUGHT = "The sign is lost in digits.py."
START_OF_AN_ANSWER = "First I would look at the file"


@dataclass(frozen=True)
class Said:
    """What a recorded answer says. `tokens`: prompt, completion, cached, written. `millionths` of a dollar."""

    name: str
    tokens: tuple[int, int, int, int]
    millionths: float
    message: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    finish: str = "stop"
    reasoning: str = ""
    refusal: str = ""
    malformed: str = ""


def said(
    name: str, completion: int, message: str = "", *, prompt: int = 1200, cached: int = 0, **rest: Any
) -> Said:
    """At $2 in, $0.5 from the cache and $10 out."""
    cost = (prompt - cached) * 2 + cached * 0.5 + completion * 10
    return Said(name, (prompt, completion, cached, 0), cost, message, **rest)


def called(name: str, completion: int, *calls: Any, message: str = "", **rest: Any) -> Said:
    return said(name, completion, message, calls=calls or (READ,), finish="tool_calls", **rest)


FILTERED = "The provider's filter stopped the answer ({})."
ANSWERS = [
    said("openai/text", 9, UNDERSTOOD),
    said("anthropic/text", 9, UNDERSTOOD),
    said("gemini/text", 9, UNDERSTOOD),
    said("cohere/text", 9, UNDERSTOOD, prompt=1136),  # Cohere bills less than it counts
    said("deepseek/text", 9, UNDERSTOOD),
    called("openai/one_call", 31),
    called("anthropic/one_call", 71, message=LOOK),
    called("gemini/one_call", 31, message=LOOK),
    called("cohere/one_call", 31, reasoning=LOOK, prompt=1136),
    called("deepseek/one_call", 31, message=LOOK),
    called("openai/parallel_calls", 58, READ, LIST),
    called("anthropic/parallel_calls", 118, READ, LIST),
    called("gemini/parallel_calls", 58, READ, LIST),
    called("cohere/parallel_calls", 58, READ, LIST, reasoning="I look around.", prompt=1136),
    called("deepseek/parallel_calls", 58, READ, LIST),
    called("deepseek/same_ids", 58, READ, LIST),
    # Arguments as an object where a string is due, the other way round, and wrapped once too often.
    called("openai/arguments_as_object", 31),
    called("openai/arguments_encoded_twice", 31),
    called("openai/arguments_wrapped_in_arguments", 31),
    called("openai/arguments_wrapped_in_input", 31),
    called("openai/arguments_wrapped_in_tool_name", 31),
    called("openai/call_with_an_odd_name", 31, ("read_file<|channel|>commentary", READ[1])),
    called("anthropic/arguments_as_string", 71),
    called("anthropic/arguments_wrapped_in_input", 71),
    called("anthropic/arguments_wrapped_in_parameters", 71),
    called("gemini/arguments_wrapped_in_input", 31),
    called("cohere/arguments_as_object", 31, reasoning=LOOK, prompt=1136),
    called("cohere/arguments_encoded_twice", 31, reasoning=LOOK, prompt=1136),
    called("deepseek/arguments_encoded_twice", 31),
    # Reasoning is billed as output.
    said("openai/reasoning_tokens", 410, "Done."),
    called("anthropic/thinking", 230, message=LOOK, reasoning=THOUGHT),
    called("anthropic/redacted_thinking", 230),
    called("gemini/thoughts", 231, message=LOOK, reasoning=THOUGHT),
    said("cohere/thinking", 60, UNDERSTOOD, reasoning=THOUGHT, prompt=1136),
    called("deepseek/reasoning", 230, message=LOOK, reasoning=THOUGHT),
    # Empty answers.
    said("anthropic/no_content", 2),
    said("gemini/no_parts", 0),
    said("cohere/no_content", 0, prompt=1136),
    # Refusals.
    said("openai/refusal", 12, refusal="I'm sorry, I can't assist with that request."),
    said("openai/content_filter", 3, finish="content_filter", refusal=FILTERED.format("content_filter")),
    said("anthropic/refusal", 4, finish="refusal", refusal=FILTERED.format("refusal")),
    said("anthropic/refusal_after_text", 6, "I will not go", finish="refusal", refusal="I will not go"),
    said("gemini/safety", 0, finish="content_filter", refusal=FILTERED.format("SAFETY")),
    said("gemini/blocked_prompt", 0, finish="content_filter", refusal=FILTERED.format("PROHIBITED_CONTENT")),
    said("deepseek/content_filter", 2, finish="content_filter", refusal=FILTERED.format("content_filter")),
    said("gemini/malformed_call", 25, finish="malformed_call"),
    # Cut off.
    said("openai/length", 4000, START_OF_AN_ANSWER, finish="length"),
    said("openai/length_while_reasoning", 4000, finish="length"),
    said("anthropic/length", 4000, START_OF_AN_ANSWER, finish="length"),
    said("anthropic/window_exceeded", 1000, "First I would", prompt=199000, finish="length"),
    said("gemini/length", 4000, START_OF_AN_ANSWER, finish="length"),
    said("gemini/length_while_thinking", 3996, finish="length"),
    said("cohere/length", 4000, START_OF_AN_ANSWER, prompt=1136, finish="length"),
    said("deepseek/length", 4000, START_OF_AN_ANSWER, finish="length"),
    said(
        "openai/length_in_a_call",
        4000,
        calls=(("write_file", {}),),
        finish="length",
        malformed="No tool was run: the arguments are not valid JSON (Unterminated string starting at: line 1 column 36"
        ' (char 35)). Your answer was cut off at 4000 tokens. You sent: {"path":"calc/digits.py","content":"def read(',
    ),
    said(
        "anthropic/length_in_a_call",
        4000,
        calls=(("write_file", {"path": "calc/digits.py"}),),
        finish="length",
    ),
    # What came from a cache costs less, what went into one costs more.
    said("openai/cached", 300, "Done.", prompt=2006, cached=1920),
    said("gemini/cached", 300, "Done.", prompt=2006, cached=1920),
    said("cohere/cached", 300, "Done.", prompt=1942, cached=1920),
    said("deepseek/cached", 300, "Done.", prompt=2006, cached=1920),
    Said(
        "anthropic/cached",
        (20021, 300, 18000, 2000),
        21 * 2 + 18000 * 0.5 + 2000 * 2.5 + 300 * 10,
        "Done.",
    ),
]


@pytest.mark.parametrize("expected", ANSWERS, ids=lambda expected: expected.name)
def test_an_answer_is_read_and_billed(expected: Said) -> None:
    play = Play(expected.name.partition("/")[0], {"body": recorded(expected.name)})
    reply = play.ask()
    metrics = reply.metrics
    assert len(play.requests) == 1
    assert (reply.message, reply.reasoning) == (expected.message, expected.reasoning)
    assert tuple((call.name, call.arguments) for call in reply.calls) == expected.calls
    assert "; ".join(reply.malformed.values()) == expected.malformed
    assert (metrics.finish_reason, reply.refusal) == (expected.finish, expected.refusal)
    assert expected.tokens == (
        metrics.prompt_tokens,
        metrics.completion_tokens,
        metrics.cached_tokens,
        metrics.written_tokens,
    )
    assert metrics.cost_usd == pytest.approx(expected.millionths / 1e6, rel=1e-12)
    assert play.spent == expected.tokens[:3]
    assert len({call.id for call in reply.calls}) == len(reply.calls)


def test_every_recorded_answer_is_expected_somewhere() -> None:
    names = {str(path.relative_to(REPLIES).with_suffix("")) for path in REPLIES.rglob("*.json")}
    assert names == {
        *(answer.name for answer in ANSWERS),
        *(failure.name for failure in FAILURES),
        *BILLED_FOR_NOTHING,
    }


BILLED_FOR_NOTHING = {
    "openai/no_choices": (1200, 0, "choices"),
    "gemini/no_candidates": (1200, 0, "an answer without a choice"),
    "cohere/error": (1136, 3, "the provider broke off its answer: ERROR"),
    "deepseek/no_choices": (1200, 0, "choices"),
    "deepseek/insufficient_resource": (
        1200,
        3,
        "the provider broke off its answer: insufficient_system_resource",
    ),
}


@pytest.mark.parametrize("name", BILLED_FOR_NOTHING)
def test_an_answer_that_is_none_is_charged_and_asked_again(name: str) -> None:
    prompt, completion, reason = BILLED_FOR_NOTHING[name]
    provider = name.partition("/")[0]
    play = Play(
        provider, {"body": recorded(f"{provider}/text"), "before": [{"status": 200, "body": recorded(name)}]}
    )
    reply = play.ask()
    assert reply.message == UNDERSTOOD
    assert len(play.requests) == 2
    assert reason in reply.metrics.retries[0]
    text = 1136 if provider == "cohere" else 1200
    assert play.spent == (prompt + text, completion + 9, 0)
    assert reply.metrics.cost_usd == pytest.approx(
        ((prompt + text) * 2 + (completion + 9) * 10) / 1e6, rel=1e-12
    )


def test_a_wrapper_that_is_an_argument_of_the_tool_stays() -> None:

    assert read_arguments({"input": {"a": 1}}, tool="convert", known={"input"}) == {"input": {"a": 1}}
    assert read_arguments({"input": {"a": 1}, "b": 2}, tool="convert") == {"input": {"a": 1}, "b": 2}
    assert read_arguments({"input": "words"}, tool="convert") == {"input": "words"}
    assert read_arguments({"input": "[1]"}, tool="convert") == {"input": "[1]"}
    assert read_arguments({"convert": {"a": 1}}, tool="convert") == {"a": 1}


@dataclass(frozen=True)
class Failed:
    """A recorded failure. `error` None: it passes; `delay` is what the provider asks to wait, None its own back-off."""

    name: str
    says: str
    error: type[Exception] | None = None
    delay: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def status(self) -> int:
        return int(self.name.rpartition("/")[2][:3])


def passes(name: str, says: str, delay: float | None = None, **headers: str) -> Failed:
    named = {header.replace("_", "-"): value for header, value in headers.items()}
    return Failed(name, says, None, delay, named)


FAILURES = [
    # What can pass is asked again, when the provider says.
    passes("openai/errors/429_rate", "429 Too Many Requests: Rate limit reached", 1.228),
    passes("openai/errors/500_server", "500 Internal Server Error: The server had an error"),
    passes("openai/errors/503_overloaded", "503 Service Unavailable: The engine is currently overloaded"),
    passes(
        "anthropic/errors/429_rate", "429 Too Many Requests: This request would exceed", 1.0, Retry_After="1"
    ),
    passes("anthropic/errors/500_api", "500 Internal Server Error: Internal server error"),
    passes("anthropic/errors/529_overloaded", "529: Overloaded"),
    passes("gemini/errors/429_rate", "429 Too Many Requests: You exceeded your current quota", 1.5),
    passes("gemini/errors/500_internal", "500 Internal Server Error: An internal error has occurred"),
    passes("gemini/errors/503_overloaded", "503 Service Unavailable: The model is overloaded"),
    passes(
        "cohere/errors/429_rate", "429 Too Many Requests: You are using a Trial key, which is limited to 20"
    ),
    passes(
        "cohere/errors/500_server", "500 Internal Server Error: internal server error, this has been reported"
    ),
    passes("cohere/errors/503_unavailable", "503 Service Unavailable: service unavailable"),
    passes(
        "deepseek/errors/429_rate", "429 Too Many Requests: Rate limit reached", 0.5, retry_after_ms="500"
    ),
    passes("deepseek/errors/500_server", "500 Internal Server Error: Internal Server Error"),
    passes("deepseek/errors/503_overloaded", "503 Service Unavailable: Service is too busy"),
    # A full window has an ending of its own.
    Failed(
        "openai/errors/400_context_length", "maximum context length is 128000 tokens", ContextLimitReached
    ),
    Failed("anthropic/errors/400_context_length", "205190 tokens > 200000 maximum", ContextLimitReached),
    Failed("anthropic/errors/400_output_beyond_window", "198004 \\+ 4000 > 200000", ContextLimitReached),
    Failed("anthropic/errors/413_too_large", "Request exceeds the maximum size", ContextLimitReached),
    Failed(
        "gemini/errors/400_context_length", "The input token count \\(1200403\\) exceeds", ContextLimitReached
    ),
    Failed("cohere/errors/400_context_length", "too many tokens: ", ContextLimitReached),
    Failed("deepseek/errors/400_context_length", "maximum context length is 131072", ContextLimitReached),
    # A policy that forbids the conversation is the model's answer, not the infrastructure's.
    Failed("openai/errors/400_content_policy", "violating our usage policy", ContentRefused),
    Failed(
        "anthropic/errors/400_content_policy", "Output blocked by content filtering policy", ContentRefused
    ),
    Failed("deepseek/errors/400_content_policy", "Content Exists Risk", ContentRefused),
    # Whatever else is wrong stays wrong.
    Failed(
        "openai/errors/400_bad_request",
        "Recorded: 400 Bad Request: Invalid value for 'temperature'",
        ModelError,
    ),
    Failed("openai/errors/401_key", "Recorded: 401 Unauthorized: Incorrect API key", ModelError),
    Failed("openai/errors/403_region", "Recorded: 403 Forbidden: Country, region", ModelError),
    Failed(
        "openai/errors/404_model", "Recorded: 404 Not Found: The model `gpt-9` does not exist", ModelError
    ),
    Failed(
        "openai/errors/429_quota",
        "Recorded: 429 Too Many Requests: You exceeded your current quota",
        ModelError,
    ),
    Failed("openai/errors/429_too_large", "Recorded: 429 Too Many Requests: Request too large", ModelError),
    Failed(
        "anthropic/errors/400_credit", "Recorded: 400 Bad Request: Your credit balance is too low", ModelError
    ),
    Failed("anthropic/errors/401_key", "Recorded: 401 Unauthorized: invalid x-api-key", ModelError),
    Failed("anthropic/errors/403_permission", "Recorded: 403 Forbidden: Your API key", ModelError),
    Failed("anthropic/errors/404_model", "Recorded: 404 Not Found: model: claude-9", ModelError),
    Failed("gemini/errors/400_key", "Recorded: 400 Bad Request: API key not valid", ModelError),
    Failed("gemini/errors/403_permission", "Recorded: 403 Forbidden: Method doesn't allow", ModelError),
    Failed("gemini/errors/404_model", "Recorded: 404 Not Found: models/gemini-9 is not found", ModelError),
    Failed("gemini/errors/429_daily_quota", "Recorded: 429 Too Many Requests: You exceeded", ModelError),
    Failed("cohere/errors/400_bad_request", "Recorded: 400 Bad Request: invalid request", ModelError),
    Failed("cohere/errors/401_key", "Recorded: 401 Unauthorized: invalid api token", ModelError),
    Failed("cohere/errors/404_model", "Recorded: 404 Not Found: model 'command-z' not found", ModelError),
    Failed("cohere/errors/422_entity", "Recorded: 422 Unprocessable .*: invalid type", ModelError),
    Failed("cohere/errors/429_monthly_quota", "Recorded: 429 Too Many Requests: .* Trial key", ModelError),
    Failed("deepseek/errors/401_key", "Recorded: 401 Unauthorized: Authentication Fails", ModelError),
    Failed("deepseek/errors/402_balance", "Recorded: 402 Payment Required: Insufficient Balance", ModelError),
    Failed(
        "deepseek/errors/422_parameters", "Recorded: 422 Unprocessable .*: Invalid max_tokens", ModelError
    ),
]


@pytest.mark.parametrize("expected", FAILURES, ids=lambda expected: expected.name)
def test_a_failure_is_asked_again_only_where_it_can_pass(expected: Failed) -> None:
    provider = expected.name.partition("/")[0]
    fault = {"status": expected.status, "headers": expected.headers, "body": recorded(expected.name)}
    play = Play(provider, {"body": recorded(f"{provider}/text"), "before": [fault]})
    if expected.error is not None:
        with pytest.raises(expected.error, match=expected.says):
            play.ask()
        assert len(play.requests) == 1
        assert play.spent == (0, 0, 0)
        return
    metrics = play.ask().metrics
    assert len(play.requests) == 2
    assert metrics.retries[0].startswith(expected.says)
    assert metrics.waited == pytest.approx(expected.delay or 0.01, abs=0.4 if expected.delay else 0.1)


class TestWhatGoesBack:
    """The second request of a conversation, as the provider receives it."""

    def second_request(self, provider: str, name: str) -> Mapping[str, Any]:
        play = Play(provider, {"body": recorded(name)})
        reply = play.ask()
        results = [{"role": "tool", "tool_call_id": call.id, "content": "def read"} for call in reply.calls]
        again = Play(provider, {}, {"body": recorded(f"{provider}/text")})
        assert again.ask([*START, reply.history, *results]).message == UNDERSTOOD
        return again.requests[0].body

    @pytest.mark.parametrize("name", ["thinking", "redacted_thinking"])
    def test_anthropics_thoughts_go_back_signed_and_first(self, name: str) -> None:
        content = recorded(f"anthropic/{name}")["content"]
        sent = self.second_request("anthropic", f"anthropic/{name}")["messages"][1]
        assert sent["role"] == "assistant"
        assert sent["content"] == content

    def test_geminis_signature_goes_back_with_its_call(self) -> None:
        call = recorded("gemini/thoughts")["candidates"][0]["content"]["parts"][2]
        sent = self.second_request("gemini", "gemini/thoughts")["contents"][1]
        assert sent["role"] == "model"
        parts = [part for part in sent["parts"] if "function_call" in part]
        assert [part["thoughtSignature"] for part in parts] == [call["thoughtSignature"]]
        assert parts[0]["function_call"]["name"] == "read_file"

    def test_the_id_of_a_call_holds_no_signature(self) -> None:
        reply = Play("gemini", {"body": recorded("gemini/thoughts")}).ask()
        assert len(reply.calls[0].id) < 40

    def test_deepseeks_reasoning_goes_back_beside_a_call(self) -> None:
        sent = self.second_request("deepseek", "deepseek/reasoning")["messages"][2]
        assert sent["reasoning_content"] == THOUGHT

    def test_a_name_that_a_model_made_up_does_not_spoil_the_conversation(self) -> None:
        sent = self.second_request("openai", "openai/call_with_an_odd_name")["messages"][2]
        assert sent["tool_calls"][0]["function"]["name"] == "read_file__channel__commentary"

    def test_servers_in_openais_manner_get_a_text_beside_a_call_however_empty(self) -> None:
        sent = self.second_request("openai", "openai/one_call")["messages"][2]
        assert (sent["content"], len(sent["tool_calls"])) == ("", 1)

    @pytest.mark.parametrize("provider", ["openai", "cohere", "deepseek"])
    def test_calls_and_results_go_back_as_they_came(self, provider: str) -> None:
        sent = self.second_request(provider, f"{provider}/parallel_calls")["messages"]
        assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool", "tool"]
        calls = [(call["id"], json.loads(call["function"]["arguments"])) for call in sent[2]["tool_calls"]]
        assert [arguments for _, arguments in calls] == [READ[1], LIST[1]]
        assert [message["tool_call_id"] for message in sent[3:]] == [identity for identity, _ in calls]


@pytest.mark.parametrize(
    ("provider", "field", "value"),
    [
        ("openai", "tool_choice", "auto"),
        ("deepseek", "tool_choice", "auto"),
        ("anthropic", "tool_choice", {"type": "auto"}),
        ("gemini", "toolConfig", {"functionCallingConfig": {"mode": "AUTO"}}),
        ("cohere", "tool_choice", None),  # knows REQUIRED and NONE alone
    ],
)
def test_the_model_may_choose_a_tool_and_is_told_so(provider: str, field: str, value: object) -> None:
    play = Play(provider, {"body": recorded(f"{provider}/text")})
    play.ask()

    assert play.requests[0].body.get(field) == value


class TestTheCache:
    """Claude's cache works by marks; everybody else's by itself."""

    MARK: ClassVar = {"type": "ephemeral"}

    def sent(self, provider: str, settings: CallSettings, messages: Sequence[dict[str, Any]]) -> Any:
        turns = [{"body": recorded(f"{provider}/text")}] * 3
        play = Play(provider, *turns, settings=settings)
        play.ask(messages)
        return play.requests[0].body

    def conversation(self) -> list[dict[str, Any]]:
        reply = Play("anthropic", {"body": recorded("anthropic/one_call")}).ask()
        result = {"role": "tool", "tool_call_id": reply.calls[0].id, "content": "def read"}
        return [*START, reply.history, result]

    def test_the_system_prompt_and_the_newest_turn_are_marked(self) -> None:
        body = self.sent("anthropic", CallSettings(), self.conversation())
        assert body["system"] == [{"type": "text", "text": "You mend.", "cache_control": self.MARK}]
        newest = body["messages"][-1]["content"][-1]
        assert (newest["type"], newest["cache_control"]) == ("tool_result", self.MARK)
        assert json.dumps(body).count("cache_control") == 2

    def test_the_first_request_marks_the_task(self) -> None:
        body = self.sent("anthropic", CallSettings(), START)
        assert body["messages"][-1]["content"] == [
            {"type": "text", "text": "Mend it.", "cache_control": self.MARK}
        ]

    def test_the_setting_turns_it_off(self) -> None:
        body = self.sent("anthropic", CallSettings(prompt_caching=False), self.conversation())
        assert "cache_control" not in json.dumps(body)

    def test_an_agents_own_marks_are_left_alone(self) -> None:
        parts = [
            {"type": "text", "text": "Mend it.", "cache_control": self.MARK},
            {"type": "text", "text": "Now."},
        ]
        body = self.sent("anthropic", CallSettings(), [{"role": "user", "content": parts}])
        assert [("cache_control" in part) for part in body["messages"][0]["content"]] == [True, False]

    @pytest.mark.parametrize("provider", ["openai", "gemini", "cohere", "deepseek"])
    def test_nobody_else_is_sent_marks(self, provider: str) -> None:
        assert "cache_control" not in json.dumps(self.sent(provider, CallSettings(), START))


class TestKnownPrices:
    """LiteLLM's own price map, where no prices are stated."""

    def cost(self, name: str) -> float | None:
        unknown = dict.fromkeys(PRICES)
        return Play(name.partition("/")[0], {"body": recorded(name)}, **unknown).ask().metrics.cost_usd

    def test_anthropics_cache_is_dearer_to_write_and_cheaper_to_read(self) -> None:
        # claude-sonnet-4-5: $3 in, $0.30 from the cache, $3.75 into it, $15 out
        assert self.cost("anthropic/cached") == pytest.approx(
            (21 * 3 + 18000 * 0.3 + 2000 * 3.75 + 300 * 15) / 1e6
        )

    def test_openais_cache_is_half_price(self) -> None:
        # gpt-4o: $2.50 in, $1.25 from the cache, $10 out
        assert self.cost("openai/cached") == pytest.approx((86 * 2.5 + 1920 * 1.25 + 300 * 10) / 1e6)

    def test_geminis_thoughts_are_output(self) -> None:
        # gemini-2.5-pro up to 200k: $1.25 in, $10 out
        assert self.cost("gemini/thoughts") == pytest.approx((1200 * 1.25 + 231 * 10) / 1e6)

    def test_a_cache_without_a_price_of_its_own_costs_what_input_costs(self) -> None:
        stated = {"cached_price": None, "cache_write_price": None}
        reply = Play("anthropic", {"body": recorded("anthropic/cached")}, **stated).ask()
        assert reply.metrics.cost_usd == pytest.approx((20021 * 2 + 300 * 10) / 1e6)


def test_calls_are_those_of_the_records() -> None:
    reply = Play("anthropic", {"body": recorded("anthropic/parallel_calls")}).ask()
    assert reply.calls == (
        ToolCall("toolu_01D7FLrfh4GYq7yT1ULFeyMV", *READ),
        ToolCall("toolu_01A09q90qw90lq917835lq9", *LIST),
    )


ODD = [
    "",
    "null",
    "[]",
    "[1]",
    "3",
    "{" * 10_000,
    "[" * 100_000,
    '{"usage": 3}',
    '{"usage": {"prompt_tokens": 1e999}}',
    '{"usage": {"prompt_tokens": "many", "completion_tokens": []}}',
    '{"usage": {"prompt_tokens_details": [1]}, "choices": []}',
    '{"usage": {"billed_units": null}, "message": {}, "finish_reason": "COMPLETE"}',
    '{"usage": {"input_tokens": {}}, "stop_reason": 7}',
    '{"usageMetadata": {"promptTokenCount": null}, "candidates": 5}',
    '{"candidates": [null], "promptFeedback": 1}',
    '{"choices": {"a": 1}}',
    '{"choices": [{"message": "text", "finish_reason": []}]}',
    '{"choices": [{"message": {"refusal": {"a": 1}}}]}',
    '{"message": "no", "finish_reason": {}}',
    '{"message": {"content": [null], "tool_plan": 3}, "finish_reason": "COMPLETE"}',
    '{"error": null}',
    '{"error": "no"}',
    '{"error": {"code": "429", "message": 3, "details": 3}}',
    '{"error": {"code": 429, "details": [null, {"@type": "google.rpc.RetryInfo", "retryDelay": "soon"}]}}',
    '{"error": {"message": "Please try again in ..s."}, "status": 1}',
    '[{"error": {"message": "in a list"}}]',
]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_nothing_that_a_server_says_breaks_the_reading(text: str) -> None:
    read_native(text)
    usage_in(text)
    for status in (200, 400, 429, 529):
        answer = Answer(status, {"retry-after": "never", "retry-after-ms": "-1"}, text)
        failed([answer])
        failure = read_failure(answer)
        assert failure.message
        assert failure.delay is None or failure.delay >= 0


def test_a_bill_below_nothing_gives_no_money_back() -> None:
    body = recorded("openai/text")
    body["usage"].update(prompt_tokens=-1_000_000, completion_tokens=-1_000_000)
    play = Play("openai", {"body": body})
    assert play.ask().metrics.cost_usd is None
    assert play.spent == (0, 0, 0)


def test_the_words_of_a_rate_limit_are_understood() -> None:
    def delay(words: str) -> float | None:
        return read_failure(Answer(429, {}, json.dumps({"error": {"message": words}}))).delay

    assert delay("Please try again in 20s.") == 20.0
    assert delay("Please try again in 6m0s.") == 360.0
    assert delay("Please try again in 1h2m3.5s.") == 3723.5
    assert delay("Please try again in 750ms.") == 0.75
    assert delay("Please try again in a while.") is None


class TestWhatCannotBeSaid:
    """A request that LiteLLM cannot put into a provider's words was never sent: asking again would not help."""

    ODD_HISTORY: ClassVar[list[dict[str, Any]]] = [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": 3, "function": 7}]},
    ]

    def test_blames_the_request_and_is_not_asked_again(self) -> None:
        play = Play("gemini", {"body": recorded("gemini/text")})
        with pytest.raises(ModelError) as caught:
            play.ask(self.ODD_HISTORY)
        assert (caught.value.status, play.requests, play.spent) == (400, [], (0, 0, 0))

    def test_an_unknown_provider_is_not_the_requests_fault(self) -> None:
        with pytest.raises(ModelError) as caught:
            Client(ModelSpec("Odd", "nonsense")).complete(START, spending=Spending(Limits()))
        assert caught.value.status == 0
