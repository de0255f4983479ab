"""What stands around the steps of a run: signs of trouble, and what it asked of its model."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from runs.analysis.cost.spending import ModelCall
from runs.formatting.text import one_line
from runs.models import Run
from runs.queries.filters import visible_runs
from runs.replay.open_index import outline
from runs.replay.outline import Outline
from runs.replay.record import effective_settings
from runs.views.replay_pages.replay_etag import etag, known, shared
from runs.views.replay_pages.token_timeline import timeline
from runs.views.replay_pages.trouble_signs import SignsView

LARGEST_WINDOW = 10**9


def around(steps: Outline, signs: SignsView | None) -> dict[str, object]:
    """For the template of the replay."""
    iteration = signs.right_file if signs else None
    return {
        "signs": signs,
        "right_step": steps.agents_step(iteration) if iteration else None,
        "model_calls": steps.count_model_calls(),
    }


@require_safe
def run_timeline(request: HttpRequest, pk: int) -> HttpResponse:
    """Tokens and cost over the steps: a page, or with the X-Partial header the drawing and its table alone."""
    found = get_object_or_404(visible_runs(request.user), pk=pk)
    tag = etag(request, found)
    if unchanged := known(request, tag):
        return unchanged
    with outline(found.path) as steps:
        drawn = timeline([ModelCall(*call) for call in steps.model_calls()], *_window(found))
    part = request.headers.get("X-Partial") == "timeline" and drawn is not None
    template = "runs/_timeline.html" if part else "runs/timeline.html"
    return shared(
        request, render(request, template, {"run": found, "timeline": drawn, "section": "runs"}), tag
    )


def _window(found: Run) -> tuple[int | None, str]:
    """How many tokens of input the model takes, and whose word that is; None: nobody said."""
    settings = effective_settings(found.path)
    recorded = settings.get("input_window")
    if isinstance(recorded, int) and 0 < recorded < LARGEST_WINDOW:
        return recorded, one_line(str(settings.get("input_window_is", "")), 60)
    stated = found.agent.model.context_window if found.agent.model else None
    return stated, "answers included" if stated else ""
