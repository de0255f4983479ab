"""The list of checks, newest first. Operators see the schedules, and start a check by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from runs.data.queries import parameters
from runs.data.queries.visibility import Reader, is_operator, visible
from runs.judging.regression_checks.starting_checks import CheckRefused, start_now
from runs.models import RegressionCheck, RegressionFinding, Schedule
from runs.views.operator_pages.operators_only import operators_only

PAGE = 50
MOVED = ("worse", "better", "judge moved")


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check with the quantities that moved, by outcome."""

    check: RegressionCheck
    moved: Mapping[str, Sequence[str]]


@require_http_methods(["GET", "HEAD", "POST"])
def regressions(request: HttpRequest) -> HttpResponse:
    """All checks that the reader may see. POST with `schedule`: starts its check now; operators."""
    if request.method == "POST":
        return _run_now(request)
    verdict = parameters.choice(request.GET, "verdict", RegressionCheck.Verdict.values)
    related = ("schedule__agent", "candidate", "anchor")
    found = visible(RegressionCheck.objects.select_related(*related), request.user)
    if verdict:
        found = found.filter(verdict=verdict)
    page = Paginator(found, PAGE).get_page(parameters.page_number(request.GET))
    operator = is_operator(request.user)
    schedules = visible(Schedule.objects.select_related("agent"), request.user)
    context = {
        "section": "evaluations",
        "page": page,
        "lines": _lines(list(page), request.user),
        "verdict": verdict,
        "verdicts": RegressionCheck.Verdict.values,
        "query": urlencode({"verdict": verdict}) if verdict else "",
        "operator": operator,
        "schedules": schedules.order_by("-enabled", "title")[:PAGE] if operator else (),
        "more_schedules": max(0, schedules.count() - PAGE) if operator else 0,
    }
    return render(request, "runs/regressions/list.html", context)


@operators_only
def _run_now(request: HttpRequest) -> HttpResponse:
    number = parameters.whole(request.POST, "schedule", 0, least=0, most=2**31 - 1)
    schedule = get_object_or_404(visible(Schedule.objects.select_related("agent"), request.user), pk=number)
    try:
        started = start_now(schedule, request.user)
    except CheckRefused as refused:
        messages.error(request, f"{schedule} was not started: {refused}")
        return HttpResponseRedirect(reverse("regressions"))
    messages.success(request, f"{schedule} is started.")
    return HttpResponseRedirect(started.get_absolute_url())


def _lines(checks: Iterable[RegressionCheck], reader: Reader) -> list[CheckLine]:
    checks = list(checks)
    findings = visible(RegressionFinding.objects.filter(check_of__in=checks, causes_alarm=True), reader)
    moved: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for finding in findings.filter(outcome__in=MOVED).order_by("place"):
        moved[finding.check_of_id][finding.outcome].append(finding.title)
    return [
        CheckLine(check, {name: list(titles) for name, titles in moved[check.pk].items()}) for check in checks
    ]
