"""The steps of an agent, and their ATIF objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from harness.records import bounds

ATIF_VERSION = "ATIF-v1.8"
ATIF_FILE = "trajectory.atif.json"  # the name of an exported document

NOT_COMPARED = "[not compared: "
"""How the note begins that stands for the diff of a file that could not be compared."""

Source = Literal["system", "user", "agent"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that the model requested. `arguments` are the model's, valid or not."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a call. `ok` is False if the tool refused or failed; a command with a non-zero exit code is `ok`.

    `ok` and `seconds` are None if the record of another harness does not say.
    `artifacts` are the names of files in `artifacts/` in the run directory. `started_at`: when the call started, ISO
    8601, UTC; '' if that is unknown, as in older records and for agents that call their tools themselves. `aside`: what
    hidden tests wrote. The agent reads it after the content. Trajectories are for everybody and do not have it; it is
    in `submissions.jsonl`, whose public copies lack it, too.
    """

    call_id: str
    content: str
    ok: bool | None
    seconds: float | None
    artifacts: tuple[str, ...] = ()
    started_at: str = ""
    aside: str = ""

    @property
    def whole(self) -> str:
        """The content as the agent reads it."""
        return f"{self.content}\n{self.aside}" if self.aside else self.content


@dataclass(frozen=True, slots=True)
class Metrics:
    """The measurements of one model response. None is unknown: `cost_usd` without a price, the others in the records
    of another harness.

    `prompt_tokens` includes `cached_tokens` (read from the provider's cache) and `written_tokens` (written to it).
    `completion_tokens` includes `reasoning_tokens`, which is None if the provider does not report it.
    `repairs` describes malformed calls in the response, and how they were interpreted.
    `seconds` is the time until the response; `waited` is the time before the request, for rate limits and retries.
    """

    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    cached_tokens: int | None = 0
    cost_usd: float | None = None
    seconds: float | None = 0.0
    finish_reason: str = ""
    retries: tuple[str, ...] = ()
    written_tokens: int = 0
    waited: float = 0.0
    reasoning_tokens: int | None = None
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One message of the conversation. An agent's message comes with its tool calls and their results.

    `step_id` counts from 1 over all sources. `timestamp`: ISO 8601, UTC. `metrics` is None for steps without a model.
    """

    step_id: int
    timestamp: str
    source: Source
    message: str
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    metrics: Metrics | None = None

    @property
    def seconds(self) -> float | None:
        """Model time plus tool time; None if one of them is unknown."""
        model = self.metrics.seconds if self.metrics else 0.0
        tools = self.tool_seconds
        return None if model is None or tools is None else model + tools

    @property
    def tool_seconds(self) -> float | None:
        """The time of all tool calls; None if that of one is unknown."""
        known = [result.seconds for result in self.results if result.seconds is not None]
        return sum(known) if len(known) == len(self.results) else None

    def result(self, call: ToolCall) -> ToolResult | None:
        """The result of one of this step's calls; None if the run ended before the result."""
        return next((result for result in self.results if result.call_id == call.id), None)

    def to_atif(self) -> dict[str, Any]:
        """The ATIF step object."""
        entry: dict[str, Any] = {
            "step_id": self.step_id,
            "timestamp": self.timestamp,
            "source": self.source,
            "message": self.message,
        }
        if self.reasoning:
            entry["reasoning_content"] = self.reasoning
        if self.calls:
            entry["tool_calls"] = [
                {
                    "tool_call_id": call.id,
                    "function_name": call.name,
                    "arguments": dict(call.arguments),
                }
                for call in self.calls
            ]
        if self.results:
            entry["observation"] = {
                "results": [
                    {"source_call_id": result.call_id, "content": result.content} for result in self.results
                ]
            }
        extra: dict[str, Any] = {}
        if self.results:
            extra["results"] = [_measured(result) for result in self.results]
        if self.metrics:
            names = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")
            measured = {name: getattr(self.metrics, name) for name in names}
            entry["metrics"] = {name: value for name, value in measured.items() if value is not None}
            extra["model"] = {
                **_seconds(self.metrics.seconds),
                "finish_reason": self.metrics.finish_reason,
                "retries": list(self.metrics.retries),
            }
            if self.metrics.written_tokens:
                extra["model"]["written_tokens"] = self.metrics.written_tokens
            if self.metrics.reasoning_tokens is not None:
                extra["model"]["reasoning_tokens"] = self.metrics.reasoning_tokens
            if self.metrics.waited:
                extra["model"]["waited"] = round(self.metrics.waited, 6)
            if self.metrics.repairs:
                extra["model"]["repairs"] = list(self.metrics.repairs)
        if extra:
            entry["extra"] = extra
        return entry

    @classmethod
    def from_atif(cls, entry: Mapping[str, Any]) -> Self:
        """The step from an ATIF object of `to_atif` or of another tool."""
        extra = entry.get("extra") or {}
        observed = (entry.get("observation") or {}).get("results") or []
        measured = [*(extra.get("results") or []), *({} for _ in observed)]
        metrics = entry.get("metrics")
        model = extra.get("model") or {}
        return cls(
            step_id=int(entry["step_id"]),
            timestamp=entry.get("timestamp") or "",
            source=entry["source"],
            message=_text(entry.get("message")),
            reasoning=_text(entry.get("reasoning_content")),
            calls=tuple(
                ToolCall(call["tool_call_id"], call["function_name"], call.get("arguments") or {})
                for call in entry.get("tool_calls") or []
            ),
            results=tuple(
                ToolResult(
                    result.get("source_call_id") or "",
                    _text(result.get("content")),
                    None if (ok := more.get("ok")) is None else bool(ok),
                    None if (seconds := more.get("seconds")) is None else float(seconds),
                    tuple(map(str, more.get("artifacts") or ())),
                    str(more.get("started_at") or ""),
                )
                for result, more in zip(observed, measured, strict=False)
            ),
            metrics=None
            if metrics is None
            else Metrics(
                prompt_tokens=metrics.get("prompt_tokens"),
                completion_tokens=metrics.get("completion_tokens"),
                cached_tokens=metrics.get("cached_tokens"),
                written_tokens=model.get("written_tokens") or 0,
                reasoning_tokens=model.get("reasoning_tokens"),
                cost_usd=metrics.get("cost_usd"),
                seconds=None if (seconds := model.get("seconds")) is None else float(seconds),
                waited=float(model.get("waited", 0.0)),
                finish_reason=model.get("finish_reason", ""),
                retries=tuple(model.get("retries", ())),
                repairs=tuple(model.get("repairs", ())),
            ),
        )


