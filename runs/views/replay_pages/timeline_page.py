"""The page of a run's tokens and cost over its steps."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs.analysis.cost.spending import ModelCall
from runs.data.queries.filters import replay_or_404
from runs.data.replay.open_index import outline
from runs.data.replay.record import effective_settings
from runs.models import Run
from runs.presentation.formatting.text import one_line
from runs.views.replay_pages.replay_etag import cache_response, cached_response, etag
from runs.views.replay_pages.token_timeline import timeline

MAX_WINDOW = 10**9


@require_safe
def run_timeline(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole page, or with the X-Partial header the chart and its table."""
    found = replay_or_404(request.user, pk)
    tag = etag(request, found)
    if unchanged := cached_response(request, tag):
        return unchanged
    with outline(found.path) as steps:
        drawn = timeline([ModelCall(*call) for call in steps.model_calls()], *_window(found))
    part = request.headers.get("X-Partial") == "timeline" and drawn is not None
    template = "runs/_timeline.html" if part else "runs/timeline.html"
    return cache_response(
        request, render(request, template, {"run": found, "timeline": drawn, "section": "runs"}), tag
    )


def _window(found: Run) -> tuple[int | None, str]:
    """The model's input window in tokens, None if unknown, and where the number comes from."""
    settings = effective_settings(found.path)
    recorded = settings.get("input_window")
    if isinstance(recorded, int) and 0 < recorded < MAX_WINDOW:
        return recorded, one_line(str(settings.get("input_window_is", "")), 60)
    stated = found.agent.model.context_window if found.agent.model else None
    return stated, "responses included" if stated else ""
