"""Parses responses of providers: text, usage, stop reasons. Uses no provider library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.records import Metrics, ToolCall

Message = dict[str, Any]

FILTERED = "The provider's filter stopped the response ({})."
MALFORMED_CALL = "malformed_call"
IN_PARTS = "the text came as a list of parts"
MODEL_CHARACTERS = 200
NOTHING = "(nothing)"  # stands for a response without text and calls in the conversation


@dataclass(frozen=True, slots=True)
class Tokens:
    """The billed tokens of one response. `prompt` includes `cached` (read from a cache) and `written` (to one).

    `completion` includes `reasoning`, which is None if the provider does not report it.
    """

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    written: int = 0
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One response.

    `malformed` maps the ids of calls whose arguments could not be read to a message for the model that quotes them;
    such calls have empty arguments. `refusal` is the text of a refusal by the model or the provider's filter, or ''.
    `metrics` covers everything billed for this request, `prompt_tokens` this response alone. `history` is the message
    for the next request. `model` is the model as the provider names it in its response, or ''.
    """

    message: str
    reasoning: str
    calls: tuple[ToolCall, ...]
    malformed: Mapping[str, str]
    metrics: Metrics
    prompt_tokens: int
    history: Message = field(repr=False)
    refusal: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class RawReply:
    """One response in OpenAI's chat completion format, and the same response parsed."""

    body: dict[str, Any] = field(repr=False)
    reply: Reply


def well_formed(text: str) -> str:
    """`text` as valid UTF-8: a lone surrogate would make the whole conversation unsendable."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def history_entry(
    message: Any,
    text: str,
    calls: Sequence[ToolCall],
    signed: Sequence[Mapping[str, Any] | None] = (),
    *,
    with_reasoning: bool = False,
    with_text: bool = False,
) -> Message:
    """The response as the next request repeats it: arguments are valid JSON even if the model's were not.

    Signed reasoning is returned unchanged: Anthropic's blocks, Gemini's signatures, OpenRouter's details. With
    `with_reasoning`, unsigned reasoning beside a call is returned too, even if empty. Without it the provider refuses
    the next request, or the model loses its reasoning. `with_text`: the text beside a call is '', not None. An empty
    response becomes NOTHING: Cohere and Gemini refuse an empty message.
    """
    entry: Message = {"role": "assistant", "content": text if text.strip() or calls else NOTHING}
    if calls:
        if not text.strip():
            entry["content"] = "" if with_text else None  # Anthropic accepts no blank text beside a call
        entry["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": _sendable(call.name), "arguments": json.dumps(call.arguments)},
                **({"provider_specific_fields": dict(signature)} if signature else {}),
            }
            for call, signature in zip(calls, signed, strict=True)
        ]
    if blocks := field_of(message, "thinking_blocks"):
        entry["thinking_blocks"] = blocks
    elif with_reasoning and calls and (reasoning := field_of(message, "reasoning_content")) is not None:
        entry["reasoning_content"] = well_formed(reasoning)
    more = field_of(message, "provider_specific_fields") or {}
    if details := more.get("reasoning_details"):
        entry["reasoning_details"] = details
    if signatures := more.get("thought_signatures"):
        entry["provider_specific_fields"] = {"thought_signatures": signatures}
    return entry


def marked_for_cache(messages: Sequence[Message]) -> list[Message]:
    """The conversation with Anthropic's cache marks: everything before a mark is cached, and costs a tenth next time.

    One mark after the system prompt (the tools precede it), one after the newest message, and one at the end of the
    previous request: from a mark, the cache looks back at most 20 blocks, and a turn may have more. Unchanged if there
    are marks already.
    """
    if any(map(_is_marked, messages)):
        return list(messages)
    last = len(messages) - 1
    replies = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    ends = {last, replies[-1] - 1 if replies else last}
    return [
        _marked(message) if index in ends or (index == 0 and message["role"] == "system") else message
        for index, message in enumerate(messages)
    ]


def _is_marked(message: Message) -> bool:
    parts = message.get("content")
    return "cache_control" in message or (
        isinstance(parts, list) and any("cache_control" in part for part in parts)
    )


def _marked(message: Message) -> Message:
    mark = {"cache_control": {"type": "ephemeral"}}
    if message["role"] == "tool":
        return {**message, **mark}  # the whole result is marked, not a text within it
    content = message.get("content")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())
    if not parts or not (parts[-1].get("text") or parts[-1].get("type") != "text"):
        return message  # there is nothing to mark, and an empty text may not be marked
    return {**message, "content": [*parts[:-1], {**parts[-1], **mark}]}


def _sendable(name: str) -> str:
    """A valid function name for every provider: an invalid one would make all later requests fail."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] or "unnamed"


