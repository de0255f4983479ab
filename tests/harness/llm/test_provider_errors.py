"""Errors of providers, and which of them are retried."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from harness.errors import Cause, ContentRefused, ContextLimitReached, ModelError
from harness.llm.provider_errors import TEMPORARY, failed, read_failure
from harness.llm.replies import read_native, usage_in
from harness.llm.spec import CallSettings
from harness.llm.wire import HttpResponse
from tests.harness.recordings import (
    Play,
    recorded,
)


@dataclass(frozen=True)
class Failed:
    """A recorded failure and its cause; `delay`: the delay that the provider requests, None: the default."""

    name: str
    says: str
    cause: Cause
    delay: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def status(self) -> int:
        return int(self.name.rpartition("/")[2][:3])


def passes(name: str, says: str, cause: Cause, delay: float | None = None, **headers: str) -> Failed:
    named = {header.replace("_", "-"): value for header, value in headers.items()}
    return Failed(name, says, cause, delay, named)


FAILURES = [
    # Temporary failures are retried after the delay of the provider.
    passes("openai/errors/429_rate", "429 Too Many Requests: Rate limit reached", Cause.RATE, 1.228),
    passes("openai/errors/500_server", "500 Internal Server Error: The server had an error", Cause.PROVIDER),
    passes(
        "openai/errors/503_overloaded",
        "503 Service Unavailable: The engine is currently overloaded",
        Cause.PROVIDER,
    ),
    passes(
        "anthropic/errors/429_rate",
        "429 Too Many Requests: This request would exceed",
        Cause.RATE,
        1.0,
        Retry_After="1",
    ),
    passes("anthropic/errors/500_api", "500 Internal Server Error: Internal server error", Cause.PROVIDER),
    passes("anthropic/errors/529_overloaded", "529: Overloaded", Cause.PROVIDER),
    passes(
        "gemini/errors/429_rate", "429 Too Many Requests: You exceeded your current quota", Cause.RATE, 1.5
    ),
    passes(
        "gemini/errors/500_internal",
        "500 Internal Server Error: An internal error has occurred",
        Cause.PROVIDER,
    ),
    passes(
        "gemini/errors/503_overloaded", "503 Service Unavailable: The model is overloaded", Cause.PROVIDER
    ),
    passes(
        "cohere/errors/429_rate",
        "429 Too Many Requests: You are using a Trial key, which is limited to 20",
        Cause.RATE,
    ),
    passes(
        "cohere/errors/500_server",
        "500 Internal Server Error: internal server error, this has been reported",
        Cause.PROVIDER,
    ),
    passes("cohere/errors/503_unavailable", "503 Service Unavailable: service unavailable", Cause.PROVIDER),
    passes(
        "deepseek/errors/429_rate",
        "429 Too Many Requests: Rate limit reached",
        Cause.RATE,
        0.5,
        retry_after_ms="500",
    ),
    passes("deepseek/errors/500_server", "500 Internal Server Error: Internal Server Error", Cause.PROVIDER),
    passes("deepseek/errors/503_overloaded", "503 Service Unavailable: Service is too busy", Cause.PROVIDER),
    # A full window has an ending of its own.
    Failed("openai/errors/400_context_length", "maximum context length is 128000 tokens", Cause.CONTEXT),
    Failed("anthropic/errors/400_context_length", "205190 tokens > 200000 maximum", Cause.CONTEXT),
    Failed("anthropic/errors/400_output_beyond_window", "198004 \\+ 4000 > 200000", Cause.CONTEXT),
    Failed("anthropic/errors/413_too_large", "Request exceeds the maximum size", Cause.CONTEXT),
    Failed("gemini/errors/400_context_length", "The input token count \\(1200403\\) exceeds", Cause.CONTEXT),
    Failed("cohere/errors/400_context_length", "too many tokens: ", Cause.CONTEXT),
    Failed("deepseek/errors/400_context_length", "maximum context length is 131072", Cause.CONTEXT),
    # A policy that forbids the conversation is a failure of the model, not of the infrastructure.
    Failed("openai/errors/400_content_policy", "violating our usage policy", Cause.REFUSED),
    Failed(
        "anthropic/errors/400_content_policy", "Output blocked by content filtering policy", Cause.REFUSED
    ),
    Failed("deepseek/errors/400_content_policy", "Content Exists Risk", Cause.REFUSED),
    # Whatever is wrong with an account stays wrong until somebody acts.
    Failed("openai/errors/401_key", "Recorded: 401 Unauthorized: Incorrect API key", Cause.ACCOUNT),
    Failed("openai/errors/403_region", "Recorded: 403 Forbidden: Country, region", Cause.ACCOUNT),
    Failed(
        "openai/errors/404_model", "Recorded: 404 Not Found: The model `gpt-9` does not exist", Cause.ACCOUNT
    ),
    Failed(
        "openai/errors/429_quota",
        "Recorded: 429 Too Many Requests: You exceeded your current quota",
        Cause.ACCOUNT,
    ),
    Failed(
        "openai/errors/429_too_large", "Recorded: 429 Too Many Requests: Request too large", Cause.ACCOUNT
    ),
    Failed(
        "anthropic/errors/400_credit",
        "Recorded: 400 Bad Request: Your credit balance is too low",
        Cause.ACCOUNT,
    ),
    Failed("anthropic/errors/401_key", "Recorded: 401 Unauthorized: invalid x-api-key", Cause.ACCOUNT),
    Failed("anthropic/errors/403_permission", "Recorded: 403 Forbidden: Your API key", Cause.ACCOUNT),
    Failed("anthropic/errors/404_model", "Recorded: 404 Not Found: model: claude-9", Cause.ACCOUNT),
    Failed("gemini/errors/400_key", "Recorded: 400 Bad Request: API key not valid", Cause.ACCOUNT),
    Failed("gemini/errors/403_permission", "Recorded: 403 Forbidden: Method doesn't allow", Cause.ACCOUNT),
    Failed("gemini/errors/404_model", "Recorded: 404 Not Found: models/gemini-9 is not found", Cause.ACCOUNT),
    Failed("gemini/errors/429_daily_quota", "Recorded: 429 Too Many Requests: You exceeded", Cause.ACCOUNT),
    Failed("cohere/errors/401_key", "Recorded: 401 Unauthorized: invalid api token", Cause.ACCOUNT),
    Failed("cohere/errors/404_model", "Recorded: 404 Not Found: model 'command-z' not found", Cause.ACCOUNT),
    Failed("cohere/errors/429_monthly_quota", "Recorded: 429 Too Many Requests: .* Trial key", Cause.ACCOUNT),
    Failed("deepseek/errors/401_key", "Recorded: 401 Unauthorized: Authentication Fails", Cause.ACCOUNT),
    Failed(
        "deepseek/errors/402_balance",
        "Recorded: 402 Payment Required: Insufficient Balance",
        Cause.ACCOUNT,
    ),
    # The request itself, as far as one response shows.
    Failed(
        "openai/errors/400_bad_request",
        "Recorded: 400 Bad Request: Invalid value for 'temperature'",
        Cause.AGENT,
    ),
    Failed("cohere/errors/400_bad_request", "Recorded: 400 Bad Request: invalid request", Cause.AGENT),
    Failed("cohere/errors/422_entity", "Recorded: 422 Unprocessable .*: invalid type", Cause.AGENT),
    Failed(
        "deepseek/errors/422_parameters",
        "Recorded: 422 Unprocessable .*: Invalid max_tokens",
        Cause.AGENT,
    ),
]
ERRORS = {Cause.CONTEXT: ContextLimitReached, Cause.REFUSED: ContentRefused}
STRICT = CallSettings(call_timeout=10, retry_delay=0.01, refusal_retries=0)


@pytest.mark.parametrize("expected", FAILURES, ids=lambda expected: expected.name)
def test_only_temporary_failures_are_retried(expected: Failed) -> None:
    provider = expected.name.partition("/")[0]
    fault = {"status": expected.status, "headers": expected.headers, "body": recorded(expected.name)}
    play = Play(provider, {"body": recorded(f"{provider}/text"), "before": [fault]}, settings=STRICT)
    response = HttpResponse(expected.status, {}, json.dumps(fault["body"]))
    assert read_failure(response).cause is expected.cause
    if expected.cause not in TEMPORARY:
        with pytest.raises(ERRORS.get(expected.cause, ModelError), match=expected.says) as caught:
            play.send()
        assert getattr(caught.value, "cause", expected.cause) is expected.cause
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
    assert delay("Please retry after 26 seconds.") == 26.0
    assert delay("Quota resets in 2 minutes 5 sec") == 125.0
    assert delay("Please try again in 1 hour.") == 3600.0
    assert delay("Please try again in a while.") is None
    assert delay(f"Please try again in {'9' * 5000}h.") is None


OVERFLOWS = [
    # One for each provider and server that words it in its own way.
    (
        400,
        "OpenAI",
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
    ),
    (
        400,
        "OpenAI",
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123.",
    ),
    (400, "Anthropic", "prompt is too long: 213462 tokens > 200000 maximum"),
    (400, "Anthropic", "input length and `max_tokens` exceed context limit: 198004 + 4000 > 200000"),
    (
        400,
        "Gemini",
        "The input token count (1200403) exceeds the maximum number of tokens allowed (1048576).",
    ),
    (400, "Vertex AI", "The input token count is 40111 but the model only supports up to 32768."),
    (400, "xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
    (400, "Bedrock", "Input is too long for requested model."),
    (
        400,
        "Bedrock",
        "Input Tokens Exceeded: Number of input tokens exceeds maximum length. Update the input.",
    ),
    (400, "Bedrock", "Malformed input request: expected maxLength: 50000, actual: 61234, please reformat."),
    (
        400,
        "DashScope",
        "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]",
    ),
    (400, "Zhipu", "Prompt exceeds max length"),
    (400, "Moonshot", "Invalid request: Your request exceeded model token limit: 131072 (requested: 140001)"),
    (400, "MiniMax", "invalid params, context window exceeds limit (2013)"),
    (
        422,
        "TGI",
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 and 100",
    ),
    (422, "TGI", "Input validation error: `inputs` must have less than 4095 tokens. Given: 5000"),
    (
        400,
        "LM Studio",
        "Trying to keep the first 15857 tokens when context the overflows. However, the model is"
        " loaded with context length of only 4096 tokens, which is not enough.",
    ),
    (
        500,
        "LM Studio",
        "The number of tokens to keep from the initial prompt is greater than the context length.",
    ),
    (
        400,
        "watsonx",
        "the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model",
    ),
    (400, "llama.cpp", "the request exceeds the available context size, try increasing it"),
    (500, "llama.cpp", "request (9000 tokens) exceeds the available context size (8192 tokens)"),
    (400, "llama-cpp-python", "Requested tokens (5000) exceed context window of 4096"),
    (400, "vLLM", "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."),
    (400, "vLLM", "The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
    (400, "vLLM", "max_tokens must be at least 1, got -904."),
    (400, "SGLang", "The input (5000 tokens) is longer than the model's context length (4096 tokens)."),
    (400, "Ollama", "the input length exceeds the context length"),
    (400, "Ollama", "prompt too long; exceeded max context length by 904 tokens"),
    (
        400,
        "Mistral",
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context"
        " length",
    ),
    (
        400,
        "Cohere",
        "too many tokens: size limit exceeded by 1000 tokens. Try using shorter or fewer inputs.",
    ),
    (400, "Groq", "Please reduce the length of the messages or completion."),
    (400, "Cerebras", "Please reduce the length of the messages. Current length is 9000 while limit is 8192"),
    (
        400,
        "OpenRouter",
        "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000.",
    ),
    (400, "Fireworks", "The prompt is too long: 70000, model maximum context length: 65535"),
    (400, "Volcengine", "Input length 203743 exceeds the maximum length 202752"),
    (400, "SiliconFlow", "length of prompt_tokens (57535) must be less than max_seq_len (32768)."),
    (400, "GitHub", "prompt token count of 150000 exceeds the limit of 128000"),
    (413, "GitHub Models", "Request body too large for gpt-4o model. Max size: 8000 tokens."),
    (400, "Databricks", "Exceeded maximum allowed content length. Input tokens must be at most 8192."),
    (413, "nginx", "<html><head><title>413 Request Entity Too Large</title></head></html>"),
]


@pytest.mark.parametrize(("status", "who", "message"), OVERFLOWS)
def test_every_wording_of_a_full_window_is_recognised(status: int, who: str, message: str) -> None:
    text = message if message.startswith("<html") else json.dumps({"error": {"message": message}})
    assert read_failure(HttpResponse(status, {}, text)).cause is Cause.CONTEXT, who


CAUSES = [
    (
        402,
        Cause.ACCOUNT,
        "This request requires more credits, or fewer max_tokens. You can only afford 3919.",
    ),
    (429, Cause.ACCOUNT, "Your account org-1 is suspended, please check your plan and billing details"),
    (429, Cause.ACCOUNT, "余额不足或无可用资源包,请充值。"),
    (400, Cause.ACCOUNT, "Access denied, please make sure your account is in good standing. Code: Arrearage"),
    (
        413,
        Cause.ACCOUNT,
        "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000",
    ),
    (500, Cause.ACCOUNT, "litellm.RateLimitError: insufficient_quota"),
    (403, Cause.ACCOUNT, "Your API key does not have permission to use the specified resource."),
    (400, Cause.ACCOUNT, "openai/gpt-99 is not a valid model ID"),
    (400, Cause.ACCOUNT, "The model `llama-2` has been decommissioned and is no longer supported."),
    (429, Cause.ACCOUNT, "Rate limit reached on tokens per day (TPD): Limit 100000, Used 100000."),
    (
        429,
        Cause.RATE,
        "Rate limit reached on tokens per day (TPD): Limit 100000. Please try again in 14m24s.",
    ),
    (429, Cause.RATE, "Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000."),
    (400, Cause.RATE, "ThrottlingException: Too many requests, please wait before trying again."),
    (403, Cause.RATE, "You have exceeded a secondary rate limit."),
    (429, Cause.RATE, "您的账户已达到速率限制请稍后"),
    (403, Cause.GATEWAY, "<!DOCTYPE html><html><title>Attention Required! | Cloudflare</title></html>"),
    (403, Cause.GATEWAY, "Request blocked by the web application firewall. Event 18-32-1."),
    (401, Cause.GATEWAY, "<html><title>Sign in to the network</title></html>"),
    (404, Cause.ACCOUNT, "<html><title>404 Not Found</title></html>"),
    (407, Cause.GATEWAY, "Proxy Authentication Required"),
    (408, Cause.GATEWAY, "Request Timeout"),
    (502, Cause.GATEWAY, "<html><title>502 Bad Gateway</title></html>"),
    (504, Cause.GATEWAY, "upstream request timeout"),
    (524, Cause.GATEWAY, "error code: 524"),
    (503, Cause.PROVIDER, "ServiceUnavailableException: Bedrock is unable to process your request."),
    (400, Cause.PROVIDER, "The service is temporarily unavailable, engine overloaded."),
    (529, Cause.PROVIDER, "Overloaded"),
    (
        400,
        Cause.REFUSED,
        "<400> InternalError.Algo.DataInspectionFailed: Input data may contain inappropriate content",
    ),
    (403, Cause.REFUSED, "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_CYBER"),
    (403, Cause.REFUSED, "The model requires moderation on OpenRouter. Your input was flagged for violence"),
    (
        400,
        Cause.REFUSED,
        "The response was filtered due to the prompt triggering Azure's content management policy.",
    ),
    (
        400,
        Cause.AGENT,
        "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after",
    ),
    (422, Cause.AGENT, "Unprocessable: messages[7].content must be a string"),
]


@pytest.mark.parametrize(("status", "cause", "message"), CAUSES)
def test_a_failure_has_the_cause_that_its_wording_and_status_show(
    status: int, cause: Cause, message: str
) -> None:
    text = message if message.startswith("<") else json.dumps({"error": {"message": message}})
    assert read_failure(HttpResponse(status, {}, text)).cause is cause


@pytest.mark.parametrize(
    ("body", "status", "cause"),
    [
        ({"error": {"code": 402, "message": "Insufficient credits"}}, 402, Cause.ACCOUNT),
        ({"error": {"code": "429", "message": "Slower."}}, 429, Cause.RATE),
        ({"error": {"message": "insufficient balance"}}, 502, Cause.ACCOUNT),
        ({"error": {"type": "overloaded_error", "message": "Overloaded"}}, 502, Cause.GATEWAY),
        ({"base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}, 402, Cause.ACCOUNT),
        ({"base_resp": {"status_code": 1002, "status_msg": "rate limit"}}, 429, Cause.RATE),
        ({"base_resp": {"status_code": 1027, "status_msg": "output new_sensitive"}}, 400, Cause.REFUSED),
    ],
)
def test_an_error_with_status_200_is_read_from_its_body(
    body: Mapping[str, object], status: int, cause: Cause
) -> None:
    response = failed([HttpResponse(200, {}, json.dumps(body))])
    assert response is not None
    assert (response.status, read_failure(response).cause) == (status, cause)


def test_the_title_of_a_page_is_its_message() -> None:
    page = "<html><head><title>Attention Required!\n| Cloudflare</title></head><body>" + "x" * 9000
    failure = read_failure(HttpResponse(403, {}, page))
    assert failure.message == "a page in place of JSON: Attention Required! | Cloudflare"


def test_what_a_server_quotes_of_a_long_conversation_decides_nothing() -> None:
    quoted = json.dumps(
        {"error": {"message": "Bad input: " + "a" * 5000 + " rate limit, insufficient_quota"}}
    )
    assert read_failure(HttpResponse(400, {}, quoted)).cause is Cause.AGENT
