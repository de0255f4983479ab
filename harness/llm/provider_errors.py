"""Error responses of providers: what caused each, how long to wait, and what the provider says.

The wordings are those of the providers' documentation, of their servers' sources and of public reports. A wording
decides before a status, because gateways change statuses. Each is pinned in the tests.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from harness.errors import Cause
from harness.llm.wire import HttpResponse

MESSAGE_CHARACTERS = 300
MAX_READ = (
    4000  # characters of a body in which wordings are searched: behind them, servers quote the conversation
)
MAX_DAILY_DELAY = 1800.0  # seconds: a limit of a day that ends sooner is waited for
TEMPORARY = frozenset({Cause.RATE, Cause.GATEWAY, Cause.PROVIDER})


@dataclass(frozen=True, slots=True)
class Failure:
    """A parsed error response. `delay`: how many seconds the provider says to wait; None where it does not say.

    `generation`: what the model wrote, where the provider refused its own model's tool call; else None.
    """

    cause: Cause
    message: str
    delay: float | None = None
    generation: str | None = None

    @property
    def temporary(self) -> bool:
        """Whether the same request may succeed later."""
        return self.cause in TEMPORARY


def _any_of(*wordings: str) -> re.Pattern[str]:
    return re.compile("|".join(wordings), re.IGNORECASE)


# The content of the conversation, or the response to it, is against a policy.
_REFUSED = _any_of(
    r"content_policy_violation|content_filter|violating our usage policy",  # OpenAI, Azure
    r"ResponsibleAIPolicyViolation|content management policy",  # Azure
    r"content filtering policy",  # Anthropic
    r"Content Exists Risk",  # DeepSeek
    r"rejected as a result of (?:our|the) safety system",  # OpenAI
    r"data_?inspection_?failed|may contain inappropriate content",  # DashScope
    r"contentFilter|unsafe or sensitive content|不安全或敏感内容",  # Zhipu 1301
    r"(?:input|output)_?(?:text)?_?sensitive|SensitiveContentDetected",  # MiniMax 1026 and 1027, Volcengine
    r"violates usage guidelines",  # xAI
    r"requires moderation|input was flagged",  # OpenRouter
    r"blocked by (?:a )?guardrail|guardrail_intervened",  # Bedrock
    r"content_violation|prompt_blocked|PROHIBITED_CONTENT",
)
# Neither waiting nor another conversation helps: the money, or the limit of a day or month, is used up, or this one
# request is larger than what the account may send in a minute.
_USED_UP = _any_of(
    r"insufficient_quota|billing_hard_limit_reached|billing_not_active|billing hard limit",  # OpenAI
    r"insufficient[ _](?:account[ _])?(?:balance|credits?|funds)",  # DeepSeek, OpenRouter, Moonshot, MiniMax 1008
    r"credit balance is too low|reached your specified API usage limits",  # Anthropic
    r"requires more credits|can only afford|key limit exceeded|free-models-per-day",  # OpenRouter
    r"exceeded_current_quota|account .{0,60}is suspended",  # Moonshot
    r"Arrearage|overdue[- ]payment|account is in good standing",  # DashScope
    r"余额不足|账户(?:已)?欠费|AccountOverdue",  # Zhipu 1113, Volcengine
    r"spending limit|run out of credits|used all available credits|out of credits",  # xAI, Together, Fireworks
    r"Credit limit exceeded|credit_limit|no (?:remaining |more )?credits?\b|payment required",  # Together, Hugging Face
    r"exceeded your monthly included credits|calls / month|PerDay",  # Hugging Face, Cohere, Gemini
    r"Request too large",  # OpenAI and Groq: larger than the limit of a minute
    r"reached (?:your|the) .{0,40}(?:monthly|daily|weekly) .{0,40}limit",
)
# A limit of a day that moves with the time: the message says when the next request is possible.
_OF_A_DAY = _any_of(r"per day|\b[TR]PD\b|tokens_per_day|requests_per_day|daily limit")
# The key, the permission or the name of the model is wrong.
_NOT_PERMITTED = _any_of(
    r"(?:invalid|incorrect|missing|expired|revoked|bad)[ _-](?:x-)?api[ _-]?(?:key|token)",
    r"API key not valid|API_KEY_INVALID|api key (?:is )?(?:invalid|expired|missing)",  # Gemini
    r"authentication[ _](?:error|fails|failed)|unauthorized|invalid_authentication|UnrecognizedClientException",
    r"model_not_found|model_not_exist|ModelNotOpen|not a valid model ID|no endpoints found",
    r"model .{0,120}(?:does not exist|not found|is not supported|has been (?:deprecated|decommissioned))",
    r"unknown model|model_decommissioned|AccessDeniedException|don't have access to the model",
)
# The conversation is longer than the model's window. Named: who says so.
_TOO_LONG = _any_of(
    r"context_length_exceeded|maximum context length|context length exceeded",  # OpenAI, vLLM, DeepSeek, OpenRouter
    r"exceeds? the context window|exceeds? context window",  # OpenAI's Responses, llama-cpp-python
    r"exceed the configured limit",  # OpenAI
    r"prompt is too long|prompt too long|exceed context limit|request_too_large",  # Anthropic, Fireworks, Ollama
    r"exceeds the maximum number of tokens",  # Gemini
    r"model only supports up to \d+",  # Vertex AI
    r"too many (?:input )?tokens\b|tokens in request more than max tokens",  # Cohere, Bedrock
    r"maximum prompt length is",  # xAI
    r"input is too long|input tokens exceeded|maximum length of the input|expected maxLength: \d+",  # Bedrock
    r"Range of input length should be|input length .{0,60}should be",  # DashScope
    r"prompt exceeds max length|prompt 超长|超过.{0,20}(?:最大长度|上下文|最大输入)",  # Zhipu 1261
    r"exceeded model token limit",  # Moonshot
    r"context window exceeds limit",  # MiniMax 2013
    r"`?inputs`? tokens \+ `?max_new_tokens`? must be|`?inputs`? must have less than",  # TGI
    r"when (?:the )?context (?:the )?overflows|greater than the context length|reached context length",  # LM Studio
    r"context length of only|context length is only",  # LM Studio, vLLM
    r"number of input tokens .{0,60}cannot exceed|exceeds? the total tokens limit",  # watsonx
    r"exceeds? the available context size|exceed_context_size",  # llama.cpp
    r"longer than the (?:maximum model|model's context|context) length",  # vLLM, SGLang
    r"too large for model with|maximum context window",  # Mistral
    r"max(?:_completion)?_tokens must be at least 1, got -",  # vLLM: nothing is left for the response
    r"reduce the length of (?:the|your) (?:messages|prompt|input)|current length is \d+ while limit",  # Groq, Cerebras
    r"exceeds? (?:the )?(?:model's )?(?:maximum )?(?:context|input|sequence|prompt) (?:length|size|limit)",
    r"input length .{0,40}exceeds?|input length \d+ exceeds the maximum length|exceed max message tokens",  # Volcengine
    r"length of prompt_tokens .{0,40}must be less than",  # SiliconFlow
    r"maximum sequence length|max_seq_len|exceeds max_model_len|max_context_length",
    r"prompt token count .{0,60}exceeds|input token(?:s| count) .{0,60}exceeds?",  # GitHub, Databricks
    r"exceeded maximum allowed content length|model_context_window_exceeded|context size has been exceeded",
    r"prompt tokens? (?:are )?too long|input characters? .{0,40}exceed|the max input characters",  # Qianfan
)
_RATE = _any_of(
    r"rate[ _-]?limit|too many requests|ThrottlingException|throttling|throttled|RESOURCE_EXHAUSTED",
    r"RateQuota|slow ?down|requests per (?:second|minute)|tokens per min|\b[RT]PM\b|too many concurrent",
    r"concurrency limit",
    r"速率限制|请求过于频繁",
)
_OVERLOADED = _any_of(
    r"overloaded|over capacity|at capacity|capacity exceeded|temporarily unavailable|no available capacity|server busy"
    r"|ServiceUnavailableException|ModelNotReadyException|访问量过大|engine is currently overloaded"
)
# A page in place of JSON, from something between this host and the provider.
_PAGE = re.compile(r"^\s*(?:<!doctype html|<html|<\?xml[^>]*>\s*<!doctype html)", re.IGNORECASE)
_FIREWALL = _any_of(
    r"cloudflare|attention required|just a moment|ray id|akamai|incapsula|imperva|sucuri|fortinet|fortigate|zscaler"
    r"|web application firewall|\bWAF\b|aws ?waf|blocked by (?:network|security|your|the) "
    r"|access denied by (?:network|security)|request blocked|egress|proxy|captive portal|mod_?security|netskope"
    r"|palo alto"
)
_BY_STATUS: Mapping[int, Cause] = {
    **dict.fromkeys((401, 402, 403, 404, 410), Cause.ACCOUNT),
    413: Cause.CONTEXT,
    429: Cause.RATE,
    **dict.fromkeys((409, 424, 425, 529), Cause.PROVIDER),
    # Between this host and the provider: bad gateways, time-outs of proxies, and Cloudflare's own statuses.
    **dict.fromkeys((407, 408, 421, 444, 460, 499, 502, 504, 598, 599), Cause.GATEWAY),
    **dict.fromkeys((*range(520, 529), 530), Cause.GATEWAY),
}
_OF_THE_REQUEST = frozenset({400, 403, 413, 422, 451})
_BY_WORDING = (
    (_REFUSED, Cause.REFUSED),
    (_TOO_LONG, Cause.CONTEXT),
    (_OVERLOADED, Cause.PROVIDER),
    (_RATE, Cause.RATE),
    (_NOT_PERMITTED, Cause.ACCOUNT),
)
# A page with another status is a gateway's; these say that the address is wrong, or that a proxy takes no more.
_OF_PAGES: Mapping[int, Cause] = {404: Cause.ACCOUNT, 405: Cause.ACCOUNT, 413: Cause.CONTEXT}
# MiniMax sends errors with status 200 and a code of its own.
_OWN_CODES: Mapping[int, tuple[int, Cause]] = {
    1002: (429, Cause.RATE),
    1039: (429, Cause.RATE),
    1004: (401, Cause.ACCOUNT),
    2049: (401, Cause.ACCOUNT),
    1008: (402, Cause.ACCOUNT),
    1026: (400, Cause.REFUSED),
    1027: (400, Cause.REFUSED),
}
_TRY_AGAIN_IN = re.compile(
    r"(?:try again|retry|available|resets?)\s+(?:in|after)\s+"
    r"(?:(\d{1,6})\s?h(?:ours?)?\s?)?(?:(\d{1,6})\s?m(?:in(?:ute)?s?)?(?![a-z])\s?)?"
    r"(?:([\d.]{1,20})\s?(ms|milliseconds?|s|sec|seconds?)(?![a-z]))?",
    re.IGNORECASE,
)


def failed(responses: Sequence[HttpResponse]) -> HttpResponse | None:
    """The failed response: the last one, if its status is an error or its body names an error. Else None."""
    if not responses:
        return None
    last = responses[-1]
    if last.status >= HTTPStatus.BAD_REQUEST:
        return last
    body = _parsed(last.text)
    code = _code_in(body)
    if code is not None and code >= HTTPStatus.BAD_REQUEST:
        return replace(last, status=code)
    if isinstance(body.get("error"), Mapping) and not body.get("choices") and last.status:
        return replace(last, status=int(HTTPStatus.BAD_GATEWAY))  # it names no status
    return None


def _code_in(body: Mapping[str, Any]) -> int | None:
    """The HTTP status that a body names; None without one."""
    error = body.get("error")
    code = error.get("code") if isinstance(error, Mapping) else None
    if isinstance(code, str) and code.isdecimal() and len(code) == 3:
        return int(code)
    if isinstance(code, int) and not isinstance(code, bool):
        return code if HTTPStatus.BAD_REQUEST <= code <= 599 else None
    own = _own_code(body)
    if not own:
        return None
    return _OWN_CODES[own][0] if own in _OWN_CODES else int(HTTPStatus.INTERNAL_SERVER_ERROR)


def _own_code(body: Mapping[str, Any]) -> int:
    base = body.get("base_resp")
    code = base.get("status_code") if isinstance(base, Mapping) else 0
    return code if isinstance(code, int) and not isinstance(code, bool) else 0


def read_failure(response: HttpResponse) -> Failure:
    """Parses a response whose status is an error."""
    body = _parsed(response.text)
    error, base = body.get("error"), body.get("base_resp")
    candidates = [error.get("message") if isinstance(error, Mapping) else error]
    candidates += [body.get("message"), body.get("Message"), body.get("detail"), body.get("msg")]
    candidates += [base.get("status_msg") if isinstance(base, Mapping) else None]
    message = (
        next((text.strip() for text in candidates if isinstance(text, str) and text.strip()), "")
        or _title(response.text)
        or response.text.strip().partition("\n")[0]
        or "no reason given"
    )
    delay = _delay(response, body, message)
    # The text has characters beyond ASCII as escapes, perhaps.
    said = f"{response.text[:MAX_READ]}\n{message[:MAX_READ]}"
    return Failure(
        _cause(response.status, said, _own_code(body), delay),
        message[:MESSAGE_CHARACTERS],
        delay,
        _generation(error),
    )


def retry_after(value: str | None) -> float | None:
    """Seconds to wait, from the header's seconds or date; None when it is absent or unreadable."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        pass
    else:
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _cause(status: int, text: str, own_code: int, delay: float | None) -> Cause:
    """What caused an error: by its own code, its wording, and then its status. `delay`: what it says to wait."""
    if own_code in _OWN_CODES:
        return _OWN_CODES[own_code][1]
    is_page = bool(_PAGE.match(text))
    said = None if is_page else _cause_in(text, status, delay)
    return said or _cause_of_status(status, text, is_page=is_page)


