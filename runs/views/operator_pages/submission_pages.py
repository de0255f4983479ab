"""Pages for operators: the submissions of others, what one claims and what this site found, and the decision."""

from __future__ import annotations

from collections import Counter

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.views.decorators.vary import vary_on_headers

from runs.data.queries import parameters
from runs.data.queries.visibility import visible
from runs.intake.submissions.deciding import accept_submission, grade_submission, reject_submission
from runs.intake.submissions.staging import SubmissionRefused
from runs.jobs import queue
from runs.models import Submission, SubmittedRun
from runs.operations.monitoring.health import engine_status
from runs.views.operator_pages.operators_only import operators_only

PAGE = 50
RUNS = 200
EVERY_SECONDS = 3
ACTS = ("grade", "accept", "reject")
State = SubmittedRun.State


@operators_only
def submissions(request: HttpRequest) -> HttpResponse:
    """All submissions, newest first."""
    found = visible(Submission.objects.select_related("dataset"), request.user)
    resolved = Q(submitted__claimed_outcome="resolved")
    found = found.annotate(runs=Count("submitted"), claimed=Count("submitted", filter=resolved))
    found = found.order_by("-created_at", "-pk")
    page = parameters.page_of(request, found, PAGE)
    return render(request, "runs/submissions/list.html", {"section": "operate", "page": page})


@operators_only
@vary_on_headers("X-Partial")
def submission(request: HttpRequest, pk: int) -> HttpResponse:
    """One submission; with an X-Partial header, only what changes. POST with `act` grades, accepts or rejects it."""
    found = visible(Submission.objects.all(), request.user)
    found = found.select_related("dataset", "evaluation", "decided_by", "upload", "token")
    chosen = get_object_or_404(found, pk=pk)
    if request.method == "POST":
        return _change(request, chosen)
    runs = visible(SubmittedRun.objects.filter(submission=chosen), request.user)
    runs = runs.select_related("task__repository", "submission")
    page = parameters.page_of(request, runs, RUNS)
    context = {
        "section": "operate",
        "submission": chosen,
        "page": page,
        **_counts(list(runs)),
        "every": EVERY_SECONDS,
        "engine": engine_status(),
        "queue_problem": queue.problem(),
    }
    template = "_progress.html" if request.headers.get("X-Partial") else "page.html"
    return render(request, f"runs/submissions/{template}", context)


def _counts(runs: list[SubmittedRun]) -> dict[str, object]:
    """How many runs there are in each state, and how many differ from what is claimed."""
    states = Counter(run.state for run in runs)
    done = sum(states[state] for state in SubmittedRun.DONE)
    return {
        "runs": len(runs),
        "graded": states[State.GRADED],
        "ungraded": states[State.UNGRADED],
        "to_grade": len(runs) - states[State.UNGRADED],
        "waiting": states[State.WAITING] + states[State.FAILED],
        "working": sum(states[state] for state in SubmittedRun.OPEN),
        "complete": done == len(runs) and states[State.GRADED] > 0,
        "differing": sum(run.differs for run in runs),
        "claimed_resolved": sum(run.claimed_outcome == "resolved" for run in runs),
        "resolved": sum(run.outcome == "resolved" for run in runs),
    }


def _change(request: HttpRequest, chosen: Submission) -> HttpResponse:
    act = parameters.required(request.POST, "act", ACTS, ", ".join(ACTS))
    try:
        messages.success(request, _done(request, chosen, act))
    except SubmissionRefused as refused:
        messages.error(request, str(refused))
    return HttpResponseRedirect(chosen.get_absolute_url())


def _done(request: HttpRequest, chosen: Submission, act: str) -> str:
    if act == "grade":
        count = grade_submission(chosen)
        return f"{count} run{' is' if count == 1 else 's are'} graded again."
    if act == "accept":
        accept_submission(chosen, request.user)
        return "It is imported and published."
    reject_submission(chosen, request.user)
    return "It is rejected. Its files are removed."
