"""A run as one sample of an Inspect log, written while its record is read, three times."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from runs.data.replay.record import named_tests
from runs.data.run_facts.public_grading import public_detail, public_reason
from runs.models import Agent, Run
from runs.transfer.interchange.json_stream import listed, members, quoted
from runs.transfer.interchange.recorded_steps import RecordedSteps, StepWithEdits
from runs.transfer.interchange.run_metadata import about, model_of, notes, patch_file, totals_of, user_of
from runs.transfer.interchange.sample_events import SampleEvents
from runs.transfer.interchange.sample_messages import OURS, messages_of, output_of
from runs.transfer.run_rows import moment

NO_MODEL = "none/none"  # Inspect's name for it
UNKNOWN = "unknown"
SCORER = "resolved"
TARGET = "all hidden tests pass"
_MAX_INPUT_LENGTH = 20_000
_MAX_IN_SUMMARY_LENGTH = 1000
# Of the limits of an evaluation: which of them ended a run, and what Inspect calls it.
_LIMITS = {
    "iteration_limit": ("message", "iterations"),
    "token_limit": ("token", "tokens"),
    "cost_limit": ("cost", "cost_usd"),
    "time_limit": ("time", "wall_seconds"),
    "context_limit": ("context", ""),
    "output_limit": ("custom", ""),
    "tool_limit": ("custom", "tool_uses"),
    "submission_limit": ("custom", "submissions"),
    "file_limit": ("custom", ""),
    "cancelled": ("operator", ""),
}


class SampleDocument:
    """One sample. `chunks` writes it; afterwards `summary` is the row of the log's list of samples."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._steps = RecordedSteps(run.path)
        self.model = model_in_log(run.agent)
        self._messages = 0
        self._last: StepWithEdits | None = None
        self._written_tokens = 0

    @property
    def id(self) -> str:
        """The name of the task."""
        return sample_id(self._run)

    @property
    def file_name(self) -> str:
        """The name of its member of the log, as Inspect derives it from id and epoch."""
        return f"samples/{self.id}_epoch_{self._run.attempt}.json"

    def chunks(self) -> Generator[bytes]:
        """The sample as JSON."""
        run = self._run
        yield (
            b"{"
            + members({"id": self.id, "epoch": run.attempt, "input": self._input(), "target": TARGET})
            + b',"messages":'
        )
        yield from listed(self._read_messages())
        yield b"," + members(self._result()) + b',"metadata":{"' + OURS.encode() + b'":{'
        yield from self._own()
        yield b'}},"events":'
        yield from listed(self._events())
        yield b',"events_data":{"calls":[],"messages":'
        yield from listed(self._pool())
        yield b"}," + members(self._times()) + b"}\n"

    def summary(self) -> dict[str, Any]:
        """The sample in a few lines, without what may be long."""
        result = self._result()
        error = result.get("error")
        limit = result.get("limit")
        return {
            **{"id": self.id, "epoch": self._run.attempt, "input": self._input()[:_MAX_IN_SUMMARY_LENGTH]},
            **{"target": TARGET, "metadata": {}, "scores": result.get("scores", {})},
            **self._times(),
            **({"error": error["message"][:_MAX_IN_SUMMARY_LENGTH]} if error else {}),
            **({"limit": limit["type"]} if limit else {}),
            **{"completed": True, "message_count": self._messages},
        }

    def usage(self) -> dict[str, int | float]:
        """Tokens and dollars of the run; empty if they are unknown, or if no model was called."""
        found = totals_of(self._run)
        sent, received, cached = (
            found[name] for name in ("prompt_tokens", "completion_tokens", "cached_tokens")
        )
        if sent is None or received is None or self.model == NO_MODEL:
            return {}
        read = min(cached or 0, sent)
        new = min(self._written_tokens, sent - read)
        more = {
            "input_tokens_cache_read": None if cached is None else read,
            "input_tokens_cache_write": new or None,
            "reasoning_tokens": found["reasoning_tokens"],
            "total_cost": found["cost_usd"],
        }
        return {
            "input_tokens": sent - read - new,
            "output_tokens": received,
            "total_tokens": sent + received,
            **{name: value for name, value in more.items() if value is not None},
        }

    def _input(self) -> str:
        task = self._run.task
        return (task.description or task.title)[:_MAX_INPUT_LENGTH]

    def _read_messages(self) -> Iterator[dict[str, Any]]:
        for one in self._steps:
            if one.step.source == "agent":
                self._last = one
            if one.step.metrics is not None:
                self._written_tokens += one.step.metrics.written_tokens
            for message in messages_of(one, self.model):
                self._messages += 1
                yield message

    def _pool(self) -> Iterator[dict[str, Any]]:
        """The messages again: events name what a model was sent by their place in this list."""
        for one in self._steps:
            for message in messages_of(one, self.model):
                message.pop("metadata", None)
                yield message

    def _events(self) -> Iterator[dict[str, Any]]:
        run = self._run
        events = SampleEvents(self.model, run.started_at or run.queued_at)
        sample = {"id": self.id, "input": self._input(), "target": TARGET}
        yield {
            **{"event": "sample_init", "uuid": "init"},
            **events.at(events.started_at),
            **{"sample": sample, "state": {}},
        }
        yield from events.of(one.step for one in self._steps)
        for score in self._scores().values():
            yield {
                **{"event": "score", "uuid": "score"},
                **events.at(run.finished_at or events.now),
                **{"score": score, "target": TARGET, "intermediate": False},
            }

    def _result(self) -> dict[str, Any]:
        run = self._run
        found: dict[str, Any] = {"scores": self._scores(), "store": {}, "attachments": {}}
        if self._last is not None:
            found["output"] = output_of(self._last.step, self.model)
        if run.outcome == run.Outcome.INFRASTRUCTURE_FAILED:
            message = ": ".join(filter(None, (run.failure, public_detail(run.detail)))) or "infrastructure"
            found["error"] = {"message": message, "traceback": message, "traceback_ansi": message}
        elif run.ending in _LIMITS:
            kind, name = _LIMITS[run.ending]
            value = run.evaluation.limits.get(name)
            found["limit"] = {"type": kind, "limit": value if isinstance(value, int | float) else 0}
        return found

    def _scores(self) -> dict[str, Any]:
        run = self._run
        if run.outcome not in run.Outcome.values or run.outcome == run.Outcome.INFRASTRUCTURE_FAILED:
            return {}
        tests = {}
        if run.test_rate is not None:
            tests = {"tests_passed": run.tests_passed, "tests_total": run.tests_total}
        passed = f"{run.tests_passed} of {run.tests_total} hidden tests passed" if tests else ""
        return {
            SCORER: {
                "value": "C" if run.outcome == run.Outcome.RESOLVED else "I",
                **({"answer": passed} if passed else {}),
                "explanation": public_reason(run.grading_reason) or passed,
                "metadata": tests,
            }
        }

    def _times(self) -> dict[str, Any]:
        run = self._run
        usage = self.usage()
        working = run.act_seconds if run.has_duration else None
        parts = (run.prepare_seconds, working, run.grade_seconds)
        values = {
            "model_usage": {self.model: usage} if usage else {},
            "started_at": moment(run.started_at),
            "completed_at": moment(run.finished_at),
            "total_time": None if working is None else sum(part or 0.0 for part in parts),
            "working_time": working,
            "uuid": run.key,
        }
        return {name: value for name, value in values.items() if value is not None}

    def _own(self) -> Generator[bytes]:
        """The members of what only we write: what the run's row says, the tests by name, the patch."""
        run = self._run
        values = about(run, self._steps.header())
        if user := user_of(run):
            values["user"] = user
        if tests := named_tests([run])[run.pk]:
            values["tests"] = {test.id: test.status for test in tests}
        if found := notes(run, self._steps.left_out):
            values["notes"] = found
        yield members(values)
        if (patch := patch_file(run)) is not None:
            with patch:
                yield b',"patch":'
                yield from quoted(patch)


def sample_id(run: Run) -> str:
    """The task of a run, as its addresses name it."""
    return f"{run.task.repository.slug}/{run.task.slug}"


def model_in_log(agent: Agent) -> str:
    """The model of an agent. Inspect has a name for agents without one, and none for a model that is unknown."""
    return model_of(agent) or (NO_MODEL if agent.model is None else UNKNOWN)
