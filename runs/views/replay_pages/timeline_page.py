"""The page of a run's tokens and cost over its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs.analysis.cost.spending import ModelCall, Spending, Stretch, spending
from runs.data.queries.filters import replay_or_404
from runs.data.replay.open_index import outline
from runs.data.replay.overview_strip import coord
from runs.data.replay.record import effective_settings
from runs.models import Run
from runs.presentation.formatting.numbers import count, dollars
from runs.presentation.formatting.text import one_line
from runs.views.replay_pages.replay_etag import cache_response, cached_response, etag

MAX_WINDOW = 10**9
WIDTH = 1000
# Top and height of each panel, in units of the drawing; step.css places their labels accordingly.
CONTEXT, RESPONSES, COST = (0, 96), (108, 48), (168, 64)
# A limit above this multiple of the largest prompt would flatten the curve: it is written, not drawn.
FAR = 4


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


class TimelineBar(NamedTuple):
    """One stretch of calls: the step that it links to, its title, and its position."""

    step: int
    title: str
    x: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """What the template draws: paths of prompt, cached and completion tokens, in bars of `width`.

    `cost_line` and `limit_y` are '' if not drawn. `grouped`: number of calls of the largest stretch.
    """

    spending: Spending
    bars: tuple[TimelineBar, ...]
    width: str
    prompts: str
    cached: str
    responses: str
    cost_line: str
    limit: int | None
    limit_y: str
    limit_is: str
    grouped: int

    @property
    def height(self) -> int:
        """That of the drawing: without a line of the cost, it has no panel for it."""
        top, height = COST if self.cost_line else RESPONSES
        return top + height


def timeline(calls: Sequence[ModelCall], limit: int | None, limit_is: str = "") -> Timeline | None:
    """The chart; None without a model call. `limit`: the model's input window in tokens; None if unknown."""
    found = spending(calls)
    if found.fullest is None or found.longest is None:
        return None
    drawn = limit is not None and 0 < limit <= FAR * max(1, found.fullest.prompt_tokens)
    top = max(found.fullest.prompt_tokens, limit if drawn and limit else 0, 1)
    longest = max(found.longest.completion_tokens, 1)
    width = WIDTH / len(found.stretches)
    fullest = [one.fullest for one in found.stretches]
    return Timeline(
        spending=found,
        bars=tuple(
            TimelineBar(one.fullest.step, _title(one), coord(place * width))
            for place, one in enumerate(found.stretches)
        ),
        width=coord(width),
        prompts=_columns(CONTEXT, [one.prompt_tokens / top for one in fullest]),
        cached=_columns(CONTEXT, [min(one.cached_tokens or 0, one.prompt_tokens) / top for one in fullest]),
        responses=_columns(RESPONSES, [one.longest.completion_tokens / longest for one in found.stretches]),
        cost_line=_cost_line(found),
        limit=limit,
        limit_y=coord(CONTEXT[0] + CONTEXT[1] * (1 - limit / top)) if drawn and limit else "",
        limit_is=limit_is,
        grouped=max(stretch.calls for stretch in found.stretches),
    )


def _title(stretch: Stretch) -> str:
    first, last, fullest, longest = stretch.first, stretch.last, stretch.fullest, stretch.longest
    if first == last:
        tokens = f"{count(fullest.prompt_tokens)} in, {count(fullest.cached_tokens)} of them cached, "
        return f"step {first}: {tokens}{count(fullest.completion_tokens)} out; {dollars(stretch.spent_usd)} so far"
    return (
        f"steps {first} to {last}: at most {count(fullest.prompt_tokens)} in (step {fullest.step}) and "
        f"{count(longest.completion_tokens)} out (step {longest.step}); {dollars(stretch.spent_usd)} so far"
    )


def _columns(panel: tuple[int, int], shares: Sequence[float]) -> str:
    """Columns of these heights, side by side at the bottom of a panel, as one path."""
    top, height = panel
    width = WIDTH / len(shares)
    inner = coord(width - min(1.0, width / 5))
    return "".join(
        f"M{coord(place * width)} {top + height}v-{coord(height * share)}h{inner}v{coord(height * share)}z"
        for place, share in enumerate(shares)
        if height * share >= 0.05
    )


def _cost_line(found: Spending) -> str:
    """The cumulative cost as the points of a polyline."""
    total = found.cost.value
    if not total:
        return ""
    top, height = COST
    width = WIDTH / len(found.stretches)
    corners = [(0.0, 0.0)]
    for place, stretch in enumerate(found.stretches):
        share = (stretch.spent_usd or 0.0) / total
        corners += [(place * width, share), ((place + 1) * width, share)]
    return " ".join(f"{coord(x)},{coord(top + height * (1 - share))}" for x, share in corners)