@dataclass(frozen=True, slots=True)
class FileEdit:
    """One file that a step changed. `diff`: unified diff, possibly cut; `syntax_ok` None: not checked.

    Of a file that could not be compared, the diff is a note, and its lines are not counted.
    """

    path: Annotated[str, bounds.Bounds(max_length=4096)]
    change: Literal["added", "modified", "deleted"]
    added: bounds.Count
    removed: bounds.Count
    binary: bool = False
    syntax_ok: bool | None = None
    diff: bounds.Text = ""

    @property
    def is_compared(self) -> bool:
        """Whether it is known which lines changed."""
        return f"\n{NOT_COMPARED}" not in self.diff


@dataclass(frozen=True, slots=True)
class StepEdits:
    """The changes of one step, from a comparison of the workspace before and after it (shell commands included)."""

    step_id: bounds.Number
    files: tuple[FileEdit, ...]


@dataclass(frozen=True, slots=True)
class UserTurn:
    """One answer of the simulated user of a workflow. `cost_usd` None: the price is unknown.

    `step_id`: the step with its message; 0 if the dialogue ended, for this `reason`. `asks`: requests to its model, 0
    for a scripted user; `checks`: requests whether a message asks for something new. `rejected`: the words for which a
    message was asked for anew. `unchecked`: why the message was not checked; ''. Tokens, cost and seconds are the
    user's and in no metrics of a step.
    """

    step_id: bounds.Count
    model: bounds.Short
    prompt_tokens: bounds.Tokens
    completion_tokens: bounds.Tokens
    cost_usd: bounds.Dollars | None
    seconds: bounds.Seconds
    asks: bounds.Requests
    reason: bounds.Message = ""
    checks: bounds.Requests = 0
    rejected: Annotated[tuple[bounds.Message, ...], bounds.Bounds(max_length=100)] = ()
    unchecked: bounds.Message = ""


@dataclass(frozen=True, slots=True)
class Submission:
    """Code that an agent submitted during its run, and what the hidden tests said of it.

    `number` counts from 1; `step_id`: the step with the call of `tool`. `path`, `function` and `occurrence`: what was
    submitted; '' and 0 for a whole patch. `passed` and `failed`: how many of the expected tests passed, and how many
    did not; `resolved`: whether all did, by the rules of the grade but without traps. All three are None for a patch
    that ends the run: its test is the grade. `first_failure`: what the first failing test wrote, as the agent saw it.
    `seconds`: how long the test took, which is no time of the agent.
    """

    number: bounds.Number
    step_id: bounds.Number
    tool: bounds.Short
    passed: bounds.Count | None = field(default=None, metadata=bounds.REQUIRED)
    failed: bounds.Count | None = field(default=None, metadata=bounds.REQUIRED)
    first_failure: bounds.Sentence = field(default="", metadata=bounds.REQUIRED)
    resolved: bool | None = field(default=None, metadata=bounds.REQUIRED)
    seconds: bounds.Seconds = field(default=0.0, metadata=bounds.REQUIRED)
    path: bounds.FilePath = ""
    function: bounds.FilePath = ""
    occurrence: bounds.Count = 0


def now() -> str:
    """The current time, ISO 8601, UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _measured(result: ToolResult) -> dict[str, Any]:
    """The values of a result for which ATIF has no field."""
    found: dict[str, Any] = {} if result.ok is None else {"ok": result.ok}
    found |= _seconds(result.seconds)
    if result.artifacts:
        found["artifacts"] = list(result.artifacts)
    if result.started_at:
        found["started_at"] = result.started_at
    return found


def _seconds(value: float | None) -> dict[str, float]:
    return {} if value is None else {"seconds": round(value, 6)}


def _text(value: Any) -> str:
    """The text of a string or of a list of content parts, which ATIF also allows."""
    if isinstance(value, list):
        return "\n".join(part.get("text", "") for part in value if isinstance(part, dict))
    return value or ""