def _cause_in(text: str, status: int, delay: float | None) -> Cause | None:
    """What the wording of an error says; None where it says nothing."""
    if _USED_UP.search(text):
        return Cause.ACCOUNT
    if _OF_A_DAY.search(text) and status == HTTPStatus.TOO_MANY_REQUESTS:
        return Cause.RATE if delay and delay <= MAX_DAILY_DELAY else Cause.ACCOUNT
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        # llama.cpp's older servers and LM Studio send it with 500.
        return Cause.CONTEXT if _TOO_LONG.search(text) and not _RATE.search(text) else None
    if status in _OF_THE_REQUEST:
        return next((cause for wordings, cause in _BY_WORDING if wordings.search(text)), None)
    return None


def _cause_of_status(status: int, text: str, *, is_page: bool) -> Cause:
    if is_page or (status in (401, 403) and _FIREWALL.search(text)):
        cause = _OF_PAGES.get(status, Cause.GATEWAY)
    elif status in _BY_STATUS:
        cause = _BY_STATUS[status]
    else:
        cause = Cause.PROVIDER if status >= HTTPStatus.INTERNAL_SERVER_ERROR else Cause.AGENT
    return cause


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if isinstance(body, list):  # Gemini wraps an error in a list now and then
        body = body[0] if body else {}
    return body if isinstance(body, Mapping) else {}


