"""Errors of providers, and which of them are retried."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from harness.errors import ContentRefused, ContextLimitReached, ModelError
from harness.llm.provider_errors import failed, read_failure
from harness.llm.replies import read_native, usage_in
from harness.llm.wire import HttpResponse
from tests.harness.recordings import (
    Play,
    recorded,
)


@dataclass(frozen=True)
class Failed:
    """A recorded failure. `error` None: temporary; `delay`: the delay that the provider requests, None: the default."""

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
    # Temporary failures are retried after the delay of the provider.
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
    # A policy that forbids the conversation is a failure of the model, not of the infrastructure.
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
def test_only_temporary_failures_are_retried(expected: Failed) -> None:
    provider = expected.name.partition("/")[0]
    fault = {"status": expected.status, "headers": expected.headers, "body": recorded(expected.name)}
    play = Play(provider, {"body": recorded(f"{provider}/text"), "before": [fault]})
    if expected.error is not None:
        with pytest.raises(expected.error, match=expected.says):
            play.send()
        assert len(play.requests) == 1
        assert play.spent == (0, 0, 0)
        return
    metrics = play.send().metrics
    assert len(play.requests) == 2
    assert metrics.retries[0].startswith(expected.says)
    assert metrics.waited == pytest.approx(expected.delay or 0.01, abs=0.4 if expected.delay else 0.1)


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
def test_any_response_of_a_server_is_read(text: str) -> None:
    read_native(text)
    usage_in(text)
    for status in (200, 400, 429, 529):
        response = HttpResponse(status, {"retry-after": "never", "retry-after-ms": "-1"}, text)
        failed([response])
        failure = read_failure(response)
        assert failure.message
        assert failure.delay is None or failure.delay >= 0


def test_text_of_a_rate_limit_is_read() -> None:
    def delay(words: str) -> float | None:
        return read_failure(HttpResponse(429, {}, json.dumps({"error": {"message": words}}))).delay

    assert delay("Please try again in 20s.") == 20.0
    assert delay("Please try again in 6m0s.") == 360.0
    assert delay("Please try again in 1h2m3.5s.") == 3723.5
    assert delay("Please try again in 750ms.") == 0.75
    assert delay("Please try again in a while.") is None
    assert delay(f"Please try again in {'9' * 5000}h.") is None
