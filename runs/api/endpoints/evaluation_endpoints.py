"""Evaluations and their progress."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Query, Router

from runs.api.api_parameters import PageQuery, Paging, Slug
from runs.api.schemas import catalogue_schemas as schemas
from runs.api.schemas.common_schemas import figure
from runs.data.cells.run_sums import RunSums, run_sums
from runs.data.queries.visibility import ANONYMOUS, visible, visible_agents, visible_evaluations
from runs.models import Evaluation, Run
from runs.work.progress import run_counts
from runs.work.progress.agent_progress import AgentSoFar, agents_so_far
from runs.work.progress.lost_runs import lost_cause

router = Router(tags=["Evaluations"])


@router.get("evaluations", response=schemas.EvaluationPage, summary="Evaluations")
def list_evaluations(request: HttpRequest, response: HttpResponse, query: Query[Paging]) -> dict[str, Any]:
    """Evaluations with a run at an open dataset, the newest first."""
    paging = PageQuery.of(request, response, query)
    return paging.rows(visible_evaluations(ANONYMOUS), partial(_evaluation, request), newest_first=True)


@router.get(
    "evaluations/{slug:evaluation}",
    response=schemas.EvaluationWithProgress,
    summary="An evaluation and its progress",
)
def evaluation(request: HttpRequest, evaluation: Slug) -> dict[str, Any]:
    """One evaluation and its progress, also by agent."""
    found = get_object_or_404(visible_evaluations(ANONYMOUS), slug=evaluation)
    return {
        **_evaluation(request, found),
        "lost_reason": lost.reason if (lost := lost_cause(found, ANONYMOUS)) else None,
        "progress": _progress(request, run_sums(visible(found.runs.all(), ANONYMOUS))),
    }


def _evaluation(request: HttpRequest, found: Evaluation) -> dict[str, Any]:
    names = ("id", "slug", "title", "state", "attempts", "listed", "created_at", "finished_at", "limits")
    return {
        **{name: getattr(found, name) for name in names},
        "origin": found.origin or None,
        "imported_at": found.imported_at,
        "graded_here": found.graded_here or not found.origin,
        "url": request.build_absolute_uri(found.get_absolute_url()),
    }


def _progress(request: HttpRequest, rows: list[RunSums]) -> dict[str, Any]:
    states = run_counts.states(rows)
    outcomes: Counter[str] = Counter()
    for row in rows:
        outcomes[row.outcome] += row.n
    agents = list(visible_agents(ANONYMOUS).filter(pk__in={row.agent for row in rows}))
    return {
        "total": sum(states.values()),
        "done": states[Run.State.FINISHED] + states[Run.State.CANCELLED],
        "states": {state: states[state] for state in Run.State.values if states[state]},
        "outcomes": {outcome: outcomes[outcome] for outcome in Run.Outcome.values if outcomes[outcome]},
        "agents": [_agent(request, each) for each in agents_so_far(agents, rows, run_counts.cells(rows))],
    }


def _agent(request: HttpRequest, it: AgentSoFar) -> dict[str, Any]:
    return {
        "agent": it.agent.slug,
        "total": it.tally.total,
        "done": it.tally.total - it.tally.to_come,
        "attempts": it.tally.finished,
        "resolved": it.tally.resolved,
        "infrastructure_failed": it.tally.failed,
        "pass_at_1": figure(request, it.found.resolved, "pass-rate"),
    }
