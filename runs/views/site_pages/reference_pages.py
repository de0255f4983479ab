"""Pages about numbers that were not made here, and health."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs.analysis.outcomes.printed_claims import METRICS, ClaimMetric, Verdict, printed_factor
from runs.analysis.outcomes.stated_values import DIFFERS
from runs.data.cells.boards import all_boards, board_version
from runs.data.published.tables import tables
from runs.data.queries.visibility import visible
from runs.models import Claim, ResultReport, Run
from runs.views.site_pages.citations import citation_of_source

MIN_FACTOR = 1.5  # smaller ones are not named
MAX_DIFFERING = 20  # runs that a page of a source names
_WORST_FIRST: Mapping[Verdict, int] = {"contradicts": 0, "differs": 1, "agrees": 2, "unknown": 3}


@require_safe
def published(request: HttpRequest) -> HttpResponse:
    """Tables from publications, and sources that print numbers and report no results."""
    reports = visible(
        ResultReport.objects.filter(
            evaluation__listed=True, dataset__repositories=None, claims__isnull=False
        ),
        request.user,
    )
    sources = reports.select_related("dataset").distinct()
    context = {"section": "published", "tables": tables(), "sources": sources}
    return render(request, "runs/published.html", context)


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """200 if this process responds. Does not use the database: a restart would not repair that."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A printed number beside the own one."""

    claim: Claim
    metric: ClaimMetric
    verdict: Verdict

    @property
    def factor(self) -> float:
        """How many times the larger of the printed and the own number is the smaller one."""
        return printed_factor(self.claim.printed, self.claim.own)

    @property
    def far_apart(self) -> bool:
        """Whether the page names the factor."""
        return MIN_FACTOR <= self.factor < inf


@dataclass(frozen=True, slots=True)
class AgreeingCount:
    """How many printed numbers of a metric agree with the own ones, of those that can be compared."""

    metric: ClaimMetric
    agree: int
    compared: int


def _agreeing(claims: Sequence[CheckedClaim]) -> list[AgreeingCount]:
    """The counts of each metric with a number that can be compared."""
    by_metric: dict[str, list[Verdict]] = {}
    for one in claims:
        if one.verdict != "unknown":
            by_metric.setdefault(one.claim.metric, []).append(one.verdict)
    return [
        AgreeingCount(METRICS[name], verdicts.count("agrees"), len(verdicts))
        for name, verdicts in sorted(by_metric.items(), key=lambda item: list(METRICS).index(item[0]))
    ]


def source_version(request: HttpRequest) -> str:
    """The version of the results that the page of this request for a source shows."""
    return board_version(request.resolver_match.kwargs["dataset"] if request.resolver_match else "")


@require_safe
def source(request: HttpRequest, dataset: str) -> HttpResponse:
    """A source with all versions that were imported, and the checks of the current one."""
    reports = visible(ResultReport.objects.filter(dataset__slug=dataset), request.user)
    versions = list(reports.select_related("dataset", "evaluation"))
    if not versions:
        raise Http404(f"no results of the dataset {dataset} are reported")
    current = next((one for one in versions if one.evaluation.listed), versions[0])
    own = current.claims.select_related("agent").order_by("pk")
    claims = [CheckedClaim(claim, METRICS[claim.metric], claim.verdict) for claim in own]
    claims.sort(key=lambda checked: (_WORST_FIRST[checked.verdict], -checked.factor))
    rows = current.evaluation.runs
    traced = visible(Run.objects.filter(evaluation__report__dataset__slug=dataset), request.user).exclude(
        directory=""
    )
    context = {
        "section": "leaderboard",
        "dataset": current.dataset,
        "report": current,
        "citation": citation_of_source(current),
        "versions": versions,
        "board": all_boards().of(dataset),
        "claims": claims,
        "agreeing": _agreeing(claims),
        "compared": any(one.verdict != "unknown" for one in claims),
        "flagged": len({one.claim.name for one in claims if one.verdict in ("differs", "contradicts")}),
        "printed_only": sorted({one.claim.name for one in claims if one.claim.agent is None}),
        "trajectories": traced.count(),
        "unknown": traced.filter(outcome="").count(),
        "differing": list(
            traced.filter(trajectory_source__stated__has_key=DIFFERS).order_by("pk")[:MAX_DIFFERING]
        ),
        "lost": rows.filter(outcome="infrastructure_failed").count(),
    }
    return render(request, "runs/source.html", context)
