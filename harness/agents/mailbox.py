"""What a person and the process of their session say to each other: requests one way, answers the other.

The harness knows no queue: a mailbox is whatever carries these two, as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Protocol, Self

from harness.errors import HarnessError
from harness.records import ToolCall, ToolResult

MAX_CALLS = 20
MAX_CHARACTERS = 100_000
_MAX_ID_LENGTH = 100


class InvalidRequest(HarnessError):
    """A request cannot be understood. The message is for the person."""


class RequestKind(StrEnum):
    """`act`: calls of tools. `pause` and `resume`: the clock. `finish`: the work is done and is graded.

    `leave`: the process ends, and another one can go on later.
    """

    ACT = "act"
    PAUSE = "pause"
    RESUME = "resume"
    FINISH = "finish"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Request:
    """What a person wants. `id` is repeated in the answer. `calls` only with `act`; their ids are unique in it."""

    id: str
    kind: RequestKind
    message: str = ""
    calls: tuple[ToolCall, ...] = ()

    @classmethod
    def from_json(cls, stored: object) -> Self:
        """Raises InvalidRequest. The arguments of calls are checked later, as those of any agent."""
        if not isinstance(stored, Mapping):
            raise InvalidRequest("a request is a JSON object")
        identifier, kind, message = (stored.get(name, "") for name in ("id", "kind", "message"))
        if not isinstance(identifier, str) or len(identifier) > _MAX_ID_LENGTH:
            raise InvalidRequest(f"id: expected at most {_MAX_ID_LENGTH} characters")
        if kind not in list(RequestKind):
            raise InvalidRequest(f"kind: expected one of {', '.join(RequestKind)}, not {kind!r:.100}")
        if not isinstance(message, str) or len(message) > MAX_CHARACTERS:
            raise InvalidRequest(f"message: expected a text of at most {MAX_CHARACTERS:,} characters")
        calls = stored.get("calls", [])
        if not isinstance(calls, list) or len(calls) > MAX_CALLS:
            raise InvalidRequest(f"calls: expected a list of at most {MAX_CALLS} calls")
        if bool(calls) != (kind == RequestKind.ACT):
            raise InvalidRequest("calls: there is at least one in an act, and none in any other request")
        made = tuple(_call(number, call) for number, call in enumerate(calls, 1))
        return cls(identifier, RequestKind(kind), message, made)


@dataclass(frozen=True, slots=True)
class Remaining:
    """What may still be used; None: no limit. `reserved_for`: the only tools that the last use is for, if any."""

    seconds: float | None
    iterations: int | None
    tool_uses: int | None
    submissions: int | None
    reserved_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the request `id`; with '' the process says something by itself.

    `step_id`: the last step. `paused`: the clock stands still. `ok` False: the request was refused, for this `reason`.
    `results`: of its calls. `ended`: why the work ended, a value of `Ending`; '' while it goes on. `closed`: this
    process ends, for this `reason`, and the session can be resumed.
    """

    id: str
    step_id: int
    remaining: Remaining
    paused: bool
    ok: bool = True
    reason: str = ""
    results: tuple[ToolResult, ...] = field(default=())
    ended: str = ""
    closed: bool = False

    def to_json(self) -> dict[str, Any]:
        """What a mailbox carries; the content of results is what the person may read."""
        stored = asdict(self)
        stored["results"] = [{**asdict(result), "content": result.whole} for result in self.results]
        return stored


class Mailbox(Protocol):
    """The way between a person and the process of their session. An answer is sent once for each request."""

    def receive(self, timeout: float) -> Request | None:
        """The next request; None after `timeout` seconds without one. Refuses invalid requests by itself."""

    def send(self, answer: Answer) -> None:
        """Sends an answer."""


def _call(number: int, stored: object) -> ToolCall:
    name = stored.get("name") if isinstance(stored, Mapping) else None
    if not isinstance(stored, Mapping) or not isinstance(name, str) or len(name) > _MAX_ID_LENGTH:
        raise InvalidRequest(f"call {number}: expected an object with name and arguments")
    arguments = stored.get("arguments", {})
    if not isinstance(arguments, Mapping):
        raise InvalidRequest(f"call {number}: arguments: expected a JSON object")
    return ToolCall(f"call-{number}", name, arguments)
