"""Pages and the feed on scheduled evaluations: the checks, newest first, and what became worse in each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.views.decorators.http import require_http_methods, require_safe

from runs.data.queries import parameters
from runs.data.queries.visibility import ANONYMOUS, Reader, is_operator, visible
from runs.data.run_facts.judged_scores import dimension_title
from runs.judging.regression_checks.check_message import finding_in_words
from runs.judging.regression_checks.starting_checks import CheckRefused, start_now
from runs.models import Delivery, RegressionCheck, RegressionFinding, Run, Schedule
from runs.presentation.formatting.numbers import (
    DASH,
    dollars,
    duration,
    fixed,
    half_up,
    signed,
    whole_percent,
)
from runs.views.operator_pages.operators_only import operators_only
from runs.views.site_pages.feed import MAX_ENTRIES, AtomFeed, feed_text

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
    page = parameters.page_of(request, found, PAGE)
    operator = is_operator(request.user)
    schedules = visible(Schedule.objects.select_related("agent"), request.user)
    context = {
        "section": "insights",
        "page": page,
        "lines": _lines(list(page), request.user),
        "verdict": verdict,
        "verdicts": RegressionCheck.Verdict.choices,
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
    findings = list(visible(RegressionFinding.objects.filter(check_of=found), request.user).order_by("place"))
    numbers = {
        pair[name] for finding in findings for pair in finding.evidence for name in ("run", "anchor_run")
    }
    runs = visible(Run.objects.filter(pk__in=numbers - {None}), request.user)
    known = {run.pk: run for run in runs.select_related("agent", "task__repository")}
    rows = [_row(finding, known) for finding in findings]
    operator = is_operator(request.user)
    deliveries = visible(Delivery.objects.filter(check_of=found), request.user) if operator else None
    context = {
        "section": "insights",
        "check": found,
        "rows": [row for row in rows if row.finding.causes_alarm],
        "tools": [row for row in rows if not row.finding.causes_alarm],
        "result": found.result,
        "drift": [
            {**row, "title": dimension_title(row["dimension"])} for row in found.result.get("drift", ())
        ],
        "operator": operator,
        "deliveries": deliveries,
    }
    return render(request, "runs/regressions/check.html", context)


def _row(finding: RegressionFinding, runs: Mapping[int, Run]) -> FindingRow:
    amount = finding.scale == "amount"
    number = _UNITS.get(finding.quantity, _amount) if amount else _share
    effect = _ratio if amount else _points
    ends = None if finding.low is None or finding.high is None else (finding.low, finding.high)
    return FindingRow(
        finding,
        _or_dash(number, finding.anchor_value),
        _or_dash(number, finding.candidate_value),
        "" if finding.effect is None else effect(finding.effect),
        "" if ends is None else f"{effect(ends[0])} to {effect(ends[1])}",
        [
            EvidencePair(
                run,
                runs.get(pair["anchor_run"]),
                _or_dash(number, pair["value"]),
                _or_dash(number, pair["anchor_value"]),
            )
            for pair in finding.evidence
            if (run := runs.get(pair["run"]))
        ],
    )


_UNITS: Mapping[str, Callable[[float], str]] = {"cost_usd": dollars, "seconds": duration}


def _or_dash(number: Callable[[float], str], value: float | None) -> str:
    """A value in its unit; a dash where it is unknown."""
    return DASH if value is None else number(value)


def _share(value: float) -> str:
    return f"{whole_percent(value)} %"


def _amount(value: float) -> str:
    return f"{half_up(value):,.3g}" if value < 1000 else fixed(value, 0, ",")


def _points(value: float) -> str:
    return f"{signed(100 * value, 0)} points"


def _ratio(value: float) -> str:
    return f"× {fixed(value, 2)}"


def regression_feed(request: HttpRequest) -> HttpResponse:
    """The newest checks first, each with what became worse."""
    ended = visible(RegressionCheck.objects.filter(state=RegressionCheck.State.FINISHED), ANONYMOUS)
    checks = ended.select_related("schedule").order_by("-finished_at", "-pk")[:MAX_ENTRIES]
    subtitle = "Scheduled evaluations that were compared with an earlier one"
    atom = AtomFeed(request, "regressions", subtitle, reverse("regression_feed"), reverse("regressions"))
    for check in checks:
        findings = visible(RegressionFinding.objects.filter(check_of=check, causes_alarm=True), ANONYMOUS)
        words = [(feed_text(finding_in_words(finding)),) for finding in findings.filter(outcome="worse")]
        listed = format_html_join("", "<li>{}</li>", words)
        title = f"{feed_text(str(check.schedule))}: {check.get_verdict_display()}"
        description = format_html("<p>{}</p><ul>{}</ul>", feed_text(check.reason), listed)
        atom.add(check, title, description, f"regressions/{check.pk}")
    return atom.response()
