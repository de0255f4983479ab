"""What providers answer, made readable: arguments, usage, headers. Knows no provider's library."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn

from harness.records import Metrics, ToolCall

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tokens:
    """What one answer was billed for. `prompt` includes `cached` (read from a cache) and `written` (to one)."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    written: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer.

    `malformed` maps the ids of calls whose arguments could not be read to a message for the model that quotes them;
    such calls have empty arguments. `metrics` covers everything billed for this request, `prompt_tokens` this answer
    alone. `history` is what the conversation goes on with.
    """

    message: str
    reasoning: str
    calls: tuple[ToolCall, ...]
    malformed: Mapping[str, str]
    metrics: Metrics
    prompt_tokens: int
    history: Message = field(repr=False)


@dataclass(frozen=True, slots=True)
class RawReply:
    """One answer in OpenAI's chat completion format, and the same answer read."""

    body: dict[str, Any] = field(repr=False)
    reply: Reply


def well_formed(text: str) -> str:
    """`text` as UTF-8 can carry it: a lone surrogate would make the whole conversation unsendable."""
    return text.encode("utf-8", "replace").decode("utf-8")


def read_arguments(raw: object) -> dict[str, Any]:
    """A call's arguments. Nothing at all means none; an object that was encoded twice is decoded twice.

    Raises ValueError with a sentence for the model when there is no JSON object in it.
    """
    value = raw
    for _ in range(2):
        if isinstance(value, str):
            try:
                value = json.loads(value or "{}", parse_constant=_refuse_constant)
            except RecursionError:
                raise ValueError("the arguments are nested too deeply.") from None
            except ValueError as error:
                raise ValueError(f"the arguments are not valid JSON ({error}).") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError("the arguments must be a JSON object.")
    return value


def retry_after(value: str | None) -> float | None:
    """Seconds to wait, from the header's seconds or date; None when it is absent or cannot be read."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def history_entry(message: Any, calls: Sequence[ToolCall]) -> Message:
    """The answer as the next request repeats it: arguments are valid JSON even where the model's were not."""
    entry: Message = {"role": "assistant", "content": well_formed(message.content or "")}
    if calls:
        entry["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for call in calls
        ]
    if blocks := getattr(message, "thinking_blocks", None):
        entry["thinking_blocks"] = blocks  # Anthropic wants its signed thoughts back
    return entry


def token_counts(usage: Mapping[str, Any]) -> Tokens:
    """The tokens in a usage of LiteLLM's; what was written to a cache goes by several names there."""
    details = usage.get("prompt_tokens_details") or {}
    prompt = int(usage.get("prompt_tokens") or 0)
    cached = min(prompt, int(details.get("cached_tokens") or 0))
    written = details.get("cache_creation_tokens") or usage.get("cache_creation_input_tokens") or 0
    return Tokens(
        prompt, int(usage.get("completion_tokens") or 0), cached, min(prompt - cached, int(written))
    )


def usage_in(text: str) -> dict[str, Any] | None:
    """The usage in a provider's raw answer, in LiteLLM's fields; None when there is none."""
    try:
        usage = json.loads(text)["usage"]
        if "input_tokens" not in usage:
            return usage if token_counts(usage) != Tokens() else None
        cached = usage.get("cache_read_input_tokens") or 0
        written = usage.get("cache_creation_input_tokens") or 0
        return {
            "prompt_tokens": usage["input_tokens"] + cached + written,
            "completion_tokens": usage.get("output_tokens") or 0,
            "prompt_tokens_details": {"cached_tokens": cached, "cache_creation_tokens": written},
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
