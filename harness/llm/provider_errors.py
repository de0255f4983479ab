"""Error responses of providers, classified: temporary, too long, not allowed, or final.

The wording and the codes are those of the providers' own documentation; each is pinned by a recorded body in the tests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from http import HTTPStatus
from typing import Any

from harness.llm.wire import HttpResponse

TEMPORARY_STATUSES = frozenset({408, 409, 425, 429})
MESSAGE_CHARACTERS = 300


class Kind(Enum):
    """What to do about a failure."""

    TEMPORARY = "temporary: try again"
    TOO_LONG = "the conversation exceeds the model's window"
    NOT_ALLOWED = "the provider's content policy forbids it"
    FINAL = "permanent: a retry would not help"


@dataclass(frozen=True, slots=True)
class Failure:
    """A parsed error response. `delay`: how many seconds the provider says to wait; None where it does not say."""

    kind: Kind
    message: str
    delay: float | None = None


_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context length|prompt is too long|exceed context limit"
    r"|exceeds the maximum number of tokens|too many tokens: |request_too_large|context window|exceed_context_size",
    re.IGNORECASE,
)
_NOT_ALLOWED = re.compile(
    r"content_policy_violation|content_filter|violating our usage policy|content filtering policy|Content Exists Risk"
    r"|rejected as a result of (?:our|the) safety system",
    re.IGNORECASE,
)
# Too many requests, but waiting would not help a run: the money, or the limit of the day or month, is used up, or this
# one request is larger than the limit of a minute.
_USED_UP = re.compile(
    r"insufficient_quota|billing_hard_limit_reached|billing_not_active|Insufficient Balance|credit balance is too low"
    r"|Request too large|calls / month|PerDay",
    re.IGNORECASE,
)
_TRY_AGAIN_IN = re.compile(
    r"try again in (?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:([\d.]{1,20})(ms|s))?", re.IGNORECASE
)


def failed(responses: Sequence[HttpResponse]) -> HttpResponse | None:
    """The failed response: the last one, if its status is an error or its body names an error status. Else None."""
    if not responses:
        return None
    last = responses[-1]
    if last.status >= HTTPStatus.BAD_REQUEST:
        return last
    error = _parsed(last.text).get("error")
    code = error.get("code") if isinstance(error, Mapping) else None
    return replace(last, status=code) if isinstance(code, int) and code >= HTTPStatus.BAD_REQUEST else None


def read_failure(response: HttpResponse) -> Failure:
    """Parses a response whose status is an error."""
    body = _parsed(response.text)
    error = body.get("error")
    candidates = [error.get("message") if isinstance(error, Mapping) else error]
    candidates += [body.get("message"), body.get("detail")]
    message = (
        next((text.strip() for text in candidates if isinstance(text, str) and text.strip()), "")
        or response.text.strip().partition("\n")[0]
        or "no reason given"
    )
    return Failure(_kind(response), message[:MESSAGE_CHARACTERS], _delay(response, body, message))


def retry_after(value: str | None) -> float | None:
    """Seconds to wait, from the header's seconds or date; None when it is absent or unreadable."""
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


def _kind(response: HttpResponse) -> Kind:
    if response.status in (400, 413, 422) and (response.status == 413 or _TOO_LONG.search(response.text)):
        return Kind.TOO_LONG
    if response.status in (400, 403) and _NOT_ALLOWED.search(response.text):
        return Kind.NOT_ALLOWED
    if response.status in TEMPORARY_STATUSES or response.status >= 500:
        return Kind.FINAL if _USED_UP.search(response.text) else Kind.TEMPORARY
    return Kind.FINAL


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if isinstance(body, list):  # Gemini wraps an error in a list now and then
        body = body[0] if body else {}
    return body if isinstance(body, Mapping) else {}


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
        tail = float(rest or 0) / (1000 if (unit or "").lower() == "ms" else 1)
    except ValueError:
        return None
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + tail


def _details(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    error = body.get("error")
    details = error.get("details") if isinstance(error, Mapping) else None
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, Mapping) and str(detail.get("@type", "")).endswith("google.rpc.RetryInfo"):
            yield detail
