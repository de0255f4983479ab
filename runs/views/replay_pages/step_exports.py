"""One step in other formats: as plain text, as JSON and as Markdown."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from harness.records import Step, StepEdits
from runs.data.queries.filters import replay_or_404
from runs.data.replay import record
from runs.models import Run
from runs.presentation.formatting.text import clean
from runs.views.replay_pages.run_files import NOSNIFF, inline_text
from runs.views.replay_pages.step_markdown import step_markdown
from runs.views.replay_pages.step_view import full_texts


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
