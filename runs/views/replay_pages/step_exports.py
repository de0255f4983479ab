"""One step in other formats: as plain text, as JSON and as Markdown."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from harness.records import Step, StepEdits, ToolCall
from runs.data.queries.filters import replay_or_404
from runs.data.replay import record
from runs.models import Run
from runs.presentation.formatting.text import Text, clean, cut, one_line
from runs.views.replay_pages.run_files import NOSNIFF, inline_text
from runs.views.replay_pages.step_view import flat, full_texts

_FENCES = re.compile(r"`+")
_SOURCES = {"agent": "Says", "user": "The task", "system": "Instructions"}


def recorded_step(request: HttpRequest, pk: int, number: int) -> tuple[Run, Step, StepEdits | None]:
    """A run that this user may see, one of its steps, and the edits of that step. Raises Http404 if there is none."""
    found = replay_or_404(request.user, pk)
    read = record.read_step(found.path, number)
    if read is None:
        raise Http404(f"run {pk} has no step {number}")
    return found, *read


@require_safe
def step_raw(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The whole step as plain text, or with `?part=` one part of it."""
    _, step, edited = recorded_step(request, pk, number)
    texts = list(full_texts(step, edited))
    part = request.GET.get("part")
    if not part:
        return inline_text("\n\n".join(f"=== {clean(label)} ===\n{text}" for _, label, text in texts))
    for key, _label, text in texts:
        if key == part:
            return inline_text(text)
    raise Http404(f"step {number} has no such part")


@require_safe
def step_json(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The step as an ATIF step object, and its edits of the workspace."""
    _, step, edited = recorded_step(request, pk, number)
    found = {"step": step.to_atif(), "edits": asdict(edited) if edited else None}
    try:
        written = json.dumps(_finite(found), indent=2, allow_nan=False)
    except RecursionError:
        raise Http404(f"step {number} is nested too deeply to be written again") from None
    return HttpResponse(written, content_type="application/json", headers=NOSNIFF)


def _finite(value: Any) -> Any:
    """The value with null for numbers that JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(inner) for name, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value


@require_safe
def step_as_markdown(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The step as Markdown, with its URL."""
    found, step, edited = recorded_step(request, pk, number)
    address = request.build_absolute_uri(f"{reverse('run', args=[pk])}?step={number}")
    title = f"{found.agent.name} on {found.task.title}, attempt {found.attempt}"
    return inline_text(step_markdown(step, edited, title, address), "markdown")


def step_markdown(step: Step, edited: StepEdits | None, title: str, address: str) -> str:
    """The step with a title and its URL. Long texts are cut, with a note."""
    return "\n\n".join(_blocks(step, edited, title, address)) + "\n"


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any inside of its text."""
    longest = max((len(run) for run in _FENCES.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.removesuffix(chr(10))}\n{fence}"


def inline(text: str) -> str:
    """A one-line text as inline code, whatever backticks it has."""
    runs = {len(run) for run in _FENCES.findall(text)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{fence}{pad}{text or ' '}{pad}{fence}"


def _blocks(step: Step, edited: StepEdits | None, title: str, address: str) -> Iterator[str]:
    yield f"### Step {step.step_id}: {inline(one_line(title, 200))}\n\n<{address}>"
    if step.reasoning:
        yield from _text("Thinks", step.reasoning)
    if step.message:
        later = step.source == "user" and step.step_id > 2  # after the system prompt and the task
        yield from _text("The user" if later else _SOURCES.get(step.source, "Says"), step.message)
    for call in step.calls:
        yield from _call(step, call)
    for file in edited.files if edited else ():
        counts = f"+{file.added} −{file.removed}" if file.is_compared else "lines unknown"
        yield from _text(f"Changes {inline(one_line(file.path, 200))} ({counts})", file.diff, "diff")


def _call(step: Step, call: ToolCall) -> Iterator[str]:
    yield f"**Calls** {inline(one_line(call.name, 80))}"
    for name, value in flat(call.arguments):
        label = inline(one_line(name, 80))
        if "\n" in value or len(value) > 100:
            yield from _text(label, value)
        else:
            yield f"{label}: {inline(one_line(value))}"
    result = step.result(call)
    if result is None:
        yield "**Result**: none, the run ended before it came."
    else:
        yield from _text("Result (failed)" if result.ok is False else "Result", result.content)


def _text(label: str, written: str, language: str = "") -> Iterator[str]:
    text: Text = cut(written)
    heading = label if label.startswith("`") else f"**{label}**"
    yield heading
    yield fenced(text.shown, language) if text.shown else "(empty)"
    if text.is_cut:
        yield f"({text.length:,} characters, cut here)"
