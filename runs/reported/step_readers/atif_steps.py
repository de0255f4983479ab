"""The steps of ATIF documents, our own exports included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from harness.records import FileEdit, Metrics, Step, StepEdits, ToolCall, ToolResult
from runs.replay.sanitize import sanitize_edits, sanitize_step
from runs.reported.report_document import ReportDocument, pick
from runs.reported.reported_result import ResultsRefused
from runs.reported.step_readers.json_file import elements, text_at, text_of
from runs.reported.step_readers.step_builder import UNKNOWN, call_of, moment
from runs.reported.trajectory import ReadStep, Trajectory, file_digest

_SOURCES = ("system", "user", "agent")


def atif_trajectory(document: ReportDocument, *, patch: str = "") -> Trajectory:
    """The trajectory of a document."""
    content = document.content
    extra = content.get("extra")
    own_patch = pick(extra, "patch")
    if own_patch is not None and not document.whole:  # there, only its beginning
        own_patch = text_at(document.path, document.place, "extra", "patch")
    workdir = pick(extra, "workdir")
    version = pick(content, "agent", "version")
    return Trajectory(
        form="ATIF",
        part="",
        digest=file_digest(document.path),
        place=document.place,
        files={document.place: document.path},
        steps=partial(atif_steps, document.path, document.place),
        workdir=workdir if isinstance(workdir, str) else "",
        patch=own_patch if isinstance(own_patch, str) else patch,
        version=version if isinstance(version, str) else "",
    )


def atif_steps(path: Path, place: str) -> Iterator[ReadStep]:
    """The steps of a file, numbered again. Raises ResultsRefused."""
    number = 0
    for number, entry in enumerate(elements(path, place, "steps"), 1):
        where = f"{place}, step {number}"
        if not isinstance(entry, dict):
            raise ResultsRefused(where, "it is not an object")
        yield atif_step(entry, number, where)


def atif_step(entry: Mapping[str, Any], number: int, where: str) -> ReadStep:
    """The step of an ATIF object with this number; its edits if our own exports wrote it. Raises ResultsRefused."""
    return ReadStep(_step(entry, number, where), _edits(entry, number, where))


def _step(entry: Mapping[str, Any], number: int, where: str) -> Step:
    try:
        step = Step.from_atif({**entry, "step_id": number, "message": _content(entry.get("message"))})
        if step.source not in _SOURCES:
            raise ValueError(f"its source is {str(step.source)[:40]!r}")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ResultsRefused(
            where, f"it is no step of ATIF: {type(error).__name__}: {str(error)[:200]}"
        ) from error
    calls = tuple(call_of(call.id, call.name, call.arguments) for call in step.calls)
    return sanitize_step(
        replace(
            step,
            timestamp=moment(step.timestamp),
            calls=calls,
            results=tuple(_results(entry, step, calls)),
            metrics=_metrics(entry, step),
        )
    )


def _results(entry: Mapping[str, Any], step: Step, calls: tuple[ToolCall, ...]) -> Iterator[ToolResult]:
    """The results. One that names no call is of the last call without a result: a terminal shows all at once."""
    observed = pick(entry, "observation", "results") or []
    named = {result.call_id for result in step.results}
    open_calls = [call.id for call in calls if call.id not in named]
    for result, found in zip(step.results, observed, strict=False):
        other = text_of(
            pick(found, "extra", "call_id")
        )  # which our own exports name, though the step has no such call
        call_id = result.call_id or other or (open_calls.pop() if open_calls else "")
        content = _content(found.get("content"))
        helpers = found.get("subagent_trajectory_ref")
        if helpers:
            content = "\n".join(filter(None, (content, f"[sub-agents: {text_of(helpers)[:500]}]")))
        yield replace(result, call_id=call_id, content=content)


def _metrics(entry: Mapping[str, Any], step: Step) -> Metrics | None:
    """None for steps that call no model; unknown for responses without measurements."""
    if step.source != "agent" or entry.get("is_copied_context") or entry.get("llm_call_count") == 0:
        return None
    found = step.metrics
    if found is None:
        is_ours = (
            isinstance(pick(entry, "extra", "edits"), list) or pick(entry, "extra", "results") is not None
        )
        return None if is_ours else UNKNOWN
    more = pick(entry, "metrics", "extra")
    reasoning = pick(more, "reasoning_tokens") or pick(more, "reasoning_output_tokens")
    written = pick(more, "cache_creation_input_tokens")
    return replace(
        found,
        reasoning_tokens=found.reasoning_tokens if reasoning is None else reasoning,
        written_tokens=found.written_tokens or written or 0,
    )


def _content(value: Any) -> str:
    """The text of a message or result. Pictures and sounds are files beside it, which are named."""
    if not isinstance(value, list):
        return text_of(value)
    return "\n".join(filter(None, map(_part, value)))


def _part(part: Any) -> str:
    text = pick(part, "text")
    if isinstance(text, str):
        return text
    kind, path = pick(part, "type"), pick(part, "source", "path")
    return f"[{text_of(kind)[:20]}: {text_of(path)[:200]}]" if kind else text_of(part)


def _edits(entry: Mapping[str, Any], number: int, where: str) -> tuple[FileEdit, ...] | None:
    """The edits that our own exports have; None in those of others."""
    listed = pick(entry, "extra", "edits")
    if not isinstance(listed, list):
        return None
    try:
        edits = StepEdits(number, tuple(FileEdit(**each) for each in listed))
    except TypeError as error:
        raise ResultsRefused(where, f"its edits are invalid: {str(error)[:200]}") from error
    return sanitize_edits(edits).files