def _title(text: str) -> str:
    """The title of a page in place of JSON; '' without one."""
    if not _PAGE.match(text):
        return ""
    found = re.search(r"<title[^>]*>([^<]{1,200})</title>", text[:MAX_READ], re.IGNORECASE)
    return f"a page in place of JSON: {' '.join(found[1].split())}" if found else "a page in place of JSON"


def _generation(error: object) -> str | None:
    """What the model wrote where its provider could not read the tool call in it: Groq's `tool_use_failed`."""
    if not isinstance(error, Mapping) or error.get("code") not in ("tool_use_failed", "output_parse_failed"):
        return None
    written = error.get("failed_generation")
    return written if isinstance(written, str) else ""


def _delay(response: HttpResponse, body: Mapping[str, Any], message: str) -> float | None:
    """The header in milliseconds is OpenAI's, RetryInfo is Google's, the text is common to all."""
    milliseconds = retry_after(response.headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    stated = retry_after(response.headers.get("retry-after"))
    if stated is not None:
        return stated
    for detail in _details(body):
        seconds = re.fullmatch(r"(\d+(?:\.\d+)?)s", str(detail.get("retryDelay")))
        if seconds:
            return float(seconds[1])
    wait = _TRY_AGAIN_IN.search(message)
    if wait is None or not any(wait.groups()):
        return None
    hours, minutes, rest, unit = wait.groups()
    try:
        tail = float(rest or 0) / (1000 if (unit or "").lower().startswith("m") else 1)
    except ValueError:
        return None
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + tail


def _details(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    error = body.get("error")
    details = error.get("details") if isinstance(error, Mapping) else None
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, Mapping) and str(detail.get("@type", "")).endswith("google.rpc.RetryInfo"):
            yield detail
