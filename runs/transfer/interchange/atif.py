"""A trajectory as one ATIF document, written while it is read. It is valid whatever the record holds.

Our records have a header and one ATIF step object on each line. The document is one object with `steps` and
`final_metrics`. In both, data without a field in ATIF are under `extra`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import asdict
from typing import Any

from harness.records import ATIF_VERSION, Step
from runs.models import Run
from runs.transfer.interchange.json_stream import listed, members, quoted
from runs.transfer.interchange.recorded_steps import RecordedSteps, StepWithEdits
from runs.transfer.interchange.run_metadata import about, model_of, notes, patch_file, totals_of, user_of

_SOURCES = ("system", "user", "agent")
_OF_AGENTS = ("reasoning_content", "tool_calls", "metrics")


def has_steps(run: Run) -> bool:
    """Whether there is a step to export: ATIF has no document without one."""
    return next(iter(RecordedSteps(run.path)), None) is not None


def document(run: Run) -> Generator[bytes]:
    """The document in UTF-8, with several steps in each chunk; valid if the run `has_steps`."""
    recorded = RecordedSteps(run.path)
    header = recorded.header()
    head = {"schema_version": ATIF_VERSION, "session_id": run.key, "agent": _agent(run, header)}
    yield b"{" + members(head) + b',"extra":{' + members(about(run, header))
    if (patch := patch_file(run)) is not None:
        with patch:
            yield b',"patch":'
            yield from quoted(patch)
    yield b'},"steps":'
    steps = _Steps(recorded)
    yield from listed(steps)
    tail: dict[str, Any] = {"final_metrics": _totals(run, steps.count)}
    if found := notes(run, recorded.left_out):
        tail["notes"] = found
    yield b"," + members(tail) + b"}\n"


class _Steps:
    """The step objects, counted while they are read."""

    def __init__(self, recorded: RecordedSteps) -> None:
        self._recorded = recorded
        self.count = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for one in self._recorded:
            self.count += 1
            yield step_object(one)


def step_object(recorded: StepWithEdits) -> dict[str, Any]:
    """The valid ATIF object of a step, with its edits under `extra`.

    A step of another source is one of the system, and fields that only agents have are under `extra`. A result of a
    call that the step does not have names it there.
    """
    step = recorded.step
    entry = step.to_atif()
    extra = entry.setdefault("extra", {})
    extra["edits"] = [asdict(edit) for edit in recorded.edits]
    if not step.timestamp:
        del entry["timestamp"]
    if step.source not in _SOURCES:
        entry["source"], extra["source"] = "system", step.source
    if entry["source"] == "agent":
        _complete(entry, step)
    else:
        extra |= {name: entry.pop(name) for name in _OF_AGENTS if name in entry}
    calls = {call["tool_call_id"] for call in entry.get("tool_calls", ())}
    for result in entry.get("observation", {}).get("results", ()):
        if result["source_call_id"] not in calls:
            result["extra"] = {"call_id": result.pop("source_call_id")}
    return entry


def _complete(entry: dict[str, Any], step: Step) -> None:
    """Says what other readers look for in other places than `extra`."""
    metrics = step.metrics
    if metrics is None:
        if not step.reasoning:
            entry["llm_call_count"] = 0
        return
    more = {
        "reasoning_tokens": metrics.reasoning_tokens,
        "cache_creation_input_tokens": metrics.written_tokens or None,
    }
    if known := {name: value for name, value in more.items() if value is not None}:
        entry["metrics"]["extra"] = known


def _agent(run: Run, header: dict[str, Any]) -> dict[str, Any]:
    found = header.get("agent")
    recorded = found if isinstance(found, dict) else {}
    texts = {name: recorded.get(name) for name in ("name", "version", "model_name")}
    agent: dict[str, Any] = {"name": run.agent.slug, "version": "1"}
    if (model := model_of(run.agent)) is not None:
        agent["model_name"] = model
    agent |= {name: text for name, text in texts.items() if isinstance(text, str) and text}
    if isinstance(extra := recorded.get("extra"), dict):
        agent["extra"] = extra
    return agent


def _totals(run: Run, steps: int) -> dict[str, Any]:
    """Tokens and cost of all steps together. Unknown values are left out."""
    found = totals_of(run)
    reasoning = found.pop("reasoning_tokens")
    totals: dict[str, Any] = {f"total_{name}": value for name, value in found.items() if value is not None}
    extra: dict[str, Any] = {} if reasoning is None else {"reasoning_tokens": reasoning}
    if user := user_of(run):
        extra["user"] = user
    return {**totals, "total_steps": steps, **({"extra": extra} if extra else {})}
