"""The page of one check: findings with effect, interval, n, p and evidence, the paper's flags, drift of judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from runs.data.queries.visibility import Reader, is_operator, visible
from runs.models import Delivery, RegressionCheck, RegressionFinding, Run


@dataclass(frozen=True, slots=True)
class EvidencePair:
    """A run of the candidate beside one of the anchor, in the same scenario with the same persona."""

    candidate: Run
    anchor: Run | None
    after: str
    before: str


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding in words. `effect` and `interval` are '' where they are undefined."""

    finding: RegressionFinding
    anchor: str
    candidate: str
    effect: str
    interval: str
    evidence: Sequence[EvidencePair]


@require_safe
def regression(request: HttpRequest, pk: int) -> HttpResponse:
    """One check."""
    passes = ("candidate_pass", "anchor_pass", "pair_pass")
    related = ("schedule__agent", "schedule__panel", "candidate", "anchor", *passes)
    found = get_object_or_404(visible(RegressionCheck.objects.select_related(*related), request.user), pk=pk)
    rows = _rows(found, request.user)
    operator = is_operator(request.user)
    deliveries = visible(Delivery.objects.filter(check_of=found), request.user) if operator else None
    context = {
        "section": "evaluations",
        "check": found,
        "rows": [row for row in rows if row.finding.causes_alarm],
        "tools": [row for row in rows if not row.finding.causes_alarm],
        "result": found.result,
        "operator": operator,
        "deliveries": deliveries,
    }
    return render(request, "runs/regressions/check.html", context)


def _rows(check: RegressionCheck, reader: Reader) -> list[FindingRow]:
    findings = list(visible(RegressionFinding.objects.filter(check_of=check), reader).order_by("place"))
    numbers = {
        pair[name] for finding in findings for pair in finding.evidence for name in ("run", "anchor_run")
    }
    runs = visible(Run.objects.filter(pk__in=numbers - {None}), reader)
    known = {run.pk: run for run in runs.select_related("agent", "task__repository")}
    return [_row(finding, known) for finding in findings]


def _row(finding: RegressionFinding, runs: Mapping[int, Run]) -> FindingRow:
    amount = finding.scale == "amount"
    number = _amount if amount else _share
    effect = _ratio if amount else _points
    ends = None if finding.low is None or finding.high is None else (finding.low, finding.high)
    return FindingRow(
        finding,
        number(finding.anchor_value),
        number(finding.candidate_value),
        "" if finding.effect is None else effect(finding.effect),
        "" if ends is None else f"{effect(ends[0])} to {effect(ends[1])}",
        [_pair(pair, runs, number) for pair in finding.evidence if pair["run"] in runs],
    )


def _pair(pair: Mapping[str, Any], runs: Mapping[int, Run], number: Any) -> EvidencePair:
    return EvidencePair(
        runs[pair["run"]], runs.get(pair["anchor_run"]), number(pair["value"]), number(pair["anchor_value"])
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _amount(value: float | None) -> str:
    return "–" if value is None else f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def _points(value: float) -> str:
    return f"{100 * value:+.0f}".replace("-", "−") + " points"


def _ratio(value: float) -> str:
    return f"× {value:.2f}"
