"""Steps as events of Inspect's logs: calls of models and tools, each with its times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from harness.records import Step, ToolResult
from runs.transfer.interchange.sample_messages import error_of, function_of, output_of, result_id
from runs.transfer.run_rows import moment

_MAX_LENGTH = timedelta(days=365)


@dataclass(slots=True)
class SampleEvents:
    """The events of a sample, in order. `started_at`: when it began.

    A step is recorded when its last call has ended. Its model was called before the first of its calls, and the calls
    were made one after the other, unless the record says when they began.
    """

    model: str
    started_at: datetime
    _messages: int = 0
    _now: datetime | None = None

    def of(self, steps: Iterable[Step]) -> Iterator[dict[str, Any]]:
        """The events of these steps. Steps without a model have those of their calls only."""
        for step in steps:
            ended_at = _time(step.timestamp) or self._now or self.started_at
            began_at = _first(step) or _before(ended_at, step.tool_seconds)
            if step.source == "agent" and step.metrics is not None:
                yield self._of_model(step, began_at)
            for number, result in enumerate(step.results, 1):
                began_at = _time(result.started_at) or began_at
                yield self._of_tool(step, number, began_at)
                began_at = _after(began_at, result.seconds)
            self._messages += 1 + len(step.results)
            self._now = max(ended_at, began_at)

    def at(self, when: datetime) -> dict[str, Any]:
        """The times that every event has."""
        return {
            "timestamp": moment(when),
            "working_start": round(max(0.0, (when - self.started_at).total_seconds()), 3),
        }

    @property
    def now(self) -> datetime:
        """When the last event ended."""
        return self._now or self.started_at

    def _of_model(self, step: Step, completed: datetime) -> dict[str, Any]:
        metrics = step.metrics
        assert metrics is not None
        return {
            "event": "model",
            "uuid": f"model-{step.step_id}",
            **self.at(_before(completed, metrics.seconds)),
            "model": self.model,
            "input": [],
            "input_refs": [[0, self._messages]] if self._messages else [],
            "tools": [],
            "tool_choice": "auto",
            "config": {},
            "output": output_of(step, self.model),
            **({"retries": len(metrics.retries)} if metrics.retries else {}),
            "completed": moment(completed),
            **({} if metrics.seconds is None else {"working_time": metrics.seconds}),
        }

    def _of_tool(self, step: Step, number: int, began_at: datetime) -> dict[str, Any]:
        result = step.results[number - 1]
        error = error_of(result)
        return {
            "event": "tool",
            "uuid": f"tool-{step.step_id}-{number}",
            **self.at(began_at),
            "type": "function",
            "id": result.call_id,
            "function": function_of(step, result) or "unknown",
            "arguments": _arguments(step, result),
            "result": result.content,
            **({"error": error} if error else {}),
            "events": [],
            "completed": moment(_after(began_at, result.seconds)),
            **({} if result.seconds is None else {"working_time": result.seconds}),
            "message_id": result_id(step, number),
        }


def _arguments(step: Step, result: ToolResult) -> dict[str, Any]:
    return next((dict(call.arguments) for call in step.calls if call.id == result.call_id), {})


def _first(step: Step) -> datetime | None:
    return _time(step.results[0].started_at) if step.results else None


def _time(text: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.fromisoformat(text).astimezone(UTC) if text else None
    return None


def _before(when: datetime, seconds: float | None) -> datetime:
    return when - _span(seconds)


def _after(when: datetime, seconds: float | None) -> datetime:
    return when + _span(seconds)


def _span(seconds: float | None) -> timedelta:
    return min(timedelta(seconds=min(seconds or 0.0, 1e8)), _MAX_LENGTH)
