"""One step in other forms than the page's: as the record holds it, and as Markdown."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from harness.records import Step, StepEdits
from runs.models import Run
from runs.queries.filters import visible_runs
from runs.replay import record
from runs.views.replay_pages.step_markdown import step_markdown


def recorded_step(request: HttpRequest, pk: int, number: int) -> tuple[Run, Step, StepEdits | None]:
    """A run that this reader may see, one step of it, and what that changed. Http404 where there is none."""
    found = get_object_or_404(visible_runs(request.user), pk=pk)
    read = record.read_step(found.path, number)
    if read is None:
        raise Http404(f"run {pk} has no step {number}")
    return found, *read


@require_safe
def step_json(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The step as an ATIF step object, and what it changed in the workspace."""
    _, step, edited = recorded_step(request, pk, number)
    found = {"step": step.to_atif(), "edits": asdict(edited) if edited else None}
    try:
        written = json.dumps(_finite(found), indent=2, allow_nan=False)
    except RecursionError:
        raise Http404(f"step {number} is nested too deeply to be written again") from None
    return HttpResponse(
        written, content_type="application/json", headers={"X-Content-Type-Options": "nosniff"}
    )


def _finite(value: Any) -> Any:
    """Without the numbers that JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(inner) for name, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value


@require_safe
def step_as_markdown(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The step as Markdown, with its address."""
    found, step, edited = recorded_step(request, pk, number)
    address = request.build_absolute_uri(f"{reverse('run', args=[pk])}?step={number}")
    title = f"{found.agent.name} on {found.task.title}, attempt {found.attempt}"
    return HttpResponse(
        step_markdown(step, edited, title, address),
        content_type="text/markdown; charset=utf-8",
        headers={"X-Content-Type-Options": "nosniff", "Content-Disposition": "inline"},
    )
