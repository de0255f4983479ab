"""Gives the fields of imported steps and edits the right types, whatever another tool wrote into them.

A value of a wrong type becomes a text, or empty. Fields that decide whether a line is a step at all (its number, the
names of its calls) stay unchanged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from harness.records import FileEdit, Metrics, Step, StepEdits, ToolResult

MAX_NUMBER = 2**53


def sanitize_step(step: Step) -> Step:
    """The step with valid fields. A step from our own harness stays equal."""
    return replace(
        step,
        timestamp=_text(step.timestamp),
        source=_text(step.source),  # type: ignore[arg-type] # any word is shown as it is
        message=_text(step.message),
        reasoning=_text(step.reasoning),
        results=tuple(map(_result, step.results)),
        metrics=step.metrics and _metrics(step.metrics),
    )


def sanitize_edits(edits: StepEdits) -> StepEdits:
    """The edits with valid fields, without those that name no file."""
    return replace(edits, files=tuple(_file(file) for file in edits.files if _is_text(file.path)))


def _result(result: ToolResult) -> ToolResult:
    return replace(
        result,
        content=_text(result.content),
        seconds=_known(result.seconds),
        started_at=_text(result.started_at),
    )


def _metrics(metrics: Metrics) -> Metrics:
    cost, reasoning = metrics.cost_usd, metrics.reasoning_tokens
    return replace(
        metrics,
        prompt_tokens=_known_count(metrics.prompt_tokens),
        completion_tokens=_known_count(metrics.completion_tokens),
        cached_tokens=_known_count(metrics.cached_tokens),
        written_tokens=_count(metrics.written_tokens),
        reasoning_tokens=_count(reasoning) if _is_amount(reasoning) else None,
        cost_usd=float(cost) if cost is not None and _is_amount(cost) else None,
        seconds=_known(metrics.seconds),
        waited=_amount(metrics.waited),
        finish_reason=_text(metrics.finish_reason),
        retries=tuple(map(_text, metrics.retries)),
        repairs=tuple(map(_text, metrics.repairs)),
    )


def _file(file: FileEdit) -> FileEdit:
    changes: dict[object, Literal["added", "modified", "deleted"]] = {"added": "added", "deleted": "deleted"}
    return FileEdit(
        path=file.path,
        change=changes.get(file.change, "modified") if _is_text(file.change) else "modified",
        added=_count(file.added),
        removed=_count(file.removed),
        binary=bool(file.binary),
        syntax_ok=file.syntax_ok if isinstance(file.syntax_ok, bool) else None,
        diff=file.diff if _is_text(file.diff) else "",
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _is_amount(value: object) -> bool:
    # NaN is in no range, and a whole number may be too large for a float.
    return isinstance(value, int | float) and 0 <= value <= MAX_NUMBER


def _amount(value: Any) -> float:
    return float(value) if _is_amount(value) else 0.0


def _known(value: Any) -> float | None:
    return None if value is None else _amount(value)


def _known_count(value: Any) -> int | None:
    return None if value is None else _count(value)


def _count(value: Any) -> int:
    return int(value) if _is_amount(value) else 0