def field_of(value: Any, name: str) -> Any:
    """A field of an object or mapping; None without one."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def token_counts(usage: Mapping[str, Any]) -> Tokens:
    """The tokens in LiteLLM's usage, where cache writes have several names.

    Negative counts become 0. The total minus the prompt is output: xAI, and Google's OpenAI-compatible API, bill
    reasoning but leave it out of the completion.
    """
    details = usage.get("prompt_tokens_details") or {}
    prompt = _count(usage.get("prompt_tokens"))
    beyond = _count(usage.get("total_tokens")) - prompt if prompt else 0
    completion = max(_count(usage.get("completion_tokens")), beyond)
    cached = min(prompt, _count(details.get("cached_tokens")))
    written = details.get("cache_creation_tokens") or usage.get("cache_creation_input_tokens")
    return Tokens(prompt, completion, cached, min(prompt - cached, _count(written)))


def _count(value: Any) -> int:
    return max(0, int(value or 0))


def reasoning_in(text: str) -> int | None:
    """The billed reasoning tokens in a provider's raw response; None if it does not report them.

    OpenAI, DeepSeek and compatible APIs have a field for it, Gemini another one. Anthropic and Cohere do not report
    it; LiteLLM's value for them is only an estimate.
    """
    body = _object(text)
    usage = body.get("usage") or body.get("usageMetadata")
    if not isinstance(usage, Mapping):
        return None
    details = usage.get("completion_tokens_details") or usage.get("output_tokens_details")
    said = (
        details.get("reasoning_tokens") if isinstance(details, Mapping) else usage.get("thoughtsTokenCount")
    )
    return max(0, said) if isinstance(said, int) and not isinstance(said, bool) else None


def model_in(text: str) -> str:
    """The model that a provider's raw response names, '' without one; Gemini calls it modelVersion."""
    body = _object(text)
    said = body.get("model") or body.get("modelVersion")
    return well_formed(said[:MODEL_CHARACTERS]) if isinstance(said, str) else ""


def usage_in(text: str) -> dict[str, Any] | None:
    """The usage in a provider's raw response, in LiteLLM's fields; None without one.

    OpenAI and DeepSeek use these fields already; Anthropic, Cohere (billed units) and Gemini have their own.
    """
    body = _object(text)
    usage = body.get("usage") or body.get("usageMetadata")
    if not isinstance(usage, Mapping):
        return None
    try:
        read = _usage(usage)
        return read if token_counts(read) != Tokens() else None
    except (ValueError, TypeError, AttributeError, ArithmeticError):
        return None


def _usage(usage: Mapping[str, Any]) -> dict[str, Any]:
    if "billed_units" in usage:
        billed, cached, written = usage["billed_units"], usage.get("cached_tokens") or 0, 0
        prompt, completion = billed.get("input_tokens") or 0, billed.get("output_tokens") or 0
    elif "promptTokenCount" in usage:
        cached, written = usage.get("cachedContentTokenCount") or 0, 0
        prompt = usage["promptTokenCount"]
        completion = (usage.get("candidatesTokenCount") or 0) + (usage.get("thoughtsTokenCount") or 0)
    elif "input_tokens" in usage:
        cached = usage.get("cache_read_input_tokens") or 0
        written = usage.get("cache_creation_input_tokens") or 0
        prompt, completion = usage["input_tokens"] + cached + written, usage.get("output_tokens") or 0
    else:
        return dict(usage)
    return {
        "prompt_tokens": int(prompt),
        "completion_tokens": int(completion),
        "prompt_tokens_details": {"cached_tokens": int(cached), "cache_creation_tokens": int(written)},
    }


