"""What providers answer, made readable: words, usage, reasons. Knows no provider's library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.records import Metrics, ToolCall

Message = dict[str, Any]

FILTERED = "The provider's filter stopped the answer ({})."
MALFORMED_CALL = "malformed_call"
NOTHING = "(nothing)"  # what an answer without text and calls is in the conversation


@dataclass(frozen=True, slots=True)
class Tokens:
    """What one answer was billed for. `prompt` includes `cached` (read from a cache) and `written` (to one).

    `completion` includes `reasoning`, which is None where the provider does not say.
    """

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    written: int = 0
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer.

    `malformed` maps the ids of calls whose arguments could not be read to a message for the model that quotes them;
    such calls have empty arguments. `refusal` says in whose words the model, or its provider's filter, declined to
    answer; '' when neither did. `metrics` covers everything billed for this request, `prompt_tokens` this answer alone.
    `history` is what the conversation goes on with.
    """

    message: str
    reasoning: str
    calls: tuple[ToolCall, ...]
    malformed: Mapping[str, str]
    metrics: Metrics
    prompt_tokens: int
    history: Message = field(repr=False)
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class RawReply:
    """One answer in OpenAI's chat completion format, and the same answer read."""

    body: dict[str, Any] = field(repr=False)
    reply: Reply


def well_formed(text: str) -> str:
    """`text` as UTF-8 can carry it: a lone surrogate would make the whole conversation unsendable."""
    return text.encode("utf-8", "replace").decode("utf-8")


def history_entry(
    message: Any,
    text: str,
    calls: Sequence[ToolCall],
    signed: Sequence[Mapping[str, Any] | None] = (),
    *,
    with_reasoning: bool = False,
    with_text: bool = False,
) -> Message:
    """The answer as the next request repeats it: arguments are valid JSON even where the model's were not.

    Thoughts that a provider signed go back as they came: Anthropic's blocks, Gemini's signatures, OpenRouter's
    details; and unsigned ones beside a call where `with_reasoning` says so, empty ones too. Without them the provider
    refuses the next request, or the model forgets what it was about. `with_text`: an answer that is a call alone has
    an empty text, not none. One without anything says so: Cohere and Gemini refuse an empty message.
    """
    entry: Message = {"role": "assistant", "content": text if text.strip() or calls else NOTHING}
    if calls:
        if not text.strip():
            entry["content"] = "" if with_text else None  # Anthropic takes no blank text beside a call
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
    """The conversation with Anthropic's marks: what stands before one is kept in a cache, and costs a tenth next time.

    One mark after the system prompt (the tools stand before it), one after the newest message, and one where the
    request before ended: from a mark, its cache looks back no further than 20 blocks, and a turn may hold more. Left
    alone where there are marks already.
    """
    if any(map(_is_marked, messages)):
        return list(messages)
    last = len(messages) - 1
    answers = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    ends = {last, answers[-1] - 1 if answers else last}
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
    """A function's name as every provider takes it: one that a model made up would spoil all requests to come."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] or "unnamed"


def field_of(value: Any, name: str) -> Any:
    """A field of something that came as an object or as a mapping; None without one."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def token_counts(usage: Mapping[str, Any]) -> Tokens:
    """The tokens in a usage of LiteLLM's; what was written to a cache goes by several names there.

    Never negative: a server that says so gives no money back. What a total holds beyond the prompt is output: xAI, and
    Google where it speaks as OpenAI does, leave their reasoning out of the completion, and bill it.
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
    """How many of the billed tokens were reasoning, as a provider's raw answer says; None when it does not.

    OpenAI, DeepSeek and those who speak like them have a field for it, Gemini another one. Anthropic and Cohere say
    nothing; what LiteLLM gives for them is an estimate of its own, and no bill.
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


def usage_in(text: str) -> dict[str, Any] | None:
    """The usage in a provider's raw answer, in LiteLLM's fields; None when there is none.

    OpenAI's and DeepSeek's is in these fields already; Anthropic, Cohere (the units that it bills) and Gemini have
    fields of their own.
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
    """What of a provider's own answer LiteLLM does not hand on.

    `finish` is '' where LiteLLM's word will do. `refusal`: who declined, in what words. `broken`: why this answer is
    none, though it came with a bill. `usage`, in LiteLLM's fields, where LiteLLM's own is not what is billed.
    """

    finish: str = ""
    refusal: str = ""
    reasoning: str = ""
    broken: str = ""
    usage: Mapping[str, Any] | None = None


def read_native(text: str) -> Native:
    """A provider's answer, as far as LiteLLM loses it: nothing for a shape that nobody knows."""
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
        pass  # whatever it is, it is not as its provider documents it: LiteLLM's reading has to do
    return Native()


def _openai(body: Mapping[str, Any]) -> Native:
    choice: Mapping[str, Any] = next(iter(body["choices"]), {})
    finish, message = choice.get("finish_reason") or "", choice.get("message") or {}
    if finish in ("insufficient_system_resource", "error"):
        return Native(broken=f"the provider broke off its answer: {finish}")
    if refusal := message.get("refusal"):
        return Native(refusal=well_formed(str(refusal)))
    return Native(refusal=FILTERED.format(finish) if finish == "content_filter" else "")


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
        return Native(broken=f"the provider broke off its answer: {finish}", usage=usage_in(text))
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
