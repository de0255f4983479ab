"""The page of a source of reported results: where they come from, what is unknown, and what contradicts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs.analysis.outcomes.printed_claims import METRICS, ClaimMetric, Verdict
from runs.data.cells.boards import all_boards
from runs.data.queries.visibility import visible
from runs.models import Claim, ResultReport, Run

_WORST_FIRST: Mapping[Verdict, int] = {"contradicts": 0, "differs": 1, "agrees": 2, "unknown": 3}


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A printed number beside the own one."""

    claim: Claim
    metric: ClaimMetric
    verdict: Verdict


@require_safe
def source(request: HttpRequest, dataset: str) -> HttpResponse:
    """A source with all versions that were imported, and the checks of the current one."""
    reports = visible(
        ResultReport.objects.filter(dataset__slug=dataset).select_related("dataset", "evaluation"),
        request.user,
    )
    versions = list(reports)
    if not versions:
        raise Http404(f"no results of the dataset {dataset} are reported")
    current = next((one for one in versions if one.evaluation.listed), versions[0])
    claims = _checked(list(current.claims.select_related("agent").order_by("pk")))
    rows = current.evaluation.runs
    traced = visible(Run.objects.filter(evaluation__report__dataset__slug=dataset), request.user).exclude(
        directory=""
    )
    context = {
        "section": "leaderboard",
        "dataset": current.dataset,
        "report": current,
        "versions": versions,
        "board": all_boards().of(dataset),
        "claims": claims,
        "flagged": len({one.claim.name for one in claims if one.verdict in ("differs", "contradicts")}),
        "printed_only": sorted({one.claim.name for one in claims if one.claim.agent is None}),
        "trajectories": traced.count(),
        "unknown": traced.filter(outcome="").count(),
        "lost": rows.filter(outcome="infrastructure_failed").count(),
    }
    return render(request, "runs/source.html", context)


def _checked(claims: Sequence[Claim]) -> list[CheckedClaim]:
    """The claims, contradictions first."""
    found = [CheckedClaim(claim, METRICS[claim.metric], claim.verdict) for claim in claims]
    return sorted(found, key=lambda one: _WORST_FIRST[one.verdict])