@dataclass(frozen=True, slots=True)
class Native:
    """The parts of a provider's raw response that LiteLLM drops.

    `finish` is '' if LiteLLM's value is correct. `refusal`: the text of a refusal. `broken`: why this response is
    invalid although it was billed. `usage`: the billed usage in LiteLLM's fields, if LiteLLM's own differs. `repair`:
    what LiteLLM could not have read as it came.
    """

    finish: str = ""
    refusal: str = ""
    reasoning: str = ""
    broken: str = ""
    usage: Mapping[str, Any] | None = None
    repair: str = ""


def read_native(text: str) -> Native:
    """The parts of a raw response that LiteLLM drops; empty for an unknown format."""
    body = _object(text)
    try:
        if "candidates" in body or "promptFeedback" in body:
            return _gemini(body)
        if "stop_reason" in body:
            return _anthropic(body)
        if "choices" in body:
            return _openai(body)
        if "message" in body and "finish_reason" in body:
            return _cohere(body, text)
    except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError):
        pass  # not in the documented format: use LiteLLM's values
    return Native()


def _openai(body: Mapping[str, Any]) -> Native:
    choice: Mapping[str, Any] = next(iter(body["choices"]), {})
    finish, message = choice.get("finish_reason") or "", choice.get("message") or {}
    usage = _with_cached(body.get("usage"))
    parts = message.get("content")
    # Mistral's thoughts are parts by design.
    in_parts = isinstance(parts, list) and not any("thinking" in part for part in parts)
    if finish in ("insufficient_system_resource", "error"):
        return Native(broken=f"the provider broke off its response: {finish}")
    if refusal := message.get("refusal"):
        return Native(refusal=well_formed(str(refusal)), usage=usage)
    refusal = FILTERED.format(finish) if finish == "content_filter" else ""
    return Native(refusal=refusal, usage=usage, repair=IN_PARTS if in_parts else "")


def _with_cached(usage: object) -> Mapping[str, Any] | None:
    """The usage of a provider that counts cached tokens beside the others, as Moonshot does; None for others."""
    if not isinstance(usage, Mapping) or not isinstance(usage.get("cached_tokens"), int):
        return None
    details = usage.get("prompt_tokens_details")
    if isinstance(details, Mapping) and details.get("cached_tokens"):
        return None
    return {**usage, "prompt_tokens_details": {"cached_tokens": usage["cached_tokens"]}}


def _anthropic(body: Mapping[str, Any]) -> Native:
    stop = body["stop_reason"]
    if stop == "refusal":
        said = " ".join(_texts(body.get("content") or [], "text"))
        return Native(finish="refusal", refusal=well_formed(said) or FILTERED.format(stop))
    return Native(finish="length" if stop == "model_context_window_exceeded" else "")


def _gemini(body: Mapping[str, Any]) -> Native:
    candidate: Mapping[str, Any] = next(iter(body.get("candidates") or ()), {})
    reason = (body.get("promptFeedback") or {}).get("blockReason") or candidate.get("finishReason") or ""
    if reason in ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"):
        return Native(finish=MALFORMED_CALL)
    passed = reason in ("", "STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED", "OTHER")
    return Native() if passed else Native(finish="content_filter", refusal=FILTERED.format(reason))


def _cohere(body: Mapping[str, Any], text: str) -> Native:
    finish, message = body["finish_reason"], body["message"]
    if finish in ("ERROR", "TIMEOUT"):
        return Native(broken=f"the provider broke off its response: {finish}", usage=usage_in(text))
    thoughts = [message.get("tool_plan") or "", *_texts(message.get("content") or [], "thinking")]
    words = {"MAX_TOKENS": "length", "TOOL_CALL": "tool_calls"}
    return Native(
        finish=words.get(finish, "stop"),
        reasoning=well_formed("\n".join(filter(None, thoughts))),
        usage=usage_in(text),
    )


def _texts(parts: Sequence[Mapping[str, Any]], kind: str) -> Iterator[str]:
    return (str(part.get(kind) or "") for part in parts if part.get("type") == kind)


def _object(text: str) -> Mapping[str, Any]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, Mapping) else {}
