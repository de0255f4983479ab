"""Pages that read no run: methods, published tables, health."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs import charts
from runs.analysis import outcomes, progress, standings
from runs.published.published import tables
from runs.views.prose import Block, blocks


@dataclass(frozen=True, slots=True)
class Method:
    """One number of the site and what is promised about it."""

    anchor: str
    title: str
    where: str
    text: tuple[Block, ...]


def _method(anchor: str, title: str, described: Callable[..., Any] | type) -> Method:
    where = f"{described.__module__}.{described.__qualname__}"
    return Method(anchor, title, where, blocks(inspect.getdoc(described) or ""))


METHODS = (
    _method("pass-at-k", "pass@1 and pass@k", outcomes.pass_at_k),
    _method("interval", "Intervals", outcomes.wilson),
    _method("told-apart", "When two agents are told apart", outcomes.sign_flip_p),
    _method("groups", "Groups", outcomes.tie_groups),
    _method("row", "A row of the leaderboard", standings.Standing),
    _method("cell", "What is summed up", standings.CellFacts),
    _method("end", "Estimated end of an evaluation", progress.seconds_left),
    _method("chart", "Time against pass rate", charts.time_against_pass_rate),
)


@require_safe
def methods(request: HttpRequest) -> HttpResponse:
    """What each number means, in the words that stand beside the code."""
    return render(request, "runs/methods.html", {"section": "methods", "methods": METHODS})


@require_safe
def published(request: HttpRequest) -> HttpResponse:
    """Tables that others printed."""
    return render(request, "runs/published.html", {"section": "published", "tables": tables()})


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Whether this process answers; asks nothing of the database, so that a supervisor never restarts it for that."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})
